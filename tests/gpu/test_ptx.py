"""What NVRTC makes of the solver and of deformables, on a processor: its PTX, translated to C++ (ptx.py), in a driver
without a GPU.

NVRTC 13.4 once compiled the solve of large islands wrongly (docs/gpu.md): sources that are right are not enough.
"""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import sinew

from test_fake import BUILD, FAKE, HERE, environment, write_engine

ROOT = HERE.parents[1]
SOLVER = [f"solve/{name}" for name in ("primal", "hessian", "factor", "pattern", "order", "line")]
DEFORMABLES = [f"deform/{path.stem}" for path in sorted((ROOT / "src/engine/deform").glob("*.c")) if path.stem != "without"]

HEAPS = """
import sys
sys.path.insert(0, {helpers!r})
import numpy as np
import sinew
from heap import heap

state = sinew.mjtState.mjSTATE_INTEGRATION
for cone in ("pyramidal", "elliptic"):
    model = heap(cone=cone)
    batches = [sinew.Batch(model, 4, device=device) for device in ("cpu", "gpu")]
    for steps in (1, 15, 40):
        batches[0].reset(seed=1, scale=0.02)
        batches[0].step(steps)
        batches[1].set_state(batches[0].get_state(state), state)
        islands = [batches[0].copy_world(k).island_nv.max() for k in range(4)]
        for batch in batches:
            batch.step(1)
        assert min(islands) > 128, islands
        assert np.array_equal(batches[0].qvel, batches[1].qvel), np.abs(np.subtract(*[b.qvel[:] for b in batches])).max()
print("the same bits")
"""

CLOTHS = """
import pathlib
import numpy as np
import sinew

touch = np.zeros(3, int)  # contacts of vertices, of faces, of deformables with one another
for path in sorted(pathlib.Path({models!r}).glob("*.xml")):
    model = sinew.MjModel.from_xml_path(str(path))
    batches = [sinew.Batch(model, 2, device=device) for device in ("cpu", "gpu")]
    for batch in batches:
        batch.reset(seed=1, scale=0.02)
        batch.step(30)
    world = batches[0].copy_world(0)
    touch += np.array([np.sum(world.deformcon_face < 0), np.sum(world.deformcon_face >= 0), world.ndeformpair])
    for name in ("deformvert_xpos", "deformvert_xvel", "deformvert_xfrc", "deformable_xfrc", "qpos", "qvel"):
        assert np.array_equal(batches[0].field(name), batches[1].field(name)), (path.stem, name)
assert np.all(touch > 0), touch
print("the same bits")
"""


def compile_from_ptx(folder, names, defined):
    """An object of the PTX of files of the engine."""
    import gpu_build
    import ptx

    compiler = gpu_build.Compiler("double")
    texts = [compiler.compile(ROOT / f"src/engine/{name}.c").decode().rstrip("\0") for name in names]
    code, calls = ptx.translate(texts)
    (folder / "translated.cc").write_text(code)
    calls = " ".join(f"NATIVE({name})" for name in calls if name != "snu_warning")
    flags = ["-std=c++17", "-O1", "-fPIC", "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-fvisibility=hidden"]
    for path, more in ((folder / "translated.cc", []), (HERE / "ptx_native.cc", [
            f"-DPTX_CALLS={calls}", *defined, "-DSN_DEVICE_LAYOUT", "-DSN_NO_DISPATCH", f"-I{ROOT}/include", f"-I{ROOT}/src"])):
        subprocess.run([COMPILER, *flags, *more, "-c", path, "-o", folder / f"{path.stem}.o"], check=True)
    return [folder / "translated.o", folder / "ptx_native.o"]


COMPILER = shutil.which(os.environ.get("CXX", "g++")) or shutil.which("clang++")
OBJECTS = FAKE / "objects.txt"


def output_from_ptx(script, names, defined, tmp_path, monkeypatch):
    """What a script prints where files of the engine are what the device compiler made of them."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    import gpu_build

    if not gpu_build.find_library("nvrtc"):
        pytest.skip("NVRTC is not installed: there is no PTX")
    translated = compile_from_ptx(tmp_path, names, defined)
    replaced = tuple(f"engine/{name}.c.o" for name in names)
    objects = [BUILD / line for line in OBJECTS.read_text().split() if not line.endswith(replaced)]
    for name in ("libcuda.so.1", "libfake_single.so"):
        shutil.copy(FAKE / name, tmp_path)
    subprocess.run([COMPILER, "-shared", *objects, *translated, "-Wl,-Bsymbolic", "-Wl,-soname,libfake_double.so", "-lm", "-ldl",
                    "-lpthread", "-o", tmp_path / "libfake_double.so"], check=True)
    engine = write_engine(tmp_path / "sinew.gpu", [(8, 90, 0)])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment(tmp_path, engine))
    return done.stdout or done.stderr[-3000:]


needs_drivers = pytest.mark.skipif(not OBJECTS.exists() or not COMPILER, reason="no drivers for tests, or no C++ compiler")


@needs_drivers
def test_large_islands_from_ptx(tmp_path, monkeypatch):
    """A step of heaps of robots has the bits of the CPU where the solver is what the device compiler made of it."""
    script = HEAPS.format(helpers=str(ROOT / "tests" / "helpers"))
    assert output_from_ptx(script, SOLVER, ["-DPTX_SOLVER"], tmp_path, monkeypatch) == "the same bits\n"


@needs_drivers
def test_deformables_from_ptx(tmp_path, monkeypatch):
    """Thirty steps of cloths, chains and soft bodies, with contacts of every kind, likewise."""
    script = CLOTHS.format(models=str(ROOT / "tests" / "models" / "deform"))
    assert output_from_ptx(script, DEFORMABLES, [], tmp_path, monkeypatch) == "the same bits\n"
