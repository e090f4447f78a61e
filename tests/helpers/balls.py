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
