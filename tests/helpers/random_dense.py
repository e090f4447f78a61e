"""Random worlds in which every element has many attributes, all by a seed.

Attributes come from the table of the language, so that none is forgotten, with values that a model of the field might have.
MuJoCo decides which of them stay: what it refuses is taken back. `model(seed)` gives the text and the files that go with it.
"""

import multiprocessing
import os
import random
import xml.etree.ElementTree as ET

import mujoco

import mutated_mjcf
import random_compose
import random_world

# what most values of an attribute lie between; the others are between 0 and 1
SPANS = {
    "pos": (-0.2, 0.2), "quat": (-1, 1), "euler": (-40, 40), "axisangle": (-1, 1), "xyaxes": (-1, 1), "zaxis": (-1, 1), "axis": (-1, 1),
    "dir": (-1, 1), "density": (50, 3000), "mass": (0.1, 3), "size": (0.03, 0.2), "fromto": (-0.2, 0.2), "friction": (0.05, 1.2),
    "stiffness": (0, 30), "damping": (0, 2), "armature": (0, 0.2), "frictionloss": (0, 0.5), "margin": (0, 0.04), "gap": (0, 0.02),
    "solmix": (0.1, 3), "gravcomp": (0, 1.5), "ref": (-0.4, 0.4), "springref": (-0.4, 0.4), "kp": (1, 40), "kv": (0, 4), "gear": (-3, 3),
    "gainprm": (-4, 4), "biasprm": (-3, 0.5), "dynprm": (0.01, 0.4), "fovy": (10, 100), "cutoff": (0.05, 3), "delay": (0, 0.02),
    "interval": (0.001, 0.02), "anchor": (-0.2, 0.2), "relpose": (-0.5, 0.5), "polycoef": (-1, 1), "torquescale": (0.1, 3), "coef": (-2, 2),
    "timestep": (0.0005, 0.006), "gravity": (-9, 3), "wind": (-2, 2), "magnetic": (-1, 1), "viscosity": (0, 0.1), "impratio": (0.3, 12),
    "o_margin": (0, 0.05), "data": (-2, 2), "prm": (-2, 2), "springlength": (0.1, 0.6), "cranklength": (0.3, 3), "force": (1, 30),
    "scale": (0.4, 1.6), "refpos": (-0.1, 0.1), "refquat": (-1, 1), "inheritrange": (0.5, 1.3), "divisor": (1, 4), "fluidcoef": (0, 1.5),
    "offset": (-0.3, 0.3), "lmin": (0.2, 0.6), "lmax": (1.4, 1.9), "vmax": (1, 2), "fpmax": (1, 2), "fvmax": (1.1, 1.6), "center": (-1, 1),
    "extent": (0.3, 4), "time": (0, 3), "ipd": (0, 0.2), "principal": (-0.01, 0.01), "sensorsize": (0.01, 0.1), "focal": (0.01, 0.1),
    "maxhullvert": (4, 20), "settotalmass": (1, 20), "boundmass": (0.01, 0.4), "boundinertia": (1e-4, 1e-2), "user": (-2, 2),
}
INTS = {
    "group": (0, 5), "contype": (0, 7), "conaffinity": (0, 7), "condim": (1, 6), "priority": (-1, 3), "iterations": (1, 60), "ls_iterations": (1, 60),
    "noslip_iterations": (0, 8), "ccd_iterations": (5, 60), "sdf_iterations": (1, 12), "sdf_initpoints": (4, 40), "actdim": (1, 3), "num": (1, 5),
    "maxhullvert": (4, 20), "inertiagrouprange": (0, 5), "resolution": (1, 8), "nsample": (0, 6), "nuserdata": (0, 5), "nkey": (0, 4),
}
WORDS = {"eulerseq": ("xyz", "zyx", "XYZ", "xZy", "YXy", "zxz"), "sep": ("-", "_", ""), "data": ("some words", "a", "")}
RANGES = {"range", "ctrlrange", "forcerange", "actrange", "actuatorfrcrange", "lengthrange"}
FEW = {"coordinate", "model", "name", "file", "prefix", "count", "width", "height", "nrow", "ncol", "builtin", "params", "vertex", "face",
       "elevation", "gridsize", "gridlayout", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback", "texcoord", "normal",
       "offsamples", "offwidth", "offheight", "curve", "initial", "bindpos", "bindquat", "vertid", "vertweight", "dim"} | mutated_mjcf.FIXED


class Enricher(mutated_mjcf.Mutator):
    def number(self):
        return f"{self.random.uniform(0, 1):.4g}"

    def between(self, span, count):
        return " ".join(f"{self.random.uniform(*span):.4g}" for _ in range(count))

    def value(self, kind, names, name=""):
        if name in WORDS and not kind.startswith(("real", "int")):
            return self.random.choice(WORDS[name])
        count = self.random.randint(1, 5) if "any number" in kind else int(kind.split()[-1]) if kind[-1].isdigit() else 4 if kind == "quaternion" else 1
        if "up to" in kind and name not in ("size", "gear"):
            count = self.random.randint(1, count)
        if name in RANGES:
            low = self.random.uniform(-0.7, 0.2) if name != "lengthrange" else self.random.uniform(0.1, 0.3)
            scale = 57 if name == "range" and self.random.random() < 0.5 else 4 if name == "forcerange" else 1
            return f"{scale * low:.4g} {scale * (low + self.random.uniform(0.1, 1)):.4g}"
        if name.startswith("solref"):
            return self.random.choice([self.between((0.005, 0.1), 1), f"{self.between((0.005, 0.1), 1)} {self.between((0.3, 1.5), 1)}",
                                       f"-{self.between((50, 500), 1)} -{self.between((1, 30), 1)}"])
        if name.startswith("solimp"):
            parts = [self.between(span, 1) for span in ((0, 0.95), (0.8, 0.99), (0.0005, 0.1), (0.1, 0.9), (1, 4))]
            return " ".join(parts[:count])
        if kind.startswith(("real", "quat")) and name in SPANS:
            return self.between(SPANS[name], count)
        if kind.startswith("int") and name in INTS:
            return " ".join(str(n) for n in sorted(self.random.randint(*INTS[name]) for _ in range(count)))
        return super().value(kind, names)

    def attributes(self, node, parents):
        return {name: kind for name, kind in mutated_mjcf._attributes(node, parents).items() if name not in FEW}

    def enrich(self, node, parents, names, classes):
        """Sets some attributes of an element; gives what they were."""
        known, before = self.attributes(node, parents), dict(node.attrib)
        for name in self.random.sample(sorted(known), min(len(known), self.random.choice((1, 2, 4)))):
            if name in ("class", "childclass"):
                node.set(name, self.random.choice(classes + ["main"]))
            elif name in mutated_mjcf.REFERENCES:
                known_names = names.get(mutated_mjcf.REFERENCES[name], [])
                if known_names:
                    node.set(name, self.random.choice(known_names))
            else:
                node.set(name, self.value(known[name], [], name))
        return before


SECTIONS = ("compiler", "option", "size", "statistic", "visual")
PARTS = {"visual": ("global", "quality", "headlight", "map", "scale", "rgba"), "option": ("flag",)}
CLASSES = ("geom joint site camera light mesh material pair equality tendon general motor position velocity intvelocity damper cylinder "
           "muscle adhesion").split()


def _with_sections(rng, root):
    """The sections of settings and the defaults of every element, so that they can get attributes."""
    for tag in SECTIONS:
        if root.find(tag) is None and rng.random() < 0.5:
            root.insert(0, ET.Element(tag))
        for node in root.findall(tag):
            for part in PARTS.get(tag, ()):
                if node.find(part) is None:
                    ET.SubElement(node, part)
    for node in root.iter("default"):
        for tag in CLASSES:
            if node.find(tag) is None and rng.random() < 0.25:
                node.insert(0, ET.Element(tag))


def _nodes(root):
    nodes = [(root, [])]
    for node, parents in nodes:
        nodes += [(child, parents + [node]) for child in node]
    return nodes


def _takes(text, files):
    try:
        return mujoco.MjModel.from_xml_string(text, files) is not None
    except (ValueError, mujoco.FatalError):
        return False


def _enrich(seed, text, files, tries, pipe):
    for quiet in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), quiet)
    enricher = Enricher(seed)
    root = ET.fromstring(text)
    _with_sections(enricher.random, root)
    nodes = _nodes(root)
    names, classes = {}, [n.get("class") for n, _ in nodes if n.tag == "default" and n.get("class")]
    for node, _ in nodes:
        if node.get("name"):
            names.setdefault("joint" if node.tag == "freejoint" else node.tag, []).append(node.get("name"))
    for _ in range(tries):
        changed = [(node, enricher.enrich(node, parents, names, classes)) for node, parents in enricher.random.sample(nodes, min(3, len(nodes)))]
        new = ET.tostring(root, encoding="unicode")
        if _takes(new, files):
            pipe.send(new)
            continue
        for node, before in changed:
            node.attrib.clear()
            node.attrib.update(before)


def model(seed, tries=60):
    rng = random.Random(seed)
    text, files = (random_world.world(seed), random_world.FILES) if rng.random() < 0.7 else random_compose.model(seed)
    # in a process of its own: MuJoCo may crash on what is tried
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_enrich, args=(seed, text, files, tries, theirs))
    process.start()
    theirs.close()
    try:
        while ours.poll(20):
            text = ours.recv()
    except EOFError:
        pass
    process.kill()
    process.join()
    return text, files
