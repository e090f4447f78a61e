"""Scenes with many of one thing, as in the benchmarks but smaller: the paths for crowds agree with MuJoCo."""

import pathlib
import sys

import mujoco
import numpy as np
import pytest

import sinew

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "bench"))
import crowds  # noqa: E402

SCENES = {
    "welds": crowds.equality_chain(9, "weld"),
    "connects": crowds.equality_chain(9, "connect"),
    "couplings": crowds.joint_couplings(11),
    "mocap": crowds.mocap_welds(3),
    "rays": crowds.rangefinders(41, 22),
    "frames": crowds.frame_sensors(61, 7),
    "touch": crowds.touch_sensors(5),
    "noslip": crowds.noslip(6),
    "chains": crowds.small_chains(7),
    "actuators": crowds.actuators(23, 6),
    "fixed tendons, dense": crowds.fixed_tendons(40, 9),
    "fixed tendons, sparse": crowds.fixed_tendons(40, 70),
    "spatial tendons, dense": crowds.spatial_tendons(40, 9),
    "spatial tendons, sparse": crowds.spatial_tendons(40, 12),
    "sites": crowds.sites(60, 7),
    "cameras": crowds.cameras(40, 5),
    "limits": crowds.limited_joints(9),
    "fluid": crowds.fluid_bodies(6),
    "static": crowds.static_geoms(50),
    "height fields": crowds.height_fields(2),
    "heap": crowds.heap(6, "type='ellipsoid' size='.05 .06 .04'"),
    "coins": crowds.coins(6),
    "delays": crowds.delays(31, 7),
    "subtrees": crowds.subtree_sensors(24, 4),
    "pairs": crowds.explicit_pairs(30, 9),
    "muscles": crowds.muscles(23, 6),
    "mocap bodies": crowds.mocap_bodies(5),
}


@pytest.mark.parametrize("name", SCENES)
def test_a_crowd_moves_and_is_sensed_as_with_mujoco(name):
    """Ten steps from the same state: positions, sensors, frames of cameras and sites, lengths of tendons."""
    ours, theirs = (module.MjModel.from_xml_string(SCENES[name]) for module in (sinew, mujoco))
    mine, reference = sinew.MjData(ours), mujoco.MjData(theirs)
    random = np.random.RandomState(3)
    mine.qvel[:] = reference.qvel[:] = 0.1 * random.normal(size=ours.nv)
    mine.ctrl[:] = reference.ctrl[:] = random.uniform(-1, 1, ours.nu)
    sinew.mj_step(ours, mine, 10)
    mujoco.mj_step(theirs, reference, 10)
    for field in ("qpos", "qvel", "sensordata", "cam_xmat", "light_xdir", "site_xmat", "ten_length", "ten_velocity"):
        np.testing.assert_allclose(getattr(mine, field), getattr(reference, field), rtol=1e-6, atol=1e-8, err_msg=field)
