"""What the mouse does to cameras, perturbations and scenes, at random, as with MuJoCo."""

import numpy as np
import pytest

import mujoco
import sinew

MODEL = """<mujoco><worldbody><body name="m" mocap="true" pos="0 0 2"><geom size=".1"/></body>
  <body name="f" pos="2 0 0"><freejoint/><geom type="capsule" size=".1" fromto="0 0 0 1 .5 .2"/></body>
  <body name="b" pos="1 2 3"><joint name="j" type="ball"/><geom name="g" type="capsule" size=".1" fromto="0 0 0 1 .5 .2"/>
  <body pos="1 0 0"><joint/><geom size=".1" pos="0 0 1"/></body></body></worldbody></mujoco>"""
ACTIONS = ("NONE", "ROTATE_V", "ROTATE_H", "MOVE_V", "MOVE_H", "ZOOM", "MOVE_V_REL", "MOVE_H_REL")


def loaded(module):
    model = module.MjModel.from_xml_string(MODEL)
    return model, module.MjData(model), module.MjvScene(model, 50)


def unit(rng):
    quat = rng.uniform(-1, 1, 4)
    return quat / np.linalg.norm(quat)


def placed(module, model, data, rng):
    data.qpos[:] = rng.uniform(-1, 1, model.nq)
    data.qvel[:] = rng.uniform(-1, 1, model.nv)
    data.xfrc_applied[:] = 0.5
    module.mj_forward(model, data)


def forces(module, rng):
    """Forces and poses that perturbations apply; what is only turned keeps the force that it had."""
    model, data, scene = loaded(module)
    for _ in range(60):
        placed(module, model, data, rng)
        perturb = module.MjvPerturb()
        perturb.select, perturb.active, perturb.active2 = rng.integers(0, model.nbody), rng.integers(4), rng.integers(4)
        perturb.localpos[:] = rng.uniform(-1, 1, 3)
        module.mjv_updateCamera(model, data, module.MjvCamera(), scene)
        module.mjv_initPerturb(model, data, scene, perturb)
        perturb.refpos[:], perturb.refselpos[:], perturb.refquat[:] = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3), unit(rng)
        module.mjv_applyPerturbForce(model, data, perturb)
        yield data.xfrc_applied.ravel() / 100
        module.mjv_applyPerturbPose(model, data, perturb, rng.integers(2))
        yield np.concatenate([data.qpos, data.mocap_pos.ravel(), data.mocap_quat.ravel()])


def turns(module, rng):
    """The reference of a perturbation stays within a quarter turn of the body."""
    model, data, scene = loaded(module)
    for _ in range(60):
        placed(module, model, data, rng)
        camera, perturb = module.MjvCamera(), module.MjvPerturb()
        camera.azimuth = rng.uniform(-180, 180)
        module.mjv_updateCamera(model, data, camera, scene)
        perturb.select, perturb.active = rng.integers(1, model.nbody), 2
        module.mjv_initPerturb(model, data, scene, perturb)
        for _ in range(4):
            module.mjv_movePerturb(model, data, rng.integers(1, 3), *rng.uniform(-0.2, 0.2, 2), scene, perturb)
            yield perturb.refquat.copy()


def cameras(module, rng):
    model, data, scene = loaded(module)
    for _ in range(100):
        camera = module.MjvCamera()
        camera.distance, camera.lookat[:] = rng.uniform(1, 6), rng.uniform(-1, 1, 3)
        scene.enabletransform, scene.scale, scene.translate[:], scene.rotate[:] = 1, 2, rng.uniform(-1, 1, 3), unit(rng)
        module.mjv_updateCamera(model, data, camera, scene)
        yield [scene.enabletransform]  # a camera of the model ends the transform
        scene.enabletransform = int(rng.integers(2))
        module.mjv_moveCamera(model, int(rng.integers(1, 8)), *rng.uniform(-0.2, 0.2, 2), scene, camera)
        yield np.concatenate([[camera.azimuth, camera.elevation, camera.distance], camera.lookat])
        module.mjv_moveModel(model, int(rng.integers(1, 8)), *rng.uniform(-0.2, 0.2, 2), np.array([0, 0, 1.0]), scene)
        yield np.concatenate([scene.translate, scene.rotate, [scene.scale]])


@pytest.mark.parametrize("what", [forces, turns, cameras])
def test_mouse(what):
    expected, actual = (list(what(module, np.random.default_rng(4))) for module in (mujoco, sinew))
    for a, b in zip(expected, actual, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-6, atol=1e-6)  # vectors of cameras are single


def answer(module, function):
    model, data, scene = loaded(module)
    try:
        found = function(module, model, data, scene)
    except module.FatalError as error:
        return str(error)
    return None if found is None else float(found)


def moved(action, kind):
    def move(module, model, data, scene):
        camera = module.MjvCamera()
        camera.type, camera.trackbodyid = kind, 1
        module.mjv_moveCamera(model, action, 0.1, 0.2, scene, camera)
        return camera.azimuth + camera.elevation + camera.distance + camera.lookat.sum()
    return move


def perturbed(action):
    def move(module, model, data, scene):
        perturb = module.MjvPerturb()
        perturb.select = 2
        module.mjv_movePerturb(model, data, action, 0.1, 0.2, scene, perturb)
    return move


def selected(module, model, data, scene):
    point, ids = np.zeros((3, 1)), [np.zeros((1, 1), np.int32) for _ in range(3)]
    return module.mjv_select(model, data, module.MjvOption(), 1, 0.5, 0.5, scene, point, *ids)


EMPTY = {"height": lambda module, model, data, scene: module.mjv_frustumHeight(scene), "select": selected}
EMPTY |= {f"camera {kind} {name}": moved(action, kind) for action, name in enumerate(ACTIONS) for kind in range(4)}
EMPTY |= {f"perturbation {name}": perturbed(action) for action, name in enumerate(ACTIONS)}


@pytest.mark.parametrize("what", EMPTY)
def test_scene_without_a_camera(what):
    """Only what needs a camera that sees something is an error, in MuJoCo's words and order."""
    assert answer(sinew, EMPTY[what]) == answer(mujoco, EMPTY[what])
