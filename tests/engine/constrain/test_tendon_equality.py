"""Equalities of one tendon and of two."""

import constrained
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge


def text(equality, option="", tendons=True):
    return f"""<mujoco><option gravity="0 0 0" {option}/><worldbody>
    <body><joint name="a" axis="0 0 1" damping=".1"/><geom size=".1" pos=".3 0 0" mass="1"/></body>
    <body pos="0 1 0"><joint name="b" axis="0 0 1" damping=".1"/>
    <geom size=".1" pos=".3 0 0" mass="1"/></body></worldbody>
    <tendon><fixed name="t1"><joint joint="a" coef="1"/></fixed>
    <fixed name="t2"><joint joint="b" coef="1"/></fixed></tendon>
    <equality>{equality}</equality></mujoco>"""


def two(polycoef="0 1 0 0 0", extra=""):
    return f'<tendon tendon1="t1" tendon2="t2" polycoef="{polycoef}" {extra}/>'


def one(polycoef):
    return f'<tendon tendon1="t1" polycoef="{polycoef}"/>'


def at(xml, qpos, qvel=(0, 0)):
    model, data = constrained.ours(xml)
    data.qpos[:], data.qvel[:] = qpos, qvel
    _core.mj_forward(model, data)
    return model, data


def after(xml, qpos, steps):
    model, data = constrained.ours(xml)
    data.qpos[:] = qpos
    for _ in range(steps):
        _core.mj_step(model, data)
    _core.mj_forward(model, data)
    return model, data


def test_equal_tendons_residual_velocity_and_jacobian():
    """Spec 37: 1 2."""
    model, data = at(text(two()), (0.5, 0.2), (1, 0.5))
    assert data.ne == 1 and model.eq_obj2id[0] == 1
    assert abs(data.efc_pos[0] - 0.3) < 1e-12 and abs(data.efc_vel[0] - 0.5) < 1e-12
    assert np.allclose(data.efc_J[:2], (1, -1), rtol=0, atol=1e-12)


def test_tied_tendons_converge():
    """Spec 37: 3."""
    _, data = after(text(two()), (0.5, 0), 1000)
    assert abs(data.ten_length[0] - data.ten_length[1]) < 0.05


def test_constant_of_the_polynomial_shifts_the_residual():
    """Spec 37: 4."""
    _, data = at(text(two("0.1 1 0 0 0")), (0.5, 0.2))
    assert abs(data.efc_pos[0] - 0.2) < 1e-12


def test_one_tendon_residual_is_its_length():
    """Spec 37: 5."""
    _, data = at(text(one("0.1 0 0 0 0")), (0.4, 0))
    assert abs(data.efc_pos[0] - 0.3) < 1e-12
    assert np.allclose(data.efc_J[:2], (1, 0), rtol=0, atol=1e-12)


def test_one_tendon_settles_at_the_constant():
    """Spec 37: 6."""
    _, data = after(text(one("0.1 0 0 0 0")), (0, 0), 1000)
    assert abs(data.ten_length[0] - 0.1) < 0.05


@pytest.mark.parametrize("q2", (-0.4, -0.2, 0, 0.2, 0.4))
def test_linear_coefficient_scales_the_second_tendon(q2):
    """Spec 37: 7."""
    _, data = at(text(two("0 0.5 0 0 0")), (0, q2))
    assert abs(data.efc_pos[0] + 0.5 * q2) < 1e-12


@pytest.mark.parametrize("qpos", [(0, 0), (0.5, 0.2), (-0.3, 0.7), (1, -1), (0.2, 2)])
def test_quadratic_polynomial_is_mujocos(qpos):
    """Spec 37: 8."""
    xml = text(two("0 1 0.1 0 0"))
    _, data = at(xml, qpos, (0.3, -0.4))
    model = mujoco.MjModel.from_xml_string(xml)
    theirs = mujoco.MjData(model)
    theirs.qpos[:], theirs.qvel[:] = qpos, (0.3, -0.4)
    mujoco.mj_forward(model, theirs)
    for field in ("efc_pos", "efc_vel", "efc_J", "efc_force"):
        assert constrained.error(getattr(data, field), getattr(theirs, field)) < 1e-8


@pytest.mark.parametrize("solver", ("PGS", "CG", "Newton"))
def test_every_solver_holds_the_equality(solver):
    """Spec 37: 9."""
    _, data = after(text(two(), f'solver="{solver}"'), (0.5, 0), 500)
    assert abs(data.ten_length[0] - data.ten_length[1]) < 0.05
    assert np.all(np.isfinite(data.efc_force))


def test_softer_solref_leaves_more_violation():
    """Spec 37: 10."""
    violation = []
    for solref in ("0.02 1.0", "0.1 1.0"):
        _, data = after(text(two(extra=f'solref="{solref}"')), (0.5, 0), 200)
        violation.append(abs(data.ten_length[0] - data.ten_length[1]))
    assert violation[1] / max(violation[0], 1e-15) > 3


def test_inactive_equality_is_as_none():
    """Spec 37: 11 12."""
    _, without = at(text(""), (0.5, 0.2))
    _, inactive = at(text(two(extra='active="false"')), (0.5, 0.2))
    assert without.nefc == inactive.nefc == 0
    assert np.array_equal(without.qacc, inactive.qacc)


def test_trajectory_is_mujocos():
    """Spec 37: 13."""
    model = mujoco.MjModel.from_xml_string(text(two()))
    for data, ours in constrained.run(model, 100, qpos=(0.5, 0)):
        violation = data.ten_length[0] - data.ten_length[1]
        assert abs(ours.ten_length[0] - ours.ten_length[1] - violation) < 1e-6
        assert constrained.distance(ours.efc_force, data.efc_force) < 1e-6


SLEEPING = """<mujoco><option><flag sleep="enable"/></option><worldbody>
<geom type="plane" size="5 5 .1"/>
<body name="p" pos="0 0 .1"><joint name="a" type="slide" axis="1 0 0" damping="5"/>
<geom type="box" size=".1 .1 .05"/></body>
<body name="q" pos="0 1 .1"><joint name="b" type="slide" axis="1 0 0" damping="5"/>
<geom type="box" size=".1 .1 .05"/></body></worldbody>
<tendon><fixed name="t1"><joint joint="a" coef="1"/></fixed>
<fixed name="t2"><joint joint="b" coef="1"/></fixed></tendon>
<equality><tendon tendon1="t1" tendon2="t2"/></equality></mujoco>"""


def test_tied_trees_sleep_and_wake_together():
    """Our extension: a tendon equality keeps the trees that it ties awake or asleep together."""
    awake = SLEEPING.replace('sleep="enable"', 'sleep="disable"')
    model = bridge.model_from_mujoco(mujoco.MjModel.from_xml_string(awake))
    model.opt.enableflags |= constrained.SLEEP
    data = _core.MjData(model)
    for _ in range(100):
        _core.mj_step(model, data)
    assert list(data.tree_asleep) == [1, 0]  # one cycle of two
    data.qfrc_applied[0] = 20
    _core.mj_step(model, data)
    assert np.all(data.tree_asleep < 0)
    for _ in range(200):
        _core.mj_step(model, data)
    assert abs(data.qpos[0] - data.qpos[1]) < 0.05 and data.qpos[0] > 0.01
