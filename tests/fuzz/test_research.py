"""Models as people of the field write them, with odd features combined: MuJoCo's numbers in every field."""

import importlib.util
import pathlib

import pytest

HERE = pathlib.Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("fuzzer", HERE / "differential.py")
fuzzer = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(fuzzer)


@pytest.mark.parametrize("name", sorted(path.stem for path in (HERE / "research").glob("*.xml")))
def test_every_field_is_mujocos(name):
    xml = (HERE / "research" / f"{name}.xml").read_text()
    assert fuzzer.apart(xml, steps=20, compare=fuzzer.world_difference, files={}) is None
