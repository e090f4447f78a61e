"""A bar that shows how far a long call has come."""

import sys
import time


class Bar:
    """Called with the steps (or items) done and in all; writes one line to a stream, over and over."""

    WIDTH = 30

    def __init__(self, title, stream=None, unit="steps"):
        self._title, self._stream, self._unit = title, stream or sys.stderr, unit
        self._start = time.monotonic()

    def __call__(self, done, total):
        seconds = time.monotonic() - self._start
        share = done / total if total else 1.0
        filled = int(self.WIDTH * share)
        left = f", {seconds * (1 - share) / share:.0f} s left" if 0 < share < 1 else ""
        self._stream.write(
            f"\r{self._title} |{'#' * filled}{' ' * (self.WIDTH - filled)}| {100 * share:3.0f} %, {seconds:.0f} s"
            f"{left}, {done / max(seconds, 1e-9):.3g} {self._unit}/s   " + ("\n" if done >= total else ""))
        self._stream.flush()


def reporter(progress, title, unit="steps"):
    """What `progress=` asks for: None, a bar, or the user's own function."""
    if progress is None or progress is False:
        return None
    return Bar(title, unit=unit) if progress is True else progress
