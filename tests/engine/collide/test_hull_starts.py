"""Where searches for the farthest vertex of a hull start: a short cut that changes no contact."""

import mujoco
import numpy as np
import pytest
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


def cell_of(direction):
    """The face of a cube that a direction meets, and where on it (math/cell.h)."""
    axis = int(np.argmax(np.abs(direction)))
    across = [direction[0 if axis == 2 else axis + 1], direction[2 if axis == 0 else axis - 1]]
    part = [sum(x > limit * abs(direction[axis]) for limit in (-0.5, 0, 0.5)) for x in across]
    return ((2 * axis + (direction[axis] > 0)) * 4 + part[0]) * 4 + part[1]


def test_blocks_of_a_cell_have_all_that_may_be_the_summit():
    rng = np.random.default_rng(2)
    for points in (pebble(400), slab(80)):
        model = sinew.MjModel.from_xml_string(text(points))
        vertices, count = hull_of(model)[0], (model.mesh_graph[0] + 7) // 8
        stride = (len(model.mesh_graph) - 32 * count) // 96
        ids = model.mesh_hullvert[24 * count : 32 * count].astype(int)
        lists = model.mesh_hullvert[32 * count : 32 * count + 96 * stride].astype(int).reshape(96, stride)
        assert sorted(ids[: len(vertices)]) == list(range(len(vertices)))
        blocks = model.mesh_hullvert[: 24 * count].reshape(count, 3, 8).transpose(0, 2, 1).reshape(-1, 3)
        assert np.array_equal(blocks[: len(vertices)], vertices[ids[: len(vertices)]])
        gap, size = np.ravel(model.mesh_hullgap)
        for direction in rng.normal(size=(2000, 3)):
            direction /= np.linalg.norm(direction)
            row = lists[cell_of(direction)]
            if row[0] == 0:  # too many
                continue
            listed = ids[(8 * row[1 : 1 + row[0], None] + np.arange(8)).ravel()]
            height = vertices @ direction
            near = np.flatnonzero(height >= height.max() - gap - 1e-6 * size)
            assert set(near) <= set(listed)
        assert 0 < lists[:, 0].mean() < count / 2


def test_numbers_of_blocks_that_do_not_exist_are_refused(tmp_path):
    model = sinew.MjModel.from_xml_string(text(pebble(400)))
    count = (model.mesh_graph[0] + 7) // 8
    for place, number in ((24 * count, 400), (32 * count, 90), (32 * count + 1, count), (32 * count + 1, np.nan)):
        kept = model.mesh_hullvert[place]
        model.mesh_hullvert[place] = number
        path = str(tmp_path / "forged.mjb")
        sinew.mj_saveModel(model, path)
        model.mesh_hullvert[place] = kept
        with pytest.warns(RuntimeWarning, match="mesh_hullvert out of bounds"), pytest.raises(Exception):
            sinew.MjModel.from_binary_path(path)


def test_searches_see_vertices_that_a_program_moved():
    for points in (pebble(20), pebble(400)):
        check_moved_vertices(text(points))


def check_moved_vertices(xml):
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
    for points in (pebble(120), pebble(400), slab(40)):
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
