"""Pages of a browser that playwright drives."""

import io
import time

import numpy as np


class Page:
    """A page of the browser that keeps what it complains about."""

    def __init__(self, browser, url, size=(900, 600), offline=False):
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        self.page = self.context.new_page()
        self.errors, self.requests = [], []
        # chromium says this of the handlers of three.js when a drag begins; nothing is wrong
        harmless = "Unable to preventDefault inside passive event listener"
        self.page.on("console", lambda m: m.type == "error" and harmless not in m.text and self.errors.append(m.text))
        self.page.on("pageerror", lambda e: self.errors.append(str(e)))
        self.page.on("request", lambda r: self.requests.append(r.url))
        if offline:
            self.context.set_offline(True)
        self.page.goto(url)

    def pixels(self):
        """What is seen, (rows, columns, 3)."""
        from PIL import Image

        return np.asarray(Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")).astype(int)

    def red(self):
        """Rows and columns of pixels that are red."""
        image = self.pixels()
        return np.argwhere((image[..., 0] > 90) & (image[..., 0] > 2.5 * image[..., 1]) & (image[..., 0] > 2.5 * image[..., 2]))

    def close(self):
        """Close the page."""
        self.context.close()


def until(condition, seconds=120):
    """Wait until a condition holds, and give its value."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.1)
    raise AssertionError(f"did not happen within {seconds} s")
