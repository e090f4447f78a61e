"""Composite cables against MuJoCo 3.5.0."""

import mujoco
import numpy as np
import pytest
import sinew

DEFAULT = '<default><geom rgba="0 1 0 1" density="7"/><joint damping="3"/></default>'
CAPSULE = '<geom type="capsule" size=".01"/>'
BOX = '<geom type="box" size=".03 .01 .005"/>'
CYLINDER = '<geom type="cylinder" size=".01" rgba="1 0 0 1" density="300" contype="2" group="2"/>'
JOINT = ('<joint kind="main" damping=".1" stiffness="2" armature=".01" range="0 30" '
         'frictionloss=".2"/><site size=".02"/>')


def cable(attributes, children=CAPSULE):
    return f'<composite type="cable" {attributes}>{children}</composite>'


CASES = {
    "straight": cable('count="5 1 1" size="1" curve="s 0 0"'),
    "helix": cable('prefix="c" count="9" size="1 .5 2" curve="s cos(s) sin(s)" offset="1 2 3" '
                   'quat="1 2 3 4" initial="free"', CYLINDER + JOINT),
    "fixed": cable('count="11" size="1 .5 1" curve="cos(s) sin(s) 0" initial="none"', BOX),
    "skin": cable('count="11" size="1 .5 1" curve="cos(s) sin(s) 0"',
                  BOX + '<skin texcoord="true" rgba="1 .5 0 1" group="2"/>'),
    "subgrid": cable('count="4" size="1 .5 1" curve="cos(s) sin(s) 0"', BOX + '<skin subgrid="3"/>'),
    "vertices": cable('vertex="0 0 0 .1 0 0 .2 .1 .1 .3 .2 .5 .4 .4 .4"'),
    "straight_start": cable('vertex="0 0 0 .1 0 0 .2 0 0 .3 .2 .5 .4 .4 .4"'),
    "along_y": cable('count="6" size="1" curve="0 s 0"'),
    "along_z": cable('count="6" size="1" curve="0 0 s"'),
    "one_segment": cable('count="2" size="1" curve="s"'),
    "in_frame": '<body pos="1 2 3"><geom size="1"/><frame pos="1 1 1" euler="10 20 30">'
                + cable('count="6" size="1" curve="s 0 s"')
                + '</frame><geom size="2"/><body><geom size=".1"/></body></body>',
    "replicated": '<replicate count="3" offset="0 1 0" euler="0 0 20">'
                  + cable('prefix="a" count="4" size="1" curve="s"') + "</replicate>",
    "replicated_in_body": '<body pos="1 0 0"><replicate count="2" offset="0 1 0"><body>'
                          + cable('count="4" size="1" curve="s" initial="none"')
                          + "</body></replicate></body>",
    "two": cable('prefix="a" count="6" size="1" curve="s"')
           + cable('prefix="b" count="6" size="1" curve="s" offset="0 1 0"'),
}


@pytest.mark.parametrize("name", CASES)
def test_cable(name):
    xml = f"<mujoco>{DEFAULT}<worldbody>{CASES[name]}</worldbody></mujoco>"
    reference = mujoco.MjModel.from_xml_string(xml)
    model = sinew.MjModel.from_xml_string(xml)
    assert bytes(model.names) == bytes(reference.names)
    for field in dir(reference):
        if field.startswith("_"):  # _sizes counts the bytes of the buffer, which has fields of our own
            continue
        x = getattr(reference, field)
        if not isinstance(x, np.ndarray) or not hasattr(model, field):
            continue
        y = np.asarray(getattr(model, field))
        assert x.size == y.size, field
        y = y.reshape(x.shape)
        if x.dtype.kind in "iub":
            np.testing.assert_array_equal(y, x, err_msg=field)
        elif x.dtype.kind == "f":
            scale = np.abs(x).max(initial=0)
            # inverse weights of a long chain amplify rounding by the condition of its inertia
            relative = 1e-6 if x.dtype == np.float32 else 1e-7 if "invweight" in field else 1e-9
            np.testing.assert_allclose(y, x, rtol=0, atol=relative * scale, err_msg=field)


BROKEN = {
    "Positive counts": cable('count="0 1 1" size="1" curve="s"'),
    "one-dimensional": cable('count="5 5 1" size="1" curve="s"'),
    "must come last": cable('count="1 5 1" size="1" curve="s"'),
    "Positive spacing": cable('count="5" size="0" curve="s"'),
    "invalid shape": cable('count="5" size="1" curve="x"'),
    "maximum of 3": cable('count="5" size="1" curve="s s s s"'),
    "geom type": cable('count="5" size="1" curve="s"', ""),
    "multiple joints": cable('count="5" size="1" curve="s"', CAPSULE + '<joint kind="main"/>' * 2),
    "not both": cable('count="3" vertex="0 0 0 1 0 0 2 0 1"'),
    "repeated name": cable('count="6" size="1" curve="s"') * 2,
    '"flex" instead': cable('count="5"').replace("cable", "grid"),
    '"replicate" instead': cable('count="5"').replace("cable", "particle"),
    '"shell" instead': cable('count="5"').replace("cable", "cloth"),
}


@pytest.mark.parametrize("reason", BROKEN)
def test_broken_cable(reason):
    xml = f"<mujoco><worldbody>{BROKEN[reason]}</worldbody></mujoco>"
    with pytest.raises(ValueError) as reference:
        mujoco.MjModel.from_xml_string(xml)
    with pytest.raises(ValueError) as error:
        sinew.MjModel.from_xml_string(xml)
    assert reason in str(reference.value) and reason in str(error.value)
