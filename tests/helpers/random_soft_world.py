"""Random worlds of random_world in which flexes stand and fall among the rigid bodies, all by a seed."""

import re

import random_flexcomp
from random_world import FILES, World  # noqa: F401


class SoftWorld(World):
    def place(self, text):
        """A flexcomp in the world, in a body of its own or in a frame, somewhere above the ground."""
        at = f'{self.vector(2, -0.3, 0.3)} {self.number(0.2, 0.7)}'
        roll = self.random.random()
        if roll < 0.4:
            return f'<frame pos="{at}">{text}</frame>'
        joint = self.pick("<freejoint/>", '<joint type="ball" damping=".1"/>', '<joint axis="1 0 0" damping=".1"/>', "")
        sleep = self.maybe(0.2 if self.sleep else 0, "sleep", self.pick("never", "allowed"))
        mocap = ' mocap="true"' if roll > 0.95 else ""
        geom = f'<geom{self.name("geom")} size=".04" mass="1" contype="0" conaffinity="0"/>'
        return f'<body{self.name("body")} pos="{at}"{mocap or sleep}>{"" if mocap else joint}{geom}{text}</body>'

    def soft(self):
        made = [random_flexcomp.flexcomp(self.random, f"soft{i}") for i in range(self.pick(1, 1, 2))]
        made.sort(key=lambda item: not item[1])  # MuJoCo overwrites memory otherwise
        return "".join(self.place(text.replace(' material="cloth"', "")) for text, _ in made)

    def model_asset(self):
        self.attached = ""  # its condim is 4
        return ""

    def sensor(self, kind):
        # MuJoCo's tactile sensors and touch grids read out of range where a flex touches
        return "" if kind in ("tactile", "touch_grid") else super().sensor(kind)

    def ground(self):
        text = super().ground()
        if self.hfield:  # MuJoCo reads uninitialised numbers where a flex touches a height field
            self.hfield = False
            text = f'<geom name="{self.last("geom")}" type="box" size="1 1 .1" pos="0 0 -.1"/>'
        return text + self.soft()


def world(seed):
    text = SoftWorld(seed).model()
    # rows of rotations of such contacts are undefined in MuJoCo unless they are dense
    return text if 'jacobian="dense"' in text else re.sub('condim="[46]"', 'condim="3"', text)
