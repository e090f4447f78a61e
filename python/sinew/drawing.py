"""Images of scenes: rendering contexts and their functions, on the CPU, without a graphics driver."""

import numpy as np

from sinew import _core, _visual_types
from sinew.visual import _fields, _Struct


@_fields
class MjrRect(_Struct):
    """A rectangle of pixels."""

    __slots__ = ()

    def __init__(self, left, bottom, width, height):
        super().__init__()
        self.left, self.bottom, self.width, self.height = left, bottom, width, height


@_fields
class MjrContext(_Struct):
    """Copies of a model's shapes and textures, and an image."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __init__(self, model=None, fontscale=150):
        self._record, self._views = np.zeros((), _CONTEXT_DTYPE), {}
        if model is not None:
            _core._snr_makeContext(model, self._address, int(fontscale))

    def free(self):
        """Release the image and the copies; may be called twice."""
        if self._record["state"]:
            _core._snr_freeContext(self._address)

    def __copy__(self):
        raise TypeError("a rendering context cannot be copied")

    def __del__(self):
        self.free()


# the C struct, with its pointers
_CONTEXT_DTYPE = np.dtype(_visual_types.CONTEXT_LAYOUT, align=True)

# ---- images ----


def mjr_render(viewport, scn, con):
    """Draw a scene into a rectangle of the image."""
    _core._snr_render(viewport._address, scn._address, con._address)


def mjr_readPixels(rgb, depth, viewport, con):
    """Copy colours and depths of a rectangle into arrays, from the lowest row; either may be None."""
    _core._snr_readPixels(rgb, depth, viewport._address, con._address)


def mjr_drawPixels(rgb, depth, viewport, con):
    """Copy colours and depths from arrays into a rectangle, from the lowest row; either may be None."""
    _core._snr_drawPixels(rgb, depth, viewport._address, con._address)


def mjr_rectangle(viewport, r, g, b, a):
    """Blend a rectangle into the image of the context that this thread used last."""
    _core._snr_rectangle(viewport._address, r, g, b, a)


def mjr_text(font, txt, con, x, y, r, g, b):
    """Draw text at relative coordinates of the last viewport."""
    _core._snr_text(int(font), txt, con._address, x, y, r, g, b)


def mjr_overlay(font, gridpos, viewport, overlay, overlay2, con):
    """Draw a box of text in one or two columns; overlay2 may be None."""
    _core._snr_overlay(int(font), int(gridpos), viewport._address, overlay, overlay2 or "", con._address)


def mjr_label(viewport, font, txt, r, g, b, a, rt, gt, bt, con):
    """Draw a rectangle with text in its middle."""
    _core._snr_label(viewport._address, int(font), txt, r, g, b, a, rt, gt, bt, con._address)


def mjr_figure(viewport, fig, con):
    """Draw a figure, and say in it where its axes are."""
    _core._snr_figure(viewport._address, fig._address, con._address)


# ---- contexts ----


def mjr_addAux(index, width, height, samples, con):
    """Make an auxiliary buffer in place of the one with its index; without pixels: remove it."""
    _core._snr_addAux(index, width, height, samples, con._address)


def mjr_setAux(index, con):
    """Draw into an auxiliary buffer until mjr_restoreBuffer."""
    _core._snr_setAux(index, con._address)


def mjr_blitAux(index, src, left, bottom, con):
    """Copy a rectangle of an auxiliary buffer into the image."""
    _core._snr_blitAux(index, src._address, left, bottom, con._address)


def mjr_resizeOffscreen(width, height, con):
    """Change the size of the image."""
    _core._snr_resizeOffscreen(width, height, con._address)


def mjr_setBuffer(framebuffer, con):
    """Choose a buffer: the offscreen one is all there is."""
    _core._snr_setBuffer(int(framebuffer), con._address)


def mjr_restoreBuffer(con):
    """Make a context the one that this thread draws into."""
    _core._snr_setBuffer(con.currentBuffer, con._address)


def mjr_changeFont(fontscale, con):
    """Switch to another size of font."""
    _core._snr_changeFont(int(fontscale), con._address)


def mjr_uploadTexture(m, con, texid):
    """Copy a texture that has changed."""
    _core._snr_uploadTexture(m, con._address, texid)


def mjr_uploadMesh(m, con, meshid):
    """Copy a mesh that has changed."""
    _core._snr_uploadMesh(m, con._address, meshid)


def mjr_uploadHField(m, con, hfieldid):
    """Copy a height field that has changed."""
    _core._snr_uploadHField(m, con._address, hfieldid)


def mjr_maxViewport(con):
    """The whole image."""
    return MjrRect(0, 0, con.offWidth, con.offHeight)


def mjr_finish():
    """Nothing to wait for: images are complete when the function that draws them returns."""


def mjr_getError():
    """No errors are left behind."""
    return 0


def mjr_blitBuffer(src, dst, flg_color, flg_depth, con):
    """Copies between window and offscreen buffer: there is no window, and nothing happens."""


def mjr_findRect(x, y, nrect, rect):
    """The first of some rectangles that holds a point, or -1."""
    rects = rect if isinstance(rect, (list, tuple)) else [rect]
    for i, r in enumerate(rects[:nrect]):
        if r.left <= x < r.left + r.width and r.bottom <= y < r.bottom + r.height:
            return i
    return -1
