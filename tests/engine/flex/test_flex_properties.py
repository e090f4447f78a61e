"""What must hold of soft bodies whatever their numbers: invariances, sums, symmetries, flags, states, views."""

import flexes
import mujoco
import numpy as np
import pytest
import sinew

HEAD = """<mujoco><option timestep="0.001" gravity="0 0 0" {option}>{flag}</option><worldbody>
<body name="base">{inner}</body></worldbody></mujoco>"""
SOFT = """<flexcomp name="{name}" type="grid" dim="{dim}" count="{count}" spacing="0.1 0.1 0.1" mass="0.5" radius="0.01" {extra}>
<edge {edge}/><elasticity young="{young}" poisson="{poisson}" damping="{damping}" {elastic}/><contact selfcollide="none"/></flexcomp>"""
NO_CONTACT = '<flag contact="disable"/>'
KINDS = {
    "rope": {"dim": 1, "count": "7 1 1", "edge": 'stiffness="50" damping="0.2"'},
    "sheet": {"dim": 2, "count": "5 4 1", "elastic": 'thickness="0.02" elastic2d="stretch"'},
    "bent": {"dim": 2, "count": "5 4 1", "elastic": 'thickness="0.05" elastic2d="bend"'},
    "both": {"dim": 2, "count": "5 4 1", "elastic": 'thickness="0.02" elastic2d="both"'},
    "solid": {"dim": 3, "count": "3 3 3"},
    "trilinear": {"dim": 3, "count": "4 4 4", "extra": 'dof="trilinear"'},
    "quadratic": {"dim": 3, "count": "5 5 5", "extra": 'dof="quadratic"'},
}
VERTICES = ("rope", "sheet", "bent", "both", "solid")


def soft(kind, **settings):
    base = {"name": "soft", "extra": "", "edge": "", "young": 0 if kind == "rope" else 1000, "poisson": 0.3, "damping": 0, "elastic": ""}
    return SOFT.format(**(base | KINDS[kind] | settings))


def model(inner, option="", flag=NO_CONTACT):
    return sinew.MjModel.from_xml_string(HEAD.format(inner=inner, option=option, flag=flag))


def bodies(m):
    return np.flatnonzero(m.body_dofnum)


def excite(m, d, size=0.01, speed=0.0, seed=1):
    rng = np.random.default_rng(seed)
    d.qpos[:] = size * rng.standard_normal(m.nq)
    d.qvel[:] = speed * rng.standard_normal(m.nv)
    sinew.mj_forward(m, d)


# ---- invariances ----


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_pulls_at_rest(kind):
    m = model(soft(kind))
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    # edges and elements keep the lengths that the compiler found, nodes those of their box up to rounding
    assert np.abs(d.qfrc_passive).max() <= (1e-11 if m.nflexnode or kind in ("bent", "both") else 0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_rigid_motion_strains_nothing(kind):
    m = model(soft(kind))
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    rest = np.array(d.xpos[bodies(m)])
    turn = np.zeros(9)
    sinew.mju_quat2Mat(turn, np.array([0.5, -0.1, 0.7, 0.5]) / np.linalg.norm([0.5, -0.1, 0.7, 0.5]))
    moved = rest @ turn.reshape(3, 3).T + [0.3, -0.2, 0.1]
    d.qpos[:] = (moved - rest).ravel()
    sinew.mj_forward(m, d)
    assert np.abs(d.qfrc_passive).max() < (1e-7 if m.nflexnode else 1e-11)


# ---- sums ----


@pytest.mark.parametrize("kind", KINDS)
def test_internal_forces_have_no_resultant(kind):
    """Damping included; nodes are linear in the strain, so that their torque vanishes with its square."""
    m = model(soft(kind, damping=0.01))
    d = sinew.MjData(m)
    excite(m, d, speed=0.3)
    force, x = np.array(d.qfrc_passive).reshape(-1, 3), d.xpos[bodies(m)]
    scale = np.abs(force).max()
    assert scale > 1e-3
    np.testing.assert_allclose(force.sum(axis=0), 0, atol=1e-11 * max(1, scale))
    if kind in VERTICES and kind not in ("bent", "both"):  # the damper of bending turns
        np.testing.assert_allclose(np.cross(x, force).sum(axis=0), 0, atol=1e-11 * max(1, scale))
    d.qvel[:] = 0
    sinew.mj_forward(m, d)
    force = np.array(d.qfrc_passive).reshape(-1, 3)
    if kind in VERTICES:
        np.testing.assert_allclose(np.cross(x, force).sum(axis=0), 0, atol=1e-11 * max(1, scale))


def potential(m, d):
    """U = 1/4 e'ke of elements + flaps [1/2 sum b_ij x_i.x_j + b_16 (d0 x d1).d2] + edges 1/2 k (L - l)^2."""
    total, x = 0.0, d.flexvert_xpos
    n = {2: 3, 3: 6}.get(int(m.flex_dim[0]), 0)
    upper = np.triu_indices(n) if n else None
    for t in range(m.nflexelem if n and m.flex_stiffness.any() else 0):
        edges = m.flex_elemedge[n * t : n * t + n]
        e = d.flexedge_length[edges] ** 2 - m.flexedge_length0[edges] ** 2
        k = np.zeros((n, n))
        k[upper] = m.flex_stiffness[t][: len(upper[0])]
        total += e @ (k + np.triu(k, 1).T) @ e / 4
    for (v0, v1), flap, b in zip(m.flex_edge, m.flex_edgeflap, m.flex_bending):
        if flap[1] >= 0:
            p = x[[v0, v1, flap[0], flap[1]]]
            total += 0.5 * np.einsum("ij,ik,jk", b[:16].reshape(4, 4), p, p)
            total += b[16] * np.cross(p[1] - p[0], p[2] - p[0]) @ (p[3] - p[0])
    return total + 0.5 * m.flex_edgestiffness[0] * ((d.flexedge_length - m.flexedge_length0) ** 2).sum()


@pytest.mark.parametrize("kind", VERTICES)
def test_springs_are_the_gradient_of_the_energy(kind):
    m = model(soft(kind, damping=0))
    d = sinew.MjData(m)
    excite(m, d)
    force, qpos = np.array(d.qfrc_spring), np.array(d.qpos)
    for seed in range(3):
        direction = np.random.default_rng(seed).standard_normal(m.nv)
        values = []
        for step in (-1e-6, 1e-6):
            d.qpos[:] = qpos + step * direction
            sinew.mj_forward(m, d)
            values.append(potential(m, d))
        assert force @ direction == pytest.approx((values[0] - values[1]) / 2e-6, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("kind", VERTICES)
def test_free_flight_keeps_energy_and_momenta(kind):
    m = model(soft(kind, damping=0, edge='stiffness="50"' if kind == "rope" else ""), option='integrator="RK4"')
    m.opt.timestep = 0.0003
    d = sinew.MjData(m)
    excite(m, d, size=0.005, speed=0.1)
    mass = m.body_mass[bodies(m)][:, None]

    def totals():
        sinew.mj_forward(m, d)
        v = np.array(d.qvel).reshape(-1, 3)
        kinetic = 0.5 * (mass * v * v).sum()
        return kinetic + potential(m, d), (mass * v).sum(axis=0), np.cross(d.xpos[bodies(m)], mass * v).sum(axis=0)

    before = totals()
    sinew.mj_step(m, d, 400)
    after = totals()
    assert after[0] == pytest.approx(before[0], rel=1e-5)
    np.testing.assert_allclose(after[1], before[1], atol=1e-12)
    np.testing.assert_allclose(after[2], before[2], atol=1e-8)


@pytest.mark.parametrize("integrator", ("Euler", "implicit", "implicitfast", "RK4"))
@pytest.mark.parametrize("kind", ("solid", "trilinear", "quadratic"))
def test_free_flight_keeps_linear_momentum_with_every_integrator(kind, integrator):
    m = model(soft(kind, damping=0.01), option=f'integrator="{integrator}"')
    m.opt.timestep = 0.0001
    d = sinew.MjData(m)
    excite(m, d, size=0.002, speed=0.1)
    mass = m.body_mass[bodies(m)][:, None]
    before = (mass * np.array(d.qvel).reshape(-1, 3)).sum(axis=0)
    sinew.mj_step(m, d, 100)
    np.testing.assert_allclose((mass * np.array(d.qvel).reshape(-1, 3)).sum(axis=0), before, atol=1e-11)


# ---- closed forms ----


def test_a_flat_flap_has_the_energy_of_its_curvature():
    """U = (kappa / 2) (sum c z)^2: nothing for affine deflections, and 1/2 z'bz for all others."""
    text = """<flexcomp name="soft" type="direct" dim="2" point="0 0 0 1 0 0 0 1 0 1.5 1.5 0" element="0 1 2 2 1 3" mass="4"
radius="0.01"><elasticity young="1000" poisson="0.25" damping="0.01" thickness="0.1" elastic2d="both"/></flexcomp>"""
    m = model(text)
    row = m.flex_bending[0]
    np.testing.assert_allclose(row[:4], [0.075, 0.075, -0.1, -0.05], rtol=1e-12)
    np.testing.assert_allclose(row[8:12], [-0.1, -0.1, 2 / 15, 1 / 15], rtol=1e-12)
    assert row[16] == 0
    corners = np.append(m.flex_edge[0], m.flex_edgeflap[0])
    b = row[:16].reshape(4, 4)
    at = np.array([[0, 0], [1, 0], [0, 1], [1.5, 1.5]])[corners]
    for affine in (np.ones(4), at[:, 0], at[:, 1]):
        np.testing.assert_allclose(b @ affine, 0, atol=1e-14)
    assert np.linalg.matrix_rank(b, tol=1e-12) == 1


@pytest.mark.parametrize("kind", ("trilinear", "quadratic"))
def test_nodes_that_move_affinely_move_vertices_affinely(kind):
    m = model(soft(kind))
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    nodes, vertices = np.array(d.xpos[bodies(m)]), np.array(d.flexvert_xpos)
    change = np.array([[0.1, 0.05, 0], [0, -0.08, 0.02], [0.03, 0, 0.06]])
    d.qpos[:] = (nodes @ change.T + [0.1, 0.2, 0.3]).ravel()
    sinew.mj_forward(m, d)
    np.testing.assert_allclose(d.flexvert_xpos, vertices + vertices @ change.T + [0.1, 0.2, 0.3], atol=1e-12)


@pytest.mark.parametrize("kind", ("trilinear", "quadratic"))
def test_the_matrix_of_nodes_is_symmetric_and_never_pushes(kind):
    m = model(soft(kind))
    n = 3 * m.flex_nodenum[0]
    K = m.flex_stiffness.ravel()[: n * n].reshape(n, n)
    scale = np.abs(K).max()
    np.testing.assert_allclose(K, K.T, atol=1e-10 * scale)
    assert np.linalg.eigvalsh((K + K.T) / 2).max() < 1e-9 * scale
    np.testing.assert_allclose(K @ np.tile(np.eye(3), (n // 3, 1)), 0, atol=1e-10 * scale)


@pytest.mark.parametrize("s", (0.8, 1.25))
def test_invariants_of_a_scaled_sheet(s):
    """Around every vertex: sqrt(m) (2 s^2 - 2) and sqrt(m) (s^4 - 1); a rigid motion leaves both at zero."""
    text = soft("sheet", edge='equality="vert"', elastic="", young=0)
    m = model(text)
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    rest = np.array(d.xpos[bodies(m)])
    np.testing.assert_allclose(d.flexvert_length, 0, atol=1e-12)
    d.qpos[:] = ((s - 1) * rest).ravel()
    sinew.mj_forward(m, d)
    length = np.array(d.flexvert_length).reshape(-1, 2)
    ratio = length / [2 * s**2 - 2, s**4 - 1]
    np.testing.assert_allclose(ratio[:, 0], ratio[:, 1], rtol=1e-9)
    np.testing.assert_allclose(ratio, ratio[0, 0], rtol=1e-9)


# ---- flags and independence ----


@pytest.mark.parametrize("flag", ("spring", "damper", "both"))
@pytest.mark.parametrize("kind", KINDS)
def test_flags_act_as_in_mujoco(kind, flag):
    off = "".join(f' {name}="disable"' for name in (("spring", "damper") if flag == "both" else (flag,)))
    xml = HEAD.format(inner=soft(kind, damping=0.01), option="", flag=f'<flag contact="disable"{off}/>')
    mj_model, mj_data, m, d = flexes.pair(xml)
    excite(m, d, speed=0.2)
    mj_data.qpos[:], mj_data.qvel[:] = d.qpos, d.qvel
    mujoco.mj_forward(mj_model, mj_data)
    for field in ("qfrc_spring", "qfrc_damper", "qfrc_passive", "qacc"):
        assert flexes.distance(getattr(d, field), getattr(mj_data, field)) < 1e-11, field
    if flag == "both":
        assert not d.qfrc_passive.any()


def test_two_flexes_move_as_in_models_of_their_own():
    kinds = ("solid", "sheet", "rope", "trilinear")
    whole = model("".join(soft(kind, name=kind, damping=0.01) for kind in kinds))
    d = sinew.MjData(whole)
    excite(whole, d, speed=0.1)
    start = [np.array(d.qpos), np.array(d.qvel)]
    sinew.mj_step(whole, d, 20)
    first = 0
    for kind in kinds:
        m = model(soft(kind, damping=0.01))
        part = sinew.MjData(m)
        part.qpos[:], part.qvel[:] = (values[first : first + m.nv] for values in start)
        sinew.mj_step(m, part, 20)
        np.testing.assert_allclose(part.qpos, d.qpos[first : first + m.nv], atol=1e-13)
        first += m.nv


# ---- states, keyframes, rays of geoms ----


def test_a_state_that_is_set_again_gives_the_same_motion():
    m = model(soft("solid", damping=0.01) + soft("sheet", name="two", extra='pos="0 0 .1"'), flag="")
    d = sinew.MjData(m)
    excite(m, d, size=0.005, speed=0.2)
    sinew.mj_step(m, d, 10)
    spec = int(sinew.mjtState.mjSTATE_INTEGRATION)
    state = np.zeros(sinew.mj_stateSize(m, spec))
    sinew.mj_getState(m, d, state, spec)
    other = sinew.MjData(m)
    sinew.mj_setState(m, other, state, spec)
    sinew.mj_step(m, d, 30)
    sinew.mj_step(m, other, 30)
    np.testing.assert_array_equal(d.qpos, other.qpos)
    np.testing.assert_array_equal(d.flexvert_xpos, other.flexvert_xpos)
    copied = sinew.MjData(m)
    sinew.mj_copyData(copied, m, d)
    sinew.mj_step(m, d)
    sinew.mj_step(m, copied)
    np.testing.assert_array_equal(d.qpos, copied.qpos)


def test_a_keyframe_holds_the_vertices():
    m = model(soft("solid"))
    xml = HEAD.format(inner=soft("solid"), option="", flag=NO_CONTACT)
    qpos = 0.01 * np.arange(m.nq)
    m = sinew.MjModel.from_xml_string(xml.replace("</mujoco>", f'<keyframe><key qpos="{" ".join(map(str, qpos))}"/></keyframe></mujoco>'))
    d = sinew.MjData(m)
    sinew.mj_resetDataKeyframe(m, d, 0)
    sinew.mj_forward(m, d)
    rest = sinew.MjData(m)
    sinew.mj_forward(m, rest)
    np.testing.assert_allclose(d.flexvert_xpos - rest.flexvert_xpos, qpos.reshape(-1, 3), atol=1e-15)


def test_rays_and_range_finders_of_geoms_do_not_see_flexes():
    xml = f"""<mujoco><worldbody><body><geom name="floor" type="plane" size="2 2 .1" pos="0 0 -.5"/></body>
<site name="eye" pos=".02 .03 .5" euler="180 0 0"/><body name="base">{soft("sheet")}</body></worldbody>
<sensor><rangefinder site="eye"/></sensor></mujoco>"""
    mj_model, mj_data, m, d = flexes.pair(xml)
    mujoco.mj_forward(mj_model, mj_data)
    sinew.mj_forward(m, d)
    assert d.sensordata[0] == mj_data.sensordata[0] == pytest.approx(1.0)
    start, down, geom = np.array([0.02, 0.03, 0.5]), np.array([0.0, 0, -1]), np.zeros(1, np.int32)
    assert sinew.mj_ray(m, d, start, down, None, 1, -1, geom) == pytest.approx(1.0) and geom[0] == 0
    assert sinew.mj_rayFlex(m, d, 0, 1, 1, 1, 1, 0, start, down) == pytest.approx(0.49, abs=0.011)
