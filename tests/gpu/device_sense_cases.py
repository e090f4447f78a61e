"""What a step reads and writes beside the motion, on a GPU as on the CPU: sensors of every kind, every field of data, model
fields that differ between worlds, flexes and XPBD bodies (device_cases.py says where these cases run).
"""

import re

import numpy as np
import pytest

import sinew

from device_helpers import FAKE, INTEGRATION, ROOT, as_close_as_rounding, load, needs_gpu, pair, random_states, same  # noqa: F401

pytestmark = needs_gpu

MODELS = ROOT / "tests" / "models"
SENSORS = sorted((MODELS / "sensor").glob("*.xml"))
KIND = sinew.mjtSensor
# values that forces of constraints enter
FORCES = {KIND.mjSENS_TOUCH, KIND.mjSENS_ACCELEROMETER, KIND.mjSENS_FORCE, KIND.mjSENS_TORQUE, KIND.mjSENS_JOINTLIMITFRC,
          KIND.mjSENS_TENDONLIMITFRC, KIND.mjSENS_FRAMELINACC, KIND.mjSENS_FRAMEANGACC, KIND.mjSENS_CONTACT}


def without_user_sensors(path):
    """A GPU refuses sensors that are functions of the user."""
    return sinew.MjModel.from_xml_string(re.sub(r"<user\b[^>]*/>", "", path.read_text()))


def stepped(model, count, precision="double"):
    """A batch of each device after the same step from states of a rollout."""
    gpu = sinew.Batch(model, count, device="gpu", precision=precision)
    cpu = sinew.Batch(model, count, device="cpu")
    start = random_states(model, count)
    if precision == "single":
        start = start.astype(np.float32).astype(float)
    for batch in (gpu, cpu):
        batch.set_state(start, INTEGRATION)
        batch.step(1)
    return gpu, cpu


# ---- sensors ----


@pytest.mark.parametrize("path", SENSORS, ids=lambda path: path.stem)
def test_sensors(path):
    """Every sensor of a model: within 1e-10 of the CPU's value, 1e-7 where forces of constraints enter."""
    model = without_user_sensors(path)
    gpu, cpu = stepped(model, 30 if FAKE else 300)
    ours, theirs, worst = np.asarray(gpu.sensordata), np.asarray(cpu.sensordata), {}
    for i, kind in enumerate(map(KIND, model.sensor_type)):
        part = slice(model.sensor_adr[i], model.sensor_adr[i] + model.sensor_dim[i])
        x, y = theirs[:, part], ours[:, part]
        seen = np.abs(x).max(initial=0) < 1e9  # else a point lies in the plane of the camera: 0 / 0
        error = np.max(np.abs(x - y) / np.maximum(1, np.abs(x)), initial=0) if seen else 0
        worst[kind.name] = max(worst.get(kind.name, 0), error)
        assert error <= (0 if FAKE else 1e-7 if kind in FORCES else 1e-10), (i, kind.name, error)
    print(f"\n  {path.stem}: " + ", ".join(f"{name[7:]} {error:.0e}" for name, error in worst.items()))


def test_every_kind_of_sensor_is_compared():
    """Plugins and functions of the user aside, which a GPU refuses."""
    kinds = {int(kind) for path in SENSORS for kind in without_user_sensors(path).sensor_type}
    assert set(range(int(KIND.mjSENS_PLUGIN))) <= kinds


def test_sensors_in_single_precision():
    gpu, cpu = stepped(without_user_sensors(MODELS / "sensor" / "arm.xml"), 30, "single")
    error = np.abs(np.asarray(gpu.sensordata) - cpu.sensordata) / np.maximum(1, np.abs(cpu.sensordata))
    assert np.median(error) < 1e-5 and np.all(np.isfinite(gpu.sensordata[:]))


# ---- fields ----

# flags of a search that lanes do another way, for drawings (docs/gpu.md)
NOT_FILLED = {"bvh_active"}


@pytest.mark.parametrize("path", [ROOT / "models" / "humanoid.xml", SENSORS[0]], ids=lambda path: path.stem)
def test_every_field_of_data(path):
    """All arrays that a batch shows, after a step and forces of bodies."""
    gpu, cpu = stepped(without_user_sensors(path), 30)
    for batch in (gpu, cpu):
        batch.rne_post_constraint()
    for row in sinew._core.DATA_LAYOUT:
        name = row[0] if isinstance(row, (tuple, list)) else row
        try:
            theirs = np.asarray(cpu.field(name))
        except AttributeError:
            continue
        if name not in NOT_FILLED:
            assert same(gpu.field(name), theirs, 1e-7), name


RANDOMIZED = (
    "body_mass", "body_inertia", "body_ipos", "body_iquat", "body_pos", "geom_pos", "geom_size", "geom_friction",
    "geom_solref", "geom_solimp", "geom_margin", "site_pos", "cam_pos", "jnt_stiffness", "jnt_range", "jnt_axis",
    "qpos_spring", "dof_damping", "dof_armature", "dof_frictionloss", "tendon_range", "tendon_stiffness", "tendon_damping",
    "actuator_gear", "actuator_gainprm", "actuator_biasprm", "actuator_forcerange", "actuator_dynprm", "sensor_cutoff",
    "opt.gravity", "opt.timestep", "opt.magnetic", "opt.wind", "opt.density", "opt.viscosity")
ZERO = ("opt.wind", "opt.density", "opt.viscosity")  # so in the model


@pytest.mark.parametrize("names", [*((name,) for name in RANDOMIZED), RANDOMIZED],
                         ids=lambda names: names[0] if len(names) == 1 else "all")
def test_randomized_field(names):
    """A model field that differs between worlds, with the constants that follow: motion and sensors of the CPU."""
    model = without_user_sensors(SENSORS[0])
    gpu, cpu = pair(model, 4)
    start = random_states(model, 4)
    start[:] = start[3]
    for batch in (gpu, cpu):
        batch.set_state(start, INTEGRATION)
        for name in names:
            field = batch.model_field(name)
            scale = (1 + 0.02 * np.arange(4)).reshape(4, *[1] * (field.ndim - 1))
            field[:] = np.asarray(field) * scale + (0.1 * (scale - 1) if name in ZERO else 0)
        batch.set_const()
        batch.set_state(start, INTEGRATION)
        batch.step(2)
    for name in ("qpos", "qvel", "sensordata"):
        assert same(gpu.field(name), cpu.field(name), 1e-8), name
    for row in ("dof_invweight0", "body_subtreemass", "tendon_length0", "actuator_length0", "stat.meaninertia"):
        assert same(gpu.model_field(row), cpu.model_field(row)), row


# ---- soft bodies ----


# Velocities in single precision: of a vertex of XPBD the move in a substep, 1e-7 in a fraction of a millisecond; of joints
# what stiff edges and elements make of positions that are rounded by 1e-7.
SINGLE = {"deformvert_xvel": 1e-2, "qvel": 2e-3}


@pytest.mark.parametrize("folder", ["deform", "xpbd", "flex_motion"])
@pytest.mark.parametrize("precision", ["double", "single"])
def test_soft_bodies(folder, precision):
    """Flexes, XPBD bodies and the XPBD solver: one step from states of a run."""
    wrong = []
    for path in sorted((MODELS / folder).glob("*.xml")):
        model = load(path)
        if sinew._core._gpu_refusal(model):
            continue
        count = 4 if FAKE else 60
        gpu = sinew.Batch(model, count, device="gpu", precision=precision)
        cpu = sinew.Batch(model, count, device="cpu")
        cpu.reset(seed=1, scale=0.002)
        cpu.step(5)
        start = cpu.get_state(INTEGRATION)
        if precision == "single":
            start = start.astype(np.float32).astype(float)
        for batch in (gpu, cpu):
            batch.set_state(start, INTEGRATION)
            batch.step(1)
        for name in ("qpos", "qvel", "deformvert_xpos", "deformvert_xvel", "flexvert_xpos"):
            ours, theirs = np.asarray(gpu.field(name), float), np.asarray(cpu.field(name))
            error = np.abs(ours - theirs).reshape(count, -1).max(axis=1, initial=0) / max(1, np.abs(theirs).max(initial=0))
            if error.max() > 0:
                print(f"\n  {path.stem} {precision} {name}: median {np.median(error):.0e}, worst {error.max():.0e}")
            if precision == "double":
                scale = max(1, np.abs(theirs).max(initial=0))
                right, why = as_close_as_rounding(error, model, start, (name,), 0 if FAKE else 1e-10, scale)
                right &= not FAKE or not why
                print(f"  {why}" * bool(why))
            else:
                right = np.median(error) < SINGLE.get(name, 1e-5)
            if not right:
                wrong.append((path.stem, name, error.max()))
    assert not wrong
