"""Runs code written for the `mujoco` package on Sinew, unmodified.

    python -m sinew.standin SCRIPT [ARGUMENTS]
    python -m sinew.standin -m MODULE [ARGUMENTS]

`install()` does the same inside a program: from then on `import mujoco` gives Sinew, and
`import mujoco.rollout` gives `sinew.rollout`. Processes that a program starts get Sinew too.
"""

import importlib
import importlib.abc
import importlib.machinery
import os
import runpy
import sys

_NAME = "mujoco"
# packages that stand on MuJoCo's interface, in its folder: where they are installed, they run on Sinew
_THEIRS = ("mjx", "sysid", "usd")
# modules of other packages that open windows or contexts of OpenGL, and ours that gives them Sinew's
_REPLACED = {"gymnasium.envs.mujoco.mujoco_rendering": "sinew.gym_window", "dm_control._render": "sinew.dm_render",
             "robosuite.renderers.context.egl_context": "sinew.gl_context"}
# holds a package `mujoco` that installs the stand-in: found first by the processes that a program starts
_CHILDREN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "standin_children")


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds mujoco.x as sinew.x: one module under two names."""

    def find_spec(self, fullname, path=None, target=None):
        package, _, rest = fullname.partition(".")
        if rest.split(".")[0] in _THEIRS:
            # "from mujoco import sysid" asks for sinew.sysid, the name by which the package goes
            return _find_theirs(rest) if package == _NAME else self._alias(fullname, package == "sinew")
        return self._alias(fullname, package == _NAME and (not rest or _is_ours(rest)))

    def _alias(self, fullname, wanted):
        return importlib.machinery.ModuleSpec(fullname, self) if wanted else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        package, _, rest = module.__spec__.name.partition(".")
        target = "sinew" if package == _NAME else _NAME
        sys.modules[module.__spec__.name] = importlib.import_module(target + ("." + rest if rest else ""))


def _is_ours(name):
    """Whether sinew has a module of this name."""
    folder, _, _ = f"sinew.{name}".rpartition(".")
    path = getattr(importlib.import_module(folder), "__path__", None)
    return path is not None and importlib.machinery.PathFinder.find_spec(f"sinew.{name}", path) is not None


class _Theirs(importlib.abc.Loader):
    """Loads a module of the installed package under both names: while it runs, it may import parts of itself by either."""

    def __init__(self, loader):
        self._loader = loader

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        ours = "sinew" + module.__name__[len(_NAME):]
        module.__spec__.loader = module.__loader__ = self._loader
        sys.modules[ours] = module
        try:
            self._loader.exec_module(module)
        except BaseException:
            sys.modules.pop(ours, None)
            raise


def _find_theirs(name):
    """A module of the installed package, which is not loaded itself."""
    path, fullname = [entry for entry in sys.path if entry != _CHILDREN], _NAME
    for part in name.split("."):
        package = importlib.machinery.PathFinder.find_spec(fullname, path)
        if package is None:
            raise ModuleNotFoundError(f"{_NAME}.{name} is in the package {_NAME}, which is not installed", name=f"{_NAME}.{name}")
        path, fullname = package.submodule_search_locations, f"{fullname}.{part}"
    found = importlib.machinery.PathFinder.find_spec(fullname, path)
    if found is not None and found.loader is not None:
        found.loader = _Theirs(found.loader)
    return found


class _Replacer(importlib.abc.MetaPathFinder):
    """Finds the modules of _REPLACED where they are, and changes them once they are loaded."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname not in _REPLACED:
            return None
        found = importlib.machinery.PathFinder.find_spec(fullname, path)
        if found is not None and found.loader is not None:
            found.loader = _Replaced(found.loader, _REPLACED[fullname])
        return found


class _Replaced(importlib.abc.Loader):
    """Has a module loaded by ours."""

    def __init__(self, loader, ours):
        self._loader, self._ours = loader, ours

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._loader
        importlib.import_module(self._ours).load(module)


def install():
    """Let `mujoco` mean Sinew from now on. A no-op when it already does."""
    import sinew

    current = sys.modules.get(_NAME)
    if current is sinew:
        return
    if current is not None:
        raise RuntimeError("mujoco has been imported already; install the stand-in first")
    sys.meta_path[:0] = [_Finder(), _Replacer()]
    sys.modules[_NAME] = sinew


def _reach_children():
    """Let new interpreters find Sinew as well: those of multiprocessing take over sys.path, others the environment."""
    known = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([_CHILDREN, *([known] if known else [])])
    sys.path.insert(1, _CHILDREN)


def main(arguments):
    if not arguments:
        raise SystemExit(__doc__)
    install()
    _reach_children()
    if arguments[0] == "-m":
        if len(arguments) < 2:
            raise SystemExit(__doc__)
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))  # as for any script: modules beside it are found
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
