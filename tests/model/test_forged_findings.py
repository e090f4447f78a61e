"""What forged models taught (tests/fuzz/forge.c), each finding once."""

import pathlib

import numpy as np
import pytest
import sinew

MODELS = pathlib.Path(__file__).parents[1] / "models"


def states(model, steps=10):
    data = sinew.MjData(model)
    sinew.mj_step(model, data, steps)
    return np.concatenate([data.qpos, data.qvel, data.flexedge_J.ravel(), data.flexvert_xpos.ravel()])


@pytest.mark.parametrize("name", ["contact", "texture", "trilinear"])
def test_address_of_an_empty_row_does_not_matter(name):
    model = sinew.MjModel.from_xml_path(str(MODELS / "flex" / f"{name}.xml"))
    empty = np.flatnonzero(model.flexedge_J_rownnz == 0)
    assert len(empty)
    expected = states(model)
    model.flexedge_J_rowadr[empty] = -1
    assert np.array_equal(states(model), expected)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, -1e30, 1e30])
def test_colours_that_are_no_colours_are_drawn(value):
    model = sinew.MjModel.from_xml_path(str(MODELS / "sensor" / "arm.xml"))
    for name in dir(model.vis.rgba):
        colour = getattr(model.vis.rgba, name)
        if isinstance(colour, np.ndarray):
            colour[:] = value
    data = sinew.MjData(model)
    sinew.mj_step(model, data)
    option = sinew.MjvOption()
    option.flags[:] = 1
    with sinew.Renderer(model, 48, 64) as renderer:
        renderer.update_scene(data, scene_option=option)
        assert renderer.render().shape == (48, 64, 3)


def test_tendon_between_two_points_of_the_world_moves_nothing():
    model = sinew.MjModel.from_xml_path(str(MODELS / "odd" / "world_tendon.xml"))
    data = sinew.MjData(model)
    sinew.mj_step(model, data, 10)
    still = model.tendon("still").id
    assert data.ten_J_rownnz[still] == 0 or not np.any(data.ten_J.reshape(model.ntendon, -1)[still])
    assert data.ten_length[still] == pytest.approx(np.hypot(0.3, 0.2))
