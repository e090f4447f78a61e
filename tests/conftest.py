import pathlib
import sys

import pytest
from sinew import _core

sys.path.insert(0, str(pathlib.Path(__file__).parent / "helpers"))


@pytest.fixture
def all_digits():
    """Saved numbers lose nothing."""
    _core.set_xml_precision(0)
    yield
    _core.set_xml_precision(6)
