"""Models of our own and random ones with a few random changes, by the table of the language."""

import copy
import random
import re
import xml.etree.ElementTree as ET

import corpus
import random_flex_mesh
import random_flexcomp
from random_mjcf import random_model

SECTIONS = ("default worldbody asset contact equality tendon actuator sensor keyframe custom extension deformable "
            "visual option compiler size statistic").split()
# files, plugins and sizes of memory are not changed; counts stay small
FIXED = {"file", "plugin", "instance", "content_type", "meshdir", "texturedir", "assetdir", "model", "memory", "nstack",
         "njmax", "nconmax", "nkey", "strippath"}
SMALL = re.compile("nuser.*|count|nrow|ncol|width|height|dim|nsample")
REFERENCES = {"target": "body", "sidesite": "site", "refsite": "site", "cranksite": "site", "slidersite": "site",
              "jointinparent": "joint", "subtree1": "body", "subtree2": "body"}
REFERENCES |= {f"{kind}{n}": kind for n in ("", 1, 2)
               for kind in "body joint site geom tendon material mesh texture hfield camera actuator flex".split()}
NUMBERS = "0 1 -1 2 10 100 1e-3 0.5 -0.0 1e-10 45 90".split()


def _language():
    """Attributes of every element and how their text is read, from the page of the language."""
    tags, classes, path = {}, {}, None
    for line in (corpus.ROOT / "docs" / "mjcf.md").read_text().splitlines():
        if line.startswith("## "):
            path = line[3:].strip()
            tags[path] = {}
        elif path and (match := re.match(r"\| `([a-z_0-9]+)` \| (.*?) \|", line)):
            tags[path][match[1]] = match[2]
        elif match := re.match(r"In a class: settings for every \[(.*?)\]", line):
            classes[path] = match[1].replace("equality/tendon", "tendon/spatial"), re.findall("`([a-z_0-9]+)`", line)
    for path, (model, names) in classes.items():
        tags[path] = {name: tags[model].get(name) or tags["mujoco/equality/connect"][name] for name in names}
    return tags


LANGUAGE = _language()
BASES = [path for path in sorted(corpus.OWN.rglob("*.xml"))
         if path.stat().st_size < 20000 and not re.search(r"<(flex|composite|include|sinew:)", path.read_text())]
FLEXES = sorted((corpus.OWN / "flex").glob("*.xml"))
FLEXCOMPS = [path for path in sorted((corpus.OWN / "flexcomp").glob("*.xml")) if "sinew:" not in path.read_text()]


def _attributes(node, parents):
    """Attributes that an element may have where it is."""
    section = ([p.tag for p in parents if p.tag in SECTIONS] or [""])[-1]
    found = [path for path in LANGUAGE if path.split("/")[-1] == node.tag]
    inside = [path for path in found if f"/{section}" in path or (section == "worldbody" and "/body" in path)]
    return LANGUAGE[(inside or found)[0]] if found else {}


class Mutator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def number(self):
        if self.random.random() < 0.5:
            return self.random.choice(NUMBERS)
        return f"{self.random.uniform(*self.random.choice([(-2, 2), (0, 1)])):.4g}"

    def value(self, kind, names):
        words = re.findall(r"`(.*?)`", kind)
        if words:
            return " ".join(self.random.sample(words, 1 if kind.startswith("one") else self.random.randint(1, 2)))
        match = re.search(r", (?:up to )?(\d+)$", kind)
        count = int(match[1]) if match else 4 if kind == "quaternion" else 1
        if "up to" in kind:
            count = self.random.randint(1, count)
        if "any number" in kind:
            count = self.random.randint(1, 6)
        if self.random.random() < 0.03:
            count += self.random.choice([-1, 1])
        if kind.startswith(("real", "quat")):
            return " ".join(self.number() for _ in range(count))
        if kind.startswith("int"):
            return " ".join(str(self.random.choice([0, 1, 2, 3, 4, 5, 6, 7, 10, 31, -1])) for _ in range(count))
        return self.random.choice(names or ["x"]) if self.random.random() < 0.5 else self.random.choice(["", "x", "a b"])

    def set_attribute(self, node, parents, names, classes):
        attributes = _attributes(node, parents)
        if not attributes:
            return
        name = self.random.choice(list(attributes))
        everything = [n for group in names.values() for n in group]
        if name in FIXED or name == "name":
            return
        if SMALL.fullmatch(name):
            node.set(name, self.random.choice("0123"))
        elif name in ("class", "childclass"):
            node.set(name, self.random.choice(classes + ["main"]))
        elif name in REFERENCES:
            known = names.get(REFERENCES[name], []) + ["world"] * (REFERENCES[name] == "body")
            node.set(name, self.random.choice(known) if known and self.random.random() < 0.95 else "nothing")
        else:
            node.set(name, self.value(attributes[name], everything))

    def wrap(self, node, parent):
        around = ET.Element(self.random.choice(["frame", "frame", "replicate"]))
        if around.tag == "replicate":
            around.set("count", self.random.choice("123"))
        around.set(self.random.choice(["pos", "euler", "quat"] if around.tag == "frame" else ["offset", "euler"]), "")
        for name in list(around.attrib):
            if not around.get(name):
                around.set(name, " ".join(self.number() for _ in range(4 if name == "quat" else 3)))
        place = list(parent).index(node)
        parent.remove(node)
        around.append(node)
        parent.insert(place, around)

    def change(self, root):
        nodes = [(root, [])]
        for node, parents in nodes:
            nodes += [(child, parents + [node]) for child in node]
        names, classes = {}, [n.get("class") for n, _ in nodes if n.tag == "default" and n.get("class")]
        for node, _ in nodes:
            if node.get("name"):
                names.setdefault(node.tag, []).append(node.get("name"))
        node, parents = self.random.choice(nodes)
        kind = self.random.random()
        placed = parents and parents[-1].tag in ("body", "worldbody", "frame", "replicate")
        if kind < 0.55:
            self.set_attribute(node, parents, names, classes)
        elif kind < 0.7 and node.attrib:
            del node.attrib[self.random.choice(list(node.attrib))]
        elif kind < 0.78 and parents and node.tag not in ("worldbody", "default"):
            parents[-1].remove(node)
        elif kind < 0.86 and placed:
            self.wrap(node, parents[-1])
        elif kind < 0.93 and placed:
            target = self.random.choice([n for n, _ in nodes if n.tag in ("body", "worldbody", "frame")])
            if all(inner is not target for inner in node.iter()):
                parents[-1].remove(node)
                target.insert(self.random.randint(0, len(target)), node)
        elif parents and node.tag not in ("worldbody", "compiler"):
            twin = copy.deepcopy(node)
            for inner in twin.iter():
                if inner.get("name"):
                    inner.set("name", inner.get("name") + "_c")
            parents[-1].append(twin)


def _changed(mutator, text):
    # words of our own are not MuJoCo's
    root = ET.fromstring(re.sub(' sinew:[a-z_]*="[^"]*"', "", text))
    if mutator.random.random() < 0.3 and root.find("compiler") is None:
        root.insert(0, ET.Element("compiler"))
    for _ in range(mutator.random.randint(1, 4)):
        mutator.change(root)
    return ET.tostring(root, encoding="unicode")


def mutated_model(seed):
    """MJCF and the folder of its files."""
    mutator = Mutator(seed)
    if mutator.random.random() < 0.5:
        path = mutator.random.choice(BASES)
        text, folder = path.read_text(), path.parent
    else:
        text, folder = random_model(seed), corpus.OWN
    return _changed(mutator, text), folder


def mutated_flex(seed):
    """The same with flexes."""
    mutator = Mutator(seed)
    text = mutator.random.choice(FLEXES).read_text() if seed % 2 else random_flex_mesh.model(seed)
    text = _changed(mutator, text)
    # what the reader makes of these depends on what it read before
    return re.sub(r' (passive|vertcollide)="[^"]*"', "", text), corpus.OWN


def mutated_flexcomp(seed):
    """The same with flexcomps."""
    mutator = Mutator(seed)
    text = mutator.random.choice(FLEXCOMPS).read_text() if seed % 4 == 0 else random_flexcomp.model(seed)
    text = _changed(mutator, text)
    # counts of three, or MuJoCo's closed surfaces do not end; so many as to be quick
    text = re.sub(r' count="([^" ]*)"', r' count="\1 2 2"', text)
    if re.search('type="(box|cylinder|ellipsoid)"', text):
        text = re.sub(r' count="[^"]*\b1\b[^"]*"', ' count="2 3 2"', text)
    return text, corpus.OWN / "flexcomp"
