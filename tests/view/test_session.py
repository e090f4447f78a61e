"""The viewer without a browser: what it draws, and what is done to a simulation that is looked at."""

import io
import pathlib
import socket
import sys
import time
import zipfile

import numpy as np
import pytest

import sinew
from sinew import view_scene, viewer
from sinew.view_session import LoadError, Session, load_bytes, load_path

ROOT = pathlib.Path(__file__).resolve().parents[2]
HUMANOID = ROOT / "models/humanoid.xml"


@pytest.fixture
def session():
    return Session(load_path(HUMANOID))


# ---- shapes ----


def volume(vertices, faces):
    """Volume that triangles enclose; positive when they face outwards."""
    a, b, c = (vertices[faces[:, i]].astype(float) for i in range(3))
    return np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6


@pytest.mark.parametrize("name,expected", [("sphere", 4 / 3 * np.pi), ("cylinder", 2 * np.pi), ("cone", np.pi / 3), ("box", 8)])
def test_unit_shapes_enclose_their_volume(name, expected):
    vertices, faces = view_scene._UNIT_SHAPES[name]()
    assert volume(vertices, faces) == pytest.approx(expected, rel=0.03)


def test_mesh_hull_and_height_field_face_outwards():
    model = sinew.MjModel.from_xml_string("""<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
      <hfield name="h" nrow="3" ncol="4" size="1 2 1 .5" elevation="0 0 0 0 0 1 0 0 0 0 0 0"/></asset>
      <worldbody><geom type="mesh" mesh="m"/><geom type="hfield" hfield="h"/></worldbody></mujoco>""")
    shapes = view_scene.Shapes(model)
    for key in (("mesh", 0, -1), ("mesh", 1, -1)):
        assert volume(*shapes.mesh(key)[:2]) == pytest.approx(1 / 6)
    vertices, faces, _ = shapes.mesh(("hfield", 0, -1))
    up = np.cross(vertices[faces[:, 1]] - vertices[faces[:, 0]], vertices[faces[:, 2]] - vertices[faces[:, 0]])[:, 2]
    assert (up[: 2 * 2 * 3] > 0).all() and vertices[:, 2].min() == -0.5


def test_instances_are_the_geoms_of_the_scene(session):
    geoms = session.update_scene()
    copies = session.shapes.instances(geoms)
    rows = np.unique(np.concatenate([c.geom for c in copies.values()]))
    assert rows.tolist() == list(range(len(geoms)))
    for (key, _), found in copies.items():
        for i, row in enumerate(found.geom):
            mat = np.empty(9)
            sinew.mju_quat2Mat(mat, found.quat[i].astype(float))
            assert np.allclose(mat, geoms["mat"][row].ravel(), atol=1e-5)
    balls = copies["sphere", False]
    capsules = (geoms["type"] == sinew.mjtGeom.mjGEOM_CAPSULE).sum()
    assert len(copies["tube", False].pos) == capsules
    assert len(balls.pos) == 2 * capsules + (geoms["type"] == sinew.mjtGeom.mjGEOM_SPHERE).sum()


def test_quaternions_turn_as_the_matrices_do():
    random = np.random.default_rng(1)
    for quat in (*random.normal(size=(50, 4)), *np.eye(4)):
        quat = quat / np.linalg.norm(quat)
        mat = np.empty(9)
        sinew.mju_quat2Mat(mat, quat)
        found = view_scene.quaternions(mat[None])[0]
        assert abs(found @ quat) == pytest.approx(1, abs=1e-6)


def test_poses_that_are_not_numbers_are_left_out(session):
    geoms = session.update_scene().copy()
    geoms["pos"][3, 1] = np.nan
    copies = session.shapes.instances(geoms)
    assert not any((c.geom == 3).any() for c in copies.values())
    assert all(np.isfinite(c.pos).all() for c in copies.values())


def test_every_decoration_has_a_shape(session):
    session.option.flags[:] = 1
    session.option.frame, session.option.label = 1, 1
    session.select(1)
    geoms = session.update_scene()
    copies = session.shapes.instances(geoms)
    shown = np.unique(np.concatenate([c.geom for c in copies.values()]))
    missing = np.setdiff1d(np.arange(len(geoms)), shown)
    assert set(geoms["type"][missing]) <= {int(sinew.mjtGeom.mjGEOM_LABEL), int(sinew.mjtGeom.mjGEOM_NONE)}


def test_skins_and_flexes_are_meshes():
    model = sinew.MjModel.from_xml_string("""<mujoco><worldbody>
      <flexcomp name="f" type="grid" count="4 4 1" spacing=".1 .1 .1" dim="2" radius=".01"/></worldbody></mujoco>""")
    session = Session(model)
    session.update_scene()
    found = view_scene.soft_meshes(model, session.scene)
    assert len(found) == 1
    vertices, faces, _ = found["flex 0"]
    assert faces.max() < len(vertices)


# ---- time ----


def test_real_time_passes_and_stops(session):
    session.advance()
    time.sleep(0.05)
    steps = session.advance()
    assert 0 < steps and session.data.time == pytest.approx(steps * session.model.opt.timestep)
    session.paused = True
    time.sleep(0.02)
    assert session.advance() == 0


def test_scrubber_shows_the_past_and_the_run_goes_on_from_there(session):
    states = []
    for _ in range(10):
        session.step_once()
        states.append(session.data.qpos.copy())
    session.scrub(0.5)
    assert session.paused and session.data.time == pytest.approx(5 * session.model.opt.timestep)
    assert np.array_equal(session.data.qpos, states[4])
    session.step_once()
    assert np.array_equal(session.data.qpos, states[5]) and len(session.history) == 7


def test_reset_goes_to_the_start_or_to_a_keyframe(session):
    session.step_once(5)
    session.reset(0)
    assert np.array_equal(session.data.qpos, session.model.key_qpos[0])
    session.reset()
    assert np.array_equal(session.data.qpos, session.model.qpos0) and session.data.time == 0


# ---- hands ----


def test_drag_pulls_with_the_spring_of_mjv_apply_perturb_force(session):
    body = sinew.mj_name2id(session.model, 1, "torso")
    session.update_scene()
    start = session.data.xpos[body].copy()
    session.drag("start", body, start, start + [0, 0, 0.3])
    session.step_once()
    assert session.data.xfrc_applied[body, 2] > 0
    height = session.data.xpos[body, 2]
    session.step_once(100)
    assert session.data.xpos[body, 2] > height
    session.drag("end", body, start, start)
    assert not session.data.xfrc_applied.any() and not session.perturb.active


def test_drag_of_a_stopped_simulation_moves_a_free_body():
    session = Session(sinew.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"))
    session.paused = True
    session.update_scene()
    session.drag("start", 1, [0, 0, 0], [0.4, 0, 0.2])
    session.advance()
    assert np.allclose(session.data.qpos[:3], [0.4, 0, 0.2])
    session.drag("end", 1, [0, 0, 0], [0, 0, 0])


def test_turning_turns(session):
    body = sinew.mj_name2id(session.model, 1, "torso")
    session.update_scene()
    session.drag("start", body, session.data.xpos[body], session.data.xpos[body], (0.0, 0.0))
    session.drag("update", body, session.data.xpos[body], session.data.xpos[body], (0.2, 0.0))
    session.step_once()
    assert np.linalg.norm(session.data.xfrc_applied[body, 3:]) > 0


# ---- models ----


def test_dropped_model_reads_only_the_folder_and_its_archive(tmp_path):
    mesh = "<mujoco><asset><mesh name='m' file='{}'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
    folder = tmp_path / "model"
    folder.mkdir()
    corners = "".join(f"v {x} {y} {z}\n" for x, y, z in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)))
    obj = corners + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    (folder / "in.obj").write_text(obj)
    (tmp_path / "out.obj").write_text(obj)
    assert load_bytes("a.xml", mesh.format("in.obj").encode(), folder).nmesh == 1
    (folder / "link.obj").symlink_to(tmp_path / "out.obj")
    for name in ("../out.obj", str(tmp_path / "out.obj"), "link.obj", "none.obj"):
        with pytest.raises(LoadError, match="not in the folder"):
            load_bytes("a.xml", mesh.format(name).encode(), folder)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a/a.xml", mesh.format("in.obj"))
        file.writestr("a/in.obj", obj)
    assert load_bytes("a.zip", archive.getvalue()).nmesh == 1


@pytest.mark.parametrize("name,content", [("a.xml", b"<mujoco"), ("a.xml", b"\xff\x00"), ("a.png", b""), ("a.zip", b"PK"), ("a.mjb", b"x")])
def test_dropped_rubbish_is_refused_with_its_name(name, content):
    with pytest.raises(LoadError, match=name.replace(".", r"\.")):
        load_bytes(name, content, ROOT / "models")


# ---- the program ----


def test_missing_extra_and_bad_models_are_said_and_fail(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "viser", None)
    assert viewer.main([str(HUMANOID), "--no-browser"]) == 2
    assert "pip install 'sinew-physics[view]'" in capsys.readouterr().err
    assert viewer.main(["--mjcf=no.xml"]) == 2
    assert "no.xml: no such file" in capsys.readouterr().err
    bad = tmp_path / "bad.xml"
    bad.write_text("<mujoco><worldbody><geom size='x'/></worldbody></mujoco>")
    assert viewer.main([str(bad)]) == 2
    assert "bad.xml" in capsys.readouterr().err
    with pytest.raises(viewer.ViewerError, match="viser"):
        viewer.launch_passive(model := load_path(HUMANOID), sinew.MjData(model))


def test_arguments_that_are_not_a_model_are_refused():
    model = load_path(HUMANOID)
    with pytest.raises(ValueError, match="MjModel"):
        viewer.launch_passive("humanoid.xml", None)
    with pytest.raises(ValueError, match="MjData"):
        viewer.launch_passive(model, model)
    with pytest.raises(ValueError, match="callable"):
        viewer.launch_passive(model, sinew.MjData(model), key_callback=3)
    with pytest.raises(ValueError, match="not both"):
        viewer.launch(model, loader=lambda: model)


def test_port_in_use_is_said():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(viewer.ViewerError, match=f"port {port} .*--port"):
            viewer._free_port("127.0.0.1", port)
    with pytest.raises(viewer.ViewerError, match="99999999"):
        viewer._free_port("127.0.0.1", 99999999)
    assert viewer._free_port("127.0.0.1", None) >= 8080
