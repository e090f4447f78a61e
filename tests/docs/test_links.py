"""The checker of links finds what it is there to find; over the pages of the project it is the ctest `links`."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

PAGE = """# A page

## Some `code`, here

[fine](#some-code-here) [fine](other.md#there) [fine](other.md) ![picture](a.png)
{}

```
[not a link](nowhere.md)
```
"""


def check(folder, line):
    (folder / "page.md").write_text(PAGE.format(line))
    (folder / "other.md").write_text("# Other\n\n## There\n")
    (folder / "a.png").write_bytes(b"")
    done = subprocess.run([sys.executable, ROOT / "tools" / "check_links.py", folder / "page.md"], capture_output=True, text=True)
    return done.returncode, done.stdout


def test_sound_page_passes(tmp_path):
    assert check(tmp_path, "")[0] == 0


def test_dead_links_anchors_pictures_and_files_are_found(tmp_path):
    for line, words in (
        ("[gone](gone.md)", "gone.md does not exist"),
        ("[gone](#gone)", "no such heading"),
        ("[gone](other.md#gone)", "no such heading"),
        ("![gone](gone.png)", "gone.png does not exist"),
        ("see `docs/gone.md`", "`docs/gone.md` does not exist"),
    ):
        code, told = check(tmp_path, line)
        assert code == 1 and words in told and "page.md:6" in told, line
