"""What libraries of the field read of MuJoCo's package beside its documented names: lists of fields, modules, counters."""

import copy
import weakref

import mujoco
import numpy as np
import pytest

import sinew

XML = """<mujoco><option><flag energy="enable"/></option><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 .09"><freejoint/><geom size=".1"/></body><body><joint frictionloss="1"/><geom size=".1" pos="0 0 2"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("name", ["MjModel", "MjData", "MjOption"])
def test_lists_of_fields_are_mujocos(name):
    theirs, ours = getattr(mujoco, name), getattr(sinew, name)
    lists = [each for each in dir(theirs) if each.endswith("_fields")]
    assert lists
    for each in lists:
        assert getattr(ours, each) == getattr(theirs, each), each


def test_sizes_are_an_array_in_the_order_of_their_names():
    theirs, ours = (engine.MjModel.from_xml_string(XML) for engine in (mujoco, sinew))
    assert ours._sizes.dtype == theirs._sizes.dtype and not ours._sizes.flags.writeable
    here = [name != "nbuffer" for name in ours._size_fields]  # our arrays take more bytes
    np.testing.assert_array_equal(ours._sizes[here], theirs._sizes[here])


def test_modules_of_the_interface_are_attributes():
    for name in ("_callbacks", "_constants", "_enums", "_errors", "_functions", "_render", "_specs", "_structs"):
        assert hasattr(getattr(sinew, name), "__name__")
    assert sinew._structs.MjData is sinew.MjData


def test_visual_settings_are_copied_compared_and_printed():
    for engine in (mujoco, sinew):
        visual = engine.MjModel.from_xml_string(XML).vis
        for copied in (copy.copy(visual), copy.deepcopy(visual)):
            assert copied == visual
            copied.headlight.ambient[0] += 0.1
            assert copied != visual
    lines = [[line for line in repr(engine.MjModel.from_xml_string(XML).vis).splitlines() if line[:3] != "   "]
             for engine in (mujoco, sinew)]
    assert lines[0] == lines[1]


def test_rows_are_counted_anew_where_they_are_made_anew():
    """As mjx.get_data fills a struct: room for rows, then how many of them are of which kind."""
    model = sinew.MjModel.from_xml_string(XML)
    data = sinew.MjData(model)
    sinew._functions._realloc_con_efc(data, ncon=1, nefc=5)
    data.nf, data.nl = 1, 2
    assert (data.ncon, data.ne, data.nf, data.nl, data.nefc) == (1, 0, 1, 2, 5)
    data.ne = 2
    data.nl = 3  # mjx counts the limits that there might be, and keeps the rows of those that are active
    assert (data.ne, data.nf, data.nl, data.nefc) == (2, 1, 2, 5)
    with pytest.raises(ValueError, match="ne counts what is there"):
        data.ne = -1


def test_counters_can_be_raised():
    """As mujoco_warp.get_data_into fills a struct: numbers of islands first, then their arrays."""
    for engine in (mujoco, sinew):
        model = engine.MjModel.from_xml_string(XML)
        data = engine.MjData(model)
        assert data.iM.shape == data.iLD.shape == data.iM_colind.shape == (model.nC,)
        engine.mj_forward(model, data)
        engine._functions._realloc_con_efc(data, ncon=2, nefc=5)
        data.nisland = 3
        assert data.island_nv.shape == data.island_dofadr.shape == (3,) and data.island_nefc.shape == (3,)
    data.island_nv[:] = [4, 5, 6]  # room of ours from here on: MuJoCo's arrays may end before
    data.nisland = 4
    assert data.island_nv.tolist() == [4, 5, 6, 0]
    data.contact.dist[:] = [7, 8]
    data.ncon = 3
    assert data.contact.dist.tolist() == [7, 8, 0] and data.contact.efc_address[2] == -1
    assert (data.nefc, data.nisland) == (0, 0)
    with pytest.raises(sinew.FatalError, match="Insufficient arena memory"):
        data.nefc = 2**31 - 1
    assert data.nefc == 0
    sinew.mj_step(model, data)


def test_bytes_by_thread_have_no_sign():
    for engine in (mujoco, sinew):
        assert engine.MjData(engine.MjModel.from_xml_string(XML)).maxuse_threadstack.dtype == np.uint64


def test_empty_arrays_of_a_model_can_be_written():
    """dm_control's tests write into every array that they find."""
    model = sinew.MjModel.from_xml_string(XML)
    arrays = [getattr(model, name) for name in dir(model) if not name.startswith("_")]
    empty = [a for a in arrays if isinstance(a, np.ndarray) and not a.size]
    assert len(empty) > 100
    for array in empty:
        array[:] = 0


def test_structs_can_be_referred_to_weakly():
    """Libraries keep tables by scene or contact that end with them."""
    for engine in (mujoco, sinew):
        spec = engine.MjSpec.from_string(XML)
        model = spec.compile()
        data = engine.MjData(model)
        for value in (model, model.opt, model.vis, model.vis.global_, model.stat, data, data.contact, data.warning, data.timer[0],
                      data.solver, spec, spec.option, spec.worldbody, spec.worldbody.userdata, engine.MjvScene(model, 9),
                      engine.MjvGeom(), engine.MjvCamera(), engine.MjvFigure(), engine.MjrRect(0, 0, 1, 1), engine.MjContact(),
                      engine.mjtObj.mjOBJ_BODY):
            assert weakref.ref(value)() is value


@pytest.mark.parametrize("name", ["Option", "Camera", "Perturb", "Figure"])
def test_defaults_are_set_in_the_right_struct_only(name):
    for engine in (mujoco, sinew):
        with pytest.raises(TypeError):
            getattr(engine, f"mjv_default{name}")(engine.MjvGeom())


def test_a_slice_of_contacts_is_a_list_of_contacts():
    """dm_control reads the columns of contact[:ncon]. (MuJoCo's slices have the length of the whole, which is read past its end.)"""
    balls = "".join(f'<body pos="{i} 0 .09"><freejoint/><geom size=".1"/></body>' for i in range(5))
    text = f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{balls}</worldbody></mujoco>'
    for engine in (mujoco, sinew):
        model = engine.MjModel.from_xml_string(text)
        data = engine.MjData(model)
        engine.mj_forward(model, data)
        whole = data.contact[: data.ncon]
        assert type(whole) is type(data.contact) and len(whole) == 5
        np.testing.assert_array_equal(whole.geom2, [1, 2, 3, 4, 5])
    contact = data.contact
    assert contact[1:4].geom2.tolist() == [2, 3, 4] and contact[::-2].geom2.tolist() == [5, 3, 1]
    assert contact[1:][::2].geom2.tolist() == [2, 4] and [each.geom2 for each in contact[-2:]] == [4, 5]
    assert contact[3:1].pos.shape == (0, 3) and contact[::2][1].geom2 == 3
    contact[1:3].dist[:] = 7
    assert contact.dist.tolist()[1:3] == [7, 7] and contact[1:3][0].dist == 7
    tail, back = contact[3:], contact[::-1]
    data.ncon = 4  # what a slice has lost is not there any more
    assert (len(tail), len(back), data.warning[:2].number.shape) == (1, 0, (2,))
    with pytest.raises(IndexError):
        tail[1]
