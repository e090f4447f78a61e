"""System identification: mass, friction and gain of a robot arm from a recording of how it moved.

The residuals are the differences between the recorded and the simulated positions; sinew.minimize finds the parameters.
All the trajectories that a Jacobian by differences needs run side by side in one batch.

    python identify.py
"""

import numpy as np
import sinew
from sinew import minimize

XML = """
<mujoco>
  <option timestep="0.005" integrator="implicitfast"/>
  <worldbody>
    <body><joint name="shoulder" axis="0 1 0" damping="0.5"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="1"/>
      <body pos=".4 0 0"><joint name="elbow" axis="0 1 0" damping="0.3"/>
        <geom name="forearm" type="capsule" fromto="0 0 0 .3 0 0" size=".025" mass=".6"/></body></body>
  </worldbody>
  <actuator><motor joint="shoulder" gear="8"/><motor joint="elbow" gear="4"/></actuator>
</mujoco>
"""
STEPS = 300
NAMES = ("mass of the forearm", "damping of the elbow", "gear of the shoulder")
model = sinew.MjModel.from_xml_string(XML)
times = np.arange(STEPS) * model.opt.timestep
controls = np.stack([np.sin(4 * times), np.cos(7 * times)], axis=1)


def simulate(parameters):
    """Positions, (number of parameter sets, steps, 2), of as many arms."""
    batch = sinew.Batch(model, len(parameters), device="cpu")
    mass, damping, gear = np.asarray(parameters).T
    scale = mass / model.body_mass[2]
    batch.model_field("body_mass")[:, 2] = mass
    batch.model_field("body_inertia")[:, 2] *= scale[:, None]
    batch.model_field("dof_damping")[:, 1] = damping
    batch.model_field("actuator_gear")[:, 0, 0] = gear
    batch.set_const()
    positions = np.empty((len(parameters), STEPS, 2))
    for k, ctrl in enumerate(controls):
        batch.step(1, np.tile(ctrl, (len(parameters), 1)))
        positions[:, k] = batch.qpos
    return positions


truth = np.array([0.85, 0.12, 6.5])
recorded = simulate([truth])[0] + np.random.default_rng(0).normal(0, 1e-3, (STEPS, 2))  # a millirad of noise


def residual(x):
    """One column of residuals per column of x: minimize asks for all its differences at once."""
    return (simulate(x.T) - recorded).reshape(x.shape[1], -1).T


start = np.array([0.6, 0.3, 8.0])
found, _ = minimize.least_squares(start, residual, bounds=[np.array([0.1, 0.01, 1]), np.array([3, 2, 20])],
                                  verbose=minimize.Verbosity.SILENT)
for name, guess, value, true in zip(NAMES, start, found, truth):
    print(f"{name:<22} {guess:6.3f} -> {value:7.4f} (recorded with {true})")
assert np.allclose(found, truth, rtol=0.01)
