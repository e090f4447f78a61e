"""Look at a simulation in a browser: launch, launch_passive, and `python -m sinew.viewer MODEL`.

The viewer is a page that a small server on this machine serves (`viser`, the extra `sinew-physics[view]`), so that it
works on a laptop, over ssh and in a container. It listens on localhost unless told otherwise.

    sinew.viewer.launch(model)                       # runs the simulation; returns when the viewer is closed
    with sinew.viewer.launch_passive(model, data) as viewer:
        while viewer.is_running():                   # your program runs it
            sinew.mj_step(model, data)
            viewer.sync()
"""

import argparse
import contextlib
import io
import os
import queue
import socket
import sys
import threading
import time
import webbrowser

import numpy as np

import sinew
from sinew import visual
from sinew.view_pictures import Pictures, figure_image, pairs
from sinew.view_scene import records
from sinew.view_session import LoadError, Session, load_bytes, load_path
from sinew.view_worlds import Worlds

_PORT = 8080
_FRAME = 1 / 60
_PANEL = 1 / 8
_ADVICE = ("the viewer needs the package viser: pip install 'sinew-physics[view]' (or: pip install viser). "
           "Images without it: sinew.Renderer; a page that replays: sinew run MODEL --record out.html")
# keys of a browser as glfw numbers them, which is what key callbacks get
_KEYS = {"space": 32, "escape": 256, "enter": 257, "tab": 258, "backspace": 259, "insert": 260, "delete": 261,
         "arrowright": 262, "arrowleft": 263, "arrowdown": 264, "arrowup": 265, "pageup": 266, "pagedown": 267,
         "home": 268, "end": 269, **{c: ord(c) for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"}}


class ViewerError(RuntimeError):
    """The viewer cannot be opened; the text says why and what to do."""


def _viser():
    try:
        import viser
    except ImportError:
        raise ViewerError(_ADVICE) from None
    return viser


def _free_port(host, port):
    """The port to listen on: the one that was asked for, or the first free one from 8080 on."""
    for number in [port] if port is not None else range(_PORT, _PORT + 100):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, number))
                return probe.getsockname()[1]
            except (OSError, OverflowError) as error:
                reason = error
    if port is None:
        raise ViewerError(f"no free port of {host} from {_PORT} to {_PORT + 99}: {reason}")
    raise ViewerError(f"port {port} of {host} cannot be used: {reason}. Choose another (--port N), or leave it out to get a free one")


def _serve(host, port, label):
    """A server that says nothing of its own and offers no tunnel to the outside."""
    viser = _viser()
    with contextlib.redirect_stdout(io.StringIO()):
        server = viser.ViserServer(host=host, port=_free_port(host, port), label=label, verbose=False)

    def refuse(*_, **__):
        raise ViewerError("this viewer is for this machine: there is no tunnel to the outside")

    server.request_share_url = refuse
    server.gui.configure_theme(show_share_button=False, show_logo=False, control_width="large")
    return server


class Viewer:
    """One page: a session, its picture and its panel. All methods run on the thread of the simulation."""

    def __init__(self, session, host="127.0.0.1", port=None, *, folder=None, batch=None, key_callback=None,
                 show_panel=True):
        self.session, self.batch, self._folder = session, batch, folder
        self._worlds = None if batch is None else Worlds(batch)
        self._server = _serve(host, port, "Sinew")
        self.url = f"http://{'localhost' if host in ('127.0.0.1', '::1', '0.0.0.0') else host}:{self._server.get_port()}"
        self._commands = queue.SimpleQueue()
        self.running, self.clients, self.seen = True, 0, False
        self._panel_due = self._sample_due = 0.0
        from sinew.view_painter import Painter
        from sinew.view_panel import Panel

        self._painter = Painter(self._server, self._clicked, self._dragged)
        self._painter.clear(session.shapes)
        self._panel = Panel(self._server, session, self.do, self._load, self._quit, len(batch) if batch is not None else 0)
        if not show_panel:
            self._server.gui.configure_theme(control_layout="collapsible", show_logo=False, show_share_button=False)
        self._server.on_client_connect(self._connected)
        self._server.on_client_disconnect(self._disconnected)
        self._bind_keys(key_callback)
        self._place_camera()

    # ---- browsers ----

    def _connected(self, client):
        self.clients += 1
        self.seen = True
        self._aim(client)

    def _disconnected(self, client):
        self.clients -= 1
        if not self.clients and self.running:
            print(f"sinew.viewer: the browser was closed; the viewer goes on at {self.url} (Ctrl-C ends it)", file=sys.stderr)

    def do(self, action):
        """Run a function before the next step."""
        self._commands.put(action)

    def pump(self):
        """Do what browsers asked for. What fails is shown, and nothing else happens."""
        while not self._commands.empty():
            try:
                self._commands.get()()
            except Exception as error:
                self._panel.say(str(error))

    def _bind_keys(self, callback):
        own = {} if self.session.passive else {"space": self._panel._toggle, "arrowright": self.session.step_once,
                                               "backspace": self.session.reset}
        for key, action in own.items():
            if callback is None or key not in _KEYS:
                self._command(f"Sinew: {action.__name__.strip('_').replace('_', ' ')}", key, action)
        for key, code in _KEYS.items() if callback is not None else ():
            self._command(f"key {key}", key, lambda code=code: callback(code))

    def _command(self, label, key, action):
        self._server.gui.add_command(label, hotkey=key).on_trigger(lambda event: self.do(action))

    # ---- camera ----

    def _place_camera(self):
        """Where browsers that come see the model from; those that are here go there."""
        position, lookat = self.session.free_camera()
        extent = float(self.session.model.stat.extent)
        first = self._server.initial_camera
        first.position, first.look_at, first.up = tuple(position), tuple(lookat), (0.0, 0.0, 1.0)
        first.fov = float(np.radians(self.session.model.vis.global_.fovy))
        first.near, first.far = 0.01 * extent, 200 * extent
        self._camera = self.session.camera.__copy__()
        for client in self._server.get_clients().values():
            self._aim(client)

    def _aim(self, client):
        position, lookat = self.session.free_camera()
        with client.atomic():
            client.camera.up_direction = (0.0, 0.0, 1.0)
            client.camera.position, client.camera.look_at = position, lookat

    def _follow_camera(self):
        """Cameras of the model move the view; a program may move the free one."""
        if self._camera != self.session.camera:
            self._place_camera()
        if self._panel.camera < 0:
            return
        position, quat, angle = self.session.fixed_camera(self._panel.camera)
        for client in self._server.get_clients().values():
            if np.isfinite(position).all() and not np.allclose(client.camera.position, position, atol=1e-4):
                with client.atomic():
                    client.camera.wxyz, client.camera.position, client.camera.fov = quat, position, angle

    # ---- mouse ----

    def _clicked(self, row, event):
        self.do(lambda: self._select(row, event.ray_origin, event.ray_direction))

    def _select(self, row, origin, direction):
        s = self.session
        body, point = s.body_at(row), None
        if body > 0 and origin is not None and direction is not None:
            hit = np.full(1, -1, np.int32)
            distance = sinew.mj_ray(s.model, s.data, np.array(origin, float), np.array(direction, float), None, 1, -1, hit)
            if hit[0] >= 0 and s.model.geom_bodyid[hit[0]] == body:
                point = np.array(origin) + distance * np.array(direction)
        s.select(body, point)
        self._panel.show_selection()

    def _dragged(self, row, event, turning):
        turn = None
        if turning:
            last = getattr(self, "_mouse", None) if event.phase != "start" else None
            self._mouse = event.end_screen_pos
            turn = (0.0, 0.0) if last is None else (self._mouse[0] - last[0], self._mouse[1] - last[1])
        self.do(lambda: self._drag(event, row, turn))

    def _drag(self, event, row, turn):
        s = self.session
        body = s.body_at(row) if event.phase == "start" else s.perturb.select
        if body > 0:
            s.drag(event.phase, body, event.start_position, event.end_position, turn)
            self._panel.show_selection()

    # ---- models ----

    def _load(self, name, content):
        try:
            model = load_bytes(name, content, self._folder)
        except LoadError as error:
            self._panel.say(f"{error}\nThe old model stays.")
            return
        self.session.adopt(model)
        self._painter.clear(self.session.shapes)
        self._panel.build()
        self._panel.camera = -1
        self._place_camera()

    def _quit(self):
        self.running = False

    # ---- pictures ----

    def draw(self):
        """Send the present state to the browsers."""
        session = self.session
        label = ""
        if self.batch is not None:
            session.data = self.batch.copy_world(min(self._panel.world, len(self.batch) - 1), session.data)
            label = f"world {self._panel.world}: "
        geoms = session.update_scene()
        self._follow_camera()
        self.paint(geoms)
        now = time.monotonic()
        if now >= self._sample_due:
            self._sample_due = now + 1 / 30
            self._panel.sample()
        if now >= self._panel_due:
            self._panel_due = now + _PANEL
            with self._server.atomic():
                self._panel.refresh(label)

    def paint(self, geoms):
        """Send geoms of the scene, and those of the other worlds of a batch."""
        session = self.session
        copies = session.shapes.instances(geoms)
        if self.batch is not None and self._panel.all_worlds:
            copies = self._worlds.copies(copies, geoms, self._panel.world)
        self._painter.paint(session.shapes, copies, session.model, session.scene, geoms)

    def close(self):
        """End the viewer; pages that are open say that they lost it."""
        self.running = False
        with contextlib.redirect_stdout(io.StringIO()):
            self._server.stop()


# ---- a program that runs the simulation ----


def _of_session(name, meaning):
    """Property of a handle that is one of its session."""
    return property(lambda self: getattr(self._viewer.session, name), doc=meaning)


class Handle:
    """A viewer that a program keeps up to date with sync()."""

    def __init__(self, viewer):
        self._viewer, self._lock = viewer, threading.RLock()
        self._user = visual.MjvScene(viewer.session.model, 10000)
        self._images, self._figures = (Pictures(viewer._server.gui) for _ in range(2))
        self._due = threading.Event()
        self._painter = threading.Thread(target=self._paint, daemon=True)
        self._painter.start()

    cam = _of_session("camera", "The free camera; a change moves the view of all browsers.")
    opt = _of_session("option", "What is shown.")
    perturb = _of_session("perturb", "The selected body and what pulls at it.")
    m = _of_session("model", "The model.")
    d = _of_session("data", "The data.")

    @property
    def user_scn(self):
        """Geoms of your own that are drawn too: set ngeom and geoms."""
        return self._user

    @property
    def url(self):
        """Address of the page."""
        return self._viewer.url

    @property
    def viewport(self):
        """Size of the first browser's picture, None without a browser."""
        for client in self._viewer._server.get_clients().values():
            return sinew.MjrRect(0, 0, client.camera.image_width, client.camera.image_height)
        return None

    def is_running(self):
        """Whether the viewer is open: until close() or the page's Quit button."""
        return self._viewer.running

    def lock(self):
        """A context in which the viewer leaves model and data alone."""
        return self._lock

    def sync(self, state_only=False):
        """Show the present state, and do to the data what was done in the browser."""
        viewer, session = self._viewer, self._viewer.session
        if not viewer.running:
            return
        with self._lock:
            viewer.pump()
            pulled = session.perturb.select > 0 and session.perturb.active
            if pulled:
                session.data.xfrc_applied[session.perturb.select] = 0
                visual.mjv_applyPerturbForce(session.model, session.data, session.perturb)
            session.update_scene()
            self._add_user_geoms(session.scene)
        self._due.set()

    def _add_user_geoms(self, scene):
        count = min(self._user.ngeom, scene.maxgeom - scene.ngeom)
        first = scene.ngeom
        scene.ngeom = first + count
        records(scene)[first:] = records(self._user)[:count]

    def _paint(self):
        """Send the last scene that sync() left, at most 60 times a second."""
        while self._viewer.running:
            if not self._due.wait(0.1):
                continue
            self._due.clear()
            try:
                self._paint_once()
            except Exception as error:
                if self._viewer.running:
                    print(f"sinew.viewer: {error}", file=sys.stderr)
            time.sleep(_FRAME)

    def _paint_once(self):
        viewer = self._viewer
        with self._lock:
            viewer._follow_camera()
            viewer.paint(records(viewer.session.scene))
            now = time.monotonic()
            if now >= viewer._panel_due:
                viewer._panel_due = now + _PANEL
                viewer._panel.sample()
                viewer._panel.refresh()

    def update_hfield(self, hfieldid):
        """Show a height field whose data changed."""
        self._renew()

    def update_mesh(self, meshid):
        """Show a mesh whose vertices changed."""
        self._renew()

    def update_texture(self, texid):
        """Show a texture whose pixels changed."""
        self._renew()

    def _renew(self):
        with self._lock:
            self._viewer._painter.clear(self._viewer.session.shapes)

    def set_texts(self, texts):
        """Show texts, (font, place, left, right) or a list of such, as a notice in the page."""
        texts = [texts] if isinstance(texts, tuple) else texts
        lines = [f"**{left or ''}** {right or ''}" for _, _, left, right in texts]
        self._viewer._panel._error.content = "\n\n".join(lines)
        self._viewer._panel._error.visible = bool(lines)

    def clear_texts(self):
        """Take texts away."""
        self._viewer._panel.say("")

    def set_images(self, viewports_images):
        """Show images in the panel: (rectangle, pixels) or a list of such. Of the rectangle nothing is used."""
        self._images.show([image for _, image in pairs(viewports_images)])

    def clear_images(self):
        """Take images away."""
        self._images.clear()

    def set_figures(self, viewports_figures):
        """Show figures in the panel: (rectangle, MjvFigure) or a list of such, in the sizes of the rectangles."""
        self._figures.show([figure_image(*pair) for pair in pairs(viewports_figures)])

    def clear_figures(self):
        """Take figures away."""
        self._figures.clear()

    def close(self):
        """End the viewer."""
        if self._viewer.running:
            self._viewer.running = False
            if threading.current_thread() is not self._painter:
                self._painter.join(1)
            self._viewer.close()

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        self.close()


# ---- ways in ----


def _announce(viewer, open_browser):
    print(f"sinew.viewer: {viewer.url} (Ctrl-C ends it)", file=sys.stderr, flush=True)
    shown = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if open_browser and shown and not os.environ.get("SINEW_NO_BROWSER"):
        webbrowser.open(viewer.url)


def _run(viewer, limit=None):
    """The loop of a viewer that runs the simulation itself, from when the first browser is there."""
    began = time.monotonic()
    try:
        while viewer.running and (limit is None or time.monotonic() - began < limit):
            start = time.monotonic()
            viewer.pump()
            if viewer.seen:
                viewer.session.advance()
            if viewer.clients:
                viewer.draw()
            time.sleep(max(0.001, _FRAME - (time.monotonic() - start)))
    except KeyboardInterrupt:
        pass
    finally:
        viewer.close()


def launch(model=None, data=None, *, loader=None, show_left_ui=True, show_right_ui=True, host="127.0.0.1", port=None,
           open_browser=True, folder=None):
    """Run a simulation in the browser; returns when the viewer is closed. `loader` gives (model, data)."""
    if loader is not None:
        if model is not None:
            raise ValueError("give a model or a loader, not both")
        model, data, *_ = loader()
    if model is None:
        if data is not None:
            raise ValueError("mjData was specified but no mjModel")
        model = sinew.MjModel.from_xml_string("<mujoco><worldbody/></mujoco>")
    viewer = Viewer(Session(model, data), host, port, folder=folder, show_panel=show_left_ui or show_right_ui)
    _announce(viewer, open_browser)
    _run(viewer)


def launch_from_path(path, **options):
    """Run the model of a file in the browser."""
    launch(load_path(path), folder=os.path.dirname(os.path.abspath(path)), **options)


def launch_passive(model, data, *, key_callback=None, show_left_ui=True, show_right_ui=True, host="127.0.0.1",
                   port=None, open_browser=True):
    """Show a simulation that you run: a Handle, whose sync() sends the present state.

    key_callback gets the glfw number of each key that is pressed in a browser, at the next sync().
    """
    if not isinstance(model, sinew.MjModel):
        raise ValueError(f"`model` is not a MjModel: got {model!r}")
    if not isinstance(data, sinew.MjData):
        raise ValueError(f"`data` is not a MjData: got {data!r}")
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")
    viewer = Viewer(Session(model, data, passive=True), host, port, key_callback=key_callback,
                    show_panel=show_left_ui or show_right_ui)
    _announce(viewer, open_browser)
    handle = Handle(viewer)
    handle.sync()
    return handle


class BatchHandle:
    """A viewer of a batch: a selector of worlds, and all of them side by side."""

    def __init__(self, viewer):
        self._viewer = viewer

    @property
    def url(self):
        """Address of the page."""
        return self._viewer.url

    def is_running(self):
        """Whether the viewer is open."""
        return self._viewer.running

    def sync(self):
        """Show the present states."""
        if self._viewer.running:
            self._viewer.pump()
            self._viewer.draw()

    def close(self):
        """End the viewer."""
        if self._viewer.running:
            self._viewer.close()

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        self.close()


def launch_batch(batch, *, host="127.0.0.1", port=None, open_browser=True):
    """Show the worlds of a batch that you step: a BatchHandle, whose sync() sends the present states."""
    session = Session(batch.model, sinew.MjData(batch.model), passive=True)
    viewer = Viewer(session, host, port, batch=batch)
    _announce(viewer, open_browser)
    handle = BatchHandle(viewer)
    handle.sync()
    return handle


def main(arguments):
    """The command `python -m sinew.viewer`; the status of the process."""
    parser = argparse.ArgumentParser(prog="sinew view", description="Look at a model in the browser.")
    parser.add_argument("model", nargs="?", help="MJCF, URDF, .zip, .snb or .mjb; none: an empty world, drop a model on the page")
    parser.add_argument("--mjcf", help="the model, as MuJoCo's viewer takes it")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (this machine alone)")
    parser.add_argument("--port", type=int, help=f"port to listen on (the first free one from {_PORT} on)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    chosen = parser.parse_args(arguments)
    path = chosen.model or chosen.mjcf
    options = {"host": chosen.host, "port": chosen.port, "open_browser": not chosen.no_browser}
    try:
        launch_from_path(path, **options) if path else launch(**options)
    except (ViewerError, LoadError) as error:
        print(f"sinew.viewer: {error}", file=sys.stderr)
        return 2
    return 0


def command():
    """The command `sinew-view`."""
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
