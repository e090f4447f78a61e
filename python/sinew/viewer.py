"""Stands where MuJoCo has its interactive viewer, so that programs that import it run; opening one raises.

Sinew draws images (sinew.Renderer) and opens no window. A viewer that was made for MuJoCo on viser, in the
browser, runs unchanged on Sinew: python -m sinew.standin VIEWER.py
"""

import sys

_ADVICE = ("Sinew opens no window. Images: sinew.Renderer. To look around in the browser, run a viewer that was made "
           "for MuJoCo on viser: python -m sinew.standin VIEWER.py")


def _refuse(name):
    raise NotImplementedError(f"viewer.{name}: {_ADVICE}")


def launch(model=None, data=None, *, loader=None, show_left_ui=True, show_right_ui=True):
    """Raises: there is no window."""
    _refuse("launch")


def launch_from_path(path):
    """Raises: there is no window."""
    _refuse("launch_from_path")


def launch_passive(model, data, *, key_callback=None, show_left_ui=True, show_right_ui=True):
    """Raises: there is no window."""
    _refuse("launch_passive")


def main(arguments):
    """Says what to do instead; the status of the process."""
    print(f"sinew.viewer: {_ADVICE}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
