"""Files that Python writes are replaced whole."""

import os
import signal
import subprocess
import sys
import threading

import pytest

import sinew
from sinew._replace import replaced

FOREVER = """
import sys
from sinew._replace import replaced
for letter in "ab" * 10**9:
    with replaced(sys.argv[1]) as file:
        file.write(letter * 10**6)
    print(letter, flush=True)
"""


def test_a_process_that_is_killed_leaves_a_whole_file(tmp_path):
    path = tmp_path / "file"
    with subprocess.Popen([sys.executable, "-c", FOREVER, path], stdout=subprocess.PIPE) as process:
        for _ in range(5):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    text = path.read_text()
    assert len(text) == 10**6 and len(set(text)) == 1


def test_an_exception_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError):
        with replaced(path) as file:
            file.write("new")
            1 / 0
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["file"]


def test_links_rights_and_pipes_stay(tmp_path):
    path, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    with replaced(link) as file:
        file.write("new")
    assert link.is_symlink() and path.read_text() == "new" and path.stat().st_mode & 0o7777 == 0o640
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    with replaced(pipe) as file:
        file.write("through")
    reader.join()
    assert read == ["through"]


def test_an_archive_that_cannot_be_written_leaves_the_old_one(tmp_path):
    spec = sinew.MjSpec.from_string("<mujoco/>")
    spec.to_zip(tmp_path / "model.zip")
    good = (tmp_path / "model.zip").read_bytes()
    spec.assets["broken"] = object()  # not bytes
    with pytest.raises(Exception):
        spec.to_zip(tmp_path / "model.zip")
    assert (tmp_path / "model.zip").read_bytes() == good
    del spec.assets["broken"]
    sinew.MjSpec.from_zip(tmp_path / "model.zip").compile()
