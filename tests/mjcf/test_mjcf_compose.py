"""Composition: attach, replicate, frames, includes and classes give MuJoCo's model."""

import itertools

import numpy as np
import pytest

import compiled
import mujoco
import sinew
from sinew import _core

CHILD = """<mujoco model="c">
  <compiler angle="radian"/>
  <default><geom rgba="1 0 0 1"/><default class="k"><geom size=".3"/></default></default>
  <asset><material name="mat"/><mesh name="me" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <worldbody>
    <geom name="wg" size="1"/>
    <body name="a" pos="1 0 0"><geom class="k" material="mat"/><joint name="ja" ref="0.2"/></body>
    <frame euler="0 0 1"><body name="b"><geom type="mesh" mesh="me"/><joint name="jb"/></body></frame>
  </worldbody>
  <tendon><fixed name="t"><joint joint="ja" coef="2"/><joint joint="jb" coef="1"/></fixed></tendon>
  <contact><exclude body1="a" body2="b"/><exclude body1="a" body2="world"/></contact>
  <equality><joint joint1="ja" joint2="jb"/><weld body1="a"/></equality>
  <actuator><motor name="ma" joint="ja"/><position name="mb" joint="jb"/></actuator>
  <sensor><clock name="cl"/><jointpos joint="ja"/><framepos objtype="body" objname="b"/></sensor>
  <keyframe><key name="k" qpos="5 6" ctrl="3 4"/><key name="k2" time="2"/></keyframe>
</mujoco>"""


def attach(body, rest=""):
    return (f'<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody>{body}</worldbody>'
            f"{rest}</mujoco>")


LINK = '<body name="{0}"><geom name="{0}g" size=".1"/><joint name="{0}j" ref="30"/>{1}</body>'


def replicate(contents, rest="", **attributes):
    text = " ".join(f'{key}="{value}"' for key, value in attributes.items())
    return (f'<mujoco><worldbody>{LINK.format("x", "")}<replicate {text}>{contents}</replicate>'
            f'{LINK.format("y", "")}</worldbody>{rest}</mujoco>')


REFERRING = """
<contact><pair geom1="rg" geom2="xg"/><exclude body1="r" body2="world"/></contact>
<tendon><fixed name="t"><joint joint="rj" coef="1"/><joint joint="xj" coef="1"/></fixed></tendon>
<equality><joint joint1="rj"/></equality>
<actuator><motor name="m" joint="rj"/><motor name="n" joint="xj"/><motor tendon="t"/></actuator>
<sensor><jointpos name="p" joint="rj"/><framepos objtype="body" objname="r" reftype="body" refname="x"/>
<clock name="c"/></sensor>"""

MODELS = {
    "attach body": attach('<attach model="c" body="a" prefix="p_"/>'),
    "attach model": attach('<attach model="c" prefix="p_"/>'),
    "attach in parts": attach('<attach model="c" body="a" prefix="p_"/><attach model="c" body="b" prefix="q_"/>'
                              '<attach model="c" body="a" prefix="r_"/><attach model="c" prefix="s_"/>'),
    "attach unnamed key": attach('<attach model="d" body="a" prefix="p_"/>').replace('name="c" file="c', 'name="d" file="d'),
    "replicate unnamed key": replicate(LINK.format("r", ""), '<keyframe><key qpos="1 2"/></keyframe>', count=2),
    "attach with empty keys": attach('<attach model="c" prefix="p_"/>' + LINK.format("z", ""),
                                     '<size nkey="3"/><keyframe><key name="o" qpos="1 2"/></keyframe>'),
    "attach, then replicate": attach(
        f'<attach model="c" prefix="p_"/><replicate count="2" offset="1 0 0">{LINK.format("z", "")}</replicate>',
        '<size nkey="2"/><keyframe><key name="o"/></keyframe>'),
    "replicate with empty keys": replicate(LINK.format("r", ""), '<size nkey="2"/><keyframe><key name="k"/></keyframe>',
                                           count=2),
    "attach world": attach('<body name="z"><frame pos="1 0 0"><attach model="c" body="world" prefix="p_"/></frame></body>'),
    "attach twice": attach('<attach model="c" prefix="p_"/><attach model="c" body="a" prefix="q_"/>'),
    "attach in frame": attach('<frame pos="0 0 1" euler="0 90 0"><attach model="c" prefix="p_"/></frame>'),
    "attach moves": attach('<attach model="c" body="a" prefix="p_"/><frame pos="0 0 1">'
                           '<attach model="c" body="a" prefix="p_"/></frame>'),
    "attach no prefix": attach('<attach model="c" body="a" prefix=""/>'),
    "attach keys": attach('<attach model="c" prefix="p_"/>' + LINK.format("z", ""),
                          '<keyframe><key name="o" qpos="1 2"/></keyframe>'),
    "replicate": replicate(LINK.format("r", ""), REFERRING, count=3, offset="1 0 0", euler="0 0 30"),
    "replicate sep": replicate(LINK.format("r", ""), REFERRING, count=11, sep="-", euler="10 20 30"),
    "replicate names of the template": replicate(
        LINK.format("r", "") + LINK.format("r0", "") + LINK.format("r00", ""),
        '<actuator><motor name="m" joint="rj"/><motor name="n" joint="r0j"/></actuator>'
        '<sensor><jointpos name="p" joint="r00j"/></sensor>', count=3, offset="1 0 0"),
    "replicate none": replicate(LINK.format("r", ""), count=0),
    "replicate nested": replicate(
        f'<frame pos="0 1 0"><replicate count="2" offset="0 0 1">{LINK.format("r", "")}</replicate>'
        "</frame>", count=3, offset="1 0 0"),
    "replicate keys": replicate(LINK.format("r", ""),
                                '<keyframe><key name="k" qpos="1 2"/></keyframe>', count=3),
    "replicate geoms": replicate('<geom size=".1"/><site name="s"/>', count=4, offset="1 1 0"),
    "attach in replicate": attach('<replicate count="2" offset="1 0 0"><attach model="c" body="a" '
                                  'prefix="p_"/></replicate>'),
    "frames": "<mujoco><worldbody><frame pos='1 0 0' euler='0 0 90'><geom size='1'/><frame quat='1 1 0 0'>"
              "<body><joint axis='1 2 3'/><geom size='1'/><light/><camera/></body></frame><geom size='2'/>"
              "</frame></worldbody></mujoco>",
    "childclass": "<mujoco><default><default class='a'><geom size='2'/><default class='b'><geom size='3'/>"
                  "</default></default><geom size='1'/></default><worldbody><geom/><body childclass='a'>"
                  "<geom/><frame childclass='b'><geom/><body><geom/><geom class='a'/></body></frame><geom/>"
                  "</body></worldbody></mujoco>",
}


def differences(theirs, ours):
    for name in _core.MODEL_SIZES:
        # the size of our memory block is our own
        if name != "nbuffer" and hasattr(theirs, name) and getattr(theirs, name) != getattr(ours, name):
            yield name
    for name in _core.MODEL_FIELDS:
        if not hasattr(theirs, name) or name in ("names", "text_data", "paths"):
            continue
        x, y = np.asarray(getattr(theirs, name)), np.asarray(getattr(ours, name))
        y = y.reshape(x.shape)
        same = np.array_equal(x, y) if x.dtype.kind == "S" else np.allclose(x, y, rtol=1e-9, atol=1e-9, equal_nan=True)
        if not same:
            yield name


@pytest.mark.parametrize("name", MODELS)
def test_same_model(name):
    assets = {"c.xml": CHILD.encode(), "d.xml": CHILD.replace('key name="k"', "key").encode()}
    theirs = mujoco.MjModel.from_xml_string(MODELS[name], assets=assets)
    ours = sinew.MjModel.from_xml_string(MODELS[name], assets)
    assert list(differences(theirs, ours)) == []
    assert bytes(theirs.names) == bytes(np.asarray(ours.names))
    text = sinew.MjSpec.from_string(MODELS[name], assets).to_xml(lossless=True)
    again = sinew.MjModel.from_xml_string(text)
    assert list(differences(ours, again)) == [] and bytes(ours.names) == bytes(again.names)


def keys(module, xml, assets):
    model = module.MjModel.from_xml_string(xml, assets)
    names = [module.mj_id2name(model, int(mujoco.mjtObj.mjOBJ_KEY), i) for i in range(model.nkey)]
    return names, np.array(model.key_qpos).reshape(model.nkey, -1).tolist()


ONE = '<worldbody><body name="b"><joint/><geom size=".1"/>{}</body></worldbody>'
KEY = '<keyframe><key name="{}" qpos="{}"/></keyframe>'
MIDDLES = {
    "attached": '<asset><model name="d" file="d.xml"/></asset>' + ONE.format('<attach model="d" body="b" prefix="i_"/>'),
    "attached, with a key": '<asset><model name="d" file="d.xml"/></asset>' + ONE.format('<attach model="d" body="b" prefix="i_"/>')
    + KEY.format("m", "3 4"),
    "replicated": ONE.format("") + '<worldbody><replicate count="1"><body><joint/><geom size=".1"/></body></replicate></worldbody>'
    + KEY.format("k", "3 4"),
}


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("name", MIDDLES)
def test_keys_that_wait_in_a_child_go_along_once(name, times):
    """A child that was attached to, or replicates, and was not compiled since."""
    assets = {"c.xml": f"<mujoco>{MIDDLES[name]}</mujoco>".encode(),
              "d.xml": f'<mujoco>{ONE.format("")}{KEY.format("k", "7")}</mujoco>'.encode()}
    xml = attach("".join(f'<attach model="c" body="b" prefix="{i}_"/>' for i in range(times)))
    assert keys(sinew, xml, assets) == keys(mujoco, xml, assets)


def test_copies_of_unnamed_keys_have_one_name():
    xml = replicate(LINK.format("r", ""), "<keyframe><key/><key/></keyframe>", count=2)
    for module in (mujoco, sinew):
        with pytest.raises(ValueError, match="repeated name '0' in key"):
            module.MjModel.from_xml_string(xml)


@pytest.mark.parametrize("body", ['<attach model="c" body="none" prefix="p"/>', '<attach model="c" body="wg" prefix="p"/>',
                                  '<attach model="none" body="a" prefix="p"/>', '<attach model="c"/>',
                                  '<body name="q"><attach model="c" body="none" prefix="p"/></body>'])
def test_what_cannot_be_attached(body):
    lines = []
    for module in (mujoco, sinew):
        with pytest.raises(ValueError) as error:
            module.MjModel.from_xml_string(attach(body), {"c.xml": CHILD.encode()})
        lines.append(str(error.value).split("\n")[0])
    assert lines[0] == lines[1]


@pytest.mark.parametrize("rest", ['<keyframe><key name="k" qpos="1 2 3"/><key name="k0" qpos="3 4 5"/></keyframe>',
                                  '<actuator><motor name="a" joint="rj"/><motor name="a0" joint="r0j"/></actuator>',
                                  '<contact><exclude name="e" body1="r" body2="r0"/><exclude name="e0" body1="r0" body2="r"/></contact>'])
def test_names_that_a_replicate_repeats(rest):
    lines = []
    for module in (mujoco, sinew):
        xml = replicate(LINK.format("r", "") + LINK.format("r0", ""), rest, count=2)
        with pytest.raises(ValueError) as error:
            module.MjModel.from_xml_string(xml)
        lines.append(str(error.value).split("\n")[0])
    assert lines[0] == lines[1] and "repeated name" in lines[0]


def test_include_is_textual():
    main = '<mujoco><include file="a.xml"/><worldbody><body><include file="b.xml"/></body></worldbody></mujoco>'
    assets = {
        "a.xml": b'<mujoco><option timestep="0.01"/><default><geom size="3"/></default></mujoco>',
        "b.xml": b"<mujoco><geom/><joint/></mujoco>",
    }
    theirs = mujoco.MjModel.from_xml_string(main, assets=assets)
    ours = sinew.MjModel.from_xml_string(main, assets)
    assert list(differences(theirs, ours)) == []
    assert ours.opt.timestep == 0.01


def test_numbers_do_not_depend_on_locale():
    import locale

    before = locale.setlocale(locale.LC_NUMERIC)
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "C"):
        try:
            locale.setlocale(locale.LC_NUMERIC, name)
        except locale.Error:
            continue
        try:
            model = sinew.MjModel.from_xml_string(
                "<mujoco><worldbody><geom size='0.1234567890123456789 1' pos='1e-5 0x1.8p1 1.5'/>"
                "</worldbody></mujoco>")
        finally:
            locale.setlocale(locale.LC_NUMERIC, before)
        assert np.asarray(model.geom_size)[0, 0] == 0.1234567890123456789
        assert list(np.asarray(model.geom_pos)[0]) == [1e-5, 3.0, 1.5]


BOX = '<geom size=".1"/>'
FIRST = f'<body><joint name="j"/>{BOX}</body>'
LAST = f'<body><joint name="i"/>{BOX}</body>'


def copies(contents, count=2):
    return f'<replicate count="{count}" offset="1 0 0">{contents}</replicate>'


ACTUATOR_KEY = '<keyframe><key name="k" act="3 4" ctrl="5 6 7"/></keyframe>'
MOCAP = f'<body mocap="true" pos="0 0 1" quat="1 0 0 1">{BOX}</body>'
REPLICATED_KEYS = {
    "actuators of both": (FIRST + copies(BOX) + LAST, ACTUATOR_KEY),
    "actuators of later bodies": (copies(BOX) + FIRST + LAST, ACTUATOR_KEY),
    "actuators of earlier bodies": (FIRST + LAST + copies(BOX), ACTUATOR_KEY),
    "two replicates": (FIRST + copies(f"<body>{BOX}</body>") + copies(BOX, 3) + LAST, ACTUATOR_KEY),
    "a body in between": (copies(BOX) + FIRST + copies(BOX) + LAST, ACTUATOR_KEY),
    "nested": (copies(f"<body>{BOX}{copies(BOX)}</body>") + LAST + FIRST, ACTUATOR_KEY),
    "mocap bodies": (FIRST + copies(MOCAP, 3) + LAST,
                     '<keyframe><key name="k" mpos="1 2 3"/><key name="l" mquat="4 3 2 1"/><key name="m" qpos="2"/></keyframe>'),
}


@pytest.mark.parametrize("name", REPLICATED_KEYS)
def test_keys_around_replicates(name):
    """Copies of a key have the values of actuators whose targets come later, and raw poses of mocap bodies made before."""
    body, key = REPLICATED_KEYS[name]
    xml = (f'<mujoco><worldbody>{body}</worldbody><actuator><motor joint="j"/><general joint="i" dyntype="integrator"/>'
           f'<general joint="j" dyntype="integrator"/></actuator>{key}</mujoco>')
    theirs, ours = (module.MjModel.from_xml_string(xml) for module in (mujoco, sinew))
    assert theirs.nkey > 2 and list(differences(theirs, ours)) == []


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_a_key_of_a_model_with_an_attachment_fits_where_a_replicate_stands(size):
    """An attachment completes the keys at once; what comes after it counts."""
    key = f'<keyframe><key name="k" qpos="{"1 " * size}"/></keyframe>' if size else ""
    xml = (f'<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><attach model="c" prefix="p_"/>'
           f'{copies(f"<body><joint/>{BOX}</body>")}{FIRST}</worldbody>{key}</mujoco>')
    child = f'<mujoco><worldbody>{LAST}<body><joint/>{BOX}</body></worldbody></mujoco>'
    results = []
    for module in (mujoco, sinew):
        try:
            results.append(np.array(module.MjModel.from_xml_string(xml, {"c.xml": child.encode()}).key_qpos).tolist())
        except ValueError as error:
            results.append(str(error).split("\n")[0])
    assert results[0] == results[1] and (size in (0, 3)) != isinstance(results[0], str)


# ---- replicate: what refers to copies and to namesakes of copies ----


def _namesake(name):
    return f'<body name="{name}"><joint name="{name}" type="slide"/><geom name="{name}" size=".1"/><site name="{name}"/></body>'


REFERRING = {
    "spatial": '<tendon><spatial name="t"><site site="a"/><site site="b"/></spatial></tendon>',
    "wrap": '<tendon><spatial name="t"><site site="a"/><geom geom="a" sidesite="b"/><site site="b"/></spatial></tendon>',
    "fixed": '<tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed></tendon>',
    "driven": '<tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed></tendon>'
              '<actuator><motor name="t" tendon="t"/></actuator><sensor><tendonpos tendon="t"/></sensor>',
    "exclude": '<contact><exclude name="t" body1="a" body2="b"/></contact>',
    "sensor": '<sensor><framepos name="t" objtype="site" objname="a" reftype="site" refname="b"/></sensor>',
    "weld": '<equality><weld name="t" body1="a" body2="b"/></equality>',
    "tuple": '<custom><tuple name="t"><element objtype="body" objname="a"/><element objtype="body" objname="b"/></tuple></custom>',
}


@pytest.mark.parametrize("inside", [(), ("a",), ("b",), ("a", "b")], ids="".join)
@pytest.mark.parametrize("kind", REFERRING)
def test_copies_of_a_replicate_are_copied_where_names_happen_to_exist(kind, inside):
    """A tendon over a and b, copied for a0 and b, is copied once more for a0 and b1, as in MuJoCo."""
    names = ("a0", "b0", "a1", "b1", "a01", "b01")
    for others in (*itertools.combinations(names, 1), *itertools.combinations(names, 2)):
        outside = "".join(_namesake(name) for name in ("a", "b") if name not in inside) + "".join(map(_namesake, others))
        xml = (f'<mujoco><worldbody>{outside}<replicate count="3">{"".join(map(_namesake, inside))}</replicate></worldbody>'
               f"{REFERRING[kind]}</mujoco>")
        answers = []
        for module in (mujoco, sinew):
            try:
                answers.append(module.MjModel.from_xml_string(xml))
            except ValueError as error:
                answers.append(str(error).split("\n")[0])
        if isinstance(answers[0], str) or isinstance(answers[1], str):
            assert answers[0] == answers[1], xml
        else:
            assert not compiled.differences(*answers) and answers[0].names == answers[1].names, xml
