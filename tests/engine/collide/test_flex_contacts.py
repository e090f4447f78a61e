"""Contacts of flexes against MuJoCo's: every geom type, other flexes, the flex itself; ids, order, numbers."""

import itertools

import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

# pairs that a closed form solves have the last digits in common, the others end within ccd_tolerance
EXACT = 1e-9
ITERATIVE = 1e-5

GEOMS = {
    "plane": '<geom type="plane" size="2 2 .1" pos="0 0 -.05" euler="4 3 0"/>',
    "sphere": '<geom type="sphere" size=".11"/>',
    "capsule": '<geom type="capsule" size=".06 .12" euler="70 20 0"/>',
    "ellipsoid": '<geom type="ellipsoid" size=".1 .14 .08" euler="20 30 10"/>',
    "cylinder": '<geom type="cylinder" size=".09 .1" euler="80 15 0"/>',
    "box": '<geom type="box" size=".1 .08 .07" euler="20 30 40"/>',
    "mesh": '<geom type="mesh" mesh="rock"/>',
    "hfield": '<geom type="hfield" hfield="ground" pos="0 0 -.06"/>',
    "sdf": '<geom type="sdf" mesh="rock"/>',
}
ASSETS = """
<mesh name="rock" vertex="-.1 -.1 -.08  .12 -.07 -.1  0 .13 -.09  .02 0 .12  -.05 .06 .1  .09 .05 .05"/>
<hfield name="ground" nrow="7" ncol="8" size=".5 .5 .08 .1"
  elevation="0 .3 .6 .2 .1 .4 .9 .2  .5 .2 .8 .3 0 .1 .5 .6  .1 .7 .4 .2 .3 .9 .1 0  .4 .4 .6 1 .2 .1 .3 .5
             .9 .1 .2 .4 .6 .3 0 .2  .3 .5 .1 .7 .2 .8 .4 .1  0 .2 .6 .3 .9 .1 .5 .4"/>
"""
ELEMENTS = {1: "8 1 1", 2: "5 4 1", 3: "3 3 3"}


def flexcomp(dim, name="soft", pos="0 0 0", dof="full", contact="", radius=0.02, more=""):
    return f"""<flexcomp name="{name}" type="grid" dim="{dim}" count="{ELEMENTS[dim]}" spacing=".06 .06 .06" pos="{pos}"
      radius="{radius}" mass="1" dof="{dof}" {more}><contact {contact}/></flexcomp>"""


def scene(*content, option="", flags=""):
    return f"""<mujoco><option {option}><flag {flags}/></option><asset>{ASSETS}</asset>
      <worldbody>{''.join(content)}</worldbody></mujoco>"""


def listed(data):
    """Ids and numbers of the contacts, in order."""
    cons = [data.contact[i] for i in range(data.ncon)]
    ids = [tuple(map(tuple, (c.geom, c.flex, c.elem, c.vert))) + (c.dim, c.exclude) for c in cons]
    place = np.array([[c.dist, *c.pos, *c.frame] for c in cons]).reshape(-1, 13)
    parameters = np.array([[c.includemargin, *c.friction, *c.solref, *c.solreffriction, *c.solimp] for c in cons])
    return ids, place, parameters.reshape(-1, 15)


class Pair:
    """A model in both engines, compared at given positions."""

    def __init__(self, xml):
        self.mj = mujoco.MjModel.from_xml_string(xml)
        self.mj_data = mujoco.MjData(self.mj)
        self.model = bridge.model_from_mujoco(self.mj)
        self.data = _core.MjData(self.model)
        self.count, self.worst = 0, 0.0

    def compare(self, qpos):
        self.mj_data.qpos[:] = self.data.qpos[:] = qpos
        for function in ("mj_kinematics", "mj_comPos", "mj_flex", "mj_collision"):
            getattr(mujoco, function)(self.mj, self.mj_data)
            getattr(_core, function)(self.model, self.data)
        (ids, place, parameters), (mj_ids, mj_place, mj_parameters) = listed(self.data), listed(self.mj_data)
        assert ids == mj_ids
        assert np.array_equal(parameters, mj_parameters)
        self.count += len(ids)
        if ids:
            self.worst = max(self.worst, np.abs(place - mj_place).max())

    def run(self, states, size, seed=0):
        rng = np.random.default_rng(seed)
        for _ in range(states):
            qpos = self.mj.qpos0.copy()
            qpos += rng.normal(size=self.mj.nq) * size
            self.compare(qpos)
        return self


def is_exact(geom, dim):
    return geom == "plane" or (dim < 3 and geom in ("sphere", "capsule", "box"))


@pytest.mark.parametrize("geom, dim", list(itertools.product(GEOMS, (1, 2, 3))))
def test_geom_and_flex_make_the_same_contacts(geom, dim):
    more = 'margin=".01" gap=".004" solref=".01 1.2" friction=".7 .01 .001" condim="4" selfcollide="none"'
    content = f"<body>{GEOMS[geom]}</body>{flexcomp(dim, pos='.02 .01 .06', contact=more)}"
    if geom in ("plane", "hfield"):
        content = GEOMS[geom] + flexcomp(dim, pos=".02 .01 .0", contact=more)
    pair = Pair(scene(content)).run(12, 0.02)
    assert pair.count > 12
    assert pair.worst <= (EXACT if is_exact(geom, dim) else ITERATIVE)


@pytest.mark.parametrize("dim1, dim2", list(itertools.product((1, 2, 3), repeat=2)))
def test_two_flexes_make_the_same_contacts(dim1, dim2):
    """Spec 42A-v: 2."""
    contact = 'selfcollide="none" margin=".005"'
    content = flexcomp(dim1, "a", contact=contact) + flexcomp(dim2, "b", ".02 .03 .05", contact=contact)
    pair = Pair(scene(content)).run(12, 0.02)
    assert pair.count > 12
    assert pair.worst <= (EXACT if dim1 == dim2 == 1 else ITERATIVE)


@pytest.mark.parametrize("dim, how", list(itertools.product((1, 2, 3), ("narrow", "bvh", "sap", "auto"))))
def test_a_flex_touches_itself_in_the_same_order(dim, how):
    """Spec 42A-iv: 5."""
    contact = f'selfcollide="{how}" internal="{"true" if how == "bvh" else "false"}" activelayers="2"'
    pair = Pair(scene(flexcomp(dim, contact=contact))).run(30 if dim == 1 else 8, 0.15 if dim == 1 else 0.06)
    assert pair.count > 20
    assert pair.worst <= (EXACT if dim == 1 else ITERATIVE)


@pytest.mark.parametrize("count, size, radius", [("12 12", 0.03, 0.01), ("40 3", 0.05, 0.02), ("33 34", 0.02, 0.004)])
def test_a_large_sheet_touches_itself_in_the_same_order(count, size, radius):
    """In as many strips of the sweep as there are, and with so many elements (2,112) that pairs are counted."""
    xml = scene(f"""<flexcomp name="sheet" type="grid" dim="2" count="{count} 1" spacing=".05 .05 .05" radius="{radius}"
      mass="1"><contact selfcollide="sap" internal="false"/></flexcomp>""")
    pair = Pair(xml).run(1, size)
    assert pair.count > 100
    assert pair.worst <= ITERATIVE


@pytest.mark.parametrize("dim", (1, 2, 3))
def test_internal_contacts_are_the_same(dim):
    pair = Pair(scene(flexcomp(dim, contact='selfcollide="none" internal="true"', radius=0.03)))
    pair.run(60 if dim == 1 else 8, 0.05)
    assert pair.count > 20 and pair.worst <= EXACT


@pytest.mark.parametrize("dim, geom", list(itertools.product((1, 2, 3), ("sphere", "box", "plane"))))
def test_without_mid_phase_all_elements_take_part(dim, geom):
    content = f"<body>{GEOMS[geom]}</body>" if geom != "plane" else GEOMS[geom]
    pos = "0 0 -.03" if geom == "plane" else "0 0 .02"
    xml = scene(content + flexcomp(dim, pos=pos), flags='midphase="disable"')
    assert Pair(xml).run(6, 0.02).count > 6


@pytest.mark.parametrize("geom, dim", list(itertools.product(("ellipsoid", "cylinder", "mesh", "hfield"), (1, 2, 3))))
def test_legacy_pipeline_makes_the_same_contacts(geom, dim):
    content = GEOMS[geom] if geom == "hfield" else f"<body>{GEOMS[geom]}</body>"
    pos = "0 0 0" if geom == "hfield" else "0 0 .05"
    xml = scene(content + flexcomp(dim, pos=pos, contact='selfcollide="none"'), flags='nativeccd="disable"')
    pair = Pair(xml).run(8, 0.02)
    assert pair.count > 8 and pair.worst <= ITERATIVE


@pytest.mark.parametrize("dof", ("trilinear", "quadratic"))
def test_interpolated_flexes_touch_geoms(dof):
    content = f'<body>{GEOMS["sphere"]}</body>{GEOMS["plane"]}'
    pair = Pair(scene(content + flexcomp(3, pos="0 0 .04", dof=dof, contact='selfcollide="none"'))).run(8, 0.01)
    assert pair.count > 8 and pair.worst <= ITERATIVE


def test_masks_priorities_and_override():
    contact = 'selfcollide="none" contype="2" conaffinity="1" priority="1" solmix="2" condim="6" margin=".02"'
    geoms = '<geom type="sphere" size=".1" {}/>'
    content = "".join(
        f'<body pos="{x} 0 0">{geoms.format(masks)}</body>'
        for x, masks in ((-0.1, 'contype="1" conaffinity="0"'), (0, 'contype="4" conaffinity="8"'),
                         (0.1, 'contype="0" conaffinity="2" priority="2" condim="1"'))
    )
    for flags, option in (("", ""), ('override="enable"', 'o_margin=".03" o_solref=".01 .9" o_friction="1 1 .1 .1 .1"')):
        pair = Pair(scene(content + flexcomp(2, pos="0 0 .08", contact=contact), flags=flags, option=option))
        assert pair.run(6, 0.02).count > 6


# ---- who touches whom ----


def crumpled(xml, size=0.06, seed=1):
    """Contacts of a state in which vertices lie at random about their places, the same as MuJoCo's."""
    pair = Pair(xml)
    pair.run(1, size, seed)
    return listed(pair.data)


@pytest.mark.parametrize("dim", (1, 2, 3))
@pytest.mark.parametrize("contact, touches", [
    ('selfcollide="narrow" internal="true"', True),
    ('selfcollide="narrow" internal="true" contype="1" conaffinity="2"', False),
    ('selfcollide="auto" internal="true" contype="0" conaffinity="0"', False),
])  # fmt: skip
def test_a_flex_touches_itself_only_where_its_masks_meet(dim, contact, touches):
    """Spec 42A-iv: 1."""
    assert bool(crumpled(scene(flexcomp(dim, contact=contact, radius=0.03)), 0.1)[0]) == touches


@pytest.mark.parametrize("dim", (1, 2, 3))
def test_a_rigid_flex_does_not_touch_itself(dim):
    """Though its two elements overlap from the start (spec 42A-iv: 2)."""
    first = np.array([[-0.1, -0.1, -0.1], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])[: dim + 1]
    point = " ".join(map(str, np.concatenate([first, first + 0.01]).ravel()))
    element = " ".join(map(str, range(2 * dim + 2)))
    soft, rigid = (Pair(scene(f"""<body name="b"><freejoint/><geom size=".01" mass="1" contype="0" conaffinity="0"/>
      <flexcomp name="f" type="direct" dim="{dim}" point="{point}" element="{element}" radius=".02" {more}>
      <contact selfcollide="narrow" internal="true"/></flexcomp></body>""")) for more in ("", 'rigid="true"'))
    assert rigid.model.flex_rigid[0] and not soft.model.flex_rigid[0]
    assert soft.run(1, 0).count > 0 and rigid.run(1, 0).count == 0


@pytest.mark.parametrize("dim", (1, 2, 3))
def test_internal_and_self_contacts_are_switched_apart(dim):
    """Either alone makes its own contacts, both together make both, neither none (spec 42A-iv: 3 4)."""
    found = {}
    for internal in ("false", "true"):
        for how in ("none", "narrow"):
            contact = f'internal="{internal}" selfcollide="{how}" activelayers="9"'
            found[internal, how] = crumpled(scene(flexcomp(dim, contact=contact, radius=0.03)), 0.1)[0]
    assert found["false", "none"] == []
    inner, outer = found["true", "none"], found["false", "narrow"]
    assert inner and outer and found["true", "narrow"] == inner + outer


@pytest.mark.parametrize("dim", (1, 2, 3))
def test_contacts_with_geoms_do_not_depend_on_contacts_of_flexes(dim):
    """A flex that touches itself, or another one, has the contacts with a geom that it has alone (spec 42A-iv: 7; spec 42A-v: 5)."""
    found = []
    for how, others in (("none", ""), ("narrow", ""), ("none", flexcomp(2, "b", ".02 .03 .05"))):
        content = f"<body>{GEOMS['sphere']}</body>" + flexcomp(dim, contact=f'selfcollide="{how}"') + others
        pair = Pair(scene(content))
        rng = np.random.default_rng(5)
        moved = pair.mj.qpos0.copy()
        moved[: 3 * pair.mj.flex_vertnum[0]] += 0.05 * rng.normal(size=3 * pair.mj.flex_vertnum[0])
        pair.compare(moved)
        ids, place, parameters = listed(pair.data)
        mine = [k for k, (geom, flex, *_) in enumerate(ids) if max(geom) >= 0 and 0 in flex]
        found.append(([ids[k] for k in mine], place[mine], parameters[mine], len(ids) - len(mine)))
    assert len(found[0][0]) > 0 and found[0][3] == 0 and found[1][3] > 0 and found[2][3] > 0
    for other in found[1:]:
        assert other[0] == found[0][0]
        np.testing.assert_array_equal(other[1], found[0][1])
        np.testing.assert_array_equal(other[2], found[0][2])


@pytest.mark.parametrize("first, second, touches", [
    ("1 0", "0 1", True), ("0 1", "1 0", True), ("2 4", "4 1", True), ("1 2", "1 4", False), ("0 0", "1 1", False),
])  # fmt: skip
def test_two_flexes_touch_only_where_their_masks_meet(first, second, touches):
    """A contype of one and the conaffinity of the other, either way (spec 42A-v: 1 3)."""
    contact = 'selfcollide="none" contype="{}" conaffinity="{}"'
    content = (flexcomp(masks_dim, name, pos, contact=contact.format(*masks.split()))
               for masks_dim, name, pos, masks in ((2, "a", "0 0 0", first), (3, "b", ".02 .03 .05", second)))  # fmt: skip
    assert bool(crumpled(scene(*content), 0.02)[0]) == touches


@pytest.mark.parametrize("priorities, weight", [((0, 0), 0.25), ((1, 0), 1), ((0, 1), 0)])
def test_parameters_of_two_flexes_mix_by_priority_and_solmix(priorities, weight):
    """The higher priority decides; without one solref and solimp are weighted by solmix, friction is the larger (spec 42A-v: 4)."""
    values = dict(solmix=(1, 3), friction=(0.4, 0.9), solref=(0.02, 0.06), condim=(3, 4))
    content = []
    for k, (name, pos) in enumerate((("a", "0 0 0"), ("b", ".02 .03 .05"))):
        contact = f'selfcollide="none" priority="{priorities[k]}" friction="{values["friction"][k]} .01 .001" '
        contact += " ".join(f'{key}="{values[key][k]}{" 1" if key == "solref" else ""}"' for key in ("solmix", "solref", "condim"))
        content.append(flexcomp(2, name, pos, contact=contact))
    ids, _, parameters = crumpled(scene(*content), 0.02)
    assert len(ids) > 0
    mixed = priorities[0] == priorities[1]
    friction = max(values["friction"]) if mixed else values["friction"][priorities[1]]
    np.testing.assert_allclose(parameters[:, 1:3], friction)
    np.testing.assert_allclose(parameters[:, 6], weight * 0.02 + (1 - weight) * 0.06)
    assert {dim for *_, dim, _ in ids} == {4 if mixed else values["condim"][priorities[1]]}
