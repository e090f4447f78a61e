"""Simulators composed by name (criteria 42F), and the pages of the manual that show them."""

import pathlib
import platform
import re
import shutil
import subprocess

import numpy as np
import pytest

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = {name: (ROOT / "docs" / f"{name}.md").read_text() for name in ("builder", "contact-solvers")}


def blocks(page, kind):
    return re.findall(rf"```{kind}\n(.*?)```", PAGES[page], re.S)


CLOTH = re.search(r'CLOTH = """\n(.*?)"""', PAGES["builder"], re.S)[1]
BLOCK = CLOTH.replace('count="8 8 1"', 'count="3 3 3" dim="3"').replace(".02 .01 .21", "0 0 .3").replace(' elastic2d="both"', "")
ARM = str(ROOT / "models" / "arm.xml")


def test_default_build_is_the_plain_model():
    """Nothing chosen, or the preset mujoco: the same bits as the plain interface (spec 42F: 1 4)."""
    model = sinew.MjModel.from_xml_path(ARM)
    data = sinew.MjData(model)
    sinew.mj_step(model, data, 50)
    for options in ({}, {"preset": "mujoco"}):
        sim = sinew.Sim(ARM, **options)
        sim.step(50)
        np.testing.assert_array_equal(sim.data.qpos, data.qpos)


def test_bending_is_chosen_for_every_sheet():
    """A build with bridson has hinges in every flex of dim 2, and moves another way (spec 42F: 2)."""
    ends = []
    for law in sinew.Sim.names("bending"):
        sim = sinew.Sim(CLOTH, bending=law)
        sim.step(100)
        assert (sim.model.flex_bendingmodel == sinew.Sim.names("bending").index(law)).all()
        ends.append(sim.data.qpos.copy())
    assert np.abs(ends[0] - ends[1]).max() > 1e-6
    sim = sinew.Sim(CLOTH, bending="bridson", bending_param=(0.02, 1e-4))
    np.testing.assert_allclose(sim.model.flex_bendingparam[0, :2], [0.02, 1e-4])


def test_neo_hookean_with_xpbd_builds_and_runs():
    """Neo-Hookean with given parameters and XPBD with four substeps (spec 42F: 3)."""
    sim = sinew.Sim(BLOCK, elasticity="neo_hookean", elasticity_param=(4e3, 6e3), contact="xpbd", substeps=4)
    assert sim.model.flex_elasticmodel[0] == 1 and sim.model.xpbd_substeps[0] == 4
    sim.step(300)
    assert np.isfinite(sim.data.qpos).all() and not sim.data.warning.number.any()
    assert sim.data.flexvert_xpos[:, 2].min() > 0


@pytest.mark.parametrize("preset, bending, elasticity, solver", [("mujoco", 0, 0, 2), ("animation", 1, 0, 3), ("softbody", 0, 1, 2)])
def test_presets_choose_what_they_say(preset, bending, elasticity, solver):
    sim = sinew.Sim(CLOTH, preset=preset)
    assert sim.model.flex_bendingmodel[0] == bending and sim.model.flex_elasticmodel[0] == elasticity
    assert sim.model.opt.solver == solver
    sim.step(20)
    assert np.isfinite(sim.data.qpos).all()


ACTUATED = """<mujoco><worldbody><body><joint name="j" type="slide"/><geom size=".1" mass="1"/></body></worldbody><actuator>
  <motor name="a" joint="j"/><position name="b" joint="j" kp="3"/></actuator></mujoco>"""


@pytest.mark.parametrize("law, params", [("dc_motor", (2, 0.5, 0.4)), ("series_elastic", (30, 2, 1)), ("affine", (1, -2, -3))])
def test_law_is_chosen_for_every_actuator(law, params):
    """All actuators get the law that one element may name, to the bit, with the builder's parameters (spec 42F: 3)."""
    chosen = sinew.Sim(ACTUATED, actuator=law, actuator_param=params)
    numbers = " ".join(map(str, params))
    named = f'<general joint="j" sinew:gain_model="{law}" sinew:gain_params="{numbers}"/>'
    model = sinew.MjModel.from_xml_string(re.sub(r"<motor.*/>", named + named, ACTUATED.replace("\n", "")))
    data = sinew.MjData(model)
    for world in (chosen.data, data):
        world.ctrl[:] = 0.7, -0.2
    chosen.step(50)
    sinew.mj_step(model, data, 50)
    np.testing.assert_array_equal(chosen.model.actuator_model, model.actuator_model)
    np.testing.assert_array_equal(chosen.data.qpos, data.qpos)
    assert abs(data.qpos[0]) > 1e-5


def test_sources_are_left_as_they_are():
    """A spec and a model are copied; a preset can be overruled."""
    spec = sinew.MjSpec.from_string(CLOTH)
    sim = sinew.Sim(spec, preset="animation", contact="cg", iterations=7)
    assert sim.model.opt.solver == sinew.mjtSolver.mjSOL_CG and sim.model.opt.iterations == 7
    assert spec.option.solver == sinew.mjtSolver.mjSOL_NEWTON and spec.flexes[0].bending_model == ""
    model = spec.compile()
    assert sinew.Sim(model, contact="xpbd").model.opt.solver == sinew.mjtSolver.mjSOL_XPBD
    assert model.opt.solver == sinew.mjtSolver.mjSOL_NEWTON


@pytest.mark.parametrize("options, message", [
    ({"preset": "film"}, "unknown preset 'film'; there are: mujoco, animation, softbody"),
    ({"bending": "hinge"}, "unknown bending model 'hinge'; there are: cotangent, bridson"),
    ({"elasticity": "rubber"}, "unknown elasticity model 'rubber'; there are: linear, neo_hookean"),
    ({"actuator": "rocket"}, "unknown actuator model 'rocket'; there are: fixed, affine, muscle"),
    ({"contact": "lcp"}, "unknown contact model 'lcp'; there are: newton, cg, pgs, xpbd"),
    ({"substeps": 1001}, "substeps of the builder is out of range"),
    ({"compliance": -1}, "compliance of the builder is out of range"),
    ({"bending": "bridson", "bending_param": (-1,)}, "has a negative parameter"),
    ({"bending": "bridson", "bending_param": range(9)}, "more than 2 parameters"),
])
def test_wrong_choices_are_errors_that_list_what_there_is(options, message):
    with pytest.raises(ValueError, match=message):
        sinew.Sim(CLOTH, **options)


def test_laws_need_the_spec():
    model = sinew.MjModel.from_xml_string(CLOTH)
    with pytest.raises(ValueError, match="build from the spec"):
        sinew.Sim(model, bending="bridson")
    with pytest.raises(ValueError, match="no options of XPBD"):
        sinew.Sim(model, contact="xpbd", substeps=4)


def test_worlds_of_a_batch_have_their_own_laws():
    """World i of a batch does what simulator i does alone, to the bit, and no two do the same (spec 42F: 6)."""
    sims = [sinew.Sim(CLOTH, bending="bridson", bending_param=(k, 1e-5), contact=contact, substeps=2)
            for k, contact in ((1e-3, "newton"), (1e-2, "xpbd"), (1e-1, "newton"))] \
        + [sinew.Sim(CLOTH, contact="xpbd", substeps=2)]
    batch = sinew.Sim.batch(sims, device="cpu")
    batch.step(60)
    for world, sim in enumerate(sims):
        sim.step(60)
        np.testing.assert_array_equal(batch.qpos[world], sim.data.qpos)
    assert len({row.tobytes() for row in np.asarray(batch.qpos)}) == len(sims)
    with pytest.raises(ValueError, match="one structure"):
        sinew.Sim.batch([sims[0], sinew.Sim(BLOCK)])


@pytest.mark.parametrize("page", PAGES)
def test_examples_of_the_manual_run(page):
    """Blocks of Python run one after the other; blocks of MJCF load, and 100 steps end without a warning."""
    space = {}
    for text in blocks(page, "python"):
        exec(compile(text, page, "exec"), space)
    for text in blocks(page, "xml"):
        model = sinew.MjModel.from_xml_string(text)
        data = sinew.MjData(model)
        sinew.mj_step(model, data, 100)
        assert not data.warning.number.any()


OBJECTS = ROOT / "build" / "src" / "CMakeFiles" / "sinew_objects.dir" / "engine"


@pytest.mark.skipif(not OBJECTS.exists() or not shutil.which("objdump") or platform.machine() != "x86_64",
                    reason="needs the objects of a build, objdump and x86-64")
def test_built_in_models_are_called_directly():
    """The compiled laws of flexes and the solvers make no call through a pointer (spec 42F: 5; spec 42E: 4; spec 42B: 8); the one
    exception is the solver of a user, snData.callback.contactsolver, and the clock of the timers beside it."""
    found = set()
    for room in ("flex", "solve", "constrain", "deform"):
        objects = sorted((OBJECTS / room).glob("*.o"))
        assert objects
        for path in objects:
            text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], capture_output=True, text=True, check=True).stdout
            if re.search(r"\bcall[ql]? +\*", text):
                found.add(f"{room}/{path.name}")
    assert found <= {"solve/solver.c.o"}
