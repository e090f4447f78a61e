"""Stands where MuJoCo has its contexts of glfw: nothing of it is used."""

from sinew.gl_context import GLContext  # noqa: F401


def __getattr__(name):
    """The package glfw, which scripts import from here."""
    if name == "glfw":
        import glfw

        return glfw
    raise AttributeError(f"module 'sinew.glfw' has no attribute {name!r}")
