"""A muscle arm reaches for a point: feedback through tendons and muscles, and what the muscles do.

The wanted torques of the joints are shared among the six muscles that can pull, none of which can push, by bounded least squares
over their moment arms.

    python muscle_arm.py
"""

import pathlib

import numpy as np
import sinew
from scipy.optimize import lsq_linear

model = sinew.MjModel.from_xml_path(str(pathlib.Path(__file__).parents[2] / "models" / "arm.xml"))
data = sinew.MjData(model)
hand = model.site("hand").id
target = np.array([0.25, 0.38])  # metres, in the plane of the arm
jacobian, moment = np.zeros((3, model.nv)), np.zeros((model.nu, model.nv))

while data.time < 2:
    if round(data.time / model.opt.timestep) % 5 == 0:
        sinew.mj_forward(model, data)
        sinew.mj_jacSite(model, data, jacobian, None, hand)
        missing = target - data.site_xpos[hand, :2]
        torque = jacobian[:2].T @ (120 * missing) - 1.5 * data.qvel + data.qfrc_bias
        sinew.mju_sparse2dense(moment, data.actuator_moment.reshape(-1), data.moment_rownnz, data.moment_rowadr,
                               data.moment_colind.reshape(-1))
        # the force of a muscle is gain x activation + bias, negative when it pulls
        gain, bias = np.array([(
            sinew.mju_muscleGain(data.actuator_length[k], data.actuator_velocity[k], model.actuator_lengthrange[k],
                                 model.actuator_acc0[k], model.actuator_gainprm[k, :9]),
            sinew.mju_muscleBias(data.actuator_length[k], model.actuator_lengthrange[k], model.actuator_acc0[k],
                                 model.actuator_biasprm[k, :9])) for k in range(model.nu)]).T
        pulls, rest = moment.T * gain, moment.T @ bias
        data.ctrl[:] = lsq_linear(np.vstack([pulls, 0.1 * np.eye(model.nu)]),
                                  np.concatenate([torque - rest, np.zeros(model.nu)]), (0, 1)).x
    sinew.mj_step(model, data)
distance = np.linalg.norm(target - data.site_xpos[hand, :2])
print(f"the hand is {100 * distance:.1f} cm from the target")
for k in range(model.nu):
    print(f"  {model.actuator(k).name:<20} activation {data.act[k]:.2f}, force {data.actuator_force[k]:7.1f} N")
assert distance < 0.03
