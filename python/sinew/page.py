"""Recordings: one page of HTML that replays a simulation, in a notebook or in any browser, without a network.

    sinew.show(model, qpos)                   # (frames, nq); the last expression of a notebook's cell shows it
    sinew.show(model, qpos).save("run.html")

    page = sinew.Page(model, rate=30)         # or frame by frame
    page.add(data)
    page.save("run.html")
"""

import html

import numpy as np

from sinew import _core, _enums, visual
from sinew._replace import replaced

_FULL = int(_enums.mjtState.mjSTATE_FULLPHYSICS)


class Page:
    """A recording of a model, `rate` frames a second, seen at first by a camera (name, number or MjvCamera)."""

    def __init__(self, model, rate=30.0, camera=None):
        self._model = model
        self._camera = self._chosen(camera)
        self._page = _core._Page(model, self._camera._address, float(rate))
        self._text, self.frames = None, 0

    def _chosen(self, camera):
        if isinstance(camera, visual.MjvCamera):
            return camera
        found = visual.MjvCamera()
        visual.mjv_defaultFreeCamera(self._model, found)
        if isinstance(camera, str):
            number = _core.mj_name2id(self._model, int(_enums.mjtObj.mjOBJ_CAMERA), camera)
            if number < 0:
                raise ValueError(f'The camera "{camera}" does not exist.')
            camera = number
        if camera is not None and camera != -1:
            if not 0 <= camera < self._model.ncam:
                raise ValueError(f"The camera id {camera} is out of range [-1, {self._model.ncam}).")
            found.type, found.fixedcamid = int(_enums.mjtCamera.mjCAMERA_FIXED), int(camera)
        return found

    def add(self, data):
        """Add the present state of data."""
        self._page.add(self._model, data)
        self._text = None
        self.frames += 1

    @property
    def html(self):
        """The page as text."""
        if not self.frames:
            raise ValueError("the recording has no frame")
        if self._text is None:
            self._text = self._page.finish(self._model)
        return self._text

    def save(self, path):
        """Write the page to a file, which takes the place of an old one when it is whole."""
        text = self.html
        with replaced(path, encoding="utf-8") as file:
            file.write(text)

    def _repr_html_(self):
        return (f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="480" '
                'style="border:0" title="recording"></iframe>')


def _rows(model, trajectory):
    """A trajectory as rows, and what each of them holds."""
    rows = np.asarray(trajectory, float)
    if rows.ndim == 3 and len(rows) == 1:
        rows = rows[0]
    if rows.ndim == 1:
        rows = rows[None]
    sizes = {model.nq: "qpos", _core.mj_stateSize(model, _FULL): "state"}
    if rows.ndim != 2 or rows.shape[1] not in sizes or not len(rows):
        raise ValueError(f"a trajectory is (frames, nq = {model.nq}), or (frames, {_core.mj_stateSize(model, _FULL)}) states as "
                         f"rollout gives them; got {np.shape(trajectory)}")
    return rows, sizes[rows.shape[1]]


def show(model, trajectory, *, timestep=None, rate=30.0, camera=None):
    """A recording of a trajectory: a Page, which a notebook shows.

    trajectory: positions (frames, nq) or states of physics (frames, nstate) as sinew.rollout gives them, one every
    `timestep` seconds (the model's, if None); frames are taken from it `rate` times a second.
    """
    rows, kind = _rows(model, trajectory)
    timestep = float(model.opt.timestep) if timestep is None else float(timestep)
    if not timestep > 0 or not rate > 0:
        raise ValueError("timestep and rate are positive")
    page = Page(model, rate, camera)
    data = _core.MjData(model)
    count = max(1, int(np.floor((len(rows) - 1) * timestep * rate + 1e-9)) + 1)
    for i in np.minimum(np.round(np.arange(count) / (rate * timestep)), len(rows) - 1).astype(int):
        if kind == "qpos":
            data.qpos[:] = rows[i]
            data.time = i * timestep
        else:
            _core.mj_setState(model, data, rows[i], _FULL)
        _core.mj_forward(model, data)
        page.add(data)
    return page
