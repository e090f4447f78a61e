"""Where searches for the farthest vertex of a hull start: a short cut that changes no contact."""

import mujoco
import numpy as np
import sinew


def text(points):
    numbers = " ".join(f"{x:.9g}" for x in np.ravel(points))
    return f"""<mujoco><option><flag multiccd="enable"/></option><asset><mesh name="m" vertex="{numbers}"/></asset><worldbody>
      <body><freejoint/><geom type="mesh" mesh="m"/></body><body><freejoint/><geom type="mesh" mesh="m"/></body>
      </worldbody></mujoco>"""


def pebble(n):
    x = np.random.default_rng(7).normal(size=(n, 3))
    return x / np.linalg.norm(x, axis=1)[:, None] * [0.1, 0.13, 0.08]


def slab(n):
    """Many vertices on two flat faces."""
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    ring = np.stack([0.1 * np.cos(angle), 0.1 * np.sin(angle), np.full(n, 0.05)], 1)
    return np.concatenate([ring, ring * [1, 1, -1]]) @ np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]


def test_hulls_have_starts_where_they_are_convex_with_something_to_spare():
    model = sinew.MjModel.from_xml_string(text(pebble(120)))
    start, graph = np.ravel(model.mesh_hullstart), model.mesh_graph
    assert (start > 0).all() and len(set(start.tolist())) > 40
    assert graph[0] == 120
    # none for flat faces and small hulls
    for points in (slab(40), pebble(20)):
        assert not np.any(sinew.MjModel.from_xml_string(text(points)).mesh_hullstart)


def test_contacts_are_those_of_mujoco_wherever_searches_start():
    for points in (pebble(120), slab(40)):
        xml = text(points)
        mj, model = mujoco.MjModel.from_xml_string(xml), sinew.MjModel.from_xml_string(xml)
        mj_data, data = mujoco.MjData(mj), sinew.MjData(model)
        rng, touched = np.random.default_rng(3), 0
        for _ in range(200):
            qpos = rng.normal(size=14)
            qpos[:3], qpos[7:10] = 0, 0.09 * rng.normal(size=3)
            mj_data.qpos[:] = data.qpos[:] = qpos
            mujoco.mj_fwdPosition(mj, mj_data)
            sinew.mj_fwdPosition(model, data)
            assert data.ncon == mj_data.ncon
            touched += data.ncon > 0
            for i in range(data.ncon):
                assert abs(data.contact[i].dist - mj_data.contact[i].dist) <= 1e-7
                assert np.abs(data.contact[i].pos - mj_data.contact[i].pos).max() <= 1e-5
        assert touched > 50
