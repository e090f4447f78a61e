"""Both engines as a user meets them: files in, steps out, through the public interface alone.

`variants()` lists what is changed in a model before it is run; `compare()` loads a file with both
packages, applies a variant and returns the differences of every step taken from MuJoCo's states.
"""

import pathlib

import compiled
import corpus
import mujoco
import numpy as np
import sinew

EVERYTHING = int(mujoco.mjtState.mjSTATE_INTEGRATION)
SMOOTH = 1e-9  # steps without constraints, relative to the field's scale
CONSTRAINED = 1e-6  # steps whose forces come from the iterative solver
# MuJoCo reuses the meshes of models loaded earlier, with their convex hulls: see each file alone
mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)

# sensors that depend on the step before, so that equal states do not give equal values, or that
# divide by a distance which may be mere rounding
STALE = (int(mujoco.mjtSensor.mjSENS_E_KINETIC), int(mujoco.mjtSensor.mjSENS_CAMPROJECTION))
FIELDS = ("qpos", "qvel", "act", "qacc", "energy", "sensordata")


def sources():
    """Every model file at hand that MuJoCo loads: {id: path}."""
    found = {name: path for name, path in corpus.paths().items()}
    for package, parts in (("dm_control", ()), ("mujoco", ("testdata",))):
        folder = corpus._package_folder(package, *parts)
        if folder is None or not folder.is_dir():
            continue
        for path in sorted(folder.rglob("*.xml")) + sorted(folder.rglob("*.urdf")):
            if path not in found.values():
                found[f"{package}/{path.relative_to(folder).with_suffix('')}"] = path
    return found


def load(path):
    """MuJoCo's model and ours; (None, message) where MuJoCo refuses the file."""
    try:
        theirs = mujoco.MjModel.from_xml_path(str(path))
    except (ValueError, mujoco.FatalError) as refusal:
        return None, str(refusal)
    return theirs, sinew.MjModel.from_xml_path(str(path))


def tighten(model):
    """Solver tolerances at which two correct solvers agree."""
    model.opt.tolerance = 1e-14
    model.opt.iterations = max(int(model.opt.iterations), 200)
    model.opt.ls_tolerance = min(model.opt.ls_tolerance, 1e-4)
    model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)


def _scaled(expected, actual):
    expected, actual = np.ravel(expected).astype(float), np.ravel(actual).astype(float)
    if expected.shape != actual.shape:
        return np.inf
    if not expected.size:
        return 0.0
    finite = np.isfinite(expected)
    if not np.array_equal(finite, np.isfinite(actual)):
        return np.inf
    if not finite.any():
        return 0.0
    scale = max(1.0, np.abs(expected[finite]).max())
    return float(np.abs(expected[finite] - actual[finite]).max() / scale)


def _sensor_difference(model, theirs, ours):
    """Sensors have units of their own, so each has a scale of its own."""
    worst = 0.0
    for i in range(model.nsensor):
        if model.sensor_type[i] in STALE:
            continue
        part = slice(model.sensor_adr[i], model.sensor_adr[i] + model.sensor_dim[i])
        worst = max(worst, _scaled(theirs.sensordata[part], ours.sensordata[part]))
    return worst


def step_differences(model, theirs, ours):
    """{field: difference} of two data after the same step."""
    found = {}
    for field in FIELDS:
        if field == "sensordata":
            found[field] = _sensor_difference(model, theirs, ours)
        else:
            found[field] = _scaled(getattr(theirs, field), getattr(ours, field))
    for field in ("ncon", "nefc", "nisland", "ne", "nf", "nl"):
        if getattr(theirs, field) != getattr(ours, field):
            found[field] = np.inf
    for i in range(int(mujoco.mjtWarning.mjNWARNING)):
        if theirs.warning[i].number != ours.warning[i].number:
            found[f"warning{i}"] = np.inf
    return found


class Pair:
    """A model in both engines."""

    def __init__(self, path):
        self.mj, self.sn = load(path)
        if self.mj is None:
            raise ValueError(self.sn)
        self.fresh()

    @classmethod
    def of_text(cls, xml):
        """The pair of an MJCF text that MuJoCo compiles."""
        pair = cls.__new__(cls)
        pair.mj = mujoco.MjModel.from_xml_string(xml)
        pair.sn = sinew.MjModel.from_xml_string(xml)
        pair.fresh()
        return pair

    def fresh(self):
        self.theirs, self.ours = mujoco.MjData(self.mj), sinew.MjData(self.sn)

    def both(self, change):
        """Applies the same change to both models."""
        change(self.mj)
        change(self.sn)

    def same_state(self):
        state = np.zeros(mujoco.mj_stateSize(self.mj, EVERYTHING))
        mujoco.mj_getState(self.mj, self.theirs, state, EVERYTHING)
        sinew.mj_setState(self.sn, self.ours, state, EVERYTHING)

    def step(self):
        mujoco.mj_step(self.mj, self.theirs)
        sinew.mj_step(self.sn, self.ours)
        return step_differences(self.mj, self.theirs, self.ours)


def random_controls(model, data, rng):
    """Controls within their ranges."""
    low = np.where(model.actuator_ctrllimited == 1, model.actuator_ctrlrange[:, 0], -1.0)
    high = np.where(model.actuator_ctrllimited == 1, model.actuator_ctrlrange[:, 1], 1.0)
    data.ctrl[:] = rng.uniform(low, np.maximum(high, low))


def along_trajectory(pair, steps=40, every=4, seed=0, disturb=None):
    """Yields (differences, constrained) of single steps from the states of MuJoCo's trajectory."""
    rng = np.random.default_rng(seed)
    for step in range(steps):
        random_controls(pair.mj, pair.theirs, rng)
        if disturb is not None:
            disturb(pair.mj, pair.theirs, rng)
        if step % every:
            mujoco.mj_step(pair.mj, pair.theirs)
            continue
        pair.same_state()
        for i in range(int(mujoco.mjtWarning.mjNWARNING)):
            pair.theirs.warning[i].number = pair.ours.warning[i].number = 0
        found = pair.step()
        yield found, pair.theirs.nefc > 0
        if any(w.number for w in pair.theirs.warning):
            mujoco.mj_resetData(pair.mj, pair.theirs)


def model_differences(pair):
    return compiled.differences(pair.mj, pair.sn)


def _option(**values):
    def change(model):
        for name, value in values.items():
            setattr(model.opt, name, value)

    return change


def _flag(kind, bit):
    def change(model):
        setattr(model.opt, kind, getattr(model.opt, kind) | int(bit))

    return change


def _override(model):
    model.opt.o_margin = 0.01
    model.opt.o_solref[:] = [0.01, 0.8]
    model.opt.o_solimp[:] = [0.8, 0.9, 0.01, 0.4, 3]
    model.opt.o_friction[:] = [0.7, 0.6, 0.01, 0.001, 0.002]
    model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_OVERRIDE)


def _gaps(model):
    model.geom_margin[:] = 0.02
    model.geom_gap[:] = 0.01


def _medium(model):
    model.opt.density, model.opt.viscosity = 30.0, 0.1
    model.opt.wind[:] = [1, -0.5, 0.3]


def option_variants():
    """{name: change of the model's options}."""
    found = {"plain": lambda model: None}
    for integrator in ("EULER", "RK4", "IMPLICIT", "IMPLICITFAST"):
        value = int(getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}"))
        found[integrator.lower()] = _option(integrator=value)
    for solver in ("PGS", "CG", "NEWTON"):
        value = int(getattr(mujoco.mjtSolver, f"mjSOL_{solver}"))
        for cone in (0, 1):
            for jacobian in (0, 1):
                name = f"{solver}-{'elliptic' if cone else 'pyramidal'}-{'sparse' if jacobian else 'dense'}"
                found[name.lower()] = _option(solver=value, cone=cone, jacobian=jacobian)
    found["noslip"] = _option(noslip_iterations=5, noslip_tolerance=0)
    found["noslip-elliptic"] = _option(noslip_iterations=5, noslip_tolerance=0, cone=1)
    found["impratio"] = _option(impratio=7, cone=1)
    found["override"], found["gaps"], found["medium"] = _override, _gaps, _medium
    for kind, flags in (("disable", mujoco.mjtDisableBit), ("enable", mujoco.mjtEnableBit)):
        for flag in flags.__members__.values():
            if "_" in flag.name:
                short = flag.name.split("_", 1)[1].lower()
                found[f"{kind}-{short}"] = _flag(f"{kind}flags", flag)
    return found


def _keyframes(model, data, rng):
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, int(rng.integers(model.nkey)))


def _mocap(model, data, rng):
    data.mocap_pos[:] += 0.02 * rng.standard_normal(data.mocap_pos.shape)
    data.mocap_quat[:] += 0.1 * rng.standard_normal(data.mocap_quat.shape)


def _equality(model, data, rng):
    data.eq_active[:] = rng.integers(0, 2, model.neq)


def _pushes(model, data, rng):
    data.xfrc_applied[:] = rng.standard_normal(data.xfrc_applied.shape)
    data.qfrc_applied[:] = rng.standard_normal(model.nv)


def _positions(model, data, rng):
    data.qpos[:] += 0.1 * rng.standard_normal(model.nq)  # quaternions leave the unit sphere


def _velocities(model, data, rng):
    data.qvel[:] = 10 * rng.standard_normal(model.nv)


def disturbances():
    """{name: change of the state before each step}."""
    return {
        "keyframes": _keyframes, "mocap": _mocap, "equality": _equality, "pushes": _pushes,
        "positions": _positions, "velocities": _velocities,
    }  # fmt: skip


def asleep(model):
    """Whether trees may sleep: which of them sleep is not part of the state that is copied."""
    return bool(model.opt.enableflags & int(mujoco.mjtEnableBit.mjENBL_SLEEP))


def free_run(pair, steps=50, seed=0):
    """(difference, allowance) after steps of both engines on their own from the same start.

    The allowance follows a second run of MuJoCo, pushed by 1e-9: where that one moves away, so may we;
    where it has moved a thousand times as far, the scene is chaotic and nothing is asked.
    """
    pair.fresh()
    pushed = mujoco.MjData(pair.mj)
    if pair.mj.nv:
        pushed.qvel[:] += 1e-9 * np.cos(np.arange(pair.mj.nv))
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        random_controls(pair.mj, pair.theirs, rng)
        pushed.ctrl[:] = pair.ours.ctrl[:] = pair.theirs.ctrl
        mujoco.mj_step(pair.mj, pair.theirs)
        mujoco.mj_step(pair.mj, pushed)
        sinew.mj_step(pair.sn, pair.ours)
    ours = max(_scaled(getattr(pair.theirs, f), getattr(pair.ours, f)) for f in ("qpos", "qvel"))
    drift = max(_scaled(getattr(pair.theirs, f), getattr(pushed, f)) for f in ("qpos", "qvel"))
    return ours, max(1e-6, 100 * drift) if drift < 1e-6 else np.inf


def step_failures(pair, **how):
    """Lines on the steps that differ by more than they may, and the worst difference of all."""
    failures, worst = [], 0.0
    for number, (found, constrained) in enumerate(along_trajectory(pair, **how)):
        tolerance = CONSTRAINED if constrained else SMOOTH
        worst = max(worst, max(found.values()))
        wrong = {name: value for name, value in found.items() if not value <= tolerance}
        if wrong:
            failures.append(f"step {number}: {wrong}")
    return failures, worst
