"""Programs under the stand-in find what they would find with MuJoCo: modules, packages, in every process."""

import os
import pathlib
import subprocess
import sys

import sinew


def _run(script, *folders, text=None):
    """What a script prints under the stand-in."""
    if text is not None:
        script.write_text(text)
    path = os.pathsep.join([*map(str, folders), str(pathlib.Path(sinew.__file__).parents[1])])
    result = subprocess.run([sys.executable, "-m", "sinew.standin", str(script)], capture_output=True, text=True, timeout=300,
                            env=dict(os.environ, PYTHONPATH=path), cwd=script.parent.parent)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_packages_in_mujocos_folder_run_on_the_stand_in(tmp_path):
    """A package such as mjx, which imports parts of itself by their whole names while it is loaded."""
    package = tmp_path / "mujoco" / "mjx"
    package.mkdir(parents=True)
    (tmp_path / "mujoco" / "__init__.py").write_text("raise ImportError('the engine itself is not loaded')\n")
    (package / "__init__.py").write_text("import mujoco\nimport mujoco.mjx.part as part\nMODEL = mujoco.MjModel\n")
    (package / "part.py").write_text("from mujoco import mjx\nWHOLE = mjx\n")
    printed = _run(tmp_path / "script.py", tmp_path, text="""
from mujoco import mjx
import mujoco.mjx.part, sinew, sys, importlib.resources
assert mjx.MODEL is sinew.MjModel and mjx.part.WHOLE is mjx is sys.modules["mujoco.mjx"]
assert (importlib.resources.files("mujoco.mjx") / "part.py").is_file()
print("sound")
""")
    assert printed == "sound\n"


def test_modules_that_are_not_there_are_not_found(tmp_path):
    printed = _run(tmp_path / "script.py", text="""
import importlib.util
print([importlib.util.find_spec(f"mujoco.{name}") is not None for name in ("viewer", "_structs", "introspect.enums", "nothing")])
try:
    import mujoco.nothing
except ModuleNotFoundError as error:
    print(error)
""")
    assert printed == "[True, True, True, False]\nNo module named 'mujoco.nothing'\n"


def test_modules_beside_a_script_are_found(tmp_path):
    (tmp_path / "beside.py").write_text("import mujoco\nNAME = mujoco.__name__\n")
    assert _run(tmp_path / "script.py", text="import beside\nprint(beside.NAME)\n") == "sinew\n"


def test_processes_of_a_program_get_sinew_too(tmp_path):
    """However they are started: vector environments spawn theirs."""
    printed = _run(tmp_path / "script.py", text="""
import multiprocessing, subprocess, sys
def name(_):
    import mujoco
    import mujoco.rollout
    return mujoco.__name__, mujoco.rollout.__name__, mujoco.MjModel.from_xml_string("<mujoco/>").nbody
if __name__ == "__main__":
    for method in ("fork", "spawn", "forkserver"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(method, pool.map(name, [0]))
    command = [sys.executable, "-c", "import mujoco; from mujoco import viewer; print(mujoco.__name__, viewer.__name__)"]
    print(subprocess.run(command, capture_output=True, text=True).stdout, end="")
""")
    expected = [f"{method} [('sinew', 'sinew.rollout', 1)]" for method in ("fork", "spawn", "forkserver")]
    assert printed.splitlines() == [*expected, "sinew sinew.viewer"]


def test_contexts_of_egl_are_not_asked_for(tmp_path):
    """robosuite makes its own, with functions of the driver that MuJoCo's package has."""
    folder = tmp_path / "robosuite" / "renderers" / "context"
    folder.mkdir(parents=True)
    (folder / "egl_context.py").write_text("raise ImportError('there is no driver')\n")
    printed = _run(tmp_path / "script.py", tmp_path, text="""
from robosuite.renderers.context.egl_context import EGLGLContext
import robosuite.renderers.context.egl_context as module
context = EGLGLContext(max_width=640, max_height=480, device_id=-1)
context.make_current()
context.free()
print(module.__file__.endswith("egl_context.py"))
""")
    assert printed == "True\n"
