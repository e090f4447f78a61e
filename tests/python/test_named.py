"""Named access (m.body("torso").mass) is made from the tables of fields and gives what MuJoCo's gives."""

import mujoco
import numpy as np
import pytest

import sinew
from sinew import _core, _named

XML = """
<mujoco>
  <size nuser_body="2"/>
  <asset>
    <hfield name="h" nrow="3" ncol="4" size="1 1 1 1" elevation="1 2 3 4 5 6 7 8 9 10 11 12"/>
    <texture name="t" type="2d" builtin="checker" rgb1="1 0 0" width="4" height="2"/>
    <material name="m" texture="t"/>
    <mesh name="me0" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <mesh name="me" vertex="0 0 0 2 0 0 0 2 0 0 0 2 2 2 2"/>
  </asset>
  <worldbody>
    <light name="l"/><camera name="c" pos="1 2 3"/>
    <body name="b" user="4 5"><freejoint name="f"/><geom name="g" size=".1"/><site name="s"/></body>
    <body name="b1" pos="2 0 0"><joint name="j" type="ball"/><geom name="g1" size=".1 .2 .3" type="box"/></body>
    <body name="b2" pos="3 0 0"><joint name="j2"/><geom name="g2" size=".1" pos=".1 0 0"/></body>
  </worldbody>
  <tendon><fixed name="ten"><joint joint="j2" coef="3"/></fixed></tendon>
  <actuator>
    <motor name="first" joint="j" gear="1 2 3"/>
    <general name="a" joint="j2" gear="5" dyntype="integrator"/>
  </actuator>
  <sensor><clock/><gyro name="gy" site="s"/></sensor>
  <equality><connect name="e" body1="b" body2="b2" anchor="0 0 0"/></equality>
  <contact><exclude name="x" body1="b" body2="b2"/><pair name="p" geom1="g" geom2="g2"/></contact>
  <custom>
    <numeric name="n0" data="7"/><numeric name="n" data="1 2 3"/><text name="tx" data="hello"/>
    <tuple name="tu"><element objtype="body" objname="b" prm="3"/></tuple>
  </custom>
  <keyframe><key name="k" time="2"/></keyframe>
</mujoco>
"""
NAMES = {
    "actuator": "a", "body": "b", "cam": "c", "eq": "e", "exclude": "x", "geom": "g1", "hfield": "h", "jnt": "j",
    "key": "k", "light": "l", "mat": "m", "mesh": "me", "numeric": "n", "pair": "p", "sensor": "gy", "site": "s",
    "tendon": "ten", "tex": "t", "tuple": "tu",
}


def stepped(package):
    m = package.MjModel.from_xml_string(XML)
    m.jnt_solref[:] = np.arange(6).reshape(3, 2) + 1
    d = package.MjData(m)
    package.mj_step(m, d)
    return m, d


def test_fields_have_the_values_of_mujocos():
    checked = 0
    for ours, theirs in zip(stepped(sinew), stepped(mujoco)):
        for category, name in NAMES.items():
            if not hasattr(theirs, category):
                continue
            mine, other = getattr(ours, category)(name), getattr(theirs, category)(name)
            assert (mine.id, mine.name) == (other.id, other.name)
            for field in dir(other):
                if field.startswith(("__", "_py")) or field in ("id", "name"):
                    continue
                # MuJoCo reads the sparse moment as if it were dense, one of two lengths of a spring, and
                # motion axes from the row of the joint's index, not from its first dof
                if field in ("moment", "_lengthspring", "cdof", "cdof_dot"):
                    continue
                np.testing.assert_allclose(
                    getattr(mine, field), getattr(other, field), atol=1e-12, err_msg=f"{category}.{field}"
                )
                assert np.shape(getattr(mine, field)) == np.shape(getattr(other, field)), (category, field)
                checked += 1
    assert checked > 250


@pytest.mark.parametrize("kind", ["Model", "Data"])
def test_every_array_with_a_row_per_object_is_an_attribute(kind):
    layout = getattr(_core, kind.upper() + "_LAYOUT")
    owner = stepped(sinew)[kind == "Data"]
    missing = []
    for names, _, size in _named._CATEGORIES:
        arrays = [a for a, rows in layout.items() if rows == size and not _named._OTHER.fullmatch(a)]
        if names[0] not in NAMES or not arrays:
            continue
        accessor = getattr(owner, names[0])(NAMES[names[0]])
        for array in arrays:
            short = array[len(names[0]) :].lstrip("_") if array.startswith(names[0]) else array.removeprefix("ten_")
            if not hasattr(accessor, short):
                missing.append(array)
    assert not missing


def test_parts_of_shared_arrays_are_slices():
    m, d = stepped(sinew)
    np.testing.assert_array_equal(m.mesh("me").vert, m.mesh_vert[4:9])
    np.testing.assert_array_equal(d.actuator("a").act, d.act)
    assert d.actuator("first").act.size == 0
    np.testing.assert_array_equal(d.actuator("first").moment, [1, 2, 3])
    np.testing.assert_array_equal(d.actuator("a").moment, [5])
    assert m.text("tx").data == b"hello\0"
    assert d.eq("e").active == 1 and m.body("b").gravcomp == 0
    d.joint("j").qvel = 4, 5, 6
    np.testing.assert_array_equal(d.qvel[6:9], [4, 5, 6])


def test_flexes_by_name():
    xml = """<mujoco><worldbody>
      <flexcomp name="one" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2"/>
      <flexcomp name="two" type="grid" count="2 2 2" spacing=".1 .1 .1" dim="3" pos="0 0 1"/>
    </worldbody></mujoco>"""
    m = sinew.MjModel.from_xml_string(xml)
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    np.testing.assert_array_equal(d.flex("two").vert_xpos, d.flexvert_xpos[9:])
    np.testing.assert_array_equal(m.flex("two").vertbodyid, m.flex_vertbodyid[9:])
    assert m.flex("two").dim == 3


def test_indices_may_be_scalars_of_any_library():
    """Of NumPy with and without a shape, enums, and those without a hash or with one of their own (JAX, PyTorch)."""

    class Index:
        __hash__ = None

        def __index__(self):
            return 1

    m, d = stepped(sinew)
    for key in (np.array(2), np.int64(2), np.uint8(2), np.array([1, 2])[1], sinew.mjtObj.mjOBJ_XBODY, Index()):
        assert m.body(key) is m.body(int(key.__index__())) and d.body(key).id == int(key.__index__())
    assert m.body(b"b1") is m.body("b1")
    for key in (1.0, None, np.array([1, 2]), object()):
        with pytest.raises(TypeError, match="a name or a number"):
            m.body(key)
    assert len(m._accessors) < 12  # nothing of the keys is kept
