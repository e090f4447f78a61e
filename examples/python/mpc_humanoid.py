"""Model-predictive control: the bundled humanoid stays on its feet, by derivatives of the engine in closed form.

Each plan is a sequence of controls over a horizon. An iteration of iLQR rolls the humanoid out, linearises every step of
that motion at once (Batch.transition), solves the time-varying linear-quadratic problem backwards, and tries step sizes
along the new controls side by side in a batch. The first controls of the plan are applied, and the plan is shifted.

    python mpc_humanoid.py [--time 2] [--horizon 40] [--picture humanoid.png]
"""

import argparse
import pathlib

import numpy as np
import sinew

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--time", type=float, default=2.0)
parser.add_argument("--horizon", type=int, default=40)
parser.add_argument("--picture", help="a PNG of the end")
options = parser.parse_args()

model = sinew.MjModel.from_xml_path(str(pathlib.Path(__file__).parents[2] / "models" / "humanoid.xml"))
model.opt.timestep = 0.01
data = sinew.MjData(model)
home = data.qpos.copy()
nv, nu, T, EVERY = model.nv, model.nu, options.horizon, 4
STATE = sinew.mjtState.mjSTATE_INTEGRATION
sizes = np.array([1.0, 0.5, 0.25, 0.1, 0.0])  # of steps along the search direction
line = sinew.Batch(model, len(sizes), device="cpu")
steps = sinew.Batch(model, T, device="cpu")

weight = np.concatenate([np.full(nv, 5.0), np.full(nv, 0.05)])
weight[:6] = 0, 0, 200, 40, 40, 5  # height and attitude of the torso count most
effort = 0.02


def error(qpos, qvel):
    """Distance from standing still, in the tangent space, of rows of states."""
    result = np.empty((len(qpos), 2 * nv))
    for row, position in zip(result, qpos):
        sinew.mj_differentiatePos(model, row[:nv], 1.0, home, position)
    result[:, nv:] = qvel
    return result


def rollout(state, plans):
    """States (T + 1 of them) and costs of several plans, side by side."""
    line.set_state(np.tile(state, (len(plans), 1)), STATE)
    cost, states, errors = np.zeros(len(plans)), [line.get_state(STATE)], [error(line.qpos, line.qvel)]
    for t in range(T):
        line.step(1, plans[:, t])
        states.append(line.get_state(STATE))
        errors.append(error(line.qpos, line.qvel))
        cost += (errors[-1] ** 2 @ weight) + effort * (plans[:, t] ** 2).sum(axis=1)
    return np.array(states), np.array(errors), cost


def improve(state, plan):
    """One iteration of iLQR; the plan and its cost."""
    states, errors, _ = rollout(state, np.tile(plan, (len(sizes), 1, 1)))
    steps.set_state(states[:T, 0], STATE)
    steps.ctrl = plan
    A, B = steps.transition()
    V, v = np.diag(weight), weight * errors[T, 0]  # of the cost to go, halved
    gains, offsets = np.empty((T, nu, 2 * nv)), np.empty((T, nu))
    for t in reversed(range(T)):
        H = effort * np.eye(nu) + B[t].T @ V @ B[t] + 1e-4 * np.eye(nu)
        gains[t] = -np.linalg.solve(H, B[t].T @ V @ A[t])
        offsets[t] = -np.linalg.solve(H, effort * plan[t] + B[t].T @ v)
        closed = A[t] + B[t] @ gains[t]
        v = weight * errors[t, 0] * (t > 0) + closed.T @ v + gains[t].T @ (effort * plan[t])
        V = np.diag(weight) + closed.T @ V @ closed + effort * gains[t].T @ gains[t]
    plans = np.tile(plan, (len(sizes), 1, 1))
    line.set_state(np.tile(state, (len(sizes), 1)), STATE)
    for t in range(T):  # the linear feedback keeps trials near the motion about which they are linear
        away = error(line.qpos, line.qvel) - errors[t, 0]
        plans[:, t] = np.clip(plan[t] + sizes[:, None] * offsets[t] + away @ gains[t].T * (sizes[:, None] > 0), -1, 1)
        line.step(1, plans[:, t])
    cost = rollout(state, plans)[2]
    return plans[np.argmin(cost)], cost.min()


plan = np.zeros((T, nu))
state = np.empty(sinew.mj_stateSize(model, STATE))
while data.time < options.time:
    sinew.mj_getState(model, data, state, STATE)
    plan, cost = improve(state, plan)
    for k in range(EVERY):
        data.ctrl[:] = plan[k]
        sinew.mj_step(model, data)
    plan = np.vstack([plan[EVERY:], np.tile(plan[-1], (EVERY, 1))])
    print(f"t = {data.time:4.2f} s  height {data.qpos[2]:.3f} m  cost {cost:8.2f}", flush=True)
if options.picture:
    with sinew.Renderer(model, 480, 640) as renderer:
        renderer.update_scene(data, camera="follow")
        from PIL import Image

        Image.fromarray(renderer.render()).save(options.picture)
assert data.qpos[2] > 0.9 * home[2], "it fell"
