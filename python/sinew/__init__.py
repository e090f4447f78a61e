"""Sinew: MuJoCo's answers, faster. Use it as `import sinew as mujoco`."""

from sinew._core import *  # noqa: F401,F403
