"""Random programs that edit specs, the same ones for MuJoCo and Sinew, all by a seed.

`program(seed)` gives a list of edits, `answers(module, program)` what becomes of them: after each edit the names of all
elements or the first line of the error, and in the end the compiled models and their texts. A program ends at its first error,
because what MuJoCo's specs hold afterwards is not defined.
"""

import random

ARM = """<mujoco model="arm"><compiler angle="radian"/><default><geom rgba="1 0 0 1"/><joint damping=".1"/>
  <default class="one"><geom size=".3" friction=".4"/><joint armature="2"/><site type="box"/></default>
  <default class="two"><geom type="box" size=".1 .1 .1"/></default></default>
  <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><texture name="t" type="2d" builtin="flat" width="4" height="4"/>
  <material name="mat" texture="t"/></asset><worldbody><light name="l"/><geom name="floor" type="plane" size="1 1 .1"/>
  <body name="trunk" pos="0 0 1" euler="0 .3 0"><freejoint name="root"/><geom name="g" size=".1"/><site name="s"/>
  <frame name="f"><body name="upper" childclass="one"><joint name="h" axis="0 1 0" range="-.3 .4"/><geom name="g2"/><site name="s2"/>
  <frame name="f2"><geom name="g3" type="mesh" mesh="m" material="mat"/><body name="lower"><joint name="sl" type="slide"/>
  <geom name="g4" class="two"/><camera name="c"/></body></frame></body></frame></body><body name="target" mocap="true"/></worldbody>
  <contact><pair name="p" geom1="g" geom2="g4"/><exclude name="x" body1="trunk" body2="lower"/></contact>
  <tendon><fixed name="fix"><joint joint="h" coef="1"/><joint joint="sl" coef="2"/></fixed>
  <spatial name="rope"><site site="s"/><site site="s2"/></spatial></tendon>
  <equality><joint name="e" joint1="h" joint2="sl"/><weld name="w" body1="lower" body2="target"/></equality>
  <actuator><position name="a" joint="h" kp="10"/><motor name="a2" tendon="rope"/><general name="a3" joint="sl" dyntype="filter"/></actuator>
  <sensor><jointpos name="jp" joint="h"/><framepos name="fp" objtype="body" objname="lower" reftype="site" refname="s"/></sensor>
  <custom><numeric name="n" data="1 2"/><tuple name="tu"><element objtype="body" objname="upper" prm="1"/></tuple></custom></mujoco>"""
TOOL = """<mujoco model="tool"><default class="main"><geom density="500"/><default class="one"><geom size=".05"/></default></default>
  <worldbody><frame name="f"><body name="r" euler="0 0 30"><joint name="j" type="ball"/><geom name="g" size=".2" class="one"/>
  <site name="s" pos="1 0 0"/></body></frame><body name="q" pos="3 0 0"><joint name="k"/><joint name="k2" type="slide"/>
  <geom name="h" size=".1"/><geom name="h2" size=".3"/></body></worldbody><actuator><motor name="m" joint="k"/></actuator>
  <sensor><ballquat name="b" joint="j"/></sensor></mujoco>"""
LISTS = ("bodies", "geoms", "joints", "sites", "cameras", "lights", "frames", "actuators", "sensors", "tendons", "equalities", "pairs",
         "excludes", "numerics", "tuples", "meshes", "materials")
EDITS = ("add", "add", "add", "change", "change", "delete", "delete", "attach", "attach", "compile", "write", "rename", "regroup", "drive",
         "sense", "string", "setting")


def program(seed, length=14):
    rng = random.Random(seed)
    return [(rng.choice(EDITS), number, [rng.random() for _ in range(4)]) for number in range(length)]


def _pick(items, number):
    return items[int(number * len(items))] if len(items) else None


def _vector(number, count=3):
    rng = random.Random(number)
    return [round(rng.uniform(-1, 1), 3) for _ in range(count)]


class Editor:
    """One edit each; `draw` are four numbers from 0 to 1 that say which element, which attribute and which value."""

    def __init__(self, module):
        self.module = module
        self.specs = [module.MjSpec.from_string(text) for text in (ARM, TOOL, TOOL)]
        self.found = []

    def spec(self, number):
        return _pick(self.specs, number)

    def add(self, number, draw):
        body, kind, value = _pick(self.spec(draw[0]).bodies, draw[1]), _pick(("body", "geom", "site", "camera", "light"), draw[2]), draw[3]
        element = getattr(body, "add_" + kind)(name=f"new{number}", pos=_vector(value))
        if kind == "body":
            element.add_geom(size=[0.1, 0, 0])
        if kind in ("geom", "site"):
            element.size = [0.1, 0.2, 0.1]

    def change(self, number, draw):
        spec = self.spec(draw[0])
        element, value = _pick(spec.geoms + spec.bodies[1:] + spec.sites, draw[1]), _vector(draw[3], 4)
        attribute = _pick(("pos", "quat", "euler", "axisangle"), draw[2])
        if attribute in ("pos", "quat"):
            setattr(element, attribute, value[: 3 + (attribute == "quat")])
        else:
            setattr(element.alt, attribute, value[: 3 + (attribute == "axisangle")])

    def delete(self, number, draw):
        spec = self.spec(draw[0])
        # MuJoCo's frames stay when they are deleted
        spec.delete(_pick([e for name in LISTS if name != "frames" for e in getattr(spec, name)][1:], draw[1]))

    def attach(self, number, draw):
        if len(self.specs) < 2:
            return
        child, parent = self.specs.pop(), self.specs[0]  # an attached spec is not edited by itself
        if draw[0] < 0.3:
            parent.attach(child, prefix=f"p{number}_", frame=_pick(parent.frames, draw[1]) or parent.worldbody.add_frame())
        elif draw[0] < 0.5 and parent.sites:
            parent.attach(child, suffix=f"_s{number}", site=_pick(parent.sites, draw[1]))
        elif draw[0] < 0.8 and parent.frames and len(child.bodies) > 1:
            _pick(parent.frames, draw[1]).attach_body(_pick(child.bodies[1:], draw[2]), f"b{number}_", "")
        elif child.frames:
            _pick(parent.bodies, draw[1]).attach_frame(_pick(child.frames, draw[2]), f"f{number}_", "")

    def compile(self, number, draw):
        self.found.append(self.specs[0].compile())  # a child that was compiled loses the poses of its frames in MuJoCo

    def write(self, number, draw):
        self.found.append(self.specs[0].to_xml())

    def rename(self, number, draw):
        spec = self.spec(draw[0])
        _pick(spec.actuators + spec.sensors + spec.lights + spec.tendons[:1], draw[1]).name = f"other{number}"

    def regroup(self, number, draw):
        spec = self.spec(draw[0])
        group = spec.find_default(_pick(("one", "two", "main"), draw[2]))
        if group is not None:
            _pick(spec.geoms + spec.joints, draw[1]).classname = group

    def drive(self, number, draw):
        spec, module = self.spec(draw[0]), self.module
        joint = _pick(spec.joints, draw[1])
        spec.add_actuator(name=f"drive{number}", target=joint.name if joint else "", trntype=module.mjtTrn.mjTRN_JOINT)

    def sense(self, number, draw):
        spec, module = self.spec(draw[0]), self.module
        spec.add_sensor(name=f"sense{number}", type=module.mjtSensor.mjSENS_FRAMEPOS, objtype=module.mjtObj.mjOBJ_BODY,
                        objname=_pick(spec.bodies, draw[1]).name)

    def string(self, number, draw):
        spec = self.spec(draw[0])
        tendon = spec.add_tendon(name=f"string{number}")
        for part in draw[1:3]:
            site = _pick(spec.sites, part)
            tendon.wrap_site(site.name if site else "")

    def setting(self, number, draw):
        settings = ("degree", "balanceinertia", "autolimits", "saveinertial")
        setattr(self.spec(draw[0]).compiler, _pick(settings, draw[1]), draw[2] < 0.5)


def answers(module, edits):
    """A list of names, errors, models and texts."""
    editor, found = Editor(module), []
    for kind, number, draw in edits + [("compile", 0, [0.0] * 4), ("write", 0, [0.0] * 4)]:
        try:
            getattr(editor, kind)(number, draw)
        except Exception as error:  # noqa: BLE001: which one is compared
            return [*found, *editor.found, (type(error).__name__, str(error).split("\n")[0])]
        found.append([[e.name for name in LISTS for e in getattr(spec, name)] for spec in editor.specs])
    return found + editor.found
