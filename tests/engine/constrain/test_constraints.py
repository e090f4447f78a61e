"""Constraint rows, islands and solvers against MuJoCo, row by row."""

import itertools

import constrained
import corpus
import mujoco
import numpy as np
import pytest
from sinew import _core, bridge

OWN = sorted(n for n in corpus.paths() if n.startswith("own/constraint/"))
OTHERS = sorted(n for n in corpus.names() if not n.startswith("own/constraint/"))
SMALL = [n for n in OTHERS if 0 < corpus.sizes()[n] <= 120]
PGS, CG, NEWTON = range(3)
TOLERANCE = 1e-9
# solver, cone, layout of the Jacobian, islands
EVERY = list(itertools.product(range(3), (0, 1), (0, 1), (0, 1)))


def check_rows(name, count, layouts):
    layouts = list(layouts)
    model = constrained.load(name)
    model.opt.noslip_iterations = 0
    for state in constrained.states(model, count, steps=15 if model.nv < 300 else 3):
        for jacobian, cone in layouts:
            model.opt.jacobian, model.opt.cone = jacobian, cone
            data = constrained.forward(model, state)
            if data is None:
                continue
            _, ours = constrained.rows(model, data)
            constrained.compare_rows(model, data, ours, TOLERANCE)
            constrained.compare_islands(model, data, ours, TOLERANCE)


@pytest.mark.parametrize("name", OWN)
def test_rows_of_own_models(name):
    """Spec DT32; spec DT33."""
    check_rows(name, 1, itertools.product((0, 1), (0, 1)))


@pytest.mark.parametrize("name", SMALL)
def test_rows(name):
    check_rows(name, 1, [(2, corpus.load(name).opt.cone)])


@pytest.mark.full
@pytest.mark.parametrize("name", OTHERS)
def test_rows_full(name):
    large = corpus.load(name).nv > 600
    check_rows(name, 3, [(1, 0), (1, 1)] if large else itertools.product((0, 1), (0, 1)))


# ---- converged solutions -------------------------------------------------------------------------



def limit_of_cg(model, state, data):
    """How far MuJoCo's CG stops from the minimum, by its Newton: rounding hides further progress.

    2e-5 on the thread of nutbolt, 1.5e-6 on the sensors' contacts, and less than 1e-6 elsewhere.
    """
    solver, model.opt.solver = model.opt.solver, NEWTON
    minimum = constrained.forward(model, state)
    model.opt.solver = solver
    # where on the flat ground CG stops is decided by rounding: up to twice as far as MuJoCo's
    return minimum, 2 * max(1e-6, constrained.distance(data.qacc, minimum.qacc))


def check_solution(model, state, data, ours, where):
    for field in ("qacc", "qfrc_constraint"):
        e = constrained.distance(getattr(ours, field), getattr(data, field))
        if e > 1e-6 and model.opt.solver == CG:
            minimum, bound = limit_of_cg(model, state, data)
            e = constrained.distance(getattr(ours, field), getattr(minimum, field))
            assert e <= bound, (where, field, e, bound)
        else:
            assert e <= 1e-6, (where, field, e)


def has_rows(model, state):
    data = constrained.forward(model, state)
    return data is not None and data.nefc > 0


def check_solutions(name, count, combinations, last=2):
    """From the last states that have rows; returns the number of comparisons."""
    combinations, solved = list(combinations), 0
    model = constrained.load(name)
    if model.opt.enableflags & constrained.SLEEP:
        pytest.skip("sleeping models have tests of their own")
    model.opt.noslip_iterations = 0
    states = [s for s in constrained.states(model, count, steps=20) if has_rows(model, s)]
    for state in states[-last:]:
        for solver, cone, jacobian, island in combinations:
            constrained.set_options(model, solver, cone, jacobian, island)
            # an improvement of 1e-12 of the cost leaves CG's acceleration at 1e-6: let it finish
            model.opt.tolerance = 0 if solver == CG else 1e-12
            model.opt.iterations = (2000, 1000, 100)[solver]
            data = constrained.forward(model, state)
            if data is None:
                continue
            ours_model, ours = constrained.rows(model, data)
            if solver == PGS:
                constrained.compare_rows(model, data, ours, TOLERANCE)
            _core.mj_fwdConstraint(ours_model, ours)
            check_solution(model, state, data, ours, (solver, cone, jacobian, island))
            solved += 1
    return solved


@pytest.mark.parametrize("name", OWN)
def test_solution_of_own_models(name):
    keys = corpus.load(name).nkey > 0
    assert check_solutions(name, 0 if keys else 1, EVERY)


@pytest.mark.full
@pytest.mark.parametrize("name", OWN)
def test_solution_of_own_models_full(name):
    assert check_solutions(name, 3, EVERY, last=100)


@pytest.mark.parametrize("name", SMALL[::4])
def test_solution(name):
    check_solutions(name, 1, [(2, 0, 2, 1), (2, 1, 2, 1), (1, 0, 2, 1), (2, 0, 1, 0)])


@pytest.mark.full
@pytest.mark.parametrize("name", SMALL)
def test_solution_full(name):
    check_solutions(name, 2, EVERY, last=3)


# ---- default settings ----------------------------------------------------------------------------


def one_step_errors(name, count):
    """Relative errors of qacc, and iterations of both engines, at the model's own settings."""
    model = constrained.load(name)
    errors, iterations = [], []
    for state in constrained.states(model, count, steps=20):
        data = constrained.forward(model, state)
        if data is None or not data.nefc:
            continue
        _, ours = constrained.solve(model, data)
        errors.append(constrained.distance(ours.qacc, data.qacc))
        if errors[-1] > 1e-6 and mujoco.mj_isSparse(model):
            # on flex/gripper MuJoCo's sparse answer is 1e-3 beside its dense one; ours is the dense one
            model.opt.jacobian = int(mujoco.mjtJacobian.mjJAC_DENSE)
            dense = constrained.forward(model, state)
            model.opt.jacobian = int(mujoco.mjtJacobian.mjJAC_AUTO)
            if constrained.distance(dense.qacc, data.qacc) > 0.9 * errors[-1]:
                errors[-1] = constrained.distance(ours.qacc, dense.qacc)
        iterations.append((np.sum(ours.solver_niter), np.sum(data.solver_niter)))
    return errors, iterations


@pytest.mark.parametrize(
    "names,count",
    [(SMALL, 3), pytest.param(OWN, 10, marks=pytest.mark.full), pytest.param(OTHERS, 10, marks=pytest.mark.full)],
    ids=["sample", "own_full", "all_full"],
)
def test_default_settings(capsys, names, count):
    """Median and 95th percentile of the one-step error; iterations within 10 % of MuJoCo's."""
    total = np.zeros(2)
    with capsys.disabled():
        print()
        for name in [n for n in names if not corpus.load(n).opt.enableflags & constrained.SLEEP]:
            errors, iterations = one_step_errors(name, count)
            if not errors:
                continue
            used = np.sum(iterations, axis=0)
            total += used
            median, high = np.median(errors), np.percentile(errors, 95)
            print(f"{name:55} median {median:.1e} p95 {high:.1e} iterations {used[0]}/{used[1]}")
            assert median < 1e-6, name
        print(f"iterations in all: {total[0]:.0f}, MuJoCo {total[1]:.0f}")
    assert total[0] <= 1.1 * total[1]


@pytest.mark.parametrize("jacobian", (0, 1))
@pytest.mark.parametrize("cone", (0, 1))
@pytest.mark.parametrize("solver", (PGS, CG, NEWTON))
@pytest.mark.parametrize("name", ["mixed_all", "mixed_grasp", "contact_friction", "mixed_islands", "contact_arm"])
def test_statistics(name, solver, cone, jacobian):
    """What every iteration records: differences of nearly equal costs, which magnify rounding."""
    model = constrained.load(f"own/constraint/{name}")
    constrained.set_options(model, solver, cone, jacobian, 1)
    for state in constrained.states(model, 1):
        data = constrained.forward(model, state)
        _, ours = constrained.solve(model, data)
        islands = max(1, data.nisland) if solver != PGS else 1
        assert np.array_equal(ours.solver_niter[:islands], data.solver_niter[:islands])
        for island in range(islands):
            for k in range(min(data.solver_niter[island], 5)):
                theirs, stat = data.solver[200 * island + k], ours.solver[200 * island + k]
                assert np.isclose(stat.improvement, theirs.improvement, rtol=1e-4, atol=1e-9)
                assert np.isclose(stat.gradient, theirs.gradient, rtol=1e-4, atol=1e-9)
                assert np.isclose(stat.lineslope, theirs.lineslope, rtol=1e-4, atol=1e-6)
                assert (stat.neval, stat.nupdate) == (theirs.neval, theirs.nupdate)
                if solver != PGS or not cone:  # slipping cone contacts are classified by rounding
                    assert (stat.nactive, stat.nchange) == (theirs.nactive, theirs.nchange)
        if solver == NEWTON and jacobian:
            # entries of our factor, less than MuJoCo's, which counts its Hessian beside the factor
            assert np.all(ours.solver_nnz[:islands] > 0)
            assert np.all(ours.solver_nnz[:islands] <= data.solver_nnz[:islands])
        else:
            assert np.array_equal(ours.solver_nnz[:islands], data.solver_nnz[:islands])


def test_same_iterations_as_mujoco(capsys):
    """Newton and CG of MuJoCo, iteration by iteration: counts differ where rounding decides alone."""
    solves, different, total = 0, 0, np.zeros(2, int)
    for name in OWN:
        model = constrained.load(name)
        states = list(constrained.states(model, 1))
        for solver, cone, island in itertools.product((CG, NEWTON), (0, 1), (0, 1)):
            constrained.set_options(model, solver, cone, 2, island)
            for state in states:
                data = constrained.forward(model, state)
                if data is None or not data.nefc:
                    continue
                _, ours = constrained.solve(model, data)
                used = np.sum(ours.solver_niter), np.sum(data.solver_niter)
                solves, different, total = solves + 1, different + (used[0] != used[1]), total + used
    with capsys.disabled():
        print(f"\n{solves} solves, {different} with other iterations; in all {total[0]}, MuJoCo {total[1]}")
    assert different <= 0.005 * solves and abs(total[0] - total[1]) <= 0.002 * total[1]


# ---- products, forces, cost ----------------------------------------------------------------------


@pytest.mark.parametrize("jacobian", (0, 1))
@pytest.mark.parametrize("name", ["mixed_all", "mixed_grasp", "flex_contact", "contact_self"])
def test_products(name, jacobian):
    model = constrained.load(f"own/constraint/{name}")
    model.opt.jacobian = jacobian
    rng = np.random.default_rng(1)
    data = constrained.forward(model, next(constrained.states(model, 1)))
    ours_model, ours = constrained.rows(model, data)
    vec, force = rng.standard_normal(model.nv), rng.standard_normal(data.nefc)
    for function, given, n in (("mj_mulJacVec", vec, data.nefc), ("mj_mulJacTVec", force, model.nv)):
        theirs, result = np.zeros(n), np.zeros(n)
        getattr(mujoco, function)(model, data, theirs, given)
        getattr(_core, function)(ours_model, ours, result, given)
        assert constrained.error(result, theirs) < 1e-12


@pytest.mark.parametrize("cone", (0, 1))
@pytest.mark.parametrize("dim", (1, 3, 4, 6))
def test_contact_force(dim, cone):
    model = constrained.load(f"own/constraint/contact_box_condim{dim}")
    model.opt.cone = cone
    for state in constrained.states(model, 2):
        data = constrained.forward(model, state)
        ours_model, ours = constrained.solve(model, data)
        for k in range(-1, data.ncon + 1):
            theirs, result = np.zeros(6), np.ones(6)
            mujoco.mj_contactForce(model, data, k, theirs)
            _core.mj_contactForce(ours_model, ours, k, result)
            assert constrained.distance(result, theirs) < 1e-6


@pytest.mark.parametrize("cone", (0, 1))
@pytest.mark.parametrize("name", ["mixed_all", "mixed_grasp", "contact_friction", "friction_ball"])
def test_constraint_update(name, cone):
    """Cost, forces, states and cone Hessians at random residuals, zero and the boundary included."""
    model = constrained.load(f"own/constraint/{name}")
    model.opt.cone = cone
    rng = np.random.default_rng(2)
    data = constrained.forward(model, next(constrained.states(model, 1)))
    ours_model, ours = constrained.rows(model, data)
    bounds = data.efc_R * data.efc_frictionloss
    for jar in [s * rng.standard_normal(data.nefc) for s in (0, 0.01, 1, 100)] + [bounds, -bounds]:
        theirs, cost = np.zeros(1), np.zeros(1)
        mujoco.mj_constraintUpdate(model, data, jar, theirs, 1)
        _core.mj_constraintUpdate(ours_model, ours, jar, cost, 1)
        assert constrained.error(cost, theirs) < 1e-9
        assert np.array_equal(ours.efc_state, data.efc_state)
        assert constrained.error(ours.efc_force, data.efc_force) < 1e-9
        assert constrained.error(ours.qfrc_constraint, data.qfrc_constraint) < 1e-9
        contacts = bridge.contacts(ours)
        for k in range(data.ncon):
            address = data.contact[k].efc_address
            if address >= 0 and data.efc_state[address] == 4:
                n = data.contact[k].dim ** 2
                assert constrained.error(contacts["H"][k][:n], data.contact[k].H[:n]) < 1e-9


# ---- warm start, memory, options -----------------------------------------------------------------


def test_warm_start_disabled():
    model = constrained.load("own/constraint/mixed_all")
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_WARMSTART)
    for solver, state in itertools.product(range(3), constrained.states(model, 1)):
        model.opt.solver = solver
        data = constrained.forward(model, state)
        _, ours = constrained.solve(model, data)
        assert np.array_equal(ours.solver_niter, data.solver_niter)
        assert constrained.distance(ours.qacc, data.qacc) < 1e-6


@pytest.mark.parametrize("kilobytes", [4, 8, 12, 16, 20, 24, 32, 48, 64, 96])
@pytest.mark.parametrize("solver", (PGS, CG, NEWTON))
@pytest.mark.parametrize("jacobian", (0, 1))
def test_arena_overflow(kilobytes, solver, jacobian):
    """A full arena drops rows, raises a warning and never crashes; a larger one works."""
    spec = mujoco.MjSpec.from_file(str(corpus.paths()["own/constraint/mixed_stack"]))
    spec.memory = 1024 * kilobytes
    model = spec.compile()
    model.opt.solver, model.opt.jacobian = solver, jacobian
    large = constrained.load("own/constraint/mixed_stack")
    large.opt.solver, large.opt.jacobian = solver, jacobian
    data = mujoco.MjData(large)
    mujoco.mj_forward(large, data)

    _, ours = constrained.solve(model, data)
    warned = sum(ours.warning.number[1:3])
    assert np.all(np.isfinite(ours.qacc))
    assert ours.pstack == 0
    if not warned:
        assert ours.nefc == data.nefc
        assert constrained.distance(ours.qacc, data.qacc) < 1e-6
    elif not ours.nefc:
        assert np.array_equal(ours.qacc, ours.qacc_smooth)
    assert warned or kilobytes > 20


def test_no_dofs():
    model, data = constrained.ours('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>')
    _core.mj_makeConstraint(model, data)
    _core.mj_fwdConstraint(model, data)
    assert data.nefc == 0


@pytest.mark.parametrize("flag", ["CONSTRAINT", "EQUALITY", "FRICTIONLOSS", "LIMIT", "CONTACT"])
def test_families_of_rows_switch_off_alone(flag):
    """Each family of rows alone can be switched off (spec 41: 4)."""
    model = constrained.load("own/constraint/mixed_all")
    model.opt.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}"))
    for state in constrained.states(model, 1):
        data = constrained.forward(model, state)
        ours_model, ours = constrained.rows(model, data)
        constrained.compare_rows(model, data, ours, TOLERANCE)
        _core.mj_fwdConstraint(ours_model, ours)
        assert constrained.distance(ours.qacc, data.qacc) < 1e-9
