"""Images of a simulation as arrays."""

import threading

import numpy as np

from sinew import _core, _enums, visual
from sinew._named import no_camera
from sinew.drawing import (MjrContext, MjrRect, mjr_readPixels, mjr_render, mjr_setBuffer)

_WIDTH = """Image width {} > framebuffer width {}. Either reduce the image
width or specify a larger offscreen framebuffer in the model XML using the
clause:
<visual>
  <global offwidth="my_width"/>
</visual>"""
_HEIGHT = """Image height {} > framebuffer height {}. Either reduce the
image height or specify a larger offscreen framebuffer in the model XML using
the clause:
<visual>
  <global offheight="my_height"/>
</visual>"""
_SHAPE = (
    "Expected `out.shape == {}`. Got `out.shape={}` instead. When using depth rendering, the out array should be of "
    "shape `(width, height)` and otherwise (width, height, 3). Got `(self.height, self.width)={}` and "
    "`self._depth_rendering={}`."
)


class Renderer:
    """Draws the state of a model: colours, depth or segmentation."""

    def __init__(self, model, height=240, width=320, max_geom=10000, font_scale=_enums.mjtFontScale.mjFONTSCALE_150):
        self._mjr_context = None
        self._lock = threading.RLock()  # threads that share a renderer take turns
        if not isinstance(model, _core.MjModel):
            raise TypeError(f"a Renderer takes an MjModel, got {type(model).__name__}")
        for name, value in (("height", height), ("width", width)):
            if not hasattr(value, "__index__"):
                raise TypeError(f"{name} should be an integer, got {type(value).__name__}")
        buffer = model.vis.global_
        if width > buffer.offwidth:
            raise ValueError(_WIDTH.format(width, buffer.offwidth))
        if height > buffer.offheight:
            raise ValueError(_HEIGHT.format(height, buffer.offheight))
        if width < 1 or height < 1:
            raise ValueError(f"an image of {width} x {height} pixels cannot be drawn")
        self._width, self._height = width, height
        self._model = model
        self._scene = visual.MjvScene(model, max_geom)
        self._scene_option = visual.MjvOption()
        self._rect = MjrRect(0, 0, width, height)
        self._mjr_context = MjrContext(model, int(font_scale))
        mjr_setBuffer(_enums.mjtFramebuffer.mjFB_OFFSCREEN, self._mjr_context)
        self._mjr_context.readDepthMap = int(_enums.mjtDepthMap.mjDEPTH_ZEROFAR)
        self._depth_rendering = self._segmentation_rendering = False
        self._threads = 1

    @property
    def threads(self):
        """Threads that draw an image together, 0: one per processor. Images are the same for any number."""
        return self._threads

    @threads.setter
    def threads(self, count):
        if self._mjr_context is None:
            raise RuntimeError("the renderer is closed.")
        _core._snr_setThreads(int(count), self._mjr_context._address)
        self._threads = int(count)

    @property
    def model(self):
        """The model that is drawn."""
        return self._model

    @property
    def scene(self):
        """The scene; changes to it show in the next image."""
        return self._scene

    @property
    def height(self):
        """Rows of the image."""
        return self._height

    @property
    def width(self):
        """Columns of the image."""
        return self._width

    def enable_depth_rendering(self):
        """Draw distances along the optical axis."""
        self._segmentation_rendering, self._depth_rendering = False, True

    def disable_depth_rendering(self):
        """Draw colours again."""
        self._depth_rendering = False

    def enable_segmentation_rendering(self):
        """Draw ids of objects."""
        self._segmentation_rendering, self._depth_rendering = True, False

    def disable_segmentation_rendering(self):
        """Draw colours again."""
        self._segmentation_rendering = False

    def update_scene(self, data, camera=-1, scene_option=None):
        """Take the state to draw, a camera (number, name or MjvCamera) and what to show."""
        if not isinstance(data, _core.MjData):
            raise TypeError(f"update_scene takes an MjData, got {type(data).__name__}")
        if not isinstance(camera, visual.MjvCamera):
            camera = self._camera(camera)
        option = scene_option if scene_option is not None else self._scene_option
        with self._lock:
            visual.mjv_updateScene(
                self._model, data, option, None, camera, int(_enums.mjtCatBit.mjCAT_ALL), self._scene)

    def _camera(self, camera):
        camera_id, ncam = camera, self._model.ncam
        if isinstance(camera, str):
            camera_id = _core.mj_name2id(self._model, int(_enums.mjtObj.mjOBJ_CAMERA), camera)
            if camera_id == -1:
                raise no_camera(self._model, camera)
        if camera_id < -1 or camera_id >= ncam:
            raise ValueError(f"The camera id {camera_id} is out of range [-1, {ncam}).")
        found = visual.MjvCamera()
        found.fixedcamid = camera_id
        if camera_id == -1:
            visual.mjv_defaultFreeCamera(self._model, found)
        else:
            found.type = int(_enums.mjtCamera.mjCAMERA_FIXED)
        return found

    def render(self, *, out=None):
        """The image, rows downwards: bytes (height, width, 3), metres (height, width) or ids (height, width, 2)."""
        with self._lock:
            return self._render(out)

    def _render(self, out):
        flags = self._scene.flags
        original = flags.copy()
        if self._depth_rendering or self._segmentation_rendering:
            flags[_enums.mjtRndFlag.mjRND_SEGMENT] = flags[_enums.mjtRndFlag.mjRND_IDCOLOR] = 1
        try:
            return self._draw(out)
        finally:
            flags[:] = original

    def _draw(self, out):
        if self._mjr_context is None:
            raise RuntimeError("render cannot be called after close.")
        shape = (self._height, self._width) if self._depth_rendering else (self._height, self._width, 3)
        if out is None:
            out = np.empty(shape, np.float32 if self._depth_rendering else np.uint8)
        elif out.shape != shape:
            raise ValueError(_SHAPE.format(shape, out.shape, (self._height, self._width), self._depth_rendering))
        mjr_render(self._rect, self._scene, self._mjr_context)
        pixels = np.empty(shape, np.float32 if self._depth_rendering else np.uint8)
        if self._depth_rendering:
            mjr_readPixels(None, pixels, self._rect, self._mjr_context)
            pixels = self._metres(pixels)
        else:
            mjr_readPixels(pixels, None, self._rect, self._mjr_context)
        if self._segmentation_rendering:
            return self._objects(pixels)[::-1]
        out[...] = pixels[::-1]
        return out

    def _metres(self, depth):
        """Distances from the depths of a perspective view, with the rounding of MuJoCo's package."""
        near = np.float32(self._model.vis.map.znear * self._model.stat.extent)
        far = np.float32(self._model.vis.map.zfar * self._model.stat.extent)
        c = -(far + near) / (far - near)
        d = -(np.float32(2) * far * near) / (far - near)
        c = np.float32(-0.5) * c - np.float32(0.5)
        d = np.float32(-0.5) * d
        return (float(d) / (depth.astype(np.float64) + float(c))).astype(np.float32)

    def _objects(self, colours):
        """Object ids and types from the colours of a segmentation; -1 where there is nothing."""
        colours = colours.astype(np.int32)
        ids = colours[..., 0] + 256 * colours[..., 1] + 65536 * colours[..., 2]
        table = np.full((self._scene.ngeom + 1, 2), -1, np.int32)
        for geom in self._scene.geoms[: self._scene.ngeom]:
            if geom.segid != -1:
                table[geom.segid + 1] = geom.objid, geom.objtype
        return table[ids]

    def close(self):
        """Release the image; the renderer cannot draw any more. May be called twice."""
        with self._lock:
            if self._mjr_context is not None:
                self._mjr_context.free()
            self._mjr_context = None

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        self.close()
