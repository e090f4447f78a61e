"""Random models made of parts, all by a seed: attached models within attached models, includes, replicas of
replicas, frames, nested classes with defaults of every element, keyframes, tuples, assets from files.

`model(seed)` gives the text of the main model and the files that go with it.
"""

import random

import asset_files
from random_values import Values

TORUS = asset_files.torus(6, 0.4)
SMALL = (0.08 * TORUS[0], TORUS[1])
ASSETS = {
    "ring.obj": asset_files.obj(*SMALL), "ring.stl": asset_files.stl(*SMALL), "ring.msh": asset_files.msh(*SMALL, True, True),
    "cube.obj": (asset_files.CUBE + asset_files.QUADS).encode(), "grey.png": asset_files.png(4, 4, 8, 0), "rgb.png": asset_files.png(6, 4, 8, 2),
    "rgba.png": asset_files.png(4, 8, 8, 6), "sky.png": asset_files.png(4, 24, 8, 2), "land.png": asset_files.png(5, 6, 8, 0),
}
JOINT = {"damping": (0, 1), "armature": (0.01, 0.1), "stiffness": (0, 5), "frictionloss": (0, 0.3), "springref": (-0.3, 0.3), "margin": (0, 0.05)}
GEOM = {"density": (200, 3000), "friction": (0.1, 1), "solmix": (0.1, 2), "margin": (0, 0.02), "gap": (0, 0.01)}


class Part(Values):
    """A model on its own: the main one, or a file that others attach."""

    def __init__(self, rng, depth, files):
        self.random, self.depth, self.files = rng, depth, files
        self.count, self.names, self.classes = 0, {}, ["main"]
        self.radian = self.chance(0.4)
        self.children = []

    def attribute(self, p, name, value):
        return f' {name}="{value}"' if self.chance(p) else ""

    def some(self, table, p=0.25):
        return "".join(self.attribute(p, name, self.number(*span)) for name, span in table.items())

    def turn(self, p=0.5):
        scale = 1 if self.radian else 57
        kinds = {"quat": self.vector(4), "axisangle": self.vector(3) + f" {self.random.uniform(-scale, scale):.4g}", "xyaxes": self.vector(6),
                 "zaxis": self.vector(3), "euler": self.vector(3, -scale, scale)}
        kind = self.pick(*kinds)
        return self.attribute(p, kind, kinds[kind])

    def pose(self, p=0.7, reach=0.25):
        return self.attribute(p, "pos", self.vector(3, -reach, reach)) + self.turn(p)

    def style(self, p=0.25):
        return self.attribute(p, "class", self.pick(*self.classes)) if len(self.classes) > 1 else ""

    # ---- head ----

    def compiler(self):
        text = "<compiler" + (' angle="radian"' if self.radian else "") + ' balanceinertia="true"'
        text += self.attribute(0.3, "eulerseq", self.pick("zyx", "XYZ", "xZy", "yxy", "ZXZ")) + self.attribute(0.2, "autolimits", "true")
        text += self.attribute(0.2, "boundmass", ".01") + self.attribute(0.2, "boundinertia", ".0001") + self.attribute(0.1, "settotalmass", "4")
        text += self.attribute(0.2, "inertiafromgeom", self.pick("true", "auto")) + self.attribute(0.2, "inertiagrouprange", "0 3")
        text += self.attribute(0.2, "alignfree", self.pick("true", "false")) + self.attribute(0.1, "fitaabb", "true") + self.attribute(0.2, "saveinertial", "true")
        return text + "/>"

    def element_defaults(self):
        parts = [
            f"<geom{self.some(GEOM)}{self.attribute(0.2, 'condim', self.pick(1, 4, 6))}{self.attribute(0.2, 'type', self.pick('capsule', 'box', 'ellipsoid'))}{self.attribute(0.3, 'size', self.vector(3, 0.03, 0.1))}{self.attribute(0.2, 'rgba', self.vector(4, 0, 1))}{self.turn(0.15)}/>",
            f"<joint{self.some(JOINT)}{self.attribute(0.2, 'axis', self.vector(3))}{self.attribute(0.2, 'range', '-.5 .7' if self.radian else '-30 40')}{self.attribute(0.1, 'pos', self.vector(3, -0.1, 0.1))}/>",
            f"<site{self.attribute(0.4, 'size', self.vector(3, 0.01, 0.1))}{self.attribute(0.3, 'type', self.pick('box', 'capsule'))}{self.turn(0.2)}/>",
            f"<camera{self.attribute(0.4, 'fovy', 50)}{self.attribute(0.3, 'resolution', '3 4')}/>", f"<light{self.attribute(0.4, 'castshadow', 'false')}{self.attribute(0.4, 'dir', self.vector(3))}/>",
            f"<mesh{self.attribute(0.4, 'scale', self.vector(3, 0.5, 1.5))}{self.attribute(0.3, 'maxhullvert', 20)}{self.attribute(0.3, 'inertia', self.pick('exact', 'shell'))}/>",
            f"<material{self.attribute(0.4, 'specular', '.2')}{self.attribute(0.4, 'texrepeat', '2 2')}{self.attribute(0.3, 'rgba', self.vector(4, 0, 1))}/>",
            f"<pair{self.attribute(0.5, 'condim', 4)}{self.attribute(0.4, 'solref', '.03 1')}/>", f"<equality{self.attribute(0.5, 'solref', '.03 .9')}/>",
            f"<tendon{self.attribute(0.4, 'stiffness', 2)}{self.attribute(0.4, 'width', '.01')}{self.attribute(0.3, 'springlength', '.1 .3')}/>",
            f"<general{self.attribute(0.4, 'gainprm', self.vector(2))}{self.attribute(0.3, 'ctrlrange', '-1 1')}/>",
            f"<{self.pick('motor', 'position', 'velocity')}{self.attribute(0.4, 'gear', '2')}{self.attribute(0.3, 'forcerange', '-2 3')}/>",
        ]
        return "".join(part for part in parts if self.chance(0.4))

    def class_tree(self, depth):
        name = f"{self.pick('a', 'b', 'c')}{len(self.classes)}"
        self.classes.append(name)
        inside = "".join(self.class_tree(depth + 1) for _ in range(self.pick(0, 1, 2) if depth < 3 else 0))
        return f'<default class="{name}">{self.element_defaults()}{inside}</default>'

    def defaults(self):
        if not self.chance(0.7):
            return ""
        return f"<default>{self.element_defaults()}{''.join(self.class_tree(1) for _ in range(self.pick(0, 1, 2)))}</default>"

    def assets(self):
        text = ""
        for _ in range(self.pick(0, 1, 2)):
            file = self.pick("grey.png", "rgb.png", "rgba.png", "sky.png")
            layout = ' type="cube" gridsize="6 1" gridlayout="RLUDFB"' if file == "sky.png" else self.pick(' type="2d"', ' type="2d" hflip="true"', ' type="2d" vflip="true" nchannel="4"')
            text += f'<texture{self.name("texture")} file="{file}"{layout}/>'
        for texture in self.names.get("texture", []):
            layer = f'<layer texture="{texture}" role="{self.pick("rgb", "normal", "orm", "emissive")}"/>'
            text += f'<material{self.name("material")}{self.style()} texture="{texture}"/>' if self.chance(0.6) else f'<material{self.name("material")}>{layer}</material>'
        for _ in range(self.pick(1, 1, 2)):
            file = self.pick("ring.obj", "ring.stl", "ring.msh", "cube.obj")
            scale = self.attribute(0.5, "scale", self.pick("1 1 1", "-1 1 1", ".5 .7 .9"))
            if file == "cube.obj":
                scale = f' scale="{self.vector(3, 0.05, 0.1)}"'
            text += f'<mesh{self.name("mesh")} file="{file}"{scale}{self.attribute(0.3, "inertia", self.pick("exact", "shell", "legacy"))}'
            text += f'{self.attribute(0.2, "refpos", self.vector(3, -0.1, 0.1))}{self.attribute(0.2, "refquat", self.vector(4))}{self.attribute(0.2, "smoothnormal", "true")}{self.style(0.2)}/>'
        if self.depth == 0 and self.chance(0.3):
            text += '<hfield name="land" file="land.png" size="1 1 .2 .1"/>'
            self.names["hfield"] = ["land"]
        for _ in range(self.pick(0, 1, 1, 2) if self.depth < 2 else 0):
            child = Part(self.random, self.depth + 1, self.files)
            file = f"part{len(self.files)}.xml"
            self.files[file] = b""
            self.files[file] = child.model().encode()
            model = f"model{len(self.children)}"
            self.children.append((model, child))
            text += f'<model name="{model}" file="{file}"/>'
        return f"<asset>{text}</asset>"

    # ---- bodies ----

    def geom(self):
        text = "<geom" + self.name("geom") + self.style() + self.some(GEOM, 0.1)
        if self.chance(0.25):
            text += f' type="mesh" mesh="{self.pick(*self.names["mesh"])}"' + self.pose(0.4, 0.1)
        elif self.chance(0.2):
            text += f' type="{self.pick("capsule", "cylinder", "box")}" size="{self.number(0.02, 0.05)}" fromto="{self.vector(6, -0.15, 0.15)}"'
        else:
            text += f' type="{self.pick("sphere", "capsule", "box", "ellipsoid", "cylinder")}" size="{self.vector(3, 0.03, 0.1)}"' + self.pose(0.4, 0.1)
        if self.names.get("material"):
            text += self.attribute(0.2, "material", self.pick(*self.names["material"]))
        return text + self.attribute(0.2, "group", self.pick(0, 1, 4)) + self.attribute(0.1, "user", self.vector(2)) + "/>"

    def joint(self, top):
        if top and self.chance(0.25 if self.depth == 0 else 0.03):
            return self.pick("<freejoint/>", f'<freejoint{self.name("free")}/>', '<joint type="free"/>')
        kind = self.pick("hinge", "hinge", "slide", "ball")
        limits = f' range="0 {0.8 if self.radian else 50}"' if kind == "ball" else self.attribute(0.3, "range", "-.4 .5" if self.radian else "-20 30")
        axis = "" if kind == "ball" else self.attribute(0.7, "axis", self.vector(3))
        name = self.name("ball" if kind == "ball" else "joint")
        return f'<joint{name} type="{kind}"{self.style() if kind != "ball" else ""}{axis}{limits}{self.some(JOINT, 0.15) if kind != "ball" else ""}/>'

    def body(self, level=0):
        text = f'<body{self.name("body")}{self.pose(0.8)}{self.attribute(0.2, "childclass", self.pick(*self.classes))}{self.attribute(0.1, "gravcomp", ".5")}{self.attribute(0.1, "user", "1 2")}>'
        parts = [self.geom() for _ in range(self.pick(1, 1, 2))]
        parts += [f'<site{self.name("site")}{self.style()}{self.pose(0.5, 0.1)}/>' for _ in range(self.pick(0, 1, 1, 2))]
        parts += [f'<camera{self.name("camera")}{self.pose(0.5)}/>' for _ in range(self.chance(0.1))]
        parts += [f'<light{self.name("light")}{self.attribute(0.5, "pos", self.vector(3))}/>' for _ in range(self.chance(0.1))]
        if level < 2:
            parts += [self.body(level + 1) for _ in range(self.pick(0, 1, 1, 2))]
        parts += [self.attach() for _ in range(self.chance(0.3))]
        self.random.shuffle(parts)
        return text + (self.joint(level == 0) if self.chance(0.85) else "") + self.framed(parts) + "</body>"

    def framed(self, parts):
        """Some of the parts in frames, which may stand in one another."""
        if not self.chance(0.35) or not parts:
            return "".join(parts)
        cut = self.random.randint(0, len(parts) - 1)
        inside = self.framed(parts[cut:])
        name = self.name("frame") if self.chance(0.3) else ""
        return "".join(parts[:cut]) + f"<frame{name}{self.pose()}{self.attribute(0.2, 'childclass', self.pick(*self.classes))}>{inside}</frame>"

    def attach(self):
        if not self.children:
            return ""
        model, child = self.pick(*self.children)
        self.count += 1
        body = self.pick(*child.tops)
        inside = f'<attach model="{model}" body="{body}" prefix="{self.pick("p", "x_", "left/")}{self.count}"/>'
        return f"<frame{self.pose()}>{inside}</frame>" if self.chance(0.4) else inside

    def replicate(self, depth=0):
        """Copies of a small body, of copies of it, or of an attached model."""
        text = f'<replicate count="{self.random.randint(1, 3)}"{self.attribute(0.7, "offset", self.vector(3, -0.3, 0.3))}{self.attribute(0.5, "euler", self.vector(3, -0.5, 0.5) if self.radian else self.vector(3, -40, 40))}{self.attribute(0.4, "sep", self.pick("-", "_"))}>'
        if depth < 1 and self.chance(0.3):
            return text + self.replicate(depth + 1) + "</replicate>"
        self.count += 1
        n = self.count
        inside = f'<body name="copy{n}"{self.pose()}><joint name="copyj{n}" axis="0 1 0" damping=".1"/><geom size=".04"/><site name="copys{n}" pos="0 0 .05"/></body>'
        inside = self.pick(inside, f'<geom type="box" size=".02 .03 .04"{self.pose()}/>', f'<frame{self.pose()}>{inside}</frame>', f'<site name="copy{n}"{self.pose()}/>' + inside)
        return text + inside + "</replicate>"

    def world(self):
        tops, parts = [], []
        for _ in range(self.pick(1, 1, 2, 3)):
            before = len(self.names.get("body", []))
            parts.append(self.body())
            tops.append(self.names["body"][before])
        self.tops = tops
        parts += [self.replicate() for _ in range(self.chance(0.35))] + [self.attach() for _ in range(self.pick(0, 1, 2))]
        if self.depth == 0:
            parts.append('<geom type="hfield" hfield="land"/>' if self.names.get("hfield") else '<geom type="plane" size="1 1 .1" pos="0 0 -.4"/>')
        return f"<worldbody>{self.framed(parts) if self.depth == 0 else ''.join(parts)}</worldbody>"

    # ---- the rest ----

    def sections(self):
        names, text = self.names, ""
        joints, sites, bodies, geoms = (names.get(kind, []) for kind in ("joint", "site", "body", "geom"))
        if len(bodies) > 1 and self.chance(0.4):
            a, b = self.random.sample(bodies, 2)
            text += f'<contact><exclude{self.name("exclude")} body1="{a}" body2="{b}"/></contact>'
        if len(geoms) > 1 and self.chance(0.3):
            a, b = self.random.sample(geoms, 2)
            text += f'<contact><pair{self.name("pair")} geom1="{a}" geom2="{b}"{self.style(0.2)}/></contact>'
        if len(sites) > 1 and self.chance(0.5):
            a, b = self.random.sample(sites, 2)
            text += f'<tendon><spatial{self.name("tendon")}{self.style(0.2)}{self.attribute(0.4, "range", "0 .5")}><site site="{a}"/><site site="{b}"/></spatial></tendon>'
        if joints and self.chance(0.5):
            text += f'<tendon><fixed{self.name("tendon")}><joint joint="{self.pick(*joints)}" coef="{self.number()}"/></fixed></tendon>'
        if len(joints) > 1 and self.chance(0.4):
            a, b = self.random.sample(joints, 2)
            text += f'<equality><joint{self.name("eq")} joint1="{a}" joint2="{b}" polycoef="{self.vector(3, 0, 0.5)}"/></equality>'
        if len(bodies) > 1 and self.chance(0.4):
            a, b = self.random.sample(bodies, 2)
            text += f'<equality><{self.pick("weld", "connect")}{self.name("eq")} body1="{a}" body2="{b}"'.replace("<connect", f'<connect anchor="{self.vector(3, -0.1, 0.1)}"') + f'{self.attribute(0.2, "active", "false")}/></equality>'
        for _ in range(self.pick(0, 1, 2)):
            if joints:
                kind = self.pick("motor", "position", "velocity", "general", "intvelocity", "muscle")
                extra = {"intvelocity": ' actrange="-1 1"', "muscle": ' lengthrange="0 1"', "general": ' dyntype="filter" dynprm=".1"'}.get(kind, "")
                text += f'<actuator><{kind}{self.name("actuator")} joint="{self.pick(*joints)}"{extra}{self.style(0.2)}/></actuator>'
        if sites and self.chance(0.5):
            text += f'<sensor><{self.pick("gyro", "accelerometer", "touch", "rangefinder", "velocimeter")}{self.name("sensor")} site="{self.pick(*sites)}"/></sensor>'
        if self.chance(0.4):
            text += f'<sensor><framepos{self.name("sensor")} objtype="body" objname="{self.pick(*bodies)}" reftype="geom" refname="{self.pick(*geoms)}"/></sensor>'
        if names.get("actuator") and self.chance(0.4):
            text += f'<sensor><actuatorfrc{self.name("sensor")} actuator="{self.pick(*names["actuator"])}" nsample="2" delay=".004"/></sensor>'
        if self.chance(0.3):
            text += f'<custom><numeric{self.name("numeric")} data="{self.vector(3)}" size="{self.pick(3, 5)}"/><text{self.name("text")} data="some words"/><tuple{self.name("tuple")}><element objtype="body" objname="{self.pick(*bodies)}" prm=".5"/><element objtype="geom" objname="{self.pick(*geoms)}"/></tuple></custom>'
        if self.chance(0.35):
            text += f'<keyframe><key{self.name("key")}{self.attribute(0.5, "time", ".5")}/></keyframe>'
        return text

    def model(self):
        compiler, defaults = self.compiler(), self.defaults()
        assets = self.assets()
        world = self.world()
        option = ""
        if self.depth == 0 or self.chance(0.3):
            option = f'<option{self.attribute(0.6, "integrator", self.pick("RK4", "implicit", "implicitfast"))}{self.attribute(0.3, "timestep", ".001")}{self.attribute(0.4, "cone", "elliptic")}{self.attribute(0.3, "gravity", "0 1 -9")}/>'
        if self.depth == 0 and defaults and self.chance(0.3):
            self.files["defaults.xml"] = f"<mujoco>{defaults}</mujoco>".encode()
            defaults = '<include file="defaults.xml"/>'
        size = self.pick("", "", '<size nuser_body="3"/>')
        return f'<mujoco model="m{self.depth}">{compiler}{option}{size}{defaults}{assets}{world}{self.sections()}</mujoco>'


def model(seed):
    files = dict(ASSETS)
    return Part(random.Random(seed), 0, files).model(), files
