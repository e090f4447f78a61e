"""Acceptance criteria of activation limits (#34), gravity compensation (#35), adhesion (#36), and
the tendon and muscle pipelines (items 4 and 5)."""

import mujoco
import numpy as np
import pytest
from scene import Scene

from sinew import _core, bridge

ACTUATOR = """
<mujoco><option timestep="0.001" gravity="0 0 0"/>
  <worldbody><body><joint name="j" type="slide"/><geom size="0.1" mass="1"/></body></worldbody>
  <actuator>{}</actuator></mujoco>"""


# ---- #34 activation limits

INTEGRATOR = '<general joint="j" dyntype="integrator" {}/>'


def limited(actuator, lower, upper):
    """A scene whose actuator has activation limits; shortcuts have no attribute for them."""
    scene = Scene(ACTUATOR.format(actuator))
    scene.mj.actuator_actlimited[0] = 1
    scene.mj.actuator_actrange[0] = lower, upper
    return scene.reset()


def test_34_1_limited_integrator_stops_at_its_range():
    scene = Scene(ACTUATOR.format(INTEGRATOR.format('actlimited="true" actrange="-1 1"')))
    scene.set(ctrl=1)
    for _ in range(1100):
        scene.step()
        assert scene["act"][0] <= 1
    assert scene["act"][0] == 1


def test_34_2_unlimited_integrator_passes():
    scene = Scene(ACTUATOR.format(INTEGRATOR.format(""))).set(ctrl=1).step(1100)
    assert scene["act"][0] > 1


def test_34_3_muscle_has_no_hidden_clamp():
    """Decision: MuJoCo's muscle exactly, act is not forced into [0, 1]."""
    scene = Scene(ACTUATOR.format('<muscle joint="j" lengthrange="-1 1"/>'))
    scene.set(act=2.0, ctrl=1.0).step()
    assert scene["act"][0] > 1
    scene.same("act", "qvel", tolerance=1e-14)


def test_34_4_muscle_with_explicit_range():
    scene = limited('<muscle joint="j" lengthrange="-1 1"/>', -0.5, 1.5)
    scene.set(act=2.0, ctrl=1).step()
    assert scene["act"][0] == 1.5
    scene.reset().set(act=-3.0, ctrl=0).step()
    assert scene["act"][0] == -0.5


def test_34_5_exact_filter_and_clamp():
    scene = limited('<position joint="j" kp="1" timeconst="0.05"/>', -0.3, 0.3)
    assert scene.mj.actuator_dyntype[0] == mujoco.mjtDyn.mjDYN_FILTEREXACT
    scene.set(ctrl=1).step()
    assert scene["act"][0] == pytest.approx(1 - np.exp(-0.001 / 0.05), rel=1e-12)
    scene.step(100)
    assert scene["act"][0] == 0.3


EARLY = [("", 0.001), ('actlimited="true" actrange="0 5e-4"', 5e-4)]


@pytest.mark.parametrize("limit,expected", EARLY)
def test_34_6_7_early_activation(limit, expected):
    late = Scene(ACTUATOR.format(INTEGRATOR.format(limit))).set(ctrl=1).forward()
    early = Scene(ACTUATOR.format(INTEGRATOR.format('actearly="true" ' + limit)))
    early.set(ctrl=1).forward()
    assert late["actuator_force"][0] == 0
    assert early["actuator_force"][0] == expected
    late.step(2)
    assert late["actuator_force"][0] == early["actuator_force"][0]


def test_34_8_trajectory_is_analytic():
    scene = Scene(ACTUATOR.format(INTEGRATOR.format('actlimited="true" actrange="-1 1"')))
    scene.set(ctrl=0.9)
    for n in range(1, 2001):
        _core.mj_step(scene.m, scene.d)
        assert abs(scene["act"][0] - min(1, n * 0.001 * 0.9)) < 1e-12


# ---- #35 gravity compensation

FREE = """
<mujoco><option gravity="0 0 -9.81"/><worldbody><body pos="0 0 1" {}>
  <freejoint/><inertial pos="{}" mass="2" diaginertia="0.1 0.1 0.1"/></body></worldbody></mujoco>"""
ARM = """
<mujoco><option gravity="{}"/><worldbody>
  <body {}><joint axis="0 1 0"/><inertial pos="0.1 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>
    <body pos="0.2 0 0" {}><joint axis="0 1 0"/>
      <inertial pos="0.1 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>
      <body pos="0.2 0 0" {}><joint axis="0 1 0"/>
        <inertial pos="0.1 0 0" mass="1" diaginertia="0.01 0.01 0.01"/></body></body></body>
</worldbody></mujoco>"""


def test_35_1_full_compensation_floats():
    scene = Scene(FREE.format('gravcomp="1"', "0 0 0")).forward()
    assert abs(scene["qacc"]).max() < 1e-12


def test_35_2_none():
    scene = Scene(FREE.format("", "0 0 0")).forward()
    assert not scene["qfrc_gravcomp"].any()
    assert scene["qacc"][2] == pytest.approx(-9.81, abs=1e-12)


def test_35_3_half_is_half():
    full = Scene(FREE.format('gravcomp="1"', "0.1 0 0")).forward()["qfrc_gravcomp"]
    half = Scene(FREE.format('gravcomp="0.5"', "0.1 0 0")).forward()["qfrc_gravcomp"]
    np.testing.assert_allclose(2 * half, full, rtol=1e-12)


def test_35_4_two_rises():
    assert Scene(FREE.format('gravcomp="2"', "0 0 0")).forward()["qacc"][2] > 0


def test_35_6_arm_rests():
    scene = Scene(ARM.format("0 0 -9.81", *['gravcomp="1"'] * 3)).forward()
    assert abs(scene["qacc"]).max() < 1e-10
    np.testing.assert_array_equal(scene["qfrc_passive"], scene["qfrc_gravcomp"])
    assert abs(scene["qfrc_passive"]).min() > 0.1


def test_35_7_no_gravity():
    scene = Scene(ARM.format("0 0 0", *['gravcomp="1"'] * 3)).forward()
    assert not scene["qfrc_gravcomp"].any()


def test_35_7_gravity_disabled():
    scene = Scene(ARM.format("0 0 -9.81", *['gravcomp="1"'] * 3))
    scene.mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_GRAVITY
    assert not scene.reset().forward()["qfrc_gravcomp"].any()


def test_35_8_offset_hinge():
    xml = """<mujoco><option gravity="0 0 -9.81"/><worldbody><body gravcomp="1">
      <joint axis="0 1 0"/><inertial pos="0 0 0.1" mass="3" diaginertia="0.1 0.1 0.1"/>
      </body></worldbody></mujoco>"""
    scene = Scene(xml).set(qpos=0.4).forward()
    # the weight 3 * 9.81 upwards at lever arm 0.1 sin(0.4) about +y
    assert scene["qfrc_gravcomp"][0] == pytest.approx(-0.1 * np.sin(0.4) * 3 * 9.81, abs=1e-12)


def test_35_9_affected_dofs_only():
    scene = Scene(ARM.format("0 0 -9.81", 'gravcomp="1"', "", "")).forward()
    force = scene["qfrc_gravcomp"]
    assert force[0] != 0 and force[1] == 0 and force[2] == 0


def test_35_10_figures():
    scene = Scene(FREE.format('gravcomp="0.7"', "0 0 0")).forward()
    np.testing.assert_allclose(scene["qfrc_gravcomp"], [0, 0, 13.734, 0, 0, 0], atol=1e-12)


def test_35_12_negative():
    """Extension: MuJoCo ignores a model whose values are all negative."""
    scene = Scene(FREE.format('gravcomp="-1"', "0 0 0"))
    scene.m = bridge.model_from_mujoco(scene.mj, ngravcomp=1)
    scene.d = _core.MjData(scene.m)
    _core.mj_forward(scene.m, scene.d)
    assert scene["qfrc_gravcomp"][2] == pytest.approx(-2 * 9.81, abs=1e-12)


def test_35_13_child_loads_the_parent():
    scene = Scene(ARM.format("0 0 -9.81", "", 'gravcomp="1"', "")).forward()
    # only the child's weight: 9.81 at 0.3 from the first joint, 0.1 from the second
    np.testing.assert_allclose(scene["qfrc_gravcomp"], [-2.943, -0.981, 0], atol=1e-12)


def test_35_14_torque_of_offset():
    scene = Scene(FREE.format('gravcomp="1"', "0.1 0 0")).forward()
    expected = [0, 0, 2 * 9.81, 0, -0.1 * 2 * 9.81, 0]
    np.testing.assert_allclose(scene["qfrc_gravcomp"], expected, atol=1e-12)


def test_35_actuator_routing():
    xml = """<mujoco><worldbody><body gravcomp="1">
      <joint name="j" axis="0 1 0" actuatorgravcomp="true" actuatorfrcrange="-1 1"/>
      <inertial pos="0.5 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body></worldbody>
      <actuator><motor joint="j"/></actuator></mujoco>"""
    scene = Scene(xml).forward()
    assert scene["qfrc_passive"][0] == 0
    assert scene["qfrc_actuator"][0] == -1  # -4.905 clamped by the joint's range
    scene.same("qacc")


# ---- item 4: tendons

TENDON = """
<mujoco><option timestep="0.002" gravity="0 0 0"/><worldbody><body>
  <joint name="j" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05" mass="1"/>
  </body></worldbody>
  <tendon><fixed name="t" {}><joint joint="j" coef="0.3"/></fixed></tendon>
  <actuator><motor name="tendon" tendon="t"/><motor name="joint" joint="j" gear="0.3"/></actuator>
</mujoco>"""


def test_item4_1_outputs_filled():
    scene = Scene(TENDON.format("")).set(qpos=0.5, qvel=2.0).step()
    assert scene["ten_length"][0] == pytest.approx(0.15)
    assert scene["ten_velocity"][0] == pytest.approx(0.6)
    assert scene["ten_J"][0] == 0.3


def test_item4_2_tendon_motor_equals_joint_motor():
    a = Scene(TENDON.format("")).set(ctrl={0: 0.7}).forward()["qfrc_actuator"][0]
    b = Scene(TENDON.format("")).set(ctrl={1: 0.7}).forward()["qfrc_actuator"][0]
    assert a != 0 and abs(a - b) < 1e-10


def test_item4_3_springs_and_dampers_move():
    plain = Scene(TENDON.format("")).set(qpos=0.5, qvel=1).step(10)["qvel"][0]
    spring = Scene(TENDON.format('stiffness="100" springlength="0"')).set(qpos=0.5, qvel=1)
    damper = Scene(TENDON.format('damping="10"')).set(qpos=0.5, qvel=1)
    assert spring.step()["qfrc_spring"][0] == pytest.approx(-100 * 0.15 * 0.3)
    assert damper.step()["qfrc_damper"][0] == pytest.approx(-10 * 0.3 * 0.3)
    assert spring.step(9)["qvel"][0] < plain
    assert damper.step(9)["qvel"][0] < plain


def test_item4_3_dead_band():
    scene = Scene(TENDON.format('stiffness="100" springlength="0.1 0.2"'))
    for angle, force in [(0.5, 0), (0.2, 100 * 0.04 * 0.3), (1.0, -100 * 0.1 * 0.3), (1 / 3, 0)]:
        scene.set(qpos=angle).forward()
        assert scene["qfrc_spring"][0] == pytest.approx(force, abs=1e-12)


# ---- item 5: muscles (those of MuJoCo)

MUSCLE = '<muscle joint="j" lengthrange="-0.15 0.15" force="100" {}/>'


def muscle_force(act, qpos=0.1, qvel=0.0):
    scene = Scene(ACTUATOR.format(MUSCLE.format("")))
    return scene.set(qpos=qpos, qvel=qvel, act=act).forward()["actuator_force"][0]


def test_item5_1_activation_moves():
    scene = Scene(ACTUATOR.format(MUSCLE.format(""))).set(ctrl=1).step()
    assert scene["act"][0] > 0


def test_item5_2_monotone_in_activation_and_zero_without():
    # length 1 in units of the optimal length: no passive force
    forces = [muscle_force(a) for a in np.linspace(0, 1, 11)]
    assert forces[0] == 0
    assert all(b < a for a, b in zip(forces, forces[1:]))  # pulling is negative
    assert abs(muscle_force(1, qpos=-0.1)) < abs(forces[-1])
    assert abs(muscle_force(1, qvel=-0.5)) < abs(forces[-1]) < abs(muscle_force(1, qvel=0.5))


def test_item5_3_peak_force():
    assert muscle_force(1) == pytest.approx(-100, rel=1e-12)


def test_item5_4_activation_is_faster_than_deactivation():
    rise = Scene(ACTUATOR.format(MUSCLE.format(""))).set(ctrl=1, act=0.5).forward()["act_dot"][0]
    fall = Scene(ACTUATOR.format(MUSCLE.format(""))).set(ctrl=0, act=0.5).forward()["act_dot"][0]
    assert rise > -fall > 0


# ---- bad controls and groups


def test_bad_control_stops_all_actuators():
    motors = '<motor joint="j"/><motor joint="j" ctrlrange="-1 1"/>'
    scene = Scene(ACTUATOR.format(motors)).set(ctrl={0: np.nan, 1: 1})
    scene.forward()
    assert not scene["actuator_force"].any()
    assert scene.d.warning.number[mujoco.mjtWarning.mjWARN_BADCTRL] == 1
    scene.reset().set(ctrl={0: 1, 1: np.inf}).forward()
    np.testing.assert_array_equal(scene["actuator_force"], [1, 1])


GROUPS = [(0, False), (3, False), (30, False), (31, True), (2, True)]


@pytest.mark.parametrize("group,active", GROUPS)
def test_disabled_groups(group, active):
    scene = Scene(ACTUATOR.format(f'<motor joint="j" group="{group}"/>'))
    scene.mj.opt.disableactuator = (1 << 0) | (1 << 3) | (1 << 30)
    scene.reset().set(ctrl=1).forward()
    assert (scene["actuator_force"][0] != 0) == active
    scene.same("qfrc_actuator")


# ---- controls with a delay


def test_delayed_controls_and_their_history():
    """Controls are read before the step records them: the shortest delay is one step."""
    motors = """<motor joint="j" delay="0.003" nsample="4"/>
      <motor joint="j" delay="0.0025" nsample="5" interp="linear"/>
      <motor joint="j" delay="0.0042" nsample="7" interp="cubic"/>
      <motor joint="j" nsample="2"/>"""
    scene = Scene(ACTUATOR.format(motors))
    rng = np.random.default_rng(3)
    for _ in range(30):
        scene.set(ctrl=rng.normal(size=4)).step()
        scene.same("actuator_force", "history", "qvel", tolerance=1e-14)
    delayed = Scene(ACTUATOR.format('<motor joint="j" delay="0.003" nsample="4"/>'))
    seen = []
    for n in range(10):
        delayed.set(ctrl=float(n + 1)).step()
        seen.append(delayed["actuator_force"][0])
    assert seen == [0, 0, 0, 1, 2, 3, 4, 5, 6, 7]


# ---- #36 adhesion

ADHESION = """
<mujoco><option gravity="0 0 -9.81" cone="{cone}" jacobian="{jacobian}"/><worldbody>
  <geom type="plane" size="1 1 1" margin="{margin}" gap="{margin}" condim="{condim}"/>
  <body name="b" pos="0 0 {height}"><freejoint/><geom size="0.1" mass="1" condim="{condim}"/></body>
  <body name="far" pos="0 0 3"><freejoint/><geom size="0.1" mass="1"/></body>
  </worldbody><actuator><adhesion body="b" ctrlrange="0 1" gain="20"/>
  <adhesion body="far" ctrlrange="0 1" gain="20"/></actuator></mujoco>"""


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("height,margin", [(0.099, 0), (0.105, 0.02)], ids=["touching", "gap"])
def test_36_normal_of_contacts(height, margin, condim, cone, jacobian):
    xml = ADHESION.format(
        cone=cone, jacobian=jacobian, condim=condim, height=height, margin=margin
    )
    scene = Scene(xml).set(ctrl=0.5)
    mujoco.mj_forward(scene.mj, scene.mjd)
    assert scene.mjd.ncon == 1
    # MuJoCo's contacts, our constraint rows
    bridge.data_from_mujoco(scene.mjd, scene.d)
    bridge.contacts_from_mujoco(scene.mjd, scene.d)
    for stage in (_core.mj_makeConstraint, _core.mj_transmission, _core.mj_fwdActuation):
        stage(scene.m, scene.d)
    # pressed down by half of the gain; the far body has no contact
    np.testing.assert_allclose(scene["qfrc_actuator"][:3], [0, 0, -10], atol=1e-12)
    assert not scene["qfrc_actuator"][6:].any()
    scene.same("qfrc_actuator", "moment_rownnz")
