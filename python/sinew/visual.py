"""The structs of visualisation, as plain data.

Sinew does not draw. Programs that set up cameras, options and figures beside their physics still
run: the structs have MuJoCo's fields, shapes, types and defaults, and what would draw raises.
"""

import numpy as np

from sinew import _core, _visual_types
from sinew._enums import mjtCamera, mjtGeom, mjtVisFlag

mjMAXLIGHT = 100
mjMAXOVERLAY = 500
mjMAXLINE = 100
mjMAXLINEPNT = 1001
mjMAXPLANEGRID = 200

mjLABELSTRING = (
    "None", "Body", "Joint", "Geom", "Site", "Camera", "Light", "Tendon", "Actuator", "Constraint", "Flex", "Skin",
    "Selection", "SelPoint", "Contact", "ContactForce", "Island",
)
mjFRAMESTRING = ("None", "Body", "Geom", "Site", "Camera", "Light", "Contact", "World")

# name, whether it is on at first, and its key
mjVISSTRING = (
    ("Convex Hull", "0", "H"), ("Texture", "1", "X"), ("Joint", "0", "J"), ("Camera", "0", "Q"),
    ("Actuator", "0", "U"), ("Activation", "0", ","), ("Light", "0", "Z"), ("Tendon", "1", "V"),
    ("Range Finder", "1", "Y"), ("Equality", "0", "E"), ("Inertia", "0", "I"), ("Scale Inertia", "0", "'"),
    ("Perturb Force", "0", "B"), ("Perturb Object", "1", "O"), ("Contact Point", "0", "C"), ("Island", "0", "N"),
    ("Contact Force", "0", "F"), ("Contact Split", "0", "P"), ("Transparent", "0", "T"), ("Auto Connect", "0", "A"),
    ("Center of Mass", "0", "M"), ("Select Point", "0", ""), ("Static Body", "1", "D"), ("Skin", "1", ";"),
    ("Flex Vert", "0", ""), ("Flex Edge", "1", ""), ("Flex Face", "0", ""), ("Flex Skin", "1", ""),
    ("Body Tree", "0", "`"), ("Mesh Tree", "0", "\\"), ("SDF iters", "0", ""),
)
mjRNDSTRING = (
    ("Shadow", "1", "S"), ("Wireframe", "0", "W"), ("Reflection", "1", "R"), ("Additive", "0", "L"),
    ("Skybox", "1", "K"), ("Fog", "0", "G"), ("Haze", "1", "/"), ("Depth", "0", ""), ("Segment", "0", ","),
    ("Id Color", "0", ""), ("Cull Face", "1", ""),
)


# ---- structs ----


def _scalar(name, text, whole):
    def read(self):
        value = self._record[name].item()
        return value.decode() if text else value

    def write(self, value):
        if text:
            limit = self._record.dtype[name].itemsize - 1
            if len(value) > limit:
                raise ValueError(f"len({name}) cannot exceed {limit}: got length {len(value)}")
            value = value.encode()
        elif not hasattr(value, "__index__" if whole else "__float__"):
            kind = "an integer" if whole else "a number"
            raise TypeError(f"{name} takes {kind}, got {type(value).__name__}")
        self._record[name] = value

    return property(read, write)


def _array(name):
    def read(self):
        view = self._views.get(name)
        if view is None:
            view = self._views[name] = self._record[name]
        return view

    def write(self, value):
        read(self)[...] = value

    return property(read, write)


class _Struct:
    """A record with one property per field, compared by fields."""

    __slots__ = ("_record", "_views")
    _dtype = None

    def __init__(self):
        self._record = np.zeros((), self._dtype)
        self._views = {}
        self._set_defaults()

    def _set_defaults(self):
        pass

    def __copy__(self):
        twin = object.__new__(type(self))
        twin._record = self._record.copy()
        twin._views = {}
        return twin

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return all(np.array_equal(getattr(self, n), getattr(other, n)) for n in self._dtype.names)

    __hash__ = None

    def __repr__(self):
        lines = [f"  {name}: {getattr(self, name)!r}" for name in sorted(self._dtype.names)]
        return f"<{type(self).__name__}\n" + "\n".join(lines) + "\n>"


def _fields(cls):
    """Give a class the fields of the struct with its name."""
    cls._dtype = np.dtype(_visual_types.STRUCTS[cls.__name__])
    for name in cls._dtype.names:
        kind = cls._dtype[name]
        member = _array(name) if kind.shape else _scalar(name, kind.kind == "S", kind.kind in "iu")
        setattr(cls, name, member)
    cls.__module__ = "sinew"
    return cls


@_fields
class MjvOption(_Struct):
    """What to show."""

    __slots__ = ()

    def _set_defaults(self):
        self.bvh_depth = 1
        for name in self._dtype.names:
            if name.endswith("group"):
                getattr(self, name)[:3] = 1
        self.flags = [int(on) for _, on, _ in mjVISSTRING]


@_fields
class MjvCamera(_Struct):
    """Camera by what it looks at."""

    __slots__ = ()

    def _set_defaults(self):
        self.fixedcamid = self.trackbodyid = -1
        self.distance, self.azimuth, self.elevation = 2, 90, -45


@_fields
class MjvPerturb(_Struct):
    """Selected object and what pulls at it."""

    __slots__ = ()

    def _set_defaults(self):
        self.flexselect = self.skinselect = -1
        self.refquat = [1, 0, 0, 0]
        self.scale = 1


@_fields
class MjvGLCamera(_Struct):
    """Camera as OpenGL wants it."""

    __slots__ = ()


@_fields
class MjvGeom(_Struct):
    """One shape to draw."""

    __slots__ = ()

    def _set_defaults(self):
        mjv_initGeom(self, mjtGeom.mjGEOM_NONE, None, None, None, None)


@_fields
class MjvLight(_Struct):
    """One light."""

    __slots__ = ()


@_fields
class MjvFigure(_Struct):
    """A plot of lines."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def _set_defaults(self):
        self.flg_legend = self.flg_extend = 1
        self.flg_ticklabel = 1
        self.linewidth, self.gridwidth, self.gridsize = 3, 1, 2
        self.gridrgb, self.textrgb = 0.4, 1
        self.figurergba = self.panergba = [0, 0, 0, 1]
        self.legendrgba = [0, 0, 0, 0.3]
        self.range = [0, 1]
        self.xformat, self.yformat, self.minwidth = "%.0f", "%.2g", "XXX"
        self.highlightid = -1
        self.linergb[:8] = _LINE_COLOURS
        for i in range(8, mjMAXLINE):
            self.linergb[i] = [0.1 + 0.8 * _core.mju_Halton(i, base) for base in (2, 3, 5)]


_LINE_COLOURS = (
    (1, 0.3, 0.3), (0.1, 1, 0.1), (0.3, 0.3, 1), (0.1, 1, 1), (1, 0.2, 1), (1, 1, 0.1), (1, 0.6, 0.2),
    (0.6, 0.7, 0.4),
)


@_fields
class MjvScene(_Struct):
    """Shapes, lights and cameras to draw."""

    __slots__ = ("geoms", "lights", "camera", "geomorder", "_owner")
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __init__(self, model=None, maxgeom=0):
        super().__init__()
        self.maxgeom = maxgeom
        self.geoms = tuple(MjvGeom() for _ in range(maxgeom))
        self.geomorder = np.zeros(maxgeom, np.int32)
        self.lights = tuple(MjvLight() for _ in range(mjMAXLIGHT))
        self.camera = (MjvGLCamera(), MjvGLCamera())
        for name, code in _visual_types.SCENE_BUFFERS.items():
            self._views[name] = np.zeros(0, code)

    def _set_defaults(self):
        self.flags = [int(on) for _, on, _ in mjRNDSTRING]
        self.rotate = [1, 0, 0, 0]
        self.scale = 1


for _name in _visual_types.SCENE_BUFFERS:
    setattr(MjvScene, _name, property(lambda self, name=_name: self._views[name]))


@_fields
class MjrRect(_Struct):
    """A rectangle of pixels."""

    __slots__ = ()

    def __init__(self, left, bottom, width, height):
        super().__init__()
        self.left, self.bottom, self.width, self.height = left, bottom, width, height


# ---- defaults ----


def _copy_fields(target, source):
    target._record[...] = source._record


def mjv_defaultOption(opt):
    """Set visualisation options to their defaults."""
    _copy_fields(opt, MjvOption())


def mjv_defaultCamera(cam):
    """Set a camera to its defaults."""
    _copy_fields(cam, MjvCamera())


def mjv_defaultPerturb(pert):
    """Set a perturbation to its defaults."""
    _copy_fields(pert, MjvPerturb())


def mjv_defaultFigure(fig):
    """Set a figure to its defaults."""
    _copy_fields(fig, MjvFigure())


def mjv_defaultFreeCamera(m, cam):
    """Set a free camera that sees the whole model."""
    mjv_defaultCamera(cam)
    cam.type = int(mjtCamera.mjCAMERA_FREE)
    cam.lookat = m.stat.center
    cam.distance = 1.5 * m.stat.extent
    cam.azimuth, cam.elevation = m.vis.global_.azimuth, m.vis.global_.elevation
    cam.orthographic = m.vis.global_.orthographic


def mjv_initGeom(geom, type, size, pos, mat, rgba):
    """Set a geom to its defaults, and the given properties; the others may be None."""
    geom._record[...] = np.zeros((), geom._dtype)
    geom.type = int(type)
    geom.dataid = geom.matid = -1
    geom.specular = geom.shininess = 0.5
    geom.size = 0.1 if size is None else np.asarray(size, float).reshape(3)
    if pos is not None:
        geom.pos = np.asarray(pos, float).reshape(3)
    geom.mat = np.eye(3) if mat is None else np.asarray(mat, float).reshape(3, 3)
    geom.rgba = (0.5, 0.5, 0.5, 1) if rgba is None else np.asarray(rgba, float).reshape(4)


# ---- what would draw ----


class _Undrawn:
    """A class of the `mujoco` package that needs a renderer."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(
            f"{type(self).__name__} draws, and Sinew has no renderer; save the states and draw them with MuJoCo"
        )


class MjrContext(_Undrawn):
    """Needs a renderer."""


class GLContext(_Undrawn):
    """Needs a renderer."""


class Renderer(_Undrawn):
    """Needs a renderer."""


def _undrawn(name):
    def draw(*args, **kwargs):
        raise NotImplementedError(f"{name} belongs to drawing, and Sinew has no renderer")

    draw.__name__ = draw.__qualname__ = name
    draw.__doc__ = "Needs a renderer."
    return draw


UNDRAWN = (
    "mjr_addAux mjr_blitAux mjr_blitBuffer mjr_changeFont mjr_drawPixels mjr_figure mjr_findRect mjr_finish "
    "mjr_getError mjr_label mjr_maxViewport mjr_overlay mjr_readPixels mjr_rectangle mjr_render "
    "mjr_resizeOffscreen mjr_restoreBuffer mjr_setAux mjr_setBuffer mjr_text mjr_uploadHField mjr_uploadMesh "
    "mjr_uploadTexture mjv_addGeoms mjv_alignToCamera mjv_applyPerturbForce mjv_applyPerturbPose mjv_averageCamera "
    "mjv_cameraFrame mjv_cameraFrustum mjv_cameraInModel mjv_cameraInRoom mjv_connector mjv_frustumHeight "
    "mjv_initPerturb mjv_makeLights mjv_model2room mjv_moveCamera mjv_moveModel mjv_movePerturb mjv_room2model "
    "mjv_select mjv_updateCamera mjv_updateScene mjv_updateSkin mj_printScene mj_printFormattedScene"
).split()
globals().update({name: _undrawn(name) for name in UNDRAWN})

assert len(mjVISSTRING) == mjtVisFlag.mjNVISFLAG.value
