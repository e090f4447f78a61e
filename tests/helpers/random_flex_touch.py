"""Random scenes in which flexes touch geoms, one another and themselves."""

import numpy as np

ASSETS = """
<mesh name="rock" vertex="-.1 -.1 -.08  .12 -.07 -.1  0 .13 -.09  .02 0 .12  -.05 .06 .1  .09 .05 .05"/>
"""
# height fields are left out: MuJoCo 3.5.0 reads uninitialised numbers of their prisms
GROUNDS = ['<geom name="floor" type="plane" size="2 2 .1"/>', '<geom name="floor" type="box" size="1 1 .1" pos="0 0 -.1"/>']
SOLIDS = {
    "sphere": 'size=".1"', "capsule": 'size=".06 .1"', "ellipsoid": 'size=".1 .12 .08"',
    "cylinder": 'size=".09 .1"', "box": 'size=".1 .08 .07"', "mesh": 'mesh="rock"',
}


def numbers(values):
    return " ".join(f"{x:.4g}" for x in np.ravel(values))


def solid(rng, i):
    kind = rng.choice(list(SOLIDS))
    joint = "<freejoint/>" if rng.integers(2) else ""
    condim = rng.choice(["1", "3"])
    return (f'<body pos="{numbers([*rng.uniform(-0.12, 0.12, 2), 0.15 + 0.22 * i])}" euler="{numbers(rng.uniform(-60, 60, 3))}">'
            f'{joint}<geom name="solid{i}" type="{kind}" {SOLIDS[kind]} condim="{condim}" priority="{rng.integers(2)}"/></body>')


def contact(rng, dim, interpolated):
    text = f'condim="{rng.choice([1, 3])}" friction="{rng.uniform(0.2, 1.2):.3g}" priority="{rng.integers(2)}" '
    text += f'solmix="{rng.uniform(0.5, 2):.3g}" margin="{rng.choice([0, 0.004])}" gap="{rng.choice([0, 0.002])}" '
    if interpolated:
        return text + 'selfcollide="none"'
    text += f'selfcollide="{rng.choice(["none", "narrow", "bvh", "sap", "auto"])}" '
    text += f'internal="{rng.choice(["false", "false", "false", "true"])}" '
    return text + (f'activelayers="{rng.integers(1, 4)}"' if dim == 3 else "")


def flex(rng, i):
    dim = int(rng.integers(1, 4))
    count = {1: [rng.integers(6, 16), 1, 1], 2: [*rng.integers(4, 8, 2), 1], 3: rng.integers(3, 5, 3)}[dim]
    interpolated = dim == 3 and rng.integers(4) == 0
    dof = 'dof="trilinear"' if interpolated else ""
    if dim == 1 or (dim == 2 and rng.integers(2)):
        law = '<edge equality="true" damping=".005"/>'
    else:
        both = ' thickness="5e-3" elastic2d="both"' if dim == 2 else ""
        law = f'<elasticity young="{rng.choice([5e2, 2e3])}" poisson=".1" damping=".01"{both}/>'
    return (f'<flexcomp name="soft{i}" type="grid" dim="{dim}" count="{numbers(count)}" spacing=".06 .06 .06" {dof} '
            f'pos="{numbers([*rng.uniform(-0.1, 0.1, 2), 0.3 + 0.25 * i])}" radius="{rng.choice([0.008, 0.015])}" mass="1">'
            f"{law}<contact {contact(rng, dim, interpolated)}/></flexcomp>")


def model(seed):
    """Text of a random scene; the same text for the same seed."""
    rng = np.random.default_rng(seed)
    solver = rng.choice(["Newton", "Newton", "CG", "PGS"])
    iterations = 1000 if solver == "PGS" else 200
    noslip = 4 if rng.integers(4) == 0 else 0
    parts = [rng.choice(GROUNDS)] + [solid(rng, i) for i in range(rng.integers(1, 3))]
    parts += [flex(rng, i) for i in range(rng.integers(1, 3))]
    return (
        f'<mujoco><option timestep="0.001" integrator="{rng.choice(["Euler", "implicitfast"])}" solver="{solver}" '
        f'cone="{rng.choice(["pyramidal", "elliptic"])}" jacobian="{rng.choice(["dense", "sparse"])}" tolerance="1e-12" '
        f'iterations="{iterations}" noslip_iterations="{noslip}"/>'
        f'<asset>{ASSETS}</asset><worldbody>{"".join(parts)}</worldbody></mujoco>'
    )
