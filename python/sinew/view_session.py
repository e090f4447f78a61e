"""A simulation that is looked at: runs in real time, stops, steps, goes back, is pulled at. Knows no browser.

Everything that happens in a browser arrives here as a call on the thread of the simulation. What the viewer shows
is the scene that `update_scene` makes.
"""

import collections
import io
import os
import re
import time

import numpy as np

import sinew
from sinew import visual
from sinew._enums import mjtCamera, mjtCatBit, mjtMouse, mjtObj, mjtPertBit, mjtState
from sinew.view_scene import Shapes, body_of, records

_STATE = int(mjtState.mjSTATE_INTEGRATION)
_PAST = 3000  # states that can be gone back to
_MAX_GEOMS = 20000
# the simulation may take this part of a frame's time; it falls behind real time rather than delay the picture
_BUSY = 1 / 40


class LoadError(Exception):
    """A model that cannot be loaded, said so that it can be shown."""


# ---- models ----

_MODELS = (".xml", ".mjcf", ".urdf", ".zip", ".snb", ".mjb")
_FILES = re.compile(r"""\b(?:file\w*|filename)\s*=\s*["']([^"']*)["']""")
_FOLDERS = re.compile(r"""\b(?:meshdir|texturedir|assetdir)\s*=\s*["']([^"']*)["']""")


def load_path(path):
    """A model from a file. LoadError says what is wrong with it."""
    path = os.fspath(path)
    if not path.lower().endswith(_MODELS):
        raise LoadError(f"{path}: a model is one of {', '.join(_MODELS)}")
    if not os.path.exists(path):
        raise LoadError(f"{path}: no such file")
    try:
        if path.lower().endswith(".zip"):
            return sinew.from_zip(path).compile()
        if path.lower().endswith((".snb", ".mjb")):
            return sinew.MjModel.from_binary_path(path)
        return sinew.MjModel.from_xml_path(path)
    except Exception as error:
        raise LoadError(f"{path}: {error}") from None


def load_bytes(name, content, folder=None):
    """A model that was dropped on the page. It reads no file but those of its own archive and of `folder`."""
    name = os.path.basename(name)
    if not name.lower().endswith(_MODELS):
        raise LoadError(f"{name}: a model is one of {', '.join(_MODELS)}")
    try:
        if name.lower().endswith(".zip"):
            return sinew.from_zip(io.BytesIO(content)).compile()
        if name.lower().endswith((".snb", ".mjb")):
            raise LoadError(f"{name}: drop a binary model into the folder of the viewer and open it by its path")
        text = content.decode("utf-8", "replace")
        return sinew.MjModel.from_xml_string(text, assets=_assets(name, text, folder))
    except LoadError:
        raise
    except Exception as error:
        raise LoadError(f"{name}: {error}") from None


def _inside(folder, path):
    root = os.path.realpath(folder)
    return os.path.commonpath([root, os.path.realpath(path)]) == root


def _assets(name, text, folder):
    """Contents of the files that a model names, found inside a folder only."""
    found = {}
    folders = ["", *_FOLDERS.findall(text)]
    for wanted in dict.fromkeys(_FILES.findall(text)):
        plain = wanted.removeprefix("package://")
        tries = [os.path.join(folder, sub, plain) for sub in folders] if folder else []
        path = next((p for p in tries if os.path.isfile(p) and _inside(folder, p)), None)
        if path is None:
            raise LoadError(f"{name}: its file {wanted} is not in the folder of the model that is open; "
                            "drop a .zip with the model and its files")
        with open(path, "rb") as file:
            found[wanted] = file.read()
    return found


# ---- the session ----


class Session:
    """A model, its state, and what is done to them while someone looks."""

    def __init__(self, model, data=None, passive=False):
        self.option, self.camera, self.perturb = visual.MjvOption(), visual.MjvCamera(), visual.MjvPerturb()
        self.paused, self.speed, self.passive = False, 1.0, passive
        self.key = self.history = self.shapes = self.scene = None
        self.adopt(model, data)

    def adopt(self, model, data=None):
        """Look at another model."""
        self.model = model
        self.data = sinew.MjData(model) if data is None else data
        self.scene = visual.MjvScene(model, _MAX_GEOMS)
        self.shapes = Shapes(model)
        visual.mjv_defaultFreeCamera(model, self.camera)
        visual.mjv_defaultPerturb(self.perturb)
        self.history = collections.deque(maxlen=_PAST)
        self.place = -1
        self._debt = 0.0
        self._last = None
        if not self.passive:
            sinew.mj_forward(model, self.data)
        self.remember()

    # ---- time ----

    def advance(self):
        """Simulate what has passed of real time since the last call; the number of steps."""
        now = time.monotonic()
        elapsed, self._last = 0.0 if self._last is None else now - self._last, now
        if self.paused or self.passive:
            self._apply_perturbation(paused=True)
            return 0
        self._resume()
        self._debt = min(self._debt + elapsed * self.speed, 0.1 * self.speed)
        step, count = float(self.model.opt.timestep), 0
        while self._debt >= step and time.monotonic() - now < _BUSY:
            self._step()
            self._debt -= step
            count += 1
        if count:
            self.remember()
        return count

    def _step(self):
        self.data.xfrc_applied[:] = 0
        self._apply_perturbation(paused=False)
        sinew.mj_step(self.model, self.data)

    def _apply_perturbation(self, paused):
        if self.perturb.select <= 0 or not self.perturb.active:
            return
        if paused and self.passive:
            return
        visual.mjv_applyPerturbPose(self.model, self.data, self.perturb, paused)
        if paused:
            sinew.mj_forward(self.model, self.data)
        else:
            visual.mjv_applyPerturbForce(self.model, self.data, self.perturb)

    def step_once(self, count=1):
        """Stop, and go some steps on."""
        self.paused = True
        self._resume()
        for _ in range(count):
            self._step()
        self.remember()

    def reset(self, keyframe=-1):
        """Back to the start, or to a keyframe."""
        if keyframe >= 0:
            sinew.mj_resetDataKeyframe(self.model, self.data, keyframe)
        else:
            sinew.mj_resetData(self.model, self.data)
        sinew.mj_forward(self.model, self.data)
        self.history.clear()
        self.place, self._debt = -1, 0.0
        self.remember()

    # ---- the past ----

    def remember(self):
        """Keep the present state among those that can be gone back to."""
        state = np.empty(sinew.mj_stateSize(self.model, _STATE))
        sinew.mj_getState(self.model, self.data, state, _STATE)
        self.history.append(state)
        self.place = -1

    def scrub(self, part):
        """Show the past: 0 is the oldest state, 1 the newest. Stops the simulation."""
        self.paused = True
        self.place = round(min(max(part, 0.0), 1.0) * (len(self.history) - 1))
        sinew.mj_setState(self.model, self.data, self.history[self.place], _STATE)
        sinew.mj_forward(self.model, self.data)

    def _resume(self):
        """Go on from where the scrubber stands: what came after it is forgotten."""
        if self.place >= 0:
            while len(self.history) > self.place + 1:
                self.history.pop()
            self.place = -1

    # ---- hands ----

    def set_control(self, actuator, value):
        """Set the control of an actuator."""
        self.data.ctrl[actuator] = value

    def set_joint(self, joint, value):
        """Put a hinge or a slider at a position, at rest."""
        self.data.qpos[self.model.jnt_qposadr[joint]] = value
        self.data.qvel[self.model.jnt_dofadr[joint]] = 0
        sinew.mj_forward(self.model, self.data)

    def select(self, body, point=None):
        """Choose a body (0: none), at a point of the world (None: its origin)."""
        self.perturb.active = 0
        self.perturb.select = max(0, body)
        if self.perturb.select:
            d = self.data
            rotation = d.xmat[body].reshape(3, 3)
            self.perturb.localpos = 0 if point is None else rotation.T @ (np.asarray(point, float) - d.xpos[body])

    def drag(self, phase, body, start, end, turn=None):
        """Pull at a body with a spring (turn: None), or turn it (turn: how far the mouse went, in windows)."""
        if phase == "end":
            self.perturb.active = 0
            self.data.xfrc_applied[:] = 0
            return
        if phase == "start" or self.perturb.select != body:
            self.select(body, start)
            visual.mjv_initPerturb(self.model, self.data, self.scene, self.perturb)
        if turn is None:
            self.perturb.active = int(mjtPertBit.mjPERT_TRANSLATE)
            moved = np.asarray(end, float) - self.perturb.refselpos
            self.perturb.refselpos = self.perturb.refselpos + moved
            self.perturb.refpos = self.perturb.refpos + moved
        else:
            self.perturb.active = int(mjtPertBit.mjPERT_ROTATE)
            for action, dx, dy in ((mjtMouse.mjMOUSE_ROTATE_H, turn[0], 0), (mjtMouse.mjMOUSE_ROTATE_V, 0, turn[1])):
                visual.mjv_movePerturb(self.model, self.data, action, dx, dy, self.scene, self.perturb)

    # ---- pictures ----

    def update_scene(self):
        """Make the scene of the present state; its geoms as records."""
        visual.mjv_updateScene(self.model, self.data, self.option, self.perturb, self.camera, int(mjtCatBit.mjCAT_ALL), self.scene)
        return records(self.scene)

    def body_at(self, row):
        """The body that a geom of the scene shows; -1 where it shows none."""
        geoms = records(self.scene)
        return body_of(self.model, geoms[row]) if 0 <= row < len(geoms) else -1

    def fixed_camera(self, number):
        """Position, quaternion (x right, y down, z forward) and vertical angle in radians of a camera of the model."""
        cam = visual.MjvCamera()
        cam.type, cam.fixedcamid = int(mjtCamera.mjCAMERA_FIXED), number
        rotation = self.data.cam_xmat[number].reshape(3, 3) * [1, -1, -1]
        quat = np.empty(4)
        sinew.mju_mat2Quat(quat, np.ascontiguousarray(rotation).ravel())
        return self.data.cam_xpos[number].copy(), quat, float(np.radians(self.model.cam_fovy[number]))

    def free_camera(self):
        """Where the free camera stands and what it looks at."""
        azimuth, elevation = np.radians([self.camera.azimuth, self.camera.elevation])
        forward = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
        lookat = np.array(self.camera.lookat)
        return lookat - self.camera.distance * forward, lookat

    def names(self, kind, count):
        """Names of all objects of a kind, numbers where there are none."""
        return [sinew.mj_id2name(self.model, int(kind), i) or f"#{i}" for i in range(count)]

    def describe(self, body):
        """A body in Markdown."""
        m, d = self.model, self.data
        name = self.names(mjtObj.mjOBJ_BODY, m.nbody)
        joints = [self.names(mjtObj.mjOBJ_JOINT, m.njnt)[j] for j in range(m.njnt) if m.jnt_bodyid[j] == body]
        children = [name[i] for i in range(1, m.nbody) if m.body_parentid[i] == body]
        return "\n".join([
            f"**{name[body]}** (body {body})", f"- parent: {name[m.body_parentid[body]]}",
            f"- children: {', '.join(children) or 'none'}", f"- joints: {', '.join(joints) or 'none'}",
            f"- mass: {m.body_mass[body]:.4g} kg", f"- position: {np.array2string(d.xpos[body], precision=3)}"])

    def status(self):
        """One line about the present state."""
        d = self.data
        bad = [f"{sinew.mjtWarning(i).name.removeprefix('mjWARN_').lower()} {w.number}" for i, w in enumerate(d.warning) if w.number]
        text = f"t = {d.time:.3f} s, {d.ncon} contacts, {d.nefc} rows, {int(d.solver_niter.max(initial=0))} iterations"
        return text + (f", warnings: {', '.join(bad)}" if bad else "")
