"""Models and data as text: line by line what MuJoCo prints.

What differs by design is masked: bytes (Sinew has arrays of its own), durations, the signature, the
progress of the solver, and how far identical patterns of rows are followed.
"""

import pathlib
import re

import mujoco
import pytest
import sinew

MODELS = pathlib.Path(__file__).resolve().parents[1] / "models"
NAMES = ["sensor/arm", "sensor/delay", "constraint/mixed_all", "constraint/mixed_islands",
         "odd/tendon_wrap_inside", "odd/tendon_pulley", "odd/skin", "odd/user_data", "odd/mesh_fit", "odd/keyframes_partial",
         "actuation/muscles", "actuation/delays", "collision/hfield", "dynamics/joints", "plugin/pid", "flex/sheet"]
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|nan|inf)(?![\w.])")
LAYOUTS = {"dense": (0, 2), "sparse": (1, 2), "sparse, dual": (1, 0), "dense, dual": (0, 0)}


def masked(text):
    section, lines = "", []
    for line in text.split("\n"):
        if line and line[0] not in " -":
            section = line
        if section == "MEMORY":
            line = re.sub(r" +\d+ (KB|bytes).*", " N", line)
        elif section == "SIGNATURE":
            line = re.sub(r"\d+", "N", line)
        elif section == "TIMER":
            line = re.sub(r"duration = .*", "", line)
        elif section == "SOLVER STAT":
            line = re.sub(r"(solver_n\w+ =|improvement).*|nactive.*", r"\1", line)
        if re.match(r"  (nbuffer|maxuse_stack|maxuse_arena) ", line):
            line = line.split()[0]
        lines.append(re.sub(r"\| \d+$", "|", line))
    return lines


def alike(ours, theirs):
    """The same words and columns, numbers within 1e-6; 12 digits are compared."""
    if ours == theirs:
        return True
    if NUMBER.sub("#", " ".join(ours.split())) != NUMBER.sub("#", " ".join(theirs.split())):
        return False
    pairs = zip(NUMBER.findall(ours), NUMBER.findall(theirs))
    return all(abs(float(a) - float(b)) <= 1e-6 * max(1, abs(float(b))) for a, b in pairs)


def compare(ours, theirs):
    ours, theirs = masked(ours), masked(theirs)
    for number, (a, b) in enumerate(zip(ours, theirs), 1):
        assert alike(a, b), (number, a, b)
    assert len(ours) == len(theirs)


def printed(module, path, folder, layout):
    model = module.MjModel.from_xml_path(str(path))
    model.opt.jacobian, model.opt.solver = LAYOUTS[layout]
    data = module.MjData(model)
    for _ in range(3):
        module.mj_step(model, data)
    module.mj_forward(model, data)
    files = folder / f"{module.__name__}.model", folder / f"{module.__name__}.data"
    module.mj_printFormattedModel(model, str(files[0]), "% -19.12g")
    module.mj_printFormattedData(model, data, str(files[1]), "% -19.12g")
    return [file.read_text() for file in files]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", NAMES)
def test_text_is_mujocos(name, layout, tmp_path):
    path = MODELS / f"{name}.xml"
    theirs = printed(mujoco, path, tmp_path, layout)
    ours = printed(sinew, path, tmp_path, layout)
    compare(ours[0], theirs[0])
    compare(ours[1], theirs[1])


def test_custom_and_keyframes(tmp_path):
    xml = """<mujoco><worldbody><body name="m" mocap="true"/><body><joint/><geom size=".1"/></body>
    </worldbody><custom><numeric name="n" data="1 2"/><text name="t" data="hello"/>
    <tuple name="u"><element objtype="body" objname="m" prm="3"/></tuple></custom>
    <keyframe><key name="a" qpos="1" time="2" mpos="1 2 3"/><key qvel="3"/><key/></keyframe></mujoco>"""
    texts = []
    for module in (sinew, mujoco):
        path = tmp_path / module.__name__
        module.mj_printModel(module.MjModel.from_xml_string(xml), str(path))
        texts.append(path.read_text())
    compare(*texts)
    assert masked(texts[0]) == masked(texts[1])  # spaces too


def test_spaces(tmp_path):
    """With the default format, lines without noise are the same to the last space."""
    for suffix in ("model", "data"):
        texts = []
        for module in (sinew, mujoco):
            model = module.MjModel.from_xml_path(str(MODELS / "sensor/delay.xml"))
            data = module.MjData(model)
            module.mj_forward(model, data)
            path = tmp_path / module.__name__
            if suffix == "model":
                module.mj_printModel(model, str(path))
            else:
                module.mj_printData(model, data, str(path))
            texts.append(masked(path.read_text()))
        same = sum(a == b for a, b in zip(*texts))
        assert same > 0.98 * len(texts[1]), [p for p in zip(*texts) if p[0] != p[1]][:5]
