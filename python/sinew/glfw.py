"""Stands where MuJoCo has its contexts of glfw: nothing of it is used."""

from sinew.gl_context import GLContext  # noqa: F401
