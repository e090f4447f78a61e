"""Gradients of steps and rollouts in PyTorch and JAX, against differences of the same functions."""

import functools

import numpy as np
import pytest

import sinew

ARM = """
<mujoco>
  <option timestep="0.01" integrator="implicitfast"/>
  <worldbody>
    <body><joint name="a" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <body pos=".3 0 0"><joint name="b" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="a" gear="3"/><general joint="b" gear="2" dyntype="filter" dynprm=".1"/></actuator>
</mujoco>
"""
TUMBLE = """
<mujoco>
  <option timestep="0.005"/>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body pos="0 0 .16" quat=".9 .2 .3 .1"><freejoint/><geom type="capsule" size=".06 .15" friction=".8"/>
      <body pos="0 0 .2"><joint name="ball" type="ball" damping=".05"/><geom type="capsule" fromto="0 0 0 .2 0 .1" size=".04"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="ball" gear="1 .5 .2"/></actuator>
</mujoco>
"""
WORLDS, STEPS = 3, 6


def case(xml):
    """A batch, and inputs in which all worlds differ."""
    model = sinew.MjModel.from_xml_string(xml)
    batch = sinew.Batch(model, WORLDS, device="cpu", threads=1)
    random = np.random.default_rng(1)
    batch.perturb(3, 0.05)
    batch.step(20)
    qpos, qvel = batch.qpos.copy(), batch.qvel.copy()
    act = random.uniform(-0.5, 0.5, (WORLDS, model.na))
    return batch, [qpos, qvel, act, random.uniform(-1, 1, (STEPS, WORLDS, model.nu))]


def normalised(model, qpos):
    result = qpos.copy()
    for row in result:
        sinew.mj_normalizeQuat(model, row)
    return result


def loss_weights(batch):
    random = np.random.default_rng(7)
    model = batch.model
    return [random.normal(size=(STEPS, WORLDS, n)) for n in (model.nq, model.nv, model.na)]


def check_directions(batch, inputs, weights, gradients):
    """Directional derivatives along every kind of input, by centred differences of the loss."""
    from sinew._adjoint import Rollout

    def loss(parts):
        run = Rollout(batch, normalised(batch.model, parts[0]), *parts[1:])
        return sum((w * part).sum() for w, part in zip(weights, (run.qpos, run.qvel, run.act)))

    random = np.random.default_rng(11)
    for kind in range(4):
        if not inputs[kind].size:
            continue
        direction, eps = random.normal(size=inputs[kind].shape), 1e-5
        moved = []
        for sign in (1, -1):
            parts = [part.copy() for part in inputs]
            parts[kind] += sign * eps * direction
            moved.append(loss(parts))
        expected = (moved[0] - moved[1]) / (2 * eps)
        found = (gradients[kind] * direction).sum()
        assert np.isfinite(found) and abs(found - expected) < 1e-4 * max(1, abs(expected)), (kind, found, expected)


@pytest.mark.parametrize("xml", [ARM, TUMBLE], ids=["arm", "contacts and quaternions"])
def test_torch_gradients_are_those_of_differences(xml):
    torch = pytest.importorskip("torch")
    import sinew.torch

    batch, inputs = case(xml)
    weights = loss_weights(batch)
    tensors = [torch.tensor(part, requires_grad=True) for part in inputs]
    outputs = sinew.torch.rollout(batch, tensors[0], tensors[1], tensors[3], tensors[2])
    assert all(part.dtype == torch.float64 for part in outputs)
    sum((torch.tensor(w) * part).sum() for w, part in zip(weights, outputs)).backward()
    check_directions(batch, inputs, weights, [part.grad.numpy() for part in tensors])


def test_torch_steps_chain_like_a_rollout():
    torch = pytest.importorskip("torch")
    import sinew.torch

    batch, inputs = case(ARM)
    results = []
    for whole in (True, False):
        qpos, qvel, act, ctrl = (torch.tensor(part, requires_grad=True) for part in inputs)
        if whole:
            last = [part[-1] for part in sinew.torch.rollout(batch, qpos, qvel, ctrl, act)]
        else:
            last = [qpos, qvel, act]
            for t in range(STEPS):
                last = sinew.torch.step(batch, last[0], last[1], ctrl[t], last[2])
        (last[0].sum() + last[1].square().sum()).backward()
        results.append([part.grad.numpy() for part in (qpos, qvel, act, ctrl)])
    for a, b in zip(*results):  # a step alone starts without a warm start: the solver's last bits differ
        assert np.allclose(a, b, rtol=1e-6, atol=1e-9)


def test_single_precision_stays_single():
    torch = pytest.importorskip("torch")
    import sinew.torch

    batch, inputs = case(ARM)
    qpos, qvel, act, ctrl = (torch.tensor(part, dtype=torch.float32, requires_grad=True) for part in inputs)
    outputs = sinew.torch.rollout(batch, qpos, qvel, ctrl, act)
    assert outputs[0].dtype == torch.float32
    outputs[0].sum().backward()
    assert ctrl.grad.dtype == torch.float32 and torch.isfinite(ctrl.grad).all()


def test_wrong_shapes_are_named():
    torch = pytest.importorskip("torch")
    import sinew.torch

    batch, _ = case(ARM)
    with pytest.raises(ValueError, match=r"qvel should be of shape \(3, 2\), got \(3, 5\)"):
        sinew.torch.rollout(batch, torch.zeros(3, 2), torch.zeros(3, 5), torch.zeros(4, 3, 2))
    with pytest.raises(TypeError, match="qpos should be a tensor, got ndarray"):
        sinew.torch.rollout(batch, np.zeros((3, 2)), torch.zeros(3, 2), torch.zeros(4, 3, 2))


@pytest.mark.parametrize("xml", [ARM, TUMBLE], ids=["arm", "contacts and quaternions"])
def test_jax_gradients_are_those_of_differences(xml):
    jax = pytest.importorskip("jax")
    import sinew.jax

    jax.config.update("jax_enable_x64", True)
    batch, inputs = case(xml)
    weights = loss_weights(batch)

    @jax.jit
    def loss(qpos, qvel, act, ctrl):
        outputs = sinew.jax.rollout(batch, qpos, qvel, ctrl, act)
        return sum((w * part).sum() for w, part in zip(weights, outputs))

    gradients = jax.grad(loss, argnums=(0, 1, 2, 3))(*(jax.numpy.asarray(part) for part in inputs))
    check_directions(batch, inputs, weights, [np.asarray(part) for part in gradients])


def test_jax_steps_inside_scan():
    jax = pytest.importorskip("jax")
    import sinew.jax

    jax.config.update("jax_enable_x64", True)
    batch, inputs = case(ARM)
    qpos, qvel, act, ctrl = (jax.numpy.asarray(part) for part in inputs)

    def advance(state, u):
        state = sinew.jax.step(batch, state[0], state[1], u, state[2])
        return state, state[0]

    _, positions = jax.jit(lambda c: jax.lax.scan(advance, (qpos, qvel, act), c))(ctrl)
    expected = sinew.jax.rollout(batch, qpos, qvel, ctrl, act)[0]
    assert np.allclose(positions, expected, atol=1e-9)


def test_jax_calls_the_engine_without_python():
    """Inside a compiled program there is a call of the engine and no callback; and it gives the callback's numbers."""
    jax = pytest.importorskip("jax")
    import sinew.jax

    jax.config.update("jax_enable_x64", True)
    batch, inputs = case(TUMBLE)
    arrays = [jax.numpy.asarray(part) for part in inputs]

    def loss(qpos, qvel, act, ctrl):
        return sum((part**2).sum() for part in sinew.jax.rollout(batch, qpos, qvel, ctrl, act))

    gradient = jax.jit(jax.grad(loss, argnums=(0, 1, 2, 3)))
    text = gradient.lower(*arrays).as_text()
    assert "sinew_rollout" in text and "sinew_rollout_back" in text and "callback" not in text
    native = gradient(*arrays)
    try:
        sinew.jax._NATIVE = False
        called = jax.jit(jax.grad(lambda *a: loss(*a), argnums=(0, 1, 2, 3)))(*arrays)
    finally:
        sinew.jax._NATIVE = True
    for a, b in zip(native, called):
        assert np.array_equal(a, b)


def test_jax_in_single_precision():
    jax = pytest.importorskip("jax")
    import sinew.jax

    batch, inputs = case(ARM)
    exact = sinew._adjoint.Rollout(batch, *inputs)
    outputs = jax.jit(functools.partial(sinew.jax.rollout, batch))(
        *(jax.numpy.asarray(inputs[i], "float32") for i in (0, 1, 3, 2)))
    assert outputs[0].dtype == "float32" and np.allclose(outputs[0], exact.qpos, atol=1e-5)


def test_jax_functions_say_that_their_batch_is_gone():
    jax = pytest.importorskip("jax")
    import sinew.jax

    jax.config.update("jax_enable_x64", True)
    batch, inputs = case(ARM)
    arrays = [jax.numpy.asarray(inputs[i]) for i in (0, 1, 3, 2)]
    compiled = jax.jit(functools.partial(sinew.jax.rollout, batch)).lower(*arrays).compile()
    compiled(*arrays)
    sinew._core._xla_forget(sinew.jax._numbers[batch])  # what happens when it is deleted
    with pytest.raises(Exception, match="has been deleted"):
        jax.block_until_ready(compiled(*arrays))


def test_jax_refuses_wrong_shapes():
    jax = pytest.importorskip("jax")
    import sinew.jax

    batch, _ = case(ARM)
    with pytest.raises(ValueError, match=r"qvel should be of shape \(3, 2\), got \(3, 5\)"):
        sinew.jax.rollout(batch, jax.numpy.zeros((3, 2)), jax.numpy.zeros((3, 5)), jax.numpy.zeros((4, 3, 2)))


def test_calls_of_one_batch_wait_for_one_another():
    """Two rollouts of one batch in a program, which XLA may start at once."""
    jax = pytest.importorskip("jax")
    import sinew.jax

    jax.config.update("jax_enable_x64", True)
    batch, inputs = case(TUMBLE)
    arrays = [jax.numpy.asarray(inputs[i]) for i in (0, 1, 3, 2)]
    run = functools.partial(sinew.jax.rollout, batch)
    alone = run(*arrays), run(arrays[0], 2 * arrays[1], *arrays[2:])
    both = jax.jit(lambda q, v, c, a: (run(q, v, c, a), run(q, 2 * v, c, a)))
    for _ in range(10):
        for found, expected in zip(both(*arrays), alone):
            assert all(np.array_equal(x, y) for x, y in zip(found, expected))


NAMES = {"arm": (ARM, ["body_mass[2]", "dof_damping[a]", "actuator_gear[0,0]", "actuator_dynprm[1,0]"]),
         "contacts": (TUMBLE, ["geom_friction[0,0]", "body_mass[1]", "opt.gravity[2]", "dof_damping[ball]"])}


def parameter_case(name):
    """A batch, inputs, weights of the loss, parameters, values for each world, and the gradient by them, by differences of the loss."""
    from sinew.parameters import Parameters

    xml, names = NAMES[name]
    batch, inputs = case(xml)
    chosen, weights = Parameters(batch.model, names), loss_weights(batch)
    values = chosen.values() * np.random.default_rng(5).uniform(0.9, 1.1, (WORLDS, chosen.size))

    def loss(values):
        chosen.apply(batch, values)
        run = sinew._adjoint.Rollout(batch, *inputs)
        return sum((w * part).sum() for w, part in zip(weights, (run.qpos, run.qvel, run.act)))

    expected = np.zeros_like(values)
    for cell in np.ndindex(values.shape):
        up, down = values.copy(), values.copy()
        up[cell], down[cell] = values[cell] * (1 + 1e-5), values[cell] * (1 - 1e-5)
        expected[cell] = (loss(up) - loss(down)) / (up[cell] - down[cell])
    return batch, inputs, weights, chosen, values, expected


def check_by_parameters(found, expected):
    scale = np.abs(expected).max(axis=0)
    assert (scale > 0).all() and (np.abs(found - expected) < 1e-5 * scale + 1e-7).all(), np.abs(found - expected).max(axis=0) / scale


@pytest.mark.parametrize("method", ["analytic", "differences"])
@pytest.mark.parametrize("name", NAMES)
def test_torch_gradients_by_parameters_are_those_of_differences(name, method):
    torch = pytest.importorskip("torch")
    import sinew.torch

    batch, inputs, weights, chosen, values, expected = parameter_case(name)
    given = torch.tensor(values, requires_grad=True)
    ctrl = torch.tensor(inputs[3], requires_grad=True)
    qpos, qvel, act = (torch.tensor(part) for part in inputs[:3])
    outputs = sinew.torch.rollout(batch, qpos, qvel, ctrl, act, method, parameters=chosen.names, values=given)
    sum((torch.tensor(w) * part).sum() for w, part in zip(weights, outputs)).backward()
    check_by_parameters(given.grad.numpy(), expected)
    chosen.apply(batch, values)
    plain = sinew._adjoint.Rollout(batch, *inputs, method).backward(*weights)[3]
    assert np.allclose(ctrl.grad.numpy(), plain, rtol=1e-9, atol=1e-12)
    with pytest.raises(ValueError, match="go together"):
        sinew.torch.rollout(batch, qpos, qvel, ctrl, act, parameters=chosen)


@pytest.mark.parametrize("name", NAMES)
def test_jax_gradients_by_parameters_are_those_of_differences(name):
    jax = pytest.importorskip("jax")
    import sinew.jax

    jax.config.update("jax_enable_x64", True)
    batch, inputs, weights, chosen, values, expected = parameter_case(name)
    before = batch.qpos.copy(), batch.model_field("body_mass").copy()

    def loss(qpos, qvel, act, ctrl, values):
        outputs = sinew.jax.rollout(batch, qpos, qvel, ctrl, act, parameters=chosen, values=values)
        return sum((w * part).sum() for w, part in zip(weights, outputs))

    arrays = [jax.numpy.asarray(part) for part in (*inputs, values)]
    found = jax.jit(jax.grad(loss, argnums=(3, 4)))(*arrays)
    check_by_parameters(np.asarray(found[1]), expected)
    assert np.array_equal(batch.qpos, before[0]) and np.array_equal(batch.model_field("body_mass"), before[1])
    chosen.apply(batch, values)
    plain = sinew._adjoint.Rollout(batch, *inputs).backward(*weights)[3]
    assert np.allclose(found[0], plain, rtol=1e-9, atol=1e-12)
    with pytest.raises(ValueError, match=r"values should be of shape .*, got \(3, 1\)"):
        sinew.jax.rollout(batch, *arrays[:2], arrays[3], arrays[2], parameters=chosen, values=values[:, :1])


def test_gradients_by_parameters_are_in_closed_form_where_there_is_one(monkeypatch):
    """Only the columns that have none are differenced; the others are exact."""
    from sinew import parameters

    batch, inputs, weights, chosen, values, expected = parameter_case("arm")
    asked = []

    class Seen(parameters.Differences):
        def __init__(self, *args, columns, **kwargs):
            asked.extend(columns)
            super().__init__(*args, columns=columns, **kwargs)

    monkeypatch.setattr(parameters, "Differences", Seen)
    chosen.apply(batch, values)
    found = sinew._adjoint.Rollout(batch, *inputs).backward_parameters(chosen, values, *weights)[4]
    assert [chosen.labels[i] for i in asked] == ["actuator_dynprm[1,0]"]
    check_by_parameters(found, expected)
