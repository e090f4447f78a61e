"""Small scenes for the acceptance tests: MuJoCo compiles the text, our engine runs it."""

import mujoco
import numpy as np

from sinew import _core, bridge


class Scene:
    """One model in both engines; arrays of ours are flat views by name."""

    def __init__(self, xml):
        self.mj = mujoco.MjModel.from_xml_string(xml)
        self.reset()

    def reset(self):
        """Fresh data, and our model again from MuJoCo's (whose options a test may have changed)."""
        self.mjd = mujoco.MjData(self.mj)
        self.m = bridge.model_from_mujoco(self.mj)
        self.d = _core.MjData(self.m)
        return self

    def set(self, **values):
        """Write parts of state arrays in both engines: name=array or name={index: value}."""
        for name, value in values.items():
            for array in (getattr(self.mjd, name), self[name]):
                if isinstance(value, dict):
                    for index, entry in value.items():
                        array[index] = entry
                else:
                    array[:] = value
        return self

    def __getitem__(self, name):
        return getattr(self.d, name).reshape(-1)

    def forward(self):
        _core.mj_forward(self.m, self.d)
        mujoco.mj_forward(self.mj, self.mjd)
        return self

    def step(self, count=1):
        for _ in range(count):
            _core.mj_step(self.m, self.d)
            mujoco.mj_step(self.mj, self.mjd)
        return self

    def same(self, *names, tolerance=1e-10):
        """Fields of both engines agree."""
        for name in names:
            theirs = np.asarray(getattr(self.mjd, name)).reshape(-1)
            np.testing.assert_allclose(self[name], theirs, rtol=0, atol=tolerance, err_msg=name)
        return self
