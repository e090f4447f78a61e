"""Broken models: every one is refused with a message that names the element, and MuJoCo refuses it too.

The table is written by hand, one fragment per line, grouped by where the fragment goes.
"""

import re

import mujoco
import pytest

import sinew


def in_model(text):
    return f"<mujoco>\n{text}\n</mujoco>"


def in_body(text):
    return in_model(f"<worldbody>\n<body>\n{text}\n</body>\n</worldbody>")


_SCENE = (
    '<worldbody><body name="b"><joint name="j"/><geom name="g" size="1"/><site name="s"/>'
    '<camera name="c"/></body><body name="b2"><joint name="j2"/><geom name="g2" size="1"/>'
    '<site name="s2"/></body></worldbody>'
    '<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>'
)


def in_scene(text):
    return f"<mujoco>{_SCENE}\n{text}</mujoco>"


def section(name):
    return lambda text: in_scene(f"<{name}>{text}</{name}>")


# documents that are not well formed
_DOCUMENTS = [
    "   ", "<", "<mujoco", "<mujoco/>junk", "<!-- unclosed <mujoco/>", "<mujoco model=x/>",
    "<mujoco model/>", '<mujoco model="a" model="b"/>', "<mujoco><?pi x?></mujoco>",
    "<mujoco></Mujoco>", "<mujoco><a></mujoco>", "<mujoco><worldbody></mujoco></worldbody>",
    "<mujoco><worldbody>", "<Mujoco/>", "<foo/>", "<mujoco><foo:bar/></mujoco>",
    '<mujoco xmlns="x"/>', "<1mujoco/>", "<mujoco><worldbody/\n></mujoco>", "<mujoco/ >",
    "<mujoco><!-- a ></mujoco>", "<mujoco></mujoco", '<mujoco model="a',
    '<mujoco model="a"b="c"/>', "<mujoco>" + "<worldbody>" + "<body>" * 600 + "</body>" * 600
    + "</worldbody></mujoco>",
]

_IN_MODEL = """
<foo/>
<mujoco/>
<worldbody pos="0 0 0"/>
<worldbody><joint/></worldbody>
<worldbody><freejoint/></worldbody>
<worldbody><inertial pos="0 0 0" mass="1"/></worldbody>
<worldbody><worldbody/></worldbody>
<worldbody><default/></worldbody>
<worldbody><camera resolution="99999999999 1"/></worldbody>
<worldbody><camera resolution="1 1.0"/></worldbody>
<worldbody><frame childclass="x"/></worldbody>
<worldbody><frame quat="1 0 0 0" euler="0 0 0"/></worldbody>
<worldbody><frame quat="0 0 0 0"/></worldbody>
<worldbody><replicate count="2" childclass="zz"/></worldbody>
<worldbody><light mode="x"/></worldbody>
<body><foo/></body>
<body bar="1"/>
<frame bar="1"/>
<default class="x"/>
<default><worldbody/></default>
<default><default/></default>
<default><default class=""/></default>
<default><default class="a"/><default class="a"/></default>
<default><default class="main"/></default>
<default><geom name="a"/></default>
<default><joint class="a"/></default>
<default><mesh maxhullvert="2"/></default>
<option><flag gravity="on"/></option>
<option><flag/><flag/></option>
<option timestep="0.1 0.2"/>
<option gravity="0 0"/>
<option iterations="1.5"/>
<option solver="newton"/>
<option actuatorgroupdisable="31"/>
<option actuatorgroupdisable="-1"/>
<option actuatorgroupdisable="1.5"/>
<compiler eulerseq="xy"/>
<compiler coordinate="global"/>
<compiler angle="grad"/>
<compiler inertiagrouprange="0"/>
<compiler><lengthrange mode="x"/></compiler>
<size memory="12X"/>
<size memory="-2"/>
<size memory=" 1 M"/>
<size memory=""/>
<size memory="99999999999999999999"/>
<size memory="1M" njmax="3"/>
<size memory="1M" nstack="3"/>
<size nuser_body="-2"/>
<size nuser_sensor="-3"/>
<size nconmax="-2"/>
<statistic extent="0"/>
<statistic center="0 0"/>
<visual><map znear="0"/></visual>
<visual><global realtime="0"/></visual>
<visual><global/><global/></visual>
<visual><rgba fog="1 1 1"/></visual>
<visual><quality shadowsize="x"/></visual>
<custom><numeric name="a" size="0"/></custom>
<custom><numeric name="a" size="501"/></custom>
<custom><numeric name="a"/></custom>
<custom><numeric name="a" size="2" data="1 2 3"/></custom>
<custom><numeric data="1"/></custom>
<custom><numeric name="x" data="a"/></custom>
<custom><text name="a" data=""/></custom>
<custom><text name="a"/></custom>
<custom><tuple/></custom>
<custom><tuple name="a"><element objtype="foo" objname="x"/></tuple></custom>
<custom><tuple name="a"><element objtype="body"/></tuple></custom>
<include/>
<include file="nofile.xml"/>
<include file="x"><a/></include>
<extension><plugin plugin="foo"/></extension>
<extension><plugin/></extension>
<asset><material name="a"><layer/></material></asset>
<asset><material name="a" texture="x"><layer role="rgb" texture="x"/></material></asset>
<asset><mesh name="m" builtin="sphere"/></asset>
<asset><mesh name="m" builtin="sphere" params=""/></asset>
<asset><mesh name="m" builtin="sphere" params="1 2 3"/></asset>
<asset><mesh name="m" maxhullvert="3"/></asset>
<asset><mesh name="m" vertex="1 2 3" face="99999999999"/></asset>
<asset><mesh name="m" vertex="1 2 a"/></asset>
<asset><mesh name="m" scale="1 1"/></asset>
<asset><hfield/></asset>
<asset><hfield name="h" size="1 1 1"/></asset>
<asset><hfield name="h" size="1 1 1 1" nrow="2" ncol="2" elevation="1 2 3"/></asset>
<asset><texture name="t" gridlayout="........................"/></asset>
<asset><texture name="t" gridsize="1 2" gridlayout="abc"/></asset>
<asset><texture name="t" type="3d"/></asset>
<asset><model name="t" file="nope.xml"/></asset>
<deformable><skin group="6"/></deformable>
<deformable><skin><bone/></skin></deformable>
<deformable><skin><bone body="b" bindpos="0 0" bindquat="1 0 0 0" vertid="0" vertweight="1"/></skin></deformable>
<deformable><flex/></deformable>
<deformable><flex body="b"/></deformable>
<keyframe><key qpos="a"/></keyframe>
<keyframe><key time="0 1"/></keyframe>
"""

_IN_BODY = """
<foo/>
<geom size="1" foo="2"/>
<geom size="1 a"/>
<geom size="1,2"/>
<geom size="1;2"/>
<geom size="1d0"/>
<geom size="--1"/>
<geom size="1 2 3 4"/>
<geom size="1e999"/>
<geom size="1e-310"/>
<geom size="1e-400"/>
<geom size="1" pos="1 2"/>
<geom size="1" pos="1 2 3 4"/>
<geom size="1" rgba="1e-40 0 0 0"/>
<geom size="1" rgba="0 0 0 1e39"/>
<geom size="1" rgba="1 1 1"/>
<geom size="1" condim="3.0"/>
<geom size="1" condim="3 4"/>
<geom size="1" condim=""/>
<geom size="1" condim="x"/>
<geom size="1" condim="99999999999"/>
<geom size="1" group="0x3"/>
<geom size="1" type="foo"/>
<geom size="1" type=" box"/>
<geom size="1" type=""/>
<geom size="1" quat="0 0 0 0"/>
<geom size="1" quat="1 0 0"/>
<geom size="1" quat="1 0 0 0" euler="0 0 0"/>
<geom size="1" xyaxes="1 0 0" />
<geom size="1" zaxis="0 0 1" axisangle="0 0 1 3"/>
<geom size="1" class="x"/>
<geom size="1" fromto="0 0 0 1 1"/>
<geom size="1" shellinertia="auto"/>
<geom size="1" fluidshape="box"/>
<geom name="a" size="1"/><geom name="a" size="1"/>
<site size="1" fromto="0"/>
<site name="a"/><site name="a"/>
<body childclass="x"/>
<body name="a"/><body name="a"/>
<body name="world"/>
<body mocap="1"/>
<body sleep="yes"/>
<body gravcomp="1 2"/>
<joint type="cone"/>
<joint axis="1 0"/>
<joint range="1"/>
<joint limited="yes"/>
<joint springdamper="1"/>
<joint name="a"/><joint name="a"/>
<joint solreflimit="1 2 3"/>
<joint solimplimit="1 2 3 4 5 6"/>
<freejoint armature="1"/>
<freejoint align="yes"/>
<inertial pos="0 0 0"/>
<inertial mass="1"/>
<inertial pos="0 0 0" mass="1"/><inertial pos="0 0 0" mass="1"/>
<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0" quat="1 0 0 0"/>
<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0" euler="1 0 0"/>
<inertial pos="0 0 0" mass="1" fullinertia="1 1 1"/>
<camera fovy="45" sensorsize="1 1" resolution="1 1"/>
<camera output="rgb foo"/>
<camera output="rgb rgb"/>
<camera mode="x"/>
<light directional="true" type="spot"/>
<light castshadow="on"/>
<light attenuation="1 0"/>
<frame><foo/></frame>
<frame name="b"/><frame name="b"/>
<replicate/>
<replicate count="2.5"/>
<replicate count="2" offset="1"/>
<attach/>
<attach model="x"/>
<attach model="x" prefix="a"/>
<plugin plugin="a"><config key="a"/></plugin>
<plugin plugin="a"><config key="a" value="b"/><config key="a" value="b"/></plugin>
"""

_ACTUATORS = """
<foo/>
<motor joint="j" tendon="t"/>
<motor joint="j" cranklength="1"/>
<motor joint="j" slidersite="s"/>
<motor joint="j" refsite="s"/>
<motor joint="j" kp="1"/>
<position joint="j" kv="1" dampratio="1"/>
<position joint="j" kv="-1"/>
<position joint="j" dampratio="-1"/>
<position joint="j" timeconst="-1"/>
<position joint="j" inheritrange="1" ctrlrange="0 1"/>
<intvelocity joint="j" inheritrange="1" actrange="0 1"/>
<damper joint="j" kv="-1"/>
<damper joint="j" ctrlrange="-1 1"/>
<adhesion body="b" gain="-1"/>
<adhesion body="b" ctrlrange="-1 1"/>
<muscle joint="j" tausmooth="-1"/>
<muscle joint="j" timeconst="1"/>
<cylinder joint="j" bias="1"/>
<general joint="j" gear="1 2 3 4 5 6 7"/>
<general joint="j" dynprm="1 2 3 4 5 6 7 8 9 10 11"/>
<general joint="j" dyntype="x"/>
<general joint="j" ctrlrange="1"/>
<general joint="j" class="x"/>
"""

_EQUALITIES = """
<foo/>
<connect/>
<connect body1="b"/>
<connect body1="b" anchor="0 0 0" site1="s"/>
<connect site1="s"/>
<connect anchor="0 0 0"/>
<connect site1="s" site2="s2" anchor="0 0 0"/>
<connect body2="b2" site1="s" site2="s2"/>
<weld/>
<weld body2="b"/>
<weld site1="s"/>
<weld site1="s" site2="s2" body1="b"/>
<weld site1="s" site2="s2" anchor="0 0 0"/>
<weld site1="s" site2="s2" relpose="0 0 0 1 0 0 0"/>
<weld body1="b" relpose="0 0 0"/>
<joint/>
<joint joint1="j" polycoef="1 2 3 4 5 6"/>
<tendon/>
<flex/>
"""

_SENSORS = """
<foo/>
<touch/>
<touch site="s" joint="j"/>
<camprojection site="s"/>
<rangefinder/>
<rangefinder site="s" camera="c"/>
<rangefinder site="s" data="dir dist"/>
<rangefinder site="s" data="dist dist"/>
<rangefinder site="s" data="foo"/>
<framepos/>
<framepos objtype="body"/>
<framepos objtype="body" objname="b" reftype="body"/>
<framepos objtype="body" objname="b" refname="b"/>
<framelinacc objtype="body" objname="b" refname="b"/>
<distance/>
<distance geom1="g" body1="b"/>
<distance geom1="g" geom2="g2" body2="b2"/>
<distance geom1="g"/>
<contact geom1="g" body1="b"/>
<contact geom2="g" body2="b"/>
<contact site="s" geom1="g"/>
<contact num="0"/>
<contact data="pos found"/>
<contact data="pos pos"/>
<contact reduce="foo"/>
<user/>
<user dim="1" objtype="body"/>
<user dim="1" objname="b"/>
<user dim="x"/>
<tactile geom="g"/>
<plugin plugin="x" objtype="body"/>
<clock interval="1 2 3"/>
<clock interp="x"/>
"""

_TENDONS = """
<spatial><site/></spatial>
<spatial><pulley/></spatial>
<spatial><pulley divisor="1 2"/></spatial>
<spatial><joint joint="j" coef="1"/></spatial>
<fixed><joint joint="j"/></fixed>
<fixed><site site="s"/></fixed>
<fixed springlength="1 2 3"/>
<fixed width="1"/>
"""

_CONTACTS = """
<exclude/>
<exclude body1="b"/>
<pair geom1="g" geom2="g2" friction="1 2 3 4 5 6"/>
<pair geom1="g" geom2="g2" class="x"/>
"""


def _cases():
    groups = [
        (in_model, _IN_MODEL), (in_body, _IN_BODY), (section("actuator"), _ACTUATORS),
        (section("equality"), _EQUALITIES), (section("sensor"), _SENSORS),
        (section("tendon"), _TENDONS), (section("contact"), _CONTACTS),
    ]
    cases = list(_DOCUMENTS)
    for place, lines in groups:
        cases += [place(line) for line in lines.strip().splitlines()]
    return cases


CASES = _cases()


def refuse(load, xml):
    with pytest.raises(ValueError) as info:
        load(xml)
    return str(info.value)


@pytest.mark.parametrize("xml", CASES, ids=range(len(CASES)))
def test_refused_with_place(xml):
    ours = refuse(sinew.MjModel.from_xml_string, xml)
    theirs = refuse(mujoco.MjModel.from_xml_string, xml)
    place = re.search(r"Element '([^']*)', line (\d+)", theirs)
    if place:
        found = re.search(r"Element '([^']*)', line (\d+)", ours)
        assert found and found.groups() == place.groups(), (ours, theirs)
    elif xml.strip():
        assert "line" in ours or "model type" in ours, ours
    for name in re.findall(r"attribute[^']*'(\w+)'", theirs):
        assert f"'{name}'" in ours


def key_phrase(message):
    """MuJoCo's first line. Two of its messages about lists of keywords print a null pointer where
    the keyword should be; ours names the keyword, so the phrase ends before it."""
    return message.splitlines()[0].removesuffix("'(null)'")


@pytest.mark.parametrize("xml", CASES, ids=range(len(CASES)))
def test_key_phrase(xml):
    phrase = key_phrase(refuse(mujoco.MjModel.from_xml_string, xml))
    assert len(phrase) > 10 and phrase in refuse(sinew.MjModel.from_xml_string, xml)


def test_key_phrase_is_cut_in_two_forms_only():
    lines = [refuse(mujoco.MjModel.from_xml_string, xml).splitlines()[0] for xml in CASES]
    cut = {key_phrase(line) for line in lines if key_phrase(line) != line}
    assert cut == {"XML Error: invalid keyword: ", "XML Error: duplicate keyword: "}


def test_file_is_named(tmp_path):
    (tmp_path / "part.xml").write_text("<mujoco>\n\n<worldbody>\n<geom siz='1'/></worldbody></mujoco>")
    (tmp_path / "main.xml").write_text('<mujoco>\n<include file="part.xml"/></mujoco>')
    message = refuse(sinew.MjModel.from_xml_path, str(tmp_path / "main.xml"))
    assert "part.xml" in message and "line 4" in message and "'siz'" in message


def test_include_loops(tmp_path):
    (tmp_path / "a.xml").write_text('<mujoco><include file="b.xml"/></mujoco>')
    (tmp_path / "b.xml").write_text('<mujoco><include file="a.xml"/></mujoco>')
    for load in (sinew.MjModel.from_xml_path, mujoco.MjModel.from_xml_path):
        assert "already included" in refuse(load, str(tmp_path / "a.xml"))


def test_model_that_contains_itself(tmp_path):
    (tmp_path / "a.xml").write_text('<mujoco model="a"><asset><model file="a.xml"/></asset></mujoco>')
    assert "nested" in refuse(sinew.MjModel.from_xml_path, str(tmp_path / "a.xml"))
