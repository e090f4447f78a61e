"""Random MJCF models: bodies, frames, every kind of element and most attributes, all by a seed."""

import random

from random_values import Values

GEOMS = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")


class Generator(Values):
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.names = {}
        # MuJoCo crashes on cameras and lights of fused bodies
        self.fuse = self.random.random() < 0.2
        # MuJoCo refuses sites with materials then
        self.discard = self.random.random() < 0.2

    # ---- values ----

    def reference(self, kind):
        return self.random.choice(self.names[kind])

    def maybe(self, p, attribute, value):
        return f' {attribute}="{value}"' if self.chance(p) else ""

    def range(self, low=-2.0, high=2.0):
        a, b = sorted(self.random.uniform(low, high) for _ in range(2))
        return f"{a:.4g} {b + 0.1:.4g}"

    def orientation(self, p=0.5):
        if not self.chance(p):
            return ""
        kind = self.random.choice(ORIENTATIONS)
        size = {"quat": 4, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}[kind]
        scale = 60 if kind == "euler" else 1
        return f' {kind}="{self.vector(size, -scale, scale)}"'

    def pose(self, p=0.6):
        return self.maybe(p, "pos", self.vector(3)) + self.orientation(p)

    def solver(self, suffix=""):
        text = self.maybe(0.2, "solref" + suffix, self.vector(self.pick(1, 2), 0.01, 1))
        return text + self.maybe(0.2, "solimp" + suffix, self.vector(self.pick(1, 3, 5), 0.1, 0.9))

    def user(self):
        return self.maybe(0.1, "user", self.vector(self.pick(1, 2, 3)))

    # ---- elements of bodies ----

    def geom(self, static=False):
        kind = self.random.choice(list(GEOMS) + ["mesh"] + (["plane", "hfield"] if static else []))
        text = f'<geom type="{kind}"' + self.name("geom")
        if kind == "mesh":
            text += f' mesh="{self.reference("mesh")}"' + self.pose()
        elif kind in ("capsule", "cylinder", "box", "ellipsoid") and self.chance(0.3):
            text += f' size="{self.number(0.05, 0.3)}" fromto="{self.vector(6)}"'
        elif kind == "hfield":
            text += ' hfield="hf"' + self.pose()
        elif kind == "plane":
            text += f' size="{self.pick("0", "1")} 2 .1"' + self.pose()
        elif self.chance(0.1):
            text += f' mesh="{self.reference("mesh")}"' + self.maybe(0.5, "fitscale", "1.2") + self.pose()
        else:
            text += f' size="{self.vector(GEOMS[kind], 0.05, 0.5)}"' + self.pose()
        if "mesh" not in text:
            text += self.maybe(0.2, "shellinertia", "true")
        text += self.maybe(0.2, "mass", self.number(0.1, 3)) or self.maybe(0.2, "density", "300")
        text += self.maybe(0.2, "contype", self.pick(0, 1, 2, 5))
        text += self.maybe(0.2, "conaffinity", self.pick(0, 1, 3))
        text += self.maybe(0.2, "condim", self.pick(1, 3, 4, 6)) + self.maybe(0.2, "group", self.pick(0, 1, 4, 5))
        text += self.maybe(0.1, "priority", 2) + self.maybe(0.2, "friction", self.vector(self.pick(1, 2, 3), 0, 1))
        text += self.maybe(0.1, "margin", ".02") + self.maybe(0.1, "gap", ".01") + self.maybe(0.1, "solmix", ".3")
        text += self.solver() + self.maybe(0.2, "material", "mat") + self.maybe(0.2, "rgba", ".1 .2 .3 1")
        text += self.maybe(0.2, "fluidshape", "ellipsoid") + self.maybe(0.1, "fluidcoef", ".1 .2")
        return text + self.user() + self.maybe(0.2, "class", self.pick("one", "two")) + "/>"

    def site(self):
        kind = self.random.choice(list(GEOMS))
        text = f'<site{self.name("site")} type="{kind}" size="{self.vector(3, 0.01, 0.1)}"' + self.pose()
        return text + self.maybe(0.2, "group", 3) + self.maybe(not self.discard and 0.2, "material", "mat") + self.user() + "/>"

    def camera(self):
        text = "<camera" + self.name("camera") + self.pose() + self.maybe(0.3, "mode", self.pick("fixed", "track", "trackcom"))
        if self.chance(0.4):
            text += ' sensorsize=".03 .02" resolution="30 20"'
            text += self.maybe(0.5, "focal", ".02 .03") or self.maybe(0.9, "focalpixel", "20 30")
            text += self.maybe(0.3, "principal", ".001 .002")
        else:
            text += self.maybe(0.3, "fovy", self.number(10, 100))
        return text + self.maybe(0.2, "ipd", ".1") + "/>"

    def light(self):
        text = "<light" + self.name("light") + self.maybe(0.6, "pos", self.vector(3))
        return text + self.maybe(0.6, "dir", self.vector(3)) + self.maybe(0.3, "mode", "trackcom") + "/>"

    def joint(self, allowed):
        kind = self.random.choice(allowed)
        text = f'<joint type="{kind}"' + self.name("ball" if kind == "ball" else "joint")
        text += self.maybe(0.5, "pos", self.vector(3, -0.3, 0.3))
        if kind != "ball":
            text += self.pick(f' axis="{self.vector(3)}"', ' axis="1 0 0"', ' axis="0 -2 0"', "")
            text += self.maybe(0.4, "range", self.range(-90, 90)) + self.maybe(0.1, "limited", "false")
            text += self.maybe(0.2, "ref", self.number(-50, 50)) + self.maybe(0.2, "springref", self.number(-50, 50))
            text += self.maybe(0.2, "actuatorfrcrange", "-3 4")
        else:
            text += self.maybe(0.3, "range", "0 50")
        for attribute in ("stiffness", "damping", "armature", "frictionloss", "margin"):
            text += self.maybe(0.2, attribute, self.number(0, 1))
        text += self.maybe(0.1, "springdamper", ".2 .8") + self.maybe(0.1, "actuatorgravcomp", "true")
        text += self.solver("limit") + self.solver("friction") + self.maybe(0.2, "group", 2)
        return text + self.user() + self.maybe(0.2, "class", self.pick("one", "two")) + "/>"

    def joints(self, toplevel):
        if toplevel and self.chance(0.3):
            return self.pick("<freejoint" + self.maybe(0.3, "align", self.pick("true", "false")) + "/>",
                             '<joint type="free" damping=".1"/>')
        if self.chance(0.3):
            return self.joint(["slide"]) + (self.joint(["ball"]) if self.chance(0.5) else self.joint(["hinge"]))
        return self.joint(["hinge", "slide", "ball"]) if self.chance(0.8) else ""

    def contents(self, depth, joints):
        parts = [self.geom() for _ in range(self.random.randint(1, 3))]
        parts += [self.site() for _ in range(self.random.randint(0, 2))]
        if not self.fuse and self.chance(0.2):
            parts.append(self.camera())
        if not self.fuse and self.chance(0.2):
            parts.append(self.light())
        if depth < 4:
            parts += [self.body(depth + 1) for _ in range(self.random.choice((0, 1, 1, 2)))]
        self.random.shuffle(parts)
        if self.chance(0.3):
            cut = self.random.randint(0, len(parts))
            parts[cut:] = [f"<frame{self.pose()}{self.maybe(0.3, 'childclass', 'two')}>{''.join(parts[cut:])}</frame>"]
        return joints + "".join(parts)

    def inertial(self):
        if not self.chance(0.2):
            return ""
        text = f'<inertial pos="{self.vector(3, -0.2, 0.2)}" mass="{self.number(0.5, 3)}"'
        if self.chance(0.5):
            return text + f' fullinertia="{self.vector(3, 1, 1.5)} {self.vector(3, -0.1, 0.1)}"/>'
        return text + f' diaginertia="{self.vector(3, 1, 1.8)}"' + self.orientation() + "/>"

    def body(self, depth):
        text = "<body" + self.name("body") + self.pose() + self.maybe(0.1, "gravcomp", self.number(0, 1))
        text += self.maybe(0.2, "childclass", self.pick("one", "two")) + self.user()
        if depth == 0 and self.chance(0.1):
            return text + ' mocap="true">' + self.geom() + "</body>"
        return text + ">" + self.inertial() + self.contents(depth, self.joints(depth == 0)) + "</body>"

    # ---- sections ----

    def compiler(self):
        text = "<compiler" + self.maybe(0.3, "angle", self.pick("degree", "radian"))
        text += self.maybe(0.3, "eulerseq", self.pick("zyx", "XYZ", "xZy")) + self.maybe(0.2, "alignfree", "true")
        text += self.maybe(0.2, "boundmass", ".5") + self.maybe(0.2, "boundinertia", ".3") + self.maybe(0.2, "settotalmass", "7")
        text += self.maybe(0.2, "inertiafromgeom", self.pick("true", "auto")) + self.maybe(0.2, "inertiagrouprange", "0 4")
        text += ' balanceinertia="true"' + self.maybe(self.fuse, "fusestatic", "true") + self.maybe(self.discard, "discardvisual", "true")
        return text + self.maybe(0.2, "fitaabb", "true") + "/>"

    def defaults(self):
        return (
            f'<default><geom rgba="1 0 0 1"/><default class="one"><geom friction=".3" density="500"/>'
            f'<joint damping="{self.number(0, 1)}" group="1"/></default>'
            f'<default class="two"><geom{self.orientation()} condim="4"/><joint armature=".1"/>'
            f'<general ctrlrange="-1 1" gainprm="3"/></default></default>'
        )

    def assets(self):
        text = '<asset><material name="mat" specular=".2"/>'
        for _ in range(3):
            vertices = " ".join(self.vector(3, -0.3, 0.3) for _ in range(self.random.randint(5, 12)))
            text += f'<mesh{self.name("mesh")} vertex="{vertices}"' + self.maybe(0.3, "scale", self.vector(3, 0.5, 1.5))
            text += self.maybe(0.3, "inertia", self.pick("convex", "exact", "legacy", "shell"))
            text += self.maybe(0.2, "refpos", self.vector(3)) + self.maybe(0.2, "refquat", self.vector(4)) + "/>"
        text += '<hfield name="hf" nrow="3" ncol="2" size="1 2 .5 .1" elevation="0 1 2 3 4 5"/>'
        text += '<texture name="tex" type="2d" builtin="checker" width="4" height="4"/>'
        return text + '<material name="mat2" texture="tex" reflectance=".1"/></asset>'

    def contact(self):
        text = ""
        for _ in range(self.random.randint(0, 3)):
            text += f'<pair{self.name("pair")} geom1="{self.reference("geom")}" geom2="{self.reference("geom")}"'
            text += self.solver() + self.maybe(0.3, "condim", 6) + self.maybe(0.3, "friction", self.vector(2, 0, 1)) + "/>"
        for _ in range(self.random.randint(0, 3)):
            text += f'<exclude body1="{self.reference("body")}" body2="{self.reference("body")}"/>'
        return f"<contact>{text}</contact>"

    def two(self, kind):
        names = self.names.get(kind, [])
        return self.random.sample(names, 2) if len(names) > 1 else None

    def equality(self):
        text, bodies, joints, sites = "", self.two("body"), self.two("joint"), self.two("site")
        common = self.solver() + self.maybe(0.2, "active", "false")
        if bodies:
            text += f'<connect body1="{bodies[0]}" body2="{bodies[1]}" anchor="{self.vector(3)}"{common}/>'
            text += f'<weld body1="{bodies[1]}"' + self.maybe(0.5, "body2", bodies[0]) + self.maybe(0.5, "anchor", self.vector(3))
            text += self.maybe(0.3, "relpose", self.vector(7)) + self.maybe(0.3, "torquescale", ".5") + "/>"
        if joints:
            text += f'<joint joint1="{joints[0]}"' + self.maybe(0.6, "joint2", joints[1]) + self.maybe(0.5, "polycoef", self.vector(2)) + "/>"
        if sites:
            text += f'<{self.pick("connect", "weld")} site1="{sites[0]}" site2="{sites[1]}"/>'
        return f"<equality>{text}</equality>"

    def tendons(self):
        text, sites = "", self.names.get("site", [])
        common = self.solver("limit") + self.maybe(0.3, "range", "0 5") + self.maybe(0.3, "stiffness", "2") + self.maybe(0.3, "damping", ".1")
        common += self.maybe(0.3, "springlength", self.pick("1", ".5 1.5")) + self.maybe(0.2, "armature", ".2") + self.user()
        if self.two("joint"):
            a, b = self.two("joint")
            text += f'<fixed{self.name("tendon")}{common}><joint joint="{a}" coef="2"/><joint joint="{b}" coef="-.5"/></fixed>'
        if len(sites) > 3:
            a, b, c, d = self.random.sample(sites, 4)
            middle = self.pick("", '<pulley divisor="2"/>')
            text += f'<spatial{self.name("tendon")}{common}><site site="{a}"/><site site="{b}"/>{middle}<site site="{c}"/><site site="{d}"/></spatial>'
        return f"<tendon>{text}</tendon>"

    def target(self):
        kinds = [kind for kind in ("joint", "tendon", "site") if self.names.get(kind)]
        kind = self.random.choice(kinds)
        return f' {kind}="{self.reference(kind)}"'

    def actuators(self):
        if not any(self.names.get(kind) for kind in ("joint", "tendon", "site")):
            return ""
        text = ""
        for _ in range(self.random.randint(0, 6)):
            kind = self.pick("motor", "position", "velocity", "general", "damper", "muscle", "intvelocity", "cylinder", "adhesion")
            target = self.target()
            sites = self.two("site")
            if kind == "adhesion":
                text += f'<adhesion{self.name("actuator")} body="{self.reference("body")}" ctrlrange="0 1" gain="2"/>'
                continue
            if kind in ("motor", "general") and sites and self.chance(0.2):
                target = f' cranksite="{sites[0]}" slidersite="{sites[1]}" cranklength="5"'
            if kind in ("motor", "general") and sites and self.chance(0.2):
                target = f' site="{sites[0]}" refsite="{sites[1]}"'
            if kind == "muscle" and " site" in target:
                continue
            text += f"<{kind}{self.name('actuator')}{target}" + self.maybe(0.4, "gear", self.vector(self.pick(1, 3, 6), 0.5, 2))
            text += self.maybe(0.3, "forcerange", "-5 5") + self.maybe(0.2, "group", 1) + self.user()
            text += self.maybe(0.2, "nsample", 3) + self.maybe(0.1, "class", "two")
            if kind == "position":
                text += self.maybe(0.6, "kp", "5") + (self.maybe(0.4, "kv", "1") or self.maybe(0.4, "dampratio", "1"))
                text += self.maybe(0.3, "timeconst", ".1")
            elif kind == "general":
                text += self.maybe(0.5, "dyntype", self.pick("filter", "integrator", "filterexact")) + self.maybe(0.5, "biastype", "affine")
                text += self.maybe(0.5, "gainprm", self.vector(3)) + self.maybe(0.5, "biasprm", self.vector(3))
            elif kind == "damper":
                text += ' kv="1" ctrlrange="0 1"'
            elif kind == "intvelocity":
                text += ' actrange="-1 1"'
            elif kind == "muscle":
                text += ' lengthrange="0 1"'
            elif kind == "cylinder":
                text += ' timeconst=".3" area="2"'
            text += "/>"
        return f"<actuator>{text}</actuator>"

    def sensors(self):
        text = '<clock/><e_kinetic/><subtreecom body="world"/>'
        simple = {
            "site": ("touch", "gyro", "accelerometer", "force", "rangefinder"),
            "joint": ("jointpos", "jointvel", "jointactuatorfrc"),
            "tendon": ("tendonpos", "tendonvel"),
            "actuator": ("actuatorfrc", "actuatorpos"),
        }
        for kind, types in simple.items():
            if self.names.get(kind):
                text += f'<{self.random.choice(types)} {kind}="{self.reference(kind)}"' + self.maybe(0.3, "noise", ".1")
                text += self.maybe(0.3, "cutoff", "2") + self.maybe(0.2, "nsample", 4) + self.user() + "/>"
        for kind in ("body", "geom", "site", "camera"):
            if self.names.get(kind):
                text += f'<framepos objtype="{kind}" objname="{self.reference(kind)}"'
                text += f' reftype="body" refname="{self.reference("body")}"/>' if self.chance(0.5) else "/>"
        geoms = self.two("geom")
        if geoms:
            text += f'<contact geom1="{geoms[0]}" body2="{self.reference("body")}" data="{self.pick("found", "force dist", "pos normal")}" num="2"/>'
        text += f'<user dim="3" datatype="{self.pick("real", "axis")}" needstage="{self.pick("pos", "vel", "acc")}"/>'
        if self.names.get("ball"):
            text += f'<{self.pick("ballquat", "ballangvel")} joint="{self.reference("ball")}"/>'
        if geoms:
            text += f'<{self.pick("distance", "normal", "fromto")} geom1="{geoms[0]}" geom2="{geoms[1]}" cutoff="1"/>'
        if self.names.get("camera") and self.names.get("site"):
            text += f'<camprojection site="{self.reference("site")}" camera="{self.reference("camera")}"/>'
        return f"<sensor>{text}</sensor>"

    def model(self):
        assets = self.assets()
        world = "".join(self.body(0) for _ in range(self.random.randint(1, 4))) + self.geom(static=True) + self.site()
        if not self.fuse:
            target = self.reference("body")
            world += f'<camera mode="{self.pick("targetbody", "targetbodycom")}" target="{target}"{self.pose()}/>'
            world += f'<light mode="{self.pick("targetbody", "targetbodycom")}" target="{target}" dir="0 1 -1"/>'
        sections = [self.compiler(), self.defaults(), assets, f"<worldbody>{world}</worldbody>"]
        sections += [self.contact(), self.equality(), self.tendons()]
        sections += [self.actuators(), self.sensors()]
        keys = f'<key/><key time="2" qpos="{self.vector(self.pick(1, 2, 3))}"/>' + self.pick("", "", '<key ctrl=".5"/>', '<key qvel=".5"/>')
        sections.append(f"<custom><numeric name='n' data='1 2'/></custom><keyframe>{keys}</keyframe>")
        return "<mujoco>" + "".join(sections) + "</mujoco>"


def random_model(seed):
    return Generator(seed).model()
