"""Threads that share the step of one world, from Python."""

import copy
import pickle

import numpy as np
import pytest

import sinew

XML = """<mujoco><worldbody><geom type="plane" size="9 9 .1"/>
<replicate count="8" offset=".3 0 .01"><replicate count="4" offset="0 .3 .02"><body pos="0 0 .2"><freejoint/>
<geom type="capsule" size=".08 .1"/></body></replicate></replicate></worldbody></mujoco>"""


def run(model, threads):
    data = sinew.MjData(model)
    data.threads = threads
    assert data.threads == threads
    sinew.mj_step(model, data, 100)
    return data


def test_threads_share_a_step_with_the_same_bits():
    model = sinew.MjModel.from_xml_string(XML)
    alone = run(model, 1)
    assert alone.ncon > 20
    for threads in (2, 3):
        assert np.array_equal(run(model, threads).qpos, alone.qpos)


def test_copies_and_pickles_have_one_thread():
    model = sinew.MjModel.from_xml_string(XML)
    data = run(model, 3)
    for other in (copy.copy(data), copy.deepcopy(data), pickle.loads(pickle.dumps(data))):
        assert other.threads == 1
        sinew.mj_step(model, other, 20)
    sinew.mj_step(model, data, 20)
    assert np.array_equal(other.qpos, data.qpos)


def test_numbers_of_threads_are_checked():
    data = sinew.MjData(sinew.MjModel.from_xml_string(XML))
    with pytest.raises(ValueError, match="number of threads"):
        data.threads = -1
    data.threads = 0
    assert data.threads >= 1
