"""Steps of flex models with every integrator against MuJoCo."""

import flexes
import mujoco
import numpy as np
import pytest
import sinew
from sinew import bridge

INTEGRATORS = ["EULER", "IMPLICITFAST"]
INTEGRATORS += [pytest.param(name, marks=pytest.mark.full) for name in ("RK4", "IMPLICIT")]
# two nodes on one moving body: MuJoCo lists its dofs twice and divides by a pivot of 1e-15
UNDEFINED = {("gripper_trilinear", "IMPLICIT"), ("gripper_trilinear", "IMPLICITFAST")}


def disturb(mj_model, mj_data):
    mj_data.qvel[:] = 0.1 * np.random.default_rng(0).standard_normal(mj_model.nv)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", flexes.shipped())
def test_one_step_of_shipped_models(name, integrator):
    if (name, integrator) in UNDEFINED:
        pytest.skip("undefined in MuJoCo")
    mj_model, mj_data, model, data = flexes.pair(flexes.shipped()[name])
    for options in (mj_model.opt, model.opt):
        options.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}")
        options.solver = mujoco.mjtSolver.mjSOL_NEWTON  # CG stops early, where rounding decides
        options.tolerance = 1e-14
    disturb(mj_model, mj_data)
    for _ in range(2):
        mujoco.mj_step(mj_model, mj_data)
    bridge.state_from_mujoco(mj_data, data)
    mujoco.mj_step(mj_model, mj_data)
    sinew.mj_step(model, data)
    assert flexes.distance(data.qDeriv, mj_data.qDeriv) < 1e-9
    assert flexes.distance(data.qvel, mj_data.qvel) < 1e-7
    assert flexes.distance(data.qpos, mj_data.qpos) < 1e-9


CUBE = """
<mujoco><option timestep="0.002" gravity="0 0 0" integrator="{integrator}"/><worldbody><body name="base">
<flexcomp name="cube" type="grid" dim="3" dof="trilinear" count="4 4 4" spacing="0.5 0.5 0.5" mass="4" radius="0.001">
<elasticity young="1000" poisson="0.25" damping="0.1"/><contact selfcollide="none"/></flexcomp>
</body></worldbody></mujoco>"""

# velocities of the first two nodes after one step of MuJoCo 3.5.0
KNOWN = {
    "Euler": [0.091387918776, 0.040095425978, 0.070052740602, 0.050305271534, 0.044956298717, 0.909046919999],
    "implicit": [0.072840287708, 0.026362315067, 0.054157722984, 0.035505490855, 0.031706984325, 0.926201302652],
}
KNOWN["implicitfast"] = KNOWN["implicit"]


@pytest.mark.parametrize("integrator", KNOWN)
def test_trilinear_cube_with_known_numbers(integrator):
    _, _, model, data = flexes.pair(CUBE.format(integrator=integrator))
    data.qpos[0] = -0.1
    data.qvel[5] = 1
    sinew.mj_step(model, data)
    np.testing.assert_allclose(data.qvel[:6], KNOWN[integrator], atol=1e-11)
    # the stiffness sees no translation: momentum of the one moving node is conserved
    mass = model.body_mass[model.flex_nodebodyid]
    momentum = mass @ data.qvel.reshape(-1, 3)
    np.testing.assert_allclose(momentum, [0, 0, mass[1]], atol=1e-12)
