"""Every model that MuJoCo compiles passes our validator; a broken reference does not."""

import corpus
import pytest
import sinew
from sinew import bridge


def check(name):
    mj = corpus.load(name)
    if mj is None:
        pytest.skip("MuJoCo does not load it")
    assert bridge.model_from_mujoco(mj)._validate() == ""


NAMES = list(corpus.paths())


@pytest.mark.parametrize("name", NAMES[::5])
def test_sound_models_pass(name):
    check(name)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_all_sound_models_pass(name):
    check(name)


@pytest.mark.parametrize(
    "field, value",
    [("body_parentid", 9999), ("jnt_qposadr", 10**6), ("M_colind", -1), ("geom_dataid", 77)],
)
def test_broken_references_are_named(field, value):
    model = bridge.model_from_mujoco(corpus.load("own/constraint/contact_arm"))
    getattr(model, field)[-1] = value
    assert field in model._validate()


@pytest.mark.parametrize("number", [-2147483648, -5, -1, 0, 7])
def test_limits_that_compile_are_read_again(number, tmp_path):
    model = sinew.MjModel.from_xml_string(f"<mujoco><size njmax='{number}'/></mujoco>")
    sinew.mj_saveModel(model, str(tmp_path / "model.snb"))
    assert sinew.MjModel.from_binary_path(str(tmp_path / "model.snb")).njmax == number


def test_vertices_belong_to_the_deformable_whose_range_they_are_in():
    model = sinew.MjModel.from_xml_path(str(corpus.OWN / "deform" / "soft.xml"))
    assert model._validate() == ""
    model.deformvert_deformid[-1] = 0
    assert "deformvert_deformid" in model._validate()
    model.deformvert_deformid[-1] = 1
    model.deformcolor_num[0] = 10**6
    assert "deformcolor" in model._validate()
    model.deformcolor_kind[0] = 99
    assert "deformcolor_kind" in model._validate()


def test_camera_of_negative_resolution_is_kept_but_for_rangefinders(tmp_path):
    """MuJoCo takes it, and saves it."""
    camera = '<camera name="c" resolution="-3 -2"/>'
    model = sinew.MjModel.from_xml_string(f"<mujoco><worldbody>{camera}</worldbody></mujoco>")
    sinew.mj_saveModel(model, str(tmp_path / "m.mjb"))
    assert sinew.MjModel.from_binary_path(str(tmp_path / "m.mjb")).cam_resolution.tolist() == [[-3, -2]]
    with pytest.raises(ValueError, match="camera of a rangefinder has a negative resolution"):
        sinew.MjModel.from_xml_string(f'<mujoco><worldbody>{camera}</worldbody><sensor><rangefinder camera="c"/></sensor></mujoco>')
    model = sinew.MjModel.from_xml_string('<mujoco><worldbody><camera name="c" resolution="3 2"/></worldbody>'
                                          '<sensor><rangefinder camera="c"/></sensor></mujoco>')
    model.cam_resolution[:] = -model.cam_resolution
    assert "sensor_dim" in model._validate()
