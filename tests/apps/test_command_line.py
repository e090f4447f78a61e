"""The command line on the models of the corpus: XML to binary and back, and its progress bar."""

import os
import pathlib
import pty
import re
import shutil
import subprocess
import time

import pytest

import asset_files as files
import corpus
import sinew
from sinew import _core
from saved import differences

# the program of the same build folder
SINEW = pathlib.Path(_core.__file__).resolve().parents[2] / "apps" / "sinew" / "sinew"

pytestmark = pytest.mark.skipif(not SINEW.is_file(), reason="the package is not in a build folder")


def run(*words):
    return subprocess.run([SINEW, *map(str, words)], capture_output=True, text=True)


def convert(source, target):
    result = run("compile", source, target)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    return target


# ---- XML to binary and back ----

def _sample():
    """Every fourth model; all of them in make test-all."""
    for i, model in enumerate(corpus.parameters()):
        yield model if i % 4 == 0 else pytest.param(*model.values, id=model.id, marks=pytest.mark.full)


@pytest.mark.parametrize("path", list(_sample()))
def test_binary_and_back(path, tmp_path):
    try:
        model = sinew.MjModel.from_xml_path(str(path))
    except ValueError as error:
        assert run("compile", path, tmp_path / "model.snb").returncode == 1
        pytest.skip(str(error))
    binary = convert(path, tmp_path / "model.snb")
    assert not list(differences(model, sinew.MjModel.from_binary_path(str(binary))))
    again = sinew.MjModel.from_xml_path(str(convert(binary, tmp_path / "back.xml")))
    assert differences(model, again) == []


def test_a_binary_without_xml(tmp_path):
    model = sinew.MjModel.from_xml_string("<mujoco/>")
    sinew.mj_saveModel(model, str(tmp_path / "plain.snb"))
    result = run("compile", tmp_path / "plain.snb", tmp_path / "out.xml")
    assert result.returncode == 1
    assert "holds no XML" in result.stderr
    assert not (tmp_path / "out.xml").exists()


# names of files, which may change where a folder cannot hold them
NAMES = {"npaths", "paths", "mesh_pathadr", "hfield_pathadr", "tex_pathadr", "skin_pathadr"}

ASSETS = """
<mujoco>
  <compiler meshdir="shapes" texturedir="images"/>
  <asset>
    <texture name="flat" type="2d" file="same.png"/>
    <texture name="cube" type="cube" fileright="deep/r.png" fileleft="same.png" fileup="../u.png"
             filedown="same.png" filefront="same.png" fileback="same.png"/>
    <material name="paint" texture="flat"/>
    <hfield name="hill" file="hill.png" size="1 1 1 .1"/>
    <mesh file="deep/part.obj"/>
    <mesh name="twin" file="../other/part.obj"/>
    <mesh name="rooted" file="{root}/other/part.obj"/>
    <mesh name="same.png" file="same.stl" scale="1 2 3"/>
    <model name="guest" file="guest/guest.xml"/>
  </asset>
  <worldbody>
    <geom type="hfield" hfield="hill"/>
    <body><freejoint/><geom type="mesh" mesh="part" material="paint"/><geom type="mesh" mesh="twin"/></body>
    <body><freejoint/><geom type="mesh" mesh="rooted"/><geom type="mesh" mesh="same.png"/></body>
    <attach model="guest" body="box" prefix="g_"/>
  </worldbody>
</mujoco>
"""
GUEST = """
<mujoco>
  <compiler meshdir="mine"/>
  <asset><mesh file="part.obj"/></asset>
  <worldbody><body name="box"><freejoint/><geom type="mesh" mesh="part"/></body></worldbody>
</mujoco>
"""


def _write(folder, name, contents):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
    return path


# files of one name in different folders, of attached models, absolute, and above the folder; they come
# along when model and files are gone from where they were
@pytest.mark.parametrize("through", ["binary", "xml"])
def test_assets_come_along(tmp_path, through):
    source = tmp_path / "source"
    torus = [files.torus(n, 0.3) for n in (6, 7, 8, 9)]
    main = _write(source, "main.xml", ASSETS.format(root=source))
    for name, shape in zip(("shapes/deep", "other", "guest/mine"), torus):
        _write(source, f"{name}/part.obj", files.obj(*shape))
    _write(source, "guest/guest.xml", GUEST)
    _write(source, "shapes/same.stl", files.stl(*torus[3]))
    _write(source, "shapes/hill.png", files.png(8, 8, seed=1))
    for seed, name in enumerate(("images/same.png", "images/deep/r.png", "u.png")):
        _write(source, name, files.png(4, 4, seed=seed))
    model = sinew.MjModel.from_xml_path(str(main))

    target = tmp_path / "target"
    target.mkdir()
    if through == "binary":
        binary = convert(main, target / "model.snb")
        shutil.rmtree(source)
        convert(binary, target / "out.xml")
    else:
        convert(main, target / "out.xml")
        shutil.rmtree(source)
    moved = shutil.move(target, tmp_path / "moved")
    again = sinew.MjModel.from_xml_path(str(moved / "out.xml"))
    assert set(differences(model, again)) <= NAMES | {"nbuffer"}
    kept = [path.relative_to(moved).as_posix() for path in moved.rglob("*.obj")]
    assert sorted(kept) == [f"out_assets/{name}part.obj" for name in ("1/", "deep/", "")]


# ---- the progress bar ----


def on_a_terminal(words):
    """Exit status and all that a program writes when both its streams are a terminal."""
    process, terminal = pty.fork()
    if process == 0:
        os.execv(words[0], [str(word) for word in words])
    written = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        written += piece
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), written.decode()


def test_progress_bar_on_a_terminal():
    status, written = on_a_terminal([SINEW, "run", corpus.ROOT / "models" / "arm.xml", "--steps", "300"])
    assert status == 0
    bars = re.findall(r"\r\[(#*)( *)\] +(\d+) %", written)
    percent = [int(bar[2]) for bar in bars]
    assert percent == list(range(101))
    for done, left, number in bars:
        assert len(done) == int(number) // 2
        assert len(done + left) == 50
    # the bar ends its line, and what was found follows
    tail = written[written.rindex("100 %") + len("100 %") :]
    assert re.match(r"\r*\n300 steps to t = ", tail), tail


def test_no_progress_bar_elsewhere():
    result = run("run", corpus.ROOT / "models" / "arm.xml", "--steps", "300")
    assert (result.returncode, result.stderr) == (0, "")
    assert "300 steps" in result.stdout
    assert "%" not in result.stdout


# ---- films ----

HUMANOID = pathlib.Path(__file__).resolve().parents[2] / "models/humanoid.xml"


def film(path, *words):
    return run("run", HUMANOID, "--time", "0.2", "--size", "64x48", "--record", path, *words)


def test_a_film_has_an_image_every_twenty_fifth_of_a_second(tmp_path):
    image = pytest.importorskip("PIL.Image")
    assert film(tmp_path / "run.gif", "--camera", "follow").returncode == 0
    with image.open(tmp_path / "run.gif") as gif:
        assert gif.n_frames == 5 and gif.size == (64, 48) and gif.info["duration"] == 40
        first = gif.convert("RGB").copy()
        gif.seek(4)
        assert gif.convert("RGB").tobytes() != first.tobytes()


def test_a_picture_shows_the_end_as_the_renderer_does(tmp_path):
    image = pytest.importorskip("PIL.Image")
    numpy = pytest.importorskip("numpy")
    assert film(tmp_path / "end.png", "--camera", "follow").returncode == 0
    model = sinew.MjModel.from_xml_path(str(HUMANOID))
    data = sinew.MjData(model)
    for _ in range(50):
        sinew.mj_step(model, data)
    with sinew.Renderer(model, 48, 64) as renderer:
        renderer.update_scene(data, "follow")
        assert numpy.array_equal(numpy.asarray(image.open(tmp_path / "end.png")), renderer.render())


@pytest.mark.parametrize("name,words,message", [
    ("run.avi", (), "a .png"), ("run.gif", ("--camera", "none"), "no camera 'none'"),
    ("run.gif", ("--size", "0x5"), "WIDTHxHEIGHT"), ("run.gif", ("--size", "9000x5"), "8192"),
    ("no/such/folder/run.gif", (), "No such file")])
def test_films_that_cannot_be_made_are_refused(name, words, message, tmp_path):
    result = film(tmp_path / name, *words)
    assert result.returncode == 1 and message in result.stderr
    assert not (tmp_path / name).exists()


@pytest.mark.skipif(shutil.which("ffmpeg") is not None, reason="ffmpeg is installed")
def test_a_film_without_its_encoder_says_what_is_missing(tmp_path):
    result = film(tmp_path / "run.mp4")
    assert result.returncode == 1 and "ffmpeg" in result.stderr and "sinew-physics[film]" in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("way", ["variable", "package"])
def test_a_film_finds_the_encoder_of_the_extra(way, tmp_path, monkeypatch):
    """A program in place of ffmpeg, which counts the bytes of the images and writes their number."""
    program = tmp_path / "encoder"
    program.write_text('#!/bin/sh\nfor last; do :; done\nwc -c > "$last"\n')
    program.chmod(0o755)
    (tmp_path / "imageio_ffmpeg.py").write_text(f"def get_ffmpeg_exe():\n    return {str(program)!r}\n")
    if way == "variable":
        monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(program))
    elif shutil.which("ffmpeg"):
        pytest.skip("ffmpeg is installed")
    else:
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert film(tmp_path / "run.mp4").returncode == 0
    assert int((tmp_path / "run.mp4").read_text()) % (64 * 48 * 3) == 0


# ---- recordings ----

@pytest.mark.parametrize("option, name", [("--out", "run.csv"), ("--record", "run.gif")])
def test_a_run_that_is_killed_leaves_the_last_recording(option, name, tmp_path):
    model, target = corpus.ROOT / "models" / "arm.xml", tmp_path / name
    assert run("run", model, "--steps", 50, "--size", "32x24", option, target).returncode == 0
    good = target.read_bytes()
    assert good and os.listdir(tmp_path) == [name]
    with subprocess.Popen([SINEW, "run", model, "--time", "1e6", "--size", "32x24", option, target],
                          stdout=subprocess.DEVNULL) as process:
        while not any(part.stat().st_size for part in tmp_path.glob("*.tmp")):
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
    assert target.read_bytes() == good


def test_a_recording_that_fails_leaves_the_last_one(tmp_path):
    target = tmp_path / "run.csv"
    target.write_text("good")
    limited = ["bash", "-c", 'ulimit -f 8; trap "" XFSZ; exec "$@"', "bash"]  # files of 8 KB
    command = [*limited, SINEW, "run", corpus.ROOT / "models" / "humanoid.xml", "--steps", "300", "--out", target]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 1 and "run.csv" in result.stderr
    assert target.read_text() == "good" and os.listdir(tmp_path) == ["run.csv"]


def test_a_recording_goes_into_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen([SINEW, "run", corpus.ROOT / "models" / "arm.xml", "--steps", "3", "--out", tmp_path / "pipe"],
                          stdout=subprocess.DEVNULL) as process:
        assert len((tmp_path / "pipe").read_text().splitlines()) == 4
    assert process.returncode == 0
