"""Random models with flexcomps and flexes: every type, dof, pin, elasticity and equality."""

import random
import re

TYPES = ["grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle", "direct"]
DOFS = ["full", "full", "radial", "trilinear", "quadratic"]


def numbers(values):
    return " ".join(f"{value:.6g}" for value in values)


def attributes(pairs):
    return "".join(f' {name}="{value}"' for name, value in pairs.items() if value is not None)


def tetrahedra(rng):
    """A strip of tetrahedra with some points that no element has."""
    count = rng.randint(4, 9)
    points = [(0.1 * i, 0.13 * (i % 2), 0.17 * (i % 3) + 0.01 * i * i) for i in range(count)]
    elements = [(i, i + 1, i + 2, i + 3) for i in range(count - 3)]
    return points, elements


def triangles(rng):
    """A strip of triangles, mostly flat."""
    count = rng.randint(3, 9)
    bend = rng.choice([0, 0, 0.05])
    points = [(0.1 * i, 0.1 * (i % 2), bend * (i % 3)) for i in range(count)]
    elements = [(i, i + 1, i + 2) if i % 2 else (i, i + 2, i + 1) for i in range(count - 2)]
    return points, elements


def lines(rng):
    count = rng.randint(2, 7)
    points = [(0.1 * i, 0.02 * i * i, 0.03 * (i % 2)) for i in range(count)]
    return points, [(i, i + 1) for i in range(count - 1)]


def direct(rng, dim):
    points, elements = {1: lines, 2: triangles, 3: tetrahedra}[dim](rng)
    unused = rng.random() < 0.4
    if unused:
        at = rng.randrange(len(points))
        points.insert(at, (0.5, 0.5, 0.5))
        elements = [tuple(i + (i >= at) for i in element) for element in elements]
    if rng.random() < 0.2:
        rng.shuffle(elements)
    return points, elements


def pins(rng, kind, dim, counts, npoint, interpolated):
    """Elements pin; ids are kept in range and leave one point free."""
    text = ""
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        what = rng.choice(["id", "range", "grid", "gridrange"])
        if what == "id":
            ids = [rng.randrange(npoint - 1) for _ in range(rng.randint(1, 4))]
        elif what == "range":
            ids = sorted(rng.randrange(npoint - 1) for _ in range(2))
        elif dim == 1 or not (kind == "grid" or interpolated and kind == "direct"):
            continue
        else:
            low = [rng.randrange(side) for side in counts[:dim]]
            ids = low
            if what == "gridrange":
                ids = low + [rng.randrange(start, side) for start, side in zip(low, counts)]
            if all(i == side - 1 for i, side in zip(ids[-dim:], counts)):
                continue
        text += f'<pin {what}="{" ".join(map(str, ids))}"/>'
    return text


def shape_points(kind, dim, counts, points):
    """Number of points of a shape."""
    a, b, c = counts
    if kind == "direct":
        return len(points)
    if kind in ("box", "cylinder", "ellipsoid"):
        if dim == 3:
            return 1 + a * b * c - max(a - 2, 0) * max(b - 2, 0) * max(c - 2, 0)
        return a * b * c - max(a - 2, 0) * max(b - 2, 0) * (c - 1)
    if kind == "circle":
        return a - 1
    return [a, a * b, a * b * c][dim - 1]


def contact(rng, interpolated, dim):
    pairs = {}
    if interpolated:
        pairs["selfcollide"] = "none"
    elif rng.random() < 0.5:
        pairs["selfcollide"] = rng.choice(["none", "narrow", "bvh", "sap", "auto"])
    if rng.random() < 0.4:
        pairs.update(contype=rng.randint(0, 3), conaffinity=rng.randint(0, 3),
                     condim=rng.choice([1, 3, 4, 6]), priority=rng.randint(-1, 2))
    if rng.random() < 0.4:
        pairs.update(friction=numbers([rng.random() for _ in range(rng.randint(1, 3))]),
                     solmix=rng.choice([0.5, 2]), solref="0.01 1", solimp="0.9 0.95 0.01")
    if rng.random() < 0.3:
        pairs.update(margin=0.001, gap=0.0005)
    if rng.random() < 0.3 and not interpolated:
        pairs["internal"] = rng.choice(["true", "false"])
    if rng.random() < 0.2:
        pairs["activelayers"] = rng.randint(1, 3)
    if rng.random() < 0.2:
        pairs["vertcollide"] = rng.choice(["true", "false"])
    if rng.random() < 0.2:
        pairs["passive"] = rng.choice(["true", "false"])
    return f"<contact{attributes(pairs)}/>"


def elasticity(rng, dim, bend):
    pairs = {}
    if rng.random() < 0.7:
        pairs.update(young=numbers([10 ** rng.uniform(1, 5)]), poisson=numbers([rng.uniform(0, 0.45)]))
    if rng.random() < 0.4:
        pairs["damping"] = numbers([rng.random()])
    if dim == 2 and rng.random() < 0.8:
        pairs["thickness"] = numbers([rng.uniform(0.001, 0.02)])
        pairs["elastic2d"] = rng.choice(["none", "stretch"] + (["bend", "both"] if bend else []))
    return pairs


def edge(rng, dim, kind, elastic):
    pairs = {}
    planar = dim == 2 and kind in ("grid", "square")
    if elastic.get("elastic2d") not in ("stretch", "both") and rng.random() < 0.5:
        pairs["equality"] = rng.choice(["true", "false"] + (["vert"] if planar else []))
        if rng.random() < 0.5:
            pairs.update(solref="0.03 1.1", solimp="0.8 0.9 0.002")
    if dim == 1 and rng.random() < 0.5:
        pairs["stiffness"] = numbers([10 * rng.random()])
    if rng.random() < 0.4:
        pairs["damping"] = numbers([rng.random()])
    return pairs


def pose(rng):
    pairs = {}
    if rng.random() < 0.5:
        pairs["pos"] = numbers([rng.uniform(-1, 1) for _ in range(3)])
    form = rng.choice(["quat", "euler", "axisangle", "xyaxes", "zaxis", None, None, None, None])
    size = {"quat": 4, "euler": 3, "axisangle": 4, "xyaxes": 6, "zaxis": 3}.get(form)
    if form:
        pairs[form] = numbers([rng.uniform(-1, 1) + 0.1 for _ in range(size)])
    return pairs


def has_forces(pairs, edges, elastic, interpolated):
    """Whether MuJoCo has rows for the edges of a flex."""
    active = edges.get("equality", "false") != "false"
    active |= bool({"stiffness", "damping"} & set(edges)) or "damping" in elastic
    return active and not interpolated and "rigid" not in pairs


def flexcomp(rng, name):
    """One flexcomp that MuJoCo mostly takes, and whether it has forces along its edges."""
    kind = rng.choice(TYPES)
    dim = {"circle": 1, "square": 2, "disc": 2}.get(kind, rng.randint(1, 3))
    if kind in ("box", "cylinder", "ellipsoid"):
        dim = rng.choice([2, 3, 3])
    dof = rng.choice(DOFS)
    if dof == "radial" and kind not in ("box", "cylinder", "ellipsoid", "grid", "direct"):
        dof = "full"
    interpolated = dof in ("trilinear", "quadratic")
    if interpolated and dim != 3:
        dof, interpolated = "full", False
    least = 2 if kind in ("box", "cylinder", "ellipsoid") else 1
    counts = [rng.randint(max(least, 2), 4) for _ in range(3)]
    if interpolated:
        # grid pins of what is no grid count nodes
        nodes = 2 if dof == "trilinear" else 3
        counts = [nodes if kind == "direct" else rng.choice([3, 4, 5]) for _ in range(3)]
    counts[dim:] = [1] * (3 - dim) if kind not in ("box", "cylinder", "ellipsoid") else counts[dim:]
    if kind == "circle":
        counts = [rng.randint(4, 9), 1, 1]
    points, elements = direct(rng, dim) if kind == "direct" else ([], [])
    spacing = [rng.uniform(0.05, 0.3) for _ in range(3)]
    pairs = {"name": name, "type": kind, "dim": dim, "dof": dof, "count": " ".join(map(str, counts)),
             "spacing": numbers(spacing), "radius": numbers([rng.uniform(0.001, 0.02)])}
    pairs.update(pose(rng))
    if kind == "direct":
        pairs["point"] = numbers(sum(points, ()))
        pairs["element"] = " ".join(map(str, sum(elements, ())))
        if rng.random() < 0.4 and dim > 1:
            pairs["texcoord"] = numbers(0.1 * i for i in range(2 * len(points)))
        if rng.random() < 0.5:
            pairs["scale"] = numbers([rng.uniform(0.5, 2) for _ in range(3)])
    for key, value in (("mass", rng.uniform(0.1, 9)), ("inertiabox", rng.uniform(0.001, 0.1)),
                       ("rgba", None), ("group", rng.randint(0, 5))):
        if rng.random() < 0.5:
            pairs[key] = numbers([rng.random() for _ in range(4)]) if key == "rgba" else \
                value if key == "group" else numbers([value])
    if rng.random() < 0.1:
        pairs["rigid"] = "true"
    if rng.random() < 0.2:
        pairs["flatskin"] = rng.choice(["true", "false"])
    if rng.random() < 0.3 and not (dim == 2 and kind in ("box", "cylinder", "ellipsoid")) and dim > 1:
        pairs["material"] = "cloth"
    npoint = shape_points(kind, dim, counts, points)
    pinned = pins(rng, kind, dim, counts, npoint, interpolated)
    elastic = elasticity(rng, dim, not pinned and dof == "full" and "rigid" not in pairs)
    if interpolated and (kind == "direct" or dof == "quadratic"):
        elastic.pop("young", None)
    edges = {} if interpolated or "rigid" in pairs else edge(rng, dim, kind, elastic)
    if "rigid" not in pairs and not has_forces(pairs, edges, elastic, interpolated) and rng.random() < 0.1:
        pinned = f'<pin range="0 {npoint - 1}"/>'
    if "rigid" in pairs or f'range="0 {npoint - 1}"' in pinned:
        elastic.pop("damping", None)  # MuJoCo 3.5.0 writes rows that are not there
    parts = [contact(rng, interpolated, dim), f"<elasticity{attributes(elastic)}/>",
             f"<edge{attributes(edges)}/>"]
    rng.shuffle(parts)
    text = f"<flexcomp{attributes(pairs)}>{''.join(parts)}{pinned}</flexcomp>"
    return text, has_forces(pairs, edges, elastic, interpolated)


def bodies(rng, flexes):
    """Flexcomps in the world, in static and in moving bodies, and in frames."""
    text = ""
    for i, flex in enumerate(flexes):
        where = rng.randrange(5)
        if where == 0:
            text += flex
            continue
        pairs = {"name": f"parent{i}", "pos": numbers([i, rng.uniform(-1, 1), 1])}
        if rng.random() < 0.3:
            pairs["euler"] = numbers([rng.uniform(-1, 1) for _ in range(3)])
        if rng.random() < 0.3:
            pairs["childclass"] = "soft"
        inside = '<freejoint/><geom size="0.05" mass="1"/>' if where == 1 else ""
        if where == 2:
            inside = '<joint type="hinge" axis="0 1 0"/><geom size="0.05" mass="1"/>'
        if where == 3:
            flex = f'<frame pos="1 2 3" childclass="soft">{flex}</frame>'
        text += f"<body{attributes(pairs)}>{inside}{flex}</body>"
    return text


DEFAULTS = [
    "",
    '<default><joint damping="0.1" group="2"/><equality solref="0.04 1"/></default>',
    '<default><geom group="1" condim="4"/><default class="soft"><joint armature="0.01"/>'
    '<geom rgba="1 0 0 1"/></default></default>',
]


def model(seed):
    """Text of a model with one to three flexcomps and what stands around them."""
    rng = random.Random(seed)
    made = [flexcomp(rng, f"f{i}") for i in range(rng.choice([1, 1, 2, 3]))]
    # a flex with forces that follows one without overwrites memory in MuJoCo 3.5.0; so does an
    # immobile one with forces
    made.sort(key=lambda item: not item[1])
    if len(made) > 1:
        made = [(re.sub("<pin[^>]*>", "", text), forces) for text, forces in made]
    flexes = [text for text, _ in made]
    defaults = DEFAULTS[2] if rng.random() < 0.5 else rng.choice(DEFAULTS)
    if "soft" not in defaults:
        defaults += '<default><default class="soft"><joint stiffness="2"/></default></default>'
    extra = rng.choice(["", '<body><freejoint/><geom size="0.1"/></body>',
                        '<geom type="plane" size="1 1 1"/>'])
    return (f'<mujoco model="m{seed}"><compiler angle="{rng.choice(["radian", "degree"])}"/>{defaults}'
            '<asset><material name="cloth" rgba="1 1 0 1"/></asset>'
            f"<worldbody>{extra}{bodies(rng, flexes)}</worldbody></mujoco>")
