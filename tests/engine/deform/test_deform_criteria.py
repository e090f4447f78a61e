"""Shapes and states at rest that are known in closed form, and the criteria of item 11 that take longer runs."""

import numpy as np
import pytest

import sinew

from test_deformable import build, masses, run, strain


def settle(model, steps, **start):
    data = sinew.MjData(model)
    for name, value in start.items():
        getattr(data, name)[:] = value
    for _ in range(steps):
        sinew.mj_step(model, data)
    return data


# ---- under their own weight ----


def elongation(weights, compliance):
    """Heights below the pin of vertices on a line of springs: each edge carries what hangs below it."""
    load = np.cumsum(weights[::-1])[::-1]
    return np.cumsum(compliance * load[1:])


@pytest.mark.parametrize("substeps, error", [(10, 0.02), (40, 0.002)])
def test_elastic_chain_hangs_by_hookes_law(substeps, error):
    """With more substeps the chain converges to the springs that it is made of."""
    model = build("<sinew:chain count='11 1 1' spacing='.05 1 1' damping='4' bend_compliance='1e6' twist_compliance='1e6' "
                  f"mass='1' stretch_compliance='1e-3' euler='0 90 0' substeps='{substeps}'><pin id='0'/></sinew:chain>")
    data = settle(model, 4000)
    weight = np.full(11, 9.81 / 10)
    weight[-1] /= 2  # vertices have half of each piece beside them
    known = 0.05 * np.arange(1, 11) + elongation(weight, 1e-3)
    depth = (data.deformvert_xpos[0] - data.deformvert_xpos)[1:, 2]
    assert np.abs(depth - known).max() < error * np.abs(elongation(weight, 1e-3)).max()


def test_elastic_cloth_hangs_by_hookes_law():
    """Columns of a cloth without shear are chains of springs; those at the sides are half as heavy."""
    pins = " ".join(str(7 * i) for i in range(5))
    model = build(f"<sinew:cloth count='5 7 1' spacing='.05 .05 1' damping='4' bend_compliance='1e9' mass='.5' euler='-90 0 0' "
                  f"stretch_compliance='2e-3' shear_compliance='1e9' substeps='40' pin='{pins}'/>")
    data = settle(model, 4000)
    height = data.deformvert_xpos[:, 2].reshape(5, 7)
    assert np.ptp(model.deformvert_pos[:, 2]) > 0.29  # it hangs
    with np.errstate(divide="ignore"):
        weight = 9.81 / model.deformvert_invmass.reshape(5, 7)
    for column in range(5):
        known = 0.05 * np.arange(1, 7) + elongation(np.nan_to_num(weight[column], posinf=0), 2e-3)
        np.testing.assert_allclose(np.abs(height[column, 1:] - height[column, 0]), known, rtol=5e-3)


def test_tethers_keep_cloth_from_stretching():
    """A cloth that hangs from one edge, with few substeps; with tethers it hardly stretches."""
    worst = {}
    for tethers in (0, 8):
        model = build("<sinew:cloth count='30 10 1' spacing='.02 .02 1' euler='0 90 0' substeps='4' damping='2' "
                      f"tethers='{tethers}'><pin gridrange='0 0 0 9'/></sinew:cloth>")
        model.opt.timestep = 1 / 60
        data = settle(model, 200)
        worst[tethers] = strain(model, data).max()
        pairs = model.deformtether_vert
        length = np.linalg.norm(model.deformvert_pos[pairs[:, 0]] - model.deformvert_pos[pairs[:, 1]], axis=1)
        np.testing.assert_allclose(length, model.deformtether_rest.ravel(), rtol=1e-9)
    assert worst[8] < 0.3 * worst[0]


def test_tethers_let_cloth_bend():
    model = build("<sinew:cloth count='12 12 1' spacing='.02 .02 1' tethers='4'/>", option="gravity='0 0 0'")
    assert model.ndeformtether == 2 * 12 * (8 + 10)  # of four edges and of two
    data = sinew.MjData(model)
    data.deformvert_xpos[:] *= 0.9  # shorter than at rest: tethers are slack
    sinew.mj_forward(model, data)
    far = np.linalg.norm(np.diff(data.deformvert_xpos[model.deformtether_vert], axis=1)[:, 0], axis=1)
    assert (far < model.deformtether_rest.ravel()).all()


def test_chains_resist_twist_where_they_are_bent_at_rest():
    """A helix returns to its shape; a chain that is straight at rest has no torsion to keep."""
    turn = np.arange(12) * 0.6
    points = np.stack([0.1 * np.cos(turn), 0.1 * np.sin(turn), 0.02 * turn], 1)
    text = "<sinew:chain vertex='{}' element='{}' damping='3' radius='.01'/>"
    pieces = " ".join(f"{i} {i + 1}" for i in range(11))
    model = build(text.format(" ".join(f"{v:.6f}" for v in points.ravel()), pieces), option="gravity='0 0 0'")
    assert model.ndeformtwist == 9
    data = sinew.MjData(model)
    data.deformvert_xvel[6:] = [0, 0.3, 0.5]
    for _ in range(2000):
        sinew.mj_step(model, data)
    apart = [np.linalg.norm(x[:, None] - x[None], axis=2) for x in (data.deformvert_xpos, model.deformvert_pos)]
    np.testing.assert_allclose(apart[0], apart[1], atol=2e-3)
    line = " ".join(f"{0.05 * i} 0 0" for i in range(12))
    assert build(text.format(line, pieces)).ndeformtwist == 0


@pytest.mark.parametrize("extra", ["", "selfcollide='true'"])
def test_rope_that_falls_over_posts_stays_slow(extra):
    """Nothing moves faster than a fall from where it was."""
    model = build(f"<sinew:chain count='120 1 1' spacing='.01 1 1' pos='0 0 .6' radius='.006' {extra}/>",
                  "<geom type='plane' size='2 2 1'/><geom type='capsule' size='.03' fromto='.3 0 0 .3 0 .3'/>"
                  "<geom type='capsule' size='.03' fromto='-.2 0 0 -.2 0 .4'/>")
    model.opt.timestep = 0.005
    data = sinew.MjData(model)
    for _ in range(400):
        sinew.mj_step(model, data)
        assert np.linalg.norm(data.deformvert_xvel, axis=1).max() < 12
    assert np.linalg.norm(data.deformvert_xvel, axis=1).max() < 3


# ---- contact ----


def test_sphere_comes_to_rest_on_a_held_sheet():
    """spec 11: A1; spec 004-9: 2. T2, T3: dropped from 0.5 m; at the end the force is the weight within 10 %, and the sheet holds."""
    pins = " ".join(str(i * 15 + j) for i in range(15) for j in range(15) if i in (0, 14) or j in (0, 14))
    model = build(f"<sinew:cloth name='c' count='15 15 1' spacing='.05 .05 .05' preset='rubber' pin='{pins}' damping='60' "
                  "repeats='2'/>",
                  "<body pos='0 0 0.5'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>")
    data, depth = sinew.MjData(model), []
    for step in range(3000):
        sinew.mj_step(model, data)
        distance = np.linalg.norm(data.deformvert_xpos - data.qpos[:3], axis=1).min()
        depth.append(0.1 + model.deformable_margin.ravel()[0] - distance)
        if step > 2900:
            assert abs(data.deformable_xfrc[1, 2] - 9.81) < 0.981
    assert abs(data.qvel[2]) < 5e-3 and np.linalg.norm(data.qvel[:2]) < 0.1  # nothing keeps a ball from rolling slowly
    assert data.deformvert_xpos[:, 2].min() < -0.005
    assert max(depth) < 2 * 0.002


def test_draped_cloth_touches_with_a_part_of_its_vertices():
    """spec 11: A6. T6: 20 to 40 % of the vertices of a cloth over a sphere touch it; none when it is taken away."""
    model = build("<sinew:cloth count='15 15 1' spacing='.02 .02 .02' pos='0 0 .21' damping='5' preset='silk' "
                  "friction='1' bend_compliance='100'/>", "<geom type='sphere' size='.2'/>")
    data = settle(model, 800)
    sinew.mj_forward(model, data)
    assert 0.2 < data.deformvert_colliding.mean() < 0.4
    data.deformvert_xpos[:, 2] += 1
    sinew.mj_forward(model, data)
    assert not data.deformvert_colliding.any()


SLOPED = {
    "mesh": ("<asset><mesh name='g' vertex='-1 -1 -.5 1 -1 .5 -1 1 -.5 1 1 .5 0 0 -2'/></asset>", "type='mesh' mesh='g'"),
    "hfield": ("<asset><hfield name='g' nrow='2' ncol='2' size='1 1 1 .1' elevation='0 1 0 1'/></asset>",
               "type='hfield' hfield='g' pos='0 0 -.5'"),
    "box": ("", "type='box' size='2 2 .1' euler='0 -26.56505117707799 0' pos='0.0447213595 0 -0.0894427191'"),
}


@pytest.mark.parametrize("kind", SLOPED)
def test_normals_of_slopes(kind):
    """spec 11: A7. A plane of slope 1/2 as mesh, height field and box: the same distances and normals."""
    extra, geom = SLOPED[kind]
    model = build("<sinew:chain vertex='0 0 .05 .1 .1 .11 .2 -.1 .15 .3 .2 .18' element='0 1 1 2 2 3' margin='0.02'/>",
                  f"<geom {geom}/>", extra=extra)
    data = sinew.MjData(model)
    data.deformvert_xvel[:] = 20  # everything in reach
    sinew.mj_forward(model, data)
    normal = np.array([-0.5, 0, 1]) / np.sqrt(1.25)
    assert data.ndeformcon == 4
    np.testing.assert_allclose(data.deformcon_normal, np.tile(normal, (4, 1)), atol=1e-6)
    np.testing.assert_allclose(data.deformcon_dist.ravel(), model.deformvert_pos @ normal - 0.02, atol=1e-6)


def test_distance_field_holds_a_ring():
    """A chain around the upper half of a torus that is a distance field."""
    extra = ("<extension><plugin plugin='mujoco.sdf.torus'><instance name='t'><config key='radius1' value='.4'/>"
             "<config key='radius2' value='.1'/></instance></plugin></extension><asset><mesh name='t'><plugin instance='t'/></mesh></asset>")
    model = build("<sinew:cloth count='9 9 1' spacing='.12 .12 1' pos='0 0 .13' damping='3' preset='rubber' margin='.004' friction='1'/>",
                  "<geom type='sdf' mesh='t'><plugin instance='t'/></geom>", extra=extra)
    data = settle(model, 500)
    x = data.deformvert_xpos
    away = np.hypot(np.hypot(x[:, 0], x[:, 1]) - 0.4, x[:, 2]) - 0.1  # of a torus
    assert away.min() > 0.003
    assert data.deformvert_colliding.any() and (np.abs(away - 0.004) < 1e-3).sum() >= 4


def test_friction_of_a_slope_is_its_tangent():
    """Item 9: a body slides with g (sin - mu cos) once the slope is steeper than mu."""
    tilt, mu = np.deg2rad(35), 0.5
    model = build("<sinew:cloth count='5 5 1' spacing='.03 .03 .03' pos='0 0 .001' preset='rubber' friction='0.5'/>",
                  "<geom type='plane' size='5 5 1' friction='0.5'/>",
                  f"gravity='{9.81 * np.sin(tilt)} 0 {-9.81 * np.cos(tilt)}'")
    data = run(model, 250)
    known = 9.81 * (np.sin(tilt) - mu * np.cos(tilt)) * 0.5
    assert abs(data.deformvert_xvel[:, 0].mean() - known) < 0.02 * known


def test_energy_of_a_closed_system_with_contacts_never_grows():
    """Cloth, ball and soft body collide without gravity: never more than 0.1 % above the start."""
    model = build("<sinew:cloth count='8 8 1' spacing='.05 .05 .05' selfcollide='true'/>"
                  "<sinew:softbody count='3 3 3' spacing='.05 .05 .05' pos='0 0 -.15' preset='rubber'/>",
                  "<body pos='0 0 .2'><freejoint/><geom size='.08' mass='.2'/></body>", "gravity='0 0 0'")
    data = sinew.MjData(model)
    data.qvel[2] = -2
    soft = model.deformvert_deformid.ravel() == 1
    data.deformvert_xvel[soft, 2] = 1

    def kinetic():
        pending = data.deformable_xfrc[1, :3] * model.opt.timestep  # on its way to the ball
        velocity = data.qvel[:3] + pending / 0.2
        spin = data.qvel[3:6]
        return ((masses(model)[:, None] * data.deformvert_xvel**2).sum() + 0.2 * velocity @ velocity
                + spin @ (model.body_inertia[1] * spin)) / 2

    start = kinetic()
    for _ in range(600):
        sinew.mj_step(model, data)
        assert kinetic() < start * 1.001


def test_draped_cloth_comes_to_rest_without_jitter():
    """spec 004-9: 6. Item 9, criteria 2, 6 and 7: with one detection a step; what has settled stays, and threads keep their length."""
    model = build("<sinew:cloth count='13 13 1' spacing='.03 .03 1' pos='0 0 .21' damping='4' friction='1' repeats='1'/>",
                  "<geom type='sphere' size='.2'/>")
    model.opt.timestep = 0.005
    data = settle(model, 1200)
    before = data.deformvert_xpos.copy()
    for _ in range(100):
        sinew.mj_step(model, data)
        assert np.linalg.norm(data.deformvert_xvel, axis=1).max() < 5e-3
    assert np.abs(data.deformvert_xpos - before).max() < 1e-3
    assert np.abs(strain(model, data)).max() < 0.05


def test_body_feels_the_same_on_a_deformable_and_on_a_rigid_slab():
    """spec 004-9: 1. Item 9, criterion 1: the force that holds a box is the same, and it is its weight."""
    box = "<body pos='0 0 {}'><freejoint/><geom type='box' size='.1 .1 .05' mass='2'/></body><geom type='plane' size='1 1 1'/>"
    model = build("<sinew:softbody count='5 5 3' spacing='.08 .08 .04' pos='0 0 .046' preset='stiff' damping='20'/>", box.format(0.15))
    data = settle(model, 1500)
    soft = data.deformable_xfrc[1, 2]
    rigid = build("", "<geom type='box' size='.16 .16 .04' pos='0 0 .04'/>" + box.format(0.13))
    other = settle(rigid, 500)
    assert abs(other.qfrc_constraint[2] - 2 * 9.81) < 1e-3
    assert abs(soft - other.qfrc_constraint[2]) < 0.02 * 2 * 9.81
    assert abs(data.qvel[2]) < 1e-3 and data.qpos[2] > 0.1


# ---- integrators and derivatives ----


def test_integrators_agree_where_nothing_else_moves():
    """T12: under RK4 contacts are found in every stage and vertices move once, from where they were."""
    end = []
    for integrator in ("Euler", "RK4"):
        model = build("<sinew:cloth count='7 7 1' spacing='.03 .03 1' pos='0 0 .205'/>", "<geom type='sphere' size='.2'/>",
                      f"integrator='{integrator}'")
        data = settle(model, 60)
        assert data.ndeformcon > 0
        end.append(data.deformvert_xpos.copy())
    np.testing.assert_array_equal(end[0], end[1])


def test_derivatives_leave_vertices_as_they_are():
    """The steps of finite differences start from the vertices of the state, and give them back."""
    model = build("<sinew:cloth count='7 7 1' spacing='.03 .03 1' pos='0 0 .1'/>",
                  "<body pos='0 0 .2'><freejoint/><geom size='.05'/></body><geom type='plane' size='1 1 1'/>")
    data = settle(model, 100)
    before = data.deformvert_xpos.copy(), data.deformvert_xvel.copy(), data.deformable_xfrc.copy()
    a, again = np.zeros((12, 12)), np.zeros((12, 12))
    sinew.mjd_transitionFD(model, data, 1e-6, True, a, None, None, None)
    sinew.mjd_transitionFD(model, data, 1e-6, True, again, None, None, None)
    for value, now in zip(before, (data.deformvert_xpos, data.deformvert_xvel, data.deformable_xfrc)):
        np.testing.assert_array_equal(value, now)
    np.testing.assert_array_equal(a, again)


def test_reset_forgets_contacts():
    """T11: contacts, flags and forces go with a reset."""
    model = build("<sinew:cloth count='5 5 1' spacing='.03 .03 1' pos='0 0 .001'/>", "<geom type='plane' size='1 1 1'/>")
    data = settle(model, 50)
    assert data.ndeformcon and data.deformvert_colliding.any() and data.deformvert_xfrc.any()
    sinew.mj_resetData(model, data)
    assert not data.ndeformcon and not data.ndeformpair
    assert not data.deformvert_colliding.any() and not data.deformvert_xfrc.any() and not data.deformable_xfrc.any()
