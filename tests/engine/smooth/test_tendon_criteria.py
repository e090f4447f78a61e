"""Acceptance criteria of inside wrapping (#39) and of the points of tendon paths (#40b)."""

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
def test_39_T1_T2_steps(make):
    scene = make().step()
    assert np.isfinite(scene["qpos"]).all()
    scene.same("qpos", "qvel", "ten_length")


@pytest.mark.parametrize("side", [".05 0 0", "0 0 0"], ids=["T6", "T18"])
def test_39_T3_T4_T6_T18_sphere(side):
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
    ids=["T7", "T15"],
)
def test_39_T7_T15_cylinder(make, length, point):
    scene = make().forward()
    assert scene["ten_length"][0] == pytest.approx(length, abs=1e-6)
    np.testing.assert_allclose(points(scene)[0][1], point, atol=1e-6)


def test_39_T8_side_site_crosses_the_surface():
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
    ids=["T10-0", "T10-1", "T10-2", "T10-3", "T17-7", "T17-15"],
)
def test_39_T10_T17_jacobian(make, q, expected):
    scene, step, length = make(), 1e-7, []
    for sign in (1, -1):
        length.append(scene.set(qpos=q + sign * step).forward()["ten_length"][0])
    difference = (length[0] - length[1]) / (2 * step)
    jacobian = scene.set(qpos=q).forward()["ten_J"][0]
    assert abs(difference - jacobian) < 1e-4 * max(abs(difference), 1)
    assert jacobian == pytest.approx(expected, abs=1e-6)
    scene.same("ten_J", tolerance=1e-14)


def test_39_T14_side_site_on_the_surface():
    scene = t6(".15 0 0").forward()
    assert scene["ten_length"][0] == pytest.approx(0.3, abs=1e-12)


def test_39_T16_side_site_far_along_the_axis():
    args = ("cylinder", ".1 1", ".3 .05 .2", ".3 -.05 -.2")
    with_side = wrap(*args, ".05 0 5", axis="0 0 1").forward()["ten_length"][0]
    without = wrap(*args, axis="0 0 1").forward()["ten_length"][0]
    assert with_side == without
    assert with_side == pytest.approx(0.412310562561766, abs=1e-6)


# ---- #40b

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


def test_40b_1_2_14_straight():
    scene = path(STRAIGHT)
    assert scene["wrap_xpos"].size == 6 * scene.mj.nwrap
    assert scene["wrap_obj"].size == 2 * scene.mj.nwrap
    position, obj = points(scene)
    assert obj == [-1, -1]
    np.testing.assert_allclose(position, scene["site_xpos"].reshape(-1, 3)[[4, 7]], atol=0)
    assert np.linalg.norm(position[1] - position[0]) == pytest.approx(
        scene["ten_length"][0], abs=1e-10
    )


def test_40b_3_three_sites():
    scene = path('<spatial><site site="a"/><site site="p"/><site site="b"/></spatial>')
    assert points(scene)[1] == [-1, -1, -1]


def test_40b_4_sphere():
    position, obj = points(path(SPHERE))
    assert obj == [-1, 0, 0, -1]
    for tangent in position[1:3]:
        assert np.linalg.norm(tangent - [0, 0, 1]) == pytest.approx(0.1, abs=1e-12)
    assert np.linalg.norm(position[1] - position[2]) > 1e-3


def test_40b_5_cylinder():
    position, obj = points(path(CYLINDER))
    assert obj == [-1, 1, 1, -1]
    for tangent in position[1:3]:
        assert np.hypot(tangent[0] - 1, tangent[2] - 1) == pytest.approx(0.1, abs=1e-12)


def test_40b_6_pulley():
    scene = path(
        '<spatial><site site="a"/><site site="b"/><pulley divisor="2"/>'
        '<site site="p"/><site site="d"/></spatial>'
    )
    position, obj = points(scene)
    assert obj == [-1, -1, -2, -1, -1]
    assert not position[2].any()


def test_40b_7_cleared_geom():
    scene = path('<spatial><site site="a"/><geom geom="away"/><site site="b"/></spatial>')
    assert points(scene)[1] == [-1, -1]


def test_40b_8_inside():
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


def test_40b_9_12_13_addresses():
    scene = path(STRAIGHT, FIXED, SPHERE, CYLINDER)
    adr, num = scene["ten_wrapadr"].tolist(), scene["ten_wrapnum"].tolist()
    assert list(zip(adr, num)) == [(0, 2), (2, 0), (2, 4), (6, 4)]


def test_40b_10_11_moving():
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
def test_40b_10_side_sites_and_collinear_paths(shape, side, z):
    """Which way round, also when the line of the sites goes through the middle of the geom."""
    sidesite = f'sidesite="{side}"' if side else ""
    scene = Scene(SIDES.format(geom=SHAPES[shape], side=sidesite, z=z)).forward()
    assert len(points(scene)[1]) == 4
    scene.same("wrap_xpos", "ten_length", "ten_J", tolerance=1e-9)
    scene.set(qvel=np.array([0.5, -0.3])).step(5).same("wrap_xpos", "ten_length", tolerance=1e-6)


def test_40b_15_mixed_path():
    unbroken = path(
        '<spatial><site site="p"/><site site="a"/><geom geom="sphere"/><site site="b"/></spatial>'
    )
    assert points(unbroken)[1] == [-1, -1, 0, 0, -1]
    broken = path(
        '<spatial><site site="p"/><site site="d"/><pulley divisor="2"/>'
        '<site site="a"/><geom geom="sphere"/><site site="b"/></spatial>'
    )
    assert points(broken)[1] == [-1, -1, -2, -1, 0, 0, -1]
