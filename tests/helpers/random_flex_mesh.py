"""Random models with flexes, spelled out vertex by vertex: `<flex>`, not `<flexcomp>`.

Meshes are lines, rings, stars, sheets (flat, bent, with holes or with three triangles at an edge) and
blocks of tetrahedra, their elements shuffled and turned; vertices sit on bodies of their own, on shared
ones, on pins, on one body, or hang between 8 or 27 nodes; the bodies hang from the world, from turned,
nested, moving and mocap bodies.

Left out is what MuJoCo gets wrong: damping of rigid flexes (their rows overwrite others), and rows behind
those of a flex that has none (they begin at zero again).
"""

import itertools
import random

SLIDES = "".join(f'<joint type="slide" axis="{a}"/>' for a in ("1 0 0", "0 1 0", "0 0 1"))


def numbers(values):
    return " ".join(f"{value:.9g}" for value in values)


def flag(value):
    return "true" if value else "false"


def line(rng):
    n = rng.randint(2, 8)
    points = [(0.1 * i, rng.choice([0, rng.uniform(-0.05, 0.05)]), 0) for i in range(n)]
    elements = [(i, i + 1) for i in range(n - 1)]
    kind = rng.randrange(3)
    if kind == 0 and n > 2:
        elements.append((n - 1, 0))
    if kind == 1 and n > 3:
        elements += [(0, i) for i in range(2, n)]
    return points, elements


def sheet(rng, flat):
    nx, ny = rng.randint(2, 4), rng.randint(2, 4)
    step = rng.choice([0.1, 0.25, 0.05])
    skew = rng.choice([0, rng.uniform(-0.3, 0.3)])
    height = rng.choice([0, rng.uniform(-1, 1)])
    noise = 0 if rng.random() < 0.4 else 0.3 * step
    points = []
    for i, j in itertools.product(range(nx), range(ny)):
        x = step * (i + skew * j) + rng.uniform(-noise, noise)
        y = step * j + rng.uniform(-noise, noise)
        points.append((x, y, height if flat else height + rng.uniform(-0.5, 0.5) * step))
    elements = []
    for i, j in itertools.product(range(nx - 1), range(ny - 1)):
        a, b, c, d = i * ny + j, (i + 1) * ny + j, (i + 1) * ny + j + 1, i * ny + j + 1
        elements += [(a, b, c), (a, c, d)] if rng.random() < 0.7 else [(a, b, d), (b, c, d)]
    if not flat and rng.random() < 0.3:  # a fin: three triangles at one edge
        a, b, _ = elements[0]
        points.append((points[a][0], points[a][1], points[a][2] + step))
        elements.append((b, a, len(points) - 1))
    if len(elements) > 3 and rng.random() < 0.3:
        elements.pop(rng.randrange(len(elements)))
    return points, elements


def block(rng):
    count = [rng.randint(2, 3) for _ in range(3)]
    if rng.random() < 0.2:
        count = [5, 4, 4]
    step = rng.choice([0.1, 0.2])
    points = [tuple(step * k + rng.uniform(-0.1, 0.1) * step for k in at)
              for at in itertools.product(*map(range, count))]
    at = {key: i for i, key in enumerate(itertools.product(*map(range, count)))}
    corner = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    split = [(0, 3, 1, 7), (0, 1, 4, 7), (1, 3, 2, 7), (1, 2, 6, 7), (1, 5, 4, 7), (1, 6, 5, 7)]
    elements = []
    for cell in itertools.product(*(range(c - 1) for c in count)):
        ids = [at[tuple(x + y for x, y in zip(cell, c))] for c in corner]
        elements += [tuple(ids[k] for k in tet) for tet in split]
    return points, elements


def turned(rng, elements, dim):
    """Elements in another order, each with its vertices in another order."""
    elements = list(elements)
    if rng.random() < 0.5:
        rng.shuffle(elements)
    if rng.random() < 0.5:
        return [tuple(rng.sample(e, len(e))) for e in elements] if dim != 2 else [
            e[k:] + e[:k] for e in elements for k in [rng.randrange(3)]]
    return elements


class Model:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.bodies = []  # text of the bodies of each flex, in its parent
        self.flexes = []
        self.ranks = []  # 0: rows for vertices, 1: for edges, 2: none
        self.equalities = []

    # ---- places for bodies ----

    def parent(self, upright):
        """What stands around the bodies of a flex: opening text, closing text, name of the parent."""
        rng, k = self.rng, len(self.flexes)
        place = f'pos="{numbers(rng.choice([0, rng.uniform(-1, 1)]) for _ in range(3))}"'
        turn = "" if upright or rng.random() < 0.3 else f' euler="{numbers(rng.uniform(-180, 180) for _ in range(3))}"'
        mass = '<inertial pos="0 0 0" mass="2" diaginertia=".1 .1 .1"/>'
        kind = rng.randrange(8)
        if kind == 0:
            return "", "", "world"
        if kind == 1:
            return f'<body name="p{k}" {place}{turn}>', "</body>", f"p{k}"
        if kind == 2:
            return f'<body {place}><body name="p{k}"{turn}>', "</body></body>", f"p{k}"
        if kind == 3:
            return f'<body name="p{k}" mocap="true" {place}{turn}>', "</body>", f"p{k}"
        if kind == 4:
            return f'<body name="p{k}" {place}{turn}><freejoint/>{mass}', "</body>", f"p{k}"
        if kind == 5:
            joint = rng.choice(['type="ball"', 'axis="0 1 0"', 'type="slide"', 'axis="1 1 0" pos=".1 0 0"'])
            return f'<body name="p{k}" {place}{turn}><joint {joint}/>{mass}', "</body>", f"p{k}"
        if kind == 6:
            return (f'<body {place}><joint axis="1 0 0"/>{mass}<body name="p{k}"{turn} pos="0 .1 0"><joint/>{mass}',
                    "</body></body>", f"p{k}")
        return f'<body {place}><joint/>{mass}<body name="p{k}"{turn}>', "</body></body>", f"p{k}"

    def vertex_body(self, name, position, joints, mass):
        inertia = mass * 1e-4
        return (f'<body name="{name}" pos="{numbers(position)}">'
                f'<inertial pos="0 0 0" mass="{mass:.6g}" diaginertia="{inertia:.6g} {inertia:.6g} {inertia:.6g}"/>'
                f"{joints}</body>")

    # ---- vertices ----

    def on_bodies(self, points, parent, pins, joints):
        """One body per vertex, pinned vertices on the parent."""
        rng, k = self.rng, len(self.flexes)
        names, offsets, text = [], [], []
        mass = rng.choice([0.1, 1.0, None])
        for i, p in enumerate(points):
            if i in pins:
                names.append(parent)
                offsets.append(p)
                continue
            names.append(f"f{k}_{i}")
            offsets.append((0, 0, 0))
            weight = mass or rng.uniform(0.01, 1)
            text.append(self.vertex_body(names[-1], p, joints(p), weight))
        return names, offsets if pins else rng.choice([None, offsets]), "".join(text)

    def shared_bodies(self, points):
        """A few bodies that carry all vertices."""
        rng, k = self.rng, len(self.flexes)
        n = rng.randint(2, 4)
        text, names, offsets = [], [], []
        inner = "".join(self.vertex_body(f"f{k}_{i}", points[0], rng.choice([SLIDES, '<joint type="ball"/>', "<joint/>", ""]), 0.5) for i in range(1, n))
        joint = rng.choice([SLIDES, '<joint type="ball"/>'])
        text = (f'<body name="f{k}_0" pos="{numbers(points[0])}"><inertial pos="0 0 0" mass="1" '
                f'diaginertia=".01 .01 .01"/>{joint}{inner}</body>')
        for i, p in enumerate(points):
            names.append(f"f{k}_{i if i < 2 else rng.randrange(n)}")
            offsets.append(p)
        return names, offsets, text

    def on_nodes(self, points, parent, order):
        rng, k = self.rng, len(self.flexes)
        low = [min(p[a] for p in points) for a in range(3)]
        high = [max(p[a] for p in points) for a in range(3)]
        high = [h if h > l else l + 0.1 for l, h in zip(low, high)]
        nodes, text = [], []
        for index in itertools.product(range(order + 1), repeat=3):
            at = [l + (h - l) * i / order for l, h, i in zip(low, high, index)]
            nodes.append(f"f{k}_" + "_".join(map(str, index)))
            text.append(self.vertex_body(nodes[-1], at, SLIDES, rng.choice([0.1, rng.uniform(0.01, 1)])))
        return [parent] * len(points), points, nodes, "".join(text)

    # ---- attributes ----

    def contact(self, dim, nodes):
        rng = self.rng
        picks = {
            "contype": rng.randint(0, 3), "conaffinity": rng.randint(0, 3), "condim": rng.choice([1, 3, 4, 6]),
            "priority": rng.randint(-1, 2), "friction": numbers([rng.uniform(0, 2), 0.01]), "solmix": rng.randint(0, 3),
            "solref": ".03 .9", "solimp": ".8 .9 .01", "margin": 0.01, "gap": 0.005,
            "activelayers": rng.randint(1, 3), "internal": "false" if nodes else flag(rng.random() < 0.5),
            "selfcollide": "none" if nodes else rng.choice(["none", "narrow", "bvh", "sap", "auto"]),
        }
        chosen = {name: value for name, value in picks.items() if rng.random() < 0.3}
        if nodes:
            chosen["selfcollide"] = "none"
        return "<contact " + " ".join(f'{name}="{value}"' for name, value in chosen.items()) + "/>"

    def elasticity(self, dim, bends):
        rng = self.rng
        young = rng.choice([0, 10 ** rng.uniform(1, 5)])
        picks = [f'young="{young:.6g}"', f'poisson="{rng.choice([0, rng.uniform(0, 0.49)]):.6g}"']
        if rng.random() < 0.5:
            picks.append(f'damping="{rng.uniform(0, 0.1):.6g}"')
        if dim == 2:
            modes = ["none", "bend", "stretch", "both"] if bends else ["none", "stretch"]
            picks += [f'elastic2d="{rng.choice(modes)}"', f'thickness="{rng.choice([0, rng.uniform(0.001, 0.1)]):.6g}"']
        return f'<elasticity {" ".join(picks)}/>'

    def texcoord(self, dim, nvert, nelem):
        rng = self.rng
        kind = rng.randrange(5)
        if kind == 0:
            values = numbers(rng.uniform(0, 1) for _ in range(2 * nvert))
            return f'texcoord="{values}"' if dim > 1 else ""
        if kind == 1 and dim == 2:
            ids = " ".join(str(rng.randrange(4)) for _ in range(3 * nelem))
            return f'texcoord="0 0 1 0 1 1 0 1" elemtexcoord="{ids}"'
        return ""

    # ---- a flex ----

    def add(self):
        rng, k = self.rng, len(self.flexes)
        dim = rng.choice([1, 2, 2, 3])
        vertex_equality = dim == 2 and rng.random() < 0.3
        points, elements = {1: line, 3: block}.get(dim, lambda r: sheet(r, vertex_equality or r.random() < 0.5))(rng)
        elements = turned(rng, elements, dim)
        before, after, parent = self.parent(vertex_equality)
        order = 0 if vertex_equality or rng.random() < 0.8 else rng.choice([1, 1, 2])
        nodes, bends, rigid, centered = [], False, False, False
        if order:
            names, offsets, nodes, text = self.on_nodes(points, parent, order)
        else:
            kind = rng.randrange(6)
            if kind == 0 and not vertex_equality:
                names, offsets, text, rigid = [parent] * rng.choice([1, len(points)]), points, "", True
            elif kind == 1 and not vertex_equality:
                names, offsets, text = self.shared_bodies(points)
            elif kind == 2:
                pins = set(rng.sample(range(len(points)), rng.randint(1, len(points) - 1)))
                names, offsets, text = self.on_bodies(points, parent, pins, lambda p: SLIDES)
            elif kind == 3 and not vertex_equality:
                axes = [numbers(rng.choice([(1, 0, 0), (0, 1, 0), (1, 1, 0), (0.3, 0.2, -0.5)])) for _ in range(9)]
                names, offsets, text = self.on_bodies(
                    points, parent, {0}, lambda p: f'<joint type="slide" axis="{rng.choice(axes)}"/>')
            else:
                names, offsets, text = self.on_bodies(points, parent, set(), lambda p: SLIDES)
                bends = True
        edge = []
        if not rigid and rng.random() < 0.4:
            edge.append(f'damping="{rng.uniform(0, 1):.6g}"')
        if not rigid and dim == 1 and rng.random() < 0.5:
            edge.append(f'stiffness="{rng.uniform(0, 100):.6g}"')
        element = " ".join(str(v) for e in elements for v in e)
        elastic = "" if rigid else self.elasticity(dim, bends)
        if order and len(elements) <= (27 if order == 1 else 312):
            elastic = '<elasticity damping=".1"/>'
        self.bodies.append(before + text + after)
        forced = not rigid and not order and (edge or "damping" in elastic)
        self.flexes.append(
            f'<flex name="f{k}" dim="{dim}" body="{" ".join(names)}" element="{element}" '
            + (f'vertex="{numbers(x for p in offsets for x in p)}" ' if offsets else "")
            + (f'node="{" ".join(nodes)}" ' if nodes else "")
            + (f'radius="{rng.choice([0, 0.001, 0.02, rng.uniform(0.001, 0.05)]):.6g}" ' if rng.random() < 0.6 else "")
            + (f'rgba="{numbers(rng.random() for _ in range(4))}" ' if rng.random() < 0.3 else "")
            + (f'group="{rng.randrange(6)}" ' if rng.random() < 0.3 else "")
            + (f'flatskin="{flag(rng.random() < 0.5)}" ' if rng.random() < 0.3 else "")
            + self.texcoord(dim, len(points), len(elements))
            + f'>{self.contact(dim, nodes)}<edge {" ".join(edge)}/>{elastic}</flex>')
        if vertex_equality:
            self.ranks.append(0)
            self.equalities.append(f'<flexvert flex="f{k}" active="{flag(rng.random() < 0.7)}"/>')
            return
        self.ranks.append(1 if forced else 2)
        if not rigid and not order and rng.random() < 0.3:
            self.ranks[-1] = 1
            self.equalities.append(f'<flex flex="f{k}" solref=".05 1" active="{flag(rng.random() < 0.7)}"/>')

    def text(self):
        rng = self.rng
        for _ in range(rng.choice([1, 1, 2, 3])):
            self.add()
        flexes = [text for _, text in sorted(zip(self.ranks, self.flexes), key=lambda pair: pair[0])]
        rng.shuffle(self.bodies)
        rng.shuffle(self.equalities)
        extra = '<geom name="floor" type="plane" size="1 1 .1"/>' if rng.random() < 0.5 else ""
        solver = rng.choice(["Newton", "CG", "PGS"])
        return (f'<mujoco><compiler autolimits="true"/><option solver="{solver}" jacobian="{rng.choice(["dense", "sparse", "auto"])}"/>'
                f'<worldbody>{extra}{"".join(self.bodies)}</worldbody><deformable>{"".join(flexes)}</deformable>'
                f'<equality>{"".join(self.equalities)}</equality></mujoco>')


def model(seed):
    """MJCF of a random model."""
    return Model(seed).text()
