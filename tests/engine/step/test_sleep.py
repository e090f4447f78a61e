"""Sleeping and waking against MuJoCo, step by step."""

import constrained
import corpus
import mujoco
import numpy as np
import pytest

import sinew
from sinew import _core, bridge

HEAD = '<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="9 9 .1"/>'


def ball(name, pos, extra=""):
    return f'<body name="{name}" pos="{pos}" {extra}><freejoint/><geom size=".1" condim="6" ' \
           f'friction="1 .1 .1"/><site name="s_{name}"/></body>'


REST = ball("a", "0 0 .0999") + ball("b", "1 0 .0999") + ball("c", "2 0 .0999")
CONNECT = '<equality><connect body1="a" body2="b" anchor=".5 0 0"/></equality>'
TENDON = '<tendon><spatial name="t" range="0 1.5" limited="true"><site site="s_a"/>' \
         '<site site="s_c"/></spatial></tendon>'
MODELS = {
    "rest": HEAD + REST + "</worldbody></mujoco>",
    "policies": HEAD + ball("a", "0 0 .0999", 'sleep="never"') + ball("b", "1 0 .0999", 'sleep="init"')
    + ball("c", "2 0 .0999", 'sleep="allowed"') + "</worldbody></mujoco>",
    "connect": HEAD + REST + "</worldbody>" + CONNECT + "</mujoco>",
    "weld_world": HEAD + ball("a", "0 0 1") + "</worldbody><equality><weld body1='a'/></equality></mujoco>",
    "tendon": HEAD + REST + "</worldbody>" + TENDON + "</mujoco>",
    "stack": HEAD + "".join(
        f'<body pos="0 0 {0.0999 + 0.1998 * i}" euler="0 0 {12 * i}"><freejoint/>'
        f'<geom type="box" size="{0.2 - 0.02 * i} {0.2 - 0.03 * i} .1"/></body>'
        for i in range(4)) + ball("c", "1 0 .3") + "</worldbody></mujoco>",
    "hinges": HEAD + '<body pos="0 0 1"><joint axis="0 1 0" damping="1" frictionloss=".1" range="-9 9"/>'
    '<geom size=".1" pos="0 0 -.2"/></body><body pos="1 0 1"><joint axis="0 1 0" damping="1"/>'
    '<geom size=".1" pos="0 0 -.2"/></body></worldbody></mujoco>',
}


def push(data):
    data.xfrc_applied[1, 2] = 3


def force(data):
    data.qfrc_applied[0] = 2


def kick(data):
    data.qvel[0] = 2


def move(data):
    data.qpos[0] += 0.01


def toggle(data):
    if len(data.eq_active):
        data.eq_active[0] = 0


def nothing(data):
    pass


def compare(model, steps, events):
    """Run both engines; events is {step: function applied to both}."""
    data = mujoco.MjData(model)
    ours_model = bridge.model_from_mujoco(model)
    ours = _core.MjData(ours_model)
    assert np.array_equal(ours.tree_asleep, data.tree_asleep)
    slept = woke = False
    for step in range(steps):
        for d in (data, ours):
            d.xfrc_applied[:] = 0
            d.qfrc_applied[:] = 0
            events.get(step, nothing)(d)
        before = data.ntree_awake
        mujoco.mj_step(model, data)
        _core.mj_step(ours_model, ours)
        slept |= data.ntree_awake < before
        woke |= data.ntree_awake > before
        for field in ("tree_asleep", "tree_awake", "body_awake"):
            assert np.array_equal(getattr(ours, field), getattr(data, field)), (step, field)
        for field in ("ntree_awake", "nbody_awake", "nparent_awake", "nv_awake", "nefc", "nisland"):
            assert getattr(ours, field) == getattr(data, field), (step, field)
        for n, field in (("nbody_awake", "body_awake_ind"), ("nparent_awake", "parent_awake_ind"),
                         ("nv_awake", "dof_awake_ind")):
            count = getattr(data, n)
            assert np.array_equal(getattr(ours, field)[:count], getattr(data, field)[:count])
        assert constrained.distance(ours.qpos, data.qpos) < 1e-6
    return slept, woke


@pytest.mark.parametrize("name", sorted(MODELS))
@pytest.mark.parametrize("event", [nothing, push, force, kick, move, toggle])
def test_sleep(name, event):
    slept, woke = compare(mujoco.MjModel.from_xml_string(MODELS[name]), 260, {200: event})
    assert slept or name == "weld_world"
    if event in (push, kick) and name not in ("policies", "weld_world"):
        assert woke


def test_touch_wakes():
    """A rolling ball wakes the ball that it touches, with its own countdown."""
    model = mujoco.MjModel.from_xml_string(MODELS["rest"])
    slept, woke = compare(model, 500, {100: lambda d: d.qvel.__setitem__(slice(0, 3), (3, 0, 0))})
    assert slept and woke


def test_flag_off_wakes():
    model = mujoco.MjModel.from_xml_string(MODELS["rest"])
    ours_model = bridge.model_from_mujoco(model)
    ours = _core.MjData(ours_model)
    for _ in range(100):
        _core.mj_step(ours_model, ours)
    assert np.all(ours.tree_asleep >= 0)
    ours_model.opt.enableflags &= ~constrained.SLEEP
    _core.mj_step(ours_model, ours)
    assert np.all(ours.tree_asleep < 0)


def test_what_sleeps_on_a_mocap_body_counts_in_its_inertia():
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><option sleep_tolerance="1"><flag sleep="enable"/></option><worldbody><body mocap="true"><geom size=".1"/>'
        '<body pos="0 0 .2"><geom size=".1"/><body pos="0 0 -.2"><joint axis="0 1 0" damping="1"/><geom size=".1" pos="0 0 -.1"/>'
        '</body></body></body></worldbody></mujoco>')
    data, ours_model = mujoco.MjData(model), bridge.model_from_mujoco(model)
    ours = _core.MjData(ours_model)
    for _ in range(20):
        mujoco.mj_step(model, data)
        _core.mj_step(ours_model, ours)
    assert not data.ntree_awake
    np.testing.assert_allclose(np.reshape(ours.crb, (-1, 10)), data.crb, atol=1e-12)


@pytest.mark.skipif("shared/mujoco/sleep/dominos" not in corpus.paths(), reason="no shared models")
@pytest.mark.parametrize("name, steps", [("dominos", 300), ("humanoid", 50), ("100_humanoids", 3)])
def test_sleep_models(name, steps):
    model = constrained.load(f"shared/mujoco/sleep/{name}")
    ours_model = bridge.model_from_mujoco(model)
    data, ours = mujoco.MjData(model), _core.MjData(ours_model)
    for _ in range(steps):
        mujoco.mj_step(model, data)
        _core.mj_step(ours_model, ours)
        assert np.array_equal(ours.tree_asleep, data.tree_asleep)


def test_trees_that_cannot_start_asleep_are_refused():
    xml = ('<mujoco><option><flag sleep="enable"/></option><worldbody><body name="a"><freejoint/><geom size=".1"/></body>'
           '<body name="b" pos="{} 0 0" sleep="init"><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
    for module in (mujoco, sinew):
        with pytest.raises(ValueError, match="1 trees were marked as sleep='init' but only 0 could be slept"):
            module.MjModel.from_xml_string(xml.format(0.1))
        assert module.MjModel.from_xml_string(xml.format(1)).nv == 12


def views(module, event):
    """Cameras and lights of every mode, on the world, on a sleeping and on a waking tree."""
    modes = [(mode, "") for mode in ("fixed", "track", "trackcom")]
    modes += [(mode, f'target="{name}"') for mode in ("targetbody", "targetbodycom") for name in ("a", "w")]
    items = "".join(f'<light mode="{mode}" {target}/><camera mode="{mode}" {target}/>' for mode, target in modes)
    model = module.MjModel.from_xml_string(f"""<mujoco><option><flag sleep="enable"/></option><worldbody>{items}
        <geom type="plane" size="9 9 1"/>
        <body name="a" sleep="init" pos="0 0 .1"><freejoint/><geom size=".1"/>{items}</body>
        <body name="w" pos="2 0 3"><freejoint/><geom size=".1"/>{items}</body></worldbody></mujoco>""")
    data = module.MjData(model)
    module.mj_forward(model, data)
    if event == "wake":
        data.qpos[2] = 1
    data.qpos[7] = 3
    module.mj_forward(model, data)
    return np.concatenate([np.ravel(x) for x in (data.light_xpos, data.light_xdir, data.cam_xpos, data.cam_xmat)])


@pytest.mark.parametrize("event", ["sleep", "wake"])
def test_views_of_the_world_follow_where_all_are_awake(event):
    assert np.allclose(views(sinew, event), views(mujoco, event), atol=1e-9)


def floating(count=150):
    """Bodies that touch nothing, asleep in both engines, with a static one and an arm among them."""
    bodies = [f"<body pos='{0.5 * (i % 20)} {0.5 * (i // 20)} 1'><freejoint/><geom size='.1'/></body>" for i in range(count)]
    bodies[70] = "<body pos='0 -1 1'><geom size='.1'/></body>" + bodies[70]
    bodies[140] = "<body pos='0 -2 1'><joint axis='0 1 0' damping='1'/><geom size='.1'/></body>" + bodies[140]
    xml = f"<mujoco><option gravity='0 0 0'><flag sleep='enable'/></option><worldbody>{''.join(bodies)}</worldbody></mujoco>"
    pair = []
    for module in (sinew, mujoco):
        model = module.MjModel.from_xml_string(xml)
        data = module.MjData(model)
        module.mj_step(model, data, 30)
        assert data.ntree_awake == 0
        pair.append((module, model, data))
    return pair


@pytest.mark.parametrize("body", [1, 2, 64, 65, 72, 128, 142, 143, 152])
@pytest.mark.parametrize("name", ["qpos", "qvel", "qfrc_applied", "xfrc_applied"])
def test_a_touch_of_any_number_wakes_a_body_among_many(name, body):
    pair = floating()
    model = pair[0][1]
    if name == "xfrc_applied":
        places = range(6 * body, 6 * body + 6)
    else:
        first = model.jnt_qposadr[model.body_jntadr[body]] if name == "qpos" else model.body_dofadr[body]
        places = range(first, first + (1 if model.body_dofnum[body] == 1 else 7 if name == "qpos" else 6))
    for place in places:
        for module, m, d in pair:
            getattr(d, name).reshape(-1)[place] += 1e-3
            module.mj_step(m, d)
        (_, _, ours), (_, _, theirs) = pair
        same = name == "qpos" and place == places[0] + 3  # a longer quaternion is the same rotation
        assert ours.ntree_awake == theirs.ntree_awake == 1 - same
        np.testing.assert_array_equal(ours.tree_asleep, theirs.tree_asleep)
        for module, m, d in pair:  # back to sleep, from where it is now
            getattr(d, name).reshape(-1)[place] = 0 if name != "qpos" else d.qpos[place]
            d.qvel[:] = 0
            module.mj_step(m, d, 30)
            assert d.ntree_awake == 0


def test_what_sleeps_keeps_its_numbers_as_in_mujoco():
    pair = floating()
    for _ in range(3):
        for module, m, d in pair:
            module.mj_step(m, d)
        (_, _, ours), (_, _, theirs) = pair
        for name in ("qacc", "qacc_warmstart", "qfrc_constraint", "qfrc_passive", "subtree_com", "xpos", "xipos"):
            np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=0, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("actuator", ['<position kp="3" ', '<general dyntype="integrator" '])
def test_a_crank_between_static_sites_always_rests(actuator):
    xml = f"""<mujoco><option><flag sleep="enable"/></option><worldbody>
      <site name="a" pos="0 0 1"/><site name="b" pos="1 0 0"/><body><joint/><geom size=".1"/><site name="c" pos="0 0 2"/></body>
    </worldbody><actuator>{actuator}cranksite="a" slidersite="b" cranklength="2"/>
      {actuator}cranksite="a" slidersite="c" cranklength="2"/></actuator></mujoco>"""
    forces = []
    for module in (mujoco, sinew):
        m = module.MjModel.from_xml_string(xml)
        d = module.MjData(m)
        d.ctrl[:] = 2
        module.mj_step(m, d, 3)
        forces.append(np.concatenate([d.actuator_force, d.act]))
    np.testing.assert_allclose(forces[1], forces[0], rtol=0, atol=1e-12)
    assert forces[0][0] == 0 and forces[0][1] != 0
