"""Linearised steps of soft bodies: closed forms against differences of whole steps."""

import numpy as np
import pytest
import random_flex_mesh
import random_flex_touch
import sinew
from sinew import _core, derivatives

HEAD = '<mujoco><option timestep="0.001" integrator="{}" tolerance="1e-14" iterations="200"><flag contact="disable"/></option><worldbody>'
SOFT = """<flexcomp name="soft" type="grid" dim="{dim}" count="{count}" spacing="0.1 0.1 0.1" mass="0.5" radius="0.001">
<edge {edge}/><elasticity young="3000" poisson="0.2" damping="0.01" {elastic}/><contact selfcollide="none"/>{pin}</flexcomp>"""
CASES = {
    "solid": SOFT.format(dim=3, count="2 3 2", edge='damping="0.1"', elastic="", pin='<pin id="0"/>'),
    "sheet": SOFT.format(dim=2, count="3 3 1", edge="", elastic='thickness="0.02" elastic2d="both"', pin=""),
    "rope": SOFT.format(dim=1, count="6 1 1", edge='stiffness="100" damping="0.3"', elastic="", pin='<pin id="0"/>'),
    "net": SOFT.format(dim=2, count="3 3 1", edge='equality="true"', elastic='elastic2d="none"', pin='<pin id="0"/>'),
}
PARENTS = {
    "fixed": '<body name="base">{}</body>',
    "turned": '<body name="base" euler="30 20 10">{}</body>',
    "moving": '<body name="base" euler="30 20 10"><joint type="ball"/><geom size="0.1" mass="1"/>{}</body>',
}


def excited(text, integrator):
    m = sinew.MjModel.from_xml_string(HEAD.format(integrator) + text + "</worldbody></mujoco>")
    d = sinew.MjData(m)
    rng = np.random.default_rng(1)
    sinew.mj_integratePos(m, d.qpos, 0.02 * rng.standard_normal(m.nv), 1)
    d.qvel[:] = 0.3 * rng.standard_normal(m.nv)
    sinew.mj_step(m, d, 3)
    return m, d


@pytest.mark.parametrize("integrator", ("Euler", "implicit", "implicitfast"))
@pytest.mark.parametrize("parent", PARENTS)
@pytest.mark.parametrize("case", CASES)
def test_closed_forms_by_velocity_equal_differences(case, parent, integrator):
    m, d = excited(PARENTS[parent].format(CASES[case]), integrator)
    expected, _ = derivatives.transition(m, d, "differences")
    found, _ = derivatives.transition(m, d, "hybrid")
    scale = np.abs(expected).max()
    np.testing.assert_allclose(found[:, m.nv :], expected[:, m.nv :], atol=2e-6 * scale)
    np.testing.assert_allclose(found[:, : m.nv], expected[:, : m.nv], atol=2e-5 * scale)


# flaps that are not flat at rest, and the invariants around vertices, which lie in the plane at rest
CURVED = """<flexcomp name="soft" type="direct" dim="2" point="0 0 0 .1 0 .03 0 .1 -.02 .12 .11 .05" element="0 1 2 2 1 3"
mass="0.5" radius="0.001"><elasticity young="30000" poisson="0.2" damping="0.01" thickness="0.02" elastic2d="both"/></flexcomp>"""
ALL = {**{(case, parent): PARENTS[parent].format(text) for case, text in {**CASES, "curved": CURVED}.items() for parent in PARENTS},
       ("vertices", "fixed"): SOFT.format(dim=2, count="3 3 1", edge='equality="vert"', elastic="", pin="")}
LAWS = {
    **{name: SOFT.format(dim=3, count="2 2 2", edge="", elastic="", pin='<pin id="0"/>')
       .replace("<flexcomp", f"<flexcomp sinew:elasticity_model='{name}'") for name in ("neo_hookean", "stvk", "corotated", "mooney_rivlin")},
    "hinges": SOFT.format(dim=2, count="3 3 1", edge="", elastic='thickness="0.02"', pin="")
    .replace("<flexcomp", "<flexcomp sinew:elasticity_model='neo_hookean' sinew:bending_model='bridson' sinew:bending_param='.1 .001'"),
}
EVERY = 15  # positions, velocities, activations, controls


def check_closed_forms(m, d):
    assert _core.analytic_columns(m, d) == EVERY
    expected, _ = derivatives.transition(m, d, "differences")
    found, _ = derivatives.transition(m, d, "analytic")
    np.testing.assert_allclose(found, expected, atol=1e-6 * max(1, np.abs(expected).max()))


@pytest.mark.parametrize("integrator", ("Euler", "implicit", "implicitfast", "RK4"))
@pytest.mark.parametrize("case", ALL, ids="-".join)
def test_closed_forms_equal_differences(case, integrator):
    check_closed_forms(*excited(ALL[case], integrator))


@pytest.mark.parametrize("parent", PARENTS)
@pytest.mark.parametrize("law", LAWS)
def test_closed_forms_of_other_laws_equal_differences(law, parent):
    check_closed_forms(*excited(PARENTS[parent].format(LAWS[law]), "Euler"))


def test_implicit_steps_of_other_laws_are_differenced():
    """Their step solves for the stiffness, which has been made positive: not linearised."""
    m, d = excited(LAWS["neo_hookean"], "implicitfast")
    assert _core.analytic_columns(m, d) == 0
    expected, found = derivatives.transition(m, d, "differences"), derivatives.transition(m, d, "analytic")
    np.testing.assert_allclose(found[0], expected[0], atol=1e-6 * np.abs(expected[0]).max())


def check_random(seed):
    """Vertices on bodies of every kind: sliders, hinges, balls, several on one, on moving parents."""
    m = sinew.MjModel.from_xml_string(random_flex_mesh.model(seed))
    if not 0 < m.nv <= 60 or m.nflexnode:
        return 0
    m.opt.disableflags |= int(sinew.mjtDisableBit.mjDSBL_CONTACT)
    m.opt.timestep, m.opt.solver, m.opt.tolerance, m.opt.iterations = 1e-4, 2, 1e-15, 300
    m.opt.integrator = (0, 2, 3)[seed % 3]
    d = sinew.MjData(m)
    rng = np.random.default_rng(seed)
    sinew.mj_integratePos(m, d.qpos, 0.02 * rng.standard_normal(m.nv), 1)
    d.qvel[:] = 0.1 * rng.standard_normal(m.nv)
    sinew.mj_forward(m, d)
    if np.abs(d.qacc).max() > 1e8 or (d.nefc and d.efc_R.min() < 1e-14):
        return 0  # rows of vertices on static bodies
    check_closed_forms(m, d)
    return 1


def test_closed_forms_of_random_flexes():
    assert sum(check_random(seed) for seed in range(30)) > 10


@pytest.mark.full
def test_closed_forms_of_many_random_flexes():
    assert sum(check_random(seed) for seed in range(30, 300)) > 100


@pytest.mark.parametrize("cone", ("pyramidal", "elliptic"))
@pytest.mark.parametrize("parent", ("fixed", "moving"))
def test_vertices_on_a_plane_have_closed_forms(parent, cone):
    text = CASES["solid"].replace('mass="0.5"', 'mass="0.5" pos="0 0 .05"').replace('radius="0.001"', 'radius="0.01"')
    head = HEAD.replace('<flag contact="disable"/>', "").replace("<option", f'<option cone="{cone}"')
    plane = '<geom type="plane" size="1 1 1" euler="5 3 0"/>'
    m = sinew.MjModel.from_xml_string(head.format("Euler") + plane + PARENTS[parent].format(text) + "</worldbody></mujoco>")
    m.geom_contype[1:] = m.geom_conaffinity[1:] = 0
    d = sinew.MjData(m)
    d.qvel[:] = 0.1 * np.random.default_rng(0).standard_normal(m.nv)
    sinew.mj_step(m, d, 20)
    sinew.mj_forward(m, d)
    assert d.ncon and d.nefc
    check_closed_forms(m, d)


TOUCH = """<mujoco><option timestep="0.001" integrator="{integrator}" cone="{cone}" tolerance="1e-14" iterations="200"
ccd_tolerance="1e-13" ccd_iterations="200"/><worldbody>{bodies}</worldbody></mujoco>"""
TOUCHING = """<flexcomp name="{name}" type="grid" dim="{dim}" count="{count}" spacing="0.1 0.1 0.1" mass="0.5" radius="{radius}"
pos="{pos}" euler="{euler}"><edge {edge}/><elasticity young="3000" poisson="0.2" damping="0.01" {elastic}/>
<contact selfcollide="{self}" internal="{internal}" passive="{passive}" condim="{condim}" solref="-1000 -20"
solimp="0.3 0.9 0.02"/></flexcomp>"""
ROCKING = '<body name="base" euler="10 5 3"><joint type="ball"/><geom size=".02" mass="1" contype="0" conaffinity="0"/>{}</body>'
STANDING = '<body name="base">{}</body>'


def touching(dim, count, **settings):
    settings = {"name": "soft", "radius": 0.01, "pos": "0 0 0", "euler": "0 0 0", "self": "none", "internal": "false",
                "passive": "false", "condim": 3, "edge": 'equality="true"' if dim == 1 else 'damping="0.1"',
                "elastic": 'thickness="0.02" elastic2d="both"' if dim == 2 else ""} | settings
    return TOUCHING.format(dim=dim, count=count, **settings)


def rope(**settings):
    return touching(1, "5 1 1", **settings)


def sheet(**settings):
    return touching(2, "3 3 1", **settings)


def solid(**settings):
    return touching(3, "2 2 2", **settings)


def thing(kind, size, height):
    return f"""<body pos=".033 .021 {height}" euler="20 30 10"><freejoint/><geom type="{kind}" size="{size}" mass="0.3"/></body>"""


SPHERE, CAPSULE, BOX = ("sphere", ".05", 0.055), ("capsule", ".03 .06", 0.05), ("box", ".04 .05 .03", 0.055)
ABOVE = {"name": "two", "pos": ".03 .002 .018", "euler": "0 5 40"}
# what the flexes are, and what else
EXACT = {
    "sheet sphere": (sheet(), thing(*SPHERE)),
    "sheet capsule": (sheet(condim=6), thing(*CAPSULE)),
    "sheet box": (sheet(condim=4), thing(*BOX)),
    "rope sphere": (rope(condim=1), thing(*SPHERE)),
    "rope capsule": (rope(), thing(*CAPSULE)),
    "rope box": (rope(), thing(*BOX)),
    "solid box": (solid(), thing("box", ".04 .05 .03", 0.105)),
    "rope rope": (rope() + rope(**ABOVE), ""),
    "solid solid": (solid() + solid(name="two", pos=".03 .02 .115", euler="10 5 40"), ""),
    "neighbours": (sheet(radius=0.045, internal="true"), ""),
    "faces": (solid(radius=0.04, internal="true"), ""),
    "spring sphere": (sheet(passive="true"), thing(*SPHERE)),
    "spring rope": (rope(passive="true") + rope(**ABOVE), ""),
    "spring plane": (sheet(passive="true"), '<geom type="plane" size="1 1 1" euler="4 3 0"/>'),
}
# colliders that iterate stop at a tolerance, which differences of steps magnify
ITERATED = {
    "sheet sheet": (sheet() + sheet(**ABOVE), ""),
    "rope sheet": (rope() + sheet(**ABOVE), ""),
    "solid sphere": (solid(), thing("sphere", ".05", 0.105)),
    "solid capsule": (solid(), thing("capsule", ".03 .06", 0.1)),
    "solid ellipsoid": (solid(), thing("ellipsoid", ".04 .05 .03", 0.09)),
    "sheet ellipsoid": (sheet(), thing("ellipsoid", ".04 .05 .03", 0.04)),
    "rope cylinder": (rope(), thing("cylinder", ".03 .04", 0.04)),
    "spring sheet": (sheet(passive="true") + sheet(**ABOVE), ""),
}


def touch(case, parent, cone="elliptic", integrator="Euler"):
    flexes, things = case
    m = sinew.MjModel.from_xml_string(TOUCH.format(integrator=integrator, cone=cone, bodies=parent.format(flexes) + things))
    d = sinew.MjData(m)
    rng = np.random.default_rng(1)
    sinew.mj_integratePos(m, d.qpos, 0.003 * rng.standard_normal(m.nv), 1)
    d.qvel[:] = 0.1 * rng.standard_normal(m.nv)
    sinew.mj_forward(m, d)
    assert any((d.contact.exclude == 0) | (d.contact.exclude == 4))
    return m, d


@pytest.mark.parametrize("cone", ("pyramidal", "elliptic"))
@pytest.mark.parametrize("parent", (STANDING, ROCKING), ids=("standing", "rocking"))
@pytest.mark.parametrize("case", EXACT)
def test_contacts_of_elements_have_closed_forms(case, parent, cone):
    check_closed_forms(*touch(EXACT[case], parent, cone))


@pytest.mark.parametrize("integrator", ("implicit", "implicitfast", "RK4"))
@pytest.mark.parametrize("case", ("sheet sphere", "spring sphere", "neighbours"))
def test_contacts_of_elements_have_closed_forms_for_every_integrator(case, integrator):
    check_closed_forms(*touch(EXACT[case], ROCKING, integrator=integrator))


@pytest.mark.parametrize("case", ITERATED)
def test_closed_forms_of_elements_follow_surfaces_of_iterated_colliders(case):
    m, d = touch(ITERATED[case], ROCKING)
    assert _core.analytic_columns(m, d) == EVERY
    found, _ = derivatives.transition(m, d, "analytic")
    best = np.inf
    for eps in (1e-5, 3e-5, 1e-4):
        expected, _ = derivatives.transition(m, d, "differences", eps=eps)
        best = min(best, np.abs(found - expected).max() / max(1, np.abs(expected).max()))
    assert best < 5e-3


def check_random_touch(seed):
    """Scenes in which flexes lie on geoms and on one another; at some, differences see contacts come and go."""
    m = sinew.MjModel.from_xml_string(random_flex_touch.model(seed))
    if m.nflexnode or m.nv > 130:
        return 0
    m.opt.solver, m.opt.tolerance, m.opt.iterations, m.opt.noslip_iterations = 2, 1e-15, 300, 0
    m.opt.ccd_tolerance, m.opt.ccd_iterations, m.opt.integrator = 1e-13, 300, (0, 2, 3)[seed % 3]
    d = sinew.MjData(m)
    for _ in range(40):
        sinew.mj_step(m, d, 10)
        touching = sum(max(d.contact[i].flex) >= 0 for i in range(d.ncon))
        if touching >= 3:
            break
    if not touching:
        return 0
    assert _core.analytic_columns(m, d) == EVERY
    found, _ = derivatives.transition(m, d, "analytic")
    errors = []
    for eps in (1e-6, 1e-5, 1e-4):
        expected, _ = derivatives.transition(m, d, "differences", eps=eps)
        errors.append(np.abs(found - expected) / max(1, np.abs(expected).max()))
    # a few entries are those of convex colliders that jump between features of a mesh or a cap
    assert min(e.max() for e in errors) < 0.2 and min(np.quantile(e, 0.99) for e in errors) < 1e-3, seed
    return 1


def test_closed_forms_of_random_contacts():
    assert sum(check_random_touch(seed) for seed in range(30)) > 10


@pytest.mark.full
def test_closed_forms_of_many_random_contacts():
    assert sum(check_random_touch(seed) for seed in range(30, 250)) > 80


def test_flexes_between_nodes_are_differenced():
    nodes = CASES["solid"].replace('count="2 3 2"', 'count="4 4 4" dof="trilinear"').replace('<pin id="0"/>', "")
    m, d = excited(PARENTS["fixed"].format(nodes.replace('<edge damping="0.1"/>', "")), "implicit")
    assert _core.analytic_columns(m, d) == 0
