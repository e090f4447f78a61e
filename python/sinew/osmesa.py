"""Stands where MuJoCo has its contexts of osmesa: nothing of it is used."""

from sinew.gl_context import GLContext  # noqa: F401
