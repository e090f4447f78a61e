"""Contacts of deformables with rigid bodies (criteria A1 to A8, T2 to T9, T12 of item 11; item 9 of the roadmap)."""

import numpy as np
import pytest

import sinew

from test_deformable import build, masses, run, strain

GEOMS = {
    "plane": "type='plane' size='2 2 1'",
    "sphere": "type='sphere' size='0.3' pos='0 0 -0.3'",
    "capsule": "type='capsule' size='0.3 0.5' pos='0 0 -0.3' euler='0 90 0'",
    "cylinder": "type='cylinder' size='0.5 0.2' pos='0 0 -0.2'",
    "box": "type='box' size='0.5 0.5 0.2' pos='0 0 -0.2'",
    "ellipsoid": "type='ellipsoid' size='0.5 0.5 0.2' pos='0 0 -0.2'",
    "mesh": "type='mesh' mesh='block' pos='0 0 -0.2'",
    "hfield": "type='hfield' hfield='flat'",
}
ASSETS = ("<asset><mesh name='block' vertex='-.5 -.5 -.2 .5 -.5 -.2 -.5 .5 -.2 .5 .5 -.2 -.5 -.5 .2 .5 -.5 .2 -.5 .5 .2 "
          ".5 .5 .2'/><hfield name='flat' nrow='5' ncol='5' size='1 1 1 .1'/></asset>")
PATCH = ("<sinew:cloth name='c' count='7 7 1' spacing='.03 .03 .03' pos='0 0 0.05' preset='rubber' damping='1' {}/>")


@pytest.mark.parametrize("kind", GEOMS)
def test_cloth_rests_on_every_kind_of_geom(kind):
    """spec 11: A7. T3, T7: nothing sinks in, normals point from the geom to the vertex."""
    model = build(PATCH.format(""), f"<geom {GEOMS[kind]}/>", extra=ASSETS)
    data = run(model, 400)
    sinew.mj_forward(model, data)
    assert data.ndeformcon > 0
    margin = model.deformable_margin[0]
    assert data.deformcon_dist.min() > -2 * margin
    middle = data.deformvert_xpos[24]
    assert abs(middle[2] - margin) < 2 * margin, middle
    offset = data.deformvert_xpos[data.deformcon_vert.ravel()] - data.deformcon_pos
    side = np.einsum("ij,ij->i", offset, data.deformcon_normal)
    np.testing.assert_allclose(side, data.deformcon_dist.ravel() + margin, atol=1e-9)


def test_moving_a_vertex_by_its_depth_resolves_the_contact():
    """spec 11: A7."""
    model = build(PATCH.format(""), f"<geom {GEOMS['sphere']}/>")
    data = sinew.MjData(model)
    data.deformvert_xpos[:, 2] -= 0.06
    sinew.mj_forward(model, data)
    deep = data.deformcon_dist.ravel() < 0
    assert deep.any()
    for i in np.flatnonzero(deep):
        vertex, normal = data.deformcon_vert.ravel()[i], data.deformcon_normal[i]
        data.deformvert_xpos[vertex] -= normal * data.deformcon_dist.ravel()[i]
    sinew.mj_forward(model, data)
    assert data.deformcon_dist.min() > -1e-12
    assert not data.deformvert_colliding.any()


def test_colliding_vertices_are_flagged():
    """T6: cloth that falls over a sphere; few vertices touch at any one time."""
    model = build("<sinew:cloth count='15 15 1' spacing='.04 .04 .04' pos='0 0 .21' damping='1'/>",
                  "<geom type='sphere' size='.2'/>")
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    assert not data.deformvert_colliding.any()
    share = []
    for step in range(600):
        sinew.mj_step(model, data)
        share.append((data.deformcon_dist < 2e-4).sum() / model.ndeformvert)
    assert 0.05 < max(share) < 0.6
    assert np.abs(strain(model, data)).max() < 0.1


@pytest.mark.parametrize("own, geom", [(0.5, 0.8), (0.25, 1.0), (1.0, 0.04)])
def test_friction_is_the_geometric_mean(own, geom):
    """spec 11: A3 A8; spec 004-9: 3. T8."""
    model = build(PATCH.format(f"friction='{own}'"), f"<geom {GEOMS['plane']} friction='{geom} .1 .1'/>")
    data = run(model, 100)
    np.testing.assert_allclose(data.deformcon_friction, np.sqrt(own * geom), rtol=1e-12)


@pytest.mark.parametrize("angle, holds", [(25, True), (28, False)])
def test_friction_holds_up_to_the_angle_of_the_slope(angle, holds):
    """Item 9, criterion 3: tan(26.57 degrees) = 0.5."""
    tilt = np.deg2rad(angle)
    model = build("<sinew:cloth count='5 5 1' spacing='.03 .03 .03' pos='0 0 .001' preset='rubber' friction='0.5'/>",
                  "<geom type='plane' size='2 2 1' friction='0.5'/>",
                  f"gravity='{9.81 * np.sin(tilt)} 0 {-9.81 * np.cos(tilt)}'")
    data = run(model, 500)
    moved = (data.deformvert_xpos - model.deformvert_pos)[:, 0].mean()
    assert moved < 1e-3 if holds else moved > 0.05


def test_rigid_body_on_cloth_feels_its_weight():
    """spec 11: A1. T2, item 9 of the roadmap: a sphere of 1 kg on a held sheet of rubber; mean force within 10 % of m g.

    The sheet is a trampoline: small bounces go on for longer than this run.
    """
    pins = " ".join(str(i * 15 + j) for i in range(15) for j in range(15) if i in (0, 14) or j in (0, 14))
    model = build(f"<sinew:cloth name='c' count='15 15 1' spacing='.05 .05 .05' preset='rubber' pin='{pins}' damping='5' "
                  "repeats='2'/>",
                  "<body pos='0 0 0.5'><freejoint/><geom type='sphere' size='0.1' mass='1'/><site name='s'/></body>")
    data = sinew.MjData(model)
    forces, depth = [], []
    for step in range(4000):
        sinew.mj_step(model, data)
        if step > 3500:
            forces.append(data.deformable_xfrc[1, 2])
            distance = np.linalg.norm(data.deformvert_xpos - data.qpos[:3], axis=1).min()
            depth.append(0.1 + model.deformable_margin.ravel()[0] - distance)
    assert abs(np.mean(forces) - 9.81) < 0.981
    assert data.deformvert_xpos[:, 2].min() < -0.005  # the sheet gives way
    assert max(depth) < 2 * 0.002


def test_force_on_a_body_is_read_by_its_sensor():
    model = build("<sinew:softbody count='3 3 3' spacing='.05 .05 .05' pos='0 0 .16' preset='rubber' damping='5'/>",
                  "<body pos='0 0 0'><joint type='slide' axis='0 0 1' stiffness='1e4' damping='100'/>"
                  "<geom type='box' size='.3 .3 .1' mass='1'/><site name='s'/></body>",
                  extra="<sensor><force site='s'/></sensor>")
    data = run(model, 2000)
    weight = masses(model).sum() * 9.81
    assert abs(data.deformable_xfrc[1, 2] + weight) < 0.02 * weight
    # the force from the parent carries the box and what lies on it
    assert abs(abs(data.sensordata[2]) - 9.81 - weight) < 0.02 * (9.81 + weight)


def test_chain_over_an_edge_comes_to_rest():
    """spec 11: A2. T4."""
    model = sinew.MjModel.from_xml_string(
        "<mujoco><option timestep='0.016666666666666666'/><worldbody><geom type='box' size='.2 .2 .1'/></worldbody>"
        "<deformable><sinew:chain count='11 1 1' spacing='.03 1 1' pos='0.1 0 .115' radius='.01' damping='5' "
        "bend_compliance='10' twist_compliance='1e6' friction='1' substeps='20'/></deformable></mujoco>")
    data = run(model, 500)
    assert np.linalg.norm(data.deformvert_xvel, axis=1).max() < 1e-4
    assert data.deformvert_xpos[:, 2].max() > 0.1


def test_pinned_vertices_have_no_contacts():
    """T9."""
    model = build(PATCH.format("pin='24'"), f"<geom {GEOMS['plane']}/>")
    data = sinew.MjData(model)
    data.deformvert_xpos[:, 2] = -0.01
    sinew.mj_forward(model, data)
    assert 24 not in data.deformcon_vert and data.ndeformcon == 48


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
def test_every_integrator_moves_deformables_once(integrator):
    """T12."""
    model = build(PATCH.format("").replace("0.05", "1").replace("damping='1'", ""),
                  "<body pos='0 0 3'><freejoint/><geom size='.1'/></body>", f"integrator='{integrator}'")
    data = run(model, 50)
    h, n = model.opt.timestep / 10, 500
    np.testing.assert_allclose((data.deformvert_xpos - model.deformvert_pos)[:, 2], -9.81 * h * h * n * (n + 1) / 2, rtol=1e-9)


def test_attached_vertices_follow_their_body_and_pull_it():
    model = build("<sinew:chain count='6 1 1' spacing='.05 1 1' pos='.125 0 1' attachvert='0' attachbody='b' damping='3'/>",
                  "<body name='b' pos='0 0 1'><joint type='slide' axis='0 0 1' stiffness='500' damping='20'/>"
                  "<geom size='.02' mass='.5' contype='0' conaffinity='0'/></body>")
    data = run(model, 4000)
    end = data.xpos[1]
    assert np.linalg.norm(data.deformvert_xpos[0] - end) < 2e-3
    weight = (masses(model).sum() + 0.5) * 9.81
    assert abs(-data.qpos[0] * 500 - weight) < 0.02 * weight


def test_sleeping_deformable_stays_and_wakes():
    model = build(PATCH.format("sleep='0.02'"), f"<geom {GEOMS['plane']}/>"
                  "<body pos='0 0 2'><freejoint/><geom size='.05' mass='.2'/></body>")
    data = run(model, 1000)
    assert data.deformable_asleep.ravel()[0] >= 10 or data.qpos[2] < 0.2
    before = data.deformvert_xpos.copy()
    data.deformvert_xvel[:, 2] = 1
    sinew.mj_step(model, data)
    assert data.deformable_asleep.ravel()[0] == 0 and np.abs(data.deformvert_xpos - before).max() > 1e-4
