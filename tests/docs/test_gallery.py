"""The gallery shows every model that comes with the repository, with its sizes."""

import pathlib
import re

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "gallery.md").read_text()


def test_every_bundled_model_is_there_with_its_sizes():
    found = {path: told for path, told in re.findall(r"`([\w/.]+)` <br> ([^|]*?) \|", PAGE)}
    for path in sorted((ROOT / "models").glob("*.xml")):
        model = sinew.MjModel.from_xml_path(str(path))
        assert f"{model.nv} degrees of freedom" in found[str(path.relative_to(ROOT))], "make docs-pictures"


def test_every_picture_is_there():
    for name in re.findall(r"\((pictures/[\w.-]+)\)", PAGE):
        assert (ROOT / "docs" / name).stat().st_size > 500
