"""Actuators: activation limits, gravity compensation, adhesion, tendons, muscles."""

import corpus
import mujoco
import numpy as np
import pytest
from scene import Scene

from sinew import _core, bridge

ACTUATOR = """
<mujoco><option timestep="0.001" gravity="0 0 0"/>
  <worldbody><body><joint name="j" type="slide"/><geom size="0.1" mass="1"/></body></worldbody>
  <actuator>{}</actuator></mujoco>"""


# ---- activation limits

INTEGRATOR = '<general joint="j" dyntype="integrator" {}/>'


def limited(actuator, lower, upper):
    """A scene whose actuator has activation limits; shortcuts have no attribute for them."""
    scene = Scene(ACTUATOR.format(actuator))
    scene.mj.actuator_actlimited[0] = 1
    scene.mj.actuator_actrange[0] = lower, upper
    return scene.reset()


def test_limited_integrator_stops_at_its_range():
    """Spec 34: 1."""
    scene = Scene(ACTUATOR.format(INTEGRATOR.format('actlimited="true" actrange="-1 1"')))
    scene.set(ctrl=1)
    for _ in range(1100):
        scene.step()
        assert scene["act"][0] <= 1
    assert scene["act"][0] == 1


def test_unlimited_integrator_passes():
    """Spec 34: 2."""
    scene = Scene(ACTUATOR.format(INTEGRATOR.format(""))).set(ctrl=1).step(1100)
    assert scene["act"][0] > 1


def test_muscle_has_no_hidden_clamp():
    """Decision: MuJoCo's muscle exactly, act is not forced into [0, 1] (spec 34: 3)."""
    scene = Scene(ACTUATOR.format('<muscle joint="j" lengthrange="-1 1"/>'))
    scene.set(act=2.0, ctrl=1.0).step()
    assert scene["act"][0] > 1
    scene.same("act", "qvel", tolerance=1e-14)


def test_muscle_with_explicit_range():
    """Spec 34: 4."""
    scene = limited('<muscle joint="j" lengthrange="-1 1"/>', -0.5, 1.5)
    scene.set(act=2.0, ctrl=1).step()
    assert scene["act"][0] == 1.5
    scene.reset().set(act=-3.0, ctrl=0).step()
    assert scene["act"][0] == -0.5


def test_exact_filter_and_clamp():
    """Spec 34: 5."""
    scene = limited('<position joint="j" kp="1" timeconst="0.05"/>', -0.3, 0.3)
    assert scene.mj.actuator_dyntype[0] == mujoco.mjtDyn.mjDYN_FILTEREXACT
    scene.set(ctrl=1).step()
    assert scene["act"][0] == pytest.approx(1 - np.exp(-0.001 / 0.05), rel=1e-12)
    scene.step(100)
    assert scene["act"][0] == 0.3


EARLY = [("", 0.001), ('actlimited="true" actrange="0 5e-4"', 5e-4)]


@pytest.mark.parametrize("limit,expected", EARLY)
def test_early_activation_acts_a_step_sooner(limit, expected):
    """Spec 34: 6 7."""
    late = Scene(ACTUATOR.format(INTEGRATOR.format(limit))).set(ctrl=1).forward()
    early = Scene(ACTUATOR.format(INTEGRATOR.format('actearly="true" ' + limit)))
    early.set(ctrl=1).forward()
    assert late["actuator_force"][0] == 0
    assert early["actuator_force"][0] == expected
    late.step(2)
    assert late["actuator_force"][0] == early["actuator_force"][0]


def test_limited_integrator_follows_its_closed_form():
    """Spec 34: 8."""
    scene = Scene(ACTUATOR.format(INTEGRATOR.format('actlimited="true" actrange="-1 1"')))
    scene.set(ctrl=0.9)
    for n in range(1, 2001):
        _core.mj_step(scene.m, scene.d)
        assert abs(scene["act"][0] - min(1, n * 0.001 * 0.9)) < 1e-12


def test_activation_limits_are_inherited():
    """The three attributes are inherited, and what the actuator says itself wins (spec 34: 9)."""
    xml = """<mujoco><default><general dyntype="integrator" actlimited="true" actrange="-2 3" actearly="true"/>
      <default class="other"><general actrange="0 1" actearly="false"/></default></default>
      <worldbody><body><joint name="j" type="slide"/><geom size="0.1" mass="1"/></body></worldbody>
      <actuator><general joint="j"/><general joint="j" class="other"/>
      <general joint="j" class="other" actlimited="false"/><general joint="j" actrange="4 5"/></actuator></mujoco>"""
    ours, theirs = _core.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    assert [list(r) for r in ours.actuator_actrange] == [[-2, 3], [0, 1], [0, 1], [4, 5]]
    assert list(ours.actuator_actlimited) == [1, 1, 0, 1]
    assert list(ours.actuator_actearly) == [1, 0, 0, 1]
    for field in ("actrange", "actlimited", "actearly", "dyntype"):
        name = f"actuator_{field}"
        assert np.array_equal(getattr(ours, name), getattr(theirs, name))


# ---- gravity compensation

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


def test_full_compensation_floats():
    """Spec 35: 1."""
    scene = Scene(FREE.format('gravcomp="1"', "0 0 0")).forward()
    assert abs(scene["qacc"]).max() < 1e-12


def test_no_compensation_no_force():
    """Spec 35: 2."""
    scene = Scene(FREE.format("", "0 0 0")).forward()
    assert not scene["qfrc_gravcomp"].any()
    assert scene["qacc"][2] == pytest.approx(-9.81, abs=1e-12)


def test_half_compensation_is_half():
    """Spec 35: 3."""
    full = Scene(FREE.format('gravcomp="1"', "0.1 0 0")).forward()["qfrc_gravcomp"]
    half = Scene(FREE.format('gravcomp="0.5"', "0.1 0 0")).forward()["qfrc_gravcomp"]
    np.testing.assert_allclose(2 * half, full, rtol=1e-12)


def test_double_compensation_rises():
    """Spec 35: 4."""
    assert Scene(FREE.format('gravcomp="2"', "0 0 0")).forward()["qacc"][2] > 0


@pytest.mark.parametrize("value", [0.0, 7.2, -1.0])
def test_any_compensation_is_read(value):
    """Any number is read; the world has none. (The Apollo model of the criterion is not at hand.) (spec 35: 5)"""
    m = _core.MjModel.from_xml_string(FREE.format(f'gravcomp="{value}"', "0 0 0"))
    assert list(m.body_gravcomp) == [0, value] and m.ngravcomp == (value > 0)


def test_balloons_have_mujocos_compensation():
    """A model of the reference collection that uses it (spec 35: 5)."""
    name = "shared/mujoco/balloons/balloons"
    if name not in corpus.paths():
        pytest.skip(f"{name} is not here")
    ours = _core.MjModel.from_xml_path(str(corpus.paths()[name]))
    assert np.any(ours.body_gravcomp) and np.array_equal(ours.body_gravcomp, corpus.load(name).body_gravcomp)


def test_compensated_arm_rests():
    """Spec 35: 6."""
    scene = Scene(ARM.format("0 0 -9.81", *['gravcomp="1"'] * 3)).forward()
    assert abs(scene["qacc"]).max() < 1e-10
    np.testing.assert_array_equal(scene["qfrc_passive"], scene["qfrc_gravcomp"])
    assert abs(scene["qfrc_passive"]).min() > 0.1


def test_no_gravity_no_compensation():
    """Spec 35: 7."""
    scene = Scene(ARM.format("0 0 0", *['gravcomp="1"'] * 3)).forward()
    assert not scene["qfrc_gravcomp"].any()


def test_disabled_gravity_disables_compensation():
    """Spec 35: 7."""
    scene = Scene(ARM.format("0 0 -9.81", *['gravcomp="1"'] * 3))
    scene.mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_GRAVITY
    assert not scene.reset().forward()["qfrc_gravcomp"].any()


def test_compensation_acts_at_the_centre_of_mass():
    """Spec 35: 8."""
    xml = """<mujoco><option gravity="0 0 -9.81"/><worldbody><body gravcomp="1">
      <joint axis="0 1 0"/><inertial pos="0 0 0.1" mass="3" diaginertia="0.1 0.1 0.1"/>
      </body></worldbody></mujoco>"""
    scene = Scene(xml).set(qpos=0.4).forward()
    # the weight 3 * 9.81 upwards at lever arm 0.1 sin(0.4) about +y
    assert scene["qfrc_gravcomp"][0] == pytest.approx(-0.1 * np.sin(0.4) * 3 * 9.81, abs=1e-12)


def test_compensation_touches_ancestors_only():
    """Spec 35: 9."""
    scene = Scene(ARM.format("0 0 -9.81", 'gravcomp="1"', "", "")).forward()
    force = scene["qfrc_gravcomp"]
    assert force[0] != 0 and force[1] == 0 and force[2] == 0


def test_compensation_is_a_fraction_of_the_weight():
    """Spec 35: 10."""
    scene = Scene(FREE.format('gravcomp="0.7"', "0 0 0")).forward()
    np.testing.assert_allclose(scene["qfrc_gravcomp"], [0, 0, 13.734, 0, 0, 0], atol=1e-12)


def test_sleeping_tree_gets_no_compensation():
    """Dofs of a sleeping tree get no compensation; those awake do (spec 35: 11)."""
    xml = """<mujoco><option><flag sleep="enable"/></option><worldbody>
      <body pos="0 0 1" gravcomp="0.5"><freejoint/><geom size=".1" mass="1"/></body>
      <body pos="2 0 1" gravcomp="0.5"><freejoint/><geom size=".1" mass="1"/></body></worldbody></mujoco>"""
    scene = Scene(xml)
    scene["tree_asleep"][0] = 0
    _core._update_sleep(scene.m, scene.d)
    _core.mj_forward(scene.m, scene.d)
    assert not scene["qfrc_gravcomp"][:6].any()
    assert scene["qfrc_gravcomp"][8] == pytest.approx(0.5 * 9.81, abs=1e-12)


def test_negative_compensation_adds_weight():
    """Extension: MuJoCo ignores a model whose values are all negative (spec 35: 12)."""
    m = _core.MjModel.from_xml_string(FREE.format('gravcomp="-1"', "0 0 0"))
    d = _core.MjData(m)
    _core.mj_forward(m, d)
    assert d.qfrc_gravcomp[2] == pytest.approx(-2 * 9.81, abs=1e-12)


def test_compensated_child_loads_the_parent():
    """Spec 35: 13."""
    scene = Scene(ARM.format("0 0 -9.81", "", 'gravcomp="1"', "")).forward()
    # only the child's weight: 9.81 at 0.3 from the first joint, 0.1 from the second
    np.testing.assert_allclose(scene["qfrc_gravcomp"], [-2.943, -0.981, 0], atol=1e-12)


def test_compensation_of_an_offset_mass_has_a_torque():
    """Spec 35: 14."""
    scene = Scene(FREE.format('gravcomp="1"', "0.1 0 0")).forward()
    expected = [0, 0, 2 * 9.81, 0, -0.1 * 2 * 9.81, 0]
    np.testing.assert_allclose(scene["qfrc_gravcomp"], expected, atol=1e-12)


def test_compensation_through_the_actuator():
    xml = """<mujoco><worldbody><body gravcomp="1">
      <joint name="j" axis="0 1 0" actuatorgravcomp="true" actuatorfrcrange="-1 1"/>
      <inertial pos="0.5 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body></worldbody>
      <actuator><motor joint="j"/></actuator></mujoco>"""
    scene = Scene(xml).forward()
    assert scene["qfrc_passive"][0] == 0
    assert scene["qfrc_actuator"][0] == -1  # -4.905 clamped by the joint's range
    scene.same("qacc")


# ---- tendons

TENDON = """
<mujoco><option timestep="0.002" gravity="0 0 0"/><worldbody><body>
  <joint name="j" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05" mass="1"/>
  </body></worldbody>
  <tendon><fixed name="t" {}><joint joint="j" coef="0.3"/></fixed></tendon>
  <actuator><motor name="tendon" tendon="t"/><motor name="joint" joint="j" gear="0.3"/></actuator>
</mujoco>"""


def test_tendon_length_velocity_and_jacobian():
    """Spec 004-4: 1."""
    scene = Scene(TENDON.format("")).set(qpos=0.5, qvel=2.0).step()
    assert scene["ten_length"][0] == pytest.approx(0.15)
    assert scene["ten_velocity"][0] == pytest.approx(0.6)
    assert scene["ten_J"][0] == 0.3


def test_tendon_motor_equals_joint_motor():
    """Spec 004-4: 2 6."""
    a = Scene(TENDON.format("")).set(ctrl={0: 0.7}).forward()["qfrc_actuator"][0]
    b = Scene(TENDON.format("")).set(ctrl={1: 0.7}).forward()["qfrc_actuator"][0]
    assert a != 0 and abs(a - b) < 1e-10


def test_tendon_springs_and_dampers_move():
    """Spec 004-4: 3."""
    plain = Scene(TENDON.format("")).set(qpos=0.5, qvel=1).step(10)["qvel"][0]
    spring = Scene(TENDON.format('stiffness="100" springlength="0"')).set(qpos=0.5, qvel=1)
    damper = Scene(TENDON.format('damping="10"')).set(qpos=0.5, qvel=1)
    assert spring.step()["qfrc_spring"][0] == pytest.approx(-100 * 0.15 * 0.3)
    assert damper.step()["qfrc_damper"][0] == pytest.approx(-10 * 0.3 * 0.3)
    assert spring.step(9)["qvel"][0] < plain
    assert damper.step(9)["qvel"][0] < plain


def test_tendon_spring_has_a_dead_band():
    """Spec 004-4: 3."""
    scene = Scene(TENDON.format('stiffness="100" springlength="0.1 0.2"'))
    for angle, force in [(0.5, 0), (0.2, 100 * 0.04 * 0.3), (1.0, -100 * 0.1 * 0.3), (1 / 3, 0)]:
        scene.set(qpos=angle).forward()
        assert scene["qfrc_spring"][0] == pytest.approx(force, abs=1e-12)


def test_tendon_limit_has_its_own_parameters():
    """Beyond the range a row acts; how hard is a matter of solreflimit and solimplimit (spec 004-4: 4)."""
    def pushed(extra, angle=1.2):
        return Scene(TENDON.format(f'limited="true" range="-.3 .3" {extra}')).set(qpos=angle, qvel=0.1).forward()

    assert pushed("", 0.9)["qfrc_constraint"][0] == 0  # 0.27, inside
    soft, stiff = pushed('solreflimit=".1 1"'), pushed('solreflimit=".01 1"')
    assert stiff["qfrc_constraint"][0] < soft["qfrc_constraint"][0] < 0
    weak = pushed('solimplimit=".1 .2 .1"')
    assert weak["qfrc_constraint"][0] > pushed("")["qfrc_constraint"][0]
    for scene in (soft, stiff, weak):
        scene.same("qfrc_constraint", "efc_KBIP", "efc_D", tolerance=1e-9 * abs(scene["efc_D"][0]))


# ---- muscles (those of MuJoCo)

MUSCLE = '<muscle joint="j" lengthrange="-0.15 0.15" force="100" {}/>'


def muscle_force(act, qpos=0.1, qvel=0.0):
    scene = Scene(ACTUATOR.format(MUSCLE.format("")))
    return scene.set(qpos=qpos, qvel=qvel, act=act).forward()["actuator_force"][0]


def test_muscle_activation_moves():
    """Spec 004-5: 1."""
    scene = Scene(ACTUATOR.format(MUSCLE.format(""))).set(ctrl=1).step()
    assert scene["act"][0] > 0


def test_muscle_force_is_monotone_in_activation():
    """Spec 004-5: 2."""
    # length 1 in units of the optimal length: no passive force
    forces = [muscle_force(a) for a in np.linspace(0, 1, 11)]
    assert forces[0] == 0
    assert all(b < a for a, b in zip(forces, forces[1:]))  # pulling is negative
    assert abs(muscle_force(1, qpos=-0.1)) < abs(forces[-1])
    assert abs(muscle_force(1, qvel=-0.5)) < abs(forces[-1]) < abs(muscle_force(1, qvel=0.5))


def test_muscle_peak_force():
    """Spec 004-5: 3."""
    assert muscle_force(1) == pytest.approx(-100, rel=1e-12)


def test_muscle_activates_faster_than_it_deactivates():
    """Spec 004-5: 4."""
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


# ---- adhesion

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
def test_adhesion_presses_along_contact_normals(height, margin, condim, cone, jacobian):
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


STICKY = """
<mujoco><option gravity="0 0 -9.81"/><worldbody>
  <geom type="plane" size="3 3 1"/>
  <body name="b" pos="0 0 {height}"><freejoint/>{geom}</body>
  </worldbody><actuator>{actuator}</actuator></mujoco>"""
BALL = '<geom size="0.1" mass="1"/>'
CUBE = '<geom type="box" size=".1 .1 .1" mass="1"/>'
STICK = '<adhesion name="a" body="b" ctrlrange="0 1" gain="{}"/>'


def sticky(height=0.0999, geom=BALL, actuator=STICK.format(100), ctrl=1.0, **state):
    scene = Scene(STICKY.format(height=height, geom=geom, actuator=actuator)).set(ctrl=ctrl, **state)
    return scene.forward().same("qfrc_actuator", "actuator_force", "actuator_length")


def moments(scene):
    """Moments of all actuators, dense."""
    dense = np.zeros((scene.m.nu, scene.m.nv))
    for i in range(scene.m.nu):
        entries = slice(scene["moment_rowadr"][i], scene["moment_rowadr"][i] + scene["moment_rownnz"][i])
        dense[i, scene["moment_colind"][entries]] = scene["actuator_moment"][entries]
    return dense


def contact_jacobian(scene, k, body):
    """Normal Jacobian of a contact for one body, from MuJoCo."""
    jacobian, contact = np.zeros((3, scene.mj.nv)), scene.mjd.contact[k]
    mujoco.mj_jac(scene.mj, scene.mjd, jacobian, None, contact.pos, body)
    return contact.frame[:3] @ jacobian


def test_adhesion_loads():
    """Spec 36: 1."""
    m = _core.MjModel.from_xml_string(STICKY.format(height=1, geom=BALL, actuator=STICK.format(100)))
    assert m.actuator_trnid[0, 0] == 1 and m.actuator_gainprm[0, 0] == 100
    with pytest.raises(ValueError, match="nobody"):
        text = STICKY.format(height=1, geom=BALL, actuator=STICK.format(100)).replace('body="b"', 'body="nobody"')
        _core.MjModel.from_xml_string(text)


def test_adhesion_without_contact_does_nothing():
    """Spec 36: 2 9."""
    scene = sticky(height=1)
    assert not moments(scene).any() and not scene["qfrc_actuator"].any()
    assert moments(sticky()).any()


def test_adhesion_at_one_contact():
    """Spec 36: 3 4."""
    scene = sticky()
    np.testing.assert_allclose(moments(scene)[0], [0, 0, -1, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(scene["qfrc_actuator"], [0, 0, -100, 0, 0, 0], atol=1e-10)


def test_adhesion_averages_four_contacts():
    """Spec 36: 5."""
    scene = sticky(geom=CUBE)
    assert scene.mjd.ncon == 4
    mean = sum(contact_jacobian(scene, k, 1) for k in range(4)) / 4
    np.testing.assert_allclose(moments(scene)[0], -mean, atol=1e-10)


def test_adhesion_ignores_gear():
    """Spec 36: 6."""
    general = '<general body="b" gainprm="100" ctrllimited="true" ctrlrange="0 1" gear="{}"/>'
    one, two = sticky(actuator=general.format(1)), sticky(actuator=general.format(2))
    assert np.array_equal(moments(one), moments(two))
    assert np.array_equal(one["qfrc_actuator"], two["qfrc_actuator"]) and one["qfrc_actuator"][2] == -100


def test_adhesion_is_proportional_to_gain():
    """Spec 36: 7."""
    ratio = sticky(actuator=STICK.format(200))["qfrc_actuator"][2] / sticky()["qfrc_actuator"][2]
    assert ratio == pytest.approx(2, abs=1e-12)


def test_adhesion_switched_off_changes_nothing():
    """Switched off it is as if it were not there (spec 36: 8)."""
    off, none = sticky(ctrl=0).step(20), sticky(actuator="", ctrl=[]).step(20)
    assert np.array_equal(off["qpos"], none["qpos"])


def test_adhesion_length_and_velocity():
    """Spec 36: 10 11."""
    scene = sticky(qvel=np.array([0.1, 0.2, 0.3, 1.0, 2.0, 3.0]), geom=CUBE)
    assert scene["actuator_length"][0] == 0
    assert scene["actuator_velocity"][0] == pytest.approx(moments(scene)[0] @ scene["qvel"], abs=1e-12)
    scene.same("actuator_velocity", tolerance=1e-12)


def test_adhesion_of_a_hinged_body():
    """Spec 36: 13."""
    xml = f"""<mujoco><worldbody><geom type="plane" size="3 3 1"/>
      <body name="b" pos="0 0 .0999"><joint axis="0 1 0"/><geom size=".1" pos=".4 0 0"/></body></worldbody>
      <actuator>{STICK.format(10)}</actuator></mujoco>"""
    scene = Scene(xml).set(ctrl=1).forward()
    axis, arm = np.array([0, 1, 0]), scene.mjd.contact[0].pos - scene.mjd.xanchor[0]
    expected = -scene.mjd.contact[0].frame[:3] @ np.cross(axis, arm)
    assert moments(scene)[0, 0] == pytest.approx(expected, abs=1e-12) and expected > 0.3


def test_adhesion_to_a_movable_platform():
    """Spec 36: 14."""
    xml = f"""<mujoco><worldbody>
      <body name="p"><joint type="slide" axis="0 0 1"/><geom type="box" size="1 1 .1" mass="5"/></body>
      <body name="b" pos="0 0 .1999"><freejoint/>{BALL}</body></worldbody>
      <actuator>{STICK.format(10)}</actuator></mujoco>"""
    scene = Scene(xml).set(ctrl=1).forward()
    force = scene["qfrc_actuator"]
    assert force[0] == pytest.approx(10) and force[3] == pytest.approx(-10)
    scene.same("qfrc_actuator")


def test_adhesion_counts_no_contacts_with_flexes():
    """A box on the floor under a cloth: the mean over the contacts with the floor alone (spec 36: 12)."""
    cloth = '<flexcomp name="f" type="grid" dim="2" count="4 4 1" spacing=".06 .06 .06" pos="0 0 .2" radius=".01" mass=".2"/>'
    xml = STICKY.format(height=0.0999, geom=CUBE, actuator=STICK.format(100)).replace("</worldbody>", cloth + "</worldbody>")
    scene = Scene(xml).set(ctrl=1).forward()
    rigid = [k for k in range(scene.mjd.ncon) if min(scene.mjd.contact[k].geom) >= 0]
    assert len(rigid) == 4 and scene.d.ncon == scene.mjd.ncon > 8
    mean = sum(contact_jacobian(scene, k, 1) for k in rigid) / 4
    np.testing.assert_allclose(moments(scene)[0], -mean, atol=1e-10)
    scene.same("qfrc_actuator", tolerance=1e-9)
