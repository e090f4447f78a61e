"""Margins and gaps as MuJoCo 3.9 and later mean them: a contact is listed below margin + gap and pushes below margin,
where up to 3.8 it is listed below margin and pushes below margin - gap. The expected numbers are those of MuJoCo 3.9.0."""

import pytest

import sinew

NEW = '<compiler sinew:margins="3.9"/>'


def contacts(xml):
    """(distance, distance below which it pushes) of every contact, and the number of rows of constraints"""
    model = sinew.MjModel.from_xml_string(xml)
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    return [(round(float(c.dist), 9), round(float(c.includemargin), 9)) for c in data.contact], data.nefc, data


def ball(height, settings="", geom='margin=".02" gap=".01"', more=""):
    return f"""<mujoco>{settings}<worldbody><geom name="floor" type="plane" size="1 1 1"/>
      <body pos="0 0 {height}"><freejoint/><geom name="ball" size=".1" {geom}/></body></worldbody>{more}</mujoco>"""


@pytest.mark.parametrize(
    "height, old, new",
    [(0.105, (1, 4, 91.397), (1, 4, 196.12)), (0.115, (1, 0, 0), (1, 4, 91.397)), (0.125, (0, 0, 0), (1, 0, 0))],
)
def test_ball_over_plane_is_pushed_as_by_either_version(height, old, new):
    for settings, (count, rows, force) in (("", old), ('<compiler sinew:margins="3.5"/>', old), (NEW, new)):
        found, nefc, data = contacts(ball(height, settings))
        assert (len(found), nefc) == (count, rows)
        assert data.qfrc_constraint[2] == pytest.approx(force, rel=1e-4)


def test_class_of_one_and_element_of_the_other_add_up():
    classes = '<default><geom margin=".02"/><default class="a"><geom gap=".01"/><pair margin=".3" gap=".1"/></default></default>'
    for geom in ('class="a"', 'gap=".01"', 'class="a" gap=".01"', 'margin=".02" gap=".01"'):
        # the plane brings .02 too
        assert contacts(ball(0.135, NEW + classes, geom))[0] == [(0.035, 0.04)], geom
    pair = '<contact><pair class="a" geom1="floor" geom2="ball" {}/></contact>'
    assert contacts(ball(0.45, NEW + classes, "", pair.format("")))[0] == [(0.35, 0.3)]
    assert contacts(ball(0.45, NEW + classes, "", pair.format('gap=".2" margin=".2"')))[0] == [(0.35, 0.2)]
    assert contacts(ball(0.505, NEW + classes, "", pair.format("")))[0] == []


FLEX = """<mujoco>{}<worldbody><geom type="plane" size="1 1 1"/><body name="b" pos="0 0 1"><flexcomp name="f" type="grid"
  dim="2" count="3 3 1" spacing=".1 .1 .1" pos="0 0 {}" radius=".01" mass="1"><contact margin=".02" gap=".01"
  selfcollide="none"/></flexcomp></body></worldbody></mujoco>"""


@pytest.mark.parametrize("z, rows, count", [(-0.985, 36, 9), (-0.975, 36, 9), (-0.965, 0, 9), (-0.955, 0, 0)])
def test_flex_is_pushed_as_by_the_later_versions(z, rows, count):
    found, nefc, _ = contacts(FLEX.format(NEW, z))
    assert (len(found), nefc) == (count, rows)
    assert all(pushes == 0.02 for _, pushes in found)


def test_cable_is_pushed_as_by_the_later_versions():
    cable = """<mujoco>{}<worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .125"><composite type="cable" curve="s"
      count="5 1 1" size="1"><geom type="capsule" size=".1" margin=".02" gap=".01"/></composite></body></worldbody></mujoco>"""
    assert contacts(cable.format(""))[0] == []
    found, rows, _ = contacts(cable.format(NEW))
    assert rows == 0 and (0.025, 0.02) in found


def test_a_part_keeps_the_version_of_its_own_file():
    part = ball(0, "{}").replace('<geom name="floor" type="plane" size="1 1 1"/>', "").replace("<freejoint/>", "")
    scene = """<mujoco>{}<asset><model name="part" file="part.xml"/></asset><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 .125"><attach model="part" prefix="p"/></body></worldbody></mujoco>"""

    def listed(outer, inner):
        xml, assets = scene.format(outer), {"part.xml": part.format(inner).encode()}
        model = sinew.MjModel.from_xml_string(xml, assets)
        return list(model.geom_margin)[1:], list(model.geom_gap)[1:]

    assert listed(NEW, "") == ([0.02], [0.01])
    assert listed("", NEW) == ([0.03], [0.01])


def test_file_that_is_included_is_read_as_its_includer_says():
    wrapper = f'<mujoco>{NEW}<include file="scene.xml"/></mujoco>'
    model = sinew.MjModel.from_xml_string(wrapper, {"scene.xml": ball(0.1).encode()})
    assert model.geom("ball").margin == pytest.approx(0.03)


def test_saved_file_says_the_same_without_the_setting():
    spec = sinew.MjSpec.from_string(ball(0.125, NEW + '<default><geom margin=".01"/></default>', 'gap=".01"'))
    model = spec.compile()
    saved = spec.to_xml()
    assert "margins" not in saved
    again = sinew.MjModel.from_xml_string(saved)
    assert list(again.geom_margin) == pytest.approx(list(model.geom_margin), abs=1e-12)
    assert list(again.geom_gap) == list(model.geom_gap)


def test_other_versions_are_refused_with_the_legal_ones():
    with pytest.raises(ValueError, match="'sinew:margins' is one of: 3.5, 3.9"):
        sinew.MjModel.from_xml_string('<mujoco><compiler sinew:margins="4.0"/></mujoco>')
