"""Domain randomisation: one controller, a thousand pendulums of different mass, length and friction.

Every world has its own copy of some fields of the model. A controller that balances the pendulum it was designed for
is tried on all of them, in one batch.

    python randomise.py [--worlds 1000]
"""

import argparse

import numpy as np
import sinew

XML = """
<mujoco>
  <option timestep="0.005" integrator="implicitfast"/>
  <worldbody>
    <body name="cart"><joint name="slide" type="slide" axis="1 0 0" damping="0.1"/><geom type="box" size=".1 .05 .05" mass="1"/>
      <body name="pole"><joint name="hinge" axis="0 1 0" damping="0.002"/>
        <geom name="pole" type="capsule" fromto="0 0 0 0 0 .6" size=".02" mass=".2"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" gear="10" ctrlrange="-3 3"/></actuator>
</mujoco>
"""

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--worlds", type=int, default=1000)
count = parser.parse_args().worlds

model = sinew.MjModel.from_xml_string(XML)

# the controller: infinite-horizon LQR about the upright state, from the derivatives of one step
from scipy.linalg import solve_discrete_are  # noqa: E402

from sinew import derivatives  # noqa: E402

A, B = derivatives.transition(model, sinew.MjData(model))
Q, R = np.diag([1.0, 10.0, 0.1, 0.1]), np.eye(1) * 0.1
P = solve_discrete_are(A, B, Q, R)
K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)

# the worlds: mass and inertia of the pole by a factor of up to 4, friction of the cart by one of up to 10
random = np.random.default_rng(0)
factor = np.exp(random.uniform(-np.log(4), np.log(4), count))
batch = sinew.Batch(model, count, device="cpu")
pole = sinew.mj_name2id(model, sinew.mjtObj.mjOBJ_BODY, "pole")
batch.model_field("body_mass")[:, pole] *= factor
batch.model_field("body_inertia")[:, pole] *= factor[:, None]
batch.model_field("dof_damping")[:, 0] *= np.exp(random.uniform(0, np.log(10), count))
batch.set_const()  # what derives from these
batch.qpos[:, 1] = random.uniform(-0.6, 0.6, count)

for _ in range(1000):
    batch.step(1, -(np.hstack([batch.qpos, batch.qvel]) @ K.T))
upright = np.abs(batch.qpos[:, 1]) < 0.05
print(f"{upright.sum()} of {count} pendulums stand after 5 s; the lightest and heaviest poles that do are "
      f"{0.2 * factor[upright].min():.2f} and {0.2 * factor[upright].max():.2f} kg")
assert upright.mean() > 0.5
