"""Named access: m.body("torso").mass, d.sensor("gyro").data.

An accessor is a small object with an id, a name and one attribute per field of its category; reading
gives a view of the engine's memory, assigning writes into it.

Which fields these are follows from the tables of the model and of the data: every array with one row
per object, and every array of which an object has a slice. An attribute is the name of the array
without the prefix of its category: geom_xpos is d.geom(...).xpos.
"""

import difflib
import math
import os
import re
import weakref

from sinew import _core
from sinew._enums import mjtObj

# names of an accessor, which are also prefixes of its arrays; object type; size that counts the objects
_CATEGORIES = (
    (("actuator",), "ACTUATOR", "nu"),
    (("body",), "BODY", "nbody"),
    (("cam", "camera"), "CAMERA", "ncam"),
    (("eq", "equality"), "EQUALITY", "neq"),
    (("exclude",), "EXCLUDE", "nexclude"),
    (("flex",), "FLEX", "nflex"),
    (("geom",), "GEOM", "ngeom"),
    (("hfield",), "HFIELD", "nhfield"),
    (("jnt", "joint"), "JOINT", "njnt"),
    (("key", "keyframe"), "KEY", "nkey"),
    (("light",), "LIGHT", "nlight"),
    (("mat", "material"), "MATERIAL", "nmat"),
    (("mesh",), "MESH", "nmesh"),
    (("numeric",), "NUMERIC", "nnumeric"),
    (("pair",), "PAIR", "npair"),
    (("sensor",), "SENSOR", "nsensor"),
    (("site",), "SITE", "nsite"),
    (("skin",), "SKIN", "nskin"),
    (("tendon", "ten"), "TENDON", "ntendon"),
    (("tex", "texture"), "TEXTURE", "ntex"),
    (("text",), "TEXT", "ntext"),
    (("tuple",), "TUPLE", "ntuple"),
)

# sizes of arrays that belong to a category whatever their names
_OWN = {"actuator": ("na",), "jnt": ("nq", "nv")}
# arrays with as many rows as there are objects, but not one for each; addresses of names
_OTHER = re.compile(r"\w+_awake_ind|name_\w+adr")


def near(word, names):
    """The end of the error about an unknown name: the nearest known one."""
    found = difflib.get_close_matches(word, names, 1)
    return f". Did you mean '{found[0]}'?" if found else ""


def near_file(path):
    """The same about a file that is not there: the nearest in its folder, endings left aside."""
    folder, name = os.path.split(os.fsdecode(path))
    try:
        names = {os.path.splitext(each)[0]: each for each in os.listdir(folder or ".")}
    except (OSError, ValueError):
        return f". There is no folder '{folder}'"
    found = difflib.get_close_matches(os.path.splitext(name)[0], names, 1)
    return f". Did you mean '{os.path.join(folder, names[found[0]])}'?" if found else ""


def no_camera(model, name):
    """The error about a camera that is not there."""
    names = [_core.mj_id2name(model, mjtObj.mjOBJ_CAMERA.value, i) for i in range(model.ncam)]
    names = [each for each in names if each]
    there = f" There are: {', '.join(names)}." if names else " The model names none; -1 is the free camera."
    return ValueError(f'The camera "{name}" does not exist.{there}')


# ---- which part of an array belongs to an object: functions of the model and the object's index ----


def _row(m, i):
    return slice(i, i + 1)


def _slice(start, count):
    """The slice that two arrays of the model describe."""

    def part(m, i):
        first = int(getattr(m, start)[i])
        return slice(first, first + int(getattr(m, count)[i]))

    return part


def _of_joint(start, counts):
    """Coordinates or dofs of a joint; counts by its type: free, ball, slide, hinge."""

    def part(m, i):
        first = int(getattr(m, start)[i])
        return slice(first, first + counts[m.jnt_type[i]])

    return part


def _parts(prefix, size):
    """Size that counts the rows of an array: the part of an object."""
    if prefix == "jnt":
        return {
            size: _row,
            "nq": _of_joint("jnt_qposadr", (7, 4, 1, 1)),
            "nv": _of_joint("jnt_dofadr", (6, 3, 1, 1)),
        }
    parts = {size: _row}
    for name, rule in _core.MODEL_RULES.items():
        found = re.fullmatch(r"SLICE(?:_OR_NONE)?\((\w+), (\w+)\)", rule)
        if found and _core.MODEL_LAYOUT[name] == size:
            parts[found[2]] = _slice(name, found[1])
    return parts


# ---- attributes: functions of the owner and the object's index ----


def _reader(array, part, model_of):
    def read(owner, i):
        view = getattr(owner, array)[part(model_of(owner), i)]
        return view[0] if part is _row and view.ndim > 1 else view  # a scalar keeps one axis

    return read


def _samples(prefix, *shape):
    """Samples of a height field or a texture in their shape."""

    def read(m, i):
        sizes = [int(getattr(m, prefix + name)[i]) for name in shape]
        first = int(getattr(m, prefix + "adr")[i])
        return getattr(m, prefix + "data")[first : first + math.prod(sizes)].reshape(sizes)

    return read


def _moment(d, i):
    """The non-zero moment arms of an actuator; their dofs stand in moment_colind."""
    first = int(d.moment_rowadr[i])
    return d.actuator_moment[first : first + int(d.moment_rownnz[i])]


_SPECIAL = {
    "hfield_data": _samples("hfield_", "nrow", "ncol"),
    "tex_data": _samples("tex_", "height", "width", "nchannel"),
    "actuator_moment": _moment,
}


def _attributes(layout, names, size, model_of):
    """The attributes of a category and how they are read."""
    parts = _parts(names[0], size)
    whole = (size, *_OWN.get(names[0], ()))
    prefix = re.compile("(" + "|".join(names) + ")_?")
    found = {}
    for array, rows in layout.items():
        named = prefix.match(array)
        if array in _SPECIAL and named:
            read = _SPECIAL[array]
        elif rows in parts and not _OTHER.fullmatch(array) and (named or rows in whole):
            read = _reader(array, parts[rows], model_of)
        else:
            continue
        attribute = re.sub("^dof_", "", array[named.end() :] if named else array)
        # of two arrays of a joint and its dofs the joint's has the short name
        found[array if attribute in found else attribute] = read
    return found


def _compatible(found):
    """MuJoCo's own choices: the body of a joint by dof; fields of a model's tendons behind an underscore."""
    if "dof_bodyid" in found:
        found["bodyid"] = found["dof_bodyid"]
    if "lengthspring" in found:
        found.update({"_" + attribute: read for attribute, read in list(found.items())})
    return found


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


def _property(field, read):
    def get(self):
        view = self._views.get(field)
        if view is None:
            view = self._views[field] = read(self._owner, self._id)
        return view

    def set(self, value):
        get(self)[...] = value

    return property(get, set)


def _accessor_class(class_name, attributes):
    members = {"__slots__": (), "_fields": tuple(attributes), "__module__": "sinew"}
    members.update({field: _property(field, read) for field, read in attributes.items()})
    return type(class_name, (_Accessor,), members)


def _find(model, objtype, count, key):
    """Index of an object by id or name."""
    if isinstance(key, str):
        index = _core.mj_name2id(model, objtype, key)
        if index >= 0 and key:
            return index
        names = sorted(filter(None, (_core.mj_id2name(model, objtype, i) for i in range(count))))
        raise KeyError(f"Invalid name '{key}'. Valid names: {names}" + near(key, names))
    if not 0 <= key < count:
        raise IndexError(f"Invalid index {key}. Valid indices from 0 to {count - 1}")
    return key


def _plain(key):
    """A name or a number without what it came in: scalars of NumPy or JAX may have no hash, those of PyTorch are all different."""
    if isinstance(key, bytes):
        return key.decode()
    try:
        return _core._whole(key)
    except TypeError:
        raise TypeError(f"a name or a number is expected, got {type(key).__name__}") from None


def _method(accessor, objtype, size, model_of):
    def access(self, key=""):
        # one accessor per object for as long as somebody holds it (it holds the owner); its views,
        # which hold only the owner's memory, stay
        if not isinstance(key, (str, int)):
            key = _plain(key)
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


def _install(cls, layout, model_of, kind):
    """Gives a class the methods of all categories that have arrays in it."""
    for names, objtype, size in _CATEGORIES:
        attributes = _compatible(_attributes(layout, names, size, model_of))
        if not attributes:
            continue
        title = max(names, key=len).capitalize()
        accessor = _accessor_class(f"_Mj{kind}{title}Views", attributes)
        VIEWS[accessor.__name__] = accessor
        for name in names:
            method = _method(accessor, getattr(mjtObj, "mjOBJ_" + objtype).value, size, model_of)
            method.__name__ = name
            setattr(cls, name, method)
            METHODS[cls.__name__].append(name)


# names of the methods by class
METHODS = {"MjModel": [], "MjData": []}
# classes of what they give, by name
VIEWS = {}
_install(_core.MjModel, _core.MODEL_LAYOUT, lambda m: m, "Model")
_install(_core.MjData, _core.DATA_LAYOUT, lambda d: d.model, "Data")
