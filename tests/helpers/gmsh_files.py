"""Files of Gmsh: versions 2.2 and 4.1, text and binary."""

import struct

KIND = {1: 1, 2: 2, 3: 4}  # type of the element by its dimension

NODES = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 1.0, 1.25)]
ELEMENTS = {1: [(0, 1), (1, 2), (2, 4)], 2: [(0, 1, 2), (1, 2, 3), (2, 3, 4)],
            3: [(0, 1, 2, 3), (1, 2, 3, 4)]}


def grid(count):
    """Nodes and tetrahedra of a small block."""
    nodes = [(0.1 * i, 0.1 * j, 0.1 * k) for i in range(count) for j in range(count) for k in range(count)]
    index = lambda i, j, k: (i * count + j) * count + k
    elements = []
    for i in range(count - 1):
        for j in range(count - 1):
            for k in range(count - 1):
                corner = [index(i + a, j + b, k + c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
                for path in ((1, 3), (1, 5), (2, 3), (2, 6), (4, 5), (4, 6)):
                    elements.append((corner[0], corner[path[0]], corner[path[1]], corner[7]))
    return nodes, elements


def lines(rows):
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def text41(nodes, elements, dim, first=1):
    count, size = len(nodes), len(elements)
    return ("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n"
            f"1 {count} {first} {count + first - 1}\n{dim} 1 0 {count}\n"
            + lines((i + first,) for i in range(count)) + lines(nodes) + "$EndNodes\n$Elements\n"
            f"1 {size} 1 {size}\n{dim} 1 {KIND[dim]} {size}\n"
            + lines((i + 1, *(v + first for v in e)) for i, e in enumerate(elements))
            + "$EndElements\n").encode()


def binary41(nodes, elements, dim, first=1):
    count, size = len(nodes), len(elements)
    data = b"$MeshFormat\n4.1 1 8\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n$Nodes\n"
    data += struct.pack("<4Q3iQ", 1, count, first, count + first - 1, dim, 1, 0, count)
    data += struct.pack(f"<{count}Q", *(i + first for i in range(count)))
    data += b"".join(struct.pack("<3d", *node) for node in nodes) + b"\n$EndNodes\n$Elements\n"
    data += struct.pack("<4Q3iQ", 1, size, 1, size, dim, 1, KIND[dim], size)
    for i, element in enumerate(elements):
        data += struct.pack(f"<{dim + 2}Q", i + 1, *(v + first for v in element))
    return data + b"\n$EndElements\n"


def text22(nodes, elements, dim, tags=2):
    return (f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{len(nodes)}\n"
            + lines((i + 1, *node) for i, node in enumerate(nodes))
            + f"$EndNodes\n$Elements\n{len(elements)}\n"
            + lines((i + 1, KIND[dim], tags, *[0] * tags, *(v + 1 for v in e))
                    for i, e in enumerate(elements)) + "$EndElements\n").encode()


def binary22(nodes, elements, dim, wild=False):
    """Gmsh's own layout, or that of fTetWild."""
    data = b"$MeshFormat\n2.2 1 8\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n$Nodes\n"
    data += b"%d\n" % len(nodes)
    data += b"".join(struct.pack("<i3d", i + 1, *node) for i, node in enumerate(nodes))
    data += b"\n$EndNodes\n$Elements\n%d\n" % len(elements)
    if wild:
        data += struct.pack("<3i", KIND[dim], len(elements), 0)
    for i, element in enumerate(elements):
        data += struct.pack("<i", i + 1) if wild else struct.pack("<6i", KIND[dim], 1, 2, i + 1, 0, 0)
        data += struct.pack(f"<{dim + 1}i", *(v + 1 for v in element))
    return data + b"\n$EndElements\n"
