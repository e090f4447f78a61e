"""The panel beside the picture: everything that can be done to a session, as buttons, sliders and plots."""

import collections

import numpy as np

import sinew
from sinew import visual
from sinew._enums import mjtJoint, mjtObj

_SPEEDS = {"1/16": 1 / 16, "1/8": 1 / 8, "1/4": 1 / 4, "1/2": 1 / 2, "1": 1.0, "2": 2.0, "4": 4.0, "8": 8.0}
_SLIDERS = 60  # of a kind at once; a filter chooses among more
_TREE = 300
_SAMPLES = 400
_GROUPS = ("geom", "site", "joint", "tendon", "actuator", "flex", "skin")
_SEARCHED = (("body", mjtObj.mjOBJ_BODY, "nbody"), ("joint", mjtObj.mjOBJ_JOINT, "njnt"),
             ("geom", mjtObj.mjOBJ_GEOM, "ngeom"), ("site", mjtObj.mjOBJ_SITE, "nsite"))

# a file that is dropped anywhere on the page goes to the upload button
_DROP = """<div style="border:1px dashed #999;border-radius:4px;margin:0 0.8em 0.5em;padding:0.4em;text-align:center;
font-size:0.8em">drop an MJCF, a URDF or a .zip on the page</div>
<img style="display:none" src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" onload="
if (!window.sinewDrop) {
  window.sinewDrop = true;
  document.addEventListener('dragover', e => e.preventDefault());
  document.addEventListener('drop', e => {
    e.preventDefault();
    const input = document.querySelector('input[type=file]');
    if (!input || !e.dataTransfer.files.length) return;
    const files = new DataTransfer();
    files.items.add(e.dataTransfer.files[0]);
    input.files = files.files;
    input.dispatchEvent(new Event('change', {bubbles: true}));
  });
}">"""


class Panel:
    """Builds the panel for a session and keeps it up to date. `do(function)` runs a function between two steps."""

    def __init__(self, server, session, do, load, quit_viewer, worlds=0):
        self._server, self._gui, self._session, self._do = server, server.gui, session, do
        self._load, self._quit, self._worlds = load, quit_viewer, worlds
        self.world, self.all_worlds, self.camera = 0, worlds > 1, -1
        self._samples = collections.deque(maxlen=_SAMPLES)
        self._tabs = None
        if not worlds and not session.passive:
            self._build_upload()
        self.build()

    def _build_upload(self):
        """The controls that open another model; they stay when the panel of a model is replaced."""
        upload = self._gui.add_upload_button("Open a model", icon="upload", order=1e9)
        upload.on_upload(lambda event: self._do(lambda: self._load(upload.value.name, upload.value.content)))
        self._gui.add_html(_DROP, order=1e9 + 1)

    def build(self):
        """Replaces the panel of the last model by that of the present one."""
        if self._tabs is not None:
            self._tabs.remove()
        self._samples.clear()
        self._sliders = []
        self._tabs = self._gui.add_tab_group()
        for title, build in (("Run", self._build_run), ("Control", self._build_control), ("Watch", self._build_watch),
                             ("Show", self._build_show), ("Model", self._build_model)):
            with self._tabs.add_tab(title):
                build()

    # ---- helpers ----

    def _button(self, label, action, **more):
        button = self._gui.add_button(label, **more)
        button.on_click(lambda event: self._do(action))
        return button

    def _on_change(self, handle, action):
        """Call action(value) between two steps when a browser changes a control.

        A coroutine is called as soon as the value is there. A function would wait for a thread, in which time refresh()
        may write another value: sliders would now and then jump back.
        """

        async def changed(event):
            value = handle.value  # now: the panel may show another one when the action is done
            if event.client is not None:
                self._do(lambda: action(value))

        handle.on_update(changed)
        return handle

    # ---- run ----

    def _build_run(self):
        s, gui = self._session, self._gui
        self._status = gui.add_markdown("")
        self._error = gui.add_markdown("", visible=False)
        if not s.passive:
            self._play = self._button("Pause", self._toggle, icon="player-pause")
            self._button("Step", s.step_once, icon="player-track-next")
            self._button("Reset", s.reset, icon="refresh")
            self._on_change(gui.add_dropdown("Speed", tuple(_SPEEDS), initial_value="1"), self._set_speed)
            if s.model.nkey:
                names = s.names(mjtObj.mjOBJ_KEY, s.model.nkey)
                keys = gui.add_dropdown("Keyframe", tuple(f"{i}: {n}" for i, n in enumerate(names)))
                self._button("Load keyframe", lambda: s.reset(int(keys.value.split(":")[0])))
            self._scrubber = self._on_change(gui.add_slider("Past", 0, 1, 0.001, 1), s.scrub)
        cameras = ("free", *(f"{i}: {n}" for i, n in enumerate(s.names(mjtObj.mjOBJ_CAMERA, s.model.ncam))))
        self._on_change(gui.add_dropdown("Camera", cameras), self._set_camera)
        if self._worlds:
            self._on_change(gui.add_slider("World", 0, self._worlds - 1, 1, 0), lambda v: setattr(self, "world", int(v)))
            self._on_change(gui.add_checkbox("All worlds", self.all_worlds), lambda v: setattr(self, "all_worlds", v))
        self._button("Quit", self._quit, icon="power", color="gray")

    def _toggle(self):
        self._session.paused = not self._session.paused

    def _set_speed(self, name):
        self._session.speed = _SPEEDS[name]

    def _set_camera(self, name):
        self.camera = -1 if name == "free" else int(name.split(":")[0])

    def say(self, text):
        """Show an error, or take it away."""
        self._error.content = f"**Error**\n\n```\n{text}\n```" if text else ""
        self._error.visible = bool(text)

    # ---- control ----

    def _build_control(self):
        s = self._session
        m = s.model
        moving = [j for j in range(m.njnt) if m.jnt_type[j] in (mjtJoint.mjJNT_HINGE, mjtJoint.mjJNT_SLIDE)]
        actuators = list(zip(range(m.nu), s.names(mjtObj.mjOBJ_ACTUATOR, m.nu)))
        joints = [(j, s.names(mjtObj.mjOBJ_JOINT, m.njnt)[j]) for j in moving]
        for title, items, build in (("Actuators", actuators, self._actuator), ("Joints", joints, self._joint)):
            with self._gui.add_folder(f"{title} ({len(items)})"):
                self._filtered(items, build)

    def _filtered(self, items, build):
        made = []

        def fill(text):
            for handle, *_ in made:
                handle.remove()
            self._sliders = [entry for entry in self._sliders if entry not in made]
            chosen = [item for item in items if text.lower() in item[1].lower()][:_SLIDERS]
            made[:] = [build(*item) for item in chosen]
            self._sliders += made

        if len(items) > _SLIDERS:
            self._on_change(self._gui.add_text("Filter", ""), fill)
        if not items:
            self._gui.add_markdown("none")
        fill("")

    def _slider(self, name, low, high, value, action, read):
        low, high = float(low), float(high)
        if not low < high:
            low, high = low - 1, low + 1
        value = min(max(float(value), low), high) if np.isfinite(value) else low
        handle = self._gui.add_slider(name, low, high, (high - low) / 1000, value)
        self._on_change(handle, action)
        return handle, low, high, read

    def _actuator(self, i, name):
        m, d = self._session.model, self._session.data
        low, high = m.actuator_ctrlrange[i] if m.actuator_ctrllimited[i] else (-1, 1)
        return self._slider(name, low, high, d.ctrl[i], lambda v: self._session.set_control(i, v),
                            lambda: self._session.data.ctrl[i])

    def _joint(self, j, name):
        m = self._session.model
        address = int(m.jnt_qposadr[j])
        wide = (-np.pi, np.pi) if m.jnt_type[j] == mjtJoint.mjJNT_HINGE else (-2, 2)
        low, high = m.jnt_range[j] if m.jnt_limited[j] else wide
        return self._slider(name, low, high, self._session.data.qpos[address], lambda v: self._session.set_joint(j, v),
                            lambda: self._session.data.qpos[address])

    # ---- watch ----

    def _build_watch(self):
        s, gui = self._session, self._gui
        names = s.names(mjtObj.mjOBJ_SENSOR, s.model.nsensor)
        self._sensor = gui.add_dropdown("Sensor", tuple(f"{i}: {n}" for i, n in enumerate(names)) or ("none",))
        dims = int(s.model.sensor_dim[0]) if s.model.nsensor else 1
        self._plots = {"Sensor": (self._plot("Sensor", [str(i) for i in range(max(1, dims))]), max(1, dims))}
        self._plots["Energy"] = self._plot("Energy (J)", ["potential", "kinetic", "sum"]), 3
        self._plots["Solver"] = self._plot("Solver", ["iterations", "contacts", "rows"]), 3
        self._on_change(self._sensor, self._choose_sensor)

    def _plot(self, title, lines):
        colours = ("#e03131", "#1971c2", "#2f9e44", "#f08c00", "#9c36b5", "#0c8599", "#868e96")
        empty = tuple(np.zeros(1) for _ in range(len(lines) + 1))
        series = ({"label": "t"}, *({"label": n, "stroke": colours[i % len(colours)], "width": 1.5} for i, n in enumerate(lines)))
        return self._gui.add_uplot(empty, series, title=title, scales={"x": {"time": False}}, height=170)

    def _choose_sensor(self, name):
        if name == "none":
            return
        number = int(name.split(":")[0])
        plot, count = self._plots["Sensor"]
        wanted = int(self._session.model.sensor_dim[number])
        if wanted != count:
            plot.remove()
            with self._tabs_of_watch():
                self._plots["Sensor"] = self._plot("Sensor", [str(i) for i in range(wanted)]), wanted

    def _tabs_of_watch(self):
        return self._tabs._tab_handles[2]

    def sample(self):
        """Take numbers for the plots."""
        s = self._session
        m, d = s.model, s.data
        if self._samples and d.time < self._samples[-1][0]:
            self._samples.clear()
        if self._samples and d.time == self._samples[-1][0]:
            return
        sinew.mj_energyPos(m, d)
        sinew.mj_energyVel(m, d)
        iterations = int(d.solver_niter.max(initial=0))
        self._samples.append((float(d.time), float(d.energy[0]), float(d.energy[1]), iterations, d.ncon, d.nefc, d.sensordata.copy()))

    def _draw_plots(self):
        if len(self._samples) < 2:
            return
        rows = np.array([row[:6] for row in self._samples], float)
        t = rows[:, 0]
        self._plots["Energy"][0].data = (t, rows[:, 1], rows[:, 2], rows[:, 1] + rows[:, 2])
        self._plots["Solver"][0].data = (t, rows[:, 3], rows[:, 4], rows[:, 5])
        if self._sensor.value != "none":
            number = int(self._sensor.value.split(":")[0])
            m = self._session.model
            first, count = int(m.sensor_adr[number]), int(m.sensor_dim[number])
            plot, drawn = self._plots["Sensor"]
            if drawn == count:
                values = np.array([row[6][first : first + count] for row in self._samples])
                plot.data = (t, *(np.ascontiguousarray(values[:, i]) for i in range(count)))

    # ---- show ----

    def _build_show(self):
        option, gui = self._session.option, self._gui
        for title, names, field in (("Label", visual.mjLABELSTRING, "label"), ("Frame", visual.mjFRAMESTRING, "frame")):
            self._on_change(gui.add_dropdown(title, names, initial_value=names[getattr(option, field)]),
                            lambda v, names=names, field=field: setattr(option, field, names.index(v)))
        with gui.add_folder("Flags"):
            for i, (name, _, _) in enumerate(visual.mjVISSTRING):
                self._on_change(gui.add_checkbox(name, bool(option.flags[i])),
                                lambda v, i=i: option.flags.__setitem__(i, v))
        for kind in _GROUPS:
            flags = getattr(option, f"{kind}group")
            with gui.add_folder(f"{kind.capitalize()} groups", expand_by_default=kind == "geom"):
                for i in range(len(flags)):
                    self._on_change(gui.add_checkbox(f"{kind} {i}", bool(flags[i])),
                                    lambda v, i=i, flags=flags: flags.__setitem__(i, v))

    # ---- model ----

    def _build_model(self):
        gui, s = self._gui, self._session
        self._found = [(f"{kind} {name}", kind, i) for kind, obj, count in _SEARCHED
                       for i, name in enumerate(s.names(obj, getattr(s.model, count)))]
        search = gui.add_text("Search", "")
        self._matches = gui.add_dropdown("Found", tuple(name for name, _, _ in self._found[:_TREE]))
        self._on_change(search, self._search)
        self._on_change(self._matches, self._choose)
        self._details = gui.add_markdown("click a body, or choose one")
        self._tree = gui.add_markdown(self._tree_text(""))

    def _search(self, text):
        text = text.lower()
        names = tuple(n for n, _, _ in self._found if text in n.split(" ", 1)[1].lower() or n.lower().startswith(text + " "))[:_TREE]
        self._matches.options = names or ("nothing",)
        self._tree.content = self._tree_text(text)
        if names:
            self._choose(names[0])

    def _choose(self, name):
        s = self._session
        for found, kind, i in self._found:
            if found == name:
                owner = {"body": None, "joint": s.model.jnt_bodyid, "geom": s.model.geom_bodyid, "site": s.model.site_bodyid}
                s.select(i if kind == "body" else int(owner[kind][i]))
                self.show_selection()
                return

    def show_selection(self):
        """Show the selected body."""
        body = self._session.perturb.select
        self._details.content = self._session.describe(body) if body else "click a body, or choose one"

    def _tree_text(self, text):
        m = self._session.model
        names = self._session.names(mjtObj.mjOBJ_BODY, m.nbody)
        depth, lines = [0] * m.nbody, []
        for i in range(m.nbody):
            depth[i] = depth[m.body_parentid[i]] + 1 if i else 0
            plain = names[i].replace("*", "\\*").replace("_", "\\_")
            match = text and text.lower() in names[i].lower()
            if len(lines) < _TREE:
                lines.append("  " * depth[i] + f"- {f'**{plain}**' if match else plain}")
        return "\n".join(lines) + (f"\n- and {m.nbody - _TREE} more" if m.nbody > _TREE else "")

    # ---- upkeep ----

    def refresh(self, label=""):
        """Show the present numbers; called a few times a second."""
        s = self._session
        self._status.content = f"{label}{s.status()}"
        if not s.passive:
            label = "Play" if s.paused else "Pause"
            if self._play.label != label:
                self._play.label, self._play.icon = label, f"player-{label.lower()}"
            last = len(s.history) - 1
            self._scrubber.value = 1.0 if s.place < 0 or last < 1 else s.place / last
        for handle, low, high, read in self._sliders:
            value = float(read())
            if np.isfinite(value) and abs(value - handle.value) > (high - low) / 500:
                handle.value = min(max(value, low), high)
        self._draw_plots()
