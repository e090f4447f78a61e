"""Threads that share what they should not take turns, and Ctrl-C ends what takes long."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import sinew

XML = """
<mujoco>
  <worldbody>
    <light pos="0 0 3"/><geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .1"><freejoint/><geom size=".1"/></body>
    <body pos="0 0 1"><joint name="j"/><geom size=".1" pos=".2 0 0"/></body>
  </worldbody>
  <actuator><motor joint="j"/></actuator>
</mujoco>
"""


def together(work, count=4):
    """Run it in several threads; exceptions of any arrive here."""
    problems = []

    def run(number):
        try:
            work(number)
        except Exception as problem:
            problems.append(problem)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems, problems


def test_threads_take_turns_with_a_data():
    """As many steps as in one thread, with its bits; other functions stand between whole steps."""
    model = sinew.MjModel.from_xml_string(XML)
    shared, alone = sinew.MjData(model), sinew.MjData(model)
    sinew.mj_step(model, alone, 4000)

    def work(number):
        for _ in range(1000):
            sinew.mj_step(model, shared)

    together(work)
    assert (shared.time, shared.qpos.tolist()) == (alone.time, alone.qpos.tolist())

    def mixed(number):
        for _ in range(500):
            (sinew.mj_step, sinew.mj_forward, sinew.mj_resetData, sinew.mj_inverse)[number](model, shared)

    together(mixed)
    assert np.isfinite(shared.qpos).all()


def test_callbacks_and_waiting_threads_do_not_lock():
    """A callback needs the interpreter while another thread waits for the data; it may call functions itself."""
    model = sinew.MjModel.from_xml_string(XML)
    data = sinew.MjData(model)
    calls = []

    def control(m, d):
        calls.append(sinew.mj_name2id(m, sinew.mjtObj.mjOBJ_BODY, "world"))
        sinew.mj_energyPos(m, d)

    sinew.set_mjcb_control(control)
    try:
        together(lambda number: [sinew.mj_step(model, data) for _ in range(200)])
    finally:
        sinew.set_mjcb_control(None)
    assert len(calls) == 800


def test_threads_take_turns_with_a_renderer():
    model = sinew.MjModel.from_xml_string(XML)
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    with sinew.Renderer(model, 48, 64) as renderer:
        renderer.update_scene(data)
        expected = renderer.render()

        def work(number):
            for _ in range(20):
                renderer.update_scene(data)
                assert (renderer.render() == expected).all()

        together(work)


def test_batches_have_the_same_bits_in_parts():
    """A long call is taken in parts, between which it can be interrupted."""
    model = sinew.MjModel.from_xml_string(XML)
    controls = np.random.default_rng(0).normal(size=(50, 3, model.nu))
    whole, single = sinew.Batch(model, 3), sinew.Batch(model, 3)
    whole.step(50, controls)
    for control in controls:
        single.step(1, control[None])
    assert (whole.qpos == single.qpos).all() and (whole.time == single.time).all()


@pytest.mark.parametrize("call", [
    "sinew.mj_step(model, data, 2**31 - 1)",
    "sinew.Batch(model, 20).step(2**31 - 1)",
    "rollout.rollout(model, data, state, nstep=2_000_000)",
    "rollout.rollout(model, [sinew.MjData(model) for _ in range(2)], state, nstep=2_000_000)",
])
def test_an_interrupt_ends_a_long_call(call):
    """The call would take minutes; it ends with KeyboardInterrupt instead, and everything can be used again."""
    script = f"""
import os, signal, threading
import numpy as np, sinew
from sinew import rollout
model = sinew.MjModel.from_xml_string('''{XML}''')
data = sinew.MjData(model)
state = np.zeros((1, sinew.mj_stateSize(model, sinew.mjtState.mjSTATE_FULLPHYSICS)))
sinew.mj_getState(model, data, state[0], sinew.mjtState.mjSTATE_FULLPHYSICS)
state = np.tile(state, (20, 1))
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore the signal
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    {call}
except KeyboardInterrupt:
    sinew.mj_step(model, data)
    print("interrupted", np.isfinite(data.qpos).all())
"""
    path = os.path.dirname(os.path.dirname(sinew.__file__))
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=200,
                            env=dict(os.environ, PYTHONPATH=path))
    assert result.stdout == "interrupted True\n", result.stderr
