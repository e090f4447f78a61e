"""The models on which Sinew is compared with MuJoCo.

Our own models come with the repository; the others are used where they are installed: dm_control's
suite, Gymnasium's assets, and a folder of further models beside the checkout.
"""

import functools
import importlib.util
import json
import os
import pathlib

import mujoco
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = ROOT / "tests" / "models"
SHARED = ROOT.parent / "shared" / "models"
_KEPT = ROOT / ".cache" / "corpus.json"

# files that are included by others or need what MuJoCo itself refuses to load
_NOT_MODELS = {"common"}


def _package_folder(name, *parts):
    spec = importlib.util.find_spec(name)
    return pathlib.Path(spec.origin).parent.joinpath(*parts) if spec else None


def _folders():
    yield "own", OWN
    yield "dm", _package_folder("dm_control", "suite")
    yield "gym", _package_folder("gymnasium", "envs", "mujoco", "assets")
    yield "shared", SHARED


@functools.lru_cache(maxsize=None)
def paths():
    """All model files that MuJoCo loads, as {id: path}."""
    found = {}
    for source, folder in _folders():
        if folder is None or not folder.is_dir():
            continue
        for path in sorted(folder.rglob("*.xml")):
            if _NOT_MODELS.intersection(path.relative_to(folder).parts):
                continue
            found[f"{source}/{path.relative_to(folder).with_suffix('')}"] = path
    return found


@functools.lru_cache(maxsize=None)
def load(name):
    """MuJoCo's compiled model, or None when MuJoCo refuses the file."""
    try:
        return mujoco.MjModel.from_xml_path(str(paths()[name]))
    except ValueError:
        return None


@functools.lru_cache(maxsize=None)
def sizes():
    """{id: nv} of the models that MuJoCo loads, kept from run to run: loading all takes long."""
    kept = json.loads(_KEPT.read_text()) if _KEPT.is_file() else {}
    known = {}
    for name, path in paths().items():
        info = path.stat()
        stamp = [str(path), info.st_mtime_ns, info.st_size, mujoco.__version__]
        entry = kept.get(name)
        if not entry or entry["stamp"] != stamp:
            model = load(name)
            entry = {"stamp": stamp, "nv": None if model is None else int(model.nv)}
        known[name] = entry
    if known != kept:
        _KEPT.parent.mkdir(exist_ok=True)
        draft = _KEPT.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(known))
        draft.replace(_KEPT)
    return {name: entry["nv"] for name, entry in known.items() if entry["nv"] is not None}


def names(needs=None):
    """Ids of the models that MuJoCo loads and that satisfy a condition."""
    return [name for name in sizes() if needs is None or needs(load(name))]


def parameters():
    """Every model file as a parameter of a test; large files and further models: make test-all."""
    for name, path in paths().items():
        marks = [pytest.mark.full] if name.startswith("shared/") else []
        yield pytest.param(path, id=name, marks=marks)
