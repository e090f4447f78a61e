"""Contacts of a mesh with a distance field.

MuJoCo looks for the octree of a mesh geom under the number of the geom instead of its mesh, so that the field that
stands for the mesh depends on how many geoms come before it. We take the same one.
"""

import mujoco
import numpy as np
import pytest

import sinew
from sinew import bridge

POINTS = " ".join(f"{x} {y} {z}" for x in (-0.15, 0.15) for y in (-0.1, 0.12) for z in (-0.1, 0.1))


def model(before, meshes):
    plain = "".join(f'<mesh name="m{i}" vertex="{POINTS}"/>' for i in range(meshes))
    geoms = "".join(f'<geom size=".01" pos="{i} 5 5" contype="0" conaffinity="0"/>' for i in range(before))
    return (
        f'<mujoco><asset>{plain}<mesh name="f" builtin="cone" params="5 .5" scale=".2 .2 .15"/></asset><worldbody>{geoms}'
        '<body><freejoint/><geom type="mesh" mesh="m0"/></body><body><freejoint/><geom type="sdf" mesh="f"/></body>'
        "</worldbody></mujoco>"
    )


@pytest.mark.parametrize("before,meshes", [(0, 1), (0, 3), (2, 4), (10, 2), (18, 1), (30, 1), (45, 8), (45, 16)])
def test_contacts_are_those_of_the_field_that_mujoco_reads(before, meshes):
    theirs = mujoco.MjModel.from_xml_string(model(before, meshes))
    ours = bridge.model_from_mujoco(theirs)
    expected, actual = mujoco.MjData(theirs), sinew.MjData(ours)
    rng = np.random.default_rng(before)
    for _ in range(10):
        qpos = rng.normal(size=(2, 7))
        qpos[:, :3] *= 0.05
        qpos[:, 3:] /= np.linalg.norm(qpos[:, 3:], axis=1)[:, None]
        for module, m, d in ((mujoco, theirs, expected), (sinew, ours, actual)):
            d.qpos[:] = qpos.ravel()
            module.mj_forward(m, d)
        assert expected.ncon == actual.ncon
        if expected.ncon:
            assert np.allclose(expected.contact.dist, bridge.contacts(actual)["dist"], atol=1e-6)
            assert np.allclose(expected.contact.pos, bridge.contacts(actual)["pos"], atol=1e-6)
