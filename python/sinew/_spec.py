"""MjSpec: attaching with assets, archives, and access to compiled models by element."""

import collections.abc
import contextlib
import os
import typing
import warnings
import zipfile

from sinew import _core
from sinew._core import MjData, MjModel, MjSpec
from sinew._replace import replaced

_ELEMENTS = (
    "MjsBody MjsFrame MjsGeom MjsJoint MjsLight MjsMaterial MjsSite MjsMesh MjsSkin MjsTexture MjsText MjsTuple "
    "MjsCamera MjsFlex MjsHField MjsKey MjsNumeric MjsPair MjsExclude MjsEquality MjsTendon MjsSensor MjsActuator "
    "MjsPlugin"
).split()
MjStruct = typing.Union[tuple(getattr(_core, name) for name in _ELEMENTS)]

# both spellings, for `getattr(visual, "global")`
setattr(_core.MjVisual, "global", _core.MjVisual.global_)

# ---- what later versions of MuJoCo have ----


def _later(name, version, instead):
    def refuse(self):
        raise AttributeError(f"{name} is new in MuJoCo {version}; Sinew has the functions of 3.5.0: {instead}")

    return property(refuse)


_core.MjsBody.make_flex = _later("make_flex", "3.10.0", "use a flexcomp element or MjSpec.add_flex")

# ---- attaching ----


def _place(spec, site, frame):
    """Frame or site to attach to, from an object or a name."""
    if site is None and frame is None:
        raise ValueError("One of frame or site must be specified.")
    if site is not None and frame is not None:
        raise ValueError("Only one of frame or site can be specified.")
    kind, given = ("Site", site) if frame is None else ("Frame", frame)
    if isinstance(given, str):
        place = spec.site(given) if frame is None else spec.frame(given)
        if place is None:
            raise ValueError(f"{kind} not found.")
        return place
    if not isinstance(given, getattr(_core, "Mjs" + kind)):
        raise TypeError(f"expected an Mjs{kind} or a name, got {type(given).__name__}")
    if not spec._same(given):
        raise ValueError(f"{kind} spec does not match parent spec.")
    return given


def _renamed(path, prefix, suffix):
    """Path of a file with another base name."""
    folder, name = os.path.split(path)
    stem, extension = os.path.splitext(name)
    return os.path.join(folder, "") + prefix + stem + suffix + extension if folder else prefix + stem + suffix + extension


def _rename_files(spec, assets, prefix, suffix):
    """Files of the elements of a spec, under the names that they get in the parent's assets."""

    def known(name, folder):
        return name and (name in assets or os.path.join(folder, name) in assets)

    for element in (*spec.meshes, *spec.hfields, *spec.textures, *spec.skins):
        folder = spec.texturedir if element in spec.textures else spec.meshdir
        if known(element.file, folder):
            element.file = _renamed(element.file, prefix, suffix)
    for texture in spec.textures:
        for i, name in enumerate(texture.cubefiles):
            if known(name, spec.texturedir):
                texture.cubefiles[i] = _renamed(name, prefix, suffix)


def attach(self, child, prefix=None, suffix=None, site=None, frame=None):
    """Attach a model to a frame or a site; returns the frame that holds it."""
    place = _place(self, site, frame)
    prefix = "/" if prefix is None else prefix
    suffix = "" if suffix is None else suffix
    if self.assets and not child.assets:
        warnings.warn(
            "Attaching a child without asset dict to a parent with an asset dict might result in missing assets "
            "when attaching again.",
            Warning,
            stacklevel=2,
        )
    renamed = {_renamed(name, prefix, suffix): content for name, content in child.assets.items()}
    if not self.override_assets:
        for name in renamed:
            if name in self.assets:
                raise ValueError(f"Asset {name} already exists in parent spec.")
    model = child
    if renamed and child is not self:
        if self._copies:  # the child keeps its own file names
            model = child.copy()
            model.modelname = child.modelname
        _rename_files(model, child.assets, prefix, suffix)
    result = self._attach(model, place, prefix, suffix)
    if model is not child:
        child._set_parent(self)
    self.assets.update(renamed)
    return result


# ---- archives ----


def _is_path(file):
    return isinstance(file, (str, bytes, os.PathLike))


def to_zip(spec, file):
    """Write a spec and its assets to an archive, given by path or as a file object."""
    files = dict(spec.assets) | {spec.modelname + ".xml": spec.to_xml().encode()}
    opened = replaced(os.fsdecode(file), "wb") if _is_path(file) else contextlib.nullcontext(file)
    with opened as target, zipfile.ZipFile(target, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)


def from_zip(file):
    """Read a spec from an archive, given by path or as a file object."""
    with open(file, "rb") if _is_path(file) else contextlib.nullcontext(file) as source:
        if not zipfile.is_zipfile(source):
            raise ValueError(f"File {source} is not a zip file.")
        with zipfile.ZipFile(source, "r") as archive:
            files = {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}
    models = [name for name in files if name.endswith(".xml")]
    if not models:
        raise ValueError("No XML file found in zip file.")
    folder = os.path.dirname(models[-1])
    text = files.pop(models[-1])
    assets = {os.path.relpath(name, folder) if folder else name: content for name, content in files.items()}
    return MjSpec.from_string(text.decode(), include=None, assets=assets)


MjSpec.attach = attach
MjSpec.to_zip = to_zip
MjSpec.from_zip = staticmethod(from_zip)

# ---- access to compiled models by element ----

_ACCESSORS = {
    "MjsBody": "body", "MjsGeom": "geom", "MjsJoint": "joint", "MjsSite": "site", "MjsCamera": "camera",
    "MjsLight": "light", "MjsMesh": "mesh", "MjsSkin": "skin", "MjsHField": "hfield", "MjsTexture": "texture",
    "MjsMaterial": "material", "MjsPair": "pair", "MjsExclude": "exclude", "MjsEquality": "equality",
    "MjsTendon": "tendon", "MjsActuator": "actuator", "MjsSensor": "sensor", "MjsNumeric": "numeric",
    "MjsTuple": "tuple", "MjsKey": "key",
}


def _bind_one(owner, element):
    access = _ACCESSORS.get(type(element).__name__)
    if access is None or not hasattr(owner, access):
        raise TypeError(f"{type(owner).__name__} cannot bind {type(element).__name__}")
    if element.signature != owner.signature:
        kind = "mjData" if isinstance(owner, MjData) else "mjModel"
        raise ValueError(f"The mjSpec does not match {kind}. Please recompile the mjSpec.")
    return getattr(owner, access)(element.id)


class _MjBindModel:
    """Fields of several elements, one after the other."""

    def __init__(self, elements):
        object.__setattr__(self, "elements", elements)

    def __getattr__(self, key):
        return [value for element in self.elements for value in getattr(element, key)]

    def __setattr__(self, key, value):
        raise AttributeError(f"Cannot set {key} on MjModel.")


class _MjBindData(_MjBindModel):
    """Fields of several elements, one after the other; one value for each when assigned."""

    def __setattr__(self, key, value):
        for element, item in zip(self.elements, value):
            setattr(element, key, item)


def _bind(group):
    def bind(self, elements):
        if isinstance(elements, collections.abc.Sequence):
            return group([_bind_one(self, element) for element in elements])
        return _bind_one(self, elements)

    return bind


def _bind_scalar(self, spec=None):
    """Fields of one element."""
    return _bind_one(self, spec)


MjModel.bind_scalar = MjData.bind_scalar = _bind_scalar
MjModel.bind = _bind(_MjBindModel)
MjData.bind = _bind(_MjBindData)
