"""A heap of robots: trees that touch one another in one large island, whose Hessian fills in."""

import sinew

SCENE = """
<mujoco>
  <option cone="CONE"/>
  <default><geom type="capsule" size=".05 .12"/></default>
  <worldbody>
    <geom type="plane" size="3 3 1"/>
    BODIES
  </worldbody>
</mujoco>
"""

LIMB = """
<body pos="SIDE 0 0" euler="0 SIDEWAYS 0"><joint axis="0 1 0"/><joint axis="1 0 0"/><geom pos="0 0 .12"/>
  <body pos="0 0 .26"><joint axis="0 1 0"/><geom pos="0 0 .1"/></body></body>
"""


def heap(count=16, cone="pyramidal"):
    """Robots of a trunk and three limbs (15 dofs), close enough to lie on one another from the start."""
    limbs = "".join(LIMB.replace("SIDEWAYS", str(120 * k)).replace("SIDE", str(0.05 * (k - 1))) for k in range(3))
    bodies = "".join(f'<body pos="{0.28 * (i % 3):.2f} {0.28 * (i // 3 % 3):.2f} {0.2 + 0.22 * (i // 9):.2f}" euler="{37 * i} {53 * i} 0">'
                     f'<freejoint/><geom/>{limbs}</body>' for i in range(count))
    return sinew.MjModel.from_xml_string(SCENE.replace("BODIES", bodies).replace("CONE", cone))
