"""Fluid forces and their velocity derivatives: figures, closed forms, differences, MuJoCo."""

import mujoco
import numpy as np
import pytest
from scene import Scene

from sinew import _core

SPHERE = '<geom type="sphere" size=".1" mass="1" {}/>'
BOX = '<geom type="box" size=".1 .05 .025" mass="1" {}/>'
ELL = '<geom type="ellipsoid" size=".1 .05 .02" mass="{}" fluidshape="ellipsoid" {}/>'
E = 'fluidshape="ellipsoid"'


def world(geoms, option, default="", body=""):
    return f"""<mujoco><option {option}/><default><geom {default}/></default><worldbody>
      <body pos="0 0 1" {body}><freejoint/>{geoms}</body></worldbody></mujoco>"""


RHO, RHO_BETA = 'density="1.2"', 'density="1.2" viscosity="0.001"'
CAPSULES = "".join(
    f'<geom type="capsule" size=".05 .15" mass=".5" pos="{x} 0 0"/>' for x in (-0.1, 0.1)
)
TWO = ELL.format(0.5, 'pos="-.15 0 0"') + (
    f'<geom type="ellipsoid" size=".08 .04 .03" mass=".5" pos=".15 0 0" {E}/>'
)
MODELS = {
    "A": world(SPHERE.format(""), RHO),
    "B": world('<geom type="sphere" size=".01" mass=".001"/>', 'viscosity="1"'),
    "C": world(BOX.format(""), RHO + ' wind="5 0 0"'),
    "D": world(SPHERE.format(E), RHO),
    "E": world(ELL.format(1, ""), RHO),
    "F": world(ELL.format(1, 'fluidcoef="1 .5 2 0 0"'), RHO_BETA),
    "G": world(SPHERE.format(""), ""),
    "H": world(
        '<geom type="sphere" size=".05" mass=".5"/>' + ELL.format(0.5, 'pos=".2 0 0"'), RHO
    ),
    "I": world(CAPSULES, RHO_BETA),
    "J": world(ELL.format(1, ""), RHO_BETA),
    "M": world(f'<geom type="cylinder" size=".05 .15" mass="1" {E}/>', RHO),
    "N": world(BOX.format('pos=".1 .05 0"'), RHO_BETA),
    "P": world(ELL.format(1, ""), 'viscosity="1"'),
    "Q": world(BOX.format(""), RHO + ' wind="3 4 0"'),
    "R": world(f'<geom type="capsule" size=".05 .15" mass="1" {E}/>', RHO),
    "S": world(TWO, RHO),
    "U": world(f'<geom type="ellipsoid" size=".1 .1 .03" mass="1" {E}/>', RHO),
    "V": world(ELL.format(1, ""), RHO + ' wind="3 0 0"'),
    "W": world(BOX.format(""), RHO_BETA),
    "X": world(SPHERE.format('fluidcoef="1 .5 2 .5 .5"'), RHO),
    "Y": world(ELL.format(1, ""), RHO_BETA, body='quat=".707 0 .707 0"'),
    "AA": world(
        '<geom type="ellipsoid" size=".1 .05 .02" mass="1"/>',
        RHO_BETA,
        default=E + ' fluidcoef="1 .5 2 .5 .5"',
    ),
}

# id, model, v, w, expected qfrc_fluid: force, torque
CASES = [
    ("T1", "G", (1, 2, 3), (4, 5, 6), (0, 0, 0), (0, 0, 0)),
    ("T2S", "A", (0, 0, 0), (0, 0, -1), (0, 0, 0), (0, 0, 3.34625761112e-06)),
    ("T2D", "A", (0, 0, -1), (0, 0, 0), (0, 0, 0.0144), (0, 0, 0)),
    ("T3S", "B", (0, 0, 0), (1, 0, 0), (0, 0, 0), (-1.16806425868e-05, 0, 0)),
    ("T3D", "B", (1, 0, 0), (0, 0, 0), (-0.146008032335, 0, 0), (0, 0, 0)),
    ("T4", "C", (0, 0, 0), (0, 0, 0), (0.075, 0, 0), (0, 0, 0)),
    ("T6S", "D", (0, 0, 0), (0, 0, -1), (0, 0, 0), (0, 0, 3.01592894745e-05)),
    ("T6D", "D", (0, 0, -1), (0, 0, 0), (0, 0, 0.0188495559215), (0, 0, 0)),
    (
        "T7S",
        "D",
        (0, 0, 10),
        (1, 0, 0),
        (0, -0.0251327560325, -1.88495559215),
        (-3.01592894745e-05, 0, 0),
    ),
    (
        "T7D",
        "D",
        (1, 0, 0),
        (0, 0, 10),
        (-0.0188495559215, 0.0251327560325, 0),
        (0, 0, -0.00301592894745),
    ),
    (
        "T8S",
        "E",
        (0, 0, 0),
        (1, 0.5, 0),
        (0, 0, 0),
        (-8.57487917047e-06, -4.28743958523e-06, -5.95576499055e-07),
    ),
    (
        "T8D",
        "E",
        (1, 0.5, 0),
        (0, 0, 0),
        (-0.00533525429235, -0.00666622179052, 0),
        (0, 0, -5.55213562728e-05),
    ),
    (
        "T9S",
        "D",
        (5, 0, 0),
        (0, 0, -1),
        (-0.471238898038, -0.0125663780163, 0),
        (0, 0, 3.01592894745e-05),
    ),
    (
        "T9D",
        "D",
        (0, 0, -1),
        (5, 0, 0),
        (0, 0.0125663780163, 0.0188495559215),
        (-0.000753982236862, 0, 0),
    ),
    (
        "T10S",
        "F",
        (5, 0, 0),
        (1, 0.5, 0),
        (-0.288084046334, 0, 0.000132557255143),
        (-1.6772967172e-05, -8.38648358601e-06, -5.95576499055e-07),
    ),
    (
        "T10D",
        "F",
        (1, 0.5, 0),
        (5, 0, 0),
        (-0.0149375258024, -0.0074687629012, -0.000410164036507),
        (-0.000195653736254, 0, -5.55213562728e-05),
    ),
    (
        "T11S",
        "H",
        (0, 0, 0),
        (0, 0, -1),
        (-6.77178419943e-05, 0.000263893782902, 0),
        (0, 0, 6.03185789489e-05),
    ),
    ("T11D", "H", (0, 0, -1), (0, 0, 0), (0, 0, 0.00942477796077), (0, -0.00188495559215, 0)),
    ("T13S", "I", (0, 0, 0), (0, 0, -1), (0, 0, 0), (0, 0, 0.000174299995725)),
    ("T13D", "I", (0, 0, -1), (0, 0, 0), (0, 0, 0.0207406155705), (0, 0, 0)),
    (
        "T14S",
        "J",
        (0, 0, 0),
        (1, 0.5, 0),
        (0, 0, 0),
        (-1.31481072318e-05, -6.57405361591e-06, -5.95576499055e-07),
    ),
    (
        "T14D",
        "J",
        (1, 0.5, 0),
        (0, 0, 0),
        (-0.00640339579457, -0.00720029254163, 0),
        (0, 0, -5.55213562728e-05),
    ),
    ("T23S", "M", (0, 0, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1.50796447372e-05)),
    ("T23D", "M", (0, 0, -1), (0, 0, 0), (0, 0, 0.00942477796077), (0, 0, 0)),
    (
        "T25S",
        "N",
        (0, 0, 0),
        (1, 0.5, 0),
        (0, 0, 0),
        (-5.38717027862e-06, -3.24729607681e-06, 0),
    ),
    ("T25D", "N", (1, 0.5, 0), (0, 0, 0), (-0.00409955742876, -0.00204977871438, 0), (0, 0, 0)),
    ("T27S", "P", (0, 0, 0), (1, 0.5, 0), (0, 0, 0), (-0.00457322806136, -0.00228661403068, 0)),
    ("T27D", "P", (1, 0.5, 0), (0, 0, 0), (-1.06814150222, -0.53407075111, 0), (0, 0, 0)),
    ("T28", "Q", (0, 0, 0), (0, 0, 0), (0.027, 0.096, 0), (0, 0, 0)),
    ("T29S", "R", (0, 0, 0), (0, 0, -1), (0, 0, 0), (0, 0, 4.33539786195e-05)),
    ("T29D", "R", (0, 0, -1), (0, 0, 0), (0, 0, 0.011780972451), (0, 0, 0)),
    ("T30", "D", (0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)),
    (
        "T31S",
        "S",
        (0, 0, 0),
        (1, 0.5, -1),
        (1.08618836323e-06, 2.47806640709e-05, -0.000149921963425),
        (-2.82452993794e-05, -6.11351776937e-05, 4.42678573213e-05),
    ),
    (
        "T31D",
        "S",
        (1, 0.5, -1),
        (0, 0, 0),
        (-0.00135465419954, -0.00655495583789, 0.0462425103126),
        (0.000502039100462, 0.000495500851546, -0.000452871796827),
    ),
    (
        "T32S",
        "J",
        (10, 5, 3),
        (0, 0, 0),
        (-0.720713788672, -0.532788231271, -1.04388455389),
        (-0.0120778064705, 0.0274868943173, -0.00555213562728),
    ),
    (
        "T32D",
        "J",
        (0, 0, 0),
        (10, 5, 3),
        (0, 0, 0),
        (-0.000913926099326, -0.000467793694034, -0.000339323307821),
    ),
    (
        "T33S",
        "U",
        (0, 0, 0),
        (1, 0.5, 0),
        (0, 0, 0),
        (-3.3719110709e-05, -1.68595553545e-05, 0),
    ),
    ("T33D", "U", (1, 0.5, 0), (0, 0, 0), (-0.0136983887255, -0.00684919436276, 0), (0, 0, 0)),
    ("T35", "V", (0, 0, 0), (0, 0, 0), (0.0508938009882, 0, 0), (0, 0, 0)),
    (
        "T36S",
        "W",
        (10, 5, 3),
        (0, 0, -1),
        (-0.310995574288, -0.155497787144, -0.111298672286),
        (0, 0, 6.58248277862e-06),
    ),
    (
        "T36D",
        "W",
        (0, 0, -1),
        (10, 5, 3),
        (0, 0, 0.0130995574288),
        (-8.97310777862e-05, -0.000100236632643, -2.93099483359e-05),
    ),
    ("T37", "X", (0, 0, -1), (0, 0, 0), (0, 0, 0.0144), (0, 0, 0)),
    ("T40", "G", (0, 0, 1), (1, 0, 0), (0, 0, 0), (0, 0, 0)),
    (
        "T41S",
        "Y",
        (0, 0, 0),
        (1, 0.5, -1),
        (0, 0, 0),
        (-1.66123934404e-05, -7.94517524115e-06, 1.53959471505e-05),
    ),
    (
        "T41D",
        "Y",
        (1, 0.5, -1),
        (0, 0, 0),
        (-0.0301843177216, -0.00280013812474, 0.00208827032488),
        (-0.000402593549016, 0.000916229810577, -5.55213562728e-05),
    ),
    (
        "T42S",
        "AA",
        (0, 0, 0),
        (1, 0.5, 0),
        (0, 0, 0),
        (-1.6772967172e-05, -8.38648358601e-06, -5.95576499055e-07),
    ),
    (
        "T42D",
        "AA",
        (1, 0.5, 0),
        (0, 0, 0),
        (-0.0141378068735, -0.00906820075894, 0),
        (0, 0, -5.55213562728e-05),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[c[0] for c in CASES])
def test_fluid_force(case):
    """Figures of the specification, whose labels the cases have, and MuJoCo's force.

    Spec 40: T1 T2 T3 T4 T6 T7 T8 T9 T10 T11 T13 T14 T23 T25 T27 T28 T29 T30 T31 T32 T33 T35 T36 T37 T40 T41 T42."""
    _, model, v, w, force, torque = case
    scene = Scene(MODELS[model])
    scene.set(qvel=np.r_[v, w]).forward()
    expected = np.r_[force, torque]
    # the printed figures have twelve digits; small torques need a relative check beside 1e-10
    np.testing.assert_allclose(scene["qfrc_fluid"], expected, rtol=1e-9, atol=1e-13)
    scene.same("qfrc_fluid", "qfrc_passive", tolerance=1e-14)


@pytest.mark.parametrize(
    "model,qvel,force,torque",
    [
        (
            "A",
            (0, 0, 0, 0, 0, -1),
            [4.48987646876e-04, 2.00084397208e-03, 4.66042961549e-03, 8.42656175795e-03]
            + [1.32975584358e-02],
            [3.34615683627e-06, 3.34604486955e-06, 3.34593290845e-06, 3.34582095297e-06]
            + [3.34570900311e-06],
        ),
        (
            "J",
            (0, 0, 0, 0, 0, -1),
            [4.82468540012e-04, 1.70771350542e-03, 3.65805156782e-03, 6.3329139893e-03]
            + [9.73151803095e-03],
            [1.21113365902e-05, 1.21094327426e-05, 1.21075293358e-05, 1.21056263697e-05]
            + [1.2103723844e-05],
        ),
        (
            "A",
            (0, 0, -1, 0, 0, 0),
            [0.0199242685695, 0.0271069858971, 0.0353862041349, 0.0447582170267]
            + [0.0552188322571],
            [0] * 5,
        ),
        (
            "J",
            (0, 0, -1, 0, 0, 0),
            [0.014298777987, 0.0192128039761, 0.0248467931609, 0.0311990922124]
            + [0.0382678376762],
            [0] * 5,
        ),
    ],
    ids=["A-spin", "J-spin", "A-fall", "J-fall"],
)
def test_force_along_a_trajectory(model, qvel, force, torque):
    """Spec 40: T20."""
    scene = Scene(MODELS[model]).set(qvel=np.array(qvel, float))
    for f, t in zip(force, torque):
        scene.step(10)
        assert scene["qfrc_fluid"][2] == pytest.approx(f, abs=1e-6, rel=1e-9)
        assert scene["qfrc_fluid"][5] == pytest.approx(t, abs=1e-12, rel=1e-9)


def test_both_fluid_models_in_one_world():
    """Spec 40: T21."""
    xml = f"""<mujoco><option {RHO}/><worldbody>
      <body pos="0 0 1"><freejoint/>{BOX.format("")}</body>
      <body pos="1 0 1"><freejoint/>{ELL.format(1, "")}</body></worldbody></mujoco>"""
    scene = Scene(xml).set(qvel={5: -1, 11: -1}).forward()
    expected = np.zeros(12)
    expected[5], expected[11] = 1.59375e-06, 7.53982236862e-06
    np.testing.assert_allclose(scene["qfrc_fluid"], expected, rtol=1e-9, atol=1e-14)
    scene.reset().set(qvel={2: -1, 8: -1}).forward()
    expected = np.zeros(12)
    expected[2], expected[8] = 0.012, 0.00942477796077
    np.testing.assert_allclose(scene["qfrc_fluid"], expected, rtol=1e-9, atol=1e-14)


def fluid(model):
    """geom_fluid of our compiler."""
    return np.array(_core.MjModel.from_xml_string(MODELS[model]).geom_fluid)


def test_drag_shows_the_equivalent_box():
    """Sides of the equivalent box, seen through the drag along each axis: rho/2 b_j b_k v^2 (spec 40: T5)."""
    for model, sides in (("A", [0.154919333848] * 3), ("C", [0.2, 0.1, 0.05])):
        for axis in range(3):
            scene = Scene(MODELS[model])
            for m in (scene.mj, scene.m):
                m.opt.wind[:] = 0
            scene.set(qvel={axis: 1.0}).forward()
            area = -scene["qfrc_fluid"][axis] / 0.6
            expected = np.prod(sides) / sides[axis]
            assert area == pytest.approx(expected, rel=1e-9)


def test_fluidshape_switch_and_inheritance():
    """Spec 40: T12 T22 T37 T42."""
    assert fluid("H")[0, 0] == 0 and fluid("H")[1, 0] == 1
    assert not fluid("X").any()
    inherited = world(SPHERE.format(""), RHO, default=E)
    assert _core.MjModel.from_xml_string(inherited).geom_fluid[0, 0] == 1
    assert list(fluid("AA")[0, 1:6]) == [1, 0.5, 2, 0.5, 0.5]


@pytest.mark.parametrize("model,case", [("A", "box"), ("E", "ellipsoid")], ids=["box", "ellipsoid"])
def test_body_without_mass_feels_no_fluid(model, case):
    """A body with hardly any mass feels no fluid. No compiler makes one: its mass is set here (spec 40: T15 T26)."""
    scene = Scene(MODELS[model])
    scene.m.body_mass[1] = 1e-20
    for dof in range(6):
        scene["qvel"][:] = 0
        scene["qvel"][dof] = 1
        _core.mj_kinematics(scene.m, scene.d)
        _core.mj_comPos(scene.m, scene.d)
        _core.mj_comVel(scene.m, scene.d)
        _core.mj_passive(scene.m, scene.d)
        assert not scene["qfrc_fluid"].any()


SHAPES = {
    "sphere": ('type="sphere" size=".05"', (0.05, 0.05, 0.05)),
    "capsule": ('type="capsule" size=".05 .15"', (0.05, 0.05, 0.2)),
    "cylinder": ('type="cylinder" size=".05 .15"', (0.05, 0.05, 0.15)),
    "ellipsoid": ('type="ellipsoid" size=".1 .05 .02"', (0.1, 0.05, 0.02)),
    "box": ('type="box" size=".1 .05 .02"', (0.1, 0.05, 0.02)),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_drag_shows_the_semi_axes(shape):
    """Blunt drag alone shows the projected area, angular drag alone 8/15 pi s_i max(s_j, s_k)^4 (spec 40: T16 T18)."""
    text, s = SHAPES[shape]
    geom = f'<geom {text} mass="1" {E} fluidcoef="{{}}"/>'
    blunt = Scene(world(geom.format("1 0 0 0 0"), RHO))
    spin = Scene(world(geom.format("0 0 1 0 0"), RHO))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        force = blunt.reset().set(qvel={i: 1.0}).forward()["qfrc_fluid"]
        assert force[i] == pytest.approx(-1.2 * np.pi * s[j] * s[k], rel=1e-9)
        moment = 8 / 15 * np.pi * s[i] * max(s[j], s[k]) ** 4
        torque = spin.reset().set(qvel={3 + i: 1.0}).forward()["qfrc_fluid"]
        assert torque[3 + i] == pytest.approx(-1.2 * moment, rel=1e-9)


VIRTUAL = [
    ((0.1, 0.1, 0.1), (0.00209439386874,) * 3, (0, 0, 0)),
    ((0.1, 0.05, 0.02), (4.418575171429e-05, 1.367213455023e-04, 8.077105938621e-04),
     (1.685556354193e-07, 1.161183133844e-06, 1.264001490828e-07)),
    ((0.05, 0.05, 0.15), (0.001262762187, 0.001262762187, 0.000191587832), (3.657429929e-06,) * 2 + (0,)),
    ((0.05, 0.05, 0.2), (0.001800679054, 0.001800679054, 0.000170813110), (1.082273452e-05,) * 2 + (0,)),
    ((0.1, 0.1, 0.03), (2.56152913052e-04, 2.56152913052e-04, 2.454091146306e-03), (2.740287328e-06,) * 2 + (0,)),
    ((0.08, 0.04, 0.03), (6.929755944e-05, 2.25843021043e-04, 3.91585606787e-04),
     (1.440973376e-08, 2.835742280e-07, 1.271530957e-07)),
]  # fmt: skip
# the quadrature's kappa, and the closed form that it approximates to 1e-7
KAPPA = [
    ((1, 1, 3), (0.891290708169, 0.891290708169, 0.217418921632), (0.891290534947, 0.891290534947, 0.217418930105)),
    ((3, 3, 1), (0.364611121028, 0.364611121028, 1.270777722608), (0.364611110144, 0.364611110144, 1.270777779712)),
    ((0.1, 0.1, 0.1), (0.666666404877,) * 3, (2 / 3,) * 3),
]  # fmt: skip


def compiled_ellipsoid(axes):
    size = " ".join(map(str, axes))
    xml = world(f'<geom type="ellipsoid" size="{size}" mass="1" {E}/>', RHO)
    ours = np.array(_core.MjModel.from_xml_string(xml).geom_fluid[0])
    np.testing.assert_allclose(ours, mujoco.MjModel.from_xml_string(xml).geom_fluid[0], rtol=1e-14)
    return ours


@pytest.mark.parametrize("axes,mass,inertia", VIRTUAL)
def test_virtual_mass_and_inertia(axes, mass, inertia):
    """Spec 40: T17."""
    ours = compiled_ellipsoid(axes)
    np.testing.assert_allclose(ours[6:9], mass, rtol=1e-8)
    np.testing.assert_allclose(ours[9:12], inertia, rtol=1e-7, atol=1e-15)


@pytest.mark.parametrize("axes,quadrature,closed", KAPPA, ids=["prolate", "oblate", "sphere"])
def test_kappa_of_the_quadrature(axes, quadrature, closed):
    """Virtual mass is V k / (2 - k): the quadrature's nodes and weights give MuJoCo's k (spec 40: T19 T24 T34 T17)."""
    volume = 4 / 3 * np.pi * np.prod(axes)
    mass = compiled_ellipsoid(axes)[6:9]
    kappa = 2 * mass / (volume + mass)
    np.testing.assert_allclose(kappa, quadrature, rtol=1e-10)
    np.testing.assert_allclose(kappa, closed, atol=1e-6)


def test_bad_fluid_attributes_are_refused():
    """Spec 40: T38 T39."""
    with pytest.raises(ValueError, match="fluidshape"):
        _core.MjModel.from_xml_string(world(SPHERE.format('fluidshape="box"'), RHO))
    # as MuJoCo: fewer numbers keep the remaining defaults, more are an error
    partial = world(SPHERE.format(E + ' fluidcoef="0.5 0.25"'), RHO)
    assert list(_core.MjModel.from_xml_string(partial).geom_fluid[0, 1:6]) == [0.5, 0.25, 1.5, 1, 1]
    with pytest.raises(ValueError, match="fluidcoef"):
        _core.MjModel.from_xml_string(world(SPHERE.format(E + ' fluidcoef="1 2 3 4 5 6"'), RHO))


# ---- derivatives

VELOCITY = np.array([1.2, -0.7, 0.3, 0.5, -1.1, 0.8])
CHAIN = """<mujoco><option density="1000" gravity="0 0 0"/><worldbody>
  <body><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
  <body pos=".3 0 0"><joint axis="0 0 1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
  <body pos=".3 0 0"><joint axis="1 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
  </body></body></body></worldbody></mujoco>"""
BALL = f"""<mujoco><option {RHO}/><worldbody><body><joint type="ball"/>{ELL.format(1, "")}
  </body></worldbody></mujoco>"""
HINGE = f"""<mujoco><option {RHO}/><worldbody><body><joint axis="0 1 0"/>
  {BOX.format('pos="0.3 0 0"')}</body></worldbody></mujoco>"""
DERIVATIVES = MODELS | {
    "T25": world(ELL.format(1, 'pos="1 .5 0"'), RHO),
    "T26": world(ELL.format(1, ""), RHO + ' wind="5 0 0"'),
    "T29": HINGE,
    "T30": BALL,
    "T31": CHAIN,
}


def dense(scene, values):
    """qDeriv as a matrix."""
    nv, result = scene.mj.nv, np.zeros((scene.mj.nv, scene.mj.nv))
    for row in range(nv):
        adr, num = scene.mj.D_rowadr[row], scene.mj.D_rownnz[row]
        result[row, scene.mj.D_colind[adr : adr + num]] = values[adr : adr + num]
    return result


def derivative(scene, bias=False):
    _core._deriv_smooth_vel(scene.m, scene.d, bias)
    return dense(scene, scene["qDeriv"])


def moving(xml, integrator=mujoco.mjtIntegrator.mjINT_IMPLICIT, qvel=None):
    scene = Scene(xml)
    scene.mj.opt.integrator = integrator
    scene.reset()
    qvel = np.resize(VELOCITY, scene.mj.nv) if qvel is None else qvel
    return scene.set(qvel=qvel).forward()


@pytest.mark.parametrize("model", DERIVATIVES)
def test_fluid_derivative_against_finite_differences(model):
    """Centred differences of qfrc_fluid (spec 40a: T4 T7 T8 T9 T10 T11 T12 T14 T25 T26 T27 T28 T29 T30 T31)."""
    scene = moving(DERIVATIVES[model])
    analytic, step = derivative(scene), 1e-5
    qvel = scene["qvel"].copy()
    scale = abs(analytic).max()
    for i in range(scene.mj.nv):
        sides = []
        for sign in (1, -1):
            shifted = qvel.copy()
            shifted[i] += sign * step
            scene.set(qvel=shifted)
            _core.mj_forward(scene.m, scene.d)
            sides.append(scene["qfrc_fluid"].copy())
        numeric = (sides[0] - sides[1]) / (2 * step)
        np.testing.assert_allclose(analytic[:, i], numeric, rtol=0, atol=1e-6 * max(scale, 1e-6))


@pytest.mark.parametrize("fast", [False, True], ids=["implicit", "implicitfast"])
@pytest.mark.parametrize("model", DERIVATIVES)
def test_fluid_derivative_against_mujoco(model, fast):
    """QDeriv of an implicit step (spec 40a: T5 T13 T17 T25 T26 T27 T28 T29 T30 T31)."""
    kinds = mujoco.mjtIntegrator.mjINT_IMPLICIT, mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    scene = moving(DERIVATIVES[model], kinds[fast])
    ours = derivative(scene, bias=not fast)
    mujoco.mj_implicit(scene.mj, scene.mjd)
    np.testing.assert_allclose(ours, dense(scene, scene.mjd.qDeriv), rtol=0, atol=1e-10)
    if fast:
        np.testing.assert_allclose(ours, ours.T, atol=1e-16)


def test_viscous_derivative_is_constant():
    """Spec 40a: T1."""
    d, beta = 0.01 * np.sqrt(2.4), 1
    expected = np.diag([-3 * np.pi * d * beta] * 3 + [-np.pi * d**3 * beta] * 3)
    for scale in (1, 3):
        ours = derivative(moving(MODELS["B"], qvel=VELOCITY * scale))
        np.testing.assert_allclose(ours, expected, atol=1e-12)


def test_derivative_of_quadratic_spin_drag():
    """Spec 40a: T2."""
    d = 0.1 * np.sqrt(2.4)
    ours = derivative(moving(MODELS["A"], qvel=np.array([0, 0, 0, 0, 0, -1.0])))
    expected = np.zeros((6, 6))
    expected[5, 5] = -2 * 1.2 * d * 2 * d**4 / 64
    np.testing.assert_allclose(ours, expected, atol=1e-12)


def test_derivatives_of_both_drags_add():
    """Spec 40a: T3."""
    parts = [derivative(moving(world(BOX.format(""), o))) for o in (RHO, 'viscosity="0.001"')]
    both = derivative(moving(world(BOX.format(""), RHO_BETA)))
    np.testing.assert_allclose(both, sum(parts), atol=1e-10)


@pytest.mark.parametrize("v, w", [((1.2, -0.7, 0.3), (0.5, -1.1, 0.8)), ((1.2, 0, 0), (0, -1.1, 0)), ((0, -0.7, 0.3), (0, 0, 2)),
                                  ((0, 0, 0), (0.5, -1.1, 0.8)), ((1.2, -0.7, 0.3), (0, 0, 0))])  # fmt: skip
def test_derivative_of_a_cross_product(v, w):
    """What a Magnus coefficient of 1 adds is c w x v, c = density times volume: its derivatives are differences of the cross
    product, by v and by w, zeros among them (spec 40a: T6)."""
    with_lift, without = (derivative(moving(world(f'<geom type="ellipsoid" size="1 .5 .2" mass="1" {E} fluidcoef="0 0 0 0 {k}"/>',
                                                  RHO), qvel=np.array(v + w))) for k in (1, 0))  # fmt: skip
    v, w, c, step = np.array(v), np.array(w), 1.2 * 4 / 3 * np.pi * 0.1, 1e-3
    expected = np.zeros((6, 6))
    for i, e in enumerate(step * np.eye(3)):  # exact: the product is linear in each factor
        expected[:3, i] = c * (np.cross(w, v + e) - np.cross(w, v - e)) / (2 * step)
        expected[:3, 3 + i] = c * (np.cross(w + e, v) - np.cross(w - e, v)) / (2 * step)
    np.testing.assert_allclose(with_lift - without, expected, rtol=0, atol=1e-12)


def test_full_derivative_is_not_symmetric():
    """In rows of torque and columns of linear velocity, too; the figure is for bodies of size 1 (spec 40a: T16)."""
    big = MODELS["E"].replace(".1 .05 .02", "1 .5 .2")
    ours = derivative(moving(big))
    assert abs(ours - ours.T).max() > 1e-4
    assert abs((ours - ours.T)[3:, :3]).max() > 1e-4


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
def test_kinetic_energy_falls_in_fluid(integrator):
    """Spec 40a: T19 T20."""
    option = f'{RHO} gravity="0 0 0" timestep="0.002" integrator="{integrator}"'
    xml = world(SPHERE.format(""), option)
    scene = Scene(xml).set(qvel=np.array([1, -0.5, 0.3, 0.5, -1.1, 0.8]))
    inertia = 0.4 * 0.1**2
    energy = []
    for _ in range(1000):
        _core.mj_step(scene.m, scene.d)
        qvel = scene["qvel"]
        energy.append(0.5 * qvel[:3] @ qvel[:3] + 0.5 * inertia * qvel[3:] @ qvel[3:])
    assert (np.diff(energy) <= 1e-12).all()


def test_no_fluid_no_derivative():
    """Spec 40a: T21."""
    assert not derivative(moving(MODELS["G"])).any()


def test_viscous_derivative_at_rest():
    """Spec 40a: T22."""
    ours = derivative(moving(world(BOX.format(""), 'viscosity="0.5"'), qvel=np.zeros(6)))
    d = (0.2 + 0.1 + 0.05) / 3
    expected = np.diag([-3 * np.pi * d * 0.5] * 3 + [-np.pi * d**3 * 0.5] * 3)
    np.testing.assert_allclose(ours, expected, atol=1e-12)


def test_derivative_along_one_axis_is_finite():
    """Spec 40a: T28."""
    ours = derivative(moving(MODELS["E"], qvel=np.array([1.0, 0, 0, 0, 0, 0])))
    assert np.isfinite(ours).all()


def test_disabled_springs_and_dampers_disable_fluid():
    """Spec 40a."""
    scene = Scene(MODELS["W"])
    flags = mujoco.mjtDisableBit
    scene.mj.opt.disableflags = flags.mjDSBL_SPRING | flags.mjDSBL_DAMPER
    scene.reset().set(qvel=VELOCITY).forward()
    assert not scene["qfrc_fluid"].any()
    assert not derivative(scene).any()


def test_site_jacobian_is_the_point_jacobian():
    """Spec 40e: 1; spec 40a: T32."""
    xml = CHAIN.replace(
        "</body></body></body>", '<site name="com" pos=".15 0 0"/></body></body></body>'
    )
    scene = moving(xml)
    site, point = np.zeros((2, 3, 3)), np.zeros((2, 3, 3))
    _core.mj_jacSite(scene.m, scene.d, site[0], site[1], 0)
    _core.mj_jac(scene.m, scene.d, point[0], point[1], scene["xipos"][9:12].copy(), 3)
    # the site sits at the centre of mass up to rounding of the compiled inertia
    np.testing.assert_array_equal(site[1], point[1])
    np.testing.assert_allclose(site[0], point[0], rtol=0, atol=1e-16)


def test_derivatives_of_geoms_and_bodies_add():
    """Two ellipsoids on one body: the sum of each alone. A body of either model in one world (spec 40a: T14 T27)."""
    one, two = ELL.format(1, 'pos=".2 0 0"'), ELL.format(1, 'pos="-.1 .3 0"')
    inert = '<inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/>'
    parts = [derivative(moving(world(inert + geoms, RHO_BETA))) for geoms in (one, two, one + two)]
    np.testing.assert_allclose(parts[2], parts[0] + parts[1], rtol=1e-12, atol=1e-15)
    both = (world(BOX.format(""), RHO).replace(
        "</worldbody>", f'<body pos="3 0 0"><freejoint/>{ELL.format(1, "")}</body></worldbody>'))
    scene = moving(both)
    ours = derivative(scene)
    for k, alone in enumerate((MODELS["W"].replace(RHO_BETA, RHO), MODELS["E"])):
        block = slice(6 * k, 6 * k + 6)
        np.testing.assert_allclose(ours[block, block], derivative(moving(alone)), atol=1e-14)
    assert not ours[:6, 6:].any() and not ours[6:, :6].any()


def test_implicitfast_derivative_is_symmetric():
    """Spec 40a: T15."""
    ours = derivative(moving(MODELS["E"], mujoco.mjtIntegrator.mjINT_IMPLICITFAST))
    assert np.array_equal(ours, ours.T) or abs(ours - ours.T).max() < 1e-17


def test_body_without_mass_has_no_derivative():
    """Spec 40a: T23."""
    scene = moving(world(BOX.format(""), RHO_BETA))
    assert derivative(scene).any()
    scene.m.body_mass[1] = 1e-16
    assert not derivative(scene).any()


def test_fluidshape_none_is_the_default():
    """Spec 40a: T24."""
    plain = derivative(moving(world(BOX.format(""), RHO_BETA)))
    named = derivative(moving(world(BOX.format('fluidshape="none"'), RHO_BETA)))
    np.testing.assert_allclose(named, plain, rtol=0, atol=1e-10)


# ---- sleeping and sparse storage

SLEEPERS = """<mujoco><option density="10" viscosity=".1" integrator="implicitfast" sleep_tolerance="1e-3"><flag sleep="enable"/></option>
  <worldbody><geom type="plane" size="9 9 .1"/><body pos="0 0 .1"><freejoint/><geom size=".1"/></body>
  <body pos="1 0 3"><freejoint/><geom type="box" size=".1 .1 .2"/></body></worldbody></mujoco>"""


def test_sleeping_bodies_are_left_out():
    """What is awake moves as it does when everything is; the sleeping rows are not touched (spec 40c)."""
    m = _core.MjModel.from_xml_string(SLEEPERS)
    awake = _core.MjModel.from_xml_string(SLEEPERS.replace('sleep="enable"', 'sleep="disable"'))
    d, e = _core.MjData(m), _core.MjData(awake)
    for _ in range(4000):
        _core.mj_step(m, d)
        if d.ntree_awake < 2:
            break
    assert d.ntree_awake == 1
    e.qpos[:], e.qvel[:] = d.qpos, d.qvel
    d.qvel[6:] = e.qvel[6:] = [1, 2, 3, 4, 5, 6]
    _core.mj_forward(m, d)
    _core.mj_forward(awake, e)
    d.qDeriv[:], e.qDeriv[:] = 77, 0
    _core._deriv_smooth_vel(m, d, False)
    _core._deriv_smooth_vel(awake, e, False)
    np.testing.assert_allclose(d.qDeriv[36:], e.qDeriv[36:], rtol=1e-14)
    assert np.all(d.qDeriv[:36] == 77) and np.any(e.qDeriv[:36])


def star(arms):
    links = "".join(f'<body pos="0 {i} 0">{CHAIN_LINKS}</body>' for i in range(arms))
    return f'<mujoco><option density="1000" viscosity=".1" gravity="0 0 0"/><worldbody>{links}</worldbody></mujoco>'


CHAIN_LINKS = """<joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" contype="0"/>
  <body pos=".3 0 0"><joint axis="0 0 1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" contype="0"/>
  <body pos=".3 0 0"><joint axis="1 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" contype="0"/></body></body>"""


def test_only_related_dofs_are_stored():
    """Entries grow with the number of arms, not with its square, and have the numbers of one arm (spec 40d)."""
    alone = None
    for arms in (1, 10, 100):
        m = _core.MjModel.from_xml_string(star(arms))
        d = _core.MjData(m)
        d.qpos[:], d.qvel[:] = np.resize([0.3, -0.5, 0.7], 3 * arms), np.resize([1.0, -2, 3], 3 * arms)
        _core.mj_forward(m, d)
        _core._deriv_smooth_vel(m, d, True)
        assert len(d.qDeriv) == 9 * arms
        entries = np.array(d.qDeriv).reshape(arms, 9)
        alone = entries[:1] if alone is None else alone
        np.testing.assert_allclose(entries, np.tile(alone, (arms, 1)), rtol=1e-9, atol=1e-12)
