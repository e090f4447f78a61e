"""Batches on a driver without a GPU (fake_cuda.c): everything around the kernels, and every error."""

import os
import pathlib
import struct
import subprocess
import sys
import zlib

import pytest

import sinew

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(sinew.__file__).absolute().parents[2]
FAKE, OLD = BUILD / "tests" / "fake_cuda", BUILD / "tests" / "old_cuda"

pytestmark = pytest.mark.skipif(not (FAKE / "libcuda.so.1").exists(), reason="the drivers for tests are not built")

SCRIPT = """
import sinew
model = sinew.MjModel.from_xml_string('<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>')
auto = sinew.Batch(model, 4)
print(auto.device, '|', auto.fallback)
auto.step(3)
try:
    batch = sinew.Batch(model, NWORLD, device='gpu', precision=PRECISION)
    for _ in range(9):
        batch.step()
        batch.get_state()
    print('fine')
except RuntimeError as error:
    print('error:', error)
"""


def write_engine(path, images, toolkit=13000):
    """A file as gpu_build.py writes it, with images that the driver for tests accepts."""
    header = struct.pack("<8sqq", b"SNGPU 2", toolkit, len(images))
    texts = [f"fake{real} {('sm', 'ptx')[kind]}_{arch}\0".encode() for real, arch, kind in images]
    packed = [zlib.compress(text) for text in texts]
    offset, table = len(header) + 48 * len(images), b""
    for image, text, body in zip(images, texts, packed):
        table += struct.pack("<6q", *image, offset, len(body), len(text))
        offset += len(body)
    path.write_bytes(header + table + b"".join(packed))
    return path


def environment(driver, engine, **settings):
    fresh = dict(os.environ, LD_LIBRARY_PATH=str(driver) if driver else "", **settings)
    if engine:
        fresh["SINEW_GPU_ENGINE"] = str(engine)
    return fresh


def run(driver, engine=None, nworld=3, precision=None, **settings):
    """What a small script prints: the automatic device, then the result on a GPU."""
    code = SCRIPT.replace("NWORLD", str(nworld)).replace("PRECISION", repr(precision))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env=environment(driver, engine, **settings))
    assert done.returncode == 0, done.stderr
    auto, result = done.stdout.strip().split("\n")
    return auto, result


@pytest.fixture
def engine(tmp_path):
    return write_engine(tmp_path / "sinew.gpu", [(8, 90, 0), (4, 90, 0)])


def test_cases_on_the_driver_without_a_gpu(engine):
    """All of device_*cases.py, with the bits of the CPU."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs", *sorted(HERE.glob("device_*cases.py"))],
        capture_output=True, text=True, env=environment(FAKE, engine), cwd=HERE.parents[1])
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    passed = int(done.stdout.strip().split("\n")[-1].split(" passed")[0].split()[-1])
    assert passed >= 20, done.stdout[-3000:]


def test_benchmark_list(tmp_path):
    """make bench-gpu: every model that is here is compiled and run, with its precision and numbers of worlds."""
    bench, program = tmp_path / "bench", BUILD / "apps" / "sinew" / "sinew"
    bench.write_text('#!/bin/sh\necho "$@"\n')
    bench.chmod(0o755)
    done = subprocess.run([sys.executable, HERE.parents[1] / "bench" / "gpu.py", "--sinew", program, "--bench", bench,
                           "--models", tmp_path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    made = [path.stem for path in tmp_path.glob("*.snb")]
    for name in made:
        model = sinew.MjModel.from_binary_path(str(tmp_path / f"{name}.snb"))
        assert not sinew._core._gpu_refusal(model)
        sinew.mj_step(model, sinew.MjData(model), 20)
    sizes = "".join(f" --worlds {n}" for n in (1, 64, 1024, 8192, 32768, 131072))
    assert f"--single --call 100{sizes} {tmp_path}/humanoid.snb" in done.stdout
    assert f"--single --call 1 --worlds 8192 {tmp_path}/humanoid.snb" in done.stdout
    assert {"humanoid", "muscle_arm", "cloth"} <= set(made)
    for name in {"three_humanoids", "g1", "franka", "hand", "quadruped", "reach", "flag"} - set(made):
        assert f"{name}: left out" in done.stdout


def test_works(engine):
    auto, result = run(FAKE, engine)
    assert auto == "fake GPU 0 | " and result == "fine"
    assert run(FAKE, engine, precision="single")[1] == "fine"


# ---- errors: clear on "gpu", a fall-back with the reason on "auto" ----


def falls_back(outcome, *words):
    auto, result = outcome
    assert auto.startswith("cpu | ") and result.startswith("error: no batch on a GPU: "), outcome
    for word in words:
        assert word in auto and word in result, (word, outcome)


def test_no_driver_falls_back(engine, tmp_path):
    """Spec 004-11: 3."""
    if sinew._core._gpu_name()[0]:
        pytest.skip("this machine has a GPU")
    falls_back(run(tmp_path, engine), "no NVIDIA driver is installed")


def test_old_driver_without_the_functions(engine):
    falls_back(run(OLD, engine), "the NVIDIA driver is too old")


def test_driver_older_than_the_engine(engine):
    falls_back(run(FAKE, engine, SN_FAKE_VERSION="12080"), "the NVIDIA driver is too old", "CUDA 12.8", "CUDA 13.0")


def test_no_gpu(engine):
    falls_back(run(FAKE, engine, SN_FAKE_GPUS="0"), "no NVIDIA GPU is available")


def test_missing_engine(tmp_path):
    falls_back(run(FAKE, tmp_path / "nothing"), "the GPU engine is missing", "tools/gpu_build.py", "nothing")


@pytest.mark.parametrize("place", ["python/sinew/sinew.gpu", "gpu/sinew.gpu"])
def test_engine_beside_the_package_or_in_the_build_folder(tmp_path, place):
    package = tmp_path / "python" / "sinew"
    package.mkdir(parents=True)
    for file in pathlib.Path(sinew.__file__).parent.iterdir():
        if file.is_file() and file.suffix != ".gpu":
            (package / file.name).symlink_to(file.resolve())
    (tmp_path / place).parent.mkdir(exist_ok=True)
    write_engine(tmp_path / place, [(8, 90, 0)])
    auto, result = run(FAKE, PYTHONPATH=str(tmp_path / "python"))
    assert auto == "fake GPU 0 | " and result == "fine"


def install_package(folder, version):
    """The distribution sinew-physics-gpu, as pip would put it into a folder of packages."""
    package = folder / "sinew_gpu"
    package.mkdir()
    source = (HERE.parents[1] / "python" / "gpu" / "sinew_gpu" / "__init__.py").read_text()
    (package / "__init__.py").write_text(source.replace(sinew.sinew_version, version))
    write_engine(package / "sinew.gpu", [(8, 90, 0)])
    return f"{folder}{os.pathsep}{BUILD / 'python'}"


def test_engine_of_the_second_distribution(tmp_path):
    """Images that are installed as sinew-physics-gpu are found, wherever Python finds that package."""
    if any((BUILD / place).exists() for place in ("gpu/sinew.gpu", "python/sinew/sinew.gpu")):
        pytest.skip("images that lie in the build folder are preferred")
    path = install_package(tmp_path, sinew.sinew_version)
    assert run(FAKE, PYTHONPATH=path) == ("fake GPU 0 | ", "fine")
    named = write_engine(tmp_path / "named.gpu", [(8, 120, 0)])
    falls_back(run(FAKE, named, PYTHONPATH=path), "no double-precision image")


def test_engine_of_another_version_is_not_used(tmp_path):
    path = install_package(tmp_path, "0.0.7")
    done = subprocess.run([sys.executable, "-c", "import sinew, os; print('SINEW_GPU_PACKAGE' in os.environ)"],
                          capture_output=True, text=True, env=environment(FAKE, None, PYTHONPATH=path))
    assert done.stdout.strip() == "False" and "sinew-physics-gpu 0.0.7 is not for sinew-physics" in done.stderr


@pytest.mark.parametrize("text", [b"", b"SNGPU 2\0" + bytes(16), b"SNGPU 2\0" + struct.pack("<qq", 13000, 1 << 60),
                                  struct.pack("<8sqq6q", b"SNGPU 2", 13000, 1, 8, 90, 0, 50, 1 << 40, 0),
                                  struct.pack("<8sqq6q", b"SNGPU 2", 13000, 1, 8, 90, 0, 72, 8, 1 << 40) + bytes(8),
                                  struct.pack("<8sqq6q", b"SNGPU 2", 13000, 1, 8, 90, 0, 72, 8, 64) + bytes(8)])
def test_damaged_engine(tmp_path, text):
    path = tmp_path / "sinew.gpu"
    path.write_bytes(text)
    falls_back(run(FAKE, path), "the GPU engine is" if not text else "damaged")


def test_engine_for_other_devices(tmp_path):
    path = write_engine(tmp_path / "sinew.gpu", [(8, 80, 0), (8, 100, 0), (8, 120, 1), (4, 90, 0)])
    falls_back(run(FAKE, path), "no double-precision image", "sm_90")


def test_engine_as_portable_code(tmp_path):
    """PTX of an older architecture serves a device that has no machine code of its own."""
    path = write_engine(tmp_path / "sinew.gpu", [(8, 80, 0), (8, 80, 1)])
    assert run(FAKE, path)[1] == "fine"


WHOLE = [(real, arch, 0) for real in (8, 4) for arch in (80, 86, 89, 90, 100, 120)] + [(8, 80, 1), (4, 80, 1)]


@pytest.mark.parametrize("arch", [80, 86, 87, 89, 90, 100, 103, 110, 120, 121])
def test_every_device_is_served(tmp_path, arch):
    """All images in one file: one that the device takes is chosen, and blocks fit its processors."""
    path = write_engine(tmp_path / "sinew.gpu", WHOLE)
    for precision in ("double", "single"):
        assert run(FAKE, path, nworld=400, precision=precision, SN_FAKE_ARCH=str(arch))[1] == "fine"


@pytest.mark.parametrize("settings", [{"SINEW_GPU_THREADS": "0"}, {"SINEW_GPU_THREADS": "9999"}, {"SINEW_GPU_LANES": "1"},
                                      {"SINEW_GPU_THREADS": "100"}, {"SINEW_GPU_FAST": "-1"}, {"SINEW_GPU_FAST": "99999"}])
def test_settings_out_of_range(tmp_path, settings):
    path = write_engine(tmp_path / "sinew.gpu", WHOLE)
    assert run(FAKE, path, nworld=50, SN_FAKE_ARCH="86", **settings)[1] == "fine"


def test_device_older_than_all_images(tmp_path):
    path = write_engine(tmp_path / "sinew.gpu", WHOLE)
    falls_back(run(FAKE, path, SN_FAKE_ARCH="75"), "no double-precision image", "sm_75")


def test_portable_code_where_machine_code_is_refused(tmp_path):
    """Boards take machine code of their own architecture alone."""
    settings = {"SN_FAKE_ARCH": "87", "SN_FAKE_TEGRA": "1"}
    assert run(FAKE, write_engine(tmp_path / "sinew.gpu", WHOLE), **settings)[1] == "fine"
    bare = write_engine(tmp_path / "bare.gpu", [image for image in WHOLE if not image[2]])
    falls_back(run(FAKE, bare, **settings), "loading the engine failed: no kernel image")


def test_engine_that_does_not_load(engine):
    falls_back(run(FAKE, engine, SN_FAKE_UNLOADABLE="1"), "loading the engine failed: no kernel image")


def test_too_little_memory(engine):
    auto, result = run(FAKE, engine, nworld=5000, SN_FAKE_BYTES="30000000")
    assert auto.startswith("fake GPU 0")
    assert "too little memory for 5000 worlds" in result and "MB free" in result


GROWTH = """
import sys, numpy as np, sinew
sys.path.insert(0, HERE)
import device_cases as cases
small, large = cases.balls(14, '30K', 0.02), cases.balls(14, '16M', 0.02)
states = cases.random_states(large, 6)
batch = sinew.Batch(small, 6, device='gpu')
batch.set_state(states, cases.INTEGRATION)
if VIEWS:
    view = batch.qpos
try:
    batch.step(30)
    print('grown', batch.generation)
except RuntimeError as error:
    print('error:', error)
print(np.array_equal(batch.get_state(cases.INTEGRATION), states), sinew.Batch.bytes(small, 6, device='gpu'), batch._worlds.gpu_bytes == cases.device_taken())
"""


@pytest.mark.parametrize("views", [False, True])
def test_too_little_memory_to_grow(engine, views):
    """An error, after which the worlds are as they were before the call; bytes are counted right throughout."""
    code = GROWTH.replace("HERE", repr(str(HERE))).replace("VIEWS", str(views))

    def lines(**settings):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              env=environment(FAKE, engine, **settings))
        assert done.returncode == 0, done.stderr
        return done.stdout.strip().split("\n")

    enough = lines()
    moved, announced, counted = enough[1].split()
    assert enough[0].startswith("grown") and moved == "False" and counted == "True"
    short = lines(SN_FAKE_BYTES=str(int(announced) + 100000))
    assert "too little memory for 6 worlds" in short[0] and short[1] == f"True {announced} True", short


def test_lost_device(engine):
    """A device that stops answering is an error of the call, never the end of the process."""
    auto, result = run(FAKE, engine, SN_FAKE_LOST="20")
    assert "error: GPU: " in result and "unspecified launch failure" in result, result
