"""Sinew: MuJoCo's answers, faster. Use it as `import sinew as mujoco`."""

import os as _os

# names that the mujoco module also has because it imports them: scripts say mujoco.os, mujoco.Union
import ctypes, os, platform, subprocess, warnings, zipfile  # noqa: E401, F401
from typing import IO, Any, Sequence, TypeAlias, Union  # noqa: F401

from sinew import (  # noqa: F401
    _core, _enums, _functions, _gpu_package, _named, _pickle, drawing, gl_context, glfw, renderer, visual,
)
from sinew._core import (  # noqa: F401
    FatalError,
    MjContact,
    MjData,
    MjLROpt,
    MjModel,
    MjOption,
    MjSolverStat,
    MjStatistic,
    MjTimerStat,
    MjVisual,
    MjWarningStat,
)
from sinew import actuators, urdf  # noqa: F401
from sinew.batch import Batch  # noqa: F401
from sinew.page import Page, show  # noqa: F401
from sinew.sim import Sim  # noqa: F401

from sinew._spec import MjStruct, from_zip, to_zip  # noqa: F401

_SPEC = ("Mjs", "MjSpec", "MjCharVec", "MjStringVec", "MjByteVec", "MjDoubleVec", "MjFloatVec", "MjIntVec")
globals().update({n: getattr(_core, n) for n in dir(_core) if n.startswith(_SPEC)})

_EXPORTED = ("mj_", "mju_", "mjd_", "set_mj", "get_mj")
globals().update({n: getattr(_core, n) for n in dir(_core) if n.startswith(_EXPORTED)})
globals().update({n: getattr(visual, n) for n in dir(visual) if n.startswith(("mj", "Mj"))})
globals().update({n: getattr(drawing, n) for n in dir(drawing) if n.startswith(("mj", "Mj"))})
globals().update({n: getattr(_enums, n) for n in dir(_enums) if n.startswith("mj")})

GLContext, Renderer = gl_context.GLContext, renderer.Renderer
MjVisualHeadlight, MjVisualRgba = MjVisual.Headlight, MjVisual.Rgba


class UnexpectedError(Exception):
    """Something that should never happen did."""


mjDISABLESTRING = (
    "Constraint", "Equality", "Frictionloss", "Limit", "Contact", "Spring", "Damper", "Gravity", "Clampctrl",
    "Warmstart", "Filterparent", "Actuation", "Refsafe", "Sensor", "Midphase", "Eulerdamp", "AutoReset",
    "NativeCCD", "Island",
)
mjENABLESTRING = ("Override", "Energy", "Fwdinv", "InvDiscrete", "MultiCCD", "Sleep")
mjTIMERSTRING = (
    "step", "forward", "inverse", "position", "velocity", "actuation", "constraint", "advance", "pos_kinematics",
    "pos_inertia", "pos_collision", "pos_make", "pos_project", "col_broadphase", "col_narrowphase",
)

__version__ = "3.5.0"  # of the interface, as scripts check it
sinew_version = "0.1.0"
_gpu_package.offer(sinew_version)

HEADERS_DIR = _os.path.join(_os.path.dirname(__file__), "include")
PLUGINS_DIR = _os.path.join(_os.path.dirname(__file__), "plugin")
MODELS_DIR = _os.path.join(_os.path.dirname(__file__), "models")  # a humanoid and an arm, to begin with
PLUGIN_HANDLES = []

_PARTS = ("bridge", "compare", "deformable", "derivatives", "egl", "envs", "jax", "minimize", "osmesa", "parameters", "planning", "ray",
          "rollout", "shards", "stores", "studies", "sysid", "torch", "vector_env", "viewer",
          # modules that hold MuJoCo's names: libraries say mujoco._structs.MjData
          "_callbacks", "_constants", "_errors", "_render", "_specs", "_structs")


def __getattr__(name):
    """Parts of the package are imported when they are first used: sinew.derivatives, sinew.viewer, ..."""
    import importlib
    import sys

    problem = ""
    if name in _PARTS:
        try:
            return importlib.import_module("sinew." + name)
        except ImportError as error:
            problem = f": {error}"
    raise AttributeError(f"module 'sinew' has no attribute {name!r}{problem}", name=name, obj=sys.modules[__name__])
