"""Limits of ball joints: the criteria and tests of item 38, on our whole pipeline."""

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
    ("T1_1", quat(Z, 90), 90, Z),
    ("T1_2", quat((0.6, 0.8, 0), 50), 50, (0.6, 0.8, 0)),
    ("T1_3", quat(Z, 200), 160, -Z),
    ("T1_5", -quat(X, 60), 60, X),
    ("T1_6", quat(Y, 180), 180, Y),
    ("T1_7", quat(X, 45), 45, X),
]


@pytest.mark.parametrize("name, q, degrees, direction", HELPER, ids=[h[0] for h in HELPER])
def test_38_helper(name, q, degrees, direction):
    """Angle and axis of a quaternion, seen through a limit of zero."""
    _, data = stepped(0, 0, q)
    assert np.isclose(data.efc_pos[0], -degrees * DEGREE, rtol=0, atol=1e-10)
    assert np.allclose(row(data), -np.asarray(direction), rtol=0, atol=1e-10)


def test_38_T1_4_T1b():
    for q in ((1, 0, 0, 0), (1, 1e-15, 1e-15, 1e-15)):
        _, data = stepped(0, 0, q)
        assert not limits(data) or abs(data.efc_pos[0]) < 1e-10


def test_38_T2():
    model, data = stepped(0, 45, quat(X, 60))
    assert model.jnt_limited[0] and abs(model.jnt_range[0][1] - 45 * DEGREE) < 1e-6
    assert len(limits(data)) == 1


def test_38_T3():
    _, data = stepped(0, 45, quat((0.6, 0.8, 0), 50), (1, 2, 0.5))
    assert len(limits(data)) == 1
    assert np.allclose(row(data), (-0.6, -0.8, 0), atol=1e-4)
    assert abs(data.efc_pos[0] + np.pi / 36) < 1e-4 and abs(data.efc_vel[0] + 2.2) < 1e-4


def test_38_T4():
    model, data = constrained.ours(
        '<mujoco><worldbody><body><joint type="free" limited="true" range="0 .5"/>'
        '<geom size=".1" mass="1"/></body></worldbody></mujoco>'
    )
    data.qpos[3:] = quat(X, 120)
    _core.mj_step(model, data)
    assert not limits(data)


@pytest.mark.parametrize("q, rows", [(quat(Y, 30), 0), (quat(X, 44.999), 0), (quat(X, 44.5), 0),
                                     (quat(X, 45.5), 1)])
def test_38_T5_T5b_T22(q, rows):
    assert len(limits(stepped(0, 45, q)[1])) == rows


def test_38_T6():
    assert not limits(stepped(0, 45, quat(X, 170), limited="false")[1])


def test_38_T7():
    model, data = ball(0, 30)
    data.qpos[:], data.qvel[:] = quat(X, 35), (2, 0, 0)
    peak = 0
    for _ in range(500):
        _core.mj_step(model, data)
        peak = max(peak, angle(data.qpos))
    assert angle(data.qpos) < 32 and peak < 40


def test_38_T8():
    _, data = stepped(0, 150, quat(Z, 200))
    assert np.allclose(row(data), (0, 0, 1), atol=1e-4)
    assert abs(data.efc_pos[0] + 10 * DEGREE) < 1e-4


def test_38_T9():
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
def test_38_T10_T21(bounds):
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


def test_38_T11():
    model, data = chain(['type="ball" limited="true" range="0 30"',
                         'type="ball" limited="true" range="0 90"', 'type="ball"'])
    data.qpos[:] = np.concatenate([quat(X, 50), quat(Y, 45), quat(Z, 170)])
    _core.mj_step(model, data)
    assert len(limits(data)) == 1 and data.efc_id[0] == 0


def test_38_T12():
    model, data = chain(['limited="true" range="-30 30"', 'type="ball" limited="true" range="0 45"'])
    data.qpos[:] = np.concatenate([[40 * DEGREE], quat(Y, 60)])
    _core.mj_step(model, data)
    assert list(data.efc_id[:2]) == [0, 1] and data.nefc == 2
    assert abs(row(data, 0)[0] + 1) < 1e-10
    assert np.allclose(row(data, 1), (0, 0, -1, 0), atol=1e-4)


def test_38_T13():
    """jnt_limit_frc is the force of the row, and zero once the limit is left."""
    model, data = stepped(0, 30, quat(X, 60))
    force = data.efc_force[limits(data)[0]]
    assert abs(force) > 1e-10 and abs(data.jnt_limit_frc[0] - force) <= 1e-15
    data.qpos[:] = quat(X, 10)
    _core.mj_forward(model, data)
    assert data.jnt_limit_frc[0] == 0
    _, data = stepped(0, 30, quat(X, 60))
    assert np.allclose(data.qfrc_constraint, row(data) * force, rtol=0, atol=1e-15 * abs(force))


def test_38_T14():
    model, data = stepped(0, 0, quat(Y, 20))
    assert len(limits(data)) == 1 and abs(data.efc_pos[0] + 0.349066) < 1e-4
    for _ in range(200):
        _core.mj_step(model, data)
    assert angle(data.qpos) < 5


def test_38_T15():
    model, data = stepped(0, 170, quat(X, 175))
    assert abs(data.efc_pos[0] + 5 * DEGREE) < 1e-4
    assert np.allclose(row(data), (-1, 0, 0), atol=1e-4)
    for _ in range(200):
        _core.mj_step(model, data)
    assert angle(data.qpos) < 173


def test_38_T16():
    _, data = stepped(0, 45, quat(Z, 45.5))
    assert abs(data.efc_pos[0] + 0.00872665) < 1e-6 and np.allclose(row(data), (0, 0, -1), atol=1e-6)


def test_38_T17_T20():
    _, one = stepped(0, 45, quat(X, 60))
    for q, tolerance in ((-quat(X, 60), 1e-10), (1.05 * quat(X, 60), 1e-8)):
        _, other = stepped(0, 45, q)
        assert abs(one.efc_pos[0] - other.efc_pos[0]) < tolerance
        assert np.allclose(row(one), row(other), rtol=0, atol=tolerance)


def test_38_T18():
    model, data = chain(['type="ball" limited="true" range="0 30"',
                         'type="ball" limited="true" range="0 45"'])
    data.qpos[:] = np.concatenate([quat(X, 50), quat(Y, 60)])
    _core.mj_step(model, data)
    assert list(data.efc_id[:2]) == [0, 1] and data.nefc == 2
    assert np.allclose(data.efc_pos[:2], (-0.349066, -0.261799), atol=1e-4)
    assert np.allclose(row(data, 0), (-1, 0, 0, 0, 0, 0), atol=1e-4)
    assert np.allclose(row(data, 1), (0, 0, 0, 0, -1, 0), atol=1e-4)


def test_38_T19():
    for speed, expected in ((2, -2), (-2, 2)):
        _, data = stepped(0, 45, quat(X, 60), (speed, 0, 0))
        assert abs(data.efc_vel[0] - expected) < 1e-4


def test_38_criterion_1():
    """A torque past the limit is resisted."""
    model, data = ball(0, 60)
    for _ in range(3000):
        data.qfrc_applied[:] = (0.02, 0, 0)
        _core.mj_step(model, data)
        assert angle(data.qpos) < 62


def test_38_margin_and_solver_parameters():
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
