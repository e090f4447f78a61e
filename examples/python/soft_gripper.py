"""A soft gripper: two fingers close on a ball of rubber, a flex, lift it, and it does not slip.

    python soft_gripper.py
"""

import numpy as np
import sinew

XML = """
<mujoco>
  <option timestep="0.002" integrator="implicitfast" solver="CG" tolerance="1e-6"/>
  <default><geom friction="1.5" condim="3" solref="0.005 1"/><position kp="400" kv="20"/></default>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body name="hand" pos="0 0 .06">
      <joint name="lift" type="slide" axis="0 0 1" damping="20"/>
      <geom type="box" size=".08 .02 .01" pos="0 0 .08" mass=".5" contype="0" conaffinity="0"/>
      <body pos="-.075 0 0"><joint name="left" type="slide" axis="1 0 0" damping="5"/>
        <geom type="box" size=".008 .03 .04" mass=".1"/></body>
      <body pos=".075 0 0"><joint name="right" type="slide" axis="-1 0 0" damping="5"/>
        <geom type="box" size=".008 .03 .04" mass=".1"/></body>
    </body>
    <flexcomp name="ball" type="ellipsoid" count="5 5 5" spacing=".02 .02 .02" pos="0 0 .055" radius=".003" mass=".1" dim="3">
      <contact condim="3" friction="1.5" selfcollide="none" internal="false" solref="0.005 1"/>
      <edge equality="true" solref="0.01 1"/>
    </flexcomp>
  </worldbody>
  <actuator>
    <position joint="lift"/><position joint="left" ctrlrange="0 .07"/><position joint="right" ctrlrange="0 .07"/>
  </actuator>
</mujoco>
"""

model = sinew.MjModel.from_xml_string(XML)
data = sinew.MjData(model)


def ball():
    """Middle of the ball, and its extent between the fingers."""
    vertices = data.flexvert_xpos.reshape(-1, 3)
    return vertices.mean(axis=0), np.ptp(vertices[:, 0])


sinew.mj_forward(model, data)
start, width = ball()
while data.time < 1.5:
    grip, lift = np.clip(data.time / 0.3, 0, 1), np.clip((data.time - 0.6) / 0.6, 0, 1)
    data.ctrl[:] = 0.1 * lift, 0.045 * grip, 0.045 * grip
    sinew.mj_step(model, data)
middle, squeezed = ball()
print(f"lifted by {100 * (middle[2] - start[2]):.1f} cm; between the fingers it is {1000 * squeezed:.0f} mm wide, "
      f"{1000 * width:.0f} mm at first; {data.ncon} contacts")
assert middle[2] - start[2] > 0.04 and squeezed < width
