"""The console script `sinew`: the command line, with the engine of this package."""

import os
import signal
import sys

from sinew import _core


def main():
    """Run the command line with the words of sys.argv."""
    os.environ.setdefault("SINEW_PYTHON", sys.executable)  # what `sinew view` runs the viewer with
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the engine looks at no flags of Python
    sys.exit(_core._run_program(["sinew", *sys.argv[1:]]))
