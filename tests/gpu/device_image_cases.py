"""Images of batches on a GPU: those of the CPU (device_cases.py says where these cases run)."""

import numpy as np
import pytest

import sinew

from device_helpers import FAKE, INTEGRATION, ROOT, model, needs_gpu, pair  # noqa: F401

pytestmark = needs_gpu


def close_images(gpu, cpu):
    """Equal on the driver without a GPU; elsewhere silhouettes may differ by a pixel, and sums by a level."""
    gpu, cpu = np.asarray(gpu), np.asarray(cpu)
    if FAKE:
        return np.array_equal(gpu, cpu)
    return np.mean(np.abs(gpu.astype(float) - cpu) <= np.maximum(2, 1e-5 * np.abs(cpu))) > 0.999


@pytest.mark.parametrize("mode", ["rgb", "depth", "segmentation"])
@pytest.mark.parametrize("size", [(64, 64), (50, 30), (200, 160)])
@pytest.mark.parametrize("path", ["models/humanoid.xml", "tests/render/scenes/mirror.xml"])
def test_images_are_those_of_the_cpu(path, mode, size):
    """Shadows are traced in both, or drawn by map on the CPU (the largest size)."""
    scene = sinew.MjModel.from_xml_path(str(ROOT / path))
    gpu, cpu = pair(scene, 3)
    cpu.reset(seed=1, scale=0.1)
    cpu.step(30)
    gpu.set_state(cpu.get_state(INTEGRATION), INTEGRATION)
    images = gpu.render(-1, *size, mode=mode)
    assert hasattr(images, "__cuda_array_interface__") and images.shape[:3] == (3, size[1], size[0])
    assert close_images(images, cpu.render(-1, *size, mode=mode))
    assert gpu.render(-1, *size, mode=mode, out=images) is images


@pytest.mark.parametrize("path", ["flex_motion/skin.xml", "flex/trilinear.xml", "flex/texture.xml", "deform/cloth.xml"])
def test_soft_bodies_are_drawn_where_they_are(path):
    soft = sinew.MjModel.from_xml_path(str(ROOT / "tests" / "models" / path))
    gpu, cpu = pair(soft, 2)
    cpu.step(5)
    gpu.set_state(cpu.get_state(INTEGRATION), INTEGRATION)
    assert close_images(gpu.render(-1, 64, 48), cpu.render(-1, 64, 48))


def test_images_have_room_for_shapes_that_come_later():
    """Points of contact, of which there are none when the memory of the images is made."""
    model = sinew.MjModel.from_xml_string(
        '<mujoco><worldbody><geom type="plane" size="3 3 .1"/><light pos="0 0 3" castshadow="true"/>'
        + "".join(f'<body pos="{0.25 * (i % 8) - 1} {0.25 * (i // 8) - 1} .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
                  for i in range(64)) + "</worldbody></mujoco>")
    gpu, cpu = pair(model, 2)
    option = sinew.MjvOption()
    option.flags[sinew.mjtVisFlag.mjVIS_CONTACTPOINT] = True
    before = np.asarray(gpu.render(-1, 64, 64, scene_option=option))
    gpu.step(200)
    after = np.asarray(gpu.render(-1, 64, 64, scene_option=option))
    assert int(np.max(gpu.field("ncon")[:])) >= 200
    assert (before != after).any()


def test_images_of_worlds_show_their_own_colours():
    humanoid = sinew.MjModel.from_xml_path(str(ROOT / "models" / "humanoid.xml"))
    gpu, cpu = pair(humanoid, 2)
    for batch in (gpu, cpu):
        rgba = np.array(batch.model_field("geom_rgba")[:])
        rgba[1, :, :3] = [1, 0, 0]
        batch.model_field("geom_rgba")[:] = rgba
    images = gpu.render("follow", 48, 48)
    assert (images[0] != images[1]).any() and close_images(images, cpu.render("follow", 48, 48))


def test_images_can_be_copied_to_the_host(model):
    batch = sinew.Batch(model, 3, device="gpu")
    host = np.empty((3, 20, 30, 3), np.uint8)
    assert batch.render(-1, 30, 20, out=host) is host
    assert np.array_equal(host, np.asarray(batch.render(-1, 30, 20)))
    assert np.asarray(sinew.Batch(model, 3, device="gpu", precision="single").render(-1, 30, 20)).shape == host.shape


def test_images_that_a_gpu_cannot_draw_are_refused(model):
    batch = sinew.Batch(model, 3, device="gpu")
    option = sinew.MjvOption()
    option.label = sinew.mjtLabel.mjLABEL_BODY
    with pytest.raises(Exception, match="no labels"):
        batch.render(-1, 30, 20, scene_option=option)
    with pytest.raises(ValueError, match="expected an array of shape"):
        batch.render(-1, 30, 20, out=batch.render(-1, 20, 20))
    with pytest.raises(ValueError, match="sizes from 1"):
        batch.render(-1, 0, 20)
    with pytest.raises(ValueError, match="out of range"):
        batch.render(99, 20, 20)


def test_images_do_not_change_what_the_worlds_do(model):
    plain, drawn = (sinew.Batch(model, 3, device="gpu") for _ in range(2))
    for _ in range(3):
        plain.step(5)
        drawn.step(5)
        drawn.render(-1, 16, 16)
    assert np.array_equal(plain.get_state(INTEGRATION), drawn.get_state(INTEGRATION))
