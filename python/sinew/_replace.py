"""Files that are replaced whole: a process that is killed while it writes leaves the old one."""

import contextlib
import os
import tempfile


@contextlib.contextmanager
def replaced(path, mode="w", **options):
    """Open a file beside the one of that path, and put it in its place when all is written."""
    path = os.path.realpath(os.fspath(path))
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe, a device
        with open(path, mode, **options) as file:
            yield file
        return
    number, beside = tempfile.mkstemp(prefix=os.path.basename(path) + ".", suffix=".tmp", dir=os.path.dirname(path))
    try:
        with open(number, mode, **options) as file:
            yield file
            file.flush()
            os.fsync(number)
        os.chmod(beside, _rights(path))
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def _rights(path):
    """Those of the old file, or what a new one gets."""
    try:
        return os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
