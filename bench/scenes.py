"""Benchmark models: ours, generated ones, and those of the field that are installed."""

import importlib.util
import pathlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "models"


def pile(count):
    """A pile of mixed primitives that falls into a box of walls.

    Each body is shifted and turned a little: columns in perfect balance would stand until rounding
    topples them, at another step in each engine, and the engines would not do the same work.
    """
    shapes = ("type='sphere' size='.06'", "type='box' size='.05 .06 .04'", "type='capsule' size='.03 .06'")
    jitter = np.random.RandomState(1).uniform(-1, 1, (count, 5))
    bodies = "".join(
        f"<body pos='{0.17 * (i % 5) - 0.34 + 0.03 * x:.4f} {0.17 * (i // 5 % 5) - 0.34 + 0.03 * y:.4f} "
        f"{0.15 + 0.16 * (i // 25)}' euler='{40 * a:.2f} {40 * b:.2f} {90 * c:.2f}'>"
        f"<freejoint/><geom {shapes[i % 3]}/></body>"
        for i, (x, y, a, b, c) in enumerate(jitter)
    )
    walls = "".join(
        f"<geom type='box' size='{'.02 .6 1' if axis == 0 else '.6 .02 1'}' "
        f"pos='{side * 0.6 if axis == 0 else 0} {side * 0.6 if axis == 1 else 0} 1'/>"
        for axis in (0, 1)
        for side in (-1, 1)
    )
    return f"<mujoco><worldbody><geom type='plane' size='2 2 .1'/>{walls}{bodies}</worldbody></mujoco>"


def chain(count, contacts=False):
    """A hanging chain of hinged capsules."""
    mask = "" if contacts else " contype='0' conaffinity='0'"
    body, name = "", " name='end'"
    for i in range(count):
        body = (
            f"<body{name} pos='0 0 -.1'><joint axis='{i % 2} {(i + 1) % 2} 0' damping='.01'/>"
            f"<geom type='capsule' fromto='0 0 0 0 0 -.1' size='.02'{mask}/>{body}</body>"
        )
        name = ""
    return f"<mujoco><worldbody>{body}</worldbody></mujoco>"


def long_chain(module, count, part=250):
    """The same model, put together from parts: XML may not nest as deeply."""
    specs = [module.MjSpec.from_string(chain(part)) for _ in range(count // part)]
    whole, prefix = specs[0], ""
    for k, spec in enumerate(specs[1:]):
        frame = whole.body(f"{prefix}end").add_frame()
        prefix = f"{k}-"
        whole.attach(spec, prefix=prefix, frame=frame)
    return whole.compile()


def linear_chain(module, count):
    """A chain that Sinew steps without its inertia matrix (sinew:linear); MuJoCo has no such flag."""
    model = long_chain(module, count) if count > 250 else module.MjModel.from_xml_string(chain(count))
    model.opt.enableflags |= int(getattr(module.mjtEnableBit, "mjENBL_LINEAR", 0))
    return model


def star(count):
    """Independent pendulums around one base."""
    arms = "".join(
        f"<body euler='0 0 {360 * i / count}'><joint axis='0 1 0' damping='.01'/>"
        "<geom type='capsule' fromto='0 0 0 .2 0 0' size='.01' contype='0' conaffinity='0'/></body>"
        for i in range(count)
    )
    return f"<mujoco><worldbody>{arms}</worldbody></mujoco>"


def spheres_on_plane(count):
    """Spheres at rest, each with one contact of its own."""
    side = int(count**0.5) + 1
    bodies = "".join(
        f"<body pos='{0.25 * (i % side)} {0.25 * (i // side)} .099'><freejoint/><geom size='.1'/></body>"
        for i in range(count)
    )
    return f"<mujoco><worldbody><geom type='plane' size='90 90 .1'/>{bodies}</worldbody></mujoco>"


def muscle_arm(count):
    """An arm of two links with many muscles around its joints."""
    sites, tendons, muscles = "", "", ""
    for i in range(count):
        y, z = 0.05 + 0.002 * (i % 10), 0.004 * (i % 7)
        sign = 1 if i % 2 else -1
        sites += f"<site name='a{i}' pos='-.1 {sign * y} {z}'/>"
        tendons += (
            f"<spatial name='t{i}'><site site='a{i}'/><geom geom='wrap' sidesite='s{i % 2}'/>"
            f"<site site='b{i}'/></spatial>"
        )
        muscles += f"<muscle tendon='t{i}' lengthrange='.1 .4' force='50' ctrlrange='0 1' ctrllimited='true'/>"
    links = "".join(
        f"<site name='b{i}' pos='{0.1 + 0.002 * i} {0.03 * (1 if i % 2 else -1)} 0'/>" for i in range(count)
    )
    return f"""<mujoco><option timestep='.002'/><worldbody>{sites}
      <geom name='wrap' type='cylinder' size='.04 .1' contype='0' conaffinity='0'/>
      <site name='s0' pos='0 -.06 0'/><site name='s1' pos='0 .06 0'/>
      <body><joint name='shoulder' axis='0 0 1' range='-80 80' limited='true' damping='.1'/>
        <geom type='capsule' fromto='0 0 0 .3 0 0' size='.03' contype='0' conaffinity='0'/>{links}
        <body pos='.3 0 0'><joint axis='0 0 1' range='0 140' limited='true' damping='.1'/>
          <geom type='capsule' fromto='0 0 0 .25 0 0' size='.025' contype='0' conaffinity='0'/></body>
      </body></worldbody><tendon>{tendons}</tendon><actuator>{muscles}</actuator></mujoco>"""


def collision_scene():
    """Capsules, stacked boxes, convex meshes and a height field: collision dominates the step."""
    mesh = (
        "<mesh name='gem' vertex='.06 0 0 -.06 0 0 0 .06 0 0 -.06 0 0 0 .06 0 0 -.06 .04 .04 .04 "
        "-.04 .04 -.04 .04 -.04 .04'/>"
    )
    bodies = ""
    for i in range(300):
        x, y = 0.3 * (i % 20) - 3, 0.3 * (i // 20) - 3
        kind = ("type='capsule' size='.04 .1'", "type='box' size='.07 .07 .07'", "type='mesh' mesh='gem'")[i % 3]
        bodies += f"<body pos='{x} {y} .5' euler='{7 * i} {13 * i} 0'><freejoint/><geom {kind}/></body>"
    return f"""<mujoco><asset>{mesh}<hfield name='hills' nrow='30' ncol='30' size='4 4 .3 .1'
      elevation='{" ".join(str((3 * i + 7 * (i // 30)) % 11) for i in range(900))}'/></asset>
      <worldbody><geom type='hfield' hfield='hills'/>{bodies}</worldbody></mujoco>"""


def flexes():
    """Soft bodies of every kind, for the time of loading: {name: XML text}."""
    grid = "type='grid' spacing='.1 .1 .1' radius='.01'"
    alone = "<contact selfcollide='none'/>"
    parts = {
        "cloth": f"<flexcomp name='f' {grid} dim='2' count='16 16 1'>"
                 "<elasticity young='1e4' thickness='.01' elastic2d='both'/></flexcomp>",
        "cloth held at vertices": f"<flexcomp name='f' {grid} dim='2' count='12 12 1'><edge equality='vert'/></flexcomp>",
        "jelly": f"<flexcomp name='f' {grid} dim='3' count='6 6 6'>"
                 "<elasticity young='1e4' poisson='.2' damping='.01'/></flexcomp>",
        "jelly on a body": f"<freejoint/><geom size='.1'/><flexcomp name='f' {grid} dim='3' count='5 5 5'>"
                           "<edge equality='true'/></flexcomp>",
        "trilinear jelly": f"<flexcomp name='f' {grid} dim='3' dof='trilinear' count='8 8 8'>{alone}"
                           "<elasticity young='1e4' poisson='.2'/></flexcomp>",
        "quadratic jelly": f"<flexcomp name='f' {grid} dim='3' dof='quadratic' count='8 8 8'>{alone}"
                           "<elasticity young='1e4' poisson='.2'/></flexcomp>",
        "rigid block": f"<freejoint/><geom size='.1'/><flexcomp name='f' {grid} dim='3' rigid='true' count='8 8 8'/>",
        "cable": f"<flexcomp name='f' {grid} dim='1' count='40 1 1'><edge stiffness='10' damping='.1'/></flexcomp>",
    }
    return {name: f"<mujoco><worldbody><body name='p'>{part}</body></worldbody></mujoco>" for name, part in parts.items()}


def _package(name, *parts):
    spec = importlib.util.find_spec(name)
    return pathlib.Path(spec.origin).parent.joinpath(*parts) if spec else None


def sheet(n, solver="CG"):
    """A square sheet of about n vertices whose edges keep their lengths, pinned at two corners."""
    side = max(2, round(n**0.5))
    return f"""<mujoco><option timestep="0.002" solver="{solver}"><flag contact="disable"/></option><worldbody><body name="base">
<flexcomp name="sheet" type="grid" dim="2" count="{side} {side} 1" spacing="0.05 0.05 0.05" mass="{1e-3 * side * side}"
radius="0.001"><edge equality="true"/><contact selfcollide="none"/><pin id="0 {side - 1}"/></flexcomp></body></worldbody></mujoco>"""


def models():
    """{name: path or XML text}, of what is there: measured alone, in batches and on a GPU."""
    found = {
        "humanoid (ours)": ROOT / "models" / "humanoid.xml",
        "arm (ours)": ROOT / "models" / "arm.xml",
        "pile of 200": pile(200),
        "chain of 100": chain(100),
        "muscle arm 50": muscle_arm(50),
        "collision scene": collision_scene(),
    }
    paths = {
        "humanoid": SHARED / "mujoco/humanoid/humanoid.xml",
        "100_humanoids": SHARED / "mujoco/humanoid/100_humanoids.xml",
        "shadow_hand": SHARED / "menagerie/shadow_hand/scene_right.xml",
        "cassie": SHARED / "menagerie/agility_cassie/scene.xml",
        "barkour_vb": SHARED / "menagerie/google_barkour_vb/scene.xml",
        "allegro": SHARED / "menagerie/wonik_allegro/scene_right.xml",
        "wx250s": SHARED / "menagerie/trossen_wx250s/scene.xml",
        "humanoid100": SHARED / "mujoco/humanoid/humanoid100.xml",
        "cube_3x3x3": SHARED / "mujoco/cube/cube_3x3x3.xml",
        "car": SHARED / "mujoco/car/car.xml",
        "arm26": SHARED / "mujoco/tendon_arm/arm26.xml",
        "active_adhesion": SHARED / "mujoco/adhesion/active_adhesion.xml",
        "bunnies": SHARED / "mujoco/replicate/bunnies.xml",
    }
    flexes = sorted((SHARED / "mujoco/flex").glob("*.xml")) + [SHARED / "mujoco/hammock/hammock.xml"]
    paths.update({f"flex {path.stem}": path for path in flexes if path.is_file() and "flexcomp" in path.read_text()})
    for name in ("humanoid_CMU", "dog", "quadruped", "cheetah"):
        folder = _package("dm_control", "suite")
        paths[f"dm {name}"] = folder / f"{name}.xml" if folder else pathlib.Path("/none")
    for name in ("ant", "humanoid"):
        folder = _package("gymnasium", "envs", "mujoco", "assets")
        paths[f"gym {name}"] = folder / f"{name}.xml" if folder else pathlib.Path("/none")
    found.update({name: path for name, path in paths.items() if path.is_file()})
    return found


def field():
    """{name: path}, of what is there: the other rigid models of the field, simple ones and odd ones."""
    mujoco, menagerie = SHARED / "mujoco", SHARED / "menagerie"
    suite, gym = _package("dm_control", "suite"), _package("gymnasium", "envs", "mujoco", "assets")
    walkers = _package("dm_control", "locomotion", "walkers", "assets")
    groups = {
        "replicate": (mujoco / "replicate", ("tendon", "cylinder", "bowl", "newton_cradle", "helix", "leaves",
                                             "particle", "particle_free", "particle_free2d", "stonehenge")),
        "sleep": (mujoco / "sleep", ("dominos", "humanoid", "100_humanoids")),
        "sdf": (mujoco / "plugin/sdf", ("bowl", "cow", "gear", "mesh", "nutbolt", "primitives", "torus")),
        "cable": (mujoco / "plugin/elasticity", ("belt", "cable", "coil")),
        "plugin": (mujoco / "plugin", ("actuator/pid", "sensor/touch_grid")),
        "mujoco": (mujoco, ("humanoid/22_humanoids", "tactile/tactile", "balloons/balloons", "slider_crank/slider_crank")),
        "menagerie": (menagerie, ("bitcraze_crazyflie_2/scene", "robotiq_2f85/scene", "skydio_x2/scene",
                                  "google_barkour_vb/scene_hfield_mjx", "wonik_allegro/scene_left")),
        "gpu": (SHARED / "gpu", ("g1/g1", "franka/franka", "three_humanoids/three_humanoids")),
        "dm": (suite, ("acrobot", "ball_in_cup", "cartpole", "finger", "fish", "hopper", "humanoid", "manipulator",
                       "pendulum", "point_mass", "reacher", "stacker", "swimmer", "walker")),
        "walkers": (walkers, ("rodent", "fruitfly_v2/fruitfly", "jumping_ball/jumping_ball_with_head")),
        "gym": (gym, ("half_cheetah", "hopper", "humanoidstandup", "inverted_double_pendulum", "inverted_pendulum", "point",
                      "pusher", "reacher", "swimmer", "walker2d")),
    }
    paths = {f"{group} {name.replace('/scene', '').split('/')[-1]}": folder / f"{name}.xml"
             for group, (folder, names) in groups.items() if folder for name in names}
    return {name: path for name, path in paths.items() if path.is_file()}
