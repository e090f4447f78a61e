"""The models on which Sinew is compared with MuJoCo.

Our own models come with the repository; the others are used where they are installed: dm_control's
suite, Gymnasium's assets, and a folder of further models beside the checkout.
"""

import functools
import importlib.util
import pathlib

import mujoco

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = ROOT / "tests" / "models"
SHARED = ROOT.parent / "shared" / "models"

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


def names(needs=lambda model: True):
    """Ids of the models that MuJoCo loads and that satisfy a condition."""
    return [name for name in paths() if load(name) is not None and needs(load(name))]
