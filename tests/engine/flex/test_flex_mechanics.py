"""Soft bodies against closed forms, conservation laws and finite differences, without MuJoCo.

Two constants of MuJoCo's laws are part of the closed forms: the energy of an element is
w (mu tr G^2 + lambda (tr G)^2) with lambda in place of lambda / 2, and w of a triangle is a quarter of its
volume. With poisson 0 (lambda 0) solids are exact and surfaces have a quarter of the modulus.
"""

import numpy as np
import pytest
import sinew

YOUNG = 1000.0


def model(inner, option="", body=""):
    return sinew.MjModel.from_xml_string(
        f'<mujoco><option timestep="0.001" gravity="0 0 0" {option}><flag contact="disable"/></option><worldbody>'
        f'<body name="base" {body}>{inner}</body></worldbody></mujoco>')


def grid(dim, count, spacing, young=YOUNG, poisson=0.0, extra="", inner="", elastic=""):
    size = " ".join(map(str, count)), " ".join(map(str, np.broadcast_to(spacing, 3)))
    return (f'<flexcomp name="soft" type="grid" dim="{dim}" count="{size[0]}" spacing="{size[1]}" radius="0.001" '
            f'{extra}><elasticity young="{young}" poisson="{poisson}" {elastic}/><contact selfcollide="none"/>'
            f'{inner}</flexcomp>')


def lame(young, poisson):
    return young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))


def forces(m, d, qpos):
    d.qpos[:] = qpos
    d.qvel[:] = 0
    sinew.mj_forward(m, d)
    return np.array(d.qfrc_spring)


def stiffness(m, d, dofs, step=1e-7):
    """-d(force)/dq by centred differences at rest."""
    columns = []
    for dof in dofs:
        qpos = np.zeros(m.nq)
        qpos[dof] = step
        columns.append((forces(m, d, -qpos)[dofs] - forces(m, d, qpos)[dofs]) / (2 * step))
    return np.array(columns).T


# ---- homogeneous deformations ----


@pytest.mark.parametrize("poisson", (0.0, 0.3))
@pytest.mark.parametrize("kind", ("solid", "sheet", "trilinear", "quadratic"))
def test_uniform_scaling_has_the_work_of_its_energy(kind, poisson):
    count = {"solid": (3, 4, 3), "sheet": (4, 5, 1), "trilinear": (4, 4, 4), "quadratic": (5, 5, 5)}[kind]
    elastic = 'thickness="0.05" elastic2d="stretch"' if kind == "sheet" else ""
    extra = f'dof="{kind}"' if kind in ("trilinear", "quadratic") else ""
    m = model(grid(2 if kind == "sheet" else 3, count, 0.1, poisson=poisson, extra=extra, elastic=elastic))
    d = sinew.MjData(m)
    mu, lam = lame(YOUNG, poisson)
    volume = np.prod([0.1 * (n - 1) for n in count if n > 1])
    sinew.mj_forward(m, d)
    rest = np.array(d.xpos[m.body_dofnum > 0])
    for s in (0.9, 1.2):
        work = forces(m, d, ((s - 1) * rest).ravel()) @ rest.ravel()  # -dU/ds
        expected = {
            "solid": volume * s * (s * s - 1) * (3 * mu + 9 * lam),
            "sheet": volume * 0.05 * s * (s * s - 1) * (mu / 2 + lam),
            "trilinear": volume * (s - 1) * (3 * mu + 9 * lam),
            "quadratic": volume * (s - 1) * (3 * mu + 9 * lam),
        }[kind]
        assert work == pytest.approx(-expected, rel=1e-9)


# ---- refinement ----


@pytest.mark.parametrize("n", (2, 3, 6, 11))
def test_a_bar_without_contraction_stretches_by_youngs_modulus(n):
    """It hangs from its pinned top: the tips move by m g L / (2 E A), but for the equal shares that vertices
    have of the weight, while one has more elements around it than the next."""
    length, side, mass, gravity = 1.0, 0.1, 0.4, 0.01
    pins = "".join(f"{i * 2 * n + j * n + n - 1} " for i in range(2) for j in range(2))
    m = model(grid(3, (2, 2, n), (side, side, length / (n - 1)), extra=f'mass="{mass}"', inner=f'<pin id="{pins}"/>'))
    d = sinew.MjData(m)
    load = np.zeros(m.nv)
    load[2::3] = -gravity * mass / (4 * n)
    moved = np.linalg.solve(stiffness(m, d, np.arange(m.nv)), load)[2::3]
    tip = moved.reshape(4, n - 1)[:, 0].mean()
    assert tip == pytest.approx(-mass * gravity * length / (2 * YOUNG * side * side), rel=5e-3)


def strip(n, length, width, across):
    """Displacements of a strip that is held at one end and pulled along or across at the other; with force,
    thickness and modulus of the law."""
    thickness, poisson, force = 0.01, 0.3, 1e-4
    count = (12 * n + 1, 3 * n + 1, 1)
    spacing = (length / (count[0] - 1), width / (count[1] - 1), 1)
    pins = " ".join(str(j) for j in range(count[1]))
    m = model(grid(2, count, spacing, poisson=poisson, inner=f'<pin id="{pins}"/>',
                   elastic=f'thickness="{thickness}" elastic2d="stretch"'))
    d = sinew.MjData(m)
    plane = np.array([k for k in range(m.nv) if k % 3 < 2])
    load = np.zeros((count[0] - 1, count[1], 3))
    share = np.full(count[1], force / (count[1] - 1))
    share[[0, -1]] /= 2
    load[-1, :, across] = share
    moved = np.zeros(m.nv)
    moved[plane] = np.linalg.solve(stiffness(m, d, plane), load.ravel()[plane])
    mu, lam = lame(YOUNG, poisson)
    mu, lam = mu / 4, lam / 2
    return moved.reshape(load.shape)[:, :, across], force, thickness, 4 * mu * (lam + mu) / (lam + 2 * mu)


@pytest.mark.parametrize("n", (1, 2, 3))
def test_a_strip_stretches_by_the_modulus_of_the_law(n):
    """A gauge over the middle third, away from the ends."""
    moved, force, thickness, modulus = strip(n, 1.0, 0.25, 0)
    strain = (moved[8 * n - 1].mean() - moved[4 * n - 1].mean()) * 3
    assert force / (0.25 * thickness * strain) == pytest.approx(modulus, rel=5e-4)


def test_the_stiffness_of_a_held_strip_converges_with_refinement():
    """The end that is held cannot contract: coarse meshes are too stiff there, by less and less."""
    found = []
    for n in (1, 2, 3):
        moved, force, thickness, modulus = strip(n, 1.0, 0.25, 0)
        found.append(force / (0.25 * thickness * moved[-1].mean()) / modulus)
    assert 1.03 > found[0] > found[1] > found[2] > 1
    assert found[1] - found[2] < 0.5 * (found[0] - found[1])


def cantilever(n):
    length, width = 1.0, 0.1
    moved, force, thickness, modulus = strip(n, length, width, 1)
    return moved[-1].mean() * 3 * modulus * (thickness * width**3 / 12) / (force * length**3)


def test_a_cantilever_approaches_beam_theory_with_refinement():
    """Triangles of constant strain are too stiff in bending, the less so the finer they are."""
    errors = [abs(cantilever(n) - 1) for n in (1, 2, 4)]
    assert errors[1] < 0.5 * errors[0] and errors[2] < 0.5 * errors[1] and errors[2] < 0.08, errors


def clamped_plate(n):
    """Deflection of the centre of a square plate under a uniform load, relative to that of plate theory.

    Two rings of vertices are held; the slope vanishes between them, which is where the plate is clamped."""
    spacing, thickness = 1.0 / (n - 2), 0.01
    m = model(grid(2, (n, n, 1), spacing, elastic=f'thickness="{thickness}" elastic2d="bend"'))
    d = sinew.MjData(m)
    inside = [i * n + j for i in range(2, n - 2) for j in range(2, n - 2)]
    dofs = np.array([3 * v + 2 for v in inside])
    load = 1e-6 * spacing**2
    moved = np.linalg.solve(stiffness(m, d, dofs, 1e-4), np.full(len(dofs), load))
    bending = YOUNG * thickness**3 / 12
    return moved.max() * bending / (0.001265 * 1e-6)


def test_clamped_plate_bends_as_plate_theory_says():
    errors = [abs(clamped_plate(n) - 1) for n in (9, 13, 21)]
    assert errors[2] < errors[1] < errors[0] and errors[2] < 0.05, errors


# ---- a rope ----

ROPE = """
<mujoco><option timestep="0.002" tolerance="1e-12"><flag contact="disable"/></option><worldbody><body name="base">
<flexcomp name="rope" type="grid" dim="1" count="31 1 1" spacing="0.05 0.05 0.05" mass="0.31" radius="0.001">
<edge equality="true" solref="0.004 1"/><contact selfcollide="none"/><pin id="0"/></flexcomp>
</body></worldbody><equality><connect body1="rope_30" body2="world" anchor="0 0 0" solref="0.004 1"/></equality></mujoco>"""


def test_rope_settles_on_a_catenary():
    m = sinew.MjModel.from_xml_string(ROPE)
    m.eq_data[1 if m.eq_type[0] != 0 else 0, 3:6] = [0.35, 0, 0]  # the far end comes within 1.1 of the other
    d = sinew.MjData(m)
    for _ in range(6000):
        sinew.mj_step(m, d)
        d.qvel[:] *= 0.97
    x = np.array(d.flexvert_xpos)
    link = np.diff(x, axis=0)
    slope = link[:, 2] / link[:, 0]
    steps = np.diff(slope)  # m g / H at every vertex: the links of a chain in equilibrium
    assert np.ptp(steps) < 1e-3 * steps.mean()
    # the curve a cosh(x / a) through the lowest point, with a = H / (weight per length)
    length = np.linalg.norm(link, axis=1).mean()
    a = length / steps.mean()
    middle = np.argmin(x[:, 2])
    low = x[middle]
    curve = a * (np.cosh((x[:, 0] - low[0]) / a) - 1)
    assert np.abs(x[:, 2] - low[2] - curve).max() < 0.01 * np.ptp(x[:, 2])


# ---- conservation ----


def elastic_energy(m, d):
    """U = 1/4 e' k e of all elements, from the coefficients of the model."""
    total = 0.0
    upper = np.triu_indices(6)
    for t in range(m.nflexelem):
        edges = m.flex_elemedge[6 * t : 6 * t + 6]
        e = d.flexedge_length[edges] ** 2 - m.flexedge_length0[edges] ** 2
        k = np.zeros((6, 6))
        k[upper] = m.flex_stiffness[t]
        total += (e @ (k + np.triu(k, 1).T) @ e) / 4
    return total


def test_free_flight_conserves_energy_and_momenta():
    m = model(grid(3, (3, 3, 3), 0.1, poisson=0.3), option='integrator="RK4"')
    m.opt.timestep = 0.0005
    d = sinew.MjData(m)
    d.qvel[:] = np.random.default_rng(2).standard_normal(m.nv)
    mass = np.array(m.body_mass[m.body_dofnum > 0])[:, None]

    def totals():
        sinew.mj_forward(m, d)
        x, v = d.xpos[m.body_dofnum > 0], d.qvel.reshape(-1, 3)
        energy = 0.5 * (mass * v * v).sum() + elastic_energy(m, d)
        return energy, (mass * v).sum(axis=0), np.cross(x, mass * v).sum(axis=0)

    before = totals()
    for _ in range(600):
        sinew.mj_step(m, d)
    after = totals()
    assert after[0] == pytest.approx(before[0], rel=1e-6)
    np.testing.assert_allclose(after[1], before[1], atol=1e-12)
    np.testing.assert_allclose(after[2], before[2], atol=1e-7)


def test_forces_are_the_gradient_of_the_energy():
    m = model(grid(3, (3, 3, 3), 0.1, poisson=0.3))
    d = sinew.MjData(m)
    rng = np.random.default_rng(4)
    qpos, direction = 0.01 * rng.standard_normal(m.nq), rng.standard_normal(m.nq)
    ahead = forces(m, d, qpos + 1e-6 * direction), elastic_energy(m, d)
    behind = forces(m, d, qpos - 1e-6 * direction), elastic_energy(m, d)
    slope = (ahead[1] - behind[1]) / 2e-6
    assert forces(m, d, qpos) @ direction == pytest.approx(-slope, rel=1e-6)


@pytest.mark.parametrize("kind", ("solid", "sheet", "rope", "nodes"))
def test_dampers_take_energy_away(kind):
    text = {
        "solid": grid(3, (3, 3, 3), 0.1, elastic='damping="0.01"'),
        "sheet": grid(2, (5, 5, 1), 0.1, elastic='thickness="0.02" elastic2d="bend" damping="0.01"'),
        "rope": grid(1, (9, 1, 1), 0.1, young=0, inner='<edge stiffness="100" damping="0.5"/>'),
        "nodes": grid(3, (4, 4, 4), 0.1, extra='dof="trilinear"', elastic='damping="0.01"'),
    }[kind]
    m = model(text)
    d = sinew.MjData(m)
    d.qvel[:] = 0.1 * np.random.default_rng(5).standard_normal(m.nv)
    sinew.mj_forward(m, d)
    assert (d.qfrc_spring + d.qfrc_damper) @ d.qvel < 0
    # translation strains nothing
    d.qvel[:] = np.tile([0.3, -0.2, 0.1], m.nv // 3)
    sinew.mj_forward(m, d)
    np.testing.assert_allclose(d.qfrc_spring + d.qfrc_damper, 0, atol=1e-10)


def test_energy_of_an_edge_is_that_of_a_spring():
    m = model(grid(1, (2, 1, 1), 0.5, young=0, inner='<edge stiffness="40"/>'), option="")
    m.opt.enableflags |= int(sinew.mjtEnableBit.mjENBL_ENERGY)
    d = sinew.MjData(m)
    found = forces(m, d, [0, 0, 0, 0.1, 0, 0])
    np.testing.assert_allclose(found, [4, 0, 0, -4, 0, 0], atol=1e-12)
    assert d.energy[0] == pytest.approx(0.5 * 40 * 0.01)
