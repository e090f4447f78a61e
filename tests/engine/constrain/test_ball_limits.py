"""Limits of ball joints, through the whole pipeline."""

import constrained
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

X, Y, Z = np.eye(3)
LIMIT = int(mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT)
DEGREE = np.pi / 180


def quat(axis, degrees):
    half = 0.5 * degrees * DEGREE
    return np.concatenate([[np.cos(half)], np.sin(half) * np.asarray(axis)])


def angle(q):
    q = np.asarray(q) / np.linalg.norm(q)
    return 2 * np.arctan2(np.linalg.norm(q[1:]), abs(q[0])) / DEGREE


def ball(low, high, limited="true", mass=1.0):
    """One body on a ball joint; MuJoCo's compiler wants a lower bound of 0, so it is set after."""
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option gravity="0 0 0" timestep=".001"/><worldbody><body>
        <joint type="ball" limited="{limited}" range="0 {max(low, high, 1e-3)}"/>
        <geom size=".1" mass="{mass}"/></body></worldbody></mujoco>"""
    )
    model.jnt_range[0] = low * DEGREE, high * DEGREE
    ours = bridge.model_from_mujoco(model)
    return ours, _core.MjData(ours)


def limits(data):
    return [i for i in range(data.nefc) if data.efc_type[i] == LIMIT]


def stepped(low, high, q, qvel=(0, 0, 0), limited="true"):
    model, data = ball(low, high, limited)
    data.qpos[:], data.qvel[:] = q, qvel
    _core.mj_step(model, data)
    return model, data


def row(data, i=0):
    nv = len(data.qvel)
    return np.array(data.efc_J[i * nv : (i + 1) * nv])


HELPER = [
    ("a quarter", quat(Z, 90), 90, Z),
    ("oblique axis", quat((0.6, 0.8, 0), 50), 50, (0.6, 0.8, 0)),
    ("beyond half a turn", quat(Z, 200), 160, -Z),
    ("negated", -quat(X, 60), 60, X),
    ("half a turn", quat(Y, 180), 180, Y),
    ("an eighth", quat(X, 45), 45, X),
]


@pytest.mark.parametrize("name, q, degrees, direction", HELPER, ids=[h[0] for h in HELPER])
def test_ball_angle_and_axis(name, q, degrees, direction):
    """Angle and axis of a quaternion, seen through a limit of zero (spec 38: T1.1 T1.2 T1.3 T1.5 T1.6 T1.7)."""
    _, data = stepped(0, 0, q)
    assert np.isclose(data.efc_pos[0], -degrees * DEGREE, rtol=0, atol=1e-10)
    assert np.allclose(row(data), -np.asarray(direction), rtol=0, atol=1e-10)


def test_unit_quaternion_has_no_angle():
    """Spec 38: T1.4 T1b."""
    for q in ((1, 0, 0, 0), (1, 1e-15, 1e-15, 1e-15)):
        _, data = stepped(0, 0, q)
        assert not limits(data) or abs(data.efc_pos[0]) < 1e-10


def test_range_in_degrees_is_read():
    """Spec 38: T2."""
    model, data = stepped(0, 45, quat(X, 60))
    assert model.jnt_limited[0] and abs(model.jnt_range[0][1] - 45 * DEGREE) < 1e-6
    assert len(limits(data)) == 1


def test_limit_row_of_an_oblique_rotation():
    """Spec 38: 8 T3."""
    _, data = stepped(0, 45, quat((0.6, 0.8, 0), 50), (1, 2, 0.5))
    assert len(limits(data)) == 1
    assert np.allclose(row(data), (-0.6, -0.8, 0), atol=1e-4)
    assert abs(data.efc_pos[0] + np.pi / 36) < 1e-4 and abs(data.efc_vel[0] + 2.2) < 1e-4


def test_free_joint_has_no_limit():
    """Spec 38: 5 T4."""
    model, data = constrained.ours(
        '<mujoco><worldbody><body><joint type="free" limited="true" range="0 .5"/>'
        '<geom size=".1" mass="1"/></body></worldbody></mujoco>'
    )
    data.qpos[3:] = quat(X, 120)
    _core.mj_step(model, data)
    assert not limits(data)


@pytest.mark.parametrize("q, rows", [(quat(Y, 30), 0), (quat(X, 44.999), 0), (quat(X, 44.5), 0),
                                     (quat(X, 45.5), 1)])
def test_limit_acts_beyond_its_range_only(q, rows):
    """Spec 38: 6 21 T5 T5b T22."""
    assert len(limits(stepped(0, 45, q)[1])) == rows


def test_unlimited_ball_has_no_row():
    """Spec 38: 7 T6."""
    assert not limits(stepped(0, 45, quat(X, 170), limited="false")[1])


def test_ball_returns_inside_its_limit():
    """Spec 38: T7."""
    model, data = ball(0, 30)
    data.qpos[:], data.qvel[:] = quat(X, 35), (2, 0, 0)
    peak = 0
    for _ in range(500):
        _core.mj_step(model, data)
        peak = max(peak, angle(data.qpos))
    assert angle(data.qpos) < 32 and peak < 40


def test_limit_beyond_half_a_turn_takes_the_short_way():
    """Spec 38: 4 9 T8."""
    _, data = stepped(0, 150, quat(Z, 200))
    assert np.allclose(row(data), (0, 0, 1), atol=1e-4)
    assert abs(data.efc_pos[0] + 10 * DEGREE) < 1e-4


def test_range_in_radians_is_read():
    """Spec 38: T9."""
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><compiler angle="radian"/><worldbody><body><joint type="ball" limited="true"
        range="0 {np.pi / 4}"/><geom size=".1"/></body></worldbody></mujoco>"""
    )
    ours = bridge.model_from_mujoco(model)
    data = _core.MjData(ours)
    data.qpos[:] = quat(X, 60)
    _core.mj_step(ours, data)
    assert abs(ours.jnt_range[0][1] - np.pi / 4) < 1e-10 and len(limits(data)) == 1


@pytest.mark.parametrize("bounds", [(0, 45), (45, 0)])
def test_larger_bound_is_the_limit(bounds):
    """Spec 38: 2 20 T10 T21."""
    model, data = stepped(*bounds, quat(X, 60))
    assert np.allclose(model.jnt_range[0], np.array(bounds) * DEGREE, atol=1e-10)
    assert len(limits(data)) == 1 and abs(data.efc_pos[0] + 15 * DEGREE) < 1e-4


def chain(joints):
    text, close = "", ""
    for i, joint in enumerate(joints):
        pos = ".2 0 0" if i else "0 0 0"
        text += f'<body pos="{pos}"><joint {joint}/><geom size=".1" mass=".5"/>'
        close += "</body>"
    return constrained.ours(
        '<mujoco><option gravity="0 0 0" timestep=".001"><flag contact="disable"/></option>'
        f"<worldbody>{text}{close}</worldbody></mujoco>"
    )


def test_only_violated_limits_have_rows():
    """Spec 38: 10 T11."""
    model, data = chain(['type="ball" limited="true" range="0 30"',
                         'type="ball" limited="true" range="0 90"', 'type="ball"'])
    data.qpos[:] = np.concatenate([quat(X, 50), quat(Y, 45), quat(Z, 170)])
    _core.mj_step(model, data)
    assert len(limits(data)) == 1 and data.efc_id[0] == 0


def test_hinge_and_ball_limits_together():
    """Spec 38: 12 T12."""
    model, data = chain(['limited="true" range="-30 30"', 'type="ball" limited="true" range="0 45"'])
    data.qpos[:] = np.concatenate([[40 * DEGREE], quat(Y, 60)])
    _core.mj_step(model, data)
    assert list(data.efc_id[:2]) == [0, 1] and data.nefc == 2
    assert abs(row(data, 0)[0] + 1) < 1e-10
    assert np.allclose(row(data, 1), (0, 0, -1, 0), atol=1e-4)


def test_limit_force_is_reported_per_joint():
    """jnt_limit_frc is the force of the row, and zero once the limit is left (spec 38: 11 T13)."""
    model, data = stepped(0, 30, quat(X, 60))
    force = data.efc_force[limits(data)[0]]
    assert abs(force) > 1e-10 and abs(data.jnt_limit_frc[0] - force) <= 1e-15
    data.qpos[:] = quat(X, 10)
    _core.mj_forward(model, data)
    assert data.jnt_limit_frc[0] == 0
    _, data = stepped(0, 30, quat(X, 60))
    assert np.allclose(data.qfrc_constraint, row(data) * force, rtol=0, atol=1e-15 * abs(force))


def test_limit_of_zero_locks_the_ball():
    """Spec 38: 13 T14."""
    model, data = stepped(0, 0, quat(Y, 20))
    assert len(limits(data)) == 1 and abs(data.efc_pos[0] + 0.349066) < 1e-4
    for _ in range(200):
        _core.mj_step(model, data)
    assert angle(data.qpos) < 5


def test_limit_near_half_a_turn():
    """Spec 38: 3 14 T15."""
    model, data = stepped(0, 170, quat(X, 175))
    assert abs(data.efc_pos[0] + 5 * DEGREE) < 1e-4
    assert np.allclose(row(data), (-1, 0, 0), atol=1e-4)
    for _ in range(200):
        _core.mj_step(model, data)
    assert angle(data.qpos) < 173


def test_barely_violated_limit_is_exact():
    """Spec 38: 15 T16."""
    _, data = stepped(0, 45, quat(Z, 45.5))
    assert abs(data.efc_pos[0] + 0.00872665) < 1e-6 and np.allclose(row(data), (0, 0, -1), atol=1e-6)


def test_sign_and_length_of_the_quaternion_do_not_matter():
    """Spec 38: 16 19 T17 T20."""
    _, one = stepped(0, 45, quat(X, 60))
    for q, tolerance in ((-quat(X, 60), 1e-10), (1.05 * quat(X, 60), 1e-8)):
        _, other = stepped(0, 45, q)
        assert abs(one.efc_pos[0] - other.efc_pos[0]) < tolerance
        assert np.allclose(row(one), row(other), rtol=0, atol=tolerance)


def test_two_ball_limits_have_two_rows():
    """Spec 38: 17 T18."""
    model, data = chain(['type="ball" limited="true" range="0 30"',
                         'type="ball" limited="true" range="0 45"'])
    data.qpos[:] = np.concatenate([quat(X, 50), quat(Y, 60)])
    _core.mj_step(model, data)
    assert list(data.efc_id[:2]) == [0, 1] and data.nefc == 2
    assert np.allclose(data.efc_pos[:2], (-0.349066, -0.261799), atol=1e-4)
    assert np.allclose(row(data, 0), (-1, 0, 0, 0, 0, 0), atol=1e-4)
    assert np.allclose(row(data, 1), (0, 0, 0, 0, -1, 0), atol=1e-4)


def test_limit_velocity_follows_the_spin():
    """Spec 38: 18 T19."""
    for speed, expected in ((2, -2), (-2, 2)):
        _, data = stepped(0, 45, quat(X, 60), (speed, 0, 0))
        assert abs(data.efc_vel[0] - expected) < 1e-4


def test_ball_limit_resists_torque():
    """A torque past the limit is resisted (spec 38: 1)."""
    model, data = ball(0, 60)
    for _ in range(3000):
        data.qfrc_applied[:] = (0.02, 0, 0)
        _core.mj_step(model, data)
        assert angle(data.qpos) < 62


def test_margin_and_solver_parameters_are_mujocos():
    """What the criteria leave out: the margin and non-default solref, against MuJoCo."""
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><body><joint type="ball" limited="true" range="0 30" margin=".2"
        solreflimit=".05 .7" solimplimit=".5 .8 .1 .4 3"/><geom size=".1" pos=".2 0 0"/></body>
        </worldbody></mujoco>"""
    )
    worst = 0
    for data, ours in constrained.run(model, 300, qpos=quat(Y, 15)):
        worst = max(worst, np.max(np.abs(ours.qpos - data.qpos)))
    assert worst < 1e-9
