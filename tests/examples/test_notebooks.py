"""The notebooks of examples/notebooks run from top to bottom, and what they assert of themselves holds.

With nbclient (`make test-notebooks`, which leaves them with their results in BUILD/notebooks for the site) as notebooks; without,
as plain programs whose plots go nowhere.
"""

import json
import os
import pathlib
import subprocess
import sys

import pytest

import sinew

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
QUICK = ("01", "02", "05")  # a second each
PLOTS = """
import sys
from unittest.mock import MagicMock
plots = MagicMock()
plots.subplots = lambda rows=1, columns=1, **more: (MagicMock(), [MagicMock() for _ in range(columns)] if columns > 1 else MagicMock())
sys.modules["matplotlib"], sys.modules["matplotlib.pyplot"] = MagicMock(pyplot=plots), plots
"""
pytestmark = pytest.mark.filterwarnings("ignore")


def cells(path):
    return [cell for cell in json.loads(path.read_text())["cells"]]


def environment():
    return dict(os.environ, PYTHONPATH=str(pathlib.Path(sinew.__file__).absolute().parents[1]))


def test_there_are_five():
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_kept_without_results(path):
    for cell in cells(path):
        assert not cell.get("outputs") and not cell.get("execution_count")
    assert cells(path)[0]["cell_type"] == "markdown" and "".join(cells(path)[0]["source"]).startswith("# ")


@pytest.mark.parametrize("path", [pytest.param(p, id=p.stem, marks=() if p.stem[:2] in QUICK else pytest.mark.full)
                                  for p in NOTEBOOKS])
def test_notebook_runs_as_a_program(path):
    code = "\n\n".join("".join(cell["source"]) for cell in cells(path) if cell["cell_type"] == "code")
    done = subprocess.run([sys.executable, "-"], input=PLOTS + code, cwd=FOLDER, env=environment(), text=True, capture_output=True)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_as_a_notebook(path):
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: make test-notebooks")
    nbformat = pytest.importorskip("nbformat")
    os.environ.update(environment())
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(FOLDER)}}).execute()
    out = os.environ.get("NOTEBOOKS_OUT")
    if out:
        pathlib.Path(out).mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, pathlib.Path(out) / path.name)
    drawn = sum("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))
    assert drawn >= 2
