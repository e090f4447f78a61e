"""Gradients through the simulator: the throw that hits a target, found by PyTorch's optimiser.

A ball is thrown, bounces once and should end over a point. The loss is differentiated through 150 steps, the bounce included.

    python gradients.py
"""

import sinew
import sinew.torch
import torch

XML = """
<mujoco>
  <option timestep="0.005"/>
  <worldbody>
    <geom type="plane" size="5 5 .1" solref="-2000 -2"/>
    <body pos="0 0 .5"><freejoint/><geom size=".05" mass=".1" friction=".2" solref="-2000 -2"/></body>
  </worldbody>
</mujoco>
"""

model = sinew.MjModel.from_xml_string(XML)
batch = sinew.Batch(model, 1, device="cpu")
qpos = torch.tensor(batch.qpos.copy())
target = torch.tensor([1.2, 0.3, 0.4], dtype=torch.float64)
throw = torch.tensor([1.0, 0.0, 1.0], dtype=torch.float64, requires_grad=True)  # metres per second
optimiser = torch.optim.Adam([throw], lr=0.1)
for iteration in range(120):
    velocity = torch.cat([throw, torch.zeros(3, dtype=torch.float64)])[None]
    path = sinew.torch.rollout(batch, qpos, velocity, torch.zeros(150, 1, 0, dtype=torch.float64))[0]
    miss = (path[-1, 0, :3] - target).norm()
    optimiser.zero_grad()
    miss.backward()
    optimiser.step()
    if iteration % 20 == 0 or miss < 0.01:
        print(f"{iteration:>4}: misses by {100 * miss.item():6.2f} cm with {throw.detach().numpy().round(3)}", flush=True)
    if miss < 0.01:
        break
assert miss < 0.02, "it should hit"
