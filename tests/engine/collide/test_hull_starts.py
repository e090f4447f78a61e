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


def hull_of(model):
    """Vertices of the hull, their neighbours, its triangles."""
    graph, n, faces = model.mesh_graph, model.mesh_graph[0], model.mesh_graph[1]
    first, ids, edges = np.split(graph[2 : 2 + 3 * n + 3 * faces], [n, 2 * n])
    neighbours = [edges[i : i + list(edges[i:]).index(-1)] for i in first]
    vertices = model.mesh_vert.astype(float)
    return vertices[ids], neighbours, vertices[graph[2 + 3 * n + 3 * faces :].reshape(-1, 3)]


def test_large_hulls_have_starts():
    for points in (pebble(120), slab(40)):
        model = sinew.MjModel.from_xml_string(text(points))
        start, graph = np.ravel(model.mesh_hullstart), model.mesh_graph
        assert (start > 0).all() and len(set(start.tolist())) > 30
        assert graph[0] == len(points)
    assert not np.any(sinew.MjModel.from_xml_string(text(pebble(20))).mesh_hullstart)


def test_no_search_along_edges_ends_further_below_the_summit_than_the_gap():
    rng, ended_lower = np.random.default_rng(5), 0
    for points in (pebble(60), slab(12), slab(40), np.round(pebble(100), 2)):
        model = sinew.MjModel.from_xml_string(text(points))
        gap, size = np.ravel(model.mesh_hullgap)
        vertices, neighbours, triangles = hull_of(model)
        assert np.abs(vertices).max() <= size and 0 <= gap < 1e-5 * size
        normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        for normal in normals / np.linalg.norm(normals, axis=1)[:, None]:
            for tilt in (0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-4):
                direction = normal + tilt * rng.normal(size=3)
                height = vertices @ (direction / np.linalg.norm(direction))
                ends = [i for i, near in enumerate(neighbours) if height[near].max() <= height[i]]
                assert height[ends].min() >= height.max() - gap - 1e-14 * size
                ended_lower += height[ends].min() < height.max()
    assert ended_lower  # the bound is needed


def test_small_hulls_are_kept_in_blocks_of_eight():
    model = sinew.MjModel.from_xml_string(text(pebble(20)))
    blocks = model.mesh_hullvert[:72].reshape(3, 3, 8)
    table = blocks.transpose(0, 2, 1).reshape(24, 3)
    vertices = hull_of(model)[0]
    assert np.array_equal(table[:20], vertices)
    assert np.allclose(table[20:], vertices.mean(0))


def test_searches_see_vertices_that_a_program_moved():
    xml = text(pebble(20))
    mj, model = mujoco.MjModel.from_xml_string(xml), sinew.MjModel.from_xml_string(xml)
    mj.mesh_vert *= 1.5
    model.mesh_vert *= 1.5
    mj_data, data = mujoco.MjData(mj), sinew.MjData(model)
    mj_data.qpos[7:10] = data.qpos[7:10] = [0.1, 0.03, 0.02]
    mujoco.mj_fwdPosition(mj, mj_data)
    sinew.mj_fwdPosition(model, data)
    assert data.ncon == mj_data.ncon == 1
    assert abs(data.contact[0].dist - mj_data.contact[0].dist) <= 1e-9


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
