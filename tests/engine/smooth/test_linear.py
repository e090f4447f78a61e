"""Steps that never form the inertia matrix (option sinew:linear) against the default path."""

import numpy as np
import pytest

import sinew

LINEAR = int(sinew.mjtEnableBit.mjENBL_LINEAR)
FIELDS = ("qpos", "qvel", "qacc", "qacc_smooth", "qfrc_smooth", "qfrc_bias", "qfrc_passive", "qfrc_actuator",
          "act", "sensordata", "energy", "xpos", "cvel", "cacc", "cfrc_int")  # fmt: skip


def chain(count, joint="damping='.01' stiffness='.1' armature='.001'"):
    body = ""
    for i in range(count):
        axis = f"{i % 2} {(i + 1) % 2} 0"
        body = (
            f"<body pos='0 0 -.1'><joint name='j{i}' axis='{axis}' {joint}/>"
            f"<geom type='capsule' fromto='0 0 0 .01 0 -.1' size='.02' contype='0' conaffinity='0'/>{body}</body>"
        )
    return body


# short chains form M in any case; armature keeps the matrix of this one well conditioned
LONG = chain(80, "damping='.01' armature='.3'").replace("name='j", "name='long")
GEOM = "<geom type='box' size='.1 .05 .03' pos='.02 .1 0' contype='0' conaffinity='0'/>"
TREE = f"""<body pos='0 0 1'><freejoint/>{GEOM}
  <body pos='.2 0 0'><joint type='ball' damping='.1' stiffness='.2'/>{GEOM}<site name='s' pos='.1 0 0'/>
    <body pos='.2 0 0'>{GEOM}<body pos='.1 0 0'><joint name='a' axis='0 0 1'/>
      <joint name='b' type='slide' axis='1 1 0' damping='1'/>{GEOM}</body></body></body>
  <body pos='-.2 0 0'><joint name='c' axis='0 1 0' armature='.1'/>{GEOM}</body></body>
  <body pos='1 0 1'><joint name='d' axis='0 1 0'/><joint name='e' axis='1 0 0'/>{GEOM}</body>"""
SENSORS = "<sensor><accelerometer site='s'/><force site='s'/><framelinvel objtype='site' objname='s'/></sensor>"
MOTORS = """<actuator><motor joint='a'/><position joint='b' kp='10' kv='1'/><velocity joint='c' kv='2' gear='3'/>
  <damper joint='d' kv='1' ctrlrange='0 1'/><general joint='e' dyntype='integrator' gainprm='2'/></actuator>"""
TENDON = "<tendon><fixed name='t' stiffness='2' damping='{}'><joint joint='a' coef='1'/><joint joint='c' coef='-2'/></fixed></tendon>"
MODELS = {
    "chain": (chain(30), ""),
    "chain without springs": (chain(12, ""), ""),
    "tree": (TREE, SENSORS + MOTORS),
    "tendon": (TREE, SENSORS + MOTORS + TENDON.format(0)),
    "damped tendon": (TREE, SENSORS + MOTORS + TENDON.format(0.5)),
    "ball actuator": (TREE, "<actuator><general site='s' gear='0 0 1 0 1 0' biastype='affine' biasprm='0 -1 -1'/></actuator>"),
}


def load(name, integrator="Euler", flags=""):
    body, rest = MODELS[name]
    body += LONG
    option = f"<option integrator='{integrator}'><flag energy='enable' {flags}/></option>"
    return sinew.MjModel.from_xml_string(f"<mujoco>{option}<worldbody>{body}</worldbody>{rest}</mujoco>")


def pair(model, seed=0):
    """Data of the default path and of the linear one, and a model for each."""
    other = model.__copy__()
    other.opt.enableflags |= LINEAR
    made = []
    for m in (model, other):
        d, rng = sinew.MjData(m), np.random.RandomState(seed)
        sinew.mj_integratePos(m, d.qpos, 0.3 * rng.randn(m.nv), 1)
        d.qvel[:], d.ctrl[:] = rng.randn(m.nv), rng.rand(m.nu)
        d.qfrc_applied[:], d.xfrc_applied[1:] = 0.1 * rng.randn(m.nv), 0.1 * rng.randn(m.nbody - 1, 6)
        d.qM[:] = d.M[:] = 0
        made.append((m, d))
    return made


def assert_same(a, b, tolerance=1e-9):
    for name in FIELDS:
        x, y = np.array(getattr(a, name)), np.array(getattr(b, name))
        assert np.abs(x - y).max(initial=0) <= tolerance * (1 + np.abs(x).max(initial=0)), name


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicitfast", "implicit"])
@pytest.mark.parametrize("name", MODELS)
def test_steps_agree_with_the_default_path(name, integrator):
    (m, d), (m2, d2) = pair(load(name, integrator))
    for _ in range(10):
        for model, data in ((m, d), (m2, d2)):
            sinew.mj_step(model, data)
            sinew.mj_rnePostConstraint(model, data)
        assert_same(d, d2)
    formed = integrator == "implicit" or (integrator == "implicitfast" and name in ("damped tendon", "ball actuator"))
    assert bool(np.any(d2.M)) == formed, "the linear path forms M where it has to, and only there"


@pytest.mark.parametrize("flags", ["eulerdamp='disable'", "damper='disable'", "sleep='enable'", "actuation='disable'"])
def test_flags_mean_what_they_mean_by_default(flags):
    (m, d), (m2, d2) = pair(load("tree", flags=flags))
    for _ in range(10):
        sinew.mj_step(m, d)
        sinew.mj_step(m2, d2)
        assert_same(d, d2)
    assert not np.any(d2.M)


def test_products_and_solves_need_no_matrix():
    (m, d), (m2, d2) = pair(load("tree"))
    vec, results = np.random.RandomState(1).randn(m.nv), []
    for model, data in ((m, d), (m2, d2)):
        sinew.mj_forward(model, data)
        product, solved = np.zeros(m.nv), np.zeros((1, m.nv))
        sinew.mj_mulM(model, data, product, vec)
        sinew.mj_solveM(model, data, solved, vec[None])
        results.append((product, solved))
    np.testing.assert_allclose(results[1][0], results[0][0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(results[1][1], results[0][1], rtol=1e-11, atol=1e-11)


def test_constraints_bring_the_matrix_back_bit_for_bit():
    limit = chain(60, "damping='.01' limited='true' range='-20 20'")
    model = sinew.MjModel.from_xml_string(f"<mujoco><worldbody>{limit}</worldbody></mujoco>")
    (m, d), (m2, d2) = pair(model)
    d.qpos[:] = d2.qpos[:] = 0.5  # beyond every limit
    for _ in range(3):
        sinew.mj_step(m, d)
        sinew.mj_step(m2, d2)
        assert d2.nefc > 0
        assert d.qpos.tobytes() == d2.qpos.tobytes() and d.M.tobytes() == d2.M.tobytes()


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
def test_derivatives_agree(integrator):
    results = []
    for m, d in pair(load("tree", integrator)):
        sinew.mj_forward(m, d)
        n = 2 * m.nv + m.na
        A, B = np.zeros((n, n)), np.zeros((n, m.nu))
        sinew.mjd_transitionFD(m, d, 1e-6, True, A, B, None, None)
        results.append((A, B))
    for a, b in zip(*results, strict=True):
        np.testing.assert_allclose(b, a, rtol=0, atol=1e-6)


@pytest.mark.parametrize(("links", "formed"), [(10, True), (40, True), (60, False)])
def test_short_chains_form_the_matrix_because_that_is_quicker(links, formed):
    model = sinew.MjModel.from_xml_string(f"<mujoco><worldbody>{chain(links)}</worldbody></mujoco>")
    (m, d), (m2, d2) = pair(model)
    sinew.mj_step(m, d)
    sinew.mj_step(m2, d2)
    assert bool(np.any(d2.M)) == formed
    assert not formed or d.qpos.tobytes() == d2.qpos.tobytes()


def test_the_option_is_read_and_written():
    xml = "<mujoco><option><flag sinew:linear='enable'/></option></mujoco>"
    spec = sinew.MjSpec.from_string(xml)
    assert spec.compile().opt.enableflags == LINEAR
    assert "sinew:linear=\"enable\"" in spec.to_xml()
    with pytest.raises(ValueError, match="sinew:linear"):
        sinew.MjSpec.from_string(xml.replace("'enable'", "'yes'"))


