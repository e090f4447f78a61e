"""What MuJoCo 3.5.0 gets wrong about flexes, and what rounding decides: such models are not compared."""

import numpy as np


def _has_rows(m, f):
    return m.flex_edgeequality[f] or m.flex_edgedamping[f] or m.flex_edgestiffness[f] or m.flex_damping[f]


def _is_soft(m, f):
    return not m.flex_rigid[f] and not m.flex_interp[f]


def _rows_overlap(kinds):
    """Rows behind those of a flex that has none begin at zero again, over rows that are there."""
    seen = gap = False
    for has in kinds:
        if has and seen and gap:
            return True
        seen, gap = seen or has, not has
    return False


def _shares_a_simple_body(m, f):
    """Two vertices of an edge on one simple body: its dofs are listed twice, beyond the space for them."""
    first, start = m.flex_vertadr[f], m.flex_edgeadr[f]
    for a, b in m.flex_edge[start:start + m.flex_edgenum[f]]:
        body = m.flex_vertbodyid[first + a]
        if body == m.flex_vertbodyid[first + b] and m.body_simple[body] and m.body_dofnum[body]:
            return True
    return False


def _has_flat_tetrahedra(m, f):
    """Which way they are turned is a matter of the last bit."""
    vertex = m.flex_vert0[m.flex_vertadr[f]:][:m.flex_vertnum[f]] * m.flex_size[f]
    element = m.flex_elem[m.flex_elemdataadr[f]:][:4 * m.flex_elemnum[f]].reshape(-1, 4)
    edges = vertex[element[:, 1:]] - vertex[element[:, :1]]
    scale = np.prod(np.linalg.norm(edges, axis=2), axis=1)
    return bool((np.abs(np.linalg.det(edges)) <= 1e-12 * scale).any())


def defects(m):
    """Why fields of a model compiled by MuJoCo may be wrong; empty when there is no reason."""
    found = []
    flexes = range(m.nflex)
    for f in flexes:
        if m.flex_rigid[f] and _has_rows(m, f):
            found.append("rows of a rigid flex are written over others")
        if _is_soft(m, f) and _has_rows(m, f) and _shares_a_simple_body(m, f):
            found.append("dofs of a simple body twice in a row")
        if m.flex_texcoordadr[f] >= 0 and m.flex_dim[f] == 1:
            found.append("ids of texture coordinates are read beyond the elements")
        if m.flex_interp[f] and m.flex_elemnum[f] in (27, 312):
            found.append("the matrix of the nodes is larger than its place")
        if m.flex_dim[f] == 3 and _has_flat_tetrahedra(m, f):
            found.append("tetrahedra without volume")
        if m.flex_interp[f] and m.flex_edgeequality[f]:
            found.append("an equality of an interpolated flex")
    if any(0 <= adr < m.nbvhstatic for adr in m.flex_bvhadr):
        found.append("a tree of boxes that fusing made too large begins among those that do not move")
    if _rows_overlap([_is_soft(m, f) and bool(_has_rows(m, f)) for f in flexes]):
        found.append("rows of edges overlap")
    if _rows_overlap([_is_soft(m, f) and m.flex_dim[f] == 2 and m.flex_edgeequality[f] == 2 for f in flexes]):
        found.append("rows of vertices overlap")
    return found
