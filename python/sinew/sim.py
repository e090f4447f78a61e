"""A simulator composed of models that are chosen by name; see docs/builder.md. An extension.

    sim = sinew.Sim("scene.xml", preset="animation", substeps=4)
    sim.step(100)
    print(sim.data.qpos)

Choices are what the attributes of MJCF say for single elements: a law of bending or stretch for all flexes on which
it acts, a law for all actuators, the constraint solver. What is not chosen stays as the model has it.
"""

import copy
import pathlib

import numpy as np

from sinew import _core
from sinew.batch import Batch

_KINDS = ("preset", "bending", "elasticity", "actuator", "contact")


def _source(source):
    """A spec that may be changed, or a copy of a compiled model."""
    if isinstance(source, _core.MjSpec):
        return source.copy()
    if isinstance(source, _core.MjModel):
        return copy.copy(source)
    if isinstance(source, pathlib.Path) or "<" not in source:
        return _core.MjSpec.from_file(str(source))
    return _core.MjSpec.from_string(source)


class Sim:
    """Model and data of a spec, a compiled model, a file or a text of MJCF, with the models that are chosen.

    preset: "mujoco" (nothing is chosen), "animation" (bridson, xpbd), "softbody" (neo_hookean); single choices come on
    top. bending, elasticity, actuator, contact: names, see `Sim.names`. bending_param, elasticity_param, actuator_param:
    their parameters. iterations, substeps, compliance: of the constraint solver, the latter two of xpbd. From a compiled
    model the constraint solver alone can be chosen: the laws are compiled from the spec.
    """

    def __init__(self, source, *, preset=None, bending=None, elasticity=None, actuator=None, contact=None,
                 bending_param=(), elasticity_param=(), actuator_param=(), iterations=None, substeps=None, compliance=None):
        given = dict(zip(_KINDS, (preset, bending, elasticity, actuator, contact)))
        names = {kind: name for kind, name in given.items() if name is not None}
        numbers = {"bending": bending_param, "elasticity": elasticity_param, "actuator": actuator_param}
        numbers = {kind: [float(x) for x in np.atleast_1d(values)] for kind, values in numbers.items() if np.size(values)}
        single = {"iterations": iterations, "substeps": substeps, "compliance": compliance}
        numbers |= {name: [float(value)] for name, value in single.items() if value is not None}
        made = _source(source)
        if isinstance(made, _core.MjModel):
            _core._sim_apply_model(made, names, numbers)
            self.model = made
        else:
            _core._sim_apply(made, names, numbers)
            self.model = made.compile()
        self.data = _core.MjData(self.model)

    @staticmethod
    def names(kind):
        """The names of a kind: "preset", "bending", "elasticity", "actuator" or "contact"."""
        return _core._sim_names(kind).split(", ")

    def step(self, nstep=1):
        """Step the data."""
        _core.mj_step(self.model, self.data, nstep)

    def forward(self):
        """Forward dynamics without a step."""
        _core.mj_forward(self.model, self.data)

    def reset(self, keyframe=None):
        """Back to the reference state, or to a keyframe."""
        if keyframe is None:
            _core.mj_resetData(self.model, self.data)
        else:
            _core.mj_resetDataKeyframe(self.model, self.data, keyframe)

    @staticmethod
    def batch(sims, **options):
        """A batch whose world i has the model of sims[i]: domain randomisation by laws and by numbers.

        The models must have one structure: the same spec with other choices or numbers. Fields in which they differ are
        made per world (`Batch.model_field`), `opt.solver` and other options among them. Options are those of `Batch`.
        """
        models = [sim.model for sim in sims]
        first = max(models, key=lambda m: m.nxpbd)  # models without options of XPBD need none
        for name in set(_core.MODEL_SIZES) - {"nbuffer", "narena", "nxpbd"}:
            if any(getattr(m, name) != getattr(first, name) for m in models):
                raise ValueError(f"the models of a batch have one structure: they differ in {name}")
        batch = Batch(first, len(models), **options)
        for name in (*_core.MODEL_FIELDS, *(f"opt.{name}" for name in _core.MjOption._fields)):
            values = [_field(m if m.nxpbd or not name.startswith("xpbd_") else first, name) for m in models]
            if any(not np.array_equal(values[0], value, equal_nan=value.dtype.kind == "f") for value in values):
                target = batch.model_field(name)
                target[...] = np.stack(values).reshape(target.shape)
        return batch


def _field(model, name):
    return np.atleast_1d(getattr(model.opt, name[4:]) if name.startswith("opt.") else getattr(model, name))
