"""What contacts of flexes lead to: forces, sensors, inverse dynamics, steps of random scenes."""

import flexes
import mujoco
import numpy as np
import pytest
import random_flex_touch
import sinew
from sinew import bridge

QUICK, ALL = 4, 200
SEEDS = [pytest.param(s, marks=[pytest.mark.full] if s >= QUICK else []) for s in range(ALL)]


def listed(data):
    contacts = [data.contact[i] for i in range(data.ncon)]
    ids = [tuple(tuple(map(int, side)) for side in (c.geom, c.flex, c.elem, c.vert)) + (int(c.dim),) for c in contacts]
    return ids, np.array([[c.dist, *c.pos, *c.frame] for c in contacts]).reshape(-1, 13)


def forces(module, model, data):
    result = np.zeros((data.ncon, 6))
    for i in range(data.ncon):
        module.mj_contactForce(model, data, i, result[i])
    return result


def run(mj, mj_data, steps):
    """Steps of MuJoCo; whether they are to be compared."""
    try:
        mujoco.mj_step(mj, mj_data, steps)
    except mujoco.FatalError:  # "constraint Jacobian mis-allocation"
        return False
    return np.isfinite(mj_data.qpos).all() and not any(warning.number for warning in mj_data.warning)


def is_defined(mj, mj_data):
    """MuJoCo has the weights of the first of two interpolated flexes that touch wrong."""
    sides = (mj_data.contact[i].flex for i in range(mj_data.ncon))
    return not any(a >= 0 and b >= 0 and mj.flex_interp[a] for a, b in sides)


def forward(pair, mj_data, data):
    """Forward dynamics of both from the state and the warm start of MuJoCo."""
    (mj, model), warmstart = pair, mj_data.qacc_warmstart.copy()
    bridge.state_from_mujoco(mj_data, data)
    data.qacc_warmstart[:] = warmstart
    mujoco.mj_forward(mj, mj_data)
    sinew.mj_forward(model, data)
    mj_data.qacc_warmstart[:] = warmstart


@pytest.mark.parametrize("seed", SEEDS)
def test_contacts_and_accelerations_of_a_random_scene(seed):
    mj = mujoco.MjModel.from_xml_string(random_flex_touch.model(seed))
    model, mj_data = bridge.model_from_mujoco(mj), mujoco.MjData(mj)
    data = sinew.MjData(model)
    for _ in range(5):
        if not run(mj, mj_data, 40):
            break
        forward((mj, model), mj_data, data)
        (ids, places), (mj_ids, mj_places) = listed(data), listed(mj_data)
        assert ids == mj_ids
        assert flexes.distance(places, mj_places) <= 1e-5
        if is_defined(mj, mj_data):
            assert flexes.distance(data.qacc, mj_data.qacc) <= 1e-5


SCENE = """<mujoco><option timestep="0.002" {option}><flag island="{island}"/></option><worldbody>
  <geom name="floor" type="plane" size="1 1 .1" condim="{geom}"/>
  <body name="table" pos="0 0 .05"><joint type="slide" axis="0 0 1" range="-.1 .1" stiffness="200" damping="2"/>
    <geom name="top" type="box" size=".1 .1 .02" mass=".5" condim="{geom}"/>
    <site name="pad" type="box" size=".11 .11 .03"/></body>
  <flexcomp name="cloth" type="grid" dim="2" count="6 6 1" spacing=".05 .05 .05" pos="0 0 .09" radius=".01" mass=".3">
    <edge equality="true"/><contact condim="{condim}" selfcollide="auto" friction=".6 .01 .002"/></flexcomp>
  <flexcomp name="jelly" type="grid" dim="3" count="3 3 3" spacing=".04 .04 .04" pos=".02 .01 .19" radius=".01" mass=".2">
    <elasticity young="1e3" poisson=".2" damping=".01"/><contact condim="{condim}" selfcollide="none"/></flexcomp>
</worldbody><sensor><touch site="pad"/><contact geom1="top" num="4" data="found force dist pos normal"/>
  <contact body1="table" num="3" reduce="maxforce" data="found force torque dist pos normal tangent"/>
  <contact site="pad" num="2" reduce="netforce" data="force torque"/>
  <accelerometer site="pad"/><force site="pad"/></sensor></mujoco>"""


def scene(condim=3, option="", island="enable", memory="100M"):
    size = f'<size memory="{memory}"/>'
    geom = condim if condim in (1, 3, 4, 6) else 1  # only flexes may have 2 and 5
    return SCENE.format(condim=condim, geom=geom, option=option, island=island).replace("<worldbody>", f"{size}<worldbody>", 1)


# Rows of torsion and rolling between elements have wrong entries in MuJoCo's sparse layout, and in its dense
# one they are empty, which stops it where it looks for islands: dense, without islands. Cones of one friction
# direction make its primal solvers throw things about: its dual one.
@pytest.mark.parametrize("condim", (1, 2, 3, 4, 5, 6))
@pytest.mark.parametrize("cone", ("pyramidal", "elliptic"))
@pytest.mark.parametrize("option", ("", 'noslip_iterations="10"', 'solver="CG"', 'solver="PGS"'))
def test_forces_and_sensors_of_contacts_are_those_of_mujoco(condim, cone, option):
    if condim == 2 and cone == "elliptic":
        option = option.replace('solver="CG"', "").replace('solver="PGS"', "") + ' solver="PGS"'
    options = f'jacobian="dense" cone="{cone}" tolerance="1e-12" iterations="300" {option}'
    mj = mujoco.MjModel.from_xml_string(scene(condim, options, "disable" if condim > 3 else "enable"))
    model, mj_data = bridge.model_from_mujoco(mj), mujoco.MjData(mj)
    data = sinew.MjData(model)
    touched = 0
    for _ in range(4):
        mujoco.mj_step(mj, mj_data, 20)
        forward((mj, model), mj_data, data)
        assert listed(data)[0] == listed(mj_data)[0]
        assert flexes.distance(data.qacc, mj_data.qacc) <= 1e-5
        # with noslip nothing holds the torques of rows that move nothing
        parts = 3 if "noslip" in option else 6
        ours, theirs = forces(sinew, model, data), forces(mujoco, mj, mj_data)
        assert flexes.distance(ours[:, :parts], theirs[:, :parts]) <= 1e-4
        assert flexes.distance(data.sensordata, mj_data.sensordata) <= 1e-4
        touched += data.sensordata[0] > 0
    assert touched


@pytest.mark.parametrize("cone", ("pyramidal", "elliptic"))
def test_inverse_dynamics_knows_the_contacts(cone):
    mj = mujoco.MjModel.from_xml_string(scene(option=f'cone="{cone}" tolerance="1e-12"'))
    model, mj_data = bridge.model_from_mujoco(mj), mujoco.MjData(mj)
    data = sinew.MjData(model)
    rng = np.random.default_rng(1)
    mujoco.mj_step(mj, mj_data, 40)
    for _ in range(3):
        mujoco.mj_step(mj, mj_data, 20)
        mj_data.qacc[:] = data.qacc[:] = rng.normal(size=mj.nv)
        data.qpos[:], data.qvel[:] = mj_data.qpos, mj_data.qvel
        mujoco.mj_inverse(mj, mj_data)
        sinew.mj_inverse(model, data)
        assert data.ncon == mj_data.ncon and data.ncon > 5
        assert flexes.distance(data.qfrc_inverse, mj_data.qfrc_inverse) <= 1e-6
    # and forward dynamics is its opposite
    sinew.mj_forward(model, data)
    sinew.mj_inverse(model, data)
    assert np.abs(data.qfrc_inverse).max() <= 1e-6


def test_islands_change_no_acceleration():
    result = []
    for flag in ("enable", "disable"):
        model = sinew.MjModel.from_xml_string(scene(option='tolerance="1e-14" iterations="500"', island=flag))
        data = sinew.MjData(model)
        sinew.mj_step(model, data, 50)
        sinew.mj_forward(model, data)
        result.append(np.array(data.qacc))
    assert flexes.distance(*result) <= 1e-6


def test_a_block_of_nodes_touches_as_a_block_of_vertices():
    """Corners of one cell have the weights 0 and 1: the same contacts and rows as with a dof for each."""
    found = []
    for dof in ("trilinear", "full"):
        model = sinew.MjModel.from_xml_string(f"""<mujoco><worldbody><geom type="plane" size="1 1 .1" euler="3 2 0"/>
          <flexcomp name="f" type="grid" dim="3" count="2 2 2" spacing=".1 .1 .1" pos="0 0 .052" radius=".01" mass="1"
            dof="{dof}"><contact selfcollide="none"/></flexcomp></worldbody></mujoco>""")
        data = sinew.MjData(model)
        sinew.mj_forward(model, data)
        ids, places = listed(data)
        rows = np.zeros((data.nefc, model.nv))
        if sinew.mj_isSparse(model):
            sinew.mju_sparse2dense(rows, data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind)
        else:
            rows[:] = np.reshape(data.efc_J, rows.shape)
        found.append((ids, places, np.array(data.flexvert_xpos), rows, np.array(data.efc_diagApprox)))
    (ids, places, xpos, rows, diagonal), other = found
    assert len(ids) == 4 and ids == other[0]
    assert np.array_equal(xpos, other[2]) and np.array_equal(places, other[1])
    assert np.abs(rows - other[3]).max() <= 1e-12
    assert flexes.distance(diagonal, other[4]) <= 1e-9


def test_a_cloth_at_rest_is_carried_by_its_contacts():
    """A cloth from a file settles on the floor, and the floor carries its weight (spec 42: 1)."""
    model = sinew.MjModel.from_xml_string("""<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
      <flexcomp name="f" type="grid" dim="2" count="5 5 1" spacing=".05 .05 .05" pos="0 0 .01" radius=".01" mass=".4">
      <edge equality="true"/></flexcomp></worldbody></mujoco>""")
    data = sinew.MjData(model)
    sinew.mj_step(model, data, 1500)
    assert abs(forces(sinew, model, data)[:, 0].sum() - 0.4 * 9.81) <= 1e-4


def with_memory(size):
    return sinew.MjModel.from_xml_string(scene(memory=size))


def test_a_full_arena_warns():
    model = with_memory("40K")
    data = sinew.MjData(model)
    with pytest.warns(RuntimeWarning):
        sinew.mj_step(model, data, 60)
    kinds = (sinew.mjtWarning.mjWARN_CNSTRFULL, sinew.mjtWarning.mjWARN_CONTACTFULL)
    assert sum(data.warning[kind].number for kind in kinds)
    assert np.isfinite(data.qpos).all()


def test_arenas_of_a_batch_grow_without_loss():
    small, large = (sinew.Batch(with_memory(size), 2) for size in ("40K", "50M"))
    for batch in (small, large):
        batch.step(80)
    assert small.generation > 0 and large.generation == 0
    assert large.ncon.max() > 10
    assert np.array_equal(small.qpos, large.qpos) and np.array_equal(small.ncon, large.ncon)
