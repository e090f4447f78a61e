"""What Gymnasium's render_mode="human" opens under the stand-in: the viewer in the browser, in place of a window."""

import sys
import time

import numpy as np

from sinew import visual, viewer
from sinew._enums import mjtGeom


class WindowViewer:
    """Gymnasium's class of that name: shows the data whenever render() is called, at most in real time."""

    def __init__(self, model, data, width=None, height=None, max_geom=1000, visual_options=None):
        self.model, self.data, self.width, self.height = model, data, width, height
        self._handle = viewer.launch_passive(model, data)
        self.cam, self.vopt, self.pert = self._handle.cam, self._handle.opt, self._handle.perturb
        for flag, value in (visual_options or {}).items():
            self.vopt.flags[flag] = value
        self._markers, self._overlays = [], {}
        self._clock = None

    def add_overlay(self, gridpos, text1, text2):
        """Show two texts beside one another."""
        self._overlays[gridpos, text1] = text2

    def add_marker(self, **marker):
        """Draw a geom in the next picture: type, size, pos, mat, rgba."""
        self._markers.append(marker)

    def make_context_current(self):
        """Nothing: there is no context."""

    def free(self):
        """Close it."""
        self.close()

    def render(self):
        """Show the present state; waits where the simulation is ahead of time."""
        scene = self._handle.user_scn
        scene.ngeom = min(len(self._markers), scene.maxgeom)
        for geom, marker in zip(scene.geoms, self._markers[: scene.ngeom]):
            kind = marker.get("type", mjtGeom.mjGEOM_SPHERE)
            visual.mjv_initGeom(geom, kind, np.broadcast_to(marker.get("size", 0.1), 3), marker.get("pos"), marker.get("mat"),
                                marker.get("rgba"))
        self._markers.clear()
        if self._overlays:
            self._handle.set_texts([(None, None, left, right) for (_, left), right in self._overlays.items()])
            self._overlays.clear()
        self._handle.sync()
        self._wait()

    def _wait(self):
        now, simulated = time.monotonic(), float(self.data.time)
        if self._clock is None or simulated < self._clock[1] or now - self._clock[0] > simulated - self._clock[1] + 0.5:
            self._clock = now, simulated
        time.sleep(min(0.1, max(0.0, simulated - self._clock[1] - (now - self._clock[0]))))

    def close(self):
        """Close the viewer."""
        self._handle.close()


def load(module):
    """Load Gymnasium's module of windows, with this one."""
    module.__loader__.exec_module(module)
    module.WindowViewer = WindowViewer
    if not hasattr(module, "MujocoRenderer"):
        print("sinew.standin: this version of Gymnasium draws windows in another way", file=sys.stderr)
