"""Writes constraint/*.xml: one small model per kind of constraint row, alone and mixed.

Keyframes put the constraint in an active state, at its boundary and away from it. The files are
committed; run this again after a change here.
"""

import pathlib

FOLDER = pathlib.Path(__file__).parent / "constraint"
MODELS = {}


def model(name, body, rest="", option="", flag="", keys=()):
    frames = "".join(f'    <key qpos="{q}"/>\n' for q in keys)
    frames = f"  <keyframe>\n{frames}  </keyframe>\n" if frames else ""
    MODELS[name] = (
        f'<mujoco model="{name}">\n  <option {option}>\n    <flag {flag}/>\n  </option>\n'
        f"  <worldbody>\n{indent(body, 4)}  </worldbody>\n{indent(rest, 2)}{frames}</mujoco>\n"
    ).replace(" >", ">").replace("    <flag />\n", "")


def indent(text, n):
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    return "".join(" " * n + line + "\n" for line in lines)


def free(name, pos, geom='type="box" size=".1 .08 .06"', extra=""):
    return f'<body name="{name}" pos="{pos}"><freejoint/><geom {geom} {extra}/></body>\n'


def chain(names, joint="hinge", axis="0 1 0", attributes="", pos="0 0 1"):
    """A chain of bodies, one joint each, that cannot touch each other."""
    text = ""
    for i, name in enumerate(names):
        where = pos if i == 0 else ".3 0 0"
        text += f'<body name="b_{name}" pos="{where}">'
        text += f'<joint name="{name}" type="{joint}" axis="{axis}" {attributes}/>'
        text += '<geom type="capsule" size=".03" fromto="0 0 0 .25 0 0" contype="0" conaffinity="0"/>'
        text += f'<site name="s_{name}" pos=".25 0 .02"/>'
    return text + "</body>" * len(names) + "\n"


PLANE = '<geom name="floor" type="plane" size="5 5 .1" condim="1"/>\n'
NOFLOOR = 'contype="0" conaffinity="0"'
TWO = free("a", "0 0 1", extra=NOFLOOR) + free("b", ".4 .1 1.1", extra=NOFLOOR)
TWO_KEYS = [
    "0 0 1 1 0 0 0  .4 .1 1.1 1 0 0 0",
    ".05 -.02 1.03 .95 .2 -.1 .15  .45 .12 1 .9 -.2 .1 .3",
    "0 .3 1 -.5 .5 .5 -.5  -.4 .1 1.3 0 1 0 0",
]


def equality(text):
    return f"<equality>\n{text}\n</equality>"


# ---- equalities ---------------------------------------------------------------------------------

model("connect_world", free("a", "0 0 1"), equality('<connect body1="a" anchor=".1 0 .05"/>'),
      keys=["0 0 1 1 0 0 0", ".02 .01 .97 .9 .1 .2 .1"])
model("connect_bodies", TWO, equality('<connect body1="a" body2="b" anchor=".2 0 0"/>'),
      keys=TWO_KEYS)
model("connect_sites",
      '<body name="a" pos="0 0 1"><freejoint/><geom size=".1"/><site name="p" pos=".1 0 .1"/></body>'
      '<body name="b" pos=".5 0 1"><freejoint/><geom size=".1"/><site name="q" pos="-.1 0 0"/></body>',
      equality('<connect site1="p" site2="q"/>'), keys=TWO_KEYS)
model("connect_fourbar",
      chain("uvw") + '<body name="end" pos=".6 0 .6"><joint name="z" axis="0 1 0"/>'
      '<geom type="capsule" size=".03" fromto="0 0 0 0 0 .3" contype="0" conaffinity="0"/></body>',
      equality('<connect body1="b_w" body2="end" anchor=".25 0 0"/>'),
      keys=["0 0 0 0", ".3 .5 -.4 .2"])
model("weld_world", free("a", "0 0 1"), equality('<weld body1="a"/>'),
      keys=["0 0 1 1 0 0 0", ".02 .01 .97 .9 .1 .2 .1", "0 0 1 0 1 0 0"])
model("weld_bodies", TWO, equality('<weld body1="a" body2="b"/>'), keys=TWO_KEYS)
model("weld_relpose", TWO, equality('<weld body1="a" body2="b" relpose=".3 .1 0 .9 .1 .2 0"/>'),
      keys=TWO_KEYS)
model("weld_anchor", TWO, equality('<weld body1="a" body2="b" anchor=".1 .2 .3" torquescale=".3"/>'),
      keys=TWO_KEYS)
model("weld_no_torque", TWO, equality('<weld body1="a" body2="b" torquescale="0"/>'), keys=TWO_KEYS)
model("weld_sites",
      '<body name="a" pos="0 0 1"><freejoint/><geom size=".1"/>'
      '<site name="p" pos=".1 0 .1" euler="10 20 30"/></body>'
      '<body name="b" pos=".5 0 1"><freejoint/><geom size=".1"/>'
      '<site name="q" pos="-.1 0 0" euler="0 0 60"/></body>',
      equality('<weld site1="p" site2="q" torquescale="2"/>'), keys=TWO_KEYS)
model("weld_mocap",
      '<body name="hand" mocap="true" pos="0 0 1.2"><geom size=".02" contype="0" conaffinity="0"/>'
      "</body>" + free("a", "0 0 1"),
      equality('<weld body1="hand" body2="a" solref=".1 1"/>'), keys=[".1 .2 1.1 .9 .2 .1 0"])
model("weld_chain", chain("uvw", "ball"), equality('<weld body1="b_u" body2="b_w"/>'),
      keys=["1 .1 .2 .3  .9 0 .2 .1  .7 .7 0 0"])
model("weld_simple_dofs",
      '<body name="a" pos="0 0 1"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>'
      '<geom size=".1"/></body>'
      '<body name="b" pos=".5 0 1"><joint type="slide" axis="0 0 1"/><geom size=".1"/></body>',
      equality('<weld body1="a" body2="b"/>'), keys=[".1 .2 -.1"])
model("joint_fixed", chain("uv"), equality('<joint joint1="v" polycoef=".2 0 0 0 0"/>'),
      keys=["0 0", ".3 .4", ".1 .2"])
model("joint_coupled", chain("uvw"), equality('<joint joint1="w" joint2="u" polycoef="0 -2 0 0 0"/>'),
      keys=["0 0 0", ".3 .4 .5"])
model("joint_poly", chain("uv"), equality('<joint joint1="u" joint2="v" polycoef=".1 .5 -.3 .2 .7"/>'),
      keys=["0 0", ".3 .4", "-.3 -1.4"])
model("joint_trees",
      '<body pos="0 0 1"><joint name="u" type="slide" axis="1 0 0" ref=".1"/><geom size=".1"/></body>'
      '<body pos="0 1 1"><joint name="v" type="hinge" axis="1 0 0"/>'
      '<geom size=".1" pos="0 0 .2"/></body>',
      equality('<joint joint1="v" joint2="u" polycoef="0 3 0 0 0"/>'), keys=[".1 0", ".4 .2"])
model("joint_flat", chain("uv"), equality('<joint joint1="u" joint2="v" polycoef=".1 0 1 0 0"/>'),
      keys=["0 0", ".2 .3"])
FIXED = (
    '<tendon><fixed name="t"><joint joint="u" coef="1"/><joint joint="v" coef="-.5"/></fixed>'
    '<fixed name="s"><joint joint="w" coef="2"/><joint joint="u" coef=".3"/></fixed></tendon>'
)
model("tendon_fixed", chain("uvw"), FIXED + equality('<tendon tendon1="t" polycoef=".1 0 0 0 0"/>'),
      keys=["0 0 0", ".5 .2 .1"])
model("tendon_coupled", chain("uvw"), FIXED + equality('<tendon tendon1="t" tendon2="s"/>'),
      keys=["0 0 0", ".5 .2 .1"])
model("tendon_poly", chain("uvw"),
      FIXED + equality('<tendon tendon1="t" tendon2="s" polycoef=".1 .5 -.3 .2 .7"/>'),
      keys=["0 0 0", ".5 .2 .1", "-1 .4 .3"])
SPATIAL = (
    '<tendon><spatial name="t"><site site="s_u"/><site site="s_w"/></spatial>'
    '<spatial name="s"><site site="s_v"/><site site="o"/></spatial></tendon>'
)
ORIGIN = '<site name="o" pos="0 .3 .5"/>'
model("tendon_spatial", chain("uvw", "ball") + ORIGIN,
      SPATIAL + equality('<tendon tendon1="t" tendon2="s" polycoef="0 1.5 0 0 0"/>'),
      keys=["1 .1 .2 .3  .9 0 .2 .1  .7 .7 0 0"])
model("equality_inactive", TWO,
      equality('<connect body1="a" body2="b" anchor=".2 0 0" active="false"/>'
               '<weld body1="a"/><connect body1="b" anchor="0 0 0" active="false"/>'), keys=TWO_KEYS)
model("equality_soft", TWO,
      equality('<connect body1="a" body2="b" anchor=".2 0 0" solref="-300 -7" solimp=".3 .8 .2 .3 3"/>'
               '<weld body1="a" solref=".3 .4" solimp="0 .99 .1 .9 1"/>'), keys=TWO_KEYS)

# ---- dry friction -------------------------------------------------------------------------------

for kind, qpos in (("hinge", ".3 .2"), ("slide", ".1 .2"), ("ball", "1 .1 .2 .3 .5 .5 .5 .5")):
    model(f"friction_{kind}", chain("uv", kind, attributes='frictionloss=".3"'), keys=[qpos])
model("friction_free", free("a", "0 0 1").replace("<freejoint/>", '<joint type="free" frictionloss="2"/>'),
      keys=["0 0 1 1 0 0 0"])
model("friction_some", chain("u", attributes='frictionloss="5"') + chain("v", pos="0 1 1"),
      keys=[".3 .2"])
model("friction_soft", chain("uv", attributes='frictionloss=".2" solreffriction="-10 -3" '
                             'solimpfriction=".5 .9 .01 .5 2"'), keys=[".3 .2"])
model("friction_tendon", chain("uvw"), FIXED.replace('name="t"', 'name="t" frictionloss=".4"'),
      keys=[".3 .2 .1"])
model("friction_tendon_spatial", chain("uvw", "ball") + ORIGIN,
      SPATIAL.replace('name="s"', 'name="s" frictionloss=".4" solreffriction=".1 2"'),
      keys=["1 .1 .2 .3  .9 0 .2 .1  .7 .7 0 0"])

# ---- limits -------------------------------------------------------------------------------------

HINGE = 'range="-30 30" limited="true"'
model("limit_hinge", chain("uv", attributes=HINGE),
      keys=["0 0", ".6 -.7", ".5235987755982988 -.5235987755982988", ".6 .2"])
model("limit_slide", chain("uv", "slide", attributes='range="-.1 .2"'),
      keys=["0 0", ".3 -.2", ".2 -.1"])
model("limit_margin", chain("uv", attributes=HINGE + ' margin=".1"'),
      keys=["0 0", ".45 -.5", ".6 -.43"])
model("limit_both", chain("u", attributes='range="-1 1" limited="true" margin=".05"'),
      keys=["0", ".01", "-.2"])
model("limit_soft", chain("uv", attributes=HINGE + ' solreflimit="-50 -2" solimplimit=".2 .7 .3 .6 4"'),
      keys=[".6 -.7", ".9 1.2"])
model("limit_linear", chain("uv", attributes=HINGE + ' solimplimit=".2 .7 .3 .6 1"'),
      keys=[".6 -.7", ".9 1.2"])
model("limit_flat", chain("uv", attributes=HINGE + ' solimplimit=".2 .7 0 .6 2" solreflimit=".001 1"'),
      keys=[".6 -.7", ".9 1.2"])
model("limit_ball", chain("uv", "ball", attributes='range="0 40" limited="true"'),
      keys=["1 0 0 0 1 0 0 0", ".7 .7 0 0 .5 -.5 .5 .5", "-.7 0 .7 0 -.2 .1 0 .9"])
model("limit_ball_margin", chain("u", "ball", attributes='range="0 40" limited="true" margin=".8"'),
      keys=["1 0 0 0", "1 .1 0 0", ".9 0 0 .5"])
model("limit_mixed_joints",
      '<body pos="0 0 1"><joint type="slide" axis="0 0 1" range="-.1 .1"/>'
      '<joint type="hinge" axis="1 0 0" range="-10 10"/><geom size=".1"/>'
      '<body pos=".3 0 0"><joint type="ball" range="0 20"/><geom size=".1"/></body></body>',
      keys=[".2 .3 .9 .3 0 0", "-.15 -.3 1 0 0 0"])
model("limit_tendon", chain("uvw"), FIXED.replace('name="t"', 'name="t" range="-.1 .2"'),
      keys=[".5 .1 0", "-.5 .2 0", ".2 0 0"])
model("limit_tendon_margin", chain("uvw"),
      FIXED.replace('name="t"', 'name="t" range="-.1 .2" margin=".4" solreflimit=".1 1"'),
      keys=[".5 .1 0", "-.5 .2 0", "0 0 0"])
model("limit_tendon_spatial", chain("uvw", "ball") + ORIGIN,
      SPATIAL.replace('name="t"', 'name="t" range=".1 .4"').replace('name="s"', 'name="s" range="0 .3"'),
      keys=["1 .1 .2 .3  .9 0 .2 .1  .7 .7 0 0", "1 0 0 0 1 0 0 0 1 0 0 0"])
model("limit_tendon_trees",
      free("a", "0 0 1").replace("</body>", '<site name="p"/></body>')
      + free("b", "1 0 1").replace("</body>", '<site name="q"/></body>'),
      '<tendon><spatial name="t" range="0 .8" frictionloss=".1"><site site="p"/><site site="q"/>'
      "</spatial></tendon>", keys=["0 0 1 1 0 0 0  1 0 1 1 0 0 0"])

# ---- contacts -----------------------------------------------------------------------------------

BALL = 'type="sphere" size=".1"'
for dim in (1, 3, 4, 6):
    model(f"contact_condim{dim}", PLANE + free("a", "0 0 .099", BALL, f'condim="{dim}"'),
          keys=["0 0 .099 1 0 0 0", "0 0 .0995 1 0 0 0", "0 0 .1 1 0 0 0", "0 0 .2 1 0 0 0"])
    model(f"contact_box_condim{dim}", PLANE + free("a", "0 0 .059", extra=f'condim="{dim}"'),
          keys=["0 0 .059 1 0 0 0", "0 0 .1 .9 .1 .2 0"])
model("contact_two", PLANE + free("a", "0 0 .1", BALL) + free("b", ".05 .02 .29", BALL),
      keys=["0 0 .099 1 0 0 0 .05 .02 .29 1 0 0 0"])
model("contact_friction",
      PLANE + free("a", "0 0 .059", extra='condim="6" friction=".3 .02 .01"'), option='impratio="7"',
      keys=["0 0 .059 1 0 0 0", "0 0 .1 .9 .1 .2 0"])
model("contact_margin", PLANE + free("a", "0 0 .12", BALL, 'margin=".05"'),
      keys=["0 0 .12 1 0 0 0", "0 0 .15 1 0 0 0", "0 0 .09 1 0 0 0"])
model("contact_gap", PLANE + free("a", "0 0 .12", BALL, 'margin=".05" gap=".03"'),
      keys=["0 0 .12 1 0 0 0", "0 0 .14 1 0 0 0", "0 0 .09 1 0 0 0"])
model("contact_gap_wide", PLANE + free("a", "0 0 .12", BALL, 'margin=".02" gap=".03"'),
      keys=["0 0 .11 1 0 0 0", "0 0 .095 1 0 0 0", "0 0 .08 1 0 0 0"])
model("contact_solref", PLANE + free("a", "0 0 .09", BALL, 'solref="-800 -30" solimp=".4 .8 .05 .3 3"'),
      keys=["0 0 .09 1 0 0 0", "0 0 .07 1 0 0 0"])
model("contact_mixed_solref", PLANE + free("a", "0 0 .09", BALL, 'solref=".05 .5" solmix="3"')
      + free("b", ".15 0 .1", BALL, 'solref=".01 2" solmix="1" friction="2 .1 .01"'),
      keys=["0 0 .09 1 0 0 0 .15 0 .09 1 0 0 0"])
model("contact_pair",
      PLANE + free("a", "0 0 .09", 'name="g" type="box" size=".1 .1 .1"', 'contype="0" conaffinity="0"'),
      '<contact><pair geom1="g" geom2="floor" condim="4" friction=".5 .8 .02 .01 .03" '
      'solref=".03 1" solreffriction=".01 2" solimp=".8 .9 .01"/></contact>',
      keys=["0 0 .09 1 0 0 0", "0 0 .1 .9 .1 .2 0"])
model("contact_override", PLANE + free("a", "0 0 .1", BALL, 'gap=".01" condim="4"'),
      option='o_margin=".02" o_solref=".05 1.2" o_solimp=".7 .9 .01 .5 2" '
      'o_friction=".4 .6 .01 .001 .001"', flag='override="enable"',
      keys=["0 0 .095 1 0 0 0", "0 0 .105 1 0 0 0"])
model("contact_refsafe", PLANE + free("a", "0 0 .095", BALL, 'solref=".001 1"'),
      option='timestep=".01"', flag='refsafe="disable"', keys=["0 0 .095 1 0 0 0"])
model("contact_arm",
      PLANE + '<body pos="0 0 .3"><joint axis="0 1 0"/><geom type="capsule" size=".05" '
      'fromto="0 0 0 .3 0 -.1"/><body pos=".3 0 -.1"><joint axis="0 1 0"/><geom type="capsule" '
      'size=".05" fromto="0 0 0 .3 0 -.15"/></body></body>' + free("a", ".7 0 .1", BALL),
      keys=["0 0 .7 0 .099 1 0 0 0", ".2 .1 .72 .01 .098 1 0 0 0"])
model("contact_self",
      '<body pos="0 0 1"><freejoint/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/>'
      '<body pos=".35 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/>'
      '<body pos=".35 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/>'
      "</body></body></body>",
      keys=["0 0 1 1 0 0 0 2 2.5", "0 0 1 .8 .1 .2 0 2 2.55"])
model("contact_slides",
      PLANE + '<body pos="0 0 .099"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>'
      '<geom size=".1" condim="6"/></body><body pos=".19 0 .1"><joint type="slide" axis="1 0 0"/>'
      '<geom size=".1"/></body>', keys=["0 0 0", ".01 -.002 -.01"])
model("contact_static_body",
      '<body pos="0 0 .1"><geom type="box" size="1 1 .1"/></body>' + free("a", "0 0 .299", BALL),
      keys=["0 0 .299 1 0 0 0"])
model("contact_mocap",
      '<body name="hand" mocap="true" pos="0 0 .1"><geom type="box" size=".2 .2 .1"/></body>'
      + free("a", "0 0 .299", BALL), keys=["0 0 .299 1 0 0 0"])
model("contact_hinge_base",
      PLANE + '<body pos="0 0 .15"><joint type="ball"/><geom type="box" size=".2 .05 .05"/>'
      '<geom type="sphere" size=".06" pos=".2 0 -.1"/></body>', keys=["1 0 0 0", ".99 0 .05 0"])
model("contact_disabled_friction", PLANE + free("a", "0 0 .099", BALL, 'friction="0 0 0" condim="6"'),
      keys=["0 0 .099 1 0 0 0"])

# ---- mixed --------------------------------------------------------------------------------------

ALL = (
    PLANE + chain("uvw", attributes='frictionloss=".1" range="-20 20" limited="true"')
    + free("a", "0 .5 .059", extra='condim="4"') + free("b", ".4 .5 .1", BALL)
)
model("mixed_all", ALL,
      FIXED.replace('name="t"', 'name="t" frictionloss=".1" range="-.1 .1"')
      + equality('<connect body1="a" body2="b" anchor=".2 0 0"/><joint joint1="v" joint2="w"/>'
                 '<tendon tendon1="s" polycoef=".2 0 0 0 0"/>'),
      keys=[".4 -.5 .2  0 .5 .059 1 0 0 0  .4 .5 .099 1 0 0 0"])
model("mixed_islands",
      PLANE + "".join(free(f"p{i}", f"{i} 0 .099", BALL) for i in range(4))
      + free("q", "1 .1 .29", BALL) + chain("u", pos="0 3 1", attributes='frictionloss=".1"')
      + chain("v", pos="0 4 1"),
      equality('<connect body1="p2" body2="p3" anchor=".5 0 0"/>'),
      keys=["0 0 .099 1 0 0 0 1 0 .099 1 0 0 0 2 0 .099 1 0 0 0 3 0 .3 1 0 0 0 1 .1 .28 1 0 0 0 .3 .2"])
model("mixed_noslip",
      '<geom type="plane" size="5 5 .1" euler="0 20 0" friction="1 .005 .0001"/>'
      + free("a", "0 0 .06", extra='condim="4"')
      + chain("u", pos="0 3 1", attributes='frictionloss=".1"'),
      option='noslip_iterations="20"',
      keys=["0 0 .062 .984807753 0 .173648178 0  .2"])
model("mixed_stack",
      PLANE + "".join(free(f"p{i}", f"0 0 {0.0999 + 0.1998 * i}", 'type="box" size=".1 .1 .1"')
                      for i in range(5)), keys=[])
model("mixed_grasp",
      PLANE + '<body pos="0 0 .3"><joint name="l" type="slide" axis="1 0 0" range="0 .2" damping="5"/>'
      '<geom type="box" size=".02 .1 .1" pos="-.15 0 0" condim="4"/></body>'
      '<body pos="0 0 .3"><joint name="r" type="slide" axis="-1 0 0" range="0 .2" damping="5"/>'
      '<geom type="box" size=".02 .1 .1" pos=".15 0 0" condim="4"/></body>'
      + free("ball", "0 0 .3", BALL, 'condim="6" mass=".1"'),
      equality('<joint joint1="l" joint2="r"/>')
      + '<actuator><motor joint="l" gear="20" ctrlrange="0 1"/></actuator>',
      option='impratio="10" cone="elliptic"', keys=[".031 .031 0 0 .3 1 0 0 0"])
model("mixed_armature",
      PLANE + '<body pos="0 0 .2"><joint type="free" armature=".01"/><geom type="capsule" size=".05" '
      'fromto="-.2 0 0 .2 0 0"/><body pos=".25 0 0"><joint axis="0 1 0" range="-20 20" armature=".1" '
      'frictionloss=".05"/><geom type="capsule" size=".05" fromto="0 0 0 .2 0 0"/></body></body>',
      keys=["0 0 .049 1 0 0 0 .4"])

# ---- flexes -------------------------------------------------------------------------------------

FLEX = (
    '<flexcomp name="f" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" pos="0 0 {z}" mass=".5" '
    'radius=".01">{inside}<edge {edge}/></flexcomp>'
)
model("flex_edges", FLEX.format(z=1, inside='<pin id="0"/>', edge='equality="true"'))
model("flex_vertices", FLEX.format(z=1, inside="", edge='equality="vert"'))
model("flex_contact", PLANE + FLEX.format(z=".005", inside='<contact condim="1" selfcollide="none"/>',
                                          edge='equality="true"') + free("a", "0 0 .1", BALL))
model("flex_contact_friction", PLANE + FLEX.format(
    z=".005", inside='<contact condim="3" selfcollide="none"/>', edge='damping=".1"')
    + free("a", "0 0 .1", BALL))


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, text in MODELS.items():
        (FOLDER / f"{name}.xml").write_text(text)
    print(len(MODELS), "models")


if __name__ == "__main__":
    main()
