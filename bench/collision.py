"""Collision detection alone: mj_collision of both engines at the same states.

Scenes: a hundred humanoids (their capsules and spheres), two hundred stacked boxes, a hundred convex
meshes in a heap, a height field with geoms of every type, and all of them together. The engines
take turns; a ratio is MuJoCo's processor time over ours, median over the turns, above 1 where Sinew
is faster. Every state is also compared: as many contacts, at the same depths.
"""

import argparse
import hashlib
import json
import os
import pathlib
import time

import mujoco
import numpy as np
import sinew
from report import processor
from sinew import bridge

ROOT = pathlib.Path(__file__).resolve().parents[1]
FREE = mujoco.mjtJoint.mjJNT_FREE
STATES = 8


def free_body(spec, pos, **geom):
    body = spec.worldbody.add_body(pos=pos)
    body.add_freejoint()
    body.add_geom(**geom)


def humanoids(spec, count=100, origin=(0, 0)):
    """In rows, close enough that arms touch."""
    for i in range(count):
        place = [origin[0] + 0.7 * (i % 10), origin[1] + 0.7 * (i // 10), 0]
        one = mujoco.MjSpec.from_file(str(ROOT / "models" / "humanoid.xml"))
        spec.worldbody.add_frame(pos=place).attach_body(one.body("torso"), f"h{i}_", "")


def boxes(spec, count=200, origin=(0, 0)):
    """Towers of twenty."""
    for i in range(count):
        tower, level = divmod(i, 20)
        place = [origin[0] + 0.5 * tower, origin[1], 0.1 + 0.2 * level]
        free_body(spec, place, type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.1, 0.1, 0.1])


def meshes(spec, count=100, origin=(0, 0)):
    """A heap of five kinds of convex polytopes."""
    rng = np.random.default_rng(1)
    for kind in range(5):
        points = rng.normal(size=(12 * 2**kind, 3))
        points *= 0.12 / np.linalg.norm(points, axis=1, keepdims=True)
        spec.add_mesh(name=f"hull{kind}", uservert=points.ravel())
    for i in range(count):
        place = [0.2 * (i % 5), 0.2 * (i // 5 % 5), 0.1 + 0.2 * (i // 25)]
        place = [place[0] + origin[0], place[1] + origin[1], place[2]]
        free_body(spec, place, type=mujoco.mjtGeom.mjGEOM_MESH, meshname=f"hull{i % 5}")


def terrain(spec, count=100, origin=(0, 0)):
    """Geoms of every type on rough ground."""
    rng = np.random.default_rng(2)
    spec.add_hfield(name="ground", nrow=60, ncol=60, size=[4, 4, 0.5, 0.1], userdata=rng.random(3600))
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname="ground", pos=[*origin, -0.2])
    kinds = ["SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX"]
    for i in range(count):
        place = [origin[0] + 0.7 * (i % 10) - 3.2, origin[1] + 0.7 * (i // 10) - 3.2, 0.25]
        kind = getattr(mujoco.mjtGeom, f"mjGEOM_{kinds[i % 5]}")
        free_body(spec, place, type=kind, size=[0.12, 0.15, 0.1])


def everything(spec):
    humanoids(spec)
    boxes(spec, origin=(0, 10))
    meshes(spec, origin=(10, 0))
    terrain(spec, origin=(20, 0))


def scene(make):
    spec = mujoco.MjSpec()
    spec.memory = 1 << 28
    if make is not terrain:
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.1])
    make(spec)
    theirs = spec.compile()
    return theirs, bridge.model_from_mujoco(theirs)  # text would round the vertices


def shaken(model, rng, amount):
    """The reference pose with every coordinate moved a little."""
    qpos = model.qpos0.copy()
    for joint in range(model.njnt):
        start = model.jnt_qposadr[joint]
        if model.jnt_type[joint] == FREE:
            qpos[start : start + 3] += rng.normal(size=3) * 0.02 * amount
            qpos[start + 3 : start + 7] += rng.normal(size=4) * 0.2 * amount
        else:
            qpos[start] += rng.normal() * 0.3 * amount
    mujoco.mj_normalizeQuat(model, qpos)
    return qpos


class Engine:
    """One engine's model and one data per state, ready for mj_collision."""

    def __init__(self, module, model, states):
        self.module, self.model, self.datas = module, model, []
        for qpos in states:
            data = module.MjData(model)
            data.qpos[:] = qpos
            module.mj_kinematics(model, data)
            module.mj_comPos(model, data)
            module.mj_collision(model, data)
            self.datas.append(data)

    def run(self, rounds):
        """Processor seconds per call, state by state in turn."""
        collide, model = self.module.mj_collision, self.model
        start = time.process_time()
        for _ in range(rounds):
            for data in self.datas:
                collide(model, data)
        return (time.process_time() - start) / (rounds * len(self.datas))


def compare(name, make, seconds, repeats):
    rng = np.random.default_rng(3)
    model, our_model = scene(make)
    states = [shaken(model, rng, i / (STATES - 1)) for i in range(STATES)]
    theirs, ours = Engine(mujoco, model, states), Engine(sinew, our_model, states)
    worst = 0.0
    for expected, found in zip(theirs.datas, ours.datas):
        assert found.ncon == expected.ncon, f"{name}: {found.ncon} contacts instead of {expected.ncon}"
        if found.ncon:
            worst = max(worst, float(np.abs(found.contact.dist - expected.contact.dist).max()))
    assert worst < 1e-6, f"{name}: depths differ by {worst}"
    rounds = max(1, int(seconds / theirs.run(1) / STATES))
    times = [(ours.run(rounds), theirs.run(rounds)) for _ in range(repeats)]
    digest = hashlib.sha256(b"".join(np.ascontiguousarray(d.contact.dist).tobytes() for d in ours.datas))
    return {
        "scene": name,
        "geoms": int(model.ngeom),
        "contacts": float(np.mean([d.ncon for d in ours.datas])),
        "us": 1e6 * float(np.median([t[0] for t in times])),
        "mujoco_us": 1e6 * float(np.median([t[1] for t in times])),
        "ratio": float(np.median([b / a for a, b in times])),
        "difference": worst,
        "hash": digest.hexdigest()[:12],
    }


SCENES = {f.__name__: f for f in (humanoids, boxes, meshes, terrain, everything)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/bench"))
    parser.add_argument("--seconds", type=float, default=0.3, help="per engine, scene and turn")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--only", default="", help="part of a scene's name")
    options = parser.parse_args()
    print(f"mj_collision against MuJoCo {mujoco.__version__}: {processor()}, load {os.getloadavg()[0]:.1f}")
    print(f"{'scene':<12}{'geoms':>7}{'contacts':>10}{'us':>10}{'MuJoCo':>10}{'ratio':>7}{'differ':>9}  hash")
    rows = []
    for name, make in SCENES.items():
        if options.only not in name:
            continue
        rows.append(compare(name, make, options.seconds, options.repeats))
        r = rows[-1]
        print(
            f"{r['scene']:<12}{r['geoms']:>7}{r['contacts']:>10.0f}{r['us']:>10.1f}{r['mujoco_us']:>10.1f}"
            f"{r['ratio']:>7.2f}{r['difference']:>9.1e}  {r['hash']}",
            flush=True,
        )
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "collision.json").write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
