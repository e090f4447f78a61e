"""Stands where MuJoCo has its OpenGL contexts; making one raises."""

from sinew.visual import GLContext  # noqa: F401
