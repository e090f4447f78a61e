"""Smooth dynamics against MuJoCo: stage by stage on MuJoCo's own states, and free running.

Contacts are off on both sides; what the constraint solver computes is compared elsewhere.
"""

import copy

import corpus
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

STEPS = 200
EVERY = 10
SEED = 11

# what a stage leaves undefined, writes lazily or stores in a layout that is compared by value
NOT_COMPARED = {
    "wrap_obj", "wrap_xpos", "ten_J_rownnz", "ten_J_rowadr", "ten_J_colind", "ten_J",
    "moment_rownnz", "moment_rowadr", "moment_colind", "actuator_moment",
    "bvh_active", "bvh_aabb_dyn", "qH", "qHDiagInv", "qDeriv", "qLU",
    "qfrc_constraint", "qfrc_inverse", "cacc", "cfrc_int", "cfrc_ext",
}
STAGES = dict(zip(_core.DATA_FIELDS, _core.DATA_STAGES))
FIELDS = [n for n, s in STAGES.items() if s in ("POS", "VEL", "ACC") and n not in NOT_COMPARED
          and hasattr(mujoco.MjData, n)]

OWN = ["own/dynamics/joints", "own/dynamics/frames", "own/dynamics/actuated"]
SAMPLE = OWN + [
    "dm/acrobot", "dm/ball_in_cup", "dm/fish", "dm/humanoid_CMU", "dm/quadruped", "dm/swimmer",
    "gym/ant", "gym/humanoid", "shared/menagerie/shadow_hand/right_hand",
    "shared/menagerie/skydio_x2/x2", "shared/mujoco/car/car", "shared/mujoco/cube/cube_3x3x3",
    "shared/mujoco/slider_crank/slider_crank", "shared/mujoco/tendon_arm/arm26",
]
MODELS = [pytest.param(n, marks=[] if n in SAMPLE else pytest.mark.full) for n in corpus.paths()]

CONTACT = mujoco.mjtDisableBit.mjDSBL_CONTACT
CONSTRAINT = mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
ENERGY = mujoco.mjtEnableBit.mjENBL_ENERGY
SLEEP = mujoco.mjtEnableBit.mjENBL_SLEEP


def load(name, disable=CONTACT, enable=ENERGY, integrator=None):
    """MuJoCo's model, changed on a copy, and ours with the same numbers."""
    model = corpus.load(name) if name in corpus.paths() else None
    if model is None:
        pytest.skip(f"MuJoCo does not load {name}")
    model = copy.copy(model)
    model.opt.disableflags |= int(disable)
    model.opt.enableflags |= int(enable)
    model.opt.enableflags &= ~int(SLEEP)  # fields of what sleeps are old; sleeping has its own tests
    if integrator is not None:
        model.opt.integrator = integrator
    return model, bridge.model_from_mujoco(model)


def start(model, data, rng, speed=0.3):
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    data.qvel[:] = speed * rng.normal(size=model.nv)


def drive(model, data, rng):
    """Random controls within their ranges, forces from outside in proportion to what they move."""
    low, high = -np.ones(model.nu), np.ones(model.nu)
    limited = model.actuator_ctrllimited.astype(bool)
    low[limited], high[limited] = model.actuator_ctrlrange[limited].T
    data.ctrl[:] = rng.uniform(low, high)
    data.qfrc_applied[:] = model.dof_M0 * rng.normal(size=model.nv)
    data.xfrc_applied[:] = 0
    body = rng.integers(model.nbody)
    data.xfrc_applied[body, :3] = model.body_mass[body] * rng.normal(size=3)
    data.xfrc_applied[body, 3:] = model.body_inertia[body] * rng.normal(size=3)
    data.mocap_pos[:] += 0.01 * rng.normal(size=data.mocap_pos.shape)
    data.mocap_quat[:] += 0.01 * rng.normal(size=data.mocap_quat.shape)


def dense(nrow, nv, values, rownnz, rowadr, colind):
    out = np.zeros((nrow, nv))
    values, colind = np.ravel(values), np.ravel(colind)
    for r in range(nrow):
        entries = slice(rowadr[r], rowadr[r] + rownnz[r])
        out[r, colind[entries]] = values[entries]
    return out


def moments(model, data):
    return dense(model.nu, model.nv, data.actuator_moment, data.moment_rownnz, data.moment_rowadr,
                 data.moment_colind)


def tendon_jacobian(model, data):
    if not mujoco.mj_isSparse(model):
        return np.asarray(data.ten_J).reshape(model.ntendon, model.nv)
    return dense(model.ntendon, model.nv, data.ten_J, data.ten_J_rownnz, data.ten_J_rowadr,
                 data.ten_J_colind)


def error(theirs, ours, floor=1e-3):
    """Largest difference relative to the scale of the field; noise around zero does not count."""
    theirs = np.asarray(theirs, dtype=float).ravel()
    ours = np.asarray(ours, dtype=float).ravel()
    assert theirs.shape == ours.shape
    if not theirs.size:
        return 0.0
    difference = np.max(np.abs(theirs - ours))
    return difference / max(np.max(np.abs(theirs)), floor) if np.isfinite(difference) else np.inf


def compare(model, theirs, ours, fields):
    errors = {name: error(getattr(theirs, name), getattr(ours, name)) for name in fields}
    errors["actuator_moment"] = error(moments(model, theirs), moments(model, ours))
    errors["ten_J"] = error(tendon_jacobian(model, theirs), tendon_jacobian(model, ours))
    errors["energy"] = error(theirs.energy, ours.energy)
    return errors


def evaluate(module, model, data):
    module.mj_forward(model, data)
    module.mj_subtreeVel(model, data)


@pytest.fixture(scope="module")
def sweep(request):
    """Worst error by model; the worst of all is printed at the end."""
    found = {}
    yield found
    if not found:
        return
    name = max(found, key=lambda n: found[n][0])
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print(f"\n{len(found)} models, {STEPS} steps; worst field: {name}: "
              f"{found[name][1]}, {found[name][0]:.1e}")


@pytest.mark.parametrize("name", MODELS)
def test_stages(name, sweep):
    """Every field of the position, velocity and smooth acceleration stages along a trajectory (spec 004-2: 2)."""
    model, ours_model = load(name)
    data, ours = mujoco.MjData(model), _core.MjData(ours_model)
    rng = np.random.default_rng(SEED)
    start(model, data, rng)
    worst, where = 0.0, ""
    for step in range(STEPS):
        drive(model, data, rng)
        if step % EVERY == 0:
            bridge.state_from_mujoco(data, ours)
            evaluate(mujoco, model, data)
            evaluate(_core, ours_model, ours)
            errors = compare(model, data, ours, FIELDS)
            field = max(errors, key=errors.get)
            if errors[field] > worst:
                worst, where = errors[field], f"{field} at step {step}"
        mujoco.mj_step(model, data)
    sweep[name] = worst, where
    assert worst < 1e-9, f"{where}: {worst:.2e}"


EXPLICIT = mujoco.mjtDisableBit.mjDSBL_EULERDAMP
INTEGRATORS = {"Euler": (0, 0), "explicit Euler": (0, EXPLICIT), "RK4": (1, 0), "implicit": (2, 0),
               "implicitfast": (3, 0)}  # fmt: skip
RUN = OWN + ["dm/cheetah", "dm/fish", "dm/humanoid", "dm/point_mass", "gym/ant", "gym/swimmer",
             "shared/menagerie/skydio_x2/x2", "shared/mujoco/tendon_arm/arm26"]


def run_both(model, others):
    """200 steps of MuJoCo and of others, (module, model, data) each, from one state; yields the steps."""
    data = mujoco.MjData(model)
    rng = np.random.default_rng(SEED)
    start(model, data, rng)
    for _, _, other in others:
        bridge.state_from_mujoco(data, other)
    for step in range(STEPS):
        drive(model, data, rng)
        mujoco.mj_step(model, data)
        for module, m, other in others:
            for field in ("ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat"):
                getattr(other, field)[:] = getattr(data, field)
            module.mj_step(m, other)
        yield step, data


def free_run(model, ours_model):
    """Worst difference of states along 200 steps, and where; None when MuJoCo's run explodes."""
    ours, worst, where = _core.MjData(ours_model), 0.0, ""
    for step, data in run_both(model, [(_core, ours_model, ours)]):
        if any(w.number for w in data.warning):
            return None
        for field in ("qpos", "qvel", "act", "qacc_warmstart"):
            e = error(getattr(data, field), getattr(ours, field), 1)
            if not e <= worst:
                worst, where = e, f"{field} at step {step}"
    assert ours.time == data.time and not any(ours.warning.number)
    return worst, where


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", RUN)
def test_free_run(name, integrator):
    """200 steps from one state under the same controls end in the same state (spec 13: A6 A7)."""
    number, disable = INTEGRATORS[integrator]
    model, ours_model = load(name, CONTACT | CONSTRAINT | disable, 0, number)
    result = free_run(model, ours_model)
    if result is None:
        pytest.skip("explodes in MuJoCo")
    assert result[0] < 1e-7, f"{result[1]}: {result[0]:.2e}"


def is_chaotic(model):
    """Does MuJoCo, started 1e-13 beside itself, come to be more than 1e-8 beside itself?"""
    other = mujoco.MjData(model)
    for step, data in run_both(model, [(mujoco, model, other)]):
        if step == 0:
            other.qvel[:] += 1e-13 * np.maximum(1, np.abs(other.qvel))
        elif not all(error(getattr(data, f), getattr(other, f), 1) < 1e-8 for f in ("qpos", "qvel", "act")):
            return True
    return False


@pytest.mark.full
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_free_run_full(integrator, capsys):
    """Every model without flexes that neither explodes in MuJoCo nor is chaotic (spec 13: A6 A7)."""
    number, disable = INTEGRATORS[integrator]
    found, chaotic, unstable = {}, [], 0
    for name in corpus.names(lambda model: model.nv and not model.nflex):
        model, ours_model = load(name, CONTACT | CONSTRAINT | disable, 0, number)
        result = free_run(model, ours_model)
        if result is None:
            unstable += 1
        elif result[0] < 1e-7 or not is_chaotic(model):
            found[name] = result
        else:
            chaotic.append(name)
    name = max(found, key=lambda n: found[n][0])
    with capsys.disabled():
        print(f"\n{integrator}: {len(found)} models, worst {found[name][0]:.1e} ({name}, {found[name][1]}); "
              f"chaotic: {', '.join(chaotic) or 'none'}; {unstable} explode in MuJoCo too")
    assert found[name][0] < 1e-7 and len(chaotic) <= 0.05 * len(found)


@pytest.mark.parametrize("name", OWN)
def test_split_step(name):
    """step1 and step2 are a step; RK4 falls back to Euler."""
    for integrator in (0, 1, 3):
        model, ours_model = load(name, CONTACT | CONSTRAINT, 0, integrator)
        data, ours = mujoco.MjData(model), _core.MjData(ours_model)
        rng = np.random.default_rng(SEED)
        start(model, data, rng)
        bridge.state_from_mujoco(data, ours)
        for _ in range(20):
            for module, m, d in ((mujoco, model, data), (_core, ours_model, ours)):
                module.mj_step1(m, d)
                module.mj_step2(m, d)
        assert error(data.qpos, ours.qpos, 1) < 1e-10
        assert error(data.qvel, ours.qvel, 1) < 1e-10


@pytest.mark.parametrize("integrator", [0, 2, 3])
@pytest.mark.parametrize("discrete", [False, True])
@pytest.mark.parametrize("name", OWN + ["dm/humanoid", "gym/ant"])
def test_inverse(name, discrete, integrator):
    """Forces from given accelerations, of continuous and of discrete time."""
    enable = ENERGY | (mujoco.mjtEnableBit.mjENBL_INVDISCRETE if discrete else 0)
    model, ours_model = load(name, CONTACT | CONSTRAINT, enable, integrator)
    data, ours = mujoco.MjData(model), _core.MjData(ours_model)
    rng = np.random.default_rng(SEED)
    for _ in range(5):
        start(model, data, rng)
        drive(model, data, rng)
        for _ in range(7):
            mujoco.mj_step(model, data)
        data.qacc[:] = rng.normal(size=model.nv)
        bridge.state_from_mujoco(data, ours)
        mujoco.mj_inverse(model, data)
        _core.mj_inverse(ours_model, ours)
        assert error(data.qfrc_inverse, ours.qfrc_inverse) < 1e-9
        assert np.array_equal(data.qacc, ours.qacc)
        assert error(data.energy, ours.energy) < 1e-9


@pytest.mark.parametrize("name", OWN + ["dm/humanoid"])
def test_body_forces(name):
    """cacc, cfrc_int and cfrc_ext, and accelerations of objects."""
    model, ours_model = load(name, CONTACT | CONSTRAINT)
    data, ours = mujoco.MjData(model), _core.MjData(ours_model)
    rng = np.random.default_rng(SEED)
    start(model, data, rng)
    data.xfrc_applied[:] = rng.normal(size=data.xfrc_applied.shape)
    bridge.state_from_mujoco(data, ours)
    for module, m, d in ((mujoco, model, data), (_core, ours_model, ours)):
        module.mj_forward(m, d)
        module.mj_rnePostConstraint(m, d)
    for field in ("cacc", "cfrc_int", "cfrc_ext"):
        assert error(getattr(data, field), getattr(ours, field)) < 1e-9, field
    kinds = {mujoco.mjtObj.mjOBJ_BODY: model.nbody, mujoco.mjtObj.mjOBJ_XBODY: model.nbody,
             mujoco.mjtObj.mjOBJ_GEOM: model.ngeom, mujoco.mjtObj.mjOBJ_SITE: model.nsite,
             mujoco.mjtObj.mjOBJ_CAMERA: model.ncam}
    for kind, count in kinds.items():
        for i in range(count):
            for local in (0, 1):
                for function in ("mj_objectVelocity", "mj_objectAcceleration"):
                    a, b = np.zeros(6), np.zeros(6)
                    getattr(mujoco, function)(model, data, kind, i, a, local)
                    getattr(_core, function)(ours_model, ours, int(kind), i, b, local)
                    assert error(a, b) < 1e-9, (function, kind, i, local)


def prepared(name):
    model, ours_model = load(name, CONTACT | CONSTRAINT)
    data, ours = mujoco.MjData(model), _core.MjData(ours_model)
    rng = np.random.default_rng(SEED)
    start(model, data, rng, 1.0)
    for _ in range(50):
        mujoco.mj_step(model, data)
    bridge.state_from_mujoco(data, ours)
    mujoco.mj_forward(model, data)
    _core.mj_forward(ours_model, ours)
    return model, data, ours_model, ours, rng


@pytest.mark.parametrize("name", OWN + ["dm/quadruped"])
def test_jacobians(name):
    model, data, ours_model, ours, rng = prepared(name)
    shape = (3, model.nv)

    def check(function, *args, outputs=2):
        theirs = [np.zeros(shape) for _ in range(outputs)]
        mine = [np.full(shape, np.nan) for _ in range(outputs)]
        getattr(mujoco, function)(model, data, *theirs, *args)
        getattr(_core, function)(ours_model, ours, *mine, *args)
        for a, b in zip(theirs, mine):
            assert error(a, b) < 1e-10, (function, args)

    for body in range(model.nbody):
        point, axis = rng.normal(size=3), rng.normal(size=3)
        check("mj_jac", point, body)
        check("mj_jacBody", body)
        check("mj_jacBodyCom", body)
        check("mj_jacDot", point, body)
        check("mj_jacPointAxis", point, axis, body)
        check("mj_angmomMat", body, outputs=1)
        if model.body_subtreemass[body] > 0:
            check("mj_jacSubtreeCom", body, outputs=1)
        a, b = np.zeros(model.nv), np.zeros(model.nv)
        mujoco.mj_applyFT(model, data, axis, point, point, body, a)
        _core.mj_applyFT(ours_model, ours, axis, point, point, body, b)
        assert error(a, b) < 1e-10
    for geom in range(model.ngeom):
        check("mj_jacGeom", geom)
    for site in range(model.nsite):
        check("mj_jacSite", site)


@pytest.mark.parametrize("name", OWN + ["dm/quadruped"])
def test_inertia_products(name):
    """Spec 004-2: 2."""
    model, data, ours_model, ours, rng = prepared(name)
    nv = model.nv
    full, ours_full = np.zeros((nv, nv)), np.zeros((nv, nv))
    mujoco.mj_fullM(model, full, data.qM)
    _core.mj_fullM(ours_model, ours_full, np.array(ours.qM))
    assert error(full, ours_full) < 1e-12

    vectors = rng.normal(size=(3, nv))
    a, b = np.zeros(nv), np.zeros(nv)
    for function in ("mj_mulM", "mj_mulM2"):
        getattr(mujoco, function)(model, data, a, vectors[0])
        getattr(_core, function)(ours_model, ours, b, vectors[0].copy())
        assert error(a, b) < 1e-10, function
    many, ours_many = np.zeros((3, nv)), np.zeros((3, nv))
    mujoco.mj_solveM(model, data, many, vectors)
    _core.mj_solveM(ours_model, ours, ours_many, vectors)
    assert error(many, ours_many) < 1e-10
    root = np.sqrt(data.qLDiagInv)
    mujoco.mj_solveM2(model, data, many, vectors, root)
    _core.mj_solveM2(ours_model, ours, ours_many, vectors, root)
    assert error(many, ours_many) < 1e-10

    ours_sum = vectors.T @ vectors
    _core.mj_addM(ours_model, ours, ours_sum, None, None, None)
    assert error(vectors.T @ vectors + np.tril(full), ours_sum) < 1e-12
    for flag in (0, 1):
        mujoco.mj_rne(model, data, flag, a)
        _core.mj_rne(ours_model, ours, flag, b)
        assert error(a, b) < 1e-9


def test_sparse_sum_of_inertia():
    """Rows of M merge into sparse rows that have other columns."""
    model, data, ours_model, ours, _ = prepared("own/dynamics/joints")
    nv = model.nv
    full = np.zeros((nv, nv))
    mujoco.mj_fullM(model, full, data.qM)
    values, columns = np.zeros((nv, nv)), np.zeros((nv, nv), dtype=np.int32)
    rownnz, rowadr = np.ones(nv, dtype=np.int32), np.arange(nv, dtype=np.int32) * nv
    rows = np.arange(nv)
    values[:, 0], columns[:, 0] = 7, rows // 2
    _core.mj_addM(ours_model, ours, values, rownnz, rowadr, columns)
    expected = np.tril(full)
    expected[rows, rows // 2] += 7
    assert error(expected, dense(nv, nv, values, rownnz, rowadr, columns)) < 1e-12
    for r in rows:
        assert np.all(np.diff(columns[r, :rownnz[r]]) > 0)
        merged = set(model.M_colind[model.M_rowadr[r]:model.M_rowadr[r] + model.M_rownnz[r]]) | {r // 2}
        assert rownnz[r] == len(merged)


@pytest.mark.parametrize("name", OWN)
def test_positions(name):
    model, ours_model = load(name)
    rng = np.random.default_rng(SEED)
    for _ in range(20):
        qpos, qvel = rng.normal(size=model.nq), rng.normal(size=model.nv)
        a, b = qpos.copy(), qpos.copy()
        mujoco.mj_integratePos(model, a, qvel, 0.1)
        _core.mj_integratePos(ours_model, b, qvel, 0.1)
        assert error(a, b) < 1e-14
        va, vb = np.zeros(model.nv), np.zeros(model.nv)
        mujoco.mj_differentiatePos(model, va, 0.1, qpos, a)
        _core.mj_differentiatePos(ours_model, vb, 0.1, qpos, b)
        assert error(va, vb) < 1e-13
        a, b = qpos.copy(), qpos.copy()
        mujoco.mj_normalizeQuat(model, a)
        _core.mj_normalizeQuat(ours_model, b)
        assert np.array_equal(a, b)


def test_total_mass():
    model, ours_model = load("own/dynamics/joints")
    assert _core.mj_getTotalmass(ours_model) == pytest.approx(mujoco.mj_getTotalmass(model), rel=1e-14)
    for mass in (5.0, 0.0):
        model, ours_model = load("own/dynamics/joints")
        mujoco.mj_setTotalmass(model, mass)
        _core.mj_setTotalmass(ours_model, mass)
        assert error(model.body_mass, ours_model.body_mass, 1e-300) < 1e-14
        assert error(model.body_inertia, ours_model.body_inertia, 1e-300) < 1e-14


@pytest.mark.parametrize("name", ["own/dynamics/joints", "dm/humanoid", "gym/ant"])
def test_timers(name):
    """Stages are counted as in MuJoCo."""
    for integrator in (0, 1, 3):
        model, ours_model = load(name, CONTACT | CONSTRAINT, 0, integrator)
        for calls in (("mj_step",), ("mj_step1", "mj_step2"), ("mj_inverse",), ("mj_forward",)):
            data, ours = mujoco.MjData(model), _core.MjData(ours_model)
            for call in calls:
                getattr(mujoco, call)(model, data)
                getattr(_core, call)(ours_model, ours)
            theirs = [t.number for t in data.timer]
            mine = [t.number for t in ours.timer]
            # broad and narrow phase are counted by collision detection
            assert theirs[:10] + theirs[11:13] == mine[:10] + mine[11:13], (calls, integrator)
