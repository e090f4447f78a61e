"""Images of the worlds of a batch: the same as those of the renderer, for any number of threads."""

import pathlib

import numpy as np
import pytest
import sinew

HUMANOID = pathlib.Path(__file__).resolve().parents[2] / "models/humanoid.xml"


@pytest.fixture(scope="module")
def model():
    m = sinew.MjModel.from_xml_path(str(HUMANOID))
    m.vis.quality.shadowsize = 512
    return m


def falling(model, nworld, threads):
    batch = sinew.Batch(model, nworld, device="cpu", threads=threads)
    batch.reset(seed=3, scale=0.1)
    batch.step(20)
    return batch


def test_images_are_those_of_the_renderer(model):
    batch = falling(model, 3, 2)
    rgb, depth = batch.render("follow", 64, 48), batch.render("follow", 64, 48, mode="depth")
    ids = batch.render("follow", 64, 48, mode="segmentation")
    assert rgb.shape == (3, 48, 64, 3) and depth.shape == (3, 48, 64) and ids.shape == (3, 48, 64, 2)
    assert (rgb[0] != rgb[1]).any()
    data = sinew.MjData(model)
    with sinew.Renderer(model, 48, 64) as renderer:
        for world in range(3):
            sinew.mj_setState(model, data, batch.get_state()[world], sinew.mjtState.mjSTATE_PHYSICS.value)
            sinew.mj_forward(model, data)
            renderer.update_scene(data, "follow")
            assert np.array_equal(renderer.render(), rgb[world])
            renderer.enable_depth_rendering()
            assert np.allclose(renderer.render(), depth[world], rtol=1e-6)
            renderer.enable_segmentation_rendering()
            assert np.array_equal(renderer.render(), ids[world])
            renderer.disable_segmentation_rendering()


def test_images_do_not_depend_on_the_number_of_threads(model):
    one, three = (falling(model, 5, threads).render(-1, 40, 30) for threads in (1, 3))
    assert np.array_equal(one, three)


def test_worlds_show_their_own_colours(model):
    batch = sinew.Batch(model, 2, device="cpu")
    batch.model_field("geom_rgba")[1, :, :3] = [1, 0, 0]
    images = batch.render("follow", 48, 48)
    assert (images[0] != images[1]).any()


def test_what_cannot_be_drawn_is_named(model):
    batch = sinew.Batch(model, 2, device="cpu")
    with pytest.raises(ValueError, match="does not exist"):
        batch.render("nobody")
    with pytest.raises(ValueError, match="out of range"):
        batch.render(7)
    with pytest.raises(ValueError, match="mode should be"):
        batch.render(mode="heat")
    with pytest.raises(ValueError, match="sizes from 1"):
        batch.render(width=0)
    with pytest.raises(ValueError, match="contiguous array"):
        batch.render(out=np.zeros((2, 64, 64), np.uint8))


def test_an_image_does_not_depend_on_the_number_of_its_threads(model):
    """Bands of rows and shadow maps by threads: large enough for maps, with a mirror and without, in an odd size."""
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    with sinew.Renderer(model, 211, 317) as renderer:
        renderer.update_scene(data, "follow")
        expected = renderer.render()
        for threads in (3, 0, 8, 1):
            renderer.threads = threads
            assert np.array_equal(renderer.render(), expected), threads
        with pytest.raises(Exception, match="-2 threads"):
            renderer.threads = -2
    with pytest.raises(RuntimeError, match="closed"):
        renderer.threads = 2


def test_absurd_sizes_are_refused_in_words(model):
    batch = sinew.Batch(model, 2, device="cpu")
    for width, height in ((1 << 20, 64), (64, 1 << 30), (-5, 64)):
        with pytest.raises(ValueError, match="sizes from 1 to 16384"):
            batch.render(-1, width, height)
    huge = sinew.MjModel.from_xml_string('<mujoco><visual><global offwidth="2000000000" offheight="2000000000"/></visual></mujoco>')
    with pytest.raises(Exception, match="2000000000 x 2000000000 pixels: sizes from 1 to 16384"):
        sinew.Renderer(huge, 100, 100)


def test_poses_that_are_no_numbers_leave_their_world_without_shapes(model):
    batch = sinew.Batch(model, 2, device="cpu")
    state = batch.get_state()
    state[1, 1:8] = np.nan
    batch.set_state(state)
    images = batch.render(-1, 48, 48, mode="segmentation")
    assert len(np.unique(images[0, ..., 0])) > 5 and len(np.unique(images[1, ..., 0])) <= 3
