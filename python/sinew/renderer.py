"""Stands where MuJoCo has its renderer; making one raises."""

from sinew.visual import Renderer  # noqa: F401
