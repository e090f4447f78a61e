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
    contact = 'selfcollide="none" margin=".005"'
    content = flexcomp(dim1, "a", contact=contact) + flexcomp(dim2, "b", ".02 .03 .05", contact=contact)
    pair = Pair(scene(content)).run(12, 0.02)
    assert pair.count > 12
    assert pair.worst <= (EXACT if dim1 == dim2 == 1 else ITERATIVE)


@pytest.mark.parametrize("dim, how", list(itertools.product((1, 2, 3), ("narrow", "bvh", "sap", "auto"))))
def test_a_flex_touches_itself_in_the_same_order(dim, how):
    contact = f'selfcollide="{how}" internal="{"true" if how == "bvh" else "false"}" activelayers="2"'
    pair = Pair(scene(flexcomp(dim, contact=contact))).run(30 if dim == 1 else 8, 0.15 if dim == 1 else 0.06)
    assert pair.count > 20
    assert pair.worst <= (EXACT if dim == 1 else ITERATIVE)


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
