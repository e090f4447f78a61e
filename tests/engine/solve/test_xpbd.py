"""The XPBD contact solver (criteria 42E): rest, overlap, limits, equalities, friction, switches at run time."""

import corpus
import numpy as np
import pytest

import sinew
from sinew import derivatives

XPBD, NEWTON = sinew.mjtSolver.mjSOL_XPBD, sinew.mjtSolver.mjSOL_NEWTON
PLANE = "<geom type='plane' size='3 3 .1'/>"


def build(body, option="", more=""):
    return sinew.MjModel.from_xml_string(
        f"<mujoco><option sinew:solver='xpbd' {option}/><worldbody>{body}</worldbody>{more}</mujoco>")


def box(height, size=0.1, extra=""):
    return f"<body pos='0 0 {height}'><freejoint/><geom type='box' size='{size} {size} {size}' {extra}/></body>"


def run(model, time, data=None, watch=None):
    data = data or sinew.MjData(model)
    for _ in range(round(time / model.opt.timestep)):
        sinew.mj_step(model, data)
        if watch:
            watch(data)
    assert not data.warning.number.any()
    return data


@pytest.mark.parametrize("substeps", [1, 4])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_box_falls_and_rests_on_a_plane(cone, substeps):
    """A box comes to rest at the surface and carries its weight (spec 42E: 2)."""
    model = build(PLANE + box(0.3), f"cone='{cone}' sinew:xpbd_substeps='{substeps}'")
    data = run(model, 2)
    # sweeps end when they move rows by less than 1e-8 m in a substep of 0.5 ms
    assert abs(data.qpos[2] - 0.1) < 2e-5 and np.abs(data.qvel).max() < 2e-5
    force = np.zeros(6)
    total = 0
    for contact in range(data.ncon):
        sinew.mj_contactForce(model, data, contact, force)
        total += force[0]
    assert abs(total - 9.81 * model.body_mass[1]) < 1e-3 * total


@pytest.mark.parametrize("depth", [1e-3, 0.02, 0.05])
def test_overlap_is_gone_after_a_step_of_twenty_iterations(depth):
    """Interpenetration is below 1e-4 m within 20 iterations, and bodies part without a throw (spec 42E: 3)."""
    model = build(PLANE + box(0.1 - depth), "iterations='20'")
    data = sinew.MjData(model)
    sinew.mj_step(model, data)
    assert data.solver_niter[0] <= 40  # velocities and positions
    sinew.mj_forward(model, data)
    assert data.ncon == 4 and data.contact.dist.min() > -1e-4
    assert np.abs(data.qvel).max() < 1e-3


def test_stack_of_ten_boxes_stays():
    """Ten boxes drift less than 1 mm in 10 s, and the whole overlap is a few hundredths of a millimetre."""
    model = build(PLANE + "".join(box(0.1 + 0.2 * i) for i in range(10)))
    data = sinew.MjData(model)
    start = data.qpos.copy()
    run(model, 10, data)
    assert np.abs(data.qpos - start).max() < 1e-3
    assert data.contact.dist.min() > -1e-4


@pytest.fixture(scope="module")
def lying():
    """A humanoid that fell under the default solver, as it lies after 3 s."""
    model = sinew.MjModel.from_xml_path(str(corpus.ROOT / "models/humanoid.xml"))
    return run(model, 3).qpos.copy()


@pytest.mark.parametrize("substeps", [1, 4])
def test_humanoid_lies_within_its_limits(lying, substeps):
    """A humanoid lies for 10 s; no joint exceeds its limit by 0.01 rad, tendons and friction included."""
    spec = sinew.MjSpec.from_file(str(corpus.ROOT / "models/humanoid.xml"))
    spec.option.solver, spec.xpbd_substeps = XPBD, substeps
    model = spec.compile()
    data = sinew.MjData(model)
    data.qpos[:] = lying
    limited = np.flatnonzero(model.jnt_limited.ravel() & (model.jnt_type.ravel() >= 2))
    adr, bound = model.jnt_qposadr[limited].ravel(), model.jnt_range[limited]
    worst = []

    def watch(data):
        q = data.qpos[adr]
        worst.append(np.maximum(bound[:, 0] - q, q - bound[:, 1]).max())

    data = run(model, 10, data, watch)
    # the soft limits of the default solver gave way to the pose at the beginning
    settled = round(0.1 / model.opt.timestep)
    assert max(worst[settled:]) < 0.01 and worst[-1] < 1e-4
    assert np.abs(data.qvel).max() < 0.05


# ---- rows of every kind


def test_compliant_contact_gives_way_by_compliance_times_force():
    """With compliance a a sphere on a plane sinks in by a f beyond the slop of 1e-5 m."""
    model = build(PLANE + "<body pos='0 0 .1'><freejoint/><geom size='.1' mass='2'/></body>", "sinew:xpbd_compliance='1e-5'")
    data = run(model, 3)
    assert abs(0.1 - data.qpos[2] - 1e-5 - 1e-5 * 2 * 9.81) < 1e-7


def pendulum(equality):
    return build("<body name='a' pos='0 0 1'><freejoint/><geom size='.05' mass='2'/></body>", "",
                 f"<equality>{equality}</equality>")


@pytest.mark.parametrize("equality", ["<connect body1='a' anchor='0 0 .1'/>", "<weld body1='a'/>"])
def test_equalities_hold_a_body(equality):
    """A body hangs from a connect or a weld: the anchor does not move."""
    model = pendulum(equality)
    data = run(model, 2)
    assert np.abs(data.efc_pos).max() < 1e-6
    np.testing.assert_allclose(data.qpos[:3], [0, 0, 1], atol=1e-6)
    np.testing.assert_allclose(data.qfrc_constraint[2], 2 * 9.81, rtol=1e-6)


def test_chain_of_connects_keeps_its_length():
    """Twelve balls joined by points swing: gaps are half those of the default solver, and close at rest."""
    bodies = "".join(f"<body name='b{i}' pos='{0.1 * i} 0 2'><freejoint/><geom size='.03' contype='0'/></body>" for i in range(12))
    joined = "".join(f"<connect body1='b{i}' body2='b{i + 1}' anchor='.05 0 0'/>" for i in range(11))
    model = build(bodies, "viscosity='2'", f"<equality><connect body1='b0' anchor='0 0 0'/>{joined}</equality>")
    gaps = {}
    for solver in (XPBD, NEWTON):
        model.opt.solver, gaps[solver] = solver, []
        run(model, 3, watch=lambda data: gaps[solver].append(np.abs(data.efc_pos).max()))
    assert max(gaps[XPBD]) < 0.5 * max(gaps[NEWTON]) and gaps[XPBD][-1] < 1e-4


@pytest.mark.parametrize("degrees, slides", [(25, False), (28, True)])
def test_box_on_a_slope_slides_beyond_the_friction_angle(degrees, slides):
    """Friction 0.5: a box stays below 26.6 degrees to 0.1 mm, and beyond accelerates by g (sin - mu cos)."""
    a = np.radians(degrees)
    model = build("<geom type='plane' size='9 9 .1' friction='.5'/>" + box(0.1, extra="friction='.5'"),
                  f"gravity='{9.81 * np.sin(a)} 0 {-9.81 * np.cos(a)}'")
    data = run(model, 1)
    expected = 9.81 * (np.sin(a) - 0.5 * np.cos(a)) / 2 if slides else 0
    assert abs(data.qpos[0] - expected) < (0.01 * expected if slides else 1e-4)


@pytest.mark.parametrize("torque, moves", [(0.99, False), (1.5, True)])
def test_dry_friction_of_a_joint_holds_up_to_its_bound(torque, moves):
    """A hinge with frictionloss 1 moves under more than 1 N m, with the difference."""
    model = build("<body><joint axis='0 0 1' frictionloss='1'/><geom size='.1' mass='1' pos='.2 0 0'/></body>", "gravity='0 0 0'")
    data = sinew.MjData(model)
    data.qfrc_applied[:] = torque
    run(model, 0.5, data)
    inertia = 1 * 0.2**2 + 0.4 * 0.1**2
    np.testing.assert_allclose(data.qvel[0], 0.5 * (torque - 1) / inertia if moves else 0, rtol=1e-9, atol=1e-12)


TENDON = ("<body pos='0 0 1'><joint name='j' type='slide' axis='0 0 1'/><geom size='.05' mass='1'/></body>",
          "<tendon><fixed name='t' {}><joint joint='j' coef='1'/></fixed></tendon>")


def test_tendon_limit_friction_and_equality():
    """Rows of tendons: a limit stops the weight, friction carries it, an equality holds it."""
    data = run(build(TENDON[0], "", TENDON[1].format("range='-.2 .2' limited='true'")), 2)
    assert abs(data.qpos[0] + 0.2) < 2e-5 and abs(data.qvel[0]) < 1e-9
    data = run(build(TENDON[0], "", TENDON[1].format("frictionloss='10'")), 1)
    assert abs(data.qpos[0]) < 1e-9
    data = run(build(TENDON[0], "", TENDON[1].format("") + "<equality><tendon tendon1='t' polycoef='.1 0 0 0 0'/></equality>"), 1)
    assert abs(data.qpos[0] - 0.1) < 1e-9


# ---- step


def test_impulses_conserve_momentum():
    """Two free boxes collide without gravity: linear and angular momentum stay."""
    model = build("<body pos='-.5 0 .03'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
                  "<body pos='.5 0 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>", "gravity='0 0 0'")
    data = sinew.MjData(model)
    data.qvel[[0, 6]] = 1, -1

    def momentum():
        sinew.mj_forward(model, data)
        sinew.mj_subtreeVel(model, data)
        return np.concatenate([data.subtree_linvel[0] * model.body_subtreemass[0], data.subtree_angmom[0]])

    before = momentum()
    run(model, 1, data)
    assert data.qvel[0] < 0.5
    np.testing.assert_allclose(momentum(), before, atol=2e-3)


def test_free_motion_does_not_know_the_solver():
    """Without rows the states are the same bits under XPBD and Newton; RK4 steps as Euler."""
    free = box(9)
    states = []
    for option in ("", "integrator='Euler'"):
        model = build(free, option)
        states.append(run(model, 0.5).qpos.copy())
    model.opt.solver = NEWTON
    states.append(run(model, 0.5).qpos.copy())
    assert (states[0] == states[1]).all() and (states[0] == states[2]).all()
    rough = build(PLANE + box(0.1), "integrator='RK4'"), build(PLANE + box(0.1))
    assert (run(rough[0], 0.2).qpos == run(rough[1], 0.2).qpos).all()


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast", "implicitspringdamper"])
def test_every_integrator_rests(integrator):
    """An arm with damped joints lies on the floor under every integrator."""
    model = build(PLANE + "<body pos='0 0 .5'><joint axis='0 1 0' damping='1' armature='.01'/><geom type='capsule' size='.05' "
                  "fromto='0 0 0 .5 0 0'/><body pos='.5 0 0'><joint axis='0 1 0' damping='.5' range='-30 30'/>"
                  "<geom type='capsule' size='.05' fromto='0 0 0 .5 0 0'/></body></body>", f"integrator='{integrator}'")
    data = run(model, 4)
    assert np.abs(data.qvel).max() < 1e-3 and data.ncon and data.contact.dist.min() > -1e-4


def test_solver_switches_between_steps():
    """Solvers may change at any step (spec 42E: 5): a box that rests stays at rest."""
    model = build(PLANE + box(0.1))
    data = sinew.MjData(model)
    for k in range(200):
        model.opt.solver = (XPBD, NEWTON, sinew.mjtSolver.mjSOL_PGS, sinew.mjtSolver.mjSOL_CG)[k // 10 % 4]
        sinew.mj_step(model, data)
        assert abs(data.qpos[2] - 0.1) < 2e-3 and np.abs(data.qvel).max() < 0.1


def test_forward_changes_no_state():
    model = build(PLANE + box(0.09))
    data = run(model, 0.01)
    state = data.qpos.copy(), data.qvel.copy()
    sinew.mj_forward(model, data)
    first = data.qacc.copy(), data.efc_force.copy(), data.qvel_shift.copy()
    sinew.mj_forward(model, data)
    assert (data.qpos == state[0]).all() and (data.qvel == state[1]).all()
    for x, y in zip(first, (data.qacc, data.efc_force, data.qvel_shift)):
        np.testing.assert_array_equal(x, y)


def test_forces_and_accelerations_agree():
    """M (qacc - qacc_smooth) = J' f: what sensors and the other stages see is one set of forces."""
    model = build(PLANE + box(0.1) + box(0.3), "sinew:xpbd_substeps='3'")
    data = run(model, 0.1)
    sinew.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    sinew.mj_fullM(model, M, data.qM)
    J = data.efc_J.reshape(data.nefc, model.nv)
    np.testing.assert_allclose(M @ (data.qacc - data.qacc_smooth), J.T @ data.efc_force, atol=1e-9)


def test_derivatives_are_differences():
    """No column of the linearised step has a closed form under XPBD."""
    model = build(PLANE + box(0.1))
    data = run(model, 0.1)
    A, _ = derivatives.transition(model, data)
    B, _ = derivatives.transition(model, data, "differences")
    np.testing.assert_allclose(A, B, atol=1e-7)


# ---- MJCF


def test_options_are_written_and_read_again():
    spec = sinew.MjSpec.from_string("<mujoco><option sinew:solver='xpbd' sinew:xpbd_substeps='4' sinew:xpbd_compliance='1e-6'/></mujoco>")
    model = spec.compile()
    text = spec.to_xml()
    again = sinew.MjModel.from_xml_string(text)
    for m in (model, again):
        assert m.opt.solver == XPBD and m.xpbd_substeps[0] == 4 and m.xpbd_compliance[0] == 1e-6
    assert sinew.MjModel.from_xml_string("<mujoco/>").nxpbd == 0


@pytest.mark.parametrize("option, message", [
    ("sinew:solver='jacobi'", "sinew:solver"),
    ("sinew:xpbd_substeps='0'", "sinew:xpbd_substeps must be between 1 and 1000"),
    ("sinew:xpbd_substeps='1001'", "sinew:xpbd_substeps must be between 1 and 1000"),
    ("sinew:xpbd_compliance='-1'", "sinew:xpbd_compliance must not be negative"),
    ("sinew:xpbd_steps='4'", "sinew:xpbd_substeps"),
])
def test_bad_options_are_refused(option, message):
    with pytest.raises(ValueError, match=message):
        sinew.MjModel.from_xml_string(f"<mujoco><option {option}/></mujoco>")
