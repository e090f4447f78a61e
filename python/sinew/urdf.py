"""URDF with what MuJoCo's importer leaves out: roots of packages, mimic joints, transmissions, bad inertias.

    robot = sinew.urdf.load("robot.urdf", packages={"my_robot": "/models/my_robot"})
    model = robot.spec.compile()
    print("\\n".join(map(str, robot.report)))

The file is read as MuJoCo reads it; everything here is done besides and said in the report.
"""

import dataclasses
import os
import pathlib
import re
import warnings
import xml.etree.ElementTree as ElementTree

import numpy as np

from sinew import _core, _enums

# elements that are read below each element
_READ = {
    "robot": {"link", "joint", "material", "mujoco", "transmission", "ros2_control"},
    "link": {"inertial", "visual", "collision"},
    "inertial": {"origin", "mass", "inertia"},
    "visual": {"origin", "geometry", "material"},
    "collision": {"origin", "geometry"},
    "geometry": {"box", "sphere", "cylinder", "capsule", "mesh"},
    "joint": {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"},
    "material": {"color"},
}
_MOVING = ("revolute", "continuous", "prismatic")
_MESHES = (".stl", ".obj", ".msh")
_SCHEMES = re.compile(r"^(package|model|file)://(.*)$")


@dataclasses.dataclass
class Note:
    """One thing that was dropped, repaired or added."""

    action: str  # "dropped", "repaired", "added" or "found"
    where: str  # as in: joint 'knee' / safety_controller
    reason: str

    def __str__(self):
        return f"{self.action}: {self.where}: {self.reason}"


@dataclasses.dataclass
class Robot:
    """A spec that was read from URDF, and what happened on the way."""

    spec: object
    report: list

    def compile(self):
        return self.spec.compile()


def _where(*elements):
    parts = []
    for element in elements:
        name = element.get("name")
        parts.append(f"{element.tag} '{name}'" if name else element.tag)
    return " / ".join(parts)


# ---- files

def _ancestors(folder, name):
    """Folders called `name`, or that hold a folder called so, from the file's own folder upwards."""
    for parent in (folder, *folder.parents):
        if parent.name == name:
            yield parent
        yield parent / name


def _candidates(file, folder, meshdir, packages, roots):
    """Places where a mesh may lie, the likeliest first."""
    match = _SCHEMES.match(file)
    scheme, rest = match.groups() if match else ("", file)
    if scheme in ("package", "model"):
        name, _, tail = rest.partition("/")
        if name in packages:
            yield pathlib.Path(packages[name]) / tail
        for root in roots:
            yield pathlib.Path(root) / name / tail
            if pathlib.Path(root).name == name:
                yield pathlib.Path(root) / tail
        for parent in _ancestors(folder, name):
            yield parent / tail
        return
    yield folder / rest
    yield folder / meshdir / rest
    yield folder / meshdir / pathlib.PurePosixPath(rest).name
    yield folder / pathlib.PurePosixPath(rest).name


def _environment_roots():
    for variable in ("ROS_PACKAGE_PATH", "GAZEBO_MODEL_PATH"):
        yield from filter(None, os.environ.get(variable, "").split(os.pathsep))


def _drop_other_meshes(robot, report):
    """Shapes whose mesh is of a kind that is not read, and that has no other file."""
    for link in robot.findall("link"):
        for shape in (*link.findall("visual"), *link.findall("collision")):
            mesh = shape.find("geometry/mesh")
            if mesh is not None and not mesh.get("filename", ".stl").lower().endswith(_MESHES):
                link.remove(shape)
                reason = f"meshes like {pathlib.PurePath(mesh.get('filename')).name} are not read"
                report.append(Note("dropped", _where(link, shape), reason))
                if shape.tag == "collision":
                    warnings.warn(f"URDF: {_where(link, shape)}: {reason}", stacklevel=4)


def _find_meshes(robot, folder, packages, roots, report):
    compiler = robot.find("mujoco/compiler")
    meshdir = (compiler.get("meshdir", "") if compiler is not None else "") or "."
    roots = [*roots, *_environment_roots()]
    for mesh in robot.iter("mesh"):
        file = mesh.get("filename")
        if not file:
            continue
        tried = list(dict.fromkeys(_candidates(file, folder, meshdir, packages, roots)))
        found = next((path for path in tried if path.is_file()), None)
        if not file.lower().endswith(_MESHES):
            others = [path.with_suffix(suffix) for path in tried for suffix in (".stl", ".STL", ".obj")]
            found = next((path for path in others if path.is_file()), None)
            if found:
                report.append(Note("found", file, f"{found.name} stands beside it"))
        if found is not None:
            mesh.set("filename", str(found.resolve()))
        elif _SCHEMES.match(file):
            places = ", ".join(str(path) for path in tried[:4])
            report.append(Note("dropped", file, f"no such file; looked for {places}"))
    _drop_other_meshes(robot, report)
    section = robot.find("mujoco")
    section = ElementTree.SubElement(robot, "mujoco") if section is None else section
    compiler = section.find("compiler")
    compiler = ElementTree.SubElement(section, "compiler") if compiler is None else compiler
    compiler.set("strippath", "false")  # the names are whole now


# ---- inertias

def _repaired(matrix, mass):
    """The nearest inertia that a body of this mass can have, or None when the matrix is one already."""
    values, axes = np.linalg.eigh(matrix)
    least = max(1e-9 * values.max(), 1e-12)
    if values[0] > least and values[0] + values[1] >= values[2] * (1 + 1e-9):
        return None
    small = max(1e-6 * values.max(), 1e-6 * mass)  # at least that of a millimetre
    fixed = np.where(values > least, values, max(small, 1e-11))
    lack = fixed[2] * (1 + 1e-6) - fixed[0] - fixed[1]  # A + B >= C, and the next rounding may not undo it
    if lack > 0:
        fixed[:2] += lack / 2
    return axes @ np.diag(fixed) @ axes.T


_ENTRIES = {"ixx": (0, 0), "iyy": (1, 1), "izz": (2, 2), "ixy": (0, 1), "ixz": (0, 2), "iyz": (1, 2)}


def _repair_inertial(link, report):
    inertial = link.find("inertial")
    for other in link.findall("inertial")[1:]:
        link.remove(other)
        report.append(Note("dropped", _where(link, other), "a second one"))
    mass, inertia = inertial.find("mass"), inertial.find("inertia")
    if mass is None or inertia is None:
        link.remove(inertial)
        report.append(Note("dropped", _where(link, inertial), "it lacks the mass or the inertia"))
        return
    value = float(mass.get("value", 0))
    reasons = []
    if not value > 1e-9:
        reasons.append(f"mass {value:g}, now 0.001")
        value = 1e-3
        mass.set("value", repr(value))
    matrix = np.zeros((3, 3))
    for name, (i, j) in _ENTRIES.items():
        matrix[i, j] = matrix[j, i] = float(inertia.get(name, 0))
    if not np.isfinite(matrix).all():
        return
    fixed = _repaired(matrix, value)
    if fixed is not None:
        reasons.append(f"inertia with principal values {np.linalg.eigvalsh(matrix)}, "
                       f"now {np.linalg.eigvalsh(fixed)}")
        for name, (i, j) in _ENTRIES.items():
            inertia.set(name, repr(float(fixed[i, j])))
    for reason in reasons:
        report.append(Note("repaired", _where(link, inertial), reason))
        warnings.warn(f"URDF: {_where(link, inertial)}: {reason}", stacklevel=4)


def _add_inertial(link, report):
    inertial = ElementTree.SubElement(link, "inertial")
    ElementTree.SubElement(inertial, "mass", value="0.001")
    ElementTree.SubElement(inertial, "inertia", ixx="1e-6", iyy="1e-6", izz="1e-6", ixy="0", ixz="0", iyz="0")
    reason = "moves without mass, now 1 g"
    report.append(Note("repaired", _where(link), reason))
    warnings.warn(f"URDF: {_where(link)}: {reason}", stacklevel=4)


def _repair_inertias(robot, report):
    moving = {joint.find("child").get("link") for joint in robot.findall("joint")
              if joint.get("type") not in ("fixed", None) and joint.find("child") is not None}
    carrying = {joint.find("parent").get("link") for joint in robot.findall("joint")
                if joint.get("type") == "fixed" and joint.find("parent") is not None}
    for link in robot.findall("link"):
        if link.find("inertial") is not None:
            _repair_inertial(link, report)
        alone = link.get("name") in moving - carrying and link.find("collision") is None
        if alone and link.find("inertial") is None:
            _add_inertial(link, report)


# ---- mimic joints

def _add_mimics(robot, spec, report):
    kinds = {joint.get("name"): joint.get("type") for joint in robot.findall("joint")}
    for joint in robot.findall("joint"):
        mimic = joint.find("mimic")
        if mimic is None:
            continue
        other = mimic.get("joint")
        if kinds.get(joint.get("name")) not in _MOVING or kinds.get(other) not in _MOVING:
            reason = f"'{other}' or the joint itself has no single position"
            report.append(Note("dropped", _where(joint, mimic), reason))
            continue
        multiplier, offset = float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0))
        equality = spec.add_equality(
            name=f"{joint.get('name')}_mimic", type=_enums.mjtEq.mjEQ_JOINT, objtype=_enums.mjtObj.mjOBJ_JOINT,
            name1=joint.get("name"), name2=other)
        equality.data[:5] = [offset, multiplier, 0, 0, 0]
        reason = f"equality: q = {offset:g} + {multiplier:g} q of '{other}'"
        report.append(Note("added", _where(joint, mimic), reason))


# ---- transmissions

def _first_text(elements, tag):
    return next((element.findtext(tag) for element in elements if element.findtext(tag)), None)


def _interfaces(robot):
    """(element, joint, interface, reduction, name of the actuator) of transmissions and ros2_control joints."""
    for transmission in robot.findall("transmission"):
        actuators = transmission.findall("actuator")
        reduction = _first_text([*actuators, transmission], "mechanicalReduction")
        name = actuators[0].get("name") if actuators else None
        for joint in transmission.findall("joint"):
            interface = _first_text([joint, *actuators], "hardwareInterface") or "Effort"
            yield transmission, joint.get("name"), interface.strip(), float(reduction or 1), name
    for control in robot.findall("ros2_control"):
        for joint in control.findall("joint"):
            for command in joint.findall("command_interface"):
                yield control, joint.get("name"), command.get("name", "effort"), 1.0, None


def _actuate(actuator, interface, joint, reduction, kp, kv):
    """Sets an actuator up; returns what it is."""
    limit = joint.find("limit")
    effort = float(limit.get("effort", 0)) if limit is not None else 0.0
    actuator.trntype = _enums.mjtTrn.mjTRN_JOINT
    actuator.target = joint.get("name")
    kind = interface.lower()
    if "position" in kind and kp is not None:
        actuator.set_to_position(kp=kp)
        if limit is not None and joint.get("type") != "continuous":
            actuator.ctrlrange = [float(limit.get("lower", 0)), float(limit.get("upper", 0))]
            actuator.ctrllimited = True
        what = f"position servo, kp {kp:g}"
    elif "velocity" in kind and kv is not None:
        actuator.set_to_velocity(kv=kv)
        what = f"velocity servo, kv {kv:g}"
    else:
        actuator.set_to_motor()
        actuator.gear[0] = reduction
        if effort > 0:
            actuator.ctrlrange = [-effort / abs(reduction), effort / abs(reduction)]
            actuator.ctrllimited = True
        what = f"motor, gear {reduction:g}"
        return what if "effort" in kind else what + f" ({interface} needs a gain)"
    if effort > 0:
        actuator.forcerange = [-effort, effort]
        actuator.forcelimited = True
    return what


def _add_actuators(robot, spec, kp, kv, report):
    joints = {joint.get("name"): joint for joint in robot.findall("joint")}
    used, titles = set(), set()
    for element, name, interface, reduction, title in _interfaces(robot):
        where = f"{_where(element)} / joint '{name}'"
        joint = joints.get(name)
        if joint is None or joint.get("type") not in _MOVING or not reduction:
            report.append(Note("dropped", where, "no such joint, one that is fixed, or a reduction of zero"))
            continue
        if name in used:
            report.append(Note("dropped", where, f"the joint has an actuator already ({interface})"))
            continue
        used.add(name)
        title = name if title is None or title in titles else title
        titles.add(title)
        actuator = spec.add_actuator(name=title)
        report.append(Note("added", where, _actuate(actuator, interface, joint, reduction, kp, kv)))


# ---- what is not read

def _unread(element, path, skip):
    for child in element:
        if not isinstance(child.tag, str):
            continue  # a comment
        if child.tag in skip or child.tag not in _READ.get(element.tag, {child.tag}):
            yield (*path, child)
        elif child.tag in _READ and child.tag not in ("mujoco", "transmission", "ros2_control"):
            yield from _unread(child, (*path, child), skip)


def _report_unread(robot, mimic, actuators, report):
    skip = set() if mimic else {"mimic"}
    skip |= set() if actuators else {"transmission", "ros2_control"}
    for path in _unread(robot, (), skip):
        report.append(Note("dropped", _where(*path), "not read"))
    for joint in robot.findall("joint"):
        limit = joint.find("limit")
        if limit is not None and limit.get("velocity") is not None:
            report.append(Note("dropped", _where(joint, limit), "velocity: joints have no limit of speed"))
    compiler = robot.find("mujoco/compiler")
    discard = (compiler.get("discardvisual", "true") if compiler is not None else "true") == "true"
    for link in robot.findall("link") if discard else ():
        for visual in link.findall("visual"):
            report.append(Note("dropped", _where(link, visual), "compiler discardvisual is true"))


# ---- all of it

def load(path, packages=None, roots=(), mimic=True, actuators=True, repair=True, kp=None, kv=None):
    """Reads a URDF file; returns a Robot with a `spec` and a `report`.

    packages: {name: folder} for package://name/... and model://name/... Names that are not listed are looked for in
        `roots`, in ROS_PACKAGE_PATH and GAZEBO_MODEL_PATH, and in the folders above the file.
    mimic: mimic joints become joint equalities.
    actuators: transmissions and ros2_control joints become actuators; kp and kv are the gains of position and velocity
        interfaces, which become motors without.
    repair: inertias that no body has are replaced by the nearest one, with a warning.
    """
    path = pathlib.Path(path)
    text = path.read_text()
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError(f"{path}: document types are not read")
    try:
        robot = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ValueError(f"{path}: {error}") from None
    if robot.tag != "robot":
        raise ValueError(f"{path}: <robot> expected, <{robot.tag}> found")
    report = []
    _report_unread(robot, mimic, actuators, report)
    _find_meshes(robot, path.resolve().parent, packages or {}, roots, report)
    if repair:
        _repair_inertias(robot, report)
    spec = _core.MjSpec.from_string(ElementTree.tostring(robot, encoding="unicode"))
    if mimic:
        _add_mimics(robot, spec, report)
    if actuators:
        _add_actuators(robot, spec, kp, kv, report)
    return Robot(spec, report)
