"""Python's side of helpful errors: names, paths, assets, warnings."""

import pathlib
import warnings

import numpy as np
import pytest

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARM = ROOT / "models" / "arm.xml"
FALL = ("<mujoco><worldbody><body name='ball'><freejoint/><geom name='skin' size='.1'/></body></worldbody>"
        "<keyframe><key name='home' qpos='0 0 3 1 0 0 0'/></keyframe></mujoco>")
MESH = "<mujoco><asset><mesh name='m' file='a.stl'/></asset></mujoco>"


@pytest.fixture
def model():
    return sinew.MjModel.from_xml_string(FALL)


def test_near_names_are_offered(model):
    with pytest.raises(KeyError, match="Invalid name 'bal'.*Did you mean 'ball'?"):
        model.body("bal")
    with pytest.raises(KeyError, match="Invalid name 'skinn'.*Did you mean 'skin'?"):
        sinew.MjData(model).geom("skinn")
    with pytest.raises(KeyError) as error:
        model.body("zzzz")
    assert "Did you mean" not in str(error.value)


def test_paths_are_file_names(model, tmp_path):
    """Whatever takes the name of a file takes a pathlib.Path."""
    data = sinew.MjData(model)
    assert sinew.MjModel.from_xml_path(ARM).nbody == sinew.MjModel.from_xml_path(str(ARM)).nbody
    spec = sinew.MjSpec.from_file(ARM)
    spec.compile()
    spec.to_file(tmp_path / "spec.xml")
    sinew.mj_saveModel(model, tmp_path / "model.mjb")
    assert sinew.MjModel.from_binary_path(tmp_path / "model.mjb").nbody == 2
    sinew.MjModel.from_xml_path(tmp_path / "spec.xml")
    sinew.mj_saveLastXML(tmp_path / "last.xml", sinew.MjModel.from_xml_path(ARM))
    sinew.mj_printModel(model, tmp_path / "model.txt")
    sinew.mj_printData(model, data, tmp_path / "data.txt")
    sinew.MjModel.from_xml_string(FALL, {pathlib.Path("a.txt"): b""})
    assert spec.add_mesh(name="mesh", file=pathlib.Path("a") / "b.stl").file == "a/b.stl"
    spec.meshdir = tmp_path
    assert spec.meshdir == str(tmp_path)
    for name in ("spec.xml", "last.xml", "model.txt", "data.txt"):
        assert (tmp_path / name).stat().st_size > 0, name
    with pytest.raises(TypeError):
        sinew.MjModel.from_xml_path(3)


@pytest.mark.parametrize("assets,text", [
    ({"a": 1}, "assets: the content of 'a' is to be bytes, not int"),
    ({3: b""}, "assets: names of files are str, not int"),
    ([b"a"], "assets: a dict from file names to bytes is expected, not list"),
])
def test_assets_of_the_wrong_type(assets, text):
    for load in (sinew.MjModel.from_xml_string, lambda xml, assets: sinew.MjSpec.from_string(xml, assets).compile()):
        with pytest.raises(TypeError) as error:
            load("<mujoco/>", assets)
        assert text in str(error.value)


def diverge(model, steps=3):
    data = sinew.MjData(model)
    data.qvel[2] = np.nan
    for _ in range(steps):
        sinew.mj_step(model, data)
        data.qvel[2] = np.nan


def test_warnings_arrive_once_per_kind(model):
    """One per data and kind; Python's default filter shows it once per line, because the time is left out."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        diverge(model)
    assert [w.category for w in seen] == [RuntimeWarning]
    assert "Nan" in str(seen[0].message) and "Time" not in str(seen[0].message)
    assert seen[0].filename == __file__
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("default")
        for _ in range(3):
            diverge(model)
    assert len(seen) == 1


def test_a_warning_may_be_made_an_exception(model):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="Nan"):
            diverge(model)
    data = sinew.MjData(model)
    sinew.mj_step(model, data)
    assert data.time == model.opt.timestep


def test_a_function_of_the_user_takes_the_place(model):
    texts = []
    sinew.set_mju_user_warning(texts.append)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            diverge(model)
    finally:
        sinew.set_mju_user_warning(None)
    assert len(texts) == 1 and "Time" in texts[0]


MISTAKES = {
    "sinew.MjModel.from_xml_string('models/arm.xml')": (ValueError, "from_xml_path reads a file"),
    "sinew.MjModel.from_xml_path('<mujoco/>')": (ValueError, "use from_xml_string"),
    "sinew.MjModel('models/arm.xml')": (TypeError, "made by MjModel.from_xml_path"),
    "sinew.MjModel.from_binary_path(ARM)": (ValueError, "from_xml_path reads XML"),
    "sinew.MjData('models/arm.xml')": (TypeError, "takes an MjModel"),
    "sinew.Batch('models/arm.xml', 2)": (TypeError, "takes an MjModel, got str"),
    "sinew.Batch(model, 2, device='cpu').qposs": (AttributeError, "Did you mean 'qpos'?"),
    "sinew.Batch(model, 2, device='cpu').model_field('body_mas')": (AttributeError, "Did you mean 'body_mass'?"),
    "sinew.Renderer(model, 9, 9).update_scene(sinew.MjData(model), camera='side')": (ValueError, "The model names none"),
    "sinew.MjSpec().worldbody.add_geom(typ=3)": (TypeError, "did you mean 'type'?"),
    "sinew.MjSpec().worldbody.add_geom(type='box')": (TypeError, "expected mjtGeom, got str"),
    "sinew.derivatives.transition(model, sinew.MjData(model), 'exact')": (ValueError, "analytic, hybrid, differences"),
    "sinew.nothing": (AttributeError, "module 'sinew' has no attribute 'nothing'"),
    "sinew.show(model, [[0, 0]])": (ValueError, "nq = 7"),
    "sinew.MjModel.from_xml_path(ARM.with_name('armm.xml'))": (ValueError, f"Did you mean '{ARM}'?"),
    "sinew.MjModel.from_xml_path('no/such/arm.xml')": (ValueError, "There is no folder 'no/such'"),
    "sinew.MjModel.from_binary_path('arm.mjb')": (ValueError, "there is no file 'arm.mjb'"),
    "sinew.MjModel.from_xml_string(MESH, {'b.stl': b''})": (ValueError, "assets has: b.stl"),
    "model.body(1.5)": (TypeError, "a name or a number is expected, got float"),
    "setattr(model.opt, 'timstep', 0.1)": (AttributeError, "Did you mean 'timestep'?"),
    "setattr(model.opt, 'timestep', 'fast')": (TypeError, "timestep of MjOption: expected float, got str"),
    "setattr(model.vis.map, 'stifness', 1)": (AttributeError, "Did you mean 'stiffness'?"),
    "setattr(model, 'ngeom', 3)": (AttributeError, "attribute 'ngeom' of 'MjModel' object cannot be assigned"),
    "setattr(sinew.MjData(model), 'qpso', 1)": (AttributeError, "Did you mean 'qpos'?"),
    "setattr(sinew.MjSpec(), 'modelnam', 'a')": (AttributeError, "Did you mean 'modelname'?"),
    "setattr(sinew.MjSpec().worldbody, 'poss', 1)": (AttributeError, "Did you mean 'pos'?"),
    "sinew.MjSpec().worldbody.add_body(nme='x')": (TypeError, "did you mean 'name'?"),
    "sinew.MjSpec().worldbody.add_body(pos='0 0 1')": (TypeError, "pos: expected a sequence of numbers, got str"),
    "sinew.MjSpec().worldbody.add_geom(contype='a')": (TypeError, "contype: expected an integer, got str"),
    "sinew.Batch(model, 2.5)": (TypeError, "nworld should be an integer, got float"),
    "sinew.Batch(model, 2, device=0)": (TypeError, "device should be 'cpu', 'gpu' or 'auto', got int"),
    "sinew.Batch(model, 2, device='cuda:0')": (ValueError, "got cuda:0; CUDA_VISIBLE_DEVICES chooses"),
    "sinew.Batch(model, 2, device='cpu', keyframe='hom')": (KeyError, "Did you mean 'home'?"),
    "sinew.Batch(model, 2, device='cpu').reset(keyframe='hom')": (KeyError, "Did you mean 'home'?"),
    "sinew.Renderer(model, 9, 9).update_scene(model)": (TypeError, "update_scene takes an MjData, got MjModel"),
    "sinew.derivatives.transition(sinew.MjData(model), model)": (TypeError, "got MjData and MjModel"),
    "sinew.derivatives.parameters(model, sinew.MjData(model), ['mas[ball]'])": (KeyError, "Did you mean 'mass'?"),
    "sinew.parameters.Parameters(model, 'mass')": (ValueError, "write mass[object]"),
    "sinew.sysid.fit(model, [], ['mass[ball]'])": (TypeError, "given as sysid.Parameter(name, lower, upper), got str"),
    "sinew.Batch(model, 2, device='cpu').copy_world(9)": (IndexError, "no world 9: there are 2"),
    "sinew.Renderer(sinew.MjData(model))": (TypeError, "a Renderer takes an MjModel, got MjData"),
    "sinew.Renderer(model, 'a', 10)": (TypeError, "height should be an integer, got str"),
}  # fmt: skip


@pytest.mark.parametrize("code", MISTAKES)
def test_mistakes_are_answered_with_what_was_meant(model, code):
    kind, words = MISTAKES[code]
    with pytest.raises(kind) as error:
        eval(code, {"sinew": sinew, "model": model, "ARM": ARM, "MESH": MESH})
    assert words in str(error.value)


def test_worlds_start_from_a_keyframe_by_name(model):
    batch = sinew.Batch(model, 2, device="cpu", keyframe="home")
    assert (batch.qpos[:, 2] == 3).all()
    batch = sinew.Batch(model, 2, device="cpu")
    batch.reset([False, True], keyframe="home")
    assert list(batch.qpos[:, 2]) == [0, 3]


def test_parts_of_the_package_are_there_without_an_import(model):
    assert sinew.derivatives.transition(model, sinew.MjData(model))[0].shape == (12, 12)
    assert not hasattr(sinew, "nothing")
