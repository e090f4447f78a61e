"""What help() shows of functions and enums is what it shows in the `mujoco` package."""

import pytest

import sinew

mujoco = pytest.importorskip("mujoco")

# functions that take more than the reference's and say so, or that are written in Python
OTHER = set("""mj_addM mj_clearCache mj_geomDistance mj_getCache mj_getCacheCapacity mj_getCacheSize mj_initCtrlHistory
    mj_initSensorHistory mj_jacSubtreeCom mj_loadAllPluginLibraries mj_loadPluginLibrary mj_multiRay mj_printSchema
    mj_readSensor mj_resetCallbacks mj_saveModel mj_setCacheCapacity mjd_quatIntegrate mjd_subQuat mju_L1
    mju_bandMulMatVec mju_boxQP mju_getXMLDependencies mju_isZero mju_raySkin mju_sqrMatTD mju_sum mj_printScene
    mj_printFormattedScene""".split())
NAMES = [name for name in dir(mujoco._functions)
         if not name.startswith(("__", "mjv_", "mjr_")) and name not in OTHER]


@pytest.mark.parametrize("name", NAMES)
def test_first_line_is_the_signature(name):
    ours = getattr(sinew._functions, name).__doc__
    assert ours.split("\n")[0] == getattr(mujoco._functions, name).__doc__.split("\n")[0]
    assert ours.split("\n")[1] == "" and ours.endswith("\n")


@pytest.mark.parametrize("name", ["mjtCone", "mjtGeom", "mjtJoint", "mjtSensor"])
def test_enums_list_their_members(name):
    assert getattr(sinew, name).__doc__ == getattr(mujoco, name).__doc__
