"""The distance equality, an extension: rows like a tendon equality on a path of two sites."""

import mujoco
import numpy as np
import pytest

import sinew
from sinew import derivatives

BODIES = """
  <option timestep=".002" {option}/>
  <worldbody><site name="top" pos="0 0 2"/>
    <body pos="0 0 1"><freejoint/><geom size=".1 .05 .02" type="ellipsoid" mass="1"/><site name="a" pos=".1 0 .05"/></body>
    <body pos="1 0 1"><joint axis="0 1 0"/><joint type="slide" axis="1 0 0"/><geom size=".1" mass="2"/>
      <site name="b" pos="0 .1 0"/></body>
  </worldbody>"""


def model(equality, option=""):
    return sinew.MjModel.from_xml_string(
        f"<mujoco>{BODIES.format(option=option)}<equality>{equality}</equality></mujoco>")


def shaken(m, module=sinew, seed=0):
    data, random = module.MjData(m), np.random.default_rng(seed)
    data.qpos[:] += 0.1 * random.standard_normal(m.nq)
    data.qvel[:] = random.standard_normal(m.nv)
    module.mj_forward(m, data)
    return data


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_row_is_that_of_a_tendon_equality_between_the_sites(jacobian):
    option = f'jacobian="{jacobian}"'
    ours = model('<sinew:distance site1="a" site2="b" solref=".03 .8" solimp=".8 .9 .01 .5 2"/>', option)
    theirs = mujoco.MjModel.from_xml_string(f"""<mujoco>{BODIES.format(option=option)}
      <tendon><spatial name="t"><site site="a"/><site site="b"/></spatial></tendon>
      <equality><tendon tendon1="t" solref=".03 .8" solimp=".8 .9 .01 .5 2"/></equality></mujoco>""")
    a, b = shaken(ours), shaken(theirs, mujoco)
    assert a.nefc == b.nefc == 1
    assert a.efc_pos == pytest.approx(b.efc_pos, rel=1e-12)
    assert a.efc_vel == pytest.approx(b.efc_vel, rel=1e-12)
    assert a.efc_aref == pytest.approx(b.efc_aref, rel=1e-12)
    assert a.efc_J.reshape(-1) == pytest.approx(b.efc_J.reshape(-1), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("distance", [None, 0.7])
def test_bodies_keep_their_distance(distance):
    given = f'distance="{distance}"' if distance else ""
    m = model(f'<sinew:distance site1="top" site2="a" {given}/>')
    data = sinew.MjData(m)
    sinew.mj_forward(m, data)
    expected = distance or np.linalg.norm(data.site_xpos[0] - data.site_xpos[1])
    data.qvel[:3] = 0.5, 0.2, 0
    for _ in range(1000):
        sinew.mj_step(m, data)
    assert np.linalg.norm(data.site_xpos[0] - data.site_xpos[1]) == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize("solver", ["PGS", "CG", "Newton"])
def test_pendulum_on_a_distance_swings_as_a_pendulum(solver):
    """A point mass on a rod: 2 pi sqrt(l / g) for small angles."""
    m = sinew.MjModel.from_xml_string(f"""
      <mujoco><option timestep=".001" solver="{solver}"/><worldbody><site name="top" pos="0 0 2"/>
        <body pos=".01 0 1"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><geom size=".02" mass="1"/>
        <site name="a"/></body></worldbody>
      <equality><sinew:distance site1="top" site2="a" distance="1" solref=".01 1"/></equality></mujoco>""")
    data = sinew.MjData(m)
    period = 2 * np.pi / np.sqrt(9.81)
    for _ in range(round(period / 4 / 0.001)):
        sinew.mj_step(m, data)
    assert abs(data.qpos[0] + 0.01) < 2e-4  # the lowest point after a quarter of a period


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
def test_linearised_step_is_that_of_differences(integrator):
    m = model('<sinew:distance site1="a" site2="b"/><sinew:distance site1="top" site2="a" distance=".9"/>',
              f'integrator="{integrator}"')
    data = shaken(m)
    ours, theirs = (derivatives.transition(m, data, method)[0] for method in ("analytic", "differences"))
    assert np.abs(ours - theirs).max() < 1e-5 * np.abs(theirs).max()


def test_text_is_read_back():
    spec = sinew.MjSpec.from_string(f"""<mujoco>{BODIES.format(option="")}<equality>
      <sinew:distance name="rod" site1="a" site2="b" distance=".6" active="false"/></equality></mujoco>""")
    before = spec.compile()
    after = sinew.MjModel.from_xml_string(spec.to_xml())
    assert after.eq_data[0, 0] == before.eq_data[0, 0] == 0.6
    assert after.eq_type[0] == sinew.mjtEq.mjEQ_DISTANCE and not after.eq_active0[0]


@pytest.mark.parametrize("attributes, message", [
    ("site1='a' site2='z'", "unknown element 'z' in equality constraint"),
    ("site1='a' site2='a'", "is repeated in equality constraint"),
    ("site1='a'", "required attribute missing: 'site2'"),
    ("site1='a' site2='b' distance='-1'", "distance cannot be negative")])
def test_bad_distances_are_errors_that_name_the_element(attributes, message):
    with pytest.raises(ValueError, match=message):
        model(f"<sinew:distance name='rod' {attributes}/>")
