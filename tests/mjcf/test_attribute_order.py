"""Which of two bad attributes of an element is told: the one that MuJoCo reads first.

Every element of the language, as MuJoCo's own `mj_printSchema` lists them, is given every pair of its
attributes with values that neither numbers nor keywords accept.
"""

import itertools
import re

import mujoco
import pytest

import sinew

# Where MuJoCo's message is broken ("(null)", an exception of C++, an index), or is about something else than an
# attribute: the decoder of a model
OTHER = re.compile(r"\(null\)|unknown exception|out of bounds|could not parse model")


def schema():
    """(path, attributes) of every element."""
    found, open_elements = [], []
    for line in mujoco.mj_printSchema(False, False).splitlines():
        match = re.match(r"^( *)(\S+) \(.\) +(.*)$", line)
        if not match or len(match[1]) >= 30:
            found[-1][1].extend(line.split())
            continue
        del open_elements[len(match[1]) // 3:]
        open_elements.append(match[2].replace("(world)body", "worldbody"))
        found.append((tuple(open_elements), match[3].split()))
    return [row for row in found if len(row[0]) > 1 and row[1] and row[0] != ("mujoco", "worldbody")]


def document(path, attributes):
    inner = f"<{path[-1]} {attributes}/>"
    for name in reversed(path[:-1]):
        inner = f"<{name}>{inner}</{name}>"
    return inner


def message(load, text):
    try:
        load(text)
    except Exception as error:
        return str(error).split("\n")[0]
    return ""


@pytest.mark.parametrize("every", [11, pytest.param(1, marks=pytest.mark.full)])
def test_first_of_two_bad_attributes_is_that_of_mujoco(every):
    differ, compared = [], 0
    pairs = [(path, pair) for path, attributes in schema()
             for pair in itertools.combinations_with_replacement(attributes, 2)]
    for path, pair in pairs[::every]:
        text = document(path, " ".join(f"{name}='zz_{name}'" for name in dict.fromkeys(pair)))
        theirs = message(mujoco.MjSpec.from_string, text)
        if OTHER.search(theirs):
            continue
        compared += 1
        ours = message(sinew.MjSpec.from_string, text)
        if ours != theirs:
            differ.append((text, theirs, ours))
    assert compared > 1000
    assert not differ, differ[:5]


FAULTS = ['<sensor><accelerometer site="s" cutoff="-1"/></sensor>', '<actuator><motor joint="none"/></actuator>',
          '<custom><tuple name="t"><element objtype="body" objname="none"/></tuple></custom>',
          '<worldbody><body><geom size="0"/></body></worldbody>', '<worldbody><body><joint/></body></worldbody>',
          '<keyframe><key qpos="1"/></keyframe>', '<asset><material name="m" texture="none"/></asset>']


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("missing", ['<worldbody><site name="u" material="none"/></worldbody>',
                                     '<tendon><spatial material="none"><site site="s"/><site site="t"/></spatial></tendon>',
                                     '<worldbody><geom type="mesh" mesh="m" fromto="0 0 0 1 1 1"/></worldbody>'])
def test_faults_of_materials_and_other_elements_come_in_one_order(missing, fault):
    xml = ('<mujoco><asset><mesh name="m" builtin="cone" params="6 .4"/></asset><worldbody><site name="s"/>'
           f'<site name="t" pos="1 0 0"/></worldbody>{missing}{fault}</mujoco>')
    lines = []
    for module in (mujoco, sinew):
        with pytest.raises(ValueError) as error:
            module.MjModel.from_xml_string(xml)
        lines.append(str(error.value).split("\n")[0])
    assert lines[1].startswith(lines[0])
