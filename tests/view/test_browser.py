"""The viewer in a real browser."""

import numpy as np
import pytest

import sinew

from browser import Page, until

_BALL = """<mujoco><option gravity="0 0 0"/><visual><global elevation="0" azimuth="90"/></visual>
<statistic center="0 0 0" extent="1"/>
<worldbody><light pos="0 -3 3" dir="0 1 -1"/>
  <body name="ball"><joint name="x" type="slide" axis="1 0 0" damping="1" range="-1 1"/>
    <joint type="slide" axis="0 0 1" damping="1"/><geom size=".25" rgba="1 0 0 1"/></body></worldbody>
<actuator><motor name="push" joint="x" ctrlrange="-1 1"/></actuator></mujoco>"""


@pytest.fixture
def ball(serve, chromium):
    """A viewer of a red ball, and a page of it in which the ball is seen."""
    viewer = serve(sinew.MjModel.from_xml_string(_BALL))
    page = Page(chromium, viewer.url)
    until(lambda: viewer.clients == 1)
    until(lambda: len(page.red()) > 500)
    yield viewer, page
    page.close()


def middle(page):
    """Where the red ball is seen: x and y."""
    row, column = page.red().mean(0)
    return column, row


def test_page_shows_the_model_without_a_complaint(ball):
    viewer, page = ball
    x, y = middle(page)
    assert abs(x - 450) < 60 and abs(y - 300) < 60
    assert page.errors == []
    assert all(url.startswith((viewer.url, "data:", "blob:")) for url in page.requests), page.requests


def test_slider_sets_the_control_and_the_body_moves(ball):
    viewer, page = ball
    page.page.get_by_role("tab", name="Control").click()
    number = page.page.locator("input[inputmode]:visible").first
    number.fill("0.8")
    number.press("Enter")
    until(lambda: abs(viewer.session.data.ctrl[0] - 0.8) < 1e-3)
    until(lambda: viewer.session.data.qpos[0] > 0.05)
    assert page.errors == []


def test_drag_pulls_the_body_with_a_spring(ball):
    viewer, page = ball
    x, y = middle(page)
    mouse, keys = page.page.mouse, page.page.keyboard
    mouse.move(x, y)
    keys.down("Control")
    mouse.down(button="right")
    for i in range(12):
        mouse.move(x - 12 * i, y)
        page.page.wait_for_timeout(60)
    until(lambda: viewer.session.perturb.active)
    until(lambda: viewer.session.data.qpos[0] < -0.05)
    mouse.up(button="right")
    keys.up("Control")
    until(lambda: not viewer.session.perturb.active)
    assert viewer.session.perturb.select == 1
    assert not viewer.session.data.xfrc_applied.any()
    assert page.errors == []


def test_click_selects_and_the_panel_says_what(ball):
    viewer, page = ball
    page.page.mouse.click(*middle(page))
    until(lambda: viewer.session.perturb.select == 1)
    page.page.get_by_role("tab", name="Model").click()
    until(lambda: page.page.get_by_text("(body 1)").count())


def test_pause_stops_time_and_step_makes_one_step(ball):
    viewer, page = ball
    page.page.get_by_role("button", name="Pause").click()
    until(lambda: viewer.session.paused)
    time = viewer.session.data.time
    page.page.wait_for_timeout(500)
    assert viewer.session.data.time == time > 0
    page.page.get_by_role("button", name="Step").click()
    until(lambda: viewer.session.data.time > time)
    assert viewer.session.data.time == pytest.approx(time + viewer.session.model.opt.timestep)


def test_space_pauses(ball):
    viewer, page = ball
    page.page.mouse.click(200, 500)
    page.page.keyboard.press("Space")
    until(lambda: viewer.session.paused)


def test_model_with_an_error_shows_it_and_the_old_one_stays(ball):
    viewer, page = ball
    old = viewer.session.model
    page.page.set_input_files("input[type=file]", {"name": "bad.xml", "mimeType": "text/xml", "buffer": b"<mujoco><worldbody><geom size='x'/>"})
    until(lambda: page.page.get_by_text("The old model stays").count())
    assert viewer.session.model is old
    assert len(page.red()) > 500


def test_dropped_model_is_shown(ball):
    viewer, page = ball
    text = "<mujoco><worldbody><geom type='box' size='.3 .3 .3' rgba='0 0 1 1'/></worldbody></mujoco>"
    page.page.evaluate("""text => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'box.xml'));
      document.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
    }""", text)
    until(lambda: viewer.session.model.nbody == 1)
    until(lambda: not len(page.red()))
    blue = lambda: (lambda image: (image[..., 2] > 1.5 * image[..., 0]) & (image[..., 2] > 90))(page.pixels()).sum()
    until(lambda: blue() > 500)
    assert page.errors == []


def test_two_browsers_see_the_same_and_one_may_leave(ball, chromium, capfd):
    viewer, page = ball
    second = Page(chromium, viewer.url)
    until(lambda: viewer.clients == 2)
    until(lambda: len(second.red()) > 500)
    second.close()
    until(lambda: viewer.clients == 1)
    time = viewer.session.data.time
    until(lambda: viewer.session.data.time > time + 0.1)
    page.close()
    until(lambda: viewer.clients == 0)
    until(lambda: "the browser was closed" in capfd.readouterr().err)
    assert viewer.running


def test_scrubber_goes_back(ball):
    viewer, page = ball
    until(lambda: viewer.session.data.time > 0.3)
    past = page.page.locator("input[inputmode]:visible").first
    past.fill("0")
    past.press("Enter")
    until(lambda: viewer.session.paused and viewer.session.data.time < 0.1)


def test_passive_viewer_shows_own_geoms_and_hears_keys(chromium):
    pytest.importorskip("viser", reason="viser is not installed; `make test-view` does it")
    from sinew import viewer

    model = sinew.MjModel.from_xml_string(_BALL.replace('rgba="1 0 0 1"', 'rgba="0 0 0 0"'))
    data = sinew.MjData(model)
    keys = []
    with viewer.launch_passive(model, data, key_callback=keys.append, port=0) as handle:
        handle.user_scn.ngeom = 1
        sinew.mjv_initGeom(handle.user_scn.geoms[0], sinew.mjtGeom.mjGEOM_SPHERE, [0.2] * 3, [0, 0, 0], None, [1, 0, 0, 1])
        page = Page(chromium, handle.url)

        def seen():
            sinew.mj_step(model, data)
            handle.sync()
            return len(page.red()) > 300

        until(seen)
        page.page.mouse.click(200, 500)
        page.page.keyboard.press("k")
        until(lambda: (handle.sync(), keys)[1])
        assert keys == [ord("K")]
        assert handle.viewport.width > 100
        page.close()
    assert not handle.is_running()


def test_batch_shows_all_worlds(chromium):
    pytest.importorskip("viser", reason="viser is not installed; `make test-view` does it")
    from sinew import viewer

    batch = sinew.Batch(sinew.MjModel.from_xml_string(_BALL), 9, device="cpu")
    with viewer.launch_batch(batch, port=0) as handle:
        page = Page(chromium, handle.url)
        until(lambda: (handle.sync(), len(page.red()))[1] > 500)
        alone = len(page.red())
        page.page.get_by_label("All worlds").click()
        until(lambda: (handle.sync(), not handle._viewer._panel.all_worlds)[1])
        until(lambda: (handle.sync(), len(page.red()) < 0.8 * alone)[1])
        assert np.isfinite(handle._viewer.session.data.qpos).all()
        page.close()


# ---- recordings ----


@pytest.fixture
def recording(tmp_path):
    """A page of a red ball that flies to the right."""
    model = sinew.MjModel.from_xml_string(_BALL)
    data = sinew.MjData(model)
    data.qvel[0] = 0.6
    page = sinew.Page(model, 30)
    for i in range(1000):
        if i % 16 == 0:
            page.add(data)
        sinew.mj_step(model, data)
    path = tmp_path / "run.html"
    page.save(path)
    return path


def test_recording_plays_from_a_file_without_a_network(chromium, recording):
    page = Page(chromium, f"file://{recording}", offline=True)
    until(lambda: len(page.red()) > 500)
    first = middle(page)[0]
    until(lambda: abs(middle(page)[0] - first) > 10)
    assert page.errors == []
    assert all(url.startswith(("file:", "blob:", "data:")) for url in page.requests), page.requests
    page.close()


def test_recording_stops_scrubs_and_turns(chromium, recording):
    page = Page(chromium, f"file://{recording}", offline=True)
    until(lambda: len(page.red()) > 500)
    page.page.get_by_role("button", name="pause").click()
    page.page.locator("#time").fill("0")
    start = middle(page)
    page.page.wait_for_timeout(300)
    assert middle(page) == start
    page.page.mouse.move(300, 300)
    far = len(page.red())
    page.page.mouse.wheel(0, -300)
    until(lambda: len(page.red()) > 1.2 * far)
    page.page.get_by_role("button", name="view").click()
    until(lambda: len(page.red()) < 1.1 * far)
    page.page.locator("#time").fill("50")
    assert middle(page)[0] > start[0] + 20
    page.page.mouse.move(300, 300)
    page.page.mouse.down()
    page.page.mouse.move(400, 330)
    page.page.mouse.up()
    assert page.page.evaluate("window.sinew.look.azimuth") < 90
    assert page.errors == []
    page.close()


def test_damaged_recording_says_so(chromium, recording):
    text = recording.read_text()
    at = text.index('type="text/plain">') + len('type="text/plain">')
    recording.write_text(text[:at] + "AAAA" + text[at + 400 :])
    page = Page(chromium, f"file://{recording}", offline=True)
    until(lambda: page.page.get_by_text("cannot be shown").count())
    page.close()


def test_recording_of_cloth_and_meshes_is_drawn(chromium, tmp_path):
    model = sinew.MjModel.from_xml_string("""<mujoco><statistic center="0 0 0" extent="1"/>
      <asset><mesh name="m" vertex="-.3 0 0 .3 0 0 0 .3 0 0 0 .4"/></asset><worldbody>
      <geom type="mesh" mesh="m" rgba="1 0 0 1" pos="-.4 0 0"/>
      <flexcomp name="f" type="grid" count="5 5 1" spacing=".1 .1 .1" dim="2" radius=".01" pos=".4 0 0" rgba="1 0 0 1">
      <pin id="0"/></flexcomp></worldbody></mujoco>""")
    data = sinew.MjData(model)
    made = sinew.Page(model)
    for _ in range(20):
        sinew.mj_step(model, data)
        made.add(data)
    made.save(tmp_path / "soft.html")
    page = Page(chromium, f"file://{tmp_path}/soft.html", offline=True)
    until(lambda: len(page.red()) > 500)
    columns = page.red()[:, 1]
    assert (columns < 440).sum() > 100 and (columns > 460).sum() > 100
    assert page.errors == []
    page.close()
