"""Scenes with very many of one thing: the stage that handles that thing dominates the step."""

import numpy as np

FREE = "<freejoint/><geom size='.05' contype='0' conaffinity='0'/>"


def _model(world, rest="", option=""):
    return f"<mujoco>{option}<worldbody>{world}</worldbody>{rest}</mujoco>"


def _grid(count, inside, spacing=0.3, height=1.0):
    """`count` bodies in a square; `inside(i)` is the content of body i."""
    side = int(np.ceil(count**0.5))
    return "".join(
        f"<body name='b{i}' pos='{spacing * (i % side):.3f} {spacing * (i // side):.3f} {height}'>{inside(i)}</body>"
        for i in range(count)
    )


def equality_chain(count, kind):
    """Free bodies in a row, each held to the one before; the first is fixed and the rest hang from it."""
    bodies = "".join(f"<body name='b{i}' pos='{0.2 * i} 0 1'>{FREE if i else ''}</body>" for i in range(count))
    anchor = " anchor='.1 0 0'" if kind == "connect" else ""
    rows = "".join(f"<{kind} body1='b{i}' body2='b{i + 1}'{anchor}/>" for i in range(count - 1))
    return _model(bodies, f"<equality>{rows}</equality>")


def joint_couplings(count):
    """Hinges in pairs that turn together."""
    arm = "<geom type='capsule' fromto='0 0 0 .1 0 0' size='.01' contype='0' conaffinity='0'/>"
    bodies = _grid(count, lambda i: f"<joint name='j{i}' axis='0 1 0'/>{arm}")
    rows = "".join(f"<joint joint1='j{i}' joint2='j{i + 1}' polycoef='0 -1 0 0 0'/>" for i in range(0, count - 1, 2))
    return _model(bodies, f"<equality>{rows}</equality>")


def rangefinders(count, targets=50):
    """Rays from one moving body at spheres, boxes and a plane."""
    sites = "".join(f"<site name='s{i}' euler='{90 + 40 * np.sin(i):.2f} {360 * i / count:.2f} 0'/>" for i in range(count))
    kinds = ("type='sphere' size='.2'", "type='box' size='.2 .1 .2'", "type='capsule' size='.1 .2'")
    world = "<geom type='plane' size='9 9 .1'/>" + "".join(
        f"<geom {kinds[i % 3]} pos='{3 * np.cos(6.28 * i / targets):.3f} {3 * np.sin(6.28 * i / targets):.3f} 1'/>"
        for i in range(targets)
    )
    world += f"<body pos='0 0 1'><joint axis='0 0 1'/><geom size='.1' contype='0' conaffinity='0'/>{sites}</body>"
    return _model(world, "<sensor>" + "".join(f"<rangefinder site='s{i}'/>" for i in range(count)) + "</sensor>")


def frame_sensors(count, bodies=100):
    """Positions, orientations and velocities of frames."""
    kinds = ("framepos", "framequat", "framelinvel", "frameangvel", "framelinacc", "framexaxis")
    sensors = "".join(f"<{kinds[i % 6]} objtype='body' objname='b{i % bodies}'/>" for i in range(count))
    return _model(_grid(bodies, lambda i: FREE), f"<sensor>{sensors}</sensor>")


def noslip(count):
    """Boxes on a plane, with the solver that removes slip."""
    boxes = _grid(count, lambda i: "<freejoint/><geom type='box' size='.1 .1 .1'/>", height=0.099)
    return _model("<geom type='plane' size='90 90 .1'/>" + boxes, option="<option noslip_iterations='5'/>")


def small_chains(count, links=5):
    """Many short chains without contacts."""
    def chain(_):
        inner = ""
        for k in range(links):
            inner = (f"<body pos='0 0 -.1'><joint axis='{k % 2} {(k + 1) % 2} 0'/><geom type='capsule' "
                     f"fromto='0 0 0 0 0 -.1' size='.02' contype='0' conaffinity='0'/>{inner}</body>")
        return inner
    return _model(_grid(count, chain))


def actuators(count, joints=50):
    """Several actuators of each kind on every hinge."""
    arm = "<geom type='capsule' fromto='0 0 0 .1 0 0' size='.01' contype='0' conaffinity='0'/>"
    bodies = _grid(joints, lambda i: f"<joint name='j{i}' axis='0 1 0' damping='.1'/>{arm}")
    kinds = ("<motor joint='j{}' gear='.01'/>", "<position joint='j{}' kp='.1'/>", "<velocity joint='j{}' kv='.01'/>",
             "<general joint='j{}' dyntype='filter' dynprm='.1' gainprm='.1'/>")
    return _model(bodies, "<actuator>" + "".join(kinds[i % 4].format(i % joints) for i in range(count)) + "</actuator>")


def fixed_tendons(count, joints=50):
    """Tendons that sum joint angles, with springs."""
    arm = "<geom type='capsule' fromto='0 0 0 .1 0 0' size='.01' contype='0' conaffinity='0'/>"
    bodies = _grid(joints, lambda i: f"<joint name='j{i}' axis='0 1 0' damping='.1'/>{arm}")
    tendons = "".join(
        f"<fixed stiffness='.01' damping='.001'><joint joint='j{i % joints}' coef='1'/>"
        f"<joint joint='j{(i + 7) % joints}' coef='-1'/></fixed>" for i in range(count))
    return _model(bodies, f"<tendon>{tendons}</tendon>")


def spatial_tendons(count, bodies=50):
    """Springs between sites of free bodies."""
    world = _grid(bodies, lambda i: FREE + f"<site name='s{i}' pos='.02 0 0'/>")
    tendons = "".join(
        f"<spatial stiffness='.1' damping='.01'><site site='s{i % bodies}'/><site site='s{(i * 7 + 3) % bodies}'/></spatial>"
        for i in range(count) if i % bodies != (i * 7 + 3) % bodies)
    return _model(world, f"<tendon>{tendons}</tendon>", "<option gravity='0 0 0'/>")


def sites(count, bodies=50):
    world = _grid(bodies, lambda i: FREE + "".join(
        f"<site pos='.01 {0.001 * k} 0' euler='{k} 0 0'/>" for k in range(count // bodies)))
    return _model(world)


def cameras(count, bodies=50):
    world = _grid(bodies, lambda i: FREE + "".join(
        f"<camera pos='.01 {0.001 * k} 0' mode='{('fixed', 'track', 'trackcom', 'targetbody')[k % 4]}' target='b0'/>"
        f"<light pos='0 0 {0.001 * k}' mode='{('fixed', 'track')[k % 2]}'/>"
        for k in range(count // bodies)))
    return _model("<body name='base'/>" + world)


def keyframes(count):
    """Keyframes cost nothing while stepping."""
    keys = "".join(f"<key qpos='{0.01 * i} 0 1 1 0 0 0'/>" for i in range(count))
    return _model(f"<body pos='0 0 1'>{FREE}</body>", f"<keyframe>{keys}</keyframe>")


def static_geoms(count):
    """A town of fixed boxes, with a few bodies that fall upon it."""
    side = int(np.ceil(count**0.5))
    town = "".join(
        f"<geom type='box' size='.1 .1 {0.1 + 0.05 * (i * 7 % 11)}' pos='{0.3 * (i % side)} {0.3 * (i // side)} 0'/>"
        for i in range(count))
    movers = "".join(
        f"<body pos='{0.3 * (i * 13 % side) + 0.05} {0.3 * (i * 29 % side)} 1'><freejoint/><geom size='.08'/></body>"
        for i in range(10))
    return _model(town + movers)


def height_fields(count):
    """Tiles of hills with balls that roll over them."""
    grid = " ".join(str((3 * i + 7 * (i // 20)) % 11) for i in range(400))
    side = int(np.ceil(count**0.5))
    tiles = "".join(f"<geom type='hfield' hfield='h' pos='{2 * (i % side)} {2 * (i // side)} 0'/>" for i in range(count))
    balls = "".join(
        f"<body pos='{2 * (i % side) + 0.1} {2 * (i // side) + 0.05} .4'><freejoint/><geom size='.1'/></body>"
        for i in range(count))
    asset = f"<asset><hfield name='h' nrow='20' ncol='20' size='1 1 .3 .1' elevation='{grid}'/></asset>"
    return _model(tiles + balls, asset)


def big_meshes(count, vertices=2000):
    """Round stones of many vertices in a heap."""
    points = np.random.RandomState(2).normal(size=(vertices, 3))
    points *= 0.1 / np.linalg.norm(points, axis=1, keepdims=True) * np.array([1, 0.8, 0.7])
    text = " ".join(f"{x:.6f}" for x in points.ravel())
    stones = "".join(
        f"<body pos='{0.18 * (i % 3)} {0.16 * (i // 3 % 3)} {0.1 + 0.16 * (i // 9)}' euler='{31 * i} {17 * i} 0'>"
        "<freejoint/><geom type='mesh' mesh='stone'/></body>" for i in range(count))
    return _model("<geom type='plane' size='9 9 .1'/>" + stones, f"<asset><mesh name='stone' vertex='{text}'/></asset>")


def rocky_field(count, shape):
    """Geoms on one height field whose cells are smaller than they are: many queries, few of which meet."""
    rng = np.random.RandomState(3)
    grid = " ".join(f"{x:.3f}" for x in rng.rand(3600))
    side = int(np.ceil(count**0.5))
    geoms = "".join(
        f"<body pos='{0.3 * (i % side) - 1:.3f} {0.3 * (i // side) - 1:.3f} .25' euler='{a:.1f} {b:.1f} {c:.1f}'>"
        f"<freejoint/><geom {shape}/></body>" for i, (a, b, c) in enumerate(rng.uniform(-90, 90, (count, 3))))
    asset = f"<asset><hfield name='h' nrow='60' ncol='60' size='2 2 .2 .1' elevation='{grid}'/></asset>"
    return _model("<geom type='hfield' hfield='h'/>" + geoms, asset)


def heap(count, shape, asset=""):
    """Geoms of one kind that fall into a pit."""
    rng = np.random.RandomState(4)
    walls = "".join(f"<geom type='box' size='{a} {b} 1' pos='{x} {y} 1'/>" for a, b, x, y in
                    ((0.02, 0.5, -0.5, 0), (0.02, 0.5, 0.5, 0), (0.5, 0.02, 0, -0.5), (0.5, 0.02, 0, 0.5)))
    geoms = "".join(
        f"<body pos='{0.16 * (i % 5) - 0.32 + x:.4f} {0.16 * (i // 5 % 5) - 0.32 + y:.4f} {0.15 + 0.16 * (i // 25):.2f}' "
        f"euler='{900 * x:.1f} {900 * y:.1f} 0'><freejoint/><geom {shape}/></body>"
        for i, (x, y) in enumerate(rng.uniform(-0.03, 0.03, (count, 2))))
    return _model("<geom type='plane' size='9 9 .1'/>" + walls + geoms, asset)


def coins(count, corners=16):
    """Flat prisms in a heap: on their faces searches for the farthest vertex meet ties."""
    angle = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    ring = np.stack([0.07 * np.cos(angle), 0.07 * np.sin(angle)], 1)
    text = " ".join(f"{x:.6f} {y:.6f} {z}" for z in (-0.03, 0.03) for x, y in ring)
    return heap(count, "type='mesh' mesh='coin'", f"<asset><mesh name='coin' vertex='{text}'/></asset>")


def sleepers(count, sleep=True):
    """Balls at rest on a plane: asleep after the first steps, or kept awake."""
    balls = _grid(count, lambda i: "<freejoint/><geom size='.1'/>", height=0.0999)
    flag = "<option><flag sleep='enable'/></option>" if sleep else ""
    return _model("<geom type='plane' size='90 90 .1'/>" + balls, option=flag)


def limited_joints(count):
    """Hinges and balls pressed against their limits."""
    arm = "<geom type='capsule' fromto='0 0 0 .1 0 0' size='.01' contype='0' conaffinity='0'/>"
    return _model(_grid(count, lambda i: "<joint axis='0 1 0' range='-10 10' limited='true'/>" + arm if i % 2 else
                        "<joint type='ball' range='0 20' limited='true'/>" + arm))


def fluid_bodies(count):
    return _model(_grid(count, lambda i: FREE.replace("<geom", "<geom fluidshape='ellipsoid'") if i % 2 else FREE),
                  option="<option density='1.2' viscosity='1e-5' wind='1 0 0'/>")


def mocap_welds(count):
    """Mocap bodies that pull free bodies along."""
    world = "".join(f"<body name='m{i}' mocap='true' pos='{0.3 * i} 0 1'/><body name='b{i}' pos='{0.3 * i} 0 1'>{FREE}</body>"
                    for i in range(count))
    return _model(world, "<equality>" + "".join(f"<weld body1='m{i}' body2='b{i}'/>" for i in range(count)) + "</equality>")


def touch_sensors(count):
    """Balls on a plane, each with a touch sensor and a contact sensor."""
    balls = _grid(count, lambda i: f"<freejoint/><geom name='g{i}' size='.1'/><site name='s{i}' size='.11'/>", height=0.0999)
    sensors = "".join(f"<touch site='s{i}'/><contact geom1='g{i}' data='found force'/>" for i in range(count))
    return _model("<geom type='plane' size='90 90 .1'/>" + balls, f"<sensor>{sensors}</sensor>")


def delays(count, joints=50):
    """Actuators that act late and sensors that tell late, each with a history of its own."""
    arm = "<geom type='capsule' fromto='0 0 0 .1 0 0' size='.01' contype='0' conaffinity='0'/>"
    bodies = _grid(joints, lambda i: f"<joint name='j{i}' axis='0 1 0' damping='.1'/>{arm}")
    orders = ("zoh", "linear", "cubic")
    late = [f"delay='{0.002 * (1 + i % 7)}' nsample='{4 + i % 5}' interp='{orders[i % 3]}'" for i in range(count)]
    motors = "".join(f"<motor joint='j{i % joints}' gear='.01' {late[i]}/>" for i in range(count))
    sensors = "".join(f"<jointpos joint='j{i % joints}' {late[i]}/>" for i in range(count))
    return _model(bodies, f"<actuator>{motors}</actuator><sensor>{sensors}</sensor>")


def subtree_sensors(count, bodies=100):
    """Centres, velocities and angular momenta of subtrees."""
    kinds = ("subtreecom", "subtreelinvel", "subtreeangmom")
    arm = "<joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .1 0 0' size='.01' contype='0' conaffinity='0'/>"
    world = _grid(bodies, lambda i: FREE + f"<body name='a{i}'>{arm}</body>")
    sensors = "".join(f"<{kinds[i % 3]} body='{'ab'[i // 3 % 2]}{i % bodies}'/>" for i in range(count))
    return _model(world, f"<sensor>{sensors}</sensor>")


def explicit_pairs(count, balls=100):
    """Balls on a plane that only named pairs let touch."""
    world = _grid(balls, lambda i: f"<freejoint/><geom name='g{i}' size='.1' contype='0' conaffinity='0'/>", height=0.0999)
    floor = "<geom name='floor' type='plane' size='90 90 .1' contype='0' conaffinity='0'/>"
    pairs = [("floor", f"g{i}") for i in range(balls)]
    pairs += [(f"g{i}", f"g{(i + 1 + k) % balls}") for k in range(balls // 2 - 1) for i in range(balls)]
    named = "".join(f"<pair geom1='{a}' geom2='{b}'/>" for a, b in pairs[:count])
    return _model(floor + world, f"<contact>{named}</contact>")


def muscles(count, joints=50):
    """Muscles of joints."""
    arm = "<geom type='capsule' fromto='0 0 0 .1 0 0' size='.01' contype='0' conaffinity='0'/>"
    bodies = _grid(joints, lambda i: f"<joint name='j{i}' axis='0 1 0' damping='.1' range='-90 90'/>{arm}")
    actuators = "".join(f"<muscle joint='j{i % joints}' gear='{'-' * (i // joints % 2)}.1' force='1' lengthrange='-.2 .2'/>"
                        for i in range(count))
    return _model(bodies, f"<actuator>{actuators}</actuator>")


def mocap_bodies(count):
    """Mocap bodies that nothing is tied to."""
    return _model(f"<body pos='0 0 1'>{FREE}</body>" + "".join(
        f"<body mocap='true' pos='{0.3 * i} 0 1'><geom size='.1' contype='0' conaffinity='0'/></body>" for i in range(count)))


def crowds():
    """{name: XML text}"""
    return {
        "499 welds": equality_chain(500, "weld"),
        "499 connects": equality_chain(500, "connect"),
        "joint couplings": joint_couplings(1000),
        "mocap welds": mocap_welds(300),
        "1000 rangefinders": rangefinders(1000),
        "5000 frame sensors": frame_sensors(5000),
        "touch sensors": touch_sensors(200),
        "noslip 200 boxes": noslip(200),
        "1000 short chains": small_chains(1000),
        "2000 actuators": actuators(2000),
        "2000 fixed tendons": fixed_tendons(2000),
        "2000 spatial tendons": spatial_tendons(2000),
        "5000 sites": sites(5000),
        "2000 cameras": cameras(2000),
        "1000 keyframes": keyframes(1000),
        "limited joints": limited_joints(1000),
        "fluid": fluid_bodies(1000),
        "10000 static geoms": static_geoms(10000),
        "50 height fields": height_fields(50),
        "big meshes": big_meshes(27),
        "boxes on a field": rocky_field(50, "type='box' size='.08 .06 .05'"),
        "cylinders on a field": rocky_field(50, "type='cylinder' size='.06 .08'"),
        "heap of ellipsoids": heap(100, "type='ellipsoid' size='.05 .06 .04'"),
        "heap of coins": coins(100),
        "2000 sleepers": sleepers(2000),
        "500 delays": delays(500),
        "1500 subtree sensors": subtree_sensors(1500),
        "4000 explicit pairs": explicit_pairs(4000),
        "2000 muscles": muscles(2000),
        "1000 mocap bodies": mocap_bodies(1000),
    }
