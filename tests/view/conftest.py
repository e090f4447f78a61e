"""A browser for the tests of the viewer: Debian's chromium without a screen, driven by playwright.

`make test-view` installs both, and viser, into a virtual environment of their own.
"""

import os
import shutil
import threading

import pytest

_ARGUMENTS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]


@pytest.fixture(scope="session")
def chromium():
    """The browser."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; `make test-view` does it")
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not path:
        pytest.skip("chromium is not installed; `make test-view` does it")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def serve():
    """Open viewers that run simulations on threads; all are closed at the end."""
    pytest.importorskip("viser", reason="viser is not installed; `make test-view` does it")
    from sinew import viewer
    from sinew.view_session import Session

    running = []

    def begin(model, **options):
        shown = viewer.Viewer(Session(model), port=0, **options)
        thread = threading.Thread(target=viewer._run, args=(shown,), daemon=True)
        thread.start()
        running.append((shown, thread))
        return shown

    yield begin
    for shown, thread in running:
        shown.running = False
        thread.join(10)
