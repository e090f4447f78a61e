"""A robot from URDF, edited before it is compiled: servos, a sensor, a floor and a camera, then a motion.

    python urdf_arm.py
"""

import pathlib
import tempfile

import numpy as np
import sinew

URDF = """
<robot name="arm">
  <link name="base"><visual><geometry><box size=".1 .1 .1"/></geometry></visual>
    <collision><geometry><box size=".1 .1 .1"/></geometry></collision></link>
  <link name="upper"><inertial><origin xyz="0 0 .15"/><mass value="1.2"/>
      <inertia ixx=".01" iyy=".01" izz=".001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 .15"/><geometry><cylinder radius=".03" length=".3"/></geometry></collision></link>
  <link name="lower"><inertial><origin xyz="0 0 .12"/><mass value=".8"/>
      <inertia ixx=".005" iyy=".005" izz=".0005" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 .12"/><geometry><cylinder radius=".025" length=".24"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 .05"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="40" velocity="3"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0 .3"/><axis xyz="0 1 0"/>
    <limit lower="-2.5" upper="2.5" effort="20" velocity="3"/></joint>
  <transmission name="t1"><type>transmission_interface/SimpleTransmission</type>
    <joint name="shoulder"><hardwareInterface>hardware_interface/PositionJointInterface</hardwareInterface></joint>
    <actuator name="m1"><mechanicalReduction>1</mechanicalReduction></actuator></transmission>
  <transmission name="t2"><type>transmission_interface/SimpleTransmission</type>
    <joint name="elbow"><hardwareInterface>hardware_interface/PositionJointInterface</hardwareInterface></joint>
    <actuator name="m2"><mechanicalReduction>1</mechanicalReduction></actuator></transmission>
</robot>
"""

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "arm.urdf"
    path.write_text(URDF)
    robot = sinew.urdf.load(path, kp=150, kv=15)
print(*robot.report, sep="\n")

spec = robot.spec
spec.worldbody.add_geom(name="floor", type=sinew.mjtGeom.mjGEOM_PLANE, size=[1, 1, 0.1], pos=[0, 0, -0.05])
spec.worldbody.add_light(pos=[0, 0, 2])
spec.worldbody.add_camera(name="side", pos=[0, -1.6, 0.4], xyaxes=[1, 0, 0, 0, 0.2, 1])
hand = spec.body("lower").add_site(name="hand", pos=[0, 0, 0.24])
spec.add_sensor(name="hand", type=sinew.mjtSensor.mjSENS_FRAMEPOS, objtype=sinew.mjtObj.mjOBJ_SITE, objname=hand.name)
spec.add_exclude(bodyname1="world", bodyname2="upper")  # the base is part of the world, and the upper arm begins inside it
spec.option.integrator = sinew.mjtIntegrator.mjINT_IMPLICITFAST

model = robot.compile()
data = sinew.MjData(model)
wanted = np.array([0.6, -1.0])
while data.time < 2:
    data.ctrl[:] = wanted * min(1, data.time)
    sinew.mj_step(model, data)
print(f"{model.nu} servos, joints at {data.qpos.round(3)}, hand at {data.sensor('hand').data.round(3)}")
assert np.abs(data.qpos - wanted).max() < 0.1
