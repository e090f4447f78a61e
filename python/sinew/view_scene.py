"""Scenes as instances of a few shapes, for viewers that draw many copies of one mesh at once.

A scene has thousands of geoms but few shapes. `instances` sorts its geoms by shape: arrays of positions,
quaternions, scales and colours, one row per copy. Capsules and arrows are put together from unit shapes,
so that all of a kind share one mesh. Nothing here knows who draws.
"""

import math

import numpy as np

from sinew import visual
from sinew._enums import mjtGeom, mjtObj, mjtTexture

_SLICES, _STACKS = 28, 16
_TEXTURE_2D = int(mjtTexture.mjTEXTURE_2D)
_ROLE_RGB = 1
# infinite planes are drawn this many times as far as the model reaches
_FAR = 20


def records(scene):
    """The geoms in use of a scene as one array of records, without a copy."""
    address = int(scene._record["geoms"])
    return visual._memory(scene._memory, address, visual.MjvGeom._dtype, scene.ngeom)


def quaternions(matrices):
    """Rotation matrices (n, 9) as quaternions (n, 4): of the four formulas the one with the largest divisor."""
    xx, xy, xz, yx, yy, yz, zx, zy, zz = np.ascontiguousarray(matrices.reshape(-1, 9).T, np.float32)
    table = np.empty((4, 4, len(xx)), np.float32)
    table[0, 0], table[1, 1] = 1 + xx + yy + zz, 1 + xx - yy - zz
    table[2, 2], table[3, 3] = 1 - xx + yy - zz, 1 - xx - yy + zz
    table[0, 1] = table[1, 0] = zy - yz
    table[0, 2] = table[2, 0] = xz - zx
    table[0, 3] = table[3, 0] = yx - xy
    table[1, 2] = table[2, 1] = yx + xy
    table[1, 3] = table[3, 1] = xz + zx
    table[2, 3] = table[3, 2] = zy + yz
    best = np.stack([table[0, 0], table[1, 1], table[2, 2], table[3, 3]]).argmax(0)
    picked = np.take_along_axis(table, best[None, None], 0)[0]
    length = np.sqrt((picked * picked).sum(0))
    return np.ascontiguousarray((picked / np.where(length > 0, length, 1)).T)


class Instances:
    """Copies of one shape: pos (n, 3), quat (n, 4), scale (n, 3), rgba (n, 4), geom (n,): rows of the scene."""

    __slots__ = ("pos", "quat", "scale", "rgba", "geom")

    def __init__(self, pos, quat, scale, rgba, geom):
        self.pos, self.quat, self.scale, self.rgba, self.geom = pos, quat, scale, rgba, geom

    @staticmethod
    def joined(parts):
        """One list of several."""
        if len(parts) == 1:
            return parts[0]
        return Instances(*(np.concatenate([getattr(p, name) for p in parts]) for name in Instances.__slots__))


def _plain(key):
    return lambda g, quat, scale, rows: [(key, g["pos"], quat, scale, rows)]


def _capsule(g, quat, scale, rows):
    axis = g["mat"][:, :, 2] * scale[:, 2:]
    ball = np.repeat(scale[:, :1], 3, 1)
    return [("tube", g["pos"], quat, scale, rows),
            ("sphere", g["pos"] + axis, quat, ball, rows), ("sphere", g["pos"] - axis, quat, ball, rows)]


def _arrow(wide, ends):
    """Shaft to a third of size[2], cone from there to its half, as MuJoCo draws arrows."""
    def parts(g, quat, scale, rows):
        axis = g["mat"][:, :, 2]
        length, radius = scale[:, 2:], scale[:, :1]
        half = np.concatenate([radius, radius, length / (3 if ends == 2 else 6)], 1)
        middle = g["pos"] if ends == 2 else g["pos"] + axis * length / 6
        cone = np.concatenate([wide * radius, wide * radius, length / 6], 1)
        found = [("cylinder", middle, quat, half, rows), ("cone", g["pos"] + axis * length / 3, quat, cone, rows)]
        if ends == 2:
            turned = np.stack([-quat[:, 1], quat[:, 0], quat[:, 3], -quat[:, 2]], 1)
            found.append(("cone", g["pos"] - axis * length / 3, turned, cone, rows))
        return found

    return parts


def _line(width):
    def parts(g, quat, scale, rows):
        axis = g["mat"][:, :, 2]
        half = scale[:, 2:] / 2
        thin = np.full_like(half, width())
        return [("tube", g["pos"] + axis * half, quat, np.concatenate([thin, thin, half], 1), rows)]

    return parts


class Shapes:
    """The meshes that a model's scenes are made of, by key, and the sorting of scenes into them."""

    def __init__(self, model):
        self._model = model
        self._kinds = {
            mjtGeom.mjGEOM_SPHERE: _plain("sphere"), mjtGeom.mjGEOM_ELLIPSOID: _plain("sphere"),
            mjtGeom.mjGEOM_CAPSULE: _capsule, mjtGeom.mjGEOM_CYLINDER: _plain("cylinder"),
            mjtGeom.mjGEOM_BOX: _plain("box"), mjtGeom.mjGEOM_LINEBOX: _plain("box"),
            mjtGeom.mjGEOM_ARROW: _arrow(1.75, 1), mjtGeom.mjGEOM_ARROW1: _arrow(1, 1),
            mjtGeom.mjGEOM_ARROW2: _arrow(1.75, 2),
            mjtGeom.mjGEOM_LINE: _line(lambda: 0.001 * max(1e-3, float(model.stat.extent))),
        }
        self._kinds = {int(kind): parts for kind, parts in self._kinds.items()}

    # ---- sorting ----

    def instances(self, geoms):
        """Geoms sorted by shape: {(key, translucent): Instances}. Geoms with poses that are not finite are left out."""
        found = {}
        finite = np.isfinite(geoms["pos"]).all(1) & np.isfinite(geoms["mat"]).all((1, 2)) & np.isfinite(geoms["size"]).all(1)
        rows = np.flatnonzero(finite)
        geoms = geoms[rows]
        quat = quaternions(geoms["mat"])
        rgba = np.clip(geoms["rgba"], 0, 1)
        for kind in np.unique(geoms["type"]):
            chosen = np.flatnonzero(geoms["type"] == kind)
            parts = self._kinds.get(int(kind))
            if parts is not None:
                self._put(found, parts(geoms[chosen], quat[chosen], geoms["size"][chosen], chosen), rgba, rows)
            elif kind in (mjtGeom.mjGEOM_PLANE, mjtGeom.mjGEOM_MESH, mjtGeom.mjGEOM_HFIELD, mjtGeom.mjGEOM_SDF):
                self._put(found, self._model_shapes(int(kind), geoms, quat, chosen), rgba, rows)
        return {key: Instances.joined(parts) for key, parts in found.items()}

    @staticmethod
    def _put(found, parts, rgba, rows):
        for key, pos, quat, scale, chosen in parts:
            colours = rgba[chosen]
            solid = colours[:, 3] > 0.995
            for translucent in (False, True):
                mask = ~solid if translucent else solid
                if not mask.any():
                    continue
                picked = slice(None) if mask.all() else mask
                found.setdefault((key, translucent), []).append(
                    Instances(np.float32(pos[picked]), quat[picked], np.float32(scale[picked]), colours[picked],
                              rows[chosen[picked]]))

    def _model_shapes(self, kind, geoms, quat, chosen):
        """Planes by their size and material, meshes and height fields by their number."""
        found, ones = [], np.ones((1, 3), np.float32)
        g = geoms[chosen]
        material = np.where(self._textured(g["matid"]), g["matid"], -1)
        if kind == mjtGeom.mjGEOM_PLANE:
            for i, row in enumerate(chosen):
                extent = tuple(float(s) if s > 0 else _FAR * max(1.0, float(self._model.stat.extent)) for s in g["size"][i, :2])
                key = ("plane", int(material[i]), extent, bool(g["size"][i, 0] > 0))
                found.append((key, g["pos"][i : i + 1], quat[row : row + 1], ones, chosen[i : i + 1]))
            return found
        name = "hfield" if kind == mjtGeom.mjGEOM_HFIELD else "mesh"
        for pair in np.unique(np.stack([g["dataid"], material], 1), axis=0):
            same = chosen[(g["dataid"] == pair[0]) & (material == pair[1])]
            found.append(((name, int(pair[0]), int(pair[1])), geoms["pos"][same], quat[same],
                          np.ones((len(same), 3), np.float32), same))
        return found

    def _textured(self, matid):
        """Whether materials have a 2d texture."""
        model = self._model
        flat = np.zeros(model.nmat + 1, bool)
        for i in range(model.nmat):
            texture = model.mat_texid[i, _ROLE_RGB]
            flat[i] = texture >= 0 and model.tex_type[texture] == _TEXTURE_2D
        return flat[np.clip(matid, -1, model.nmat)]

    # ---- meshes ----

    def mesh(self, key):
        """Vertices (n, 3), faces (m, 3) and, for textured shapes, coordinates (n, 2) of a shape."""
        if isinstance(key, str):
            return (*_UNIT_SHAPES[key](), None)
        if key[0] == "plane":
            return self._plane(*key[1:])
        return self._hfield(key[1]) if key[0] == "hfield" else self._mesh(*key[1:])

    def texture(self, key):
        """Bytes (rows, columns, 3) of the texture of a shape; None where it has none."""
        material = key[1] if key[0] == "plane" else key[2] if key[0] == "mesh" else -1
        if isinstance(key, str) or material < 0:
            return None
        return self._pixels(self._model.mat_texid[material, _ROLE_RGB])

    def _pixels(self, texture):
        model = self._model
        width, height, channels = (int(f[texture]) for f in (model.tex_width, model.tex_height, model.tex_nchannel))
        first = int(model.tex_adr[texture])
        pixels = model.tex_data[first : first + width * height * channels].reshape(height, width, channels)
        return np.ascontiguousarray(np.repeat(pixels, 3, 2) if channels == 1 else pixels[..., :3])

    def sky(self):
        """Colours (rows, 3) of the sky from above to below; None without a skybox."""
        model = self._model
        for texture in range(model.ntex):
            if model.tex_type[texture] == mjtTexture.mjTEXTURE_SKYBOX:
                pixels = self._pixels(texture)
                side = pixels.shape[1]
                return pixels[4 * side : 5 * side].mean(1) if len(pixels) >= 6 * side else pixels.mean(1)
        return None

    def _plane(self, material, extent, finite):
        x, y = extent
        vertices = np.array([[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0]], np.float32)
        faces = np.array([[0, 1, 2], [0, 2, 3]], np.uint32)
        if material < 0:
            return vertices, faces, None
        # one copy every 2/texrepeat, or texrepeat copies over the width of a finite plane
        repeat = np.array(self._model.mat_texrepeat[material], float)
        if finite and not self._model.mat_texuniform[material]:
            repeat = repeat / extent
        return vertices, faces, np.float32(0.5 * vertices[:, :2] * repeat * [1, -1] - 0.5)

    def _mesh(self, dataid, material):
        model, number = self._model, dataid // 2
        if dataid % 2 and model.mesh_graphadr[number] >= 0:
            return (*self._hull(number), None)
        first, count = int(model.mesh_vertadr[number]), int(model.mesh_vertnum[number])
        corner = int(model.mesh_faceadr[number])
        faces = model.mesh_face[corner : corner + int(model.mesh_facenum[number])]
        normals = model.mesh_facenormal[corner : corner + len(faces)]
        vertices = model.mesh_vert[first : first + count]
        textured = material >= 0 and model.mesh_texcoordadr[number] >= 0
        coordinates = model.mesh_facetexcoord[corner : corner + len(faces)] if textured else np.zeros_like(faces)
        # corners that differ in normal or texture are vertices of their own: edges stay sharp
        corners = np.stack([faces, normals, coordinates], 2).reshape(-1, 3)
        different, place = np.unique(corners, axis=0, return_inverse=True)
        uv = None
        if textured:
            uv = np.array(model.mesh_texcoord[int(model.mesh_texcoordadr[number]) + different[:, 2]])
        return vertices[different[:, 0]], place.reshape(-1, 3).astype(np.uint32), uv

    def _hull(self, number):
        """Corners of the convex hull: numbers of vertices and faces, then their tables, as the model keeps them."""
        model = self._model
        graph = model.mesh_graph[int(model.mesh_graphadr[number]) :]
        corners, faces = int(graph[0]), int(graph[1])
        first = int(model.mesh_vertadr[number])
        ids = graph[2 + corners : 2 + 2 * corners]
        start = 2 + 3 * corners + 3 * faces
        table = graph[start : start + 3 * faces].reshape(-1, 3)
        place = {int(v): i for i, v in enumerate(ids)}
        return model.mesh_vert[first + ids], np.array([[place[int(v)] for v in f] for f in table], np.uint32)

    def _hfield(self, number):
        model = self._model
        rows, columns = int(model.hfield_nrow[number]), int(model.hfield_ncol[number])
        x, y, z, base = model.hfield_size[number]
        first = int(model.hfield_adr[number])
        heights = model.hfield_data[first : first + rows * columns].reshape(rows, columns) * z
        grid = np.meshgrid(np.linspace(-x, x, columns), np.linspace(-y, y, rows))
        top = np.stack([*grid, heights], 2).reshape(-1, 3)
        at = np.arange(rows * columns).reshape(rows, columns)
        a, b, c, d = at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]
        faces = np.concatenate([np.stack([a, b, c], 2).reshape(-1, 3), np.stack([a, c, d], 2).reshape(-1, 3)])
        rim = np.concatenate([at[0], at[1:, -1], at[-1, -2::-1], at[-2:0:-1, 0]])
        low = top[rim] * [1, 1, 0] - [0, 0, base]
        next_rim, k = np.roll(rim, -1), len(top) + np.arange(len(rim))
        wall = np.concatenate([np.stack([rim, k, np.roll(k, -1)], 1), np.stack([rim, np.roll(k, -1), next_rim], 1)])
        return np.float32(np.concatenate([top, low])), np.concatenate([faces, wall]).astype(np.uint32), None


# ---- unit shapes ----


def _sphere():
    azimuth = np.arange(_SLICES) * (2 * math.pi / _SLICES)
    elevation = np.linspace(-math.pi / 2, math.pi / 2, _STACKS + 1)
    ring = np.stack([np.cos(azimuth), np.sin(azimuth), np.zeros(_SLICES)], 1)
    vertices = np.concatenate([ring * math.cos(e) + [0, 0, math.sin(e)] for e in elevation])
    return np.float32(vertices), _strips(_STACKS)


def _strips(rows):
    """Faces between rows of points around an axis."""
    i, j = np.meshgrid(np.arange(rows), np.arange(_SLICES), indexing="ij")
    a, b = i * _SLICES + j, i * _SLICES + (j + 1) % _SLICES
    c, d = b + _SLICES, a + _SLICES
    return np.concatenate([np.stack([a, b, c], 2).reshape(-1, 3), np.stack([a, c, d], 2).reshape(-1, 3)]).astype(np.uint32)


def _ring(z, radius=1.0):
    azimuth = np.arange(_SLICES) * (2 * math.pi / _SLICES)
    return np.stack([radius * np.cos(azimuth), radius * np.sin(azimuth), np.full(_SLICES, z)], 1)


def _tube():
    return np.float32(np.concatenate([_ring(-1), _ring(1)])), _strips(1)


def _disk(z, upwards):
    """Ring and centre, facing along z or against it."""
    around = np.arange(_SLICES)
    faces = np.stack([np.full(_SLICES, _SLICES), around, (around + 1) % _SLICES], 1)
    return np.concatenate([_ring(z), [[0, 0, z]]]), faces if upwards else faces[:, ::-1]


def _together(*parts):
    vertices, faces, count = [], [], 0
    for points, triangles in parts:
        vertices.append(points)
        faces.append(np.asarray(triangles, np.int64) + count)
        count += len(points)
    return np.float32(np.concatenate(vertices)), np.concatenate(faces).astype(np.uint32)


def _cylinder():
    return _together(_tube(), _disk(1, True), _disk(-1, False))


def _cone():
    around = np.arange(_SLICES)
    side = np.concatenate([_ring(0), np.tile([[0, 0, 1.0]], (_SLICES, 1))])
    return _together((side, np.stack([around, (around + 1) % _SLICES, around + _SLICES], 1)), _disk(0, False))


def _box():
    parts = []
    for axis in range(3):
        for sign in (1, -1):
            corners = np.zeros((4, 3))
            u, v = (axis + 1) % 3, (axis + 2) % 3
            corners[:, axis] = sign
            corners[:, u], corners[:, v] = [-1, 1, 1, -1], [-1, -1, 1, 1]
            faces = np.array([[0, 1, 2], [0, 2, 3]])
            parts.append((corners, faces if sign > 0 else faces[:, ::-1]))
    return _together(*parts)


_UNIT_SHAPES = {"sphere": _sphere, "tube": _tube, "cylinder": _cylinder, "cone": _cone, "box": _box}


# ---- what deforms ----


def soft_meshes(model, scene):
    """Skins and flexes of a scene: {name: (vertices, faces, rgba)}, in the coordinates of the world."""
    found = {}
    for g in records(scene):
        number, rgba = int(g["objid"]), np.array(g["rgba"])
        if g["type"] == mjtGeom.mjGEOM_SKIN:
            first, count = int(scene.skinvertadr[number]), int(scene.skinvertnum[number])
            corner, faces = int(model.skin_faceadr[number]), int(model.skin_facenum[number])
            vertices = scene.skinvert.reshape(-1, 3)[first : first + count]
            found[f"skin {number}"] = (vertices.copy(), model.skin_face[corner : corner + faces].astype(np.uint32), rgba)
        elif g["type"] == mjtGeom.mjGEOM_FLEX and scene.flexfaceused[number] > 0:
            first, count = int(scene.flexfaceadr[number]), int(scene.flexfaceused[number])
            vertices = scene.flexface.reshape(-1, 3)[3 * first : 3 * (first + count)]
            found[f"flex {number}"] = (vertices.copy(), np.arange(3 * count, dtype=np.uint32).reshape(-1, 3), rgba)
    return {name: part for name, part in found.items() if np.isfinite(part[0]).all()}


def body_of(model, geom):
    """The body that a geom of a scene shows; -1 where it shows none."""
    kind, number = int(geom["objtype"]), int(geom["objid"])
    owners = {int(mjtObj.mjOBJ_GEOM): model.geom_bodyid, int(mjtObj.mjOBJ_SITE): model.site_bodyid,
              int(mjtObj.mjOBJ_JOINT): model.jnt_bodyid, int(mjtObj.mjOBJ_CAMERA): model.cam_bodyid}
    if kind in (int(mjtObj.mjOBJ_BODY), int(mjtObj.mjOBJ_XBODY)):
        return number
    table = owners.get(kind)
    return int(table[number]) if table is not None and 0 <= number < len(table) else -1
