"""Random MJCF worlds that touch: every element of the language but flexes, in random combinations, all by a seed.

What random_mjcf leaves out is here: options and flags, all geoms in contact, all sensors with histories, all
transmissions, wrapped tendons, plugins, built-in assets, frames, replicas and attached models.
`world(seed)` gives the text, `FILES` what goes with it.
"""

import random

from random_values import Values

SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
BUILTIN = {
    "sphere": ("1", "2", "3"), "hemisphere": ("4", "2"), "cone": ("6 .5", "5 0", "3 1", "8 .3"),
    "supertorus": ("8 .3 1 1", "10 .4 .8 1.2"), "supersphere": ("8 .8 .8", "6 1 1.4"),
    "wedge": ("4 4 30 20 0", "3 5 40 30 .3"),
}
SDF = {
    "mujoco.sdf.torus": {"radius1": ".2", "radius2": ".07"}, "mujoco.sdf.bowl": {"height": ".15", "radius": ".3", "thickness": ".03"},
    "mujoco.sdf.bolt": {"radius": ".15"}, "mujoco.sdf.nut": {"radius": ".15"}, "mujoco.sdf.gear": {"alpha": "0", "diameter": ".5", "teeth": "12", "thickness": ".1", "innerdiameter": "-1"},
}
FLAGS_DISABLE = ("constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart filterparent "
                 "actuation refsafe sensor midphase eulerdamp autoreset nativeccd island").split()
FLAGS_ENABLE = "override energy fwdinv invdiscrete multiccd sleep".split()
SITE_SENSORS = "touch accelerometer velocimeter gyro force torque magnetometer".split()
FRAME_SENSORS = "framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel".split()

CHILD = """
<mujoco model="child">
  <compiler angle="radian"/>
  <default><geom condim="4"/><default class="k"><joint damping=".3"/></default></default>
  <worldbody>
    <body name="root" pos=".1 0 .3" euler=".2 .1 0">
      <joint name="j" class="k" axis="0 1 0"/><geom name="g" type="capsule" size=".05 .1"/>
      <body name="leaf" pos="0 0 .2"><joint name="k" range="-.3 .5"/><geom size=".07"/><site name="s"/></body>
    </body>
  </worldbody>
  <actuator><position name="p" joint="j" kp="4"/></actuator>
  <sensor><jointpos joint="k"/></sensor>
  <contact><exclude body1="root" body2="leaf"/></contact>
</mujoco>"""
FILES = {"child.xml": CHILD.encode()}  # what every world may refer to


class World(Values):
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.names, self.limited, self.parts = {}, {"joint": [], "tendon": []}, []
        self.plugins = set()
        self.sleep = self.chance(0.25)
        self.with_sdf = self.chance(0.06)
        self.fuse = self.chance(0.1)
        self.discard = not self.fuse and self.chance(0.1)
        self.radian = self.chance(0.2)
        self.size = self.random.uniform(0.06, 0.2)

    # ---- values ----

    def last(self, kind):
        return self.names[kind][-1]

    def has(self, kind, least=1):
        return len(self.names.get(kind, ())) >= least

    def one(self, kind):
        return self.random.choice(self.names[kind])

    def some(self, kind, n):
        return self.random.sample(self.names[kind], n)

    def maybe(self, p, attribute, value):
        return f' {attribute}="{value}"' if self.chance(p) else ""

    def pair(self, low, high, gap=0.05):
        a, b = sorted(self.random.uniform(low, high) for _ in range(2))
        return f"{a:.4g} {b + gap:.4g}"

    def orientation(self, p=0.6):
        if not self.chance(p):
            return ""
        kind = self.pick("quat", "axisangle", "xyaxes", "zaxis", "euler")
        size = {"quat": 4, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}[kind]
        scale = 60 if kind == "euler" and not self.radian else 1
        return f' {kind}="{self.vector(size, -scale, scale)}"'

    def pose(self, p=0.6, reach=0.15):
        return self.maybe(p, "pos", self.vector(3, -reach, reach)) + self.orientation(p)

    def solver(self, suffix="", p=0.15):
        text = self.maybe(p, "solref" + suffix, self.pick(self.number(0.004, 0.1), self.vector(2, 0.01, 1),
                                                         f"-{self.number(50, 500)} -{self.number(1, 30)}"))
        solimp = self.pick(self.number(0.5, 0.99), ".5 .95", ".8 .9 .01", f".1 .95 {self.number(0.001, 0.1)} {self.number(0.1, 0.9)} {self.pick(1, 2, 3, 2.5)}")
        return text + self.maybe(p, "solimp" + suffix, solimp)

    def user(self):
        return self.maybe(0.08, "user", self.vector(self.pick(1, 2, 3)))

    def angle(self, low, high):
        return self.number(low, high) if not self.radian else self.number(low / 57.3, high / 57.3)

    # ---- bodies ----

    def geom_common(self):
        text = self.maybe(0.15, "mass", self.number(0.05, 2)) or self.maybe(0.2, "density", self.number(100, 3000))
        text += self.maybe(0.08, "contype", self.pick(0, 1, 2, 3)) + self.maybe(0.08, "conaffinity", self.pick(0, 1, 3))
        text += self.maybe(0.3, "condim", self.pick(1, 3, 4, 6)) + self.maybe(0.1, "group", self.pick(0, 1, 2, 4, 5))
        text += self.maybe(0.1, "priority", self.pick(1, 2, -1)) + self.maybe(0.2, "friction", self.vector(self.pick(1, 2, 3), 0, 1))
        text += self.maybe(0.15, "margin", self.number(0, 0.05)) + self.maybe(0.1, "gap", self.number(0, 0.03)) + self.maybe(0.1, "solmix", self.number(0.1, 3))
        text += self.solver() + self.maybe(0.15, "material", self.one("material")) + self.maybe(0.1, "rgba", self.vector(4, 0, 1))
        if self.chance(0.15):
            text += ' fluidshape="ellipsoid"' + self.maybe(0.5, "fluidcoef", self.vector(self.pick(1, 2, 3, 5), 0, 1.5))
        return text + self.user() + self.maybe(0.1, "class", self.pick("one", "two", "three"))

    def geom(self, shape=None):
        kinds = list(SIZES) * 2 + ["mesh", "mesh"] + (["sdf"] * 3 if self.with_sdf else [])
        kind, s = shape or self.random.choice(kinds), self.size
        text = "<geom" + self.name("geom") + (f' type="{kind}"' if kind != "sphere" or self.chance(0.5) else "")
        inside = ""
        if kind == "mesh":
            text += f' mesh="{self.one("mesh")}"' + self.pose()
        elif kind == "sdf":
            mesh = self.random.choice(self.names["sdfmesh"])
            text += f' mesh="{mesh}"' + self.pose()
            inside = self.sdf_of.get(mesh, "")
        elif kind in ("capsule", "cylinder", "box", "ellipsoid") and self.chance(0.2):
            text += f' size="{self.number(0.3 * s, s)}" fromto="{self.vector(6, -2 * s, 2 * s)}"'
        elif self.chance(0.04):
            text += f' mesh="{self.one("mesh")}"' + self.maybe(0.5, "fitscale", self.number(0.7, 1.4)) + self.pose()
        else:
            text += f' size="{self.vector(SIZES[kind], 0.5 * s, 1.5 * s)}"' + self.pose()
            text += self.maybe(0.1, "shellinertia", "true")
        text += self.geom_common()
        return f"{text}>{inside}</geom>" if inside else text + "/>"

    def site(self):
        kind = self.random.choice(list(SIZES))
        text = f'<site{self.name("site")} type="{kind}"'
        if kind in ("capsule", "cylinder", "box", "ellipsoid") and self.chance(0.2):
            text += f' size=".05" fromto="{self.vector(6, -0.2, 0.2)}"'
        else:
            text += f' size="{self.vector(3, 0.02, 0.2)}"' + self.pose()
        text += self.maybe(0.2, "group", 3) + self.maybe(0.1, "rgba", "1 0 0 1")
        return text + self.maybe(not self.discard and 0.1, "material", self.one("material")) + self.user() + self.maybe(0.1, "class", "two") + "/>"

    def camera(self):
        text = "<camera" + self.name("camera") + self.pose()
        mode = self.pick("", "", "fixed", "track", "trackcom", "targetbody", "targetbodycom")
        text += f' mode="{mode}"' * bool(mode)
        if "target" in mode:
            text += f' target="{self.one("body")}"'
        text += self.maybe(0.3, "resolution", f"{self.random.randint(1, 6)} {self.random.randint(1, 5)}")
        if "resolution" in text and self.chance(0.5):
            text += ' sensorsize=".03 .02"'
            text += self.maybe(0.5, "focal", ".02 .03") or self.maybe(0.9, "focalpixel", "20 30")
            text += self.maybe(0.3, "principal", ".001 .002") or self.maybe(0.3, "principalpixel", "1 2")
        else:
            text += self.maybe(0.3, "fovy", self.number(10, 100))
            text += self.maybe(0.2, "projection", self.pick("perspective", "orthographic"))
        text += self.maybe(0.2, "output", self.pick("rgb", "depth segmentation", "normal distance"))
        return text + self.maybe(0.2, "ipd", ".1") + self.user() + "/>"

    def light(self):
        text = "<light" + self.name("light") + self.maybe(0.6, "pos", self.vector(3)) + self.maybe(0.6, "dir", self.vector(3))
        text += self.maybe(0.3, "mode", self.pick("track", "trackcom", "fixed")) + self.maybe(0.3, "type", self.pick("spot", "directional", "point"))
        for attribute in ("bulbradius", "intensity", "range", "cutoff", "exponent"):
            text += self.maybe(0.2, attribute, self.number(0.1, 40))
        for attribute in ("attenuation", "ambient", "diffuse", "specular"):
            text += self.maybe(0.2, attribute, self.vector(3, 0, 1))
        return text + self.maybe(0.2, "castshadow", "false") + self.maybe(0.2, "active", "false") + "/>"

    def joint(self, kind):
        text = f'<joint type="{kind}"' + self.name("ball" if kind == "ball" else "joint")
        text += self.maybe(0.4, "pos", self.vector(3, -0.1, 0.1))
        if kind != "ball":
            text += self.pick(f' axis="{self.vector(3)}"', ' axis="1 0 0"', ' axis="0 -2 0"', "")
            if self.chance(0.4):
                text += f' range="{self.angle(-60, 0)} {self.angle(5, 60)}"' if kind == "hinge" else f' range="{self.pair(-0.2, 0.2)}"'
                text += self.maybe(0.2, "limited", self.pick("true", "auto"))
                self.limited["joint"].append(self.last("joint"))
            text += self.maybe(0.1, "ref", self.angle(-30, 30)) + self.maybe(0.2, "springref", self.angle(-30, 30))
            text += self.maybe(0.15, "actuatorfrcrange", f"-{self.number(0.1, 5)} {self.number(0.1, 5)}")
        elif self.chance(0.3):
            text += f' range="0 {self.angle(10, 80)}"'
            self.limited["joint"].append(self.last("ball"))
        text += self.maybe(0.3, "stiffness", self.number(0, 20)) + self.maybe(0.4, "damping", self.number(0, 1))
        text += self.maybe(0.3, "armature", self.number(0, 0.2)) + self.maybe(0.2, "frictionloss", self.number(0, 0.5))
        text += self.maybe(0.15, "margin", self.angle(0, 8))
        text += self.maybe(0.05, "springdamper", ".2 .8") + self.maybe(0.1, "actuatorgravcomp", "true")
        text += self.solver("limit") + self.solver("friction") + self.maybe(0.1, "group", 2)
        return text + self.user() + self.maybe(0.1, "class", self.pick("one", "two")) + "/>"

    def joints(self, top):
        if top and self.chance(0.55):
            if self.chance(0.5):
                return "<freejoint" + self.name("free") + self.maybe(0.2, "align", self.pick("true", "false", "auto")) + "/>"
            return f'<joint{self.name("free")} type="free"' + self.maybe(0.3, "damping", ".1") + self.maybe(0.2, "armature", ".01") + self.maybe(0.2, "frictionloss", ".05") + self.maybe(0.1, "stiffness", "3") + "/>"
        roll = self.random.random()
        if roll < 0.12:
            return self.joint("slide") + self.joint(self.pick("ball", "hinge"))
        if roll < 0.2:
            return "".join(self.joint(kind) for kind in ("slide", "slide", "hinge"))
        if roll < 0.27:
            return self.joint("hinge") + self.joint("hinge")
        return self.joint(self.pick("hinge", "hinge", "slide", "ball")) if self.chance(0.9) else ""

    def contents(self, depth, joints):
        parts = [self.geom() for _ in range(self.pick(1, 1, 1, 2, 3))]
        parts += [self.site() for _ in range(self.pick(0, 1, 1, 2, 3))]
        if not self.fuse and self.chance(0.12):
            parts.append(self.camera())
        if not self.fuse and self.chance(0.08):
            parts.append(self.light())
        if depth < 3:
            parts += [self.body(depth + 1) for _ in range(self.pick(0, 0, 1, 1, 2))]
        self.random.shuffle(parts)
        if self.chance(0.15):
            cut = self.random.randint(0, len(parts))
            parts[cut:] = [f"<frame{self.pose()}{self.maybe(0.3, 'childclass', 'two')}>{''.join(parts[cut:])}</frame>"]
        return joints + "".join(parts)

    def inertial(self):
        if not self.chance(0.15):
            return ""
        text = f'<inertial pos="{self.vector(3, -0.1, 0.1)}" mass="{self.number(0.2, 2)}"'
        if self.chance(0.4):
            return text + f' fullinertia="{self.vector(3, 0.01, 0.015)} {self.vector(3, -0.001, 0.001)}"/>'
        return text + f' diaginertia="{self.vector(3, 0.01, 0.018)}"' + self.orientation() + "/>"

    def body(self, depth):
        reach = 0.35 if depth == 0 else 0.25
        text = "<body" + self.name("body")
        text += f' pos="{self.vector(2, -reach, reach)} {self.number(0.0, 0.7) if depth == 0 else self.number(-0.2, 0.2)}"' + self.orientation(0.5)
        text += self.maybe(0.1, "gravcomp", self.number(0, 1.2))
        text += self.maybe(0.1, "childclass", self.pick("one", "two", "three")) + self.user()
        if depth == 0 and self.chance(0.1):
            inside = self.geom() + self.site() + (self.body(1) if self.chance(0.3) else "")
            self.names.setdefault("mocap", []).append(self.last("body"))
            return text + f' mocap="true">{inside}</body>'
        if depth == 0:
            text += self.maybe(0.4 if self.sleep else 0.05, "sleep", self.pick("auto", "never", "never"))
        return text + ">" + self.inertial() + self.contents(depth, self.joints(depth == 0)) + "</body>"

    def replicate(self):
        """Copies of a body without names inside, so that nothing refers to one."""
        s = self.size
        kind = self.random.choice(list(SIZES))
        body = f'<body pos="{self.vector(2, -0.3, 0.3)} {self.number(0.1, 0.8)}"><freejoint/><geom type="{kind}" size="{self.vector(SIZES[kind], 0.3 * s, s)}"/>'
        body += "<site/>" * self.chance(0.3) + "</body>"
        text = f'<replicate count="{self.random.randint(1, 4)}" offset="{self.vector(3, -0.2, 0.2)}"'
        text += self.maybe(0.4, "euler", self.vector(3, -40, 40)) + self.maybe(0.3, "sep", "-")
        return f"{text}>{body}</replicate>"

    def cable(self):
        self.plugins.add("mujoco.elasticity.cable")
        n = self.random.randint(3, 8)
        text = f'<composite type="cable" curve="{self.pick("s 0 0", "cos(s) sin(s) 0", "0 s sin(s)")}" count="{n} 1 1" size="{self.pick(".8 .2 2", "1 .3 1")}" initial="{self.pick("none", "ball", "free")}" prefix="c{self.count}"'
        self.count += 1
        text += f' offset="{self.vector(2, -0.3, 0.3)} {self.number(0.2, 0.8)}">'
        if self.chance(0.6):
            text += f'<plugin plugin="mujoco.elasticity.cable"><config key="twist" value="{self.number(1e5, 1e7)}"/><config key="bend" value="{self.number(1e5, 4e6)}"/>' + self.pick("", '<config key="flat" value="true"/>') + "</plugin>"
        text += f'<joint kind="main" damping="{self.number(0.01, 0.2)}" armature=".01"/>'
        return text + f'<geom type="{self.pick("capsule", "cylinder", "box")}" size="{self.pick(".02 .02 .03", ".03 .01 .02")}" density="1000"' + self.maybe(0.3, "condim", 1) + "/></composite>"

    def ground(self):
        roll = self.random.random()
        text = ""
        if roll < 0.7:
            text += f'<geom{self.name("geom")} type="plane" size="{self.pick("0 0", "2 2", "3 1")} .1"' + self.maybe(0.2, "euler", self.vector(3, -0.1, 0.1)) + self.maybe(0.3, "condim", self.pick(1, 3, 4, 6)) + self.maybe(0.2, "margin", ".02") + "/>"
        elif roll < 0.88:
            self.hfield = True
            text += f'<geom{self.name("geom")} type="hfield" hfield="hf" pos="0 0 -.1"' + self.orientation(0.1) + self.maybe(0.2, "margin", ".01") + "/>"
        else:
            text += f'<geom{self.name("geom")} type="box" size="1 1 .1" pos="0 0 -.1"/>'
        return text

    # ---- settings ----

    def compiler(self):
        text = "<compiler" + self.maybe(self.radian, "angle", "radian") + self.maybe(0.1, "autolimits", "true")
        text += self.maybe(0.2, "eulerseq", self.pick("zyx", "XYZ", "xZy", "yxy")) + self.maybe(0.15, "alignfree", "true")
        text += self.maybe(0.15, "boundmass", ".05") + self.maybe(0.15, "boundinertia", ".001") + self.maybe(0.1, "settotalmass", "7")
        text += self.maybe(0.2, "inertiafromgeom", self.pick("true", "auto")) + self.maybe(0.1, "inertiagrouprange", "0 4")
        text += ' balanceinertia="true"' + self.maybe(self.fuse, "fusestatic", "true") + self.maybe(self.discard, "discardvisual", "true")
        text += self.maybe(0.2, "fitaabb", "true") + self.maybe(0.2, "usethread", "false") + self.maybe(0.2, "saveinertial", "true")
        if not self.chance(0.3):
            return text + "/>"
        mode = self.pick("none", "muscle", "muscleuser", "all")
        inside = f'<lengthrange mode="{mode}"' + self.maybe(0.3, "useexisting", "false") + self.maybe(0.3, "uselimit", "true")
        inside += self.maybe(0.3, "accel", "10") + self.maybe(0.3, "maxforce", "20") + self.maybe(0.3, "timeconst", ".5")
        inside += self.maybe(0.3, "timestep", ".005") + self.maybe(0.3, "inttotal", "5") + self.maybe(0.3, "interval", "1") + ' tolrange="10"'
        return f"{text}>{inside}/></compiler>"

    def option(self):
        text = "<option" + self.maybe(0.7, "integrator", self.pick("Euler", "RK4", "implicit", "implicitfast"))
        text += self.maybe(0.6, "cone", self.pick("pyramidal", "elliptic")) + self.maybe(0.6, "jacobian", self.pick("dense", "sparse", "auto"))
        text += self.maybe(0.6, "solver", self.pick("PGS", "CG", "Newton")) + self.maybe(0.3, "timestep", self.number(0.0005, 0.008))
        text += self.maybe(0.25, "impratio", self.number(0.5, 10)) + self.maybe(0.3, "tolerance", self.pick("0", "1e-10", "1e-6"))
        text += self.maybe(0.2, "ls_tolerance", self.pick("1e-3", ".1")) + self.maybe(0.2, "iterations", self.pick(1, 3, 10, 50, 200))
        text += self.maybe(0.2, "ls_iterations", self.pick(3, 10, 100)) + self.maybe(0.25, "noslip_iterations", self.pick(1, 3, 10))
        text += self.maybe(0.1, "noslip_tolerance", "1e-9") + self.maybe(0.15, "ccd_iterations", self.pick(12, 50)) + self.maybe(0.15, "ccd_tolerance", self.pick("1e-4", "1e-8"))
        text += self.maybe(0.15, "sdf_iterations", 5) + self.maybe(0.15, "sdf_initpoints", 20)
        text += self.maybe(0.2, "gravity", f"{self.vector(2)} {self.number(-12, -3)}") + self.maybe(0.2, "wind", self.vector(3)) + self.maybe(0.2, "magnetic", self.vector(3))
        text += self.maybe(0.25, "density", self.number(0, 1000)) + self.maybe(0.25, "viscosity", self.number(0, 0.1))
        text += self.maybe(0.1, "o_margin", ".02") + self.maybe(0.1, "o_solref", ".03 .9") + self.maybe(0.1, "o_solimp", ".8 .9 .002") + self.maybe(0.1, "o_friction", self.vector(self.pick(1, 2, 5), 0.1, 1))
        text += self.maybe(0.1, "actuatorgroupdisable", self.pick("1", "0 2")) + self.maybe(0.2, "sleep_tolerance", self.pick("1", ".1", "10"))
        flags = "".join(self.maybe(0.05, flag, "disable") for flag in FLAGS_DISABLE)
        flags += "".join(self.maybe(self.sleep if flag == "sleep" else 0.15, flag, "enable") for flag in FLAGS_ENABLE)
        return f"{text}><flag{flags}/></option>"

    def small_sections(self):
        text = '<size nuserdata="3" nuser_body="4"/>' if self.chance(0.2) else ""
        if self.chance(0.2):
            text += '<statistic' + "".join(self.maybe(0.4, a, self.number(0.1, 2)) for a in ("meaninertia", "meanmass", "meansize", "extent")) + self.maybe(0.4, "center", self.vector(3)) + "/>"
        if self.chance(0.2):
            text += f'<visual><global{self.maybe(0.5, "fovy", "50")}{self.maybe(0.5, "azimuth", "10")}/><map{self.maybe(0.5, "znear", ".02")}{self.maybe(0.5, "force", ".1")}/><scale{self.maybe(0.5, "framelength", "2")}/><rgba{self.maybe(0.5, "haze", "1 0 0 1")}/><quality{self.maybe(0.5, "shadowsize", "512")}/><headlight{self.maybe(0.5, "active", "0")}/></visual>'
        return text

    def defaults(self):
        return (
            f'<default><geom{self.maybe(0.5, "rgba", "1 0 0 1")}{self.maybe(0.1, "condim", 4)}{self.solver()}/>'
            f'<equality{self.solver()}/><tendon{self.maybe(0.3, "width", ".01")}/><mesh{self.maybe(0.2, "maxhullvert", "12")}{self.maybe(0.3, "inertia", self.pick("exact", "convex", "shell"))}/>'
            f'<material{self.maybe(0.3, "shininess", ".2")}/><site{self.maybe(0.3, "rgba", "0 1 0 1")}/><pair{self.maybe(0.3, "condim", "4")}/>'
            f'<default class="one"><geom friction=".3" density="500"/><joint damping="{self.number(0, 1)}" group="1"/></default>'
            f'<default class="two"><geom{self.orientation()} condim="4"/><joint armature=".1"/><site{self.orientation()}/>'
            f'<general ctrlrange="-1 1" gainprm="3"/><default class="three"><geom priority="1" solmix="2"/><joint frictionloss=".1"/><position kp="7"/></default></default></default>'
        )

    # ---- assets ----

    def mesh(self):
        text = "<mesh" + self.name("mesh")
        if self.chance(0.35):
            kind = self.random.choice(list(BUILTIN))
            text += f' builtin="{kind}" params="{self.random.choice(BUILTIN[kind])}" scale="{self.vector(3, 0.1, 0.25)}"'
            return text + self.maybe(0.3, "inertia", self.pick("convex", "exact", "shell")) + "/>"
        count = self.random.randint(4, 14)
        if self.chance(0.3):
            corner = [f"{x} {y} {z}" for x in ("-.1", ".1") for y in ("-.12", ".12") for z in ("-.08", ".08")]
            self.random.shuffle(corner)
            vertices = " ".join(corner)
        else:
            vertices = " ".join(self.vector(3, -0.18, 0.18) for _ in range(count))
        text += f' vertex="{vertices}"' + self.maybe(0.3, "scale", self.vector(3, 0.5, 1.5))
        text += self.maybe(0.3, "inertia", self.pick("convex", "exact", "legacy", "shell")) + self.maybe(0.2, "maxhullvert", self.pick(6, 9))
        text += self.maybe(0.2, "refpos", self.vector(3, -0.1, 0.1)) + self.maybe(0.2, "refquat", self.vector(4)) + self.maybe(0.2, "smoothnormal", "true")
        return text + "/>"

    def sdf_meshes(self):
        self.sdf_of, text = {}, ""
        if not self.with_sdf:
            return ""
        for _ in range(self.pick(1, 2)):
            if self.chance(0.4):
                plugin = self.random.choice(list(SDF))
                self.plugins.add(plugin)
                config = "".join(f'<config key="{k}" value="{v}"/>' for k, v in SDF[plugin].items())
                instance = f"sdf{self.count}"
                self.instances.append((plugin, instance, config))
                reference = f'<plugin instance="{instance}"/>'
                text += f"<mesh{self.name('sdfmesh')}>{reference}</mesh>"
                self.sdf_of[self.last("sdfmesh")] = reference
            else:
                kind = self.pick("sphere", "cone", "supertorus", "wedge", "hemisphere")
                text += f'<mesh{self.name("sdfmesh")} builtin="{kind}" params="{self.random.choice(BUILTIN[kind])}" scale="{self.vector(3, 0.12, 0.25)}"/>'
        return text

    def assets(self):
        text = ""
        for _ in range(self.pick(1, 2, 3)):
            kind, builtin = self.pick("2d", "cube", "skybox"), self.pick("checker", "gradient", "flat")
            text += f'<texture{self.name("texture" if kind != "skybox" else "sky")} type="{kind}" builtin="{builtin}" width="{self.pick(4, 6)}" height="{self.pick(4, 8) if kind == "2d" else 0}"'
            if kind != "2d":
                text = text.replace('height="0"', "")
            text += self.maybe(0.5, "rgb1", self.vector(3, 0, 1)) + self.maybe(0.5, "rgb2", self.vector(3, 0, 1))
            text += self.maybe(0.5, "mark", self.pick("edge", "cross", "random")) + self.maybe(0.3, "markrgb", self.vector(3, 0, 1)) + self.maybe(0.3, "random", ".3")
            text += self.maybe(0.2, "colorspace", self.pick("linear", "sRGB")) + self.maybe(0.1, "nchannel", self.pick(3, 4)) + "/>"
        for _ in range(2):
            text += f'<material{self.name("material")}'
            text += self.maybe(self.has("texture") and 0.5, "texture", self.one("texture") if self.has("texture") else "")
            for a in ("emission", "specular", "shininess", "reflectance", "metallic", "roughness"):
                text += self.maybe(0.2, a, self.number(0, 1))
            text += self.maybe(0.2, "texrepeat", "2 3") + self.maybe(0.2, "texuniform", "true") + self.maybe(0.2, "rgba", self.vector(4, 0, 1)) + "/>"
        text += "".join(self.mesh() for _ in range(4)) + self.sdf_meshes()
        rows, columns = self.random.randint(2, 7), self.random.randint(2, 7)
        elevation = " ".join(self.number(0, 1) for _ in range(rows * columns))
        text += f'<hfield name="hf" nrow="{rows}" ncol="{columns}" size="{self.pick("1 1 .3 .1", ".8 1.2 .15 .05", "1 1 .05 .1")}" elevation="{elevation}"/>'
        return f"<asset>{text}{self.model_asset()}</asset>"

    def model_asset(self):
        self.attached = ""
        if not self.chance(0.12):
            return ""
        self.attached = f'<frame pos="{self.vector(3, -0.2, 0.4)}"><attach model="child" body="root" prefix="x_"/></frame>' + self.pick("", '<body pos=".4 .3 .4"><freejoint/><geom size=".05"/><attach model="child" body="leaf" prefix="y_"/></body>')
        return '<model name="child" file="child.xml"/>'

    # ---- what refers to bodies ----

    def contact(self):
        text = ""
        for _ in range(self.pick(0, 0, 1, 2)):
            a, b = self.some("geom", 2)
            text += f'<pair{self.name("pair")} geom1="{a}" geom2="{b}"'
            text += self.solver() + self.maybe(0.4, "condim", self.pick(1, 3, 4, 6)) + self.maybe(0.3, "friction", self.vector(self.pick(1, 2, 5), 0.1, 1))
            text += self.maybe(0.3, "margin", ".03") + self.maybe(0.2, "gap", ".01") + self.maybe(0.2, "solreffriction", ".03 1") + "/>"
        for _ in range(self.pick(0, 0, 1, 2)):
            text += f'<exclude body1="{self.one("body")}" body2="{self.one("body")}"/>'
        return f"<contact>{text}</contact>"

    def equality(self):
        text = ""
        for _ in range(self.pick(0, 0, 1, 2, 3)):
            common = self.solver() + self.maybe(0.15, "active", "false")
            kind = self.pick("connect", "weld", "joint", "tendon", "sites")
            if kind == "connect" and self.has("body", 2):
                a, b = self.some("body", 2)
                text += f'<connect{self.name("equality")} body1="{a}"' + self.maybe(0.7, "body2", b) + f' anchor="{self.vector(3, -0.2, 0.2)}"{common}/>'
            elif kind == "weld" and self.has("body", 2):
                a, b = self.some("body", 2)
                text += f'<weld{self.name("equality")} body1="{a}"' + self.maybe(0.7, "body2", b) + self.maybe(0.4, "anchor", self.vector(3, -0.2, 0.2))
                text += self.maybe(0.2, "relpose", self.vector(7, -0.3, 0.3)) + self.maybe(0.3, "torquescale", self.number(0.1, 3)) + common + "/>"
            elif kind == "joint" and self.has("joint", 2):
                a, b = self.some("joint", 2)
                text += f'<joint{self.name("equality")} joint1="{a}"' + self.maybe(0.7, "joint2", b) + self.maybe(0.5, "polycoef", self.vector(self.pick(2, 3, 5), -0.5, 1)) + common + "/>"
            elif kind == "tendon" and self.has("tendon"):
                a, b = self.one("tendon"), self.one("tendon")
                text += f'<tendon{self.name("equality")} tendon1="{a}"' + (self.maybe(0.7, "tendon2", b) if a != b else "") + self.maybe(0.5, "polycoef", self.vector(2, -0.5, 1)) + common + "/>"
            elif kind == "sites" and self.has("site", 2):
                a, b = self.some("site", 2)
                text += f'<{self.pick("connect", "weld")}{self.name("equality")} site1="{a}" site2="{b}"{common}/>'
        return f"<equality>{text}</equality>"

    def tendon_common(self):
        text = self.solver("limit") + self.solver("friction")
        if self.chance(0.3):
            text += f' range="{self.pair(0, 1)}"' + self.maybe(0.3, "limited", "true")
            self.limited["tendon"].append(self.last("tendon"))
        text += self.maybe(0.3, "stiffness", self.number(0, 30)) + self.maybe(0.3, "damping", self.number(0, 2)) + self.maybe(0.2, "frictionloss", self.number(0, 1))
        text += self.maybe(0.3, "springlength", self.pick("1", ".2 .5", ".4 .4")) + self.maybe(0.2, "armature", self.number(0, 0.3)) + self.maybe(0.2, "margin", self.number(0, 0.1))
        return text + self.maybe(0.1, "group", 1) + self.maybe(0.15, "actuatorfrcrange", "-1 2") + self.user()

    def spatial(self):
        text = f'<spatial{self.name("tendon")}' + self.tendon_common() + self.maybe(0.2, "width", ".02") + self.maybe(0.2, "rgba", "1 1 0 1") + ">"
        previous = None
        for branch in range(self.pick(1, 1, 1, 2)):
            if branch:
                text += f'<pulley divisor="{self.pick(1, 2, 3.5)}"/>'
                previous = None
            for point in range(self.pick(2, 2, 3, 4)):
                site = self.one("site")
                if site == previous and len(self.names["site"]) > 1:
                    site = self.random.choice([s for s in self.names["site"] if s != previous])
                if point and "armature" not in text and self.chance(0.4):
                    geom = self.random.choice(self.wrappable)
                    text += f'<geom geom="{geom}"' + self.maybe(0.4, "sidesite", self.one("site")) + "/>"
                text += f'<site site="{site}"/>'
                previous = site
        return text + "</spatial>"

    def tendons(self):
        text = ""
        if self.chance(0.4) and self.has("joint", 2):
            chosen = self.some("joint", min(len(self.names["joint"]), self.pick(1, 2, 3)))
            text += f'<fixed{self.name("tendon")}' + self.tendon_common() + ">" + "".join(f'<joint joint="{j}" coef="{self.number(-2, 2)}"/>' for j in chosen) + "</fixed>"
        while self.has("site", 2) and self.chance(0.35):
            text += self.spatial()
        return f"<tendon>{text}</tendon>"

    def transmission(self, kind):
        options = [k for k in ("joint", "joint", "joint", "tendon", "site", "ball", "free") if self.has(k)]
        if not options:
            return None
        target = self.random.choice(options)
        if kind == "muscle":
            target = self.pick(*[k for k in ("joint", "tendon") if self.has(k)] or [None])
            return target and f' {target}="{self.one(target)}"'
        if target in ("ball", "free"):
            return f' {self.pick("joint", "jointinparent")}="{self.one(target)}" gear="{self.vector(3 if target == "ball" else 6)}"'
        if target == "joint":
            return f' {self.pick("joint", "joint", "jointinparent")}="{self.one("joint")}"' + self.maybe(0.3, "gear", self.number(0.5, 3))
        if target == "tendon":
            return f' tendon="{self.one("tendon")}"' + self.maybe(0.3, "gear", self.number(0.5, 3))
        if self.has("site", 2) and self.chance(0.6):
            a, b = self.some("site", 2)
            if self.chance(0.4):
                return f' cranksite="{a}" slidersite="{b}" cranklength="{self.number(0.3, 3)}"' + self.maybe(0.3, "gear", self.number(0.5, 3))
            return f' site="{a}" refsite="{b}" gear="{self.vector(6)}"'
        return f' site="{self.one("site")}" gear="{self.vector(6)}"'

    def history(self, sensor=False):
        if not self.chance(0.15):
            return ""
        text = f' nsample="{self.random.randint(1, 6)}"' + self.maybe(0.5, "interp", self.pick("zoh", "linear", "cubic")) + self.maybe(0.6, "delay", self.number(0.001, 0.01))
        return text + (self.maybe(0.4, "interval", self.pick(".01", ".005 -.002", ".003")) if sensor else "")

    def actuator(self):
        kind = self.pick("motor", "motor", "position", "position", "velocity", "general", "general", "damper", "muscle", "intvelocity", "cylinder", "adhesion")
        name, common = self.name("actuator"), self.maybe(0.15, "group", self.pick(0, 1, 2)) + self.user() + self.history()
        common += self.maybe(0.3, "forcerange", f"-{self.number(0.5, 8)} {self.number(0.5, 8)}")
        if kind == "adhesion":
            return f'<adhesion{name} body="{self.one("body")}" ctrlrange="0 1" gain="{self.number(0, 20)}"{common}/>'
        target = self.transmission(kind)
        if target is None:
            self.names["actuator"].pop()
            return ""
        text = f"<{kind}{name}{target}{common}"
        if kind not in ("damper", "muscle"):
            text += self.maybe(0.3, "ctrlrange", self.pair(-1, 1)) + self.maybe(0.1, "ctrllimited", "false")
        if kind == "position":
            text += self.maybe(0.6, "kp", self.number(1, 50)) + (self.maybe(0.4, "kv", self.number(0, 3)) or self.maybe(0.4, "dampratio", self.number(0.3, 1.5)))
            text += self.maybe(0.3, "timeconst", self.number(0, 0.2))
            if "ctrlrange" not in text and 'joint="' in target and self.names and any(f'"{j}"' in target for j in self.limited["joint"] if j.startswith("joint")):
                text += self.maybe(0.5, "inheritrange", self.number(0.5, 1.2))
        elif kind == "velocity":
            text += self.maybe(0.6, "kv", self.number(0, 3))
        elif kind == "general":
            text += self.maybe(0.5, "dyntype", self.pick("none", "filter", "integrator", "filterexact", "muscle")) + self.maybe(0.5, "biastype", self.pick("none", "affine"))
            text += self.maybe(0.3, "gaintype", self.pick("fixed", "affine")) + self.maybe(0.5, "dynprm", self.vector(2, 0.01, 0.3))
            text += self.maybe(0.6, "gainprm", self.vector(3, -5, 5)) + self.maybe(0.5, "biasprm", self.vector(3, -3, 0.5))
            if "dyntype" in text and '"none"' not in text:
                text += self.maybe(0.3, "actrange", "-.8 .9") + self.maybe(0.4, "actearly", "true") + self.maybe(0.1, "actlimited", "true" if "actrange" in text else "false")
            text += self.maybe(0.1, "class", "two")
        elif kind == "damper":
            text += f' kv="{self.number(0, 3)}" ctrlrange="0 1"'
        elif kind == "intvelocity":
            text += ' actrange="-1 1"' + self.maybe(0.5, "kp", self.number(1, 30)) + self.maybe(0.3, "kv", ".5")
        elif kind == "muscle":
            text += self.maybe(0.6, "lengthrange", f"{self.number(0.1, 0.3)} {self.number(0.5, 1)}") + self.maybe(0.3, "tausmooth", ".1") + self.maybe(0.3, "timeconst", ".02 .05")
            text += self.maybe(0.3, "force", self.number(1, 20)) + self.maybe(0.3, "scale", "100") + self.maybe(0.3, "range", ".7 1.1") + self.maybe(0.3, "lmin", ".4") + self.maybe(0.3, "lmax", "1.7")
            text += self.maybe(0.3, "vmax", "1.2") + self.maybe(0.3, "fpmax", "1.5") + self.maybe(0.3, "fvmax", "1.3")
        elif kind == "cylinder":
            text += self.maybe(0.6, "timeconst", ".3") + (self.maybe(0.5, "area", "2") or self.maybe(0.5, "diameter", ".8")) + self.maybe(0.5, "bias", self.vector(3, -1, 0))
        return text + "/>"

    def pid(self):
        if not self.has("joint") or not self.chance(0.07):
            return ""
        self.plugins.add("mujoco.pid")
        config = f'<config key="kp" value="{self.number(1, 30)}"/><config key="ki" value="{self.number(0, 20)}"/><config key="kd" value="{self.number(0, 2)}"/>'
        config += self.pick("", '<config key="slewmax" value="3"/>') + self.pick("", '<config key="imax" value="2"/>')
        return f'<plugin{self.name("actuator")} plugin="mujoco.pid" joint="{self.one("joint")}"' + self.pick("", ' actdim="2"', ' dyntype="filter"') + f">{config}</plugin>"

    def actuators(self):
        return "<actuator>" + "".join(self.actuator() for _ in range(self.pick(0, 1, 2, 4, 6))) + self.pid() + "</actuator>"

    # ---- sensors ----

    def object(self, p=1.0):
        kinds = [k for k in ("body", "xbody", "geom", "site", "camera") if self.has("body" if k == "xbody" else k)]
        kind = self.random.choice(kinds)
        return kind, self.one("body" if kind == "xbody" else kind)

    def sensor(self, kind):
        common = self.name("sensor") + self.maybe(0.15, "cutoff", self.number(0.05, 3)) + self.maybe(0.1, "noise", ".1") + self.user() + self.history(True)
        if kind in SITE_SENSORS and self.has("site"):
            return f'<{kind} site="{self.one("site")}"{common}/>'
        if kind == "rangefinder" and self.has("site"):
            data = self.maybe(0.6, "data", self.pick("dist", "dist dir", "dist origin point", "point normal", "dist dir origin point normal depth", "depth", "normal"))
            if self.has("camera") and self.chance(0.3):
                return f'<rangefinder camera="{self.one("camera")}"{data}{common}/>'
            return f'<rangefinder site="{self.one("site")}"{data}{common}/>'
        if kind == "camprojection" and self.has("camera") and self.has("site"):
            return f'<camprojection site="{self.one("site")}" camera="{self.one("camera")}"{common}/>'
        if kind in ("jointpos", "jointvel", "jointactuatorfrc") and self.has("joint"):
            return f'<{kind} joint="{self.one("joint")}"{common}/>'
        if kind in ("ballquat", "ballangvel") and self.has("ball"):
            return f'<{kind} joint="{self.one("ball")}"{common.replace("cutoff", "user") if "user" not in common else common}/>' if "cutoff" not in common else f'<{kind} joint="{self.one("ball")}"/>'
        if kind.startswith("jointlimit") and self.limited["joint"]:
            return f'<{kind} joint="{self.random.choice(self.limited["joint"])}"{common}/>'
        if kind.startswith("tendonlimit"):
            return f'<{kind} tendon="{self.random.choice(self.limited["tendon"])}"{common}/>' if self.limited["tendon"] else ""
        if kind.startswith("tendon") and self.has("tendon"):
            return f'<{kind} tendon="{self.one("tendon")}"{common}/>'
        if kind.startswith("actuator") and self.has("actuator"):
            return f'<{kind} actuator="{self.one("actuator")}"{common}/>'
        if kind in FRAME_SENSORS or kind in ("framelinacc", "frameangacc"):
            a, b = self.object()
            text = f'<{kind} objtype="{a}" objname="{b}"'
            if kind in FRAME_SENSORS and self.chance(0.5):
                a, b = self.object()
                text += f' reftype="{a}" refname="{b}"'
            return text + ("" if "cutoff" in common and ("axis" in kind or "quat" in kind) else common) + "/>"
        if kind.startswith("subtree"):
            return f'<{kind} body="{self.one("body")}"{common}/>'
        if kind == "insidesite" and self.has("site"):
            a, b = self.object()
            return f'<insidesite site="{self.one("site")}" objtype="{a}" objname="{b}"{common}/>'
        if kind in ("distance", "normal", "fromto"):
            return self.distance(kind, common)
        if kind == "contact":
            return self.contact_sensor(common)
        if kind in ("e_potential", "e_kinetic", "clock"):
            return f"<{kind}{common}/>"
        if kind == "user":
            return f'<user dim="{self.pick(1, 3)}" needstage="{self.pick("pos", "vel", "acc")}"/>'
        if kind == "tactile" and not self.sleep:
            return f'<tactile geom="{self.one("geom")}" mesh="{self.one("mesh")}"/>'
        if kind == "touch_grid" and self.has("site"):
            self.plugins.add("mujoco.sensor.touch_grid")
            return f'<plugin{self.name("sensor")} plugin="mujoco.sensor.touch_grid" objtype="site" objname="{self.one("site")}"><config key="size" value="{self.pick("3 2", "1 4")}"/><config key="fov" value="{self.pick("40 30", "90 45")}"/><config key="gamma" value="{self.pick(0, 0.5)}"/><config key="nchannel" value="{self.pick(1, 3, 6)}"/></plugin>'
        return ""

    def distance(self, kind, common):
        sides = []
        for i in (1, 2):
            which = self.pick("geom", "body")
            sides.append((which, self.one(which), f' {which}{i}="'))
        if self.hfield:
            return ""
        if sides[0][:2] == sides[1][:2] or any(s[0] == "body" for s in sides) and self.chance(0.3):
            a, b = self.some("geom", 2)
            return f'<{kind} geom1="{a}" geom2="{b}" cutoff="{self.number(0, 1)}"/>'
        text = "".join(f'{s[2]}{s[1]}"' for s in sides)
        return f'<{kind}{text} cutoff="{self.number(0, 1)}"/>'

    def contact_sensor(self, common):
        words = ["found", "force", "torque", "dist", "pos", "normal", "tangent"]
        data = " ".join(w for w in words if self.chance(0.4)) or "found"
        text = f'<contact data="{data}"' + self.maybe(0.6, "num", self.random.randint(1, 5)) + self.maybe(0.6, "reduce", self.pick("none", "mindist", "maxforce", "netforce"))
        roll = self.random.random()
        if roll < 0.15 and self.has("site"):
            text += f' site="{self.one("site")}"'
        elif roll < 0.9:
            which = self.pick("geom", "body", "subtree")
            text += f' {which}1="{self.one("geom" if which == "geom" else "body")}"'
        if roll > 0.1 and self.chance(0.5):
            which = self.pick("geom", "body", "subtree")
            text += f' {which}2="{self.one("geom" if which == "geom" else "body")}"'
        return text + common + "/>"

    def sensors(self):
        every = [*SITE_SENSORS, *FRAME_SENSORS, "rangefinder", "rangefinder", "camprojection", "jointpos", "jointvel", "jointactuatorfrc", "ballquat",
                 "ballangvel", "jointlimitpos", "jointlimitvel", "jointlimitfrc", "tendonlimitpos", "tendonlimitvel", "tendonlimitfrc",
                 "tendonpos", "tendonvel", "tendonactuatorfrc", "actuatorpos", "actuatorvel", "actuatorfrc", "framelinacc", "frameangacc",
                 "subtreecom", "subtreelinvel", "subtreeangmom", "insidesite", "distance", "normal", "fromto", "contact", "contact", "contact",
                 "e_potential", "e_kinetic", "clock", "user", "tactile", "touch_grid"]
        chosen = [self.random.choice(every) for _ in range(self.pick(0, 3, 8, 15))]
        return "<sensor>" + "".join(self.sensor(kind) for kind in chosen) + "</sensor>"

    def rest(self):
        text = ""
        if self.chance(0.2) and self.has("body", 2):
            a, b = self.some("body", 2)
            text += f'<deformable><skin name="skin" vertex="0 0 0 1 0 0 0 1 0 0 0 1" texcoord="0 0 1 0 0 1 1 1" face="0 1 2 0 2 3" inflate=".01"><bone body="{a}" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 .5 1"/><bone body="{b}" bindpos="1 0 0" bindquat="0 1 0 0" vertid="1 3" vertweight=".5 1"/></skin></deformable>'
        if self.chance(0.3):
            text += f'<custom><numeric name="n" data="1 2" size="{self.pick(2, 4)}"/><text name="t" data="words of text"/><tuple name="u"><element objtype="body" objname="{self.one("body")}" prm=".5"/><element objtype="geom" objname="{self.one("geom")}"/></tuple></custom>'
        if self.chance(0.2):
            text += f'<keyframe><key name="home" time="1"/><key{self.maybe(0.5, "time", "2")}/></keyframe>'
        return text

    def extension(self):
        if not self.plugins:
            return ""
        inside = ""
        for plugin in sorted(self.plugins):
            instances = "".join(f'<instance name="{name}">{config}</instance>' for p, name, config in self.instances if p == plugin)
            inside += f'<plugin plugin="{plugin}">{instances}</plugin>'
        return f"<extension>{inside}</extension>"

    def model(self):
        self.instances, self.hfield = [], False
        assets = self.assets()
        world = "".join(self.body(0) for _ in range(self.pick(1, 2, 3, 4, 6)))
        world += self.ground() * self.chance(0.92) + self.site() * self.chance(0.7)
        wrap = f'<geom{self.name("geom")} type="{self.pick("sphere", "cylinder")}" size=".08 .3" pos="{self.vector(3, -0.3, 0.3)}" contype="0" conaffinity="0"/>'
        self.wrappable = [self.last("geom")]
        world += wrap
        # MuJoCo crashes on an inertia by the hull of a mesh that no geom uses
        world += "".join(f'<geom type="mesh" mesh="{mesh}" pos="{5 + i} 5 5"/>' for i, mesh in enumerate(self.names["mesh"]))
        if self.chance(0.15):
            world += self.replicate()
        if self.chance(0.07):
            world += self.cable()
        if not self.fuse and self.chance(0.2):
            world += self.camera() + self.light()
        world += self.attached
        sections = [f"<worldbody>{world}</worldbody>", self.contact(), self.tendons()]
        sections += [self.equality(), self.actuators(), self.sensors(), self.rest()]
        head = [self.compiler(), self.option(), self.small_sections(), self.extension(), self.defaults(), assets]
        return "<mujoco>" + "".join(head + sections) + "</mujoco>"


def world(seed):
    return World(seed).model()
