"""Whole numbers may come as what a comparison of NumPy, an array without a shape or a fraction gives, as with MuJoCo."""

import decimal
import fractions

import mujoco
import numpy as np
import pytest

import sinew

XML = '<mujoco><worldbody><body name="a"><joint/><geom size="1"/></body></worldbody></mujoco>'


class Int:
    def __int__(self):
        return 1

    def __repr__(self):  # the name of a test: an address would differ between processes
        return "Int()"


class Index:
    def __index__(self):
        return 1

    def __repr__(self):
        return "Index()"


TAKEN = [True, np.True_, np.int8(1), np.uint64(1), np.array(1), np.array(True), np.float32(1.5), np.float16(1), np.array(1.0),
         fractions.Fraction(3, 2), decimal.Decimal(1), Int(), Index()]
REFUSED = [1.0, np.float64(1), "1", b"1", None, 1j, [1], 2**31, 2**63, -(2**31) - 1]


def places(engine):
    """Functions and attributes that take a whole number, and what comes of it."""
    model = engine.MjModel.from_xml_string(XML)
    spec, visual = engine.MjSpec(), engine.MjvPerturb()
    body, geom = spec.worldbody.add_body(), spec.worldbody.add_geom()

    def put(owner, name, value):
        setattr(owner, name, value)
        return int(getattr(owner, name))

    return [
        lambda value: engine.mj_id2name(model, engine.mjtObj.mjOBJ_BODY, value),
        lambda value: put(model.opt, "iterations", value),
        lambda value: put(geom, "group", value),
        lambda value: put(body, "mocap", value),
        lambda value: put(visual, "select", value),
        lambda value: spec.worldbody.add_body(mocap=value).mocap,
        lambda value: list(spec.add_mesh(userface=[value, 0, 0]).userface) if not isinstance(value, Int) else 0,
        lambda value: int(engine.mjtJoint(value)),
        lambda value: model.body(value).name,
    ]


@pytest.mark.parametrize("value", TAKEN, ids=repr)
def test_what_stands_for_an_integer_is_taken(value):
    for number, (theirs, ours) in enumerate(zip(places(mujoco), places(sinew))):
        assert ours(value) == theirs(value), number


@pytest.mark.parametrize("value", REFUSED, ids=repr)
def test_floats_texts_and_large_numbers_are_refused(value):
    for engine in (mujoco, sinew):
        for number, place in enumerate(places(engine)[:7]):
            if value is None and number in (5, 6):
                continue  # a keyword that is None is not given
            with pytest.raises(TypeError):
                place(value)
                pytest.fail(f"{engine.__name__} {number}")
