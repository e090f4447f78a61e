"""Whole steps of models with flexes, contacts included, along MuJoCo's own trajectories."""

import corpus
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

# stages before the solver have the last digits in common; the solver stops at a tolerance
EXACT = ["flexvert_xpos", "flexedge_length", "flexedge_velocity", "qfrc_spring", "qfrc_damper", "qfrc_passive",
         "efc_pos", "efc_D", "efc_aref", "qacc_smooth"]


def names():
    return [name for name in corpus.names() if "flex" in name or "hammock" in name or "soft" in name]


def difference(ours, theirs):
    """Largest difference, relative to the largest number."""
    ours, theirs = np.ravel(ours), np.ravel(theirs)
    assert ours.shape == theirs.shape
    return np.abs(ours - theirs).max() / max(1.0, np.abs(theirs).max()) if theirs.size else 0.0


def forward(mj, mj_data, model, data):
    """Forward dynamics of both at the state of MuJoCo's data; its warm start is kept for the next step."""
    warmstart = mj_data.qacc_warmstart.copy()
    for name in ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "qacc_warmstart", "eq_active"):
        getattr(data, name)[:] = getattr(mj_data, name)
    data.time = mj_data.time
    mujoco.mj_forward(mj, mj_data)
    _core.mj_forward(model, data)
    mj_data.qacc_warmstart[:] = warmstart


def has_torsion_on_elements(mj, mj_data):
    """Rows of torsion and rolling between elements have wrong entries in MuJoCo's sparse layout."""
    contacts = [mj_data.contact[i] for i in range(mj_data.ncon)]
    return mujoco.mj_isSparse(mj) and any(c.dim > 3 and max(c.elem) >= 0 for c in contacts)


def compare(mj, states, stride):
    model, mj_data = bridge.model_from_mujoco(mj), mujoco.MjData(mj)
    data = _core.MjData(model)
    rng = np.random.default_rng(0)
    for _ in range(states):
        for _ in range(stride):
            mj_data.ctrl[:] = rng.uniform(-0.5, 0.5, mj.nu)
            mujoco.mj_step(mj, mj_data)
        forward(mj, mj_data, model, data)
        assert data.ncon == mj_data.ncon and data.nefc == mj_data.nefc
        defined = not has_torsion_on_elements(mj, mj_data)
        for name in EXACT:
            if defined or name != "efc_aref":
                assert difference(getattr(data, name), getattr(mj_data, name)) <= 1e-9, name
        # conjugate gradients that stop an iteration apart differ by what that iteration changes
        same = data.solver_niter[0] == mj_data.solver_niter[0]
        if defined:
            assert difference(data.qacc, mj_data.qacc) <= (1e-5 if same else 1e-4)


@pytest.mark.parametrize("name", names() or [None])
def test_steps_of_flex_models_agree(name):
    if name is None:
        pytest.skip("the models beside the checkout are not here")
    mj = corpus.load(name)
    if mj is None or not mj.nflex:
        pytest.skip("MuJoCo does not load it, or it has no flex")
    compare(mj, 2, 60)


@pytest.mark.full
@pytest.mark.parametrize("name", names() or [None])
def test_steps_of_flex_models_agree_for_long(name):
    if name is None:
        pytest.skip("the models beside the checkout are not here")
    mj = corpus.load(name)
    if mj is None or not mj.nflex:
        pytest.skip("MuJoCo does not load it, or it has no flex")
    compare(mj, 20, 25)


SCENE = """<mujoco><option solver="{solver}" cone="{cone}" jacobian="{jacobian}"/><worldbody>
  <geom type="plane" size="1 1 .1" pos="0 0 -.1"/><geom type="sphere" size=".1"/>
  <body pos=".05 .2 .1"><freejoint/><geom type="box" size=".05 .06 .03"/></body>
  <flexcomp name="cloth" type="grid" dim="2" count="8 8 1" spacing=".05 .05 .05" pos="0 0 .13" radius=".01" mass=".3">
    <edge equality="true"/><contact condim="3" selfcollide="auto"/></flexcomp>
  <flexcomp name="jelly" type="grid" dim="3" count="3 3 3" spacing=".05 .05 .05" pos=".1 .1 .25" radius=".01" mass=".2">
    <elasticity young="3e3" poisson=".2" damping=".01"/><contact condim="{condim}" selfcollide="none"/></flexcomp>
  <flexcomp name="block" type="grid" dim="3" count="3 3 3" spacing=".05 .05 .05" pos="-.1 0 .3" radius=".005" mass=".2"
    dof="trilinear"><elasticity young="3e3" poisson=".1" damping=".01"/><contact selfcollide="none"/></flexcomp>
</worldbody></mujoco>"""


@pytest.mark.parametrize("solver", ("Newton", "CG", "PGS"))
@pytest.mark.parametrize("cone, condim", (("pyramidal", 3), ("elliptic", 3), ("elliptic", 1)))
def test_steps_agree_with_every_solver_and_cone(solver, cone, condim):
    xml = SCENE.format(solver=solver, cone=cone, condim=condim, jacobian="sparse")
    compare(mujoco.MjModel.from_xml_string(xml), 2, 60)


def test_sparse_and_dense_rows_give_the_same_acceleration():
    result = []
    for jacobian in ("sparse", "dense"):
        xml = SCENE.format(solver="Newton", cone="pyramidal", condim=3, jacobian=jacobian)
        mj = mujoco.MjModel.from_xml_string(xml)
        model, mj_data = bridge.model_from_mujoco(mj), mujoco.MjData(mj)
        mujoco.mj_step(mj, mj_data, 60)
        data = _core.MjData(model)
        forward(mj, mj_data, model, data)
        assert data.ncon > 5
        result.append(np.array(data.qacc))
    assert difference(*result) <= 1e-8


@pytest.mark.parametrize("dim", (1, 2, 3))
def test_every_way_to_find_self_contacts_finds_the_same_pairs(dim):
    count = {1: "30 1 1", 2: "7 6 1", 3: "4 3 3"}[dim]
    found = []
    for how in ("narrow", "bvh", "sap", "auto"):
        mj = mujoco.MjModel.from_xml_string(f"""<mujoco><worldbody><flexcomp name="f" type="grid" dim="{dim}"
          count="{count}" spacing=".05 .05 .05" radius=".01" mass="1"><contact selfcollide="{how}" activelayers="9"/>
          </flexcomp></worldbody></mujoco>""")
        model = bridge.model_from_mujoco(mj)
        data = _core.MjData(model)
        rng = np.random.default_rng(3)
        pairs = []
        for _ in range(20):
            data.qpos[:] = rng.normal(size=mj.nq) * 0.08
            _core.mj_fwdPosition(model, data)
            elem = np.array([data.contact[i].elem for i in range(data.ncon)]).reshape(-1, 2)
            pairs.append({tuple(sorted(pair)) for pair in elem.tolist()})
        found.append(pairs)
    assert sum(map(len, found[0])) > 20
    assert all(pairs == found[0] for pairs in found)
