"""Stands where MuJoCo has its viewer, so that programs that import it run; opening one raises."""


def _refuse(name):
    raise NotImplementedError(f"viewer.{name} opens a window, and Sinew has no renderer; watch the states with MuJoCo")


def launch(model=None, data=None, *, loader=None, show_left_ui=True, show_right_ui=True):
    """Needs a renderer."""
    _refuse("launch")


def launch_from_path(path):
    """Needs a renderer."""
    _refuse("launch_from_path")


def launch_passive(model, data, *, key_callback=None, show_left_ui=True, show_right_ui=True):
    """Needs a renderer."""
    _refuse("launch_passive")
