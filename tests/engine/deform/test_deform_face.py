"""Geoms that touch deformables between their vertices: faces of cloth and solids, pieces of chains."""

import numpy as np
import pytest

import sinew

from test_deformable import build, masses, run

# two triangles by square of 40 cm, held at the rim: 25 vertices, of which 16 are pinned
COARSE = ("<sinew:cloth name='c' count='5 5 1' spacing='.4 .4 .4' pos='0 0 1' preset='rubber' damping='2'>"
          "<pin id='0 1 2 3 4 5 9 10 14 15 19 20 21 22 23 24'/></sinew:cloth>")
BALL = "<body name='ball' pos='{}'><freejoint/><geom {} mass='{}'/></body>"
SMALL = {
    "sphere": "size='.03'",
    "capsule": "type='capsule' size='.02 .03'",
    "cylinder": "type='cylinder' size='.03 .03'",
    "box": "type='box' size='.03 .03 .03'",
    "ellipsoid": "type='ellipsoid' size='.03 .04 .02'",
    "mesh": "type='mesh' mesh='dice'",
}
DICE = ("<asset><mesh name='dice' vertex='-.03 -.03 -.03 .03 -.03 -.03 -.03 .03 -.03 .03 .03 -.03 "
        "-.03 -.03 .03 .03 -.03 .03 -.03 .03 .03 .03 .03 .03'/></asset>")


@pytest.mark.parametrize("kind", SMALL)
def test_small_body_rests_on_a_coarse_cloth(kind):
    """It falls between the vertices, which are 40 cm apart, and stays on the cloth."""
    model = build(COARSE, BALL.format(".13 .07 1.08", SMALL[kind], 0.05), extra=DICE)
    data, deepest = run(model, 500), 0.0
    for _ in range(1000):
        sinew.mj_step(model, data)
        deepest = min(deepest, data.deformcon_dist.min(initial=0))
    assert data.xpos[1, 2] > 0.94 and np.abs(data.xpos[1, :2]).max() < 0.8
    assert np.linalg.norm(data.qvel[:3]) < 0.5 and deepest > -0.012
    sinew.mj_forward(model, data)
    assert (data.deformcon_face >= 0).any()


def test_weight_of_a_body_between_vertices_is_that_of_its_contacts():
    model = build(COARSE, BALL.format(".13 .07 1.08", SMALL["sphere"], 0.05))
    data = run(model, 4000)
    total = np.zeros(3)
    for _ in range(200):
        sinew.mj_step(model, data)
        total += data.deformcon_force.sum(0) / 200
    np.testing.assert_allclose(total, [0, 0, -0.05 * 9.81], atol=0.05 * 0.05 * 9.81)  # the ball rolls a little
    sinew.mj_forward(model, data)
    np.testing.assert_allclose(data.deformcon_force.sum(0), data.deformvert_xfrc.sum(0), atol=1e-9)


def test_contact_point_is_the_sum_of_its_corners():
    model = build(COARSE, BALL.format(".13 .07 1.02", SMALL["sphere"], 0.05))
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    inside = np.flatnonzero(data.deformcon_face >= 0)
    assert len(inside) == 1
    i = inside[0]
    corners = model.deformface_vert[data.deformcon_face[i]].ravel()
    point = data.deformcon_coef[i] @ data.deformvert_xpos[corners]
    np.testing.assert_allclose(point, [0.13, 0.07, 1], atol=1e-9)
    np.testing.assert_allclose(data.deformcon_coef[i].sum(), 1)
    np.testing.assert_allclose(data.deformcon_normal[i], [0, 0, -1], atol=1e-12)
    np.testing.assert_allclose(data.deformcon_dist[i], -0.01 - model.deformable_margin[0], atol=1e-12)


@pytest.mark.parametrize("kind", ["sphere", "box"])
def test_momentum_is_conserved_between_vertices(kind):
    """Without gravity a body hits a coarse cloth that floats."""
    model = build("<sinew:cloth name='c' count='3 3 1' spacing='.4 .4 .4' pos='0 0 1' preset='rubber'/>",
                  BALL.format(".13 .07 1.1", SMALL[kind], 0.05), option="gravity='0 0 0'")
    data, mass = sinew.MjData(model), masses(model)
    data.qvel[2] = -1
    before = np.array([0, 0, -0.05])
    sinew.mj_step(model, data, 400)
    # what the body received in the last step acts on it in the next one
    momentum = mass @ data.deformvert_xvel + 0.05 * data.qvel[:3] + model.opt.timestep * data.deformable_xfrc[1, :3]
    np.testing.assert_allclose(momentum, before, atol=1e-9)
    assert data.qvel[2] > -0.9 and np.abs(data.deformvert_xvel).max() > 1e-3


def test_ball_does_not_fall_through_a_coarse_chain():
    """Two chains side by side carry a ball between their vertices."""
    chain = ("<sinew:chain name='{}' count='4 1 1' spacing='.3 .3 .3' pos='0 {} 1' damping='2'>"
             "<pin id='0 3'/></sinew:chain>")
    model = build(chain.format("a", -0.02) + chain.format("b", 0.02), BALL.format("0.02 0 1.08", "size='.05'", 0.05))
    data = run(model, 1000)
    assert data.xpos[1, 2] > 0.8


def test_fine_cloth_on_a_large_ball_needs_no_faces():
    model = build("<sinew:cloth count='15 15 1' spacing='.02 .02 .02' pos='0 0 .31' damping='1'/>",
                  "<geom type='sphere' size='.3'/>")
    data = run(model, 300)
    sinew.mj_forward(model, data)
    assert data.ndeformcon > 20 and (data.deformcon_face < 0).all()
