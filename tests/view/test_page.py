"""Recordings: what a page holds is what the simulation did, and nothing of it comes from elsewhere."""

import base64
import json
import pathlib
import re
import subprocess
import zlib

import numpy as np
import pytest

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Recording:
    """What the player reads from a page."""

    def __init__(self, text):
        data = re.search(r'<script id="data" type="text/plain">([A-Za-z0-9+/=]+)</script>', text)[1]
        raw = zlib.decompress(base64.b64decode(data))
        length = int.from_bytes(raw[:4], "little")
        self.head = json.loads(raw[4 : 4 + length])
        self.arrays = raw[(4 + length + 3) & ~3 :]

    def array(self, at, count, kind):
        """Numbers from the arrays of the page."""
        return np.frombuffer(self.arrays, kind, count, int(at))

    def track(self, at, columns, kind):
        """A track that is stored as differences, modulo 2^16."""
        frames = self.head["frames"]
        steps = self.array(at, columns * frames, "<u2").reshape(columns, frames)
        return np.cumsum(steps, 1, dtype=np.uint16).view(kind).T

    def places(self, slot):
        """Positions of a shape in all frames."""
        if slot["still"]:
            return np.tile(slot["p"], (self.head["frames"], 1))
        low, high = np.array(slot["box"]).reshape(2, 3)
        return low + self.track(slot["pos"], 3, np.uint16) / 65535 * (high - low)

    def turns(self, slot):
        """Quaternions of a shape in all frames."""
        if slot["still"]:
            return np.tile(slot["q"], (self.head["frames"], 1))
        return self.track(slot["quat"], 4, np.int16) / 32767


def recorded(model, steps, every, camera=None):
    """A page, and the scenes that it was made of."""
    data = sinew.MjData(model)
    page = sinew.Page(model, 1 / (every * model.opt.timestep), camera)
    scene, option, free = sinew.MjvScene(model, 1000), sinew.MjvOption(), sinew.MjvCamera()
    sinew.mjv_defaultFreeCamera(model, free)
    geoms = []
    for i in range(steps):
        sinew.mj_step(model, data)
        if i % every == 0:
            page.add(data)
            sinew.mjv_updateScene(model, data, option, None, free, int(sinew.mjtCatBit.mjCAT_ALL), scene)
            geoms.append([(np.array(g.pos), np.array(g.mat), np.array(g.size), g.type) for g in scene.geoms[: scene.ngeom]])
    return Recording(page.html), geoms


def test_page_holds_the_poses_of_the_scenes():
    model = sinew.MjModel.from_xml_path(str(ROOT / "models/humanoid.xml"))
    found, geoms = recorded(model, 300, 10)
    slots = found.head["slots"]
    assert found.head["frames"] == 30 and len(slots) == len(geoms[0])
    for i, slot in enumerate(slots):
        pos = np.array([frame[i][0] for frame in geoms])
        box = np.ptp(pos, axis=0).max()
        assert np.abs(found.places(slot) - pos).max() <= box / 65535 + 1e-6, i
        for quat, frame in zip(found.turns(slot), geoms):
            mat = np.empty(9)
            sinew.mju_quat2Mat(mat, quat / np.linalg.norm(quat))
            assert np.abs(mat - frame[i][1].ravel()).max() < 2e-4, i
        assert slot["type"] == geoms[0][i][3]
        if slot["type"] != sinew.mjtGeom.mjGEOM_PLANE:
            assert np.allclose(slot["size"], geoms[0][i][2], rtol=1e-6)


def test_quaternions_of_neighbouring_frames_are_near():
    model = sinew.MjModel.from_xml_string(
        "<mujoco><worldbody><body><joint axis='0 0 1'/><geom size='.1 .2' type='capsule'/></body></worldbody>"
        "<keyframe><key qvel='20'/></keyframe></mujoco>")
    data = sinew.MjData(model)
    data.qvel[0] = 20
    page = sinew.Page(model, 50)
    for _ in range(500):
        sinew.mj_step(model, data)
        page.add(data)
    found = Recording(page.html)
    turns = found.turns(found.head["slots"][0])
    assert (np.sum(turns[1:] * turns[:-1], 1) > 0.9).all()


def test_shapes_come_and_go_and_change_their_size():
    model = sinew.MjModel.from_xml_string("""<mujoco><worldbody>
      <site name="a" pos="0 0 1"/><body pos="0 0 .5"><joint type="slide" axis="0 0 1"/><geom size=".1"/><site name="b"/></body>
      </worldbody><tendon><spatial width=".01"><site site="a"/><site site="b"/></spatial></tendon></mujoco>""")
    found, geoms = recorded(model, 100, 10)
    kinds = [g[3] for g in geoms[0]]
    tendon = kinds.index(int(sinew.mjtGeom.mjGEOM_CAPSULE))
    slot = found.head["slots"][tendon]
    sizes = found.array(slot["sizes"], 3 * found.head["frames"], "<f4").reshape(-1, 3)
    assert np.allclose(sizes, [frame[tendon][2] for frame in geoms])
    data = sinew.MjData(model)
    page = sinew.Page(model)
    for value in (0.0, np.nan, 0.1):
        data.qpos[0] = value
        sinew.mj_kinematics(model, data)
        sinew.mj_tendon(model, data)
        page.add(data)
    found = Recording(page.html)
    hidden = [s for s in found.head["slots"] if not s["still"] and s["seen"] >= 0]
    assert hidden
    assert all(list(found.array(s["seen"], 3, "u1")) == [1, 0, 1] for s in hidden)


def test_meshes_textures_and_soft_bodies_are_inside():
    model = sinew.MjModel.from_xml_string("""<mujoco><asset>
      <texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="600" height="600"/>
      <texture type="skybox" builtin="gradient" rgb1="1 1 1" rgb2="0 0 0" width="32" height="32"/>
      <material name="m" texture="t" texrepeat="3 3"/>
      <mesh name="tetra" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/><hfield name="h" nrow="3" ncol="4" size="1 1 1 .1" elevation="0 0 0 0 0 1 0 0 0 0 0 0"/>
      </asset><worldbody><geom type="plane" size="2 2 1" material="m"/><geom type="mesh" mesh="tetra"/>
      <geom type="hfield" hfield="h"/><flexcomp name="f" type="grid" count="4 4 1" spacing=".1 .1 .1" dim="2" radius=".01"/>
      </worldbody></mujoco>""")
    found, _ = recorded(model, 20, 10)
    head = found.head
    assert [m["nvert"] for m in head["meshes"]] == [4, 12] and [m["nface"] for m in head["meshes"]] == [4, 12]
    assert head["textures"][0]["w"] <= 512
    pixels = found.array(head["textures"][0]["o"], 3, "u1")
    assert pixels.tolist() in ([255, 0, 0], [0, 0, 255])
    assert len(head["soft"]) == 1 and head["soft"][0]["n"] == 3 * head["soft"][0]["nface"]
    assert head["sky"][0][0] > head["sky"][-1][0]
    assert head["slots"][0]["repeat"] == [3, 3]


def test_page_asks_for_nothing_from_elsewhere():
    model = sinew.MjModel.from_xml_string("<mujoco model='&lt;/script&gt;&lt;b&gt;'><worldbody><geom size='1'/></worldbody></mujoco>")
    page = sinew.Page(model)
    page.add(sinew.MjData(model))
    text = page.html
    code = text[: text.index('<script id="data"')] + text[text.index("</script>") :]
    assert not re.search(r"https?://|src=|href=|@import|url\(|fetch\(|XMLHttpRequest|WebSocket|import\(", code)
    assert text.count("</script>") == 2
    assert "<b>" not in Recording(text).head["name"]


def test_ten_seconds_of_a_humanoid_are_small(tmp_path):
    sinew_program = next((p for p in (ROOT / "build/apps/sinew/sinew",) if p.exists()), None)
    if sinew_program is None:
        pytest.skip("the command line is not built")
    path = tmp_path / "run.html"
    subprocess.run([sinew_program, "run", ROOT / "models/humanoid.xml", "--time", "10", "--record", path], check=True, capture_output=True)
    assert path.stat().st_size < 1_000_000
    assert Recording(path.read_text()).head["frames"] == 300


def test_camera_of_the_model_is_followed():
    model = sinew.MjModel.from_xml_path(str(ROOT / "models/humanoid.xml"))
    found, _ = recorded(model, 40, 10, "follow")
    camera = found.head["slots"][found.head["camera"]["slot"]]
    assert camera["type"] == -1 and found.head["camera"]["slot"] == 0
    with pytest.raises(ValueError, match="does not exist"):
        sinew.Page(model, 30, "nobody")


def test_show_takes_positions_and_states_and_refuses_the_rest():
    model = sinew.MjModel.from_xml_path(str(ROOT / "models/arm.xml"))
    data = sinew.MjData(model)
    data.qvel[:] = 1
    full = int(sinew.mjtState.mjSTATE_FULLPHYSICS)
    positions, states = [], []
    for _ in range(100):
        positions.append(data.qpos.copy())
        state = np.empty(sinew.mj_stateSize(model, full))
        sinew.mj_getState(model, data, state, full)
        states.append(state)
        sinew.mj_step(model, data)
    rate = 0.25 / model.opt.timestep
    first, second = sinew.show(model, positions, rate=rate), sinew.show(model, np.array(states)[None], rate=rate)
    assert first.frames == second.frames == 25
    places = [Recording(page.html) for page in (first, second)]
    for a, b in zip(places[0].head["slots"], places[1].head["slots"]):
        assert np.allclose(places[0].places(a), places[1].places(b), atol=1e-6)
    assert first._repr_html_().startswith("<iframe srcdoc=")
    for bad in (np.zeros((3, model.nq + 1)), np.zeros((0, model.nq)), np.zeros((2, 3, model.nq))):
        with pytest.raises(ValueError, match="a trajectory is"):
            sinew.show(model, bad)
    for options in ({"rate": 0}, {"timestep": -1}, {"rate": float("nan")}):
        with pytest.raises(ValueError):
            sinew.show(model, positions, **options)
    with pytest.raises(ValueError, match="no frame"):
        sinew.Page(model).html
