"""The viewer: processor time to make one frame of 100 humanoids, and the messages that it takes.

    view.py [--frames N] [--out FOLDER]

Needs the extra `sinew-physics[view]`. The scene is updated in both loops; the difference is what a frame costs.
"""

import argparse
import json
import pathlib
import time

import scenes

import sinew
from sinew import viewer
from sinew.view_session import Session


def measure(frames):
    """Milliseconds of a frame, and the messages that the socket's queue got for one."""
    batch = sinew.Batch(sinew.MjModel.from_xml_path(str(scenes.ROOT / "models" / "humanoid.xml")), 100, device="cpu")
    shown = viewer.Viewer(Session(batch.model, passive=True), port=0, batch=batch)
    sent = []
    try:
        shown.draw()
        batch.step(5)
        socket = shown._server._websock_server
        queue = socket.queue_message
        socket.queue_message = lambda message: (sent.append(message), queue(message))
        shown._panel_due = shown._sample_due = 1e18
        shown.draw()
        messages = len(sent)
        seconds = []
        for _ in range(frames):
            batch.step(1)
            geoms = shown.session.update_scene()
            began = time.process_time()
            shown.paint(geoms)
            seconds.append(time.process_time() - began)
    finally:
        shown.close()
    return 1e3 * min(seconds), 1e3 * sorted(seconds)[frames // 2], messages


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=100)
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    least, median, messages = measure(arguments.frames)
    print(f"a frame of 100 humanoids: {least:.2f} ms to make ({median:.2f} in the median), in {messages} parts of one message")
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / "view.json").write_text(json.dumps({"ms": least, "median_ms": median, "parts": messages}, indent=1))


if __name__ == "__main__":
    main()
