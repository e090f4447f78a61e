"""Sensors in abstract scenes, with MuJoCo as the referee."""

import mujoco
import numpy as np
import pytest
import sinew
from sinew import bridge
from test_flex_scene import compare, decoration

import corpus

PAD = corpus.OWN / "sensor" / "tactile.xml"


@pytest.mark.parametrize("values", ["felt", "random", "some", "normal", "tangential", "one", "none"])
def test_faces_of_tactile_sensors_have_the_colours_of_what_they_feel(values):
    mj_model = mujoco.MjModel.from_xml_path(str(PAD))
    model = bridge.model_from_mujoco(mj_model)
    mj_data, data = mujoco.MjData(mj_model), sinew.MjData(model)
    mujoco.mj_step(mj_model, mj_data, 30)
    data.qpos[:] = mj_data.qpos
    mujoco.mj_forward(mj_model, mj_data)
    sinew.mj_forward(model, data)
    rng = np.random.default_rng(7)
    felt = mj_data.sensordata.reshape(2, 3, -1).copy()
    if values != "felt":
        felt = rng.standard_normal(felt.shape) * (rng.random(felt.shape) < (0.3 if values == "some" else 1))
    if values == "normal":
        felt[:, 1:] = 0
    if values == "tangential":
        felt[:, 0] = 0
    if values == "one":
        felt[0] = 0
    mj_data.sensordata[:] = data.sensordata[:] = felt.ravel() * (values != "none")
    shown = ["CONTACTPOINT", "JOINT", "COM", "BODYBVH", "MESHBVH", "INERTIA"]
    theirs, ours = decoration((mujoco, mj_model, mj_data), *shown), decoration((sinew, model, data), *shown)
    compare(theirs, ours)
    faces = sum(g.type == int(mujoco.mjtGeom.mjGEOM_TRIANGLE) for g in theirs.geoms[: theirs.ngeom])
    assert faces == mj_model.mesh_facenum[0] * {"none": 0, "tangential": 0, "one": 1, "felt": 1}.get(values, 2)
