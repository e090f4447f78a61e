"""System identification: mass, friction and gain of a robot arm from a recording of how it moved.

sinew.sysid simulates the recording with other parameters until positions are as like as noise allows, and says how sure it is
of each. All the trajectories that a Jacobian by differences needs run side by side in one batch.

    python identify.py
"""

import numpy as np
import sinew
from sinew import sysid
from sinew.parameters import Parameters

XML = """
<mujoco>
  <option timestep="0.005" integrator="implicitfast"/>
  <worldbody>
    <body><joint name="shoulder" axis="0 1 0" damping="0.5"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="1"/>
      <body name="forearm" pos=".4 0 0"><joint name="elbow" axis="0 1 0" damping="0.3"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".025" mass=".6"/></body></body>
  </worldbody>
  <actuator><motor joint="shoulder" gear="8"/><motor joint="elbow" gear="4"/></actuator>
</mujoco>
"""
PARAMETERS = [sysid.Parameter("mass[forearm]", 0.1, 3), sysid.Parameter("dof_damping[elbow]", 0.01, 2),
              sysid.Parameter("actuator_gear[0,0]", 1, 20)]
TRUTH = np.array([0.85, 0.12, 6.5])
model = sinew.MjModel.from_xml_string(XML)

# the real arm: other parameters than we believe, and a millirad of noise on what is measured
real = sinew.MjModel.from_xml_string(XML)
Parameters(real, [parameter.name for parameter in PARAMETERS]).write(real, TRUTH)
data, random = sinew.MjData(real), np.random.default_rng(0)
times = np.arange(300) * real.opt.timestep
controls, positions = np.stack([np.sin(4 * times), np.cos(7 * times)], axis=1), []
for data.ctrl[:] in controls:
    sinew.mj_step(real, data)
    positions.append(data.qpos + random.normal(0, 1e-3, 2))

result = sysid.fit(model, sysid.Recording(controls, {"qpos": np.array(positions)}), PARAMETERS)
print(result)
print("recorded with", TRUTH)
assert np.allclose(result.values, TRUTH, rtol=0.01)
