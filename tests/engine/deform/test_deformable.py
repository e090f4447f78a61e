"""Deformables by XPBD: what is conserved, what holds, what a user reads (criteria A1 to A8, T1 to T12 of item 11)."""

import numpy as np
import pytest

import sinew


def build(deformable, world="", option="", extra=""):
    return sinew.MjModel.from_xml_string(
        f"<mujoco><option timestep='0.002' {option}/><worldbody>{world}</worldbody>"
        f"<deformable>{deformable}</deformable>{extra}</mujoco>")


def run(model, steps):
    data = sinew.MjData(model)
    for _ in range(steps):
        sinew.mj_step(model, data)
    return data


def strain(model, data):
    ends = model.deformedge_vert
    length = np.linalg.norm(data.deformvert_xpos[ends[:, 0]] - data.deformvert_xpos[ends[:, 1]], axis=1)
    return length / model.deformedge_rest.ravel() - 1


def masses(model):
    return 1 / model.deformvert_invmass.ravel()


def momentum(model, data):
    return masses(model) @ data.deformvert_xvel


def angular_momentum(model, data):
    return (masses(model)[:, None] * np.cross(data.deformvert_xpos, data.deformvert_xvel)).sum(0)


CLOTH = "<sinew:cloth name='c' count='8 8 1' spacing='0.05 0.05 0.05' pos='0 0 1' {}/>"
CUBE = "<sinew:softbody name='s' count='4 4 4' spacing='0.05 0.05 0.05' pos='0 0 1' {}/>"
CHAIN = "<sinew:chain name='r' count='11 1 1' spacing='0.05 1 1' pos='0 0 1' {}/>"
ALL = [CLOTH, CUBE, CHAIN]
SPHERE = "<body pos='0 0 {}'><freejoint/><geom type='sphere' size='0.1' mass='{}'/></body>"


# ---- nothing declared ----


def test_model_without_deformables_has_no_memory_for_them():
    """spec 11: A5; spec 004-9: 5. T1."""
    model = build("", SPHERE.format(1, 1))
    data = run(model, 1)
    assert model.ndeformable == model.ndeformvert == model.ndeformbody == data.ndeformcon == 0
    assert data.deformvert_xpos.size == data.deformable_xfrc.size == 0
    state = sinew.mj_stateSize(model, sinew.mjtState.mjSTATE_PHYSICS)
    assert state == model.nq + model.nv


# ---- conservation ----


@pytest.mark.parametrize("body", ALL)
def test_free_fall_is_exact(body):
    """Constraints at rest do nothing: x = g t^2 / 2 in the discretisation of the substeps."""
    model = build(body.format("substeps='5'"))
    data = run(model, 100)
    h, n = model.opt.timestep / 5, 500
    fall = -9.81 * h * h * n * (n + 1) / 2
    np.testing.assert_allclose(data.deformvert_xpos - model.deformvert_pos, np.tile([0, 0, fall], (model.ndeformvert, 1)),
                               atol=1e-10)


@pytest.mark.parametrize("body", ALL)
def test_internal_constraints_conserve_momentum(body):
    model = build(body.format(""), option="gravity='0 0 0'")
    data = sinew.MjData(model)
    rng = np.random.default_rng(1)
    data.deformvert_xvel[:] = rng.normal(size=data.deformvert_xvel.shape) * 0.3
    before = momentum(model, data), angular_momentum(model, data)
    scale = masses(model).sum()
    for _ in range(200):
        sinew.mj_step(model, data)
    np.testing.assert_allclose(momentum(model, data), before[0], atol=1e-12 * scale)
    # directions of constraints are those of the middle of a sweep: the moment is kept to the order of the substep
    assert np.linalg.norm(angular_momentum(model, data) - before[1]) < 1e-3 * np.linalg.norm(before[1])


@pytest.mark.parametrize("body", ALL)
def test_energy_of_a_closed_system_never_grows(body):
    """Never more than 0.1 % above its start."""
    model = build(body.format(""), option="gravity='0 0 0'")
    data = sinew.MjData(model)
    rng = np.random.default_rng(2)
    data.deformvert_xvel[:] = rng.normal(size=data.deformvert_xvel.shape) * 0.5

    def kinetic():
        return (masses(model)[:, None] * data.deformvert_xvel**2).sum() / 2

    start = kinetic()
    for _ in range(500):
        sinew.mj_step(model, data)
        assert kinetic() < start * 1.001


def test_contact_conserves_momentum():
    """The momentum of vertices, of the rigid body, and of the impulse that it gets in the next step."""
    model = build(CLOTH.format(""), "<body pos='0 0 1.15'><freejoint/><geom type='sphere' size='0.1' mass='0.3'/></body>",
                  "gravity='0 0 0'")
    data = sinew.MjData(model)
    data.qvel[:6] = [0.2, 0, -2, 0, 0, 3]
    start = 0.3 * data.qvel[:3].copy()
    touched = 0
    for _ in range(300):
        sinew.mj_step(model, data)
        pending = data.deformable_xfrc[1, :3] * model.opt.timestep
        touched += np.abs(pending).max() > 0
        total = momentum(model, data) + 0.3 * data.qvel[:3] + pending
        np.testing.assert_allclose(total, start, atol=1e-10)
    assert touched > 10


# ---- shapes at rest ----


def test_pinned_vertices_stay():
    model = build("<sinew:cloth count='6 6 1' spacing='.05 .05 .05'><pin grid='0 0 5 0'/></sinew:cloth>")
    data = run(model, 500)
    pinned = model.deformvert_invmass.ravel() == 0
    assert pinned.sum() == 2
    np.testing.assert_array_equal(data.deformvert_xpos[pinned], model.deformvert_pos[pinned])
    assert np.abs(strain(model, data)).max() < 0.02


def hanging_chain(substeps):
    model = build("<sinew:chain count='21 1 1' spacing='0.05 1 1' damping='2' bend_compliance='1e6' euler='0 90 0' "
                  f"twist_compliance='1e6' substeps='{substeps}'><pin id='0'/></sinew:chain>",
                  option="gravity='0 0 -9.81'")
    return model, run(model, 4000)


def test_hanging_chain_converges_to_its_length():
    """Elongation under its own weight goes with the square of the substep, as the theory of small steps says."""
    length = 1.0
    errors = []
    for substeps in (5, 10, 20):
        model, data = hanging_chain(substeps)
        errors.append(np.ptp(data.deformvert_xpos[:, 2]) - length)
    assert 0 < errors[2] < errors[1] < errors[0] < 2e-3
    assert errors[1] < 0.4 * errors[0] and errors[2] < 0.4 * errors[1]


def test_chain_between_pins_hangs_as_a_catenary():
    model = build("<sinew:chain count='41 1 1' spacing='0.05 1 1' damping='1' bend_compliance='1e6' substeps='20' "
                  "twist_compliance='1e6'><pin id='0 40'/></sinew:chain>")
    data = sinew.MjData(model)
    half = 0.8  # of the distance of the ends; the chain has length 2
    data.deformvert_xpos[:, 0] *= half
    data.deformvert_xpos[1:-1, 2] -= 1e-3
    for _ in range(6000):
        sinew.mj_step(model, data)
    low, high = 1e-3, 10.0  # parameter a of the catenary: a sinh(half / a) = 1
    for _ in range(100):
        a = (low + high) / 2
        low, high = (a, high) if a * np.sinh(half / a) > 1 else (low, a)
    sag = a * (np.cosh(half / a) - 1)
    assert abs(-data.deformvert_xpos[:, 2].min() - sag) < 0.01
    x, z = data.deformvert_xpos[:, 0], data.deformvert_xpos[:, 2]
    np.testing.assert_allclose(z, a * (np.cosh(x / a) - np.cosh(half / a)), atol=0.01)


def test_volume_is_kept_without_compliance():
    model = build(CUBE.format("volume_compliance='0' preset='gelatin' damping='1'"),
                  "<geom type='plane' size='1 1 1' pos='0 0 .9'/>")
    data = sinew.MjData(model)
    corner = model.deformtet_vert

    def volume(x):
        a, b, c, d = (x[corner[:, k]] for k in range(4))
        return np.einsum("ij,ij->", np.cross(b - a, c - a), d - a) / 6

    start = volume(model.deformvert_pos)
    for step in range(1500):
        sinew.mj_step(model, data)
        if step % 50 == 0:
            assert abs(volume(data.deformvert_xpos) / start - 1) < 0.01
    assert data.deformvert_xpos[:, 2].min() > 0.9


# ---- state ----


def test_forward_leaves_deformables_as_they_are():
    model = build(CLOTH.format(""), SPHERE.format(0.8, 1))
    data = run(model, 60)
    spec = sinew.mjtState.mjSTATE_INTEGRATION
    before, after = np.zeros(sinew.mj_stateSize(model, spec)), np.zeros(sinew.mj_stateSize(model, spec))
    sinew.mj_getState(model, data, before, spec)
    for _ in range(3):
        sinew.mj_forward(model, data)
    sinew.mj_getState(model, data, after, spec)
    warm = sinew.mj_stateSize(model, sinew.mjtState.mjSTATE_FULLPHYSICS)
    np.testing.assert_array_equal(before[:warm], after[:warm])


def test_state_is_complete():
    """A run goes on with the same bits from a saved state."""
    model = build(CLOTH.format("sleep='1e-3'"), SPHERE.format(1.2, 1))
    data, other = run(model, 150), sinew.MjData(model)
    spec = sinew.mjtState.mjSTATE_INTEGRATION
    state = np.zeros(sinew.mj_stateSize(model, spec))
    sinew.mj_getState(model, data, state, spec)
    sinew.mj_setState(model, other, state, spec)
    for _ in range(50):
        sinew.mj_step(model, data)
        sinew.mj_step(model, other)
    np.testing.assert_array_equal(data.deformvert_xpos, other.deformvert_xpos)
    np.testing.assert_array_equal(data.qpos, other.qpos)


def test_copy_is_deep():
    """T10."""
    import copy
    model = build(CLOTH.format(""))
    data = run(model, 10)
    other = copy.copy(data)
    other.deformvert_xpos[:] += 1
    assert np.abs(other.deformvert_xpos - data.deformvert_xpos).min() > 0.5


def test_reset_returns_declared_bodies_and_keeps_registered_ones():
    """T11."""
    for registered in (False, True):
        model = build(CLOTH.format("registered='true'" if registered else ""))
        data = run(model, 50)
        fallen = data.deformvert_xpos.copy()
        sinew.mj_resetData(model, data)
        assert np.abs(data.deformvert_xvel).max() == 0
        np.testing.assert_array_equal(data.deformvert_xpos, fallen if registered else model.deformvert_pos)


def test_vertices_that_are_no_numbers_reset_the_world():
    model = build(CLOTH.format(""))
    data = run(model, 5)
    data.deformvert_xvel[3] = np.nan
    sinew.mj_step(model, data)
    assert data.warning[sinew.mjtWarning.mjWARN_BADQVEL].number == 1
    assert np.isfinite(data.deformvert_xpos).all()


def test_binary_form_keeps_deformables(tmp_path):
    model = build(CLOTH.format("damping='0.1'"))
    path = str(tmp_path / "m.mjb")
    sinew.mj_saveModel(model, path)
    again = sinew.MjModel.from_binary_path(path)
    np.testing.assert_array_equal(run(model, 20).deformvert_xpos, run(again, 20).deformvert_xpos)


# ---- language ----


def test_text_of_a_model_gives_the_same_model():
    spec = sinew.MjSpec.from_string(
        "<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/></body></worldbody><deformable>"
        "<sinew:cloth name='c' count='3 4 1' preset='silk' substeps='7' attachvert='0' attachbody='b'><pin id='2'/>"
        "</sinew:cloth><sinew:softbody name='s' count='2 2 2' young='1e5'/>"
        "<sinew:chain name='r' vertex='0 0 0 1 0 0 1 1 0' element='0 1 1 2' friction='.3' repeats='2'/>"
        "</deformable></mujoco>")
    model = spec.compile()
    again = sinew.MjModel.from_xml_string(spec.to_xml())
    assert again.ndeformable == 3
    for name in ("deformvert_pos", "deformvert_invmass", "deformedge_vert", "deformedge_compliance", "deformbend_coef",
                 "deformtet_vert", "deformable_substeps", "deformable_repeats", "deformvert_bodyid",
                 "deformable_friction"):
        np.testing.assert_allclose(getattr(model, name), getattr(again, name), rtol=1e-6, atol=1e-9, err_msg=name)


def test_spec_makes_a_deformable():
    spec = sinew.MjSpec()
    spec.add_deformable(name="rope", type=sinew.mjtDeformable.mjDEFORMABLE_CHAIN, vert=[0, 0, 1, .1, 0, 1, .2, 0, 1],
                        elem=[0, 1, 1, 2], pin=[0])
    model = spec.compile()
    assert sinew.mj_name2id(model, sinew.mjtObj.mjOBJ_DEFORMABLE, "rope") == 0
    assert model.ndeformedge == 2 and model.ndeformbend == 1


@pytest.mark.parametrize("text, message", [
    ("<sinew:cloth preset='linen'/>", "unknown preset 'linen' of deformable; there are: cotton, silk"),
    ("<sinew:cloth substance='linen'/>", "unknown substance 'linen'"),
    ("<sinew:cloth solver='fast'/>", "unknown solver 'fast'"),
    ("<sinew:cloth substeps='0'/>", "substeps must be between 1 and 1000"),
    ("<sinew:cloth repeats='5'/>", "repeats must be between 1 and 4"),
    ("<sinew:cloth condim='2'/>", "condim must be 1, 3, 4 or 6"),
    ("<sinew:cloth poisson='0.5'/>", "poisson must be between -1 and 0.5"),
    ("<sinew:cloth stretch_compliance='-1'/>", "compliance must be >= 0"),
    ("<sinew:cloth pin='1000'/>", "pinned vertex 1000 of deformable out of range"),
    ("<sinew:cloth attachvert='0' attachbody='nobody'/>", "unknown body 'nobody'"),
    ("<sinew:cloth count='1 5 1'/>", "count must be at least 2"),
    ("<sinew:cloth vertex='0 0 0 1 0 0 2 0 0' element='0 1 2'/>", "element 0 of deformable is degenerate"),
    ("<sinew:chain vertex='0 0 0 1 0 0 2 0 0' element='0 1'/>", "vertex 2 of deformable is in no element"),
    ("<sinew:chain vertex='0 0 0 1 0 0' element='0 2'/>", "element 0 has vertex 2"),
    ("<sinew:sheet/>", "sinew:sheet"),
])
def test_errors_say_what_is_wrong(text, message):
    with pytest.raises(ValueError, match=message):
        build(text)


@pytest.mark.parametrize("kind, names", [
    ("cloth", "cotton silk leather rubber paper membrane"),
    ("softbody", "rubber gelatin soft_tissue muscle foam stiff"),
    ("chain", "rope steel_cable hair chain"),
])
def test_presets(kind, names):
    count = {"cloth": "3 3 1", "softbody": "2 2 2", "chain": "4 1 1"}[kind]
    for name in names.split():
        model = build(f"<sinew:{kind} preset='{name}' count='{count}'/>")
        assert np.isfinite(run(model, 20).deformvert_xpos).all()


def test_constraints_of_one_colour_share_no_vertex():
    model = build("".join(body.format("").replace(f"name='{n}'", "") for body, n in zip(ALL, "csr")))
    tables = [model.deformtether_vert, model.deformedge_vert, model.deformbend_vert, model.deformtet_vert, model.deformtwist_vert]
    for kind, adr, num in zip(model.deformcolor_kind.ravel(), model.deformcolor_adr.ravel(), model.deformcolor_num.ravel()):
        sets = [set(row) for row in tables[kind][adr:adr + num]]
        assert len(set().union(*sets)) == sum(map(len, sets))
    assert sum(model.deformcolor_num.ravel()) == sum(map(len, tables))
