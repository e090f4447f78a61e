"""Tendons that wrap inside a geom, and the points of tendon paths."""

import mujoco
import numpy as np
import pytest
from scene import Scene

from sinew import _core

WRAP = """
<mujoco><worldbody>
  <body name="b0"><geom name="g" type="{type}" size="{size}" contype="0" conaffinity="0"/>
    <site name="s1" pos="{s1}"/>{side0}</body>
  <body name="b1"><joint type="{joint}" axis="{axis}"/>
    <geom size="0.01" mass="0.1" contype="0" conaffinity="0"/><site name="s2" pos="{s2}"/>{side1}
  </body></worldbody>
  <tendon><spatial><site site="s1"/><geom geom="g" {sidesite}/><site site="s2"/></spatial></tendon>
</mujoco>"""


def wrap(type, size, s1, s2, side=None, joint="hinge", axis="0 1 0", moving=False):
    site = f'<site name="side" pos="{side}"/>' if side else ""
    return Scene(
        WRAP.format(
            type=type,
            size=size,
            s1=s1,
            s2=s2,
            joint=joint,
            axis=axis,
            side0="" if moving else site,
            side1=site if moving else "",
            sidesite='sidesite="side"' if side else "",
        )
    )


def t6(side=".05 0 0"):
    return wrap("sphere", ".15", ".3 0 .15", ".3 0 -.15", side)


def t7():
    return wrap("cylinder", ".15 .5", ".3 .1 .2", ".3 -.1 -.2", ".05 0 0", axis="0 0 1")


def t15():
    return wrap("cylinder", ".15 .5", ".3 .05 .3", ".3 -.15 -.1", ".05 0 0", axis="0 0 1")


def points(scene):
    number = scene["ten_wrapnum"].sum()
    return scene["wrap_xpos"][: 3 * number].reshape(-1, 3), scene["wrap_obj"][:number].tolist()


@pytest.mark.parametrize("make", [t6, t7])
def test_inside_wrap_steps_as_mujoco(make):
    """Spec 39: T1 T2."""
    scene = make().step()
    assert np.isfinite(scene["qpos"]).all()
    scene.same("qpos", "qvel", "ten_length")


@pytest.mark.parametrize("side", [".05 0 0", "0 0 0"], ids=["off the centre", "at the centre"])
def test_inside_wrap_of_a_sphere_touches_once(side):
    """Spec 39: T3 T4 T6 T18."""
    scene = t6(side).forward()
    position, obj = points(scene)
    assert obj == [-1, 0, 0, -1]
    np.testing.assert_array_equal(position[1], position[2])
    np.testing.assert_allclose(position[1], [0.15, 0, 0], atol=1e-6)
    assert scene["ten_length"][0] == pytest.approx(0.424264068711929, abs=1e-6)
    legs = np.linalg.norm(np.diff(position, axis=0), axis=1).sum()
    assert scene["ten_length"][0] == pytest.approx(legs, abs=1e-12)
    scene.same("ten_length", tolerance=1e-14)


@pytest.mark.parametrize(
    "make,length,point",
    [
        (t7, 0.538516480713450, [0.15, 0, 0]),
        (t15, 0.542346519424661, [0.148607047563419, -0.020394739872909, 0.117656368532109]),
    ],
    ids=["symmetric", "skew"],
)
def test_inside_wrap_of_a_cylinder_touches_once(make, length, point):
    """Spec 39: T7 T15."""
    scene = make().forward()
    assert scene["ten_length"][0] == pytest.approx(length, abs=1e-6)
    np.testing.assert_allclose(points(scene)[0][1], point, atol=1e-6)


def test_side_site_crosses_the_surface():
    """Spec 39: T8."""
    scene = wrap(
        "sphere", ".15", ".3 0 .15", ".3 0 -.15", ".16 0 0", "slide", "1 0 0", moving=True
    )
    for q in np.linspace(-0.05, 0.05, 101):
        scene.set(qpos=q).forward()
        assert np.isfinite(scene["ten_length"][0]) and scene["ten_length"][0] > 0
        scene.same("ten_length", tolerance=1e-14)
    for q, length in [
        (-0.04, 0.397761312300161),
        (-0.02, 0.410539632911676),
        (-0.01, 0.300166620396073),
        (0, 0.3),
        (0.04, 0.302654919008431),
    ]:
        scene.set(qpos=q).forward()
        assert scene["ten_length"][0] == pytest.approx(length, abs=1e-6)


@pytest.mark.parametrize(
    "make,q,expected",
    [
        (t6, 0.0, 0.106066017178),
        (t6, 0.1, 0.113593149),
        (t6, 0.2, 0.120281078),
        (t6, -0.1, 0.097678347),
        (t7, 0.0, -0.055708601453),
        (t15, 0.0, -0.0548015),
    ],
    ids=["sphere 0", "sphere .1", "sphere .2", "sphere -.1", "cylinder", "skew cylinder"],
)
def test_inside_wrap_jacobian_is_the_derivative_of_length(make, q, expected):
    """Spec 39: T10 T17."""
    scene, step, length = make(), 1e-7, []
    for sign in (1, -1):
        length.append(scene.set(qpos=q + sign * step).forward()["ten_length"][0])
    difference = (length[0] - length[1]) / (2 * step)
    jacobian = scene.set(qpos=q).forward()["ten_J"][0]
    assert abs(difference - jacobian) < 1e-4 * max(abs(difference), 1)
    assert jacobian == pytest.approx(expected, abs=1e-6)
    scene.same("ten_J", tolerance=1e-14)


def test_side_site_on_the_surface():
    """Spec 39: T14."""
    scene = t6(".15 0 0").forward()
    assert scene["ten_length"][0] == pytest.approx(0.3, abs=1e-12)


def test_side_site_far_along_the_axis():
    """Spec 39: T16."""
    args = ("cylinder", ".1 1", ".3 .05 .2", ".3 -.05 -.2")
    with_side = wrap(*args, ".05 0 5", axis="0 0 1").forward()["ten_length"][0]
    without = wrap(*args, axis="0 0 1").forward()["ten_length"][0]
    assert with_side == without
    assert with_side == pytest.approx(0.412310562561766, abs=1e-6)


# ---- points of paths

PATHS = """
<mujoco><worldbody>
  <geom name="sphere" type="sphere" size="0.1" pos="0 0 1"/>
  <geom name="cylinder" type="cylinder" size="0.1 0.3" pos="1 0 1" euler="90 0 0"/>
  <geom name="away" type="sphere" size="0.1" pos="0 5 1"/>
  <site name="in" pos="0.02 0 1"/><site name="cin" pos="1.02 0 1"/>
  <site name="a" pos="-0.3 0 1.05"/><site name="c" pos="0.8 0.1 1.05"/><site name="p" pos="0 0 2"/>
  <site name="top" pos="-0.3 0 1.2"/><site name="ctop" pos="0.8 0 1.2"/>
  <body pos="0.3 0 1"><joint name="j" axis="0 1 0"/>
    <geom size="0.02" pos="0 0 0.1"/><site name="b" pos="0.05 0 0.05"/>
    <site name="btop" pos="0.05 0 0.2"/></body>
  <body pos="1.3 0 1"><joint name="k" axis="0 1 0"/>
    <geom size="0.02" pos="0 0 0.1"/><site name="d" pos="0.05 0 0.05"/>
    <site name="dtop" pos="0.05 0 0.2"/></body>
  </worldbody><tendon>{}</tendon></mujoco>"""
STRAIGHT = '<spatial><site site="p"/><site site="b"/></spatial>'
SPHERE = '<spatial><site site="a"/><geom geom="sphere"/><site site="b"/></spatial>'
CYLINDER = '<spatial><site site="c"/><geom geom="cylinder"/><site site="d"/></spatial>'
FIXED = '<fixed><joint joint="j" coef="1"/></fixed>'


def path(*tendons):
    return Scene(PATHS.format("".join(tendons))).forward()


def test_straight_path_has_its_two_sites():
    """Spec 40b: 1 2 14."""
    scene = path(STRAIGHT)
    assert scene["wrap_xpos"].size == 6 * scene.mj.nwrap
    assert scene["wrap_obj"].size == 2 * scene.mj.nwrap
    position, obj = points(scene)
    assert obj == [-1, -1]
    np.testing.assert_allclose(position, scene["site_xpos"].reshape(-1, 3)[[4, 7]], atol=0)
    assert np.linalg.norm(position[1] - position[0]) == pytest.approx(
        scene["ten_length"][0], abs=1e-10
    )


def test_path_of_three_sites():
    """Spec 40b: 3."""
    scene = path('<spatial><site site="a"/><site site="p"/><site site="b"/></spatial>')
    assert points(scene)[1] == [-1, -1, -1]


def test_sphere_adds_two_tangent_points():
    """Spec 40b: 4."""
    position, obj = points(path(SPHERE))
    assert obj == [-1, 0, 0, -1]
    for tangent in position[1:3]:
        assert np.linalg.norm(tangent - [0, 0, 1]) == pytest.approx(0.1, abs=1e-12)
    assert np.linalg.norm(position[1] - position[2]) > 1e-3


def test_cylinder_adds_two_tangent_points():
    """Spec 40b: 5."""
    position, obj = points(path(CYLINDER))
    assert obj == [-1, 1, 1, -1]
    for tangent in position[1:3]:
        assert np.hypot(tangent[0] - 1, tangent[2] - 1) == pytest.approx(0.1, abs=1e-12)


def test_pulley_is_a_point_of_its_own():
    """Spec 40b: 6."""
    scene = path(
        '<spatial><site site="a"/><site site="b"/><pulley divisor="2"/>'
        '<site site="p"/><site site="d"/></spatial>'
    )
    position, obj = points(scene)
    assert obj == [-1, -1, -2, -1, -1]
    assert not position[2].any()


def test_cleared_geom_adds_no_point():
    """Spec 40b: 7."""
    scene = path('<spatial><site site="a"/><geom geom="away"/><site site="b"/></spatial>')
    assert points(scene)[1] == [-1, -1]


def test_inside_wrap_points_coincide():
    """Spec 40b: 8."""
    for first, geom, side, last in [
        ("top", "sphere", "in", "btop"),
        ("ctop", "cylinder", "cin", "dtop"),
    ]:
        scene = path(
            f'<spatial><site site="{first}"/><geom geom="{geom}" sidesite="{side}"/>'
            f'<site site="{last}"/></spatial>'
        )
        position, obj = points(scene)
        assert len(obj) == 4
        np.testing.assert_array_equal(position[1], position[2])
        scene.same("ten_length", "wrap_xpos", tolerance=1e-12)


def test_addresses_leave_no_gap():
    """Spec 40b: 9 12 13."""
    scene = path(STRAIGHT, FIXED, SPHERE, CYLINDER)
    adr, num = scene["ten_wrapadr"].tolist(), scene["ten_wrapnum"].tolist()
    assert list(zip(adr, num)) == [(0, 2), (2, 0), (2, 4), (6, 4)]


def test_moving_path_is_mujocos():
    """Spec 40b: 10 11."""
    scene = path(SPHERE, CYLINDER).set(qvel=1.0)
    before = points(scene)[0].copy()
    for _ in range(5):
        _core.mj_step(scene.m, scene.d)
        scene.mjd.qpos[:], scene.mjd.qvel[:] = scene["qpos"], scene["qvel"]
        scene.forward().same("wrap_xpos", "wrap_obj", tolerance=1e-6)
    assert abs(points(scene)[0] - before).max() > 1e-4


SIDES = """
<mujoco><worldbody>
  <geom name="g" {geom} pos="0 0 1"/>
  <site name="above" pos="0 0 1.3"/><site name="below" pos="0 .01 .7"/><site name="front" pos="0 -.3 1"/>
  <site name="a" pos="-.3 0 {z}"/>
  <body pos=".3 0 {z}"><joint axis="0 1 0"/><joint axis="0 0 1"/><geom size=".02" pos="0 0 .1"/><site name="b"/></body>
  </worldbody><tendon><spatial><site site="a"/><geom geom="g" {side}/><site site="b"/></spatial></tendon></mujoco>"""
SHAPES = {"sphere": 'type="sphere" size=".1"', "cylinder": 'type="cylinder" size=".1 .3" euler="90 0 0"'}


@pytest.mark.parametrize("z", [1.0, 1.02], ids=["collinear", "above"])
@pytest.mark.parametrize("side", ["", "above", "below", "front"])
@pytest.mark.parametrize("shape", SHAPES)
def test_side_sites_and_collinear_paths(shape, side, z):
    """Which way round, also when the line of the sites goes through the middle of the geom (spec 40b: 10 11)."""
    sidesite = f'sidesite="{side}"' if side else ""
    scene = Scene(SIDES.format(geom=SHAPES[shape], side=sidesite, z=z)).forward()
    assert len(points(scene)[1]) == 4
    scene.same("wrap_xpos", "ten_length", "ten_J", tolerance=1e-9)
    scene.set(qvel=np.array([0.5, -0.3])).step(5).same("wrap_xpos", "ten_length", tolerance=1e-6)


def test_mixed_path():
    """Spec 40b: 15."""
    unbroken = path(
        '<spatial><site site="p"/><site site="a"/><geom geom="sphere"/><site site="b"/></spatial>'
    )
    assert points(unbroken)[1] == [-1, -1, 0, 0, -1]
    broken = path(
        '<spatial><site site="p"/><site site="d"/><pulley divisor="2"/>'
        '<site site="a"/><geom geom="sphere"/><site site="b"/></spatial>'
    )
    assert points(broken)[1] == [-1, -1, -2, -1, 0, 0, -1]


def test_force_of_a_path_is_the_jacobian_times_the_tension():
    """Spring, damper and motor of a path with a geom and a pulley. Taking the force of each leg to the bodies of its sites
    is the derivative of the length, which differences give (spec DT29)."""
    tendon = ('<spatial name="t" stiffness="70" springlength=".1" damping="3"><site site="c"/><site site="d"/><pulley divisor="2"/>'
              '<site site="a"/><geom geom="sphere"/><site site="b"/></spatial>')
    xml = PATHS.format(tendon).replace("</mujoco>", '<actuator><motor tendon="t"/></actuator></mujoco>')
    scene = Scene(xml).set(qpos=np.array([0.1, -0.2]), qvel=np.array([0.7, -1.1]), ctrl=5.0).forward()
    assert points(scene)[1] == [-1, -1, -2, -1, 0, 0, -1]
    length, velocity, qpos, rows = scene["ten_length"][0], scene["ten_velocity"][0], scene["qpos"].copy(), []
    spring, damper, motor = (scene[name].copy() for name in ("qfrc_spring", "qfrc_damper", "qfrc_actuator"))
    scene.same("qfrc_spring", "qfrc_damper", "qfrc_actuator", tolerance=1e-12)
    for step in 1e-6 * np.eye(2):
        ends = [scene.set(qpos=qpos + sign * step).forward()["ten_length"][0] for sign in (1, -1)]
        rows.append((ends[0] - ends[1]) / 2e-6)
    assert np.abs(rows).min() > 0.01
    np.testing.assert_allclose(spring, np.array(rows) * -70 * (length - 0.1), rtol=1e-7)
    np.testing.assert_allclose(damper, np.array(rows) * -3 * velocity, rtol=1e-7)
    np.testing.assert_allclose(motor, np.array(rows) * 5, rtol=1e-7)


ON_AXES = """
<mujoco><option jacobian="{jacobian}"/><worldbody><site name="w" pos="0 0 2"/>
  <body pos=".1 .2 .3"><freejoint/><geom type="box" size=".1 .2 .3"/>
    <body pos=".3 .1 .2"><joint axis="1 2 3" pos=".01 .02 .03"/><geom size=".1" pos=".1 .2 .1"/><site name="b" pos=".1 .2 .1"/></body></body>
  <body pos="1 .2 .3"><joint axis="3 1 2" pos=".01 .02 .03"/><geom type="box" size=".1 .2 .3" pos=".1 0 .2"/>
    <site name="axis" pos=".01 .02 .03"/><site name="c" pos=".1 .2 .3"/></body></worldbody>
  <tendon><spatial frictionloss="1"><site site="w"/><site site="b"/></spatial><spatial frictionloss="1"><site site="axis"/><site site="b"/></spatial>
    <spatial frictionloss="1"><site site="w"/><site site="c"/><pulley divisor="3.5"/><site site="w"/><site site="b"/></spatial></tendon>
</mujoco>"""


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_moment_arms_are_summed_as_mujoco_does(jacobian):
    """Bit for bit; so a hinge whose axis passes through a site has an arm of exactly zero, and joins no island."""
    scene = Scene(ON_AXES.format(jacobian=jacobian))
    model, data = scene.mj, mujoco.MjData(scene.mj)
    ours, rng, zero = _core.MjData(scene.m), np.random.default_rng(0), 0
    for _ in range(30):
        data.qpos[:] = ours.qpos[:] = rng.standard_normal(model.nq)
        mujoco.mj_fwdPosition(model, data)
        _core.mj_fwdPosition(scene.m, ours)
        n = ours.ten_J_rownnz.sum() if jacobian == "sparse" else model.ntendon * model.nv
        assert np.array_equal(np.ravel(data.ten_J)[:n], np.ravel(ours.ten_J)[:n])
        assert np.array_equal(data.tree_island, ours.tree_island)
        zero += jacobian == "dense" and data.ten_J.reshape(model.ntendon, model.nv)[1, model.nv - 1] == 0
    assert jacobian == "sparse" or zero > 10


SHARED = """
<mujoco><option jacobian="{jacobian}"/><worldbody>
  <body pos=".1 .2 .3"><freejoint/><geom type="box" size=".1 .2 .3"/>
    <body pos=".3 .1 .2" euler="10 20 30"><geom size=".1"/><site name="a" pos=".11 .23 .37"/></body>
    <body pos="-.3 .2 .1" euler="30 20 10"><joint axis="1 2 3"/><geom size=".1"/><site name="b"/>
      <geom name="g" size=".02" pos=".2 .1 .1" contype="0" conaffinity="0"/></body>
    <body pos="-.2 -.3 .1"><joint type="ball" pos=".1 .1 .1"/><geom size=".1"/><site name="c" pos=".03 .02 .2"/></body></body>
  <body pos="3 0 0"><freejoint/><geom size=".1"/><site name="d" pos=".1 .1 .1"/></body></worldbody>
  <tendon><spatial frictionloss="1">{path}</spatial></tendon>
</mujoco>"""
BALANCED = {
    "straight": '<site site="a"/><site site="b"/>', "there and back": '<site site="a"/><site site="b"/><site site="a"/>',
    "over a geom": '<site site="a"/><geom geom="g"/><site site="b"/>',
    "two trees": '<site site="a"/><site site="b"/><pulley divisor="3.5"/><site site="c"/><site site="d"/>',
    "another follows": '<site site="a"/><site site="b"/><site site="c"/>',
}


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("path", BALANCED)
def test_arms_that_cancel_leave_the_rounding_of_mujoco(path, jacobian):
    """No dof moves one end alone: what is left of the arms of dofs that move both makes a row, and joins trees."""
    scene = Scene(SHARED.format(jacobian=jacobian, path=BALANCED[path]))
    model, data = scene.mj, mujoco.MjData(scene.mj)
    ours, rng, left = _core.MjData(scene.m), np.random.default_rng(0), 0
    for _ in range(20):
        data.qpos[:] = ours.qpos[:] = rng.standard_normal(model.nq)
        mujoco.mj_forward(model, data)
        _core.mj_forward(scene.m, ours)
        n = ours.ten_J_rownnz.sum() if jacobian == "sparse" else model.nv
        assert np.array_equal(np.ravel(data.ten_J)[:n], np.ravel(ours.ten_J)[:n])
        assert data.nf == ours.nf and data.nisland == ours.nisland
        assert not data.nisland or np.array_equal(data.tree_island, ours.tree_island)
        assert (data.ten_length, data.ten_wrapnum) == (ours.ten_length, ours.ten_wrapnum)
        np.testing.assert_allclose(ours.qacc, data.qacc, rtol=0, atol=1e-9 * np.abs(data.qacc).max())
        left += np.abs(np.ravel(data.ten_J)[:n][:6]).max() > 0
    assert left > 15
