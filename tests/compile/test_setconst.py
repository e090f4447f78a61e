"""Derived constants: computed again from MuJoCo's own primary fields and compared with MuJoCo's."""

import corpus
import mujoco
import numpy as np
import pytest
from sinew import _core, bridge

# what sn_setConst writes from the other fields
DERIVED = """body_subtreemass tree_bodyadr tree_bodynum tree_dofadr tree_dofnum tree_sleep_policy
tendon_treenum tendon_treeid body_invweight0 dof_invweight0 dof_M0 dof_length tendon_length0
tendon_invweight0 actuator_length0 actuator_acc0 cam_pos0 cam_poscom0 cam_mat0 light_pos0
light_poscom0 light_dir0 flexedge_length0 flexedge_invweight0 flexedge_J_rownnz flexedge_J_rowadr
flexvert_J_rownnz flexvert_J_rowadr flex_vertedgeadr flex_vertedgenum flex_vertmetric""".split()

NAMES = list(corpus.paths())


def scale(array):
    return max(np.abs(array).max(), 1e-9) if array.size else 1.0


def spoil(model, name):
    """Make sure that a field is computed and not merely kept; policies of the user are primary."""
    array = getattr(model, name)
    if name == "tree_sleep_policy":
        array[array <= 2] = 0
    elif array.size:
        array[...] = 77


def check(name):
    expected = corpus.load(name)
    if expected is None:
        pytest.skip("refused by MuJoCo")
    expected = mujoco.MjModel.__copy__(expected)
    # as the compiler calls it: MuJoCo would skip the tendons of sleeping trees
    expected.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    mujoco.mj_setConst(expected, mujoco.MjData(expected))  # without the user's statistics
    model = bridge.model_from_mujoco(expected)
    data = _core.MjData(model)
    for field in DERIVED:
        spoil(model, field)
    if expected.nv:  # otherwise some statistics stay as they were
        for field in bridge.STATISTIC_FIELDS:
            if field == "extent" and not expected.ngeom:
                continue  # a scene without size keeps the extent it had
            setattr(model.stat, field, 77 if field != "center" else [77] * 3)
    _core.mj_setConst(model, data)
    for field in DERIVED + ["eq_data", "tendon_lengthspring", "actuator_biasprm"]:
        theirs, ours = np.asarray(getattr(expected, field), float), np.asarray(getattr(model, field))
        error = np.abs(theirs - ours.reshape(theirs.shape)).max() if theirs.size else 0
        assert error <= 1e-9 * scale(theirs), field
    for field in bridge.STATISTIC_FIELDS:
        theirs = np.asarray(getattr(expected.stat, field), float)
        ours = np.asarray(getattr(model.stat, field))
        assert np.abs(theirs - ours).max() <= 1e-9 * scale(theirs), field


@pytest.mark.parametrize("name", NAMES[::6])
def test_derived_constants(name):
    check(name)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_all_derived_constants(name):
    check(name)


SPRINGS = """<mujoco><worldbody>
  <body><joint name="j" springref="30" ref="10"/><geom size=".1" pos="1 0 0"/><site name="s" pos=".1 0 0"/></body>
  <body mocap="true" pos="1 2 3"><geom size=".1"/></body><site name="w"/>
</worldbody><tendon><spatial name="t"><site site="w"/><site site="s"/></spatial>
<fixed name="f"><joint joint="j" coef="1"/></fixed></tendon></mujoco>"""


def test_resting_lengths_are_kept_or_computed():
    expected = mujoco.MjModel.from_xml_string(SPRINGS)
    model = bridge.model_from_mujoco(expected)
    model.tendon_lengthspring[1] = [-1, -1]
    model.tendon_lengthspring[0] = [0.3, 0.4]
    _core.mj_setConst(model, _core.MjData(model))
    assert list(model.tendon_lengthspring[0]) == [0.3, 0.4]
    assert np.allclose(model.tendon_lengthspring[1], np.deg2rad(30), rtol=1e-12)


def test_data_is_left_at_the_spring_reference():
    expected = mujoco.MjModel.from_xml_string(SPRINGS)
    theirs = mujoco.MjData(expected)
    theirs.qpos[:] = 5
    mujoco.mj_setConst(expected, theirs)
    model = bridge.model_from_mujoco(expected)
    data = _core.MjData(model)
    data.qpos[:] = 5
    _core.mj_setConst(model, data)
    assert np.allclose(theirs.qpos, data.qpos, rtol=0, atol=1e-15)


def test_user_poses_of_mocap_bodies_count():
    expected = mujoco.MjModel.from_xml_string(SPRINGS)
    model = bridge.model_from_mujoco(expected)
    theirs, data = mujoco.MjData(expected), _core.MjData(model)
    theirs.mocap_pos[:] = data.mocap_pos[:] = 7
    mujoco.mj_setConst(expected, theirs)
    _core.mj_setConst(model, data)
    assert np.allclose(expected.stat.center, model.stat.center, rtol=1e-12)


def test_changed_mass_changes_weights():
    expected = mujoco.MjModel.from_xml_string(SPRINGS)
    model = bridge.model_from_mujoco(expected)
    expected.body_mass[1] = model.body_mass[1] = 10
    expected.body_inertia[1] = model.body_inertia[1] = [1, 2, 2.5]
    before = model.dof_invweight0.copy()
    mujoco.mj_setConst(expected, mujoco.MjData(expected))
    _core.mj_setConst(model, _core.MjData(model))
    assert not np.allclose(before, model.dof_invweight0)
    assert np.allclose(expected.dof_invweight0, model.dof_invweight0, rtol=1e-12)
    assert np.allclose(expected.body_invweight0, model.body_invweight0, rtol=1e-12)


MUSCLE = """<mujoco><compiler angle="radian"><lengthrange uselimit="false" {}/></compiler>
<worldbody><body><joint name="j" type="slide" axis="1 0 0" range="-1 1"/><geom size=".1"/></body></worldbody>
<actuator><muscle joint="j"/></actuator></mujoco>"""


@pytest.mark.parametrize("settings", [
    "", 'timestep="0"', 'timestep="-1"', 'timestep="1e-4"', 'interval="0"', 'tolrange="0"', 'mode="none"',
])
def test_length_range_settings(settings):
    xml = MUSCLE.format(settings)
    expected = mujoco.MjModel.from_xml_string(xml)
    actual = _core.MjModel.from_xml_string(xml)
    np.testing.assert_allclose(actual.actuator_lengthrange, expected.actuator_lengthrange, rtol=1e-9)
    np.testing.assert_allclose(actual.actuator_biasprm, expected.actuator_biasprm, rtol=1e-9)


def test_length_range_of_a_limit_is_looked_up_where_mujoco_does():
    """Actuator i takes the limit of entry i of the pairs of targets: the second finds none and is simulated."""
    xml = """<mujoco><compiler angle="radian"><lengthrange mode="all" uselimit="true"/></compiler><worldbody>
      <body><joint name="a" type="slide" axis="1 0 0" range="-1 1"/><geom size=".1"/></body>
      <body pos="0 1 0"><joint name="b" type="slide" axis="1 0 0" range="-.5 2"/><geom size=".1"/></body></worldbody>
      <actuator><motor joint="a"/><motor joint="b"/><motor joint="a"/></actuator></mujoco>"""
    expected = mujoco.MjModel.from_xml_string(xml).actuator_lengthrange
    actual = _core.MjModel.from_xml_string(xml).actuator_lengthrange
    assert (actual[[0, 2]] == [[-1, 1], [-0.5, 2]]).all() and (actual[1] != [-0.5, 2]).all()
    np.testing.assert_allclose(actual, expected, rtol=1e-9)


@pytest.mark.parametrize("settings", [
    'inttotal="0"', 'inttotal="-1"', 'inttotal="nan"', 'inttotal="1"', 'timestep="nan" inttotal="1"',
    'interval="20"', 'tolrange="-1"', 'accel="0"',
])
def test_length_range_refused(settings):
    messages = []
    for module in (mujoco, _core):
        with pytest.raises(ValueError) as error:
            module.MjModel.from_xml_string(MUSCLE.format(settings))
        messages.append(str(error.value))
    assert messages[0].strip() in messages[1]


def test_length_range_is_bounded():
    """MuJoCo takes as many steps as it is told to; loading here has a bound, 2e5 steps."""
    with pytest.raises(ValueError, match="more than 2e5 steps"):
        _core.MjModel.from_xml_string(MUSCLE.format('timestep="1e-5"'))
