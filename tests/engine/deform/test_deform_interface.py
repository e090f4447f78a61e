"""What a program reads and edits: forces, keyframes, options, registered bodies, worlds of a batch, pictures."""

import copy

import numpy as np
import pytest

import sinew
from sinew import deformable

from test_deformable import CLOTH, build, masses, run

FLOOR = "<geom type='plane' size='2 2 1'/>"
STATE = sinew.mjtState.mjSTATE_INTEGRATION


# ---- forces ----


def resting_cube():
    """A soft cube on a box that a spring holds, with a site around the box."""
    return build("<sinew:softbody count='3 3 3' spacing='.05 .05 .05' pos='0 0 .16' preset='rubber' damping='5'/>",
                 "<body pos='0 0 0'><joint type='slide' axis='0 0 1' stiffness='1e4' damping='100'/>"
                 "<geom type='box' size='.3 .3 .1' mass='1'/><site name='s' type='box' size='.31 .31 .11'/>"
                 "<site name='far' type='sphere' size='.05' pos='2 0 0'/></body>",
                 extra="<sensor><touch site='s'/><force site='s'/><touch site='far'/></sensor>")


def test_touch_and_contact_forces_are_the_weight():
    model = resting_cube()
    data = run(model, 2000)
    sinew.mj_forward(model, data)
    weight = masses(model).sum() * 9.81
    assert abs(data.sensordata[0] - weight) < 0.02 * weight
    assert abs(abs(data.sensordata[3]) - 9.81 - weight) < 0.02 * (9.81 + weight)
    assert data.sensordata[4] == 0
    total = np.zeros(3)
    for i in range(data.ndeformcon):
        force = np.zeros(6)
        sinew.mj_contactForce(model, data, data.ncon + i, force)
        assert force[0] >= 0 and not force[3:].any()
        total += force[0] * data.deformcon_normal[i]
    np.testing.assert_allclose(total[2], data.sensordata[0], rtol=1e-9)
    # vertices feel what the body feels, with the other sign
    np.testing.assert_allclose(data.deformvert_xfrc.sum(0), -data.deformable_xfrc[1, :3], atol=1e-9)
    beyond = np.ones(6)
    sinew.mj_contactForce(model, data, data.ncon + data.ndeformcon, beyond)
    assert not beyond.any()


def test_forces_are_part_of_the_state():
    model = resting_cube()
    data, other = run(model, 500), sinew.MjData(model)
    state = np.zeros(sinew.mj_stateSize(model, STATE))
    sinew.mj_getState(model, data, state, STATE)
    sinew.mj_setState(model, other, state, STATE)
    sinew.mj_forward(model, data)
    sinew.mj_forward(model, other)
    np.testing.assert_array_equal(data.sensordata, other.sensordata)


# ---- keyframes ----


def test_keyframes_hold_vertices():
    model = build(CLOTH.format(""), extra="<size nkey='2'/>")
    data = run(model, 50)
    np.testing.assert_array_equal(model.key_deformpos[1].reshape(-1, 3), model.deformvert_pos)
    sinew.mj_setKeyframe(model, data, 1)
    at, speed = data.deformvert_xpos.copy(), data.deformvert_xvel.copy()
    sinew.mj_step(model, data, 20)
    sinew.mj_resetDataKeyframe(model, data, 1)
    np.testing.assert_array_equal(data.deformvert_xpos, at)
    np.testing.assert_array_equal(data.deformvert_xvel, speed)
    sinew.mj_resetDataKeyframe(model, data, 0)
    np.testing.assert_array_equal(data.deformvert_xpos, model.deformvert_pos)


def test_keyframes_of_files_hold_vertices():
    text = ("<mujoco><deformable><sinew:chain name='r' count='3 1 1' spacing='.1 1 1'/></deformable><keyframe>"
            "<key name='up' sinew:deformpos='0 0 1 .1 0 1 .2 0 1' sinew:deformvel='0 0 2 0 0 2 0 0 2'/>"
            "<key name='rest'/></keyframe></mujoco>")
    spec = sinew.MjSpec.from_string(text)
    for model in (spec.compile(), sinew.MjModel.from_xml_string(spec.to_xml())):
        data = sinew.MjData(model)
        sinew.mj_resetDataKeyframe(model, data, 0)
        np.testing.assert_allclose(data.deformvert_xpos, [[0, 0, 1], [.1, 0, 1], [.2, 0, 1]], atol=1e-12)
        np.testing.assert_allclose(data.deformvert_xvel[:, 2], 2)
        sinew.mj_resetDataKeyframe(model, data, 1)
        np.testing.assert_array_equal(data.deformvert_xpos, model.deformvert_pos)
    with pytest.raises(ValueError, match="invalid deformpos size, expected length 9, got 12"):
        sinew.MjModel.from_xml_string(text.replace("0 0 1 .1", "1 2 3 0 0 1 .1"))


# ---- options ----


def test_option_sets_the_number_of_detections():
    """spec 004-9: 7."""
    text = "<sinew:chain count='3 1 1'/><sinew:chain count='3 1 1' repeats='3'/>"
    model = build(text, option="sinew:deformable_repeats='2'")
    assert model.deformable_repeats.ravel().tolist() == [2, 3]
    assert build(text).deformable_repeats.ravel().tolist() == [1, 3]
    again = sinew.MjModel.from_xml_string(sinew.MjSpec.from_string(
        f"<mujoco><option sinew:deformable_repeats='4'/><deformable>{text}</deformable></mujoco>").to_xml())
    assert again.deformable_repeats.ravel().tolist() == [4, 3]
    for value in (0, 5):
        with pytest.raises(ValueError, match="sinew:deformable_repeats must be between 1 and 4"):
            build(text, option=f"sinew:deformable_repeats='{value}'")


def pushed_out(solref, solimp="1 1 .001 .5 2"):
    """How far one substep of 2 ms moves a vertex of 1 kg that is 1 cm deep; a chain of two that is free to move."""
    model = build("<sinew:chain vertex='0 0 -.01 0 0 5' element='0 1' margin='0' mass='2' substeps='1' "
                  f"stretch_compliance='1e9' solref='{solref}' solimp='{solimp}'/>", FLOOR, "gravity='0 0 0'")
    data = run(model, 1)
    return data.deformvert_xpos[0, 2] + 0.01


@pytest.mark.parametrize("stiffness", [1e3, 1e5, 1e7])
def test_collision_constraint_with_compliance(stiffness):
    """spec 11: A4; spec 004-9: 4. T5: depth / (1 + a), a = compliance / h^2 for a vertex of 1 kg."""
    soft = 1 / (stiffness * 0.002**2)
    assert abs(pushed_out(f"{-stiffness} 0") - 0.01 / (1 + soft)) < 1e-12


def test_collision_constraint_without_compliance_is_exact():
    """spec 11: A4. T5."""
    assert abs(pushed_out("0 1") - 0.01) < 1e-15


def test_reference_and_impedance_set_how_soon_overlaps_are_gone():
    assert abs(pushed_out("0.01 1") - 0.01 * 0.002 / (0.002 + 0.02)) < 1e-12
    assert abs(pushed_out("0 1", ".4 .4 .001 .5 2") - 0.004) < 1e-12


# ---- registered bodies ----


def test_register_get_copy():
    """Registration: index, state kept, views, deep copies, errors."""
    spec = sinew.MjSpec.from_string("<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody>"
                                    "<deformable><sinew:chain name='r' count='3 1 1'/></deformable></mujoco>")
    model = spec.compile()
    data = run(model, 30)
    triangle = dict(type=deformable.CLOTH, vert=[0, 0, 2, .1, 0, 2, 0, .1, 2], elem=[0, 1, 2])
    index, model2, data2 = deformable.register(spec, model, data, **triangle)
    assert index == 1 and model2.ndeformable == 2 and model.ndeformable == 1
    np.testing.assert_array_equal(data2.qpos, data.qpos)
    np.testing.assert_array_equal(data2.deformvert_xpos[:3], data.deformvert_xpos)
    view = deformable.get(model2, data2, index)
    kept = copy.deepcopy(view)
    sinew.mj_step(model2, data2, 10)
    assert view.xpos[0, 2] < 2 and kept.xpos[0, 2] == 2
    view.xvel[:] = 0
    assert not data2.deformvert_xvel[3:].any()
    for wrong in (2, -1):
        with pytest.raises(IndexError, match=f"deformable {wrong} out of range, there are 2"):
            deformable.get(model2, data2, wrong)
    with pytest.raises(ValueError, match="substeps"):
        deformable.register(spec, model2, data2, substeps=0, **triangle)
    assert spec.compile().ndeformable == 2
    # another world has bodies of its own
    other = sinew.MjData(model2)
    sinew.mj_step(model2, other)
    assert deformable.get(model2, other, index).xpos[0, 2] != view.xpos[0, 2]


def test_a_flex_beside_a_registered_body_changes_no_bit_of_it():
    """Flexes are no part of the pipeline of registered bodies (spec 42: 3)."""
    found = []
    for flex in ("", "<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' pos='5 0 1'/>"):
        spec = sinew.MjSpec.from_string(f"<mujoco><worldbody><geom type='plane' size='9 9 1'/>{flex}</worldbody></mujoco>")
        model = spec.compile()
        cloth = dict(type=deformable.CLOTH, vert=[0, 0, .1, .1, 0, .1, 0, .1, .12], elem=[0, 1, 2])
        index, model, data = deformable.register(spec, model, sinew.MjData(model), **cloth)
        assert index == 0 and model.nflex == bool(flex)
        sinew.mj_step(model, data, 200)
        assert data.ndeformcon > 0
        found.append(np.array(deformable.get(model, data, index).xpos))
    np.testing.assert_array_equal(*found)


# ---- batch ----


def test_worlds_of_a_batch_are_those_of_single_steps():
    model = build("<sinew:cloth count='6 6 1' spacing='.03 .03 .03' pos='0 0 .1' selfcollide='true'/>"
                  "<sinew:chain count='6 1 1' spacing='.03 1 1' pos='0 0 .2'/>",
                  FLOOR + "<body pos='0 0 .4'><freejoint/><geom size='.05'/></body>")
    batch = sinew.Batch(model, 4, threads=2)
    push = np.linspace(-1, 1, 4)
    data = [sinew.MjData(model) for _ in push]
    for world, d in enumerate(data):
        d.deformvert_xvel[:, 0] = d.qvel[0] = push[world]
        state = np.zeros(sinew.mj_stateSize(model, STATE))
        sinew.mj_getState(model, d, state, STATE)
        batch_set(batch, world, d)
    batch.step(100)
    for world, d in enumerate(data):
        sinew.mj_step(model, d, 100)
        np.testing.assert_array_equal(np.asarray(batch.deformvert_xpos)[world].reshape(-1, 3), d.deformvert_xpos)
        np.testing.assert_array_equal(np.asarray(batch.qpos)[world], d.qpos)


def batch_set(batch, world, data):
    batch.deformvert_xvel[world] = data.deformvert_xvel.reshape(np.asarray(batch.deformvert_xvel)[world].shape)
    batch.qvel[world] = data.qvel


# ---- pictures ----


def test_scene_has_the_faces_of_deformables():
    model = build(CLOTH.format("rgba='1 0 0 1'") + "<sinew:softbody name='s' count='3 3 3' pos='1 0 1'/>"
                  "<sinew:chain name='r' count='5 1 1' pos='0 1 1'/>", FLOOR)
    data = run(model, 5)
    scene = sinew.MjvScene(model, maxgeom=100)
    sinew.mjv_updateScene(model, data, sinew.MjvOption(), None, sinew.MjvCamera(), sinew.mjtCatBit.mjCAT_ALL, scene)
    shapes = [g for g in scene.geoms[:scene.ngeom] if g.type == sinew.mjtGeom.mjGEOM_FLEX]
    assert [g.objid for g in shapes] == [0, 1, 2]
    assert scene.nflex == 3
    assert scene.flexfaceused.ravel().tolist() == [2 * 98, 48, 0]
    assert scene.flexedgenum.ravel().tolist() == [0, 0, 4]
    faces = scene.flexface.reshape(-1, 3)[:3 * 98]
    near = np.linalg.norm(faces[:, None] - data.deformvert_xpos[None, :64], axis=2).min(1)
    assert near.max() < 1.01 * model.deformable_margin.ravel()[0]


def test_renderer_shows_deformables():
    model = build("<sinew:cloth count='9 9 1' spacing='.1 .1 .1' rgba='1 0 0 1'/>",
                  "<light pos='0 0 3' dir='0 0 -1'/><camera name='c' pos='0 0 2'/>")
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    with sinew.Renderer(model, 60, 60) as renderer:
        renderer.update_scene(data, camera="c")
        image = renderer.render()
    middle, corner = image[30, 30].astype(int), image[2, 2].astype(int)
    assert middle[0] > 60 and middle[0] > 2 * middle[1] and corner[0] < 0.5 * middle[0]
