"""Derivatives of a step by parameters of the model: against models compiled anew with other numbers in the file."""

import numpy as np
import pytest
import sinew
from sinew import derivatives
from sinew.parameters import Differences, Parameters

STATE = int(sinew.mjtState.mjSTATE_INTEGRATION)

# numbers of the file, and the parameter that each of them is
ARM = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.01" gravity="0 0 {gravity}" integrator="implicitfast"/>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1" pos="0 0 -.55" friction="{friction} .01 .001" priority="1"/>
    <body name="upper"><joint name="shoulder" axis="0 1 0" damping="{damping}" armature="{armature}"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="{upper}"/>
      <body name="lower" pos=".4 0 0"><joint name="elbow" axis="0 1 0" stiffness="{stiffness}" frictionloss=".02"/>
        <inertial pos=".15 0 0" mass="{lower}" diaginertia=".006 {inertia} .006"/>
        <geom name="hand" type="sphere" size="{size}" pos=".3 0 0"/></body></body>
  </worldbody>
  <actuator><position name="servo" joint="shoulder" kp="{kp}" kv="0.2"/><motor name="motor" joint="elbow" gear="{gear}"/>
    <general name="lag" joint="elbow" dyntype="filter" dynprm="{lag}" gainprm="0.3"/></actuator>
</mujoco>
"""
ARM_PLACES = dict(gravity="opt.gravity[2]", friction="geom_friction[floor,0]", damping="dof_damping[shoulder]",
                  armature="dof_armature[shoulder]", upper="mass[upper]", stiffness="jnt_stiffness[elbow]",
                  lower="body_mass[lower]", inertia="body_inertia[lower,1]", size="geom_size[hand,0]", kp="kp[servo]",
                  gear="actuator_gear[motor,0]", lag="actuator_dynprm[lag,0]")
ARM_VALUES = dict(gravity=-9.81, friction=0.7, damping=0.4, armature=0.02, upper=1.1, stiffness=3.0, lower=0.6, inertia=0.0061,
                  size=0.05, kp=20.0, gear=2.0, lag=0.1)

TUMBLE = """
<mujoco>
  <option timestep="{timestep}" solver="Newton" tolerance="0" iterations="50" integrator="implicitfast"/>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1" friction="{slide} {spin} {roll}" priority="1" condim="6" solref="{solref} 1"/>
    <body name="top" pos="0 0 .098"><freejoint/>
      <inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia} .004 .005"/>
      <geom name="ball" type="ellipsoid" size="{length} .1 .1"/></body>
  </worldbody>
</mujoco>
"""
TUMBLE_PLACES = dict(timestep="opt.timestep", slide="geom_friction[floor,0]", spin="geom_friction[floor,1]",
                     roll="geom_friction[floor,2]", solref="geom_solref[floor,0]", mass="body_mass[top]",
                     inertia="body_inertia[top,0]", length="geom_size[ball,0]")
TUMBLE_VALUES = dict(timestep=0.004, slide=0.4, spin=0.02, roll=0.002, solref=0.02, mass=0.9, inertia=0.003, length=0.13)

# every kind with a closed form, under constraints of every kind that inertias weigh
CHAIN = """
<mujoco>
  <compiler angle="radian" autolimits="true"/>
  <option timestep="0.005" integrator="{integrator}" cone="{cone}" tolerance="0" iterations="50" gravity="{push} 0 -9.81"/>
  <worldbody>
    <geom type="plane" size="2 2 .1" pos="0 0 -.25"/>
    <body name="root"><joint name="ball" type="ball" stiffness="{ball}" damping="{damping}"/>
      <inertial pos=".02 {com} .1" mass="{mass}" diaginertia=".02 .03 {inertia}" euler=".1 .2 .3"/>
      <geom type="sphere" size=".05" pos=".2 0 0"/>
      <body name="link" pos=".2 0 0"><joint name="hinge" axis="0 1 .2" range="-1 .1" frictionloss="{loss}" armature="{armature}"/>
        <inertial pos="{tip} 0 .01" mass=".4" diaginertia=".004 .003 .002"/>
        <geom name="foot" type="sphere" size=".05" pos=".3 0 0" condim="3"/><site name="a" pos=".1 0 .1"/>
        <body name="slider" pos=".3 0 0"><joint name="slide" type="slide" axis="0 0 1" stiffness="{slide}" frictionloss=".05" springref=".1"/>
          <geom type="box" size=".03 .04 .05" mass=".3" contype="0" conaffinity="0"/><site name="b" pos="0 .05 .1"/></body></body></body>
    <body name="held" pos="0 .4 0"><freejoint/><geom type="box" size=".05 .06 .07" mass="{held}" contype="0" conaffinity="0"/></body>
  </worldbody>
  <equality><connect body1="held" body2="root" anchor="0 -.1 0"/></equality>
  <tendon><spatial name="rope" stiffness="{rope}" damping="{drag}" springlength="{slack}"><site site="a"/><site site="b"/></spatial>
    <fixed name="sum" range="-2 -.1"><joint joint="hinge" coef="1"/><joint joint="slide" coef="2"/></fixed></tendon>
  <actuator><general name="affine" joint="hinge" gear="{gear}" gaintype="affine" gainprm="{gain} {gain1} {gain2}" biastype="affine"
      biasprm="{bias} {bias1} {bias2}"/><general name="pull" tendon="rope" gear="{pull}" biastype="affine" biasprm="0 -3 -2"/>
    <general name="lag" joint="slide" dyntype="filter" dynprm=".1" gainprm="{lag}" gear="1.3"/></actuator>
</mujoco>
"""
CHAIN_PLACES = dict(push="opt.gravity[0]", ball="jnt_stiffness[ball]", com="body_ipos[root,1]", mass="body_mass[root]",
                    inertia="body_inertia[root,2]", armature="dof_armature[hinge]", loss="dof_frictionloss[hinge]",
                    tip="body_ipos[link,0]", slide="jnt_stiffness[slide]", held="mass[held]", rope="tendon_stiffness[rope]",
                    drag="tendon_damping[rope]", gear="actuator_gear[affine,0]", gain="actuator_gainprm[affine,0]",
                    gain1="actuator_gainprm[affine,1]", gain2="actuator_gainprm[affine,2]", bias="actuator_biasprm[affine,0]",
                    bias1="actuator_biasprm[affine,1]", bias2="actuator_biasprm[affine,2]", pull="actuator_gear[pull,0]",
                    lag="actuator_gainprm[lag,0]")
CHAIN_VALUES = dict(push=0.3, ball=2.0, damping=0.1, com=0.03, mass=0.8, inertia=0.04, armature=0.01, loss=0.04, tip=0.12, slide=5.0,
                    held=0.5, rope=8.0, drag=0.3, slack=0.1, gear=1.7, gain=2.0, gain1=0.3, gain2=0.2, bias=0.1, bias1=-1.5,
                    bias2=-0.4, pull=0.6, lag=0.9)

CASES = {"arm": (ARM, ARM_PLACES, ARM_VALUES), "tumble": (TUMBLE, TUMBLE_PLACES, TUMBLE_VALUES)}
CASES.update({f"chain, {integrator}, {cone}": (CHAIN, CHAIN_PLACES, dict(CHAIN_VALUES, integrator=integrator, cone=cone))
              for integrator, cone in (("Euler", "pyramidal"), ("implicitfast", "elliptic"), ("implicit", "elliptic"), ("RK4", "elliptic"))})


def start(name):
    xml, places, values = CASES[name]
    model = sinew.MjModel.from_xml_string(xml.format(**values))
    data, random = sinew.MjData(model), np.random.default_rng(3)
    if name == "arm":
        data.qpos[:] = 0.9, -0.2  # the hand on the floor
        data.qvel[:] = 0.1, 0.2
        data.ctrl[:] = 0.5, 0.4, 0.3
        data.act[:] = 0.2
    elif name.startswith("chain"):
        data.qpos[:6] = 0.99, 0.02, 0.1, 0.03, 0.8, 0.01
        data.qvel[:] = random.normal(0, 0.5, model.nv)
        data.qvel[1], data.qvel[3] = 1, 3  # down
        data.ctrl[:], data.act[:] = (0.3, 0.2, 0.1), 0.4
        data.xfrc_applied[1, :3] = 0.3, -0.2, 0.5
    else:
        data.qpos[3:] = [0.9, 0.1, 0.3, 0.2]
        data.qpos[3:] /= np.linalg.norm(data.qpos[3:])
        data.qvel[:] = random.normal(0, 0.5, model.nv)
    for _ in range(0 if name.startswith("chain") else 3):
        sinew.mj_step(model, data)
    sinew.mj_forward(model, data)
    assert data.ncon > 0 and np.any(data.efc_force[data.contact[0].efc_address :] > 0)
    return model, data, places, values


def next_state(xml, values, state):
    model = sinew.MjModel.from_xml_string(xml.format(**values))
    data = sinew.MjData(model)
    sinew.mj_setState(model, data, state, STATE)
    sinew.mj_step(model, data)
    return model, data


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("method", ["analytic", "differences"])
def test_derivatives_are_those_of_models_compiled_anew(name, method, all_digits):
    model, data, places, values = start(name)
    D = derivatives.parameters(model, data, places.values(), method)
    closed = derivatives.known_parameters(model, data, places.values()) & (method == "analytic")
    state = np.empty(sinew.mj_stateSize(model, STATE))
    sinew.mj_getState(model, data, state, STATE)
    for column, key, exact in zip(D.T, places, closed):
        h = (1e-4 if name.startswith("chain") else 1e-5) * abs(values[key])
        (_, up), (_, down) = (next_state(CASES[name][0], {**values, key: values[key] + s * h}, state) for s in (1, -1))
        turn = np.zeros(model.nv)
        sinew.mj_differentiatePos(model, turn, 1, down.qpos, up.qpos)
        expected = np.concatenate([turn, up.qvel - down.qvel, up.act - down.act]) / (2 * h)
        assert np.abs(expected).max() > 0, key
        # the file's number and the field's differ in their last bit, and bits are divided by h; under the constraints of the chain
        # differences divide the solver's last bits, some 1e-14 of a velocity, by their steps
        noise = 1e-9 if exact or not name.startswith("chain") else 4e-14 / (1e-5 * abs(values[key]))
        assert np.allclose(column, expected, rtol=1e-6, atol=1e-14 / h + noise), (key, column - expected)


DIFFERENCED = {"arm": {"friction", "size", "lag"}, "tumble": set(TUMBLE_PLACES) - {"mass", "inertia"},
               "chain, Euler, pyramidal": set(), "chain, implicitfast, elliptic": set(),
               "chain, implicit, elliptic": {"com", "mass", "inertia", "tip", "held"}, "chain, RK4, elliptic": set(CHAIN_PLACES)}


@pytest.mark.parametrize("name", CASES)
def test_what_has_no_closed_form_is_said(name):
    model, data, places, _ = start(name)
    known = derivatives.known_parameters(model, data, places.values())
    assert {key for key, closed in zip(places, known) if not closed} == DIFFERENCED[name]


def test_closed_forms_are_those_of_differences_on_a_humanoid():
    """Standing with both feet on the floor: every mass and centre of mass, damping, armature, springs, gears."""
    model = sinew.MjModel.from_xml_path("models/humanoid.xml")
    data = sinew.MjData(model)
    random = np.random.default_rng(0)
    data.ctrl[:] = random.uniform(-0.5, 0.5, model.nu)
    model.opt.tolerance = 0
    sinew.mj_step(model, data, 60)
    names = ["body_mass[torso]", "mass[right_foot]", "body_inertia[pelvis]", "body_inertia[torso,1]", "dof_damping", "dof_armature[3]",
             "jnt_stiffness", "actuator_gear[3,0]", "opt.gravity"]
    chosen = Parameters(model, names)
    assert data.ncon > 0 and derivatives.known_parameters(model, data, chosen).all()
    closed, differences = (derivatives.parameters(model, data, chosen, method) for method in ("analytic", "differences"))
    assert np.all(np.abs(closed - differences).max(axis=0) < 1e-5 * np.abs(differences).max(axis=0) + 1e-8)


def test_a_parameter_at_zero_has_its_derivative():
    """Damping that is zero is felt from the first bit on."""
    model = sinew.MjModel.from_xml_string("""
      <mujoco><option timestep=".01" gravity="0 0 0"/><worldbody><body><joint name="j"/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 2"/></body></worldbody></mujoco>""")
    data = sinew.MjData(model)
    data.qvel[:] = 1.5
    D = derivatives.parameters(model, data, ["dof_damping[j]", "jnt_stiffness[j]"])
    assert D[1] == pytest.approx([-0.01 * 1.5 / 2, 0], abs=1e-15)


def test_model_and_data_stay_as_they_are():
    model, data, places, _ = start("arm")
    before = model._to_bytes(), data._to_bytes()
    derivatives.parameters(model, data, places.values())
    assert (model._to_bytes(), data._to_bytes()) == before


def test_damping_has_its_closed_form():
    """qvel+ = (M + h D)^-1 (M qvel + h f): of one hinge without other forces, by D."""
    model = sinew.MjModel.from_xml_string("""
      <mujoco><option timestep=".01" gravity="0 0 0"/><worldbody><body><joint name="j" damping="0.3"/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 2"/></body></worldbody></mujoco>""")
    data = sinew.MjData(model)
    data.qvel[:] = 1.5
    D = derivatives.parameters(model, data, "dof_damping[j]")
    exact = -0.01 * 1.5 * 2 / (2 + 0.01 * 0.3) ** 2
    assert D[:, 0] == pytest.approx([0.01 * exact, exact], rel=1e-8)


def test_many_states_with_values_of_their_own():
    """Each is what it would be alone, in a model with these values."""
    model, data, _, _ = start("arm")
    names = ["mass[lower]", "dof_damping", "kp[servo]"]
    chosen = Parameters(model, names)
    assert chosen.labels == ["mass[lower]", "dof_damping[0]", "dof_damping[1]", "kp[servo]"]
    random = np.random.default_rng(0)
    values = chosen.values() * random.uniform(0.8, 1.2, (3, 4)) + 0.01
    states = np.empty((3, sinew.mj_stateSize(model, STATE)))
    for state in states:
        data.qvel[:] += random.normal(size=model.nv)
        sinew.mj_getState(model, data, state, STATE)
    together = Differences(model, names, 3)(states, values)
    for state, value, found in zip(states, values, together):
        assert np.array_equal(found, Differences(model, names)(state[None], value)[0])


def test_a_trial_that_goes_bad_gives_zeros_and_harms_no_later_one():
    model, data, _, _ = start("arm")
    once = Differences(model, ["mass[lower]", "dof_damping[elbow]"])
    state = np.empty((1, sinew.mj_stateSize(model, STATE)))
    sinew.mj_getState(model, data, state[0], STATE)
    good, bad = once(state), state.copy()
    bad[0, -1 - model.nv] = bad[0, 1] = np.nan
    found = once(bad)
    assert np.isfinite(found).all()
    assert np.array_equal(once(state), good)


@pytest.mark.parametrize("name, error, words", [
    ("mass[lowr]", KeyError, "Did you mean 'lower'"),
    ("body_weight[lower]", KeyError, "no field 'body_weight'"),
    ("opt.weight", KeyError, "no field 'opt.weight'"),
    ("geom_type[hand]", TypeError, "no real numbers"),
    ("geom_size[hand,7]", IndexError, "outside of geom_size"),
    ("geom_size[hand", ValueError, "field\\[object\\]"),
    ("kp[motor]", ValueError, "no position servo"),
    ("body_iquat[lower]", ValueError, "does not read body_iquat"),
    ("mass[world]", ValueError, "without mass"),
    ("dof_damping[99]", IndexError, "outside"),
])
def test_wrong_names_say_what_is_wrong(name, error, words):
    model, *_ = start("arm")
    with pytest.raises(error, match=words):
        Parameters(model, [name])


def test_a_number_is_named_once():
    model, *_ = start("arm")
    with pytest.raises(ValueError, match="twice"):
        Parameters(model, ["dof_damping[elbow]", "dof_damping[elbow]"])
