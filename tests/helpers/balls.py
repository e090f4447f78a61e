"""A scene for tests of batches: balls with pendulums fall on a plane, each pendulum with a motor."""

import sinew

SCENE = """
<mujoco>
  <size memory="MEMORY"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    BODIES
  </worldbody>
  <actuator>ACTUATORS</actuator>
  <keyframe><key time="2"/></keyframe>
</mujoco>
"""


def balls(count=3, memory="1M", spread=0.25):
    bodies = "".join(
        f'<body pos="{spread * i} 0 {0.3 + 0.1 * i}"><freejoint/><geom name="g{i}" size="0.15"/>'
        f'<body pos="0 0 .2"><joint name="h{i}" axis="0 1 0"/><geom type="capsule" size=".05 .1"/></body></body>'
        for i in range(count)
    )
    motors = "".join(f'<motor joint="h{i}"/>' for i in range(count))
    xml = SCENE.replace("BODIES", bodies).replace("ACTUATORS", motors).replace("MEMORY", memory)
    return sinew.MjModel.from_xml_string(xml)


WATCHED = """
<mujoco>
  <option><flag energy="ENERGY" sleep="SLEEP"/></option>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <camera pos="3 0 1" mode="targetbody" target="ball"/><light pos="0 3 2" mode="targetbodycom" target="ball"/>
    <body name="ball" pos="0 0 .12"><freejoint/><geom size="0.15"/><site name="s" pos=".1 0 0" size=".02"/>
      <camera pos="0 0 1" mode="trackcom"/><light pos="0 0 1"/>
      <body name="arm" pos="0 0 .2"><joint name="h" axis="0 1 0"/><geom type="capsule" size=".05 .1"/><camera name="eye" mode="track"/></body>
    </body>
    <body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <actuator><motor name="m" joint="h"/></actuator>
  <sensor>
    <framepos objtype="camera" objname="eye"/><rangefinder site="s"/><touch site="s"/><velocimeter site="s"/><gyro site="s"/>
    <subtreelinvel body="ball"/><subtreeangmom body="ball"/><e_kinetic/><e_potential/><accelerometer site="s"/><force site="s"/>
    <torque site="s"/><actuatorfrc actuator="m"/><jointpos joint="h" HISTORY/><clock/><contact geom1="floor" num="2"/>
  </sensor>
</mujoco>
"""


def watched(energy="disable", sleep="disable", history=""):
    """A scene with sensors of every stage, and cameras and lights that move."""
    xml = WATCHED.replace("ENERGY", energy).replace("SLEEP", sleep).replace("HISTORY", history)
    return sinew.MjModel.from_xml_string(xml)
