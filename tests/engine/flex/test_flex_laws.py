"""Laws of stretch and bending that MuJoCo has not: materials by principal stretches, hinges."""

import numpy as np
import pytest
import sinew

MATERIALS = ["neo_hookean", "stvk", "corotated", "mooney_rivlin"]
SOLID = "type='grid' count='3 3 3' spacing='.1 .1 .1' dim='3'"
SHEET = "type='grid' count='4 4 1' spacing='.1 .1 .1' dim='2'"


def flex_model(attributes, elasticity="young='1e4' poisson='.3' thickness='.01'", option="", inside="", contact=0):
    return sinew.MjModel.from_xml_string(f"""
      <mujoco><option gravity="0 0 0" {option}><flag energy="enable"/></option><worldbody>
        <flexcomp name="f" {attributes} radius=".001" mass="1">
          <contact contype="{contact}" conaffinity="{contact}" selfcollide="none" internal="false"/>
          <elasticity {elasticity}/>{inside}
        </flexcomp></worldbody></mujoco>""")


def shaken(model, size, seed=0):
    data, random = sinew.MjData(model), np.random.default_rng(seed)
    data.qpos[:] += size * random.standard_normal(model.nq)
    data.qvel[:] = random.standard_normal(model.nv)
    sinew.mj_forward(model, data)
    return data


def energy(model, data, qpos):
    data.qpos[:] = qpos
    sinew.mj_fwdPosition(model, data)
    sinew.mj_energyPos(model, data)
    return data.energy[0]


def check_force_is_minus_gradient(model, data):
    qpos, force, eps = data.qpos.copy(), data.qfrc_spring.copy(), 1e-6
    slope = np.empty(model.nv)
    for i in range(model.nv):
        step = eps * (np.arange(model.nq) == i)
        slope[i] = (energy(model, data, qpos + step) - energy(model, data, qpos - step)) / (2 * eps)
    assert np.abs(force).max() > 0
    assert np.abs(force + slope).max() < 1e-6 * np.abs(force).max()


LAWS = [(SOLID, f"sinew:elasticity_model='{name}'") for name in MATERIALS] \
    + [(SHEET, f"sinew:elasticity_model='{name}'") for name in MATERIALS[:3]] \
    + [(SHEET, "sinew:bending_model='bridson' sinew:bending_param='.02 .001'"), (SHEET, "sinew:bending_model='bridson'")]


@pytest.mark.parametrize("shape, law", LAWS)
def test_force_is_minus_the_gradient_of_the_energy(shape, law):
    """Random states, moderate and large (spec 42C)."""
    model = flex_model(f"{shape} {law}", option="timestep='1e-4'")
    for seed, size in enumerate((0.005, 0.02)):
        check_force_is_minus_gradient(model, shaken(model, size, seed))


@pytest.mark.parametrize("name", MATERIALS)
def test_element_that_is_inside_out_has_finite_forces_that_turn_it_back(name):
    model = flex_model("type='direct' dim='3' point='0 0 0 1 0 0 0 1 0 0 0 1' element='0 1 2 3' "
                       f"sinew:elasticity_model='{name}'", option="integrator='implicit' timestep='.002'",
                       elasticity="young='1e3' poisson='.3' damping='.02'")
    data = sinew.MjData(model)
    apex = 3 * 3 + 2
    data.qpos[apex] = -1.4
    sinew.mj_forward(model, data)
    assert np.isfinite(data.qfrc_spring).all()
    if name != "stvk":  # whose energy does not see the side
        assert data.qfrc_spring[apex] > 0
    check_force_is_minus_gradient(model, data)


@pytest.mark.parametrize("name", MATERIALS)
@pytest.mark.parametrize("shape", [SOLID, SHEET])
def test_small_strains_follow_young_and_poisson(name, shape):
    """Uniaxial stress on a block or sheet: sides that are free contract by nu, the force is E A strain."""
    if shape == SHEET and name == "mooney_rivlin":
        pytest.skip("of tetrahedra alone")
    young, poisson, strain, thickness = 1e4, 0.3, 1e-4, 0.01
    model = flex_model(f"{shape} sinew:elasticity_model='{name}'")
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    x = data.flexvert_xpos.copy()
    stretched = x * (np.array([1 + strain, 1 - poisson * strain, 1 - poisson * strain]))
    data.qpos[:] = (stretched - x).reshape(-1)
    sinew.mj_forward(model, data)
    force = data.qfrc_spring.reshape(-1, 3)
    pull = force[x[:, 0] > x[:, 0].max() - 1e-6, 0].sum()
    area = 0.2 * 0.2 if shape == SOLID else 0.3 * thickness
    assert -pull == pytest.approx(young * area * strain, rel=1e-3)
    inner = np.abs(force[:, 1:]).max() if shape == SOLID else np.abs(force[:, 1]).max()
    assert inner < 1e-2 * young * area * strain


def test_solid_of_saint_venant_and_kirchhoff_is_mujocos_law_with_half_its_lambda():
    """MuJoCo's energy has lambda where the material has lambda / 2."""
    mu, lam = 4e3, 3e3
    young, poisson = mu * (3 * lam + 2 * mu) / (lam + mu), lam / (2 * (lam + mu))
    theirs = flex_model(SOLID, elasticity=f"young='{young!r}' poisson='{poisson!r}'")
    ours = flex_model(f"{SOLID} sinew:elasticity_model='stvk' sinew:elasticity_param='{mu} {2 * lam}'")
    a, b = shaken(theirs, 0.01), shaken(ours, 0.01)
    assert np.abs(a.qfrc_spring - b.qfrc_spring).max() < 1e-9 * np.abs(a.qfrc_spring).max()


def test_volume_is_kept_as_poisson_nears_one_half():
    """A loaded cube deforms, stays finite, and keeps its volume the better the nearer nu is to 1/2 (spec 42C: 2)."""
    change = []
    for poisson in (0.3, 0.45, 0.49, 0.499):
        model = flex_model(f"{SOLID} sinew:elasticity_model='neo_hookean'", option="integrator='implicitfast' timestep='.002'",
                           elasticity=f"young='1e4' poisson='{poisson}' damping='.01'",
                           inside="<pin gridrange='0 0 0 2 2 0'/>")
        data = sinew.MjData(model)
        sinew.mj_forward(model, data)
        tets = model.flex_elem.reshape(-1, 4)
        volume = lambda: np.abs(np.linalg.det(data.flexvert_xpos[tets[:, 1:]] - data.flexvert_xpos[tets[:, :1]])).sum() / 6
        rest, top = volume(), np.flatnonzero(data.flexvert_xpos[:, 2] > data.flexvert_xpos[:, 2].max() - 1e-6)
        dofs = model.body_dofadr[model.flex_vertbodyid[top]] + 2
        data.qfrc_applied[dofs] = -5
        for _ in range(400):
            sinew.mj_step(model, data)
        assert np.isfinite(data.qpos).all()
        change.append(abs(volume() / rest - 1))
    assert change[0] > change[1] > change[2] > change[3] and change[3] < 1e-3, change


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
@pytest.mark.parametrize("shape, law", [(SOLID, "sinew:elasticity_model='neo_hookean'"),
                                        (SHEET, "sinew:elasticity_model='corotated' sinew:bending_model='bridson'")])
def test_stiff_flexes_are_stable_at_common_time_steps(shape, law, integrator):
    """Explicit steps of the same model fly apart (spec 42B: 3)."""
    def run(choice):
        model = flex_model(f"{shape} {law}", option=f"integrator='{choice}' timestep='.01'",
                           elasticity="young='1e9' poisson='.3' thickness='.01' damping='1e-3'")
        data = shaken(model, 1e-4)
        data.qvel[:] = 0
        start = energy(model, data, data.qpos.copy())
        for _ in range(500):
            sinew.mj_step(model, data)
        return data, start
    data, start = run(integrator)
    assert np.isfinite(data.qpos).all() and sum(w.number for w in data.warning) == 0
    sinew.mj_energyPos(data.model, data)
    assert data.energy[0] < start


def test_plate_of_a_huge_modulus_is_stable_with_hinges():
    """E = 1e12, h = 0.01, 500 steps (spec 42B: 3)."""
    model = flex_model(f"{SHEET} sinew:elasticity_model='corotated' sinew:bending_model='bridson'",
                       elasticity="young='1e12' poisson='.3' thickness='.01'", option="integrator='implicitfast' timestep='.01'")
    data = shaken(model, 1e-3)
    for _ in range(500):
        sinew.mj_step(model, data)
    assert np.isfinite(data.qpos).all() and np.abs(data.qvel).max() < 100


def test_momentum_is_kept_by_every_law():
    for shape, law in LAWS:
        for integrator in ("Euler", "implicitfast"):
            model = flex_model(f"{shape} {law}", option=f"integrator='{integrator}' timestep='5e-4'",
                               elasticity="young='1e4' poisson='.3' thickness='.01' damping='1e-3'")
            data = shaken(model, 0.005)
            mass = model.body_mass[model.dof_bodyid]
            before = [(mass * data.qvel)[k::3].sum() for k in range(3)]
            for _ in range(20):
                sinew.mj_step(model, data)
            assert np.allclose([(mass * data.qvel)[k::3].sum() for k in range(3)], before, atol=1e-9), (law, integrator)


def test_damping_takes_energy():
    model = flex_model(f"{SOLID} sinew:elasticity_model='neo_hookean'", option="timestep='1e-4'",
                       elasticity="young='1e4' poisson='.3' damping='1e-2'")
    for seed in range(5):
        data = shaken(model, 0.01, seed)
        assert data.qfrc_damper @ data.qvel < 0


def test_each_flex_has_a_law_of_its_own():
    """The forces of one flex do not depend on its neighbour's law (spec 42B: 7; spec 42C: 4)."""
    def world(*laws):
        comps = "".join(f"<flexcomp name='f{i}' {SOLID} pos='{i} 0 0' mass='1' sinew:elasticity_model='{law}'>"
                        "<contact contype='0' conaffinity='0' selfcollide='none' internal='false'/>"
                        "<elasticity young='1e4' poisson='.3'/></flexcomp>" for i, law in enumerate(laws))
        model = sinew.MjModel.from_xml_string(f"<mujoco><worldbody>{comps}</worldbody></mujoco>")
        return shaken(model, 0.01).qfrc_spring.reshape(2, -1)
    mixed, same = world("neo_hookean", "linear"), world("linear", "linear")
    assert (mixed[1] == same[1]).all() and np.abs(mixed[0] - same[0]).max() > 1e-3


@pytest.mark.parametrize("attributes, message", [
    (f"{SOLID} sinew:elasticity_model='rubber'",
     "unknown elasticity model 'rubber' in flex; there are: linear, neo_hookean, stvk, corotated, mooney_rivlin"),
    (f"{SHEET} sinew:bending_model='hinge'", "unknown bending model 'hinge' in flex; there are: cotangent, bridson"),
    (f"{SOLID} sinew:elasticity_model='neo_hookean' sinew:elasticity_param='-1 2'", "has a negative parameter"),
    (f"{SOLID} sinew:elasticity_model='neo_hookean' sinew:elasticity_param='1'", "has 2 parameters"),
    (f"{SOLID} sinew:elasticity_model='stvk' sinew:elasticity_param='1 2 3'", "more than 2 parameters"),
    (f"{SHEET} sinew:elasticity_model='mooney_rivlin'", "acts on flexes of dim 3"),
    (f"{SOLID} sinew:bending_model='bridson' sinew:bending_param='1'", "acts on flexes of dim 2"),
    (f"{SOLID} dof='trilinear' sinew:elasticity_model='neo_hookean'", "does not act on interpolated flexes"),
])
def test_message_of_a_law_that_cannot_be(attributes, message):
    with pytest.raises(ValueError, match=message):
        flex_model(attributes)


@pytest.mark.parametrize("poisson, young, message", [(".5", "1e4", "Poisson ratio"), (".3", "0", "needs young or parameters")])
def test_message_of_moduli_that_cannot_be(poisson, young, message):
    with pytest.raises(ValueError, match=message):
        flex_model(f"{SOLID} sinew:elasticity_model='neo_hookean'", elasticity=f"young='{young}' poisson='{poisson}'")


def test_hinges_are_listed_by_their_vertices_and_angles():
    """flexhinge_vert and flexhinge_angle0 (spec 42B): edges between two triangles of flexes that bend by hinges."""
    bent = "type='direct' dim='2' point='0 0 0  0 1 0  -1 .5 0  1 .5 {}' element='1 0 2  0 1 3'"
    models = [flex_model(f"{shape} sinew:bending_model='{law}'") for shape, law in
              ((SHEET, "bridson"), (SHEET, "cotangent"), (bent.format(np.tan(0.3)), "bridson"))]
    sheet, plain, flap = models
    inner = np.flatnonzero(sheet.flex_edgeflap[:, 1] >= 0)
    np.testing.assert_array_equal(sheet.flexhinge_edge, inner)
    np.testing.assert_array_equal(sheet.flexhinge_vert, np.hstack([sheet.flex_edge, sheet.flex_edgeflap])[inner])
    np.testing.assert_allclose(sheet.flexhinge_angle0, 0, atol=1e-12)
    assert plain.flexhinge_vert.shape == (0, 4) and plain.flexhinge_angle0.shape == (0,)
    assert set(flap.flexhinge_vert[0, :2]) == {0, 1} and set(flap.flexhinge_vert[0, 2:]) == {2, 3}
    assert abs(abs(flap.flexhinge_angle0[0]) - 0.3) < 1e-12


def test_angles_of_hinges_at_rest_can_be_set():
    model = flex_model(f"{SHEET} sinew:bending_model='bridson' sinew:bending_param='.02 .01'")
    with pytest.raises(ValueError, match="read-only"):
        model.flexhinge_angle0[0] = 1
    with pytest.raises(ValueError, match="should have 21 numbers"):
        model.flexhinge_angle0 = [1, 2]
    angles = np.linspace(-0.2, 0.2, 21)
    model.flexhinge_angle0 = angles
    np.testing.assert_array_equal(model.flexhinge_angle0, angles)
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    assert np.abs(data.qfrc_spring).max() > 1e-4
