"""Noslip, agreement of the solvers, the solver as a table of functions."""

import constrained
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

SOLVERS = ("PGS", "CG", "Newton")
NOTCONVERGED = 1 << 18


def incline(solver, cone="pyramidal", noslip=0, degrees=20, condim=3, extra=""):
    """A box that rests on an inclined plane."""
    return f"""<mujoco><option solver="{solver}" cone="{cone}" noslip_iterations="{noslip}"
    noslip_tolerance="1e-12" tolerance="1e-10" iterations="200"/><worldbody>
    <geom type="plane" size="5 5 .1" euler="0 {degrees} 0"/>
    <body pos="{0.1 * np.sin(np.radians(degrees)):.6f} 0 {0.1 * np.cos(np.radians(degrees)):.6f}"
    euler="0 {degrees} 0"><freejoint/><geom type="box" size=".1 .1 .1" condim="{condim}"/></body>
    {extra}</worldbody></mujoco>"""


def slip(xml, steps=500):
    model, data = constrained.ours(xml)
    for _ in range(100):
        _core.mj_step(model, data)
    start = np.array(data.qpos[:3])
    for _ in range(steps):
        _core.mj_step(model, data)
    return np.linalg.norm(data.qpos[:3] - start)


@pytest.mark.parametrize("cone", ("pyramidal", "elliptic"))
@pytest.mark.parametrize("solver", SOLVERS)
def test_noslip_reduces_creep(solver, cone):
    """Noslip reduces the creep of every solver (spec 33: 1 2 3 8)."""
    assert slip(incline(solver, cone, 50)) < 0.2 * slip(incline(solver, cone, 0))


@pytest.mark.parametrize("iterations", (1, 2))
@pytest.mark.parametrize("solver", SOLVERS)
def test_noslip_follows_a_solve_that_stopped_early(solver, iterations):
    """A main solve that stopped early is still followed by noslip; it is reported, not replaced (spec 33: 4)."""
    model = mujoco.MjModel.from_xml_string(incline(solver, noslip=5))
    model.opt.iterations, model.opt.tolerance = iterations, 0
    for data, ours in constrained.run(model, 3):
        assert constrained.distance(ours.qacc, data.qacc) < 1e-6
        assert ours.solver_niter[0] == data.solver_niter[0] > iterations
        assert ours.status & NOTCONVERGED


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_noslip_iterations_change_nothing(solver):
    """Zero noslip iterations change nothing (spec 33: 5)."""
    with_option = list(constrained.run(mujoco.MjModel.from_xml_string(incline(solver)), 50))[-1][1]
    plain = incline(solver).replace('noslip_iterations="0"', "")
    without = list(constrained.run(mujoco.MjModel.from_xml_string(plain), 50))[-1][1]
    assert np.array_equal(with_option.qpos, without.qpos)


EXTRA = """<body pos="0 2 1"><joint axis="0 1 0" frictionloss=".3" range="-10 10" limited="true"/>
<geom size=".1" pos=".3 0 0"/></body>"""


def solved(solver, cone, noslip, condim=3):
    """Both engines after one forward pass in a state with limits, friction loss and contacts."""
    xml = incline(solver, cone, noslip, condim=condim, extra=EXTRA)
    model = mujoco.MjModel.from_xml_string(xml)
    model.opt.disableflags |= constrained.ISLAND  # noslip follows a solve of the whole system
    data = mujoco.MjData(model)
    data.qpos[2] -= 0.002
    data.qpos[7] = 0.2
    data.qvel[:] = 0.1 * np.random.default_rng(3).standard_normal(model.nv)
    mujoco.mj_forward(model, data)
    _, ours = constrained.solve(model, data)
    return model, data, ours


def normals(data, cone, condim):
    """Normal forces of the contacts: sums of opposing edges, or the first row."""
    first = data.ne + data.nf + data.nl
    force = np.array(data.efc_force[first:])
    if cone == "elliptic":
        return force[::condim]
    return (force[::2] + force[1::2]).round(12)


@pytest.mark.parametrize("condim", (3, 4, 6))
@pytest.mark.parametrize("cone", ("pyramidal", "elliptic"))
@pytest.mark.parametrize("solver", SOLVERS)
def test_noslip_keeps_normals_and_bounds(solver, cone, condim):
    """Normals kept, bounds kept, the same forces and sweeps as MuJoCo (spec 33: 6 7 10 11)."""
    _, _, before = solved(solver, cone, 0, condim)
    model, data, ours = solved(solver, cone, 30, condim)
    assert constrained.distance(ours.efc_force, data.efc_force) < 1e-6
    assert constrained.distance(ours.qacc, data.qacc) < 1e-6
    assert ours.solver_niter[0] == data.solver_niter[0]
    if cone == "elliptic":
        assert np.array_equal(normals(ours, cone, condim), normals(before, cone, condim))
    else:
        assert np.allclose(normals(ours, cone, condim), normals(before, cone, condim), rtol=1e-12)
        assert np.all(ours.efc_force[ours.ne + ours.nf :] >= 0)
    assert np.all(np.abs(ours.efc_force[: ours.nf]) <= ours.efc_frictionloss[: ours.nf])
    assert ours.nf == 1 and ours.nl == 1
    if cone == "elliptic":
        contacts = bridge.contacts(ours)
        for k in range(ours.ncon):
            force = ours.efc_force[contacts["efc_address"][k] :][:condim]
            scaled = force[1:] / contacts["friction"][k][: condim - 1]
            assert np.sum(scaled**2) <= force[0] ** 2 * (1 + 1e-9)


@pytest.mark.parametrize("cone", ("pyramidal", "elliptic"))
def test_noslip_leaves_no_residual_of_sticking_rows(cone):
    """Rows of friction that are not clamped have no residual without R (spec 33: 9)."""
    model = mujoco.MjModel.from_xml_string(incline("Newton", cone, 2000, degrees=10, extra=EXTRA))
    model.opt.noslip_tolerance = 0
    for data, ours in constrained.run(model, 5):
        pass
    A = np.array(ours.efc_AR).reshape(ours.nefc, ours.nefc) - np.diag(ours.efc_R)
    residual = ours.efc_b + A @ ours.efc_force
    first = ours.ne + ours.nf + ours.nl
    force = ours.efc_force[first:]
    scale = np.max(np.abs(ours.efc_b))
    if cone == "elliptic":
        slack = residual[first:].reshape(-1, 3)[:, 1:]
        inside = np.linalg.norm(force.reshape(-1, 3)[:, 1:], axis=1) < 0.99 * force[::3]
        assert np.any(inside) and np.all(np.abs(slack[inside]) < 1e-6 * scale)
    else:
        # the difference of opposing edges is the friction direction
        slack = residual[first::2] - residual[first + 1 :: 2]
        inside = (force[::2] > 1e-9) & (force[1::2] > 1e-9)
        assert np.any(inside) and np.all(np.abs(slack[inside]) < 1e-6 * scale)


@pytest.mark.parametrize("cone", ("pyramidal", "elliptic"))
@pytest.mark.parametrize("solver", SOLVERS)
def test_noslip_gives_leaving_contacts_no_friction(solver, cone):
    """A contact that is leaving has no normal force and gets no friction (spec 33: 12)."""
    xml = incline(solver, cone, 20).replace('tolerance="1e-10"', 'tolerance="1e-10" gravity="0 0 20"')
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    data.qpos[2] -= 1e-4
    data.qvel[:3] = 1, 0, 5
    mujoco.mj_forward(model, data)
    assert data.nefc
    _, ours = constrained.solve(model, data)
    assert np.all(np.abs(ours.efc_force) < 1e-12) and np.all(np.isfinite(ours.qacc))


# ---- conjugate gradients -------------------------------------------------------------------------

SCENES = ["contact_two", "contact_box_condim4", "mixed_stack", "mixed_grasp", "contact_arm",
          "mixed_islands"]  # fmt: skip


def converged(name, solver, cone):
    model = constrained.load(f"own/constraint/{name}")
    state = list(constrained.states(model, 1, steps=30))[-1]
    constrained.set_options(model, solver, cone, 0, 1)
    model.opt.tolerance, model.opt.iterations = 0 if solver == 1 else 1e-14, 5000
    data = constrained.forward(model, state)
    _, ours = constrained.solve(model, data)
    return ours


@pytest.mark.parametrize("cone", (0, 1))
@pytest.mark.parametrize("name", SCENES)
def test_solvers_find_the_same_forces(name, cone):
    """Where PGS converges CG finds the same forces, inside the cone (spec 004-3: 1 2 3)."""
    pgs, cg, newton = (converged(name, solver, cone) for solver in range(3))
    assert constrained.distance(cg.qacc, newton.qacc) < 1e-6
    assert constrained.distance(pgs.qacc, newton.qacc) < 1e-4  # linear convergence: 5000 sweeps reach 6e-6
    assert constrained.distance(cg.qfrc_constraint, newton.qfrc_constraint) < 1e-6
    contacts = bridge.contacts(cg)
    for k in range(cg.ncon):
        address, dim = contacts["efc_address"][k], contacts["dim"][k]
        if cone == 0 or address < 0 or dim == 1:
            continue
        force = cg.efc_force[address : address + dim]
        # the soft cone may be left by what the regularised friction gives: force is dual feasible
        scaled = force[1:] / contacts["friction"][k][: dim - 1]
        assert force[0] >= 0 and np.linalg.norm(scaled) <= force[0] * (1 + 1e-6) + 1e-9


@pytest.mark.parametrize("solver", SOLVERS)
def test_too_few_iterations_are_reported(solver):
    """No silent fallback: too few iterations are reported in the status of the step (spec 004-3: 4)."""
    model = constrained.load("own/constraint/mixed_stack")
    model.opt.solver = SOLVERS.index(solver)
    model.opt.iterations, model.opt.tolerance = 1, 1e-14
    ours_model = bridge.model_from_mujoco(model)
    data = _core.MjData(ours_model)
    data.qvel[:] = np.random.default_rng(0).standard_normal(model.nv)
    _core.mj_step(ours_model, data)
    assert data.status & NOTCONVERGED
    ours_model.opt.iterations, ours_model.opt.tolerance = 10000, 1e-9
    _core.mj_step(ours_model, data)
    assert not data.status & NOTCONVERGED


def test_iterations_stay_moderate_as_contacts_grow():
    """Iterations of CG stay moderate as contacts grow (spec 004-3: 5)."""
    used = []
    for count in (2, 8, 32):
        bodies = "".join(
            f'<body pos="{i} 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
            for i in range(count)
        )
        model, data = constrained.ours(
            f'<mujoco><option solver="CG"><flag island="disable"/></option><worldbody>'
            f'<geom type="plane" size="9 9 .1"/>{bodies}</worldbody></mujoco>'
        )
        _core.mj_forward(model, data)
        used.append(data.solver_niter[0])
    assert used[2] <= used[0] + 10


# ---- the solver as a table of functions ----------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
def test_solver_table_gives_the_same_bits(solver):
    """Through the table the same bits, and it may be switched between steps (spec 42E: 1 5)."""
    model = constrained.load("own/constraint/mixed_all")
    model.opt.solver = SOLVERS.index(solver)
    ours_model = bridge.model_from_mujoco(model)
    direct, table = _core.MjData(ours_model), _core.MjData(ours_model)
    for step in range(100):
        table._use_contact_solver(step % 3 != 0)
        _core.mj_step(ours_model, direct)
        _core.mj_step(ours_model, table)
        assert np.array_equal(direct.qpos, table.qpos) and np.array_equal(direct.qacc, table.qacc)


@pytest.mark.parametrize("solver", ["Newton", "CG"])
def test_noslip_starts_with_free_trees_at_rest_in_their_own_motion(solver):
    """One iteration before noslip does not depend on where trees without rows were in the last step."""
    model = mujoco.MjModel.from_xml_string(f"""<mujoco><option solver="{solver}" iterations="1" tolerance="0" noslip_iterations="1"/>
      <worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .09"><freejoint/><geom type="box" size=".2 .1 .1"/></body>
      <body pos="0 0 3"><freejoint/><geom size=".1"/><body pos=".1 .2 0"><joint/><geom size=".1"/></body></body></worldbody></mujoco>""")
    ours = bridge.model_from_mujoco(model)
    expected, actual = mujoco.MjData(model), _core.MjData(ours)
    for data in (expected, actual):
        data.qvel[:] = np.linspace(-1, 1, model.nv)
        data.qacc_warmstart[:] = np.linspace(5, -30, model.nv)
    mujoco.mj_forward(model, expected)
    _core.mj_forward(ours, actual)
    assert expected.nisland == 1 and expected.nefc > 0
    assert np.allclose(expected.efc_force, actual.efc_force, rtol=1e-9, atol=1e-9)
    assert np.allclose(expected.qacc, actual.qacc, rtol=1e-9, atol=1e-9)


# everything near everything: hundreds of rows in the dense layout
CROWD = """<mujoco><option solver="PGS" iterations="2" jacobian="dense"/><size memory="{memory}"/><worldbody><geom type="plane" size="5 5 .1"/>
  <body name="a"><freejoint/>{geoms}<site name="s"/></body><body name="b" pos="0 0 .05"><freejoint/>{geoms}</body></worldbody>
  <equality><weld body1="a" body2="b"/></equality><sensor><force site="s"/></sensor></mujoco>"""
GEOMS = "".join(f'<geom size=".1" pos="{0.15 * (i % 6)} {0.15 * (i // 6)} 0" condim="6"/>' for i in range(24))


def test_the_dense_dual_matrix_needs_no_more_memory_than_mujocos():
    theirs = mujoco.MjModel.from_xml_string(CROWD.format(geoms=GEOMS, memory="60M"))
    data = mujoco.MjData(theirs)
    mujoco.mj_forward(theirs, data)
    model = bridge.model_from_mujoco(theirs)
    ours = _core.MjData(model)
    _core.mj_forward(model, ours)
    assert ours.nefc == data.nefc > 500
    assert ours.maxuse_arena <= data.maxuse_arena
    assert np.allclose(ours.efc_AR, data.efc_AR, atol=1e-9)


def test_sensors_survive_rows_that_no_memory_was_left_for():
    """No room for the dual matrix: the rows are dropped with a warning, also for the forces of equalities."""
    theirs = mujoco.MjModel.from_xml_string(CROWD.format(geoms=GEOMS, memory="3M"))
    model = bridge.model_from_mujoco(theirs)
    data = _core.MjData(model)
    with pytest.warns(RuntimeWarning, match="arena"):
        _core.mj_forward(model, data)
    assert data.nefc == 0 and data.ne == 6
    assert np.isfinite(data.sensordata).all()
