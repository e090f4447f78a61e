"""What the viewer sends and serves, seen by a client that is no browser."""

import http.client
import pathlib
import socket
import subprocess
import sys

import numpy as np
import pytest

import sinew

viser = pytest.importorskip("viser", reason="viser is not installed; `make test-view` does it")

from sinew import viewer  # noqa: E402
from sinew.view_session import Session  # noqa: E402

_BALL = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


@pytest.fixture
def open_viewer():
    """Viewers that are closed at the end."""
    made = []

    def begin(model, **options):
        made.append(viewer.Viewer(Session(model), port=0, **options))
        return made[-1]

    yield begin
    for one in made:
        one.close()


def port_of(shown):
    return int(shown.url.rsplit(":", 1)[1])


def answer(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path)
    reply = connection.getresponse()
    return reply.status, reply.read()


def test_page_is_served_and_nothing_else(open_viewer):
    shown = open_viewer(sinew.MjModel.from_xml_string(_BALL))
    assert answer(port_of(shown), "/")[0] == 200
    for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/etc/passwd", "//etc/passwd", "/models/humanoid.xml", "/..\\..\\x"):
        assert answer(port_of(shown), path)[0] == 404, path


def test_viewer_listens_on_this_machine_alone(open_viewer):
    shown = open_viewer(sinew.MjModel.from_xml_string(_BALL))
    # 127.0.0.2 is this machine by another name, to which a server on all addresses would answer
    with socket.socket() as probe, pytest.raises(OSError):
        probe.settimeout(5)
        probe.connect(("127.0.0.2", port_of(shown)))


def test_no_tunnel_to_the_outside(open_viewer):
    shown = open_viewer(sinew.MjModel.from_xml_string(_BALL))
    with pytest.raises(viewer.ViewerError, match="no tunnel"):
        shown._server.request_share_url()


def test_frame_of_a_hundred_humanoids_is_one_message_per_shape_and_property(open_viewer, monkeypatch):
    """Only what changed is queued, in one block that travels as one message of the socket."""
    batch = sinew.Batch(sinew.MjModel.from_xml_path("models/humanoid.xml"), 100, device="cpu")
    shown = viewer.Viewer(Session(batch.model, passive=True), port=0, batch=batch)
    try:
        shown.draw()
        batch.step(5)
        sent = []
        queue = shown._server._websock_server.queue_message
        monkeypatch.setattr(shown._server._websock_server, "queue_message", lambda m: (sent.append(m), queue(m)))
        shown._panel_due = shown._sample_due = 1e18
        shown.draw()
        names = [type(m).__name__ for m in sent]
        assert names.count("SceneNodeUpdateMessage") <= 8 and len(sent) <= 8, names
    finally:
        shown.close()


def test_still_scenes_send_nothing(open_viewer, monkeypatch):
    shown = open_viewer(sinew.MjModel.from_xml_string(_BALL))
    shown.session.paused = True
    shown.draw()
    sent = []
    monkeypatch.setattr(shown._server._websock_server, "queue_message", sent.append)
    shown._panel_due = shown._sample_due = 1e18
    shown.draw()
    assert [type(m).__name__ for m in sent if "Node" in type(m).__name__] == []


def test_ten_thousand_geoms_and_bad_numbers_are_shown(open_viewer):
    many = "".join(f"<geom size='.01' pos='{i % 100} {i // 100} 0'/>" for i in range(10000))
    shown = open_viewer(sinew.MjModel.from_xml_string(f"<mujoco><worldbody>{many}</worldbody></mujoco>"))
    shown.draw()
    assert answer(port_of(shown), "/")[0] == 200
    shown = open_viewer(sinew.MjModel.from_xml_string(_BALL))
    shown.session.data.qpos[:] = np.nan
    shown.session.data.geom_xpos[:] = np.nan
    shown.draw()
    assert answer(port_of(shown), "/")[0] == 200


def test_errors_in_what_a_browser_asks_for_are_shown(open_viewer):
    shown = open_viewer(sinew.MjModel.from_xml_string(_BALL))
    shown.do(lambda: 1 / 0)
    shown.pump()
    assert "division" in shown._panel._error.content and shown._panel._error.visible
    old = shown.session.model
    shown._load("x.xml", b"<mujoco><nothing/></mujoco>")
    assert shown.session.model is old and "old model stays" in shown._panel._error.content


def test_models_of_every_kind_are_shown(open_viewer):
    shown = open_viewer(sinew.MjModel.from_xml_string(_BALL))
    shown._load("all.xml", b"""<mujoco><asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/>
      <texture type="skybox" builtin="gradient" width="8" height="8"/><material name="m" texture="t"/>
      <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><geom type="plane" size="1 1 1" material="m"/>
      <geom type="mesh" mesh="m" rgba="1 0 0 .5"/><body name="b" pos="0 0 1"><joint name="j" axis="0 1 0" range="-1 1" limited="true"/>
      <geom type="capsule" size=".1 .1"/></body><flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" radius=".01"/>
      <camera name="c"/></worldbody><actuator><motor joint="j"/></actuator><sensor><framepos objtype="body" objname="b"/></sensor>
      <keyframe><key/></keyframe></mujoco>""")
    assert shown.session.model.nkey == 1, shown._panel._error.content
    shown.session.option.flags[:] = 1
    shown.session.option.label = 1
    for _ in range(3):
        shown.session.step_once()
        shown._panel_due = shown._sample_due = 0
        shown.draw()
    shown._panel._search("b")
    assert shown.session.perturb.select > 0
    shown._panel._set_camera("0: c")
    shown.draw()


def test_sync_is_what_moves_the_picture():
    model = sinew.MjModel.from_xml_string(_BALL)
    data = sinew.MjData(model)
    with viewer.launch_passive(model, data, port=0, open_browser=False) as handle:
        for _ in range(20):
            sinew.mj_step(model, data)
            handle.sync()
        with handle.lock():
            assert handle.m is model and handle.d is data
        assert handle.is_running() and handle.viewport is None
        handle.perturb.select, handle.perturb.active = 1, int(sinew.mjtPertBit.mjPERT_TRANSLATE)
        handle.perturb.refselpos = [1, 0, 0]
        handle.perturb.localmass = 1
        handle.sync()
        assert data.xfrc_applied[1, 0] > 0
    assert not handle.is_running()
    handle.sync()
    handle.close()


def test_images_and_figures_of_a_program_stand_in_the_panel():
    model = sinew.MjModel.from_xml_string(_BALL)
    figure, place = sinew.MjvFigure(), sinew.MjrRect(0, 0, 160, 120)
    sinew.mjv_defaultFigure(figure)
    figure.linepnt[0], figure.linedata[0, :4] = 2, [0, 0, 1, 1]
    with viewer.launch_passive(model, sinew.MjData(model), port=0, open_browser=False) as handle:
        grey = np.full((120, 160, 3), 128, np.uint8)
        handle.set_images((place, grey))
        handle.set_images([(place, grey), (place, grey)])
        handle.set_figures([(place, figure)])
        handle.set_figures([(place, figure)])
        assert (len(handle._images), len(handle._figures)) == (2, 1)
        drawn = handle._figures._handles[0].image
        assert drawn.shape == (120, 160, 3) and len(np.unique(drawn)) > 2
        with pytest.raises(TypeError, match="MjrRect"):
            handle.set_images([(1, grey)])
        with pytest.raises(ValueError, match="three colours"):
            handle.set_images((place, grey[0]))
        handle.clear_images()
        handle.clear_figures()
        assert (len(handle._images), len(handle._figures)) == (0, 0)


def test_human_mode_of_gymnasium_is_the_viewer():
    pytest.importorskip("gymnasium", reason="gymnasium is not installed; `make test-view` does it")
    pytest.importorskip("glfw", reason="Gymnasium's windows need glfw; `make test-view` installs it")
    script = pathlib.Path(__file__).with_name("gym_human.py")
    result = subprocess.run([sys.executable, "-m", "sinew.standin", script, "10"], capture_output=True, text=True, timeout=200)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["sinew.gym_window", "True", "0.4", "False"]
    assert "http://localhost:" in result.stderr


def test_human_mode_of_a_task_is_the_viewer():
    gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed; `make test-view` does it")
    import sinew.envs  # noqa: F401

    env = gymnasium.make("sinew/InvertedPendulum-v5", render_mode="human")
    env.reset(seed=1)
    for _ in range(3):
        env.step([0.1])
    window = env.unwrapped._window
    assert window._handle.is_running() and window.data.time == pytest.approx(0.12)
    env.close()
    assert not window._handle.is_running()
