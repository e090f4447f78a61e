"""Abstract visualisation: scenes, cameras, perturbations, as plain data.

The structs are NumPy records in the layout of the C structs, so that the functions of the library
work on them in place. What draws is in drawing.py.
"""

import ctypes

import numpy as np

from sinew import _core, _visual_types
from sinew._enums import mjtCamera, mjtGeom, mjtVisFlag

mjMAXLIGHT = 100
mjMAXOVERLAY = 500
mjMAXLINE = 100
mjMAXLINEPNT = 1001
mjMAXPLANEGRID = 200
_MAX_SCENE_GEOMS = 100_000_000

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
        elif not whole and not hasattr(value, "__float__"):
            raise TypeError(f"{name} takes a number, got {type(value).__name__}")
        try:
            self._record[name] = _core._whole(value) if whole else value
        except (TypeError, OverflowError):
            raise TypeError(f"{name} takes {'an integer' if whole else 'a number'}, got {value!r}") from None

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


def _at(struct, cls):
    """Address of a struct, which C takes without a look at what it is."""
    if not isinstance(struct, cls):
        raise TypeError(f"expected {cls.__name__}, got {type(struct).__name__}")
    return struct._address


class _Struct:
    """A record with one property per field, compared by fields."""

    __slots__ = ("_record", "_views", "_owner", "__weakref__")
    _dtype = None

    def __init__(self):
        self._record = np.zeros((), self._dtype)
        self._views = {}
        self._set_defaults()

    @classmethod
    def _at(cls, record, owner):
        """A struct in memory that something else owns."""
        struct = object.__new__(cls)
        struct._record, struct._views, struct._owner = record, {}, owner
        return struct

    @property
    def _address(self):
        # not .ctypes: it imports, which fails while the interpreter shuts down
        return self._record.__array_interface__["data"][0]

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
    cls._dtype = np.dtype(_visual_types.STRUCTS[cls.__name__], align=True)
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


def _scene_dtype():
    """Layout of the C struct: structs inside it by their dtypes, pointers as addresses."""
    members = {cls.__name__: cls._dtype for cls in (MjvGLCamera, MjvLight)}
    return np.dtype([(name, members.get(kind, kind), *shape) for name, kind, *shape in _visual_types.SCENE_LAYOUT],
                    align=True)


class _SceneMemory:
    """Frees what a scene points to, when neither the scene nor an array or shape of it is left."""

    __slots__ = ("record",)

    def __init__(self, record):
        self.record = record

    def __del__(self):
        _core._snv_freeScene(self.record.__array_interface__["data"][0])


def _memory(owner, address, dtype, count):
    """An array over memory that a scene owns."""
    dtype = np.dtype(dtype)
    if not address or not count:
        return np.zeros(0, dtype)
    memory = (ctypes.c_char * (dtype.itemsize * count)).from_address(address)
    memory.owner = owner
    return np.frombuffer(memory, dtype)


def _bounded(name, most):
    """A counter of a scene: what it counts lies in memory of fixed size; None: it is only read."""
    def write(self, value):
        if most is None or not 0 <= value <= most(self):
            raise ValueError(f"{name} cannot be {value}")
        self._record[name] = value

    return property(lambda self: self._record[name].item(), write)


@_fields
class MjvScene(_Struct):
    """Shapes, lights and cameras to draw."""

    __slots__ = ("_model", "_memory")
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __init__(self, model=None, maxgeom=0):
        self._record = np.zeros((), _SCENE_DTYPE)
        self._views = {}
        self._model = model
        if not 0 <= maxgeom <= _MAX_SCENE_GEOMS:
            raise ValueError(f"maxgeom should be between 0 and {_MAX_SCENE_GEOMS}, got {maxgeom}")
        if model is None:
            _core._snv_makeEmptyScene(self._address, maxgeom)
        else:
            _core._snv_makeScene(model, self._address, maxgeom)
        self._memory = _SceneMemory(self._record)
        sizes = _buffer_sizes(model)
        for name, code in _visual_types.SCENE_BUFFERS.items():
            self._views[name] = _memory(self._memory, int(self._record[name]), code, sizes.get(name, 0))

    def __copy__(self):
        twin = MjvScene(self._model, self.maxgeom)
        for name in self._dtype.names:
            if name not in ("maxgeom", "nflex", "nskin"):
                twin._record[name] = self._record[name]
        for ours, theirs in ((self.geoms, twin.geoms), (self.lights, twin.lights), (self.camera, twin.camera)):
            for source, target in zip(ours, theirs):
                target._record[...] = source._record
        for name in _visual_types.SCENE_BUFFERS:
            twin._views[name][...] = self._views[name]
        return twin

    def _structs(self, name, cls, records):
        found = self._views.get(name)
        if found is None:
            found = self._views[name] = tuple(cls._at(records[i : i + 1].reshape(()), None) for i in range(len(records)))
        return found

    @property
    def geoms(self):
        """Shapes; the first ngeom of them are in use."""
        return self._structs("geoms", MjvGeom, _memory(self._memory, int(self._record["geoms"]), MjvGeom._dtype, self.maxgeom))

    @property
    def geomorder(self):
        """Order of the shapes by distance from the camera."""
        return _memory(self._memory, int(self._record["geomorder"]), np.int32, self.maxgeom)

    @property
    def lights(self):
        """Lights; the first nlight of them are in use."""
        return self._structs("lights", MjvLight, self._record["lights"])

    @property
    def camera(self):
        """Left and right camera."""
        return self._structs("camera", MjvGLCamera, self._record["camera"])


MjvScene.ngeom = _bounded("ngeom", lambda scene: scene.maxgeom)
MjvScene.nlight = _bounded("nlight", lambda scene: mjMAXLIGHT)
for _name in ("maxgeom", "nflex", "nskin"):
    setattr(MjvScene, _name, _bounded(_name, None))

_SCENE_DTYPE = _scene_dtype()


def _flex_faces(model, i):
    """Triangles that a scene has room for: sides of a line, of a surface and its border, of a layer of a solid."""
    first, count = model.flex_elemadr[i], int(model.flex_elemnum[i])
    if model.flex_dim[i] < 3:
        return 4 * count if model.flex_dim[i] == 1 else 2 * (count + int(model.flex_shellnum[i]))
    layers = np.bincount(model.flex_elemlayer[first : first + count], minlength=1)
    return max(4 * int(layers.max()), int(model.flex_shellnum[i]))


def _buffer_sizes(model):
    """Numbers in the buffers of a scene."""
    if model is None:
        return {}
    faces = sum(_flex_faces(model, i) for i in range(model.nflex))
    kinds, pieces = model.deformable_type.ravel(), model.deformable_facenum.ravel()
    faces += int((pieces * np.array([2, 1, 0])[kinds]).sum())  # cloth has two sides, a chain has edges
    edges = model.nflexedge + int(pieces[kinds == 2].sum())
    ranges = ("flexedgeadr", "flexedgenum", "flexvertadr", "flexvertnum", "flexfaceadr", "flexfacenum", "flexfaceused")
    flexes = {name: model.nflex + model.ndeformable for name in ranges}
    flexes |= {"flexedge": 2 * edges, "flexvert": 3 * (model.nflexvert + model.ndeformvert), "flexface": 9 * faces,
               "flexnormal": 9 * faces, "flextexcoord": 6 * faces}
    return flexes | {"skinfacenum": model.nskin, "skinvertadr": model.nskin, "skinvertnum": model.nskin,
                     "skinvert": 3 * model.nskinvert, "skinnormal": 3 * model.nskinvert}


for _name in _visual_types.SCENE_BUFFERS:
    setattr(MjvScene, _name, property(lambda self, name=_name: self._views[name]))


# ---- defaults ----


def _copy_fields(target, source):
    _at(target, type(source))
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


# ---- functions of the library on the structs ----


def mjv_connector(geom, type, width, from_, to):
    """Shape a geom between two points."""
    _core._snv_connector(_at(geom, MjvGeom), int(type), width, _numbers(from_), _numbers(to))


def mjv_updateScene(m, d, opt, pert, cam, catmask, scn):
    """Rebuild a scene from the state of a model; pert may be None."""
    _core._snv_updateScene(m, d, _at(opt, MjvOption), _at(pert, MjvPerturb) if pert else 0, _at(cam, MjvCamera), int(catmask), _at(scn, MjvScene))


def mjv_addGeoms(m, d, opt, pert, catmask, scn):
    """Append shapes of the given categories to a scene; pert may be None."""
    _core._snv_addGeoms(m, d, _at(opt, MjvOption), _at(pert, MjvPerturb) if pert else 0, int(catmask), _at(scn, MjvScene))


def mjv_makeLights(m, d, scn):
    """Collect the lights."""
    _core._snv_makeLights(m, d, _at(scn, MjvScene))


def mjv_updateSkin(m, d, scn):
    """Move the vertices of the skins."""
    _core._snv_updateSkin(m, d, _at(scn, MjvScene))


def mjv_updateCamera(m, d, cam, scn):
    """Set the cameras of a scene."""
    _core._snv_updateCamera(m, d, _at(cam, MjvCamera), _at(scn, MjvScene))


def mjv_moveCamera(m, action, reldx, reldy, scn, cam):
    """Move a camera with the mouse."""
    _core._snv_moveCamera(m, int(action), reldx, reldy, _at(scn, MjvScene), _at(cam, MjvCamera))


def mjv_movePerturb(m, d, action, reldx, reldy, scn, pert):
    """Move a perturbation with the mouse."""
    _core._snv_movePerturb(m, d, int(action), reldx, reldy, _at(scn, MjvScene), _at(pert, MjvPerturb))


def mjv_moveModel(m, action, reldx, reldy, roomup, scn):
    """Move the model in the room with the mouse."""
    _core._snv_moveModel(m, int(action), reldx, reldy, _numbers(roomup), _at(scn, MjvScene))


def mjv_initPerturb(m, d, scn, pert):
    """Start a perturbation at the selected body."""
    _core._snv_initPerturb(m, d, _at(scn, MjvScene), _at(pert, MjvPerturb))


def mjv_applyPerturbPose(m, d, pert, flg_paused):
    """Write the pose of a perturbation into the data."""
    _core._snv_applyPerturbPose(m, d, _at(pert, MjvPerturb), int(flg_paused))


def mjv_applyPerturbForce(m, d, pert):
    """Write the force of a perturbation into the data."""
    _core._snv_applyPerturbForce(m, d, _at(pert, MjvPerturb))


def mjv_averageCamera(cam1, cam2):
    """Mean of two cameras."""
    mean = MjvGLCamera()
    _core._snv_averageCamera(_at(mean, MjvGLCamera), _at(cam1, MjvGLCamera), _at(cam2, MjvGLCamera))
    return mean


def mjv_cameraFrame(headpos, forward, up, right, d, cam):
    """Position and axes of a camera; those that are None are left out."""
    given = [headpos, forward, up, right]
    found = [np.zeros(3) for _ in given]
    _core._snv_cameraFrame(*found, d, _at(cam, MjvCamera))
    _fill(given, found)


def mjv_cameraFrustum(zver, zhor, zclip, m, cam):
    """Extents and clip planes of a camera; those that are None are left out."""
    given = [zver, zhor, zclip]
    found = [np.zeros(2, np.float32) for _ in given]
    _core._snv_cameraFrustum(*found, m, _at(cam, MjvCamera))
    _fill(given, found)


def mjv_cameraInModel(headpos, forward, up, scn):
    """Position and axes of the camera in the space of the model."""
    _core._snv_cameraInModel(headpos, forward, up, _at(scn, MjvScene))


def mjv_cameraInRoom(headpos, forward, up, scn):
    """Position and axes of the camera in the space of the room."""
    _core._snv_cameraInRoom(headpos, forward, up, _at(scn, MjvScene))


def mjv_frustumHeight(scn):
    """Height of the frustum at unit distance."""
    return _core._snv_frustumHeight(_at(scn, MjvScene))


def mjv_alignToCamera(res, vec, forward):
    """Turn a vector with the heading of the camera."""
    _core._snv_alignToCamera(res, _numbers(vec), _numbers(forward))


def mjv_room2model(modelpos, modelquat, roompos, roomquat, scn):
    """A pose in the room as a pose in the model."""
    _core._snv_room2model(modelpos, modelquat, _numbers(roompos), _numbers(roomquat), _at(scn, MjvScene))


def mjv_model2room(roompos, roomquat, modelpos, modelquat, scn):
    """A pose in the model as a pose in the room."""
    _core._snv_model2room(roompos, roomquat, _numbers(modelpos), _numbers(modelquat), _at(scn, MjvScene))


def mjv_select(m, d, vopt, aspectratio, relx, rely, scn, selpnt, geomid, flexid, skinid):
    """Body under the mouse, -1 when there is none; the arrays take the point and the ids."""
    body, *ids = _core._snv_select(m, d, _at(vopt, MjvOption), aspectratio, relx, rely, _at(scn, MjvScene), selpnt)
    for array, found in zip((geomid, flexid, skinid), ids):
        if array is not None:
            array[...] = found
    return body


def mj_printFormattedScene(s, filename, float_format):
    """Write a scene as text."""
    _core._sn_printScene(_at(s, MjvScene), filename, float_format)


def mj_printScene(s, filename):
    """Write a scene as text."""
    mj_printFormattedScene(s, filename, "% -9.2g")


def _numbers(values):
    return np.ascontiguousarray(values, float)


def _fill(given, found):
    for target, values in zip(given, found):
        if target is not None:
            target[...] = values


assert len(mjVISSTRING) == mjtVisFlag.mjNVISFLAG.value
