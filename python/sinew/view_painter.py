"""Scenes into a browser: every shape is one viser node with many instances, and only what changed is sent."""

import io

import numpy as np

from sinew.view_scene import soft_meshes

_LABELS = 200


class _Group:
    """Instances of one shape in the page; `rows` says which geom of the scene each of them shows."""

    def __init__(self, handle, coloured):
        self.handle, self.coloured, self.rows = handle, coloured, None
        self._sent = {}
        self.capacity = len(handle.batched_positions)

    def show(self, copies):
        """Send poses, sizes and colours where they changed. Copies beyond those of the scene have size 0."""
        count = len(copies.pos)
        room = self.capacity if count <= self.capacity else 1 << (count - 1).bit_length()
        self.capacity, self.rows = room, copies.geom
        handle = self.handle
        handle.batched_positions = _padded(copies.pos, room)
        handle.batched_wxyzs = _padded(copies.quat, room, [1, 0, 0, 0])
        if self._changed("scale", copies.scale, room):
            handle.batched_scales = _padded(copies.scale, room)
        if self.coloured and self._changed("rgba", copies.rgba, room):
            handle.batched_colors = _padded(_bytes(copies.rgba[:, :3]), room)
            if handle.batched_opacities is not None:
                handle.batched_opacities = _padded(copies.rgba[:, 3], room)
        if not handle.visible:
            handle.visible = True

    def _changed(self, name, values, room):
        """Whether an array is not the one that was sent last: its numbers need no look then."""
        last = self._sent.get(name)
        self._sent[name] = values, room
        return last is None or last[0] is not values or last[1] != room


def _padded(rows, count, filling=0):
    if len(rows) == count:
        return rows
    full = np.zeros((count, *rows.shape[1:]), rows.dtype)
    full[:] = filling
    full[: len(rows)] = rows
    return full


def _bytes(colours):
    return np.round(255 * colours).astype(np.uint8)


def _glb(vertices, faces, coordinates, pixels, rgba):
    """A textured mesh as a glTF file."""
    import trimesh
    from PIL import Image

    material = trimesh.visual.material.PBRMaterial(
        baseColorTexture=Image.fromarray(pixels), baseColorFactor=_bytes(rgba), metallicFactor=0.0, roughnessFactor=0.9)
    # glTF counts the rows of images downwards, trimesh turns them over
    visuals = trimesh.visual.TextureVisuals(uv=coordinates * [1, -1] + [0, 1], material=material)
    mesh = trimesh.Trimesh(vertices, faces, visual=visuals, process=False)
    file = io.BytesIO()
    mesh.export(file, file_type="glb")
    return file.getvalue()


class Painter:
    """Shows scenes in the page of a viser server."""

    def __init__(self, server, clicked, dragged):
        self._server, self._clicked, self._dragged = server, clicked, dragged
        self._groups, self._soft, self._labels = {}, {}, []
        self._made = 0
        self._lights()

    def _lights(self):
        """One light from above that casts shadows, and some from everywhere: intensity pi shows colours as they are."""
        scene = self._server.scene
        scene.configure_environment_map(None)
        scene.configure_default_lights(False)
        scene.add_light_hemisphere("/light/sky", sky_color=(255, 255, 255), ground_color=(150, 145, 140), intensity=1.9)
        scene.add_light_directional("/light/sun", intensity=1.7, cast_shadow=True, position=(1.0, -1.5, 4.0))

    def clear(self, shapes):
        """Begin with another model."""
        for group in self._groups.values():
            group.handle.remove()
        for handle in (*self._soft.values(), *self._labels):
            handle.remove()
        self._groups, self._soft, self._labels = {}, {}, []
        self._sky(shapes.sky())

    def _sky(self, colours):
        if colours is None:
            colours = np.array([[200, 205, 215], [120, 130, 145]])
        rows = np.linspace(0, len(colours) - 1, 64)
        smooth = np.stack([np.interp(rows, np.arange(len(colours)), colours[:, k]) for k in range(3)], 1)
        self._server.scene.set_background_image(np.repeat(_bytes(smooth[:, None] / 255), 8, 1), format="png")

    def paint(self, shapes, copies, model=None, scene=None, geoms=None):
        """Show copies of shapes (Shapes.instances), and the skins, flexes and labels of a scene where it is given."""
        with self._server.atomic():
            for key, found in copies.items():
                group = self._groups.get(key)
                if group is None:
                    group = self._groups[key] = self._group(shapes, key, found)
                group.show(found)
            for key, group in self._groups.items():
                if key not in copies and group.handle.visible:
                    group.handle.visible = False
            if scene is not None:
                self._paint_soft(soft_meshes(model, scene) if scene.nskin or scene.nflex else {})
                self._paint_labels(geoms)

    def _name(self):
        self._made += 1
        return f"/sinew/{self._made}"

    def _group(self, shapes, key, found):
        shape, translucent = key
        vertices, faces, coordinates = shapes.mesh(shape)
        pixels = shapes.texture(shape) if coordinates is not None else None
        poses = {"batched_wxyzs": found.quat, "batched_positions": found.pos, "batched_scales": found.scale}
        flat = isinstance(shape, tuple) and shape[0] == "plane"
        if pixels is not None:
            handle = self._server.scene.add_batched_glb(
                self._name(), _glb(vertices, faces, coordinates, pixels, found.rgba[0]), lod="off", cast_shadow=not flat, **poses)
        else:
            handle = self._server.scene.add_batched_meshes_simple(
                self._name(), vertices, faces, batched_colors=_bytes(found.rgba[:, :3]), lod="off",
                batched_opacities=found.rgba[:, 3] if translucent else None, opacity=1.0 if translucent else None,
                side="double" if flat else "front", cast_shadow=not flat and not translucent, **poses)
        group = _Group(handle, pixels is None)
        if not flat:
            self._listen(handle, group)
        return group

    def _listen(self, handle, group):
        """Clicks select, drags pull (ctrl and the right button, or shift and the left) or turn (ctrl and the left)."""

        @handle.on_click
        async def _(event):
            self._clicked(self._row(group, event.instance_index), event)

        def pulled(turning):
            async def callback(event):
                self._dragged(self._row(group, event.instance_index), event, turning)

            return callback

        handle.on_drag("right", modifier="cmd/ctrl")(pulled(False))
        handle.on_drag("left", modifier="shift")(pulled(False))
        handle.on_drag("left", modifier="cmd/ctrl")(pulled(True))

    @staticmethod
    def _row(group, instance):
        rows = group.rows
        return int(rows[instance]) if instance is not None and rows is not None and instance < len(rows) else -1

    def _paint_soft(self, meshes):
        for name, (vertices, faces, rgba) in meshes.items():
            handle = self._soft.get(name)
            if handle is None or len(handle.faces) != len(faces):
                self._soft[name] = self._server.scene.add_mesh_simple(
                    f"/sinew/{name}", vertices, faces, color=tuple(int(c) for c in _bytes(rgba[:3])), side="double",
                    opacity=float(rgba[3]) if rgba[3] < 0.995 else None)
            else:
                handle.vertices = vertices
        for name in [name for name in self._soft if name not in meshes]:
            self._soft.pop(name).remove()

    def _paint_labels(self, geoms):
        rows = np.flatnonzero(geoms["label"] != b"")[:_LABELS] if len(geoms) else ()
        while len(self._labels) > len(rows):
            self._labels.pop().remove()
        for place, row in enumerate(rows):
            text = geoms["label"][row].decode("utf-8", "replace")
            if place == len(self._labels):
                self._labels.append(self._server.scene.add_label(f"/sinew/label {place}", text, position=geoms["pos"][row]))
            self._labels[place].text = text
            self._labels[place].position = geoms["pos"][row]
