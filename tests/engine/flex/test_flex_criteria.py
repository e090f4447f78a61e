"""Laws of bending and stretch: MuJoCo's against MuJoCo, ours against closed forms, what a choice changes."""

import mujoco
import numpy as np
import pytest
import sinew

SHELL = "type='grid' count='4 4 1' spacing='.1 .1 .1' dim='2'"
# two triangles with a common edge along y, of which one can be folded up
FLAP = "type='direct' dim='2' point='0 0 0  0 1 0  -1 .5 0  1 .5 {}' element='1 0 2  0 1 3'"


def build(module, attributes, elasticity="young='1e4' poisson='.3' thickness='.01' elastic2d='bend'"):
    return module.MjModel.from_xml_string(f"""<mujoco><option gravity='0 0 0'/><worldbody>
      <flexcomp name='f' {attributes} radius='.001' mass='1'>
        <contact contype='0' conaffinity='0' selfcollide='none' internal='false'/>
        <elasticity {elasticity}/></flexcomp></worldbody></mujoco>""")


def bent(module, model, size=0.02, seed=1):
    data = module.MjData(model)
    data.qpos[:] += size * np.random.default_rng(seed).standard_normal(model.nq)
    module.mj_forward(model, data)
    return data


@pytest.mark.parametrize("shape", [SHELL, FLAP.format(0.6)], ids=["flat", "curved at rest"])
def test_default_bending_is_mujocos(shape):
    """A perturbed shell, flat or folded at rest, has MuJoCo's spring force to 1e-8 (spec 42B: 1 4)."""
    theirs, ours = (bent(module, build(module, shape)) for module in (mujoco, sinew))
    assert np.abs(theirs.qfrc_spring).max() > 0
    assert np.abs(theirs.qfrc_spring - ours.qfrc_spring).max() < 1e-8 * max(1, np.abs(theirs.qfrc_spring).max())


@pytest.mark.parametrize("rest", [0.0, 0.7])
def test_hinge_turns_by_its_moment(rest):
    """A flap that is folded by t has the moment k (t - t0) about its edge, and nothing pushes it along (spec 42B: 2)."""
    k = 0.3
    model = build(sinew, FLAP.format(np.tan(rest)) + f" sinew:bending_model='bridson' sinew:bending_param='{k} 0'")
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    corner = data.flexvert_xpos.reshape(-1, 3).copy()
    free = int(np.argmax(corner[:, 0]))
    for angle in (rest + 0.4, rest - 0.3):
        place = np.array([np.cos(angle), 0.5, np.sin(angle)]) * [1 / np.cos(rest), 1, 1 / np.cos(rest)]
        data.qpos[:] = 0
        data.qpos[3 * free:3 * free + 3] = place - corner[free]
        sinew.mj_forward(model, data)
        force = data.qfrc_spring.reshape(-1, 3)
        moment = place[2] * force[free, 0] - place[0] * force[free, 2]
        np.testing.assert_allclose(moment, k * (angle - rest), rtol=1e-9)
        np.testing.assert_allclose(force.sum(0), 0, atol=1e-12)


@pytest.mark.parametrize("law", ["cotangent", "bridson"])
def test_one_triangle_does_not_bend(law):
    """All edges of a single triangle are boundary edges: no force however it moves (spec 42B: 5)."""
    model = build(sinew, f"type='direct' dim='2' point='0 0 0 1 0 0 0 1 0' element='0 1 2' sinew:bending_model='{law}'")
    assert (bent(sinew, model, 0.3).qfrc_spring == 0).all()


def test_choice_of_bending_changes_bending_alone():
    """The difference of two laws is the difference of their bending forces: stretch is the same (spec 42B: 6)."""
    both = "young='1e4' poisson='.3' thickness='.01' elastic2d='both'"
    bend = both.replace("both", "bend")
    force = {(law, e): bent(sinew, build(sinew, f"{SHELL} sinew:bending_model='{law}'", e)).qfrc_spring.copy()
             for law in ("cotangent", "bridson") for e in (both, bend)}
    stretch = [force[law, both] - force[law, bend] for law in ("cotangent", "bridson")]
    np.testing.assert_allclose(stretch[0], stretch[1], atol=1e-9 * np.abs(stretch[0]).max())
    assert np.abs(force["cotangent", bend] - force["bridson", bend]).max() > 1e-6


def test_named_defaults_are_the_unnamed_ones():
    """linear and cotangent by name are the same bits as no name (spec 42C: 1)."""
    elasticity = "young='1e4' poisson='.3' thickness='.01' elastic2d='both'"
    names = " sinew:elasticity_model='linear' sinew:bending_model='cotangent'"
    a, b = (bent(sinew, build(sinew, SHELL + more, elasticity)).qfrc_spring for more in ("", names))
    np.testing.assert_array_equal(a, b)


def strained(attributes, elasticity, strain):
    """Spring forces of a flex that is stretched along x."""
    model = build(sinew, attributes, elasticity)
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    data.qpos.reshape(-1, 3)[:, 0] += strain * data.flexvert_xpos[:, 0]
    sinew.mj_forward(model, data)
    return data.qfrc_spring.reshape(-1, 3).copy(), data.flexvert_xpos[:, 0].copy()


def test_membrane_pulls_back_when_it_is_stretched():
    """A Neo-Hookean sheet that is 10 % longer pulls its ends together with E/(1 - nu^2) of its section (spec 42C: 3)."""
    force, x = strained(SHELL + " sinew:elasticity_model='neo_hookean'", "young='1e4' poisson='.3' thickness='.01'", 0.1)
    right = force[x > x.max() - 1e-9, 0].sum()
    section, stress = 0.3 * 0.01, 1e4 / (1 - 0.3**2) * 0.1
    assert right < 0 and abs(-right / (section * stress) - 1) < 0.25
    np.testing.assert_allclose(force.sum(0), 0, atol=1e-9)


def test_small_strains_agree_with_the_linear_law():
    """At 1 % strain Neo-Hookean and linear forces of a solid agree within 5 % (nu = 0: MuJoCo's lambda differs) (spec 42C: 5)."""
    solid, elasticity = "type='grid' count='3 3 3' spacing='.1 .1 .1' dim='3'", "young='1e4' poisson='0'"
    forces = [strained(f"{solid} sinew:elasticity_model='{law}'", elasticity, 0.01)[0] for law in ("linear", "neo_hookean")]
    assert np.abs(forces[0] - forces[1]).max() < 0.05 * np.abs(forces[0]).max()
