"""Pictures that a program shows in the panel of the viewer: images, and figures, which are drawn into images."""

import numpy as np

import sinew


class Pictures:
    """Images under one another; the same number of them again takes the place of those before."""

    def __init__(self, gui):
        self._gui, self._handles = gui, []

    def __len__(self):
        return len(self._handles)

    def show(self, images):
        images = [_pixels(image) for image in images]
        if len(images) != len(self._handles):
            self.clear()
            self._handles = [self._gui.add_image(image) for image in images]
            return
        for handle, image in zip(self._handles, images):
            handle.image = image

    def clear(self):
        while self._handles:
            self._handles.pop().remove()


def pairs(entries):
    """One (rectangle, what is shown in it), or a list of such, as a list."""
    entries = [entries] if isinstance(entries, tuple) else list(entries)
    for entry in entries:
        if len(entry) != 2 or not isinstance(entry[0], sinew.MjrRect):
            raise TypeError("pairs of an MjrRect and what is shown in it are expected")
    return entries


def _pixels(image):
    image = np.asarray(image)
    if image.ndim != 3 or image.shape[2] != 3:
        raise ValueError(f"an image has a height, a width and three colours; got the shape {image.shape}")
    return image.astype(np.uint8)


def figure_image(rectangle, figure):
    """A figure in the size of a rectangle, as an image with rows downwards."""
    model = sinew.MjModel.from_xml_string(f'<mujoco><visual><global offwidth="{rectangle.width}" '
                                          f'offheight="{rectangle.height}"/></visual></mujoco>')
    context = sinew.MjrContext(model, sinew.mjtFontScale.mjFONTSCALE_100)
    try:
        whole = sinew.MjrRect(0, 0, rectangle.width, rectangle.height)
        image = np.zeros((rectangle.height, rectangle.width, 3), np.uint8)
        sinew.mjr_setBuffer(sinew.mjtFramebuffer.mjFB_OFFSCREEN, context)
        sinew.mjr_rectangle(whole, 0, 0, 0, 1)
        sinew.mjr_figure(whole, figure, context)
        sinew.mjr_readPixels(image, None, whole, context)
    finally:
        context.free()
    return image[::-1]
