"""Random robots in URDF, with the MuJoCo extension and meshes, all by a seed.

`model(seed)` gives the text, `FILES` the meshes that go with it.
"""

import random
import struct

from random_values import Values

CORNERS = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.07, 0.08) for z in (-0.05, 0.12)]
FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]


def stl():
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *CORNERS[a], *CORNERS[b], *CORNERS[c], 0) for a, b, c in FACES)
    return b"\0" * 80 + struct.pack("<I", len(FACES)) + body


def obj():
    lines = [f"v {x} {y} {z}" for x, y, z in CORNERS] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in FACES]
    return "\n".join(lines).encode() + b"\n"


FILES = {"box.stl": stl(), "part.obj": obj()}


class Robot(Values):
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.names = {}
        self.strip = self.chance(0.5)
        self.materials = ["grey", "red"]

    def maybe(self, p, text):
        return text if self.chance(p) else ""

    def origin(self, p=0.7):
        xyz = self.maybe(0.8, f' xyz="{self.vector(3, -0.3, 0.3)}"')
        rpy = self.maybe(0.6, f' rpy="{self.vector(3, -3, 3)}"')
        return self.maybe(p, f"<origin{xyz}{rpy}/>")

    def mesh(self):
        name = self.pick("box.stl", "part.obj")
        prefix = self.pick("", "package://", "package://pkg/meshes/", "meshes/", "file://") if self.strip else ""
        scale = self.maybe(0.4, f' scale="{self.pick("1 1 1", self.vector(3, 0.3, 2), "1 -1 1", ".5 .5 .5")}"')
        return f'<mesh filename="{prefix}{name}"{scale}/>'

    def geometry(self):
        kind = self.pick("box", "cylinder", "sphere", "mesh", "capsule")
        inside = {
            "box": f'<box size="{self.vector(3, 0.05, 0.3)}"/>', "sphere": f'<sphere radius="{self.number(0.02, 0.2)}"/>',
            "cylinder": f'<cylinder radius="{self.number(0.02, 0.1)}" length="{self.number(0.05, 0.4)}"/>',
            "capsule": f'<capsule radius="{self.number(0.02, 0.1)}" length="{self.number(0.05, 0.4)}"/>', "mesh": self.mesh(),
        }[kind]
        return f"<geometry>{inside}</geometry>"

    def shape(self, tag):
        name = self.maybe(0.3, self.name(tag))
        colour = ""
        if tag == "visual" and self.chance(0.6):
            own = f'<color rgba="{self.vector(4, 0, 1)}"/>' if self.chance(0.5) else ""
            colour = f'<material name="{self.pick(*self.materials)}">{own}</material>'
        return f"<{tag}{name}>{self.origin()}{self.geometry()}{colour}</{tag}>"

    def inertial(self):
        a, b, c = (self.random.uniform(0.01, 0.02) for _ in range(3))
        off = [self.random.uniform(-0.002, 0.002) if self.chance(0.5) else 0 for _ in range(3)]
        if self.chance(0.03):
            c = 0.5  # breaks the triangle inequality
        inertia = f'<inertia ixx="{a:.5g}" ixy="{off[0]:.5g}" ixz="{off[1]:.5g}" iyy="{b:.5g}" iyz="{off[2]:.5g}" izz="{c:.5g}"/>'
        mass = self.pick(self.number(0.1, 4), self.number(0.1, 4), self.number(0.1, 4), "0")
        return f'<inertial>{self.origin(0.6)}<mass value="{mass}"/>{inertia}</inertial>'

    def link(self, name):
        parts = [self.inertial()] if self.chance(0.8) else []
        parts += [self.shape("visual") for _ in range(self.pick(0, 1, 1, 2))]
        parts += [self.shape("collision") for _ in range(self.pick(0, 1, 1, 2))]
        self.random.shuffle(parts)
        return f'<link name="{name}">{"".join(parts)}</link>'

    def joint(self, parent, child, index):
        kind = self.pick("revolute", "revolute", "continuous", "prismatic", "fixed", "floating", "planar")
        text = f'<joint name="j{index}" type="{kind}">{self.origin(0.9)}<parent link="{parent}"/><child link="{child}"/>'
        if kind not in ("fixed", "floating"):
            text += self.maybe(0.8, f'<axis xyz="{self.pick("1 0 0", "0 0 1", "0 -1 0", self.vector(3))}"/>')
        if kind in ("revolute", "prismatic") or self.chance(0.2):
            low, high = sorted(self.random.uniform(-1.5, 1.5) for _ in range(2))
            bounds = self.pick(f'lower="{low:.4g}" upper="{high:.4g}"', f'lower="{low:.4g}" upper="{high:.4g}"', f'upper="{abs(high) + 0.1:.4g}"', "")
            text += f'<limit {bounds} {self.maybe(0.7, "effort=" + chr(34) + self.number(1, 50) + chr(34))} velocity="3"/>'
        if self.chance(0.5):
            friction = self.maybe(0.6, f'friction="{self.number(0, 0.5)}"')
            text += f'<dynamics {self.maybe(0.7, "damping=" + chr(34) + self.number(0, 2) + chr(34))} {friction}/>'
        text += self.maybe(0.1, '<mimic joint="j0" multiplier="2" offset=".1"/>') + self.maybe(0.1, '<safety_controller k_velocity="1"/>')
        return text + "</joint>"

    def extension(self):
        if not self.chance(0.8):
            return ""
        text = "".join(
            self.maybe(p, f' {name}="{self.pick(*values)}"')
            for p, name, values in (
                (0.3, "angle", ("radian", "degree")), (0.5, "discardvisual", ("true", "false")), (0.5, "fusestatic", ("true", "false")),
                (0.3, "balanceinertia", ("true",)), (0.2, "boundmass", (".01",)), (0.2, "boundinertia", (".001",)),
                (0.2, "inertiafromgeom", ("true", "auto", "false")), (0.1, "settotalmass", ("5",)), (0.2, "inertiagrouprange", ("0 0", "0 3", "1 1")),
                (0.2, "autolimits", ("true", "false")), (0.2, "eulerseq", ("xyz", "ZYX")), (0.2, "alignfree", ("true",)), (0.2, "fitaabb", ("true",))))
        text += f' strippath="{str(self.strip).lower()}"' if not self.strip or self.chance(0.5) else ""
        option = self.maybe(0.3, f'<option timestep="{self.pick(".001", ".004")}" integrator="{self.pick("Euler", "implicit", "RK4")}" gravity="0 1 -9"/>')
        size = self.maybe(0.2, '<size njmax="400" nconmax="100"/>')
        return f"<mujoco><compiler{text}/>{option}{size}</mujoco>"

    def model(self):
        links = [f"link{i}" for i in range(self.random.randint(1, 7))]
        joints = [self.joint(links[self.random.randrange(i)] if self.chance(0.5) else links[i - 1], links[i], i - 1) for i in range(1, len(links))]
        parts = [self.link(name) for name in links] + joints
        parts.append('<material name="grey"><color rgba=".5 .5 .5 1"/></material>')
        parts.append('<material name="red"><color rgba="1 0 0 .5"/></material>')
        parts += ['<transmission name="t"><type>x</type></transmission>'] * self.chance(0.1) + ['<gazebo reference="link0"/>'] * self.chance(0.1)
        self.random.shuffle(parts)
        return f'<robot name="robot">{self.extension()}{"".join(parts)}</robot>'


def model(seed):
    return Robot(seed).model()
