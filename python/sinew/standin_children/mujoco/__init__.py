"""What a process finds as `mujoco` when a program under the stand-in started it."""

import sys

import sinew.standin

del sys.modules[__name__]
sinew.standin.install()
