"""Named access: m.body("torso").mass, d.sensor("gyro").data.

An accessor is a small object with an id, a name and one attribute per field of its category; reading
gives a view of the engine's memory, assigning writes into it.
"""

import difflib
import weakref

from sinew import _core
from sinew._enums import mjtObj

# category: names of the accessor, object type, count, and fields. A field is "name" (array
# prefix_name, one row per object) or "name=array"; slices of shared arrays are in _SLICES.
_MODEL = {
    "actuator": (
        ("actuator",), "ACTUATOR", "nu",
        "trntype dyntype gaintype biastype trnid actadr actnum group ctrllimited forcelimited actlimited dynprm "
        "gainprm biasprm ctrlrange forcerange actrange gear cranklength acc0 length0 lengthrange user",
    ),
    "body": (
        ("body",), "BODY", "nbody",
        "parentid rootid weldid mocapid jntnum jntadr dofnum dofadr geomnum geomadr simple sameframe pos quat ipos "
        "iquat mass subtreemass inertia invweight0 user",
    ),
    "cam": (
        ("cam", "camera"), "CAMERA", "ncam",
        "mode bodyid targetbodyid pos quat poscom0 pos0 mat0 fovy ipd user",
    ),
    "eq": (("eq", "equality"), "EQUALITY", "neq", "type obj1id obj2id active0 solref solimp data"),
    "exclude": (("exclude",), "EXCLUDE", "nexclude", "signature"),
    "geom": (
        ("geom",), "GEOM", "ngeom",
        "type contype conaffinity condim bodyid dataid matid group priority sameframe solmix solref solimp size "
        "rbound pos quat friction margin gap user rgba",
    ),
    "hfield": (("hfield",), "HFIELD", "nhfield", "size nrow ncol adr data"),
    "jnt": (
        ("jnt", "joint"), "JOINT", "njnt",
        "qpos0 qpos_spring type qposadr dofadr group limited pos axis stiffness range margin user bodyid jntid "
        "parentid Madr simplenum solref solimp frictionloss armature damping invweight0 M0",
    ),
    "key": (("key", "keyframe"), "KEY", "nkey", "time qpos qvel act mpos mquat ctrl"),
    "light": (
        ("light",), "LIGHT", "nlight",
        "mode bodyid targetbodyid type castshadow active pos dir poscom0 pos0 dir0 attenuation cutoff exponent "
        "ambient diffuse specular",
    ),
    "mat": (
        ("mat", "material"), "MATERIAL", "nmat",
        "texid texuniform texrepeat emission specular shininess reflectance rgba",
    ),
    "mesh": (("mesh",), "MESH", "nmesh", "vertadr vertnum texcoordadr faceadr facenum graphadr"),
    "numeric": (("numeric",), "NUMERIC", "nnumeric", "adr size data"),
    "pair": (("pair",), "PAIR", "npair", "dim geom1 geom2 signature solref solimp margin gap friction"),
    "sensor": (
        ("sensor",), "SENSOR", "nsensor",
        "type datatype needstage objtype objid reftype refid dim adr cutoff noise user",
    ),
    "site": (("site",), "SITE", "nsite", "type bodyid matid group sameframe size pos quat user rgba"),
    "skin": (
        ("skin",), "SKIN", "nskin",
        "matid rgba inflate vertadr vertnum texcoordadr faceadr facenum boneadr bonenum",
    ),
    "tendon": (
        ("tendon",), "TENDON", "ntendon",
        "_adr _num _matid _group _limited _width _solref_lim _solimp_lim _solref_fri _solimp_fri _range _margin "
        "_stiffness _damping _frictionloss _lengthspring _length0 _invweight0 _user _rgba",
    ),
    "tex": (("tex", "texture"), "TEXTURE", "ntex", "type height width nchannel adr data"),
    "tuple": (("tuple",), "TUPLE", "ntuple", "adr size objtype objid objprm"),
}

_DATA = {
    "actuator": (("actuator",), "ACTUATOR", "nu", "ctrl length moment velocity force"),
    "body": (
        ("body",), "BODY", "nbody",
        "xfrc_applied xpos xquat xmat xipos ximat subtree_com cinert crb cvel subtree_linvel subtree_angmom cacc "
        "cfrc_int cfrc_ext",
    ),
    "cam": (("cam", "camera"), "CAMERA", "ncam", "xpos xmat"),
    "geom": (("geom",), "GEOM", "ngeom", "xpos xmat"),
    "jnt": (
        ("jnt", "joint"), "JOINT", "njnt",
        "qpos qvel qacc_warmstart qfrc_applied qacc qLDiagInv qfrc_bias qfrc_passive qfrc_actuator qfrc_smooth "
        "qacc_smooth qfrc_constraint qfrc_inverse cdof cdof_dot xanchor xaxis",
    ),
    "light": (("light",), "LIGHT", "nlight", "xpos xdir"),
    "sensor": (("sensor",), "SENSOR", "nsensor", "data"),
    "site": (("site",), "SITE", "nsite", "xpos xmat"),
    "tendon": (
        ("tendon", "ten"), "TENDON", "ntendon",
        "wrapadr wrapnum J_rownnz J_rowadr J_colind length J velocity",
    ),
}

_NQ = {0: 7, 1: 4, 2: 1, 3: 1}
_NV = {0: 6, 1: 3, 2: 1, 3: 1}


def _rows_of_joint(m, i, positions):
    kind = int(m.jnt_type[i])
    if positions:
        start, count = int(m.jnt_qposadr[i]), _NQ[kind]
    else:
        start, count = int(m.jnt_dofadr[i]), _NV[kind]
    return slice(start, start + count)


def _row(array, i):
    """Row i of an array; scalars keep one axis."""
    return array[i : i + 1] if array.ndim == 1 else array[i]


def _span(array, start, count):
    return array[int(start) : int(start) + int(count)]


def _joint_model(m, i, field):
    if field in ("qpos0", "qpos_spring"):
        return getattr(m, field)[_rows_of_joint(m, i, True)]
    if hasattr(m, "jnt_" + field) and field not in ("bodyid", "solref", "solimp"):
        return _row(getattr(m, "jnt_" + field), i)
    return getattr(m, "dof_" + field)[_rows_of_joint(m, i, False)]


def _joint_data(m, d, i, field):
    if field in ("xanchor", "xaxis"):
        return getattr(d, field)[i]
    return getattr(d, field)[_rows_of_joint(m, i, field == "qpos")]


def _model_field(m, category, i, field):
    if category == "jnt":
        return _joint_model(m, i, field)
    if category == "tendon":
        if field == "_lengthspring":
            return m.tendon_lengthspring.reshape(-1)[i : i + 1]
        return _row(getattr(m, "tendon" + field), i)
    if category == "hfield" and field == "data":
        rows, columns = int(m.hfield_nrow[i]), int(m.hfield_ncol[i])
        return _span(m.hfield_data, m.hfield_adr[i], rows * columns).reshape(rows, columns)
    if category == "tex" and field == "data":
        shape = int(m.tex_height[i]), int(m.tex_width[i]), int(m.tex_nchannel[i])
        return _span(m.tex_data, m.tex_adr[i], shape[0] * shape[1] * shape[2]).reshape(shape)
    if category == "numeric" and field == "data":
        return _span(m.numeric_data, m.numeric_adr[i], m.numeric_size[i])
    if category == "tuple" and field.startswith("obj"):
        return _span(getattr(m, "tuple_" + field), m.tuple_adr[i], m.tuple_size[i])
    return _row(getattr(m, f"{'cam' if category == 'cam' else category}_{field}"), i)


def _data_field(m, d, category, i, field):
    if category == "jnt":
        return _joint_data(m, d, i, field)
    if category == "sensor":
        return _span(d.sensordata, m.sensor_adr[i], m.sensor_dim[i])
    if category == "actuator":
        if field == "moment":
            return _span(d.actuator_moment, i * m.nv, m.nv)
        return _row(d.ctrl if field == "ctrl" else getattr(d, "actuator_" + field), i)
    if category == "body":
        return _row(getattr(d, field), i)
    prefix = {"tendon": "ten_"}.get(category, category + "_")
    return _row(getattr(d, prefix + field), i)


class _Accessor:
    """Fields of one object of a model or data."""

    __slots__ = ("_owner", "_id", "_name", "_views", "__weakref__")
    _fields = ()

    def __init__(self, owner, index, name, views):
        self._owner, self._id, self._name, self._views = owner, index, name, views

    @property
    def id(self):
        return self._id

    @property
    def name(self):
        return self._name

    def __repr__(self):
        shown = sorted(f for f in (*self._fields, "id", "name") if not f.startswith("_"))
        lines = [f"  {f}: {getattr(self, f)!r}" for f in shown]
        return f"<{type(self).__name__}\n" + "\n".join(lines) + "\n>"


def _property(read, category, field):
    def get(self):
        view = self._views.get(field)
        if view is None:
            view = self._views[field] = read(self._owner, category, self._id, field)
        return view

    def set(self, value):
        get(self)[...] = value

    return property(get, set)


def _accessor_class(class_name, category, fields, read):
    members = {"__slots__": (), "_fields": tuple(fields), "__module__": "sinew"}
    members.update({field: _property(read, category, field) for field in fields})
    return type(class_name, (_Accessor,), members)


def _find(model, objtype, count, key):
    """Index of an object by id or name."""
    if isinstance(key, (str, bytes)):
        index = _core.mj_name2id(model, objtype, key)
        if index >= 0 and key:
            return index
        names = sorted(filter(None, (_core.mj_id2name(model, objtype, i) for i in range(count))))
        near = difflib.get_close_matches(key.decode() if isinstance(key, bytes) else key, names, 1)
        hint = f". Did you mean '{near[0]}'?" if near else ""
        raise KeyError(f"Invalid name '{key}'. Valid names: {names}{hint}")
    index = key.__index__()
    if not 0 <= index < count:
        raise IndexError(f"Invalid index {index}. Valid indices from 0 to {count - 1}")
    return index


def _method(accessor, objtype, size, model_of):
    def access(self, key=""):
        # one accessor per object for as long as somebody holds it (it holds the owner); its views,
        # which hold only the owner's memory, stay
        entries = self._accessors
        if entries is None:
            entries = self._accessors = {}
        entry = entries.get((objtype, key))
        if entry is None:
            entry = _entry(entries, model_of(self), objtype, size, key)
        found = entry.accessor()
        if found is None:
            found = accessor(self, entry.index, entry.name, entry.views)
            entry.accessor = weakref.ref(found)
        return found

    return access


class _Entry:
    """What is kept of an object that has been asked for."""

    __slots__ = ("index", "name", "views", "accessor")

    def __init__(self, index, name):
        self.index, self.name, self.views = index, name, {}
        self.accessor = lambda: None


def _entry(entries, model, objtype, size, key):
    """The entry of an object, under its index and under the key."""
    index = _find(model, objtype, getattr(model, size), key)
    entry = entries.get((objtype, index))
    if entry is None:
        entry = entries[objtype, index] = _Entry(index, _core.mj_id2name(model, objtype, index) or "")
    entries[objtype, key] = entry
    return entry


def _title(names):
    """The unabridged name of a category."""
    return max(names, key=len).capitalize()


def _install(cls, table, read, model_of, prefix):
    for category, (names, objtype, size, fields) in table.items():
        kind = getattr(mjtObj, "mjOBJ_" + objtype).value
        accessor = _accessor_class(f"_Mj{prefix}{_title(names)}Views", category, fields.split(), read)
        for name in names:
            method = _method(accessor, kind, size, model_of)
            method.__name__ = name
            setattr(cls, name, method)


_install(_core.MjModel, _MODEL, _model_field, lambda m: m, "Model")
_install(
    _core.MjData,
    _DATA,
    lambda d, category, i, field: _data_field(d.model, d, category, i, field),
    lambda d: d.model,
    "Data",
)
