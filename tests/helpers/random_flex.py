"""Random models with flexes, for comparison with MuJoCo.

Left out is what MuJoCo 3.5.0 leaves undefined: equalities of interpolated or rigid flexes, vertices of a
flexvert pinned to the world, nodes pinned to moving bodies, and a flex without edge forces between two that
have some (their rows overlap).
"""

import mujoco
import numpy as np

CONTACT = '<contact selfcollide="none" internal="false"/>'


def _numbers(values):
    return " ".join(f"{v:.6g}" for v in np.ravel(values))


def _elasticity(rng, dim, interpolated):
    young = 10.0 ** rng.uniform(2, 5)
    damping = rng.choice([0, 10.0 ** rng.uniform(-4, -2)])
    text = f'young="{young:.4g}" poisson="{rng.uniform(0, 0.45):.3f}" damping="{damping:.4g}"'
    bends = False
    if dim == 2:
        kind = rng.choice(["none", "bend", "stretch", "both"])
        bends = kind in ("bend", "both")
        text += f' thickness="{rng.uniform(0.005, 0.05):.4f}" elastic2d="{kind}"'
    return f"<elasticity {text}/>", bends, dim > 1 and "stretch" in text or "both" in text


def _pins(rng, count):
    pins = rng.choice(count, size=rng.integers(1, 4), replace=False)
    return f'<pin id="{" ".join(map(str, sorted(pins)))}"/>'


def _edge(rng, dim, stretches):
    """Springs of lines, dampers, equalities."""
    kind = rng.integers(4)
    if kind == 0 and not stretches:
        return f'<edge equality="true" solref="{rng.uniform(0.005, 0.02):.4f} 1"/>', "edge"
    if kind == 1 and not stretches and dim == 2:
        return '<edge equality="vert"/>', "vert"
    stiffness = rng.uniform(10, 1000) if dim == 1 and rng.integers(2) else 0
    damping = rng.uniform(0.01, 1) if rng.integers(2) else 0
    return f'<edge stiffness="{stiffness:.4g}" damping="{damping:.4g}"/>', "spring"


def flexcomp(rng, name):
    """Text of a flexcomp below a body, and whether it must not be turned."""
    dim = int(rng.integers(1, 4))
    dof = "full" if dim < 3 else str(rng.choice(["full", "full", "radial", "trilinear", "quadratic"]))
    interpolated = dof in ("trilinear", "quadratic")
    least = 4 if dof == "trilinear" else 5 if dof == "quadratic" else 2
    count = rng.integers(least, least + 3, size=3)
    if dof == "quadratic":
        count[:] = [5, 5, 5]
    count[dim:] = 1
    if dim == 1:
        count[0] += 2
    elasticity, bends, stretches = _elasticity(rng, dim, interpolated)
    edge, kind = ("", "") if interpolated else _edge(rng, dim, stretches or dim == 3)
    points = int(np.prod(count))
    pin = ""
    if rng.integers(2) and not bends and not interpolated and kind != "vert" and dof == "full":
        pin = _pins(rng, points)
    return (
        f'<flexcomp name="{name}" type="grid" dim="{dim}" dof="{dof}" count="{_numbers(count)}" '
        f'spacing="{_numbers(rng.uniform(0.05, 0.2, 3))}" mass="{rng.uniform(0.5, 5):.3f}" radius="0.002" '
        f'origin="{_numbers(rng.uniform(-1, 1, 3))}">'
        f"{edge}{elasticity}{CONTACT}{pin}</flexcomp>"
    ), dict(dof=dof, kind=kind, pin=bool(pin))


def _joints(rng):
    """Joints of a moving parent."""
    kinds = ["", "", "", '<freejoint/>', '<joint type="hinge" axis="0 1 0.3" damping="0.1"/>', '<joint type="ball"/>']
    kinds += ['<joint type="slide" axis="1 0 0"/><joint type="hinge" axis="0 0 1"/>']
    return kinds[rng.integers(len(kinds))]


def model(seed):
    """Text of a random model; the same text for the same seed."""
    rng = np.random.default_rng(seed)
    bodies = []
    for i in range(rng.integers(1, 3)):
        text, what = flexcomp(rng, f"soft{i}")
        joints = _joints(rng)
        if what["kind"] == "vert" or what["dof"] in ("trilinear", "quadratic"):
            turn = ""  # the rest mesh must lie in the axes of the world
        else:
            turn = f'euler="{_numbers(rng.uniform(-60, 60, 3))}"' if rng.integers(2) else ""
        inner = f'<body name="inner{i}" pos="0.1 0.2 0.3">{text}</body>' if rng.integers(3) == 0 else text
        geom = '<geom size="0.05" mass="1" contype="0" conaffinity="0"/>'
        bodies.append(f'<body name="base{i}" pos="{_numbers(rng.uniform(-1, 1, 3))}" {turn}>{joints}{geom}{inner}</body>')
    integrator = rng.choice(["Euler", "RK4", "implicit", "implicitfast"])
    jacobian = rng.choice(["dense", "sparse"])
    cone = rng.choice(["pyramidal", "elliptic"])
    return (
        f'<mujoco><option timestep="{rng.choice([0.0005, 0.001])}" integrator="{integrator}" solver="Newton" '
        f'jacobian="{jacobian}" cone="{cone}" tolerance="1e-14" iterations="1000"><flag contact="disable"/></option>'
        f'<worldbody>{"".join(bodies)}</worldbody></mujoco>'
    )


def compiled(seed):
    """A MuJoCo model of the seed or of the next ones that MuJoCo accepts and defines."""
    for attempt in range(50):
        try:
            m = mujoco.MjModel.from_xml_string(model(seed + 1000003 * attempt))
        except ValueError:
            continue
        if defined(m):
            return m
    raise AssertionError(f"no model for seed {seed}")


def defined(m):
    """No rows of one flex over those of another, no static vertex in a flexvert."""
    rows = m.flexedge_J_rownnz
    ends = m.flexedge_J_rowadr + rows
    used = np.zeros(int(m.nJfe), int)
    for a, b in zip(m.flexedge_J_rowadr, ends):
        used[a:b] += 1
    if used.size and used.max() > 1:
        return False
    for f in range(m.nflex):
        if m.flex_edgeequality[f] == 2:
            first, n = m.flex_vertadr[f], m.flex_vertnum[f]
            if (m.body_weldid[m.flex_vertbodyid[first : first + n]] == 0).any():
                return False
            if not np.abs(m.flex_vertmetric[first : first + n]).sum(axis=1).all():
                return False  # no metric: rows of constants, which the dense layout drops
    return True
