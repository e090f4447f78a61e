"""Of two defects the one is told that MuJoCo tells."""

import mujoco
import pytest

import defects
import sinew
from refused import told


@pytest.mark.parametrize("settings", ["", 'discardvisual="true"', 'fusestatic="true"'])
@pytest.mark.parametrize("first", defects.DEFECTS)
def test_two_defects(first, settings):
    found = {}
    for second in defects.DEFECTS:
        for pair in ((first, second), (second, first)):
            text = defects.model(*pair, settings=settings)
            expected, actual = told(mujoco, text), told(sinew, text)
            if expected != actual and not (expected and actual and actual.startswith(expected)):  # ours may add a name
                found[pair] = (expected, actual)
    assert not found


def test_every_defect_is_told():
    assert all(told(sinew, defects.model(name)) for name in defects.DEFECTS)


def test_what_named_a_discarded_material_can_be_read():
    """The text and the second compilation do not name materials and textures that discardvisual dropped."""
    spec = sinew.MjSpec.from_string("""<mujoco><compiler discardvisual="true"/>
      <asset><texture name="t" type="2d" builtin="flat" width="4" height="4"/><material name="k" texture="t"/></asset>
      <worldbody><site name="a" material="k"/><light texture="t"/><geom size=".1" material="k"/><body name="b"><joint name="j"/>
      <geom size=".1"/><site name="c" pos="1 0 0"/></body></worldbody>
      <tendon><spatial material="k"><site site="a"/><site site="c"/></spatial></tendon>
      <deformable><flex name="f" dim="1" body="b b" vertex="0 0 0 1 0 0" element="0 1" material="k"/>
      <skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2" material="k">
      <bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></deformable></mujoco>""")
    first, text = spec.compile(), spec.to_xml()
    assert first.nmat == first.ntex == 0 and first.skin_matid[0] == first.flex_matid[0] == -1
    assert spec.compile().nskin == sinew.MjModel.from_xml_string(text).nskin == 1
