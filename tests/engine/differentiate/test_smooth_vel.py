"""Public pieces of the derivatives: smooth forces by velocity, errors between schemes, convergence."""

import pathlib

import numpy as np
import pytest

import sinew
from sinew import derivatives

ROOT = pathlib.Path(__file__).resolve().parents[3]
XML = """<mujoco><option integrator='{}' density='1.2' viscosity='1e-3'/><worldbody>
  <body><joint name='a' axis='0 1 0' damping='.3'/><geom type='capsule' size='.03' fromto='0 0 0 .4 0 0'/>
    <body pos='.4 0 0'><joint name='b' axis='0 0 1' damping='.1'/><geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/>
      <body pos='.3 0 0'><joint name='c' type='ball' damping='.05'/><geom type='box' size='.1 .05 .02'/></body></body></body>
  </worldbody><tendon><fixed name='t' damping='.2'><joint joint='a' coef='1'/><joint joint='b' coef='-.5'/></fixed></tendon>
  <actuator><general joint='a' gaintype='affine' gainprm='1 0 -.2' biastype='affine' biasprm='0 0 -.3' ctrlrange='-1 1'/>
  <velocity tendon='t' kv='.7'/></actuator></mujoco>"""


def moving(integrator="Euler"):
    model = sinew.MjModel.from_xml_string(XML.format(integrator))
    data, random = sinew.MjData(model), np.random.default_rng(3)
    sinew.mj_integratePos(model, data.qpos, random.standard_normal(model.nv), 0.5)
    data.qvel[:], data.ctrl[:] = random.standard_normal(model.nv), (0.4, -0.3)
    sinew.mj_forward(model, data)
    return model, data


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast", "implicitspringdamper"])
def test_smooth_forces_by_velocity_under_every_integrator(integrator):
    """snd_smoothVel is the difference quotient of passive + actuator - bias force, whatever the integrator."""
    model, data = moving(integrator)
    D, velocity, eps = derivatives.smooth_vel(model, data), data.qvel.copy(), 1e-5

    def force(change):
        data.qvel[:] = velocity + change
        sinew.mj_forward(model, data)
        return data.qfrc_passive + data.qfrc_actuator - data.qfrc_bias

    steps = eps * np.eye(model.nv)
    expected = np.stack([(force(s) - force(-s)) / (2 * eps) for s in steps], axis=1)
    error, where = derivatives.max_relative_error(D, expected, 1e-3)
    assert error < 1e-5, where


def test_schemes_are_validated():
    """The hybrid scheme agrees with differences; differences converge at a fair eps and not at rounding."""
    model, data = moving()
    A_error, B_error = derivatives.validate(model, data)
    hybrid, differences = (derivatives.transition(model, data, method)[0] for method in ("hybrid", "differences"))
    assert derivatives.max_relative_error(hybrid, differences)[0] == pytest.approx(A_error) and B_error < 1
    assert derivatives.check_convergence(model, data, 1e-4, 0.5) in (True, False)
    with pytest.raises(ValueError, match="eps is not in"):
        derivatives.check_convergence(model, data, 1.0)


def test_maximum_relative_error_says_where():
    a = np.array([[1.0, 2], [3, 4]])
    b = a.copy()
    b[1, 0] = 3.3
    error, where = derivatives.max_relative_error(a, b)
    assert error == pytest.approx(0.3 / 3.3) and where == (1, 0)
    assert derivatives.max_relative_error(a, a)[0] == 0
    with pytest.raises(ValueError, match="shapes"):
        derivatives.max_relative_error(a, a[0])
