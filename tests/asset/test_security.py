"""What a hostile model file can and cannot do: docs/security.md, sentence by sentence."""

import pathlib
import resource
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest

import sinew

OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def png():
    """One grey pixel."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0\x80")) + chunk(b"IEND", b"")


@pytest.fixture
def folders(tmp_path):
    """A folder that models may read, and one beside it."""
    for name in ("models/assets", "secret"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("models/assets/m.obj", "secret/m.obj", "models/m.obj"):
        (tmp_path / name).write_text(OBJ)
    (tmp_path / "secret" / "part.xml").write_text(
        '<mujoco><worldbody><body name="b"><geom size="1"/></body></worldbody></mujoco>'
    )
    (tmp_path / "secret" / "only.obj").write_text(OBJ)
    (tmp_path / "secret" / "m.png").write_bytes(png())
    (tmp_path / "secret" / "m.skn").write_bytes(bytes(16))
    (tmp_path / "secret" / "heights.bin").write_bytes(np.array([2, 2], "<i4").tobytes() + bytes(16))
    (tmp_path / "models" / "link.obj").symlink_to(tmp_path / "secret" / "m.obj")
    return tmp_path


def mesh(file):
    return (
        f'<mujoco><asset><mesh name="m" file="{file}"/></asset><worldbody><geom type="mesh" mesh="m"/>'
        "</worldbody></mujoco>"
    )


def load(folders, xml, allowed=("models",)):
    path = folders / "models" / "model.xml"
    path.write_text(xml)
    return sinew.MjModel.from_xml_path(str(path), folders=[folders / name for name in allowed])


def test_files_below_the_allowed_folders_are_read(folders):
    assert load(folders, mesh("m.obj")).nmesh == 1
    assert load(folders, mesh("assets/../assets/m.obj")).nmesh == 1
    assert load(folders, mesh(folders / "models" / "assets" / "m.obj")).nmesh == 1
    assert load(folders, mesh("../secret/m.obj"), ("models", "secret")).nmesh == 1
    texture = '<mujoco><asset><texture name="t" type="2d" file="../secret/m.png"/></asset></mujoco>'
    assert load(folders, texture, ("models", "secret")).ntex == 1


@pytest.mark.parametrize("xml", [
    mesh("../secret/m.obj"),
    mesh("assets/../../secret/m.obj"),
    mesh("{root}/secret/m.obj"),
    mesh("link.obj"),
    mesh("..\\secret\\m.obj"),
    '<mujoco><compiler meshdir="../secret"/>' + mesh("m.obj")[len("<mujoco>") :],
    '<mujoco><compiler assetdir="{root}/secret"/>' + mesh("m.obj")[len("<mujoco>") :],
    '<mujoco><include file="../secret/part.xml"/></mujoco>',
    '<mujoco><asset><model name="p" file="../secret/part.xml"/></asset><worldbody>'
    '<attach model="p" body="b" prefix="x"/></worldbody></mujoco>',
    '<mujoco><asset><hfield name="h" file="../secret/heights.bin" size="1 1 1 1"/></asset></mujoco>',
    '<mujoco><asset><texture name="t" type="2d" file="../secret/m.png"/></asset></mujoco>',
    '<mujoco><asset><skin name="s" file="../secret/m.skn"/></asset></mujoco>',
    '<mujoco><worldbody><flexcomp name="f" type="mesh" file="../secret/m.obj" dim="2"/></worldbody></mujoco>',
    '<robot name="r"><link name="a"><collision><geometry><mesh filename="../secret/only.obj"/></geometry>'
    "</collision></link></robot>",
])
def test_files_elsewhere_are_refused(folders, xml):
    with pytest.raises(ValueError, match="(?i)open|find|load|read"):
        load(folders, xml.replace("{root}", str(folders)))


def test_no_folders_mean_no_files_but_those_in_memory(folders):
    absolute = str(folders / "models" / "m.obj")
    with pytest.raises(ValueError):
        sinew.MjModel.from_xml_string(mesh(absolute), folders=[])
    assert sinew.MjModel.from_xml_string(mesh("m.obj"), {"m.obj": OBJ.encode()}, folders=[]).nmesh == 1
    assert sinew.MjModel.from_xml_string(mesh(absolute)).nmesh == 1  # without limits, as in MuJoCo
    with pytest.raises(ValueError, match="no folder"):
        sinew.MjModel.from_xml_string("<mujoco/>", folders=[folders / "nothing"])


def test_a_refusal_does_not_tell_whether_the_file_exists(folders):
    messages = []
    for name in ("m.obj", "not_there.obj"):
        with pytest.raises(ValueError) as error:
            load(folders, mesh(f"../secret/{name}"))
        messages.append(str(error.value).replace(name, "NAME"))
    assert messages[0] == messages[1]


def test_plugins_are_not_loaded_by_models(tmp_path):
    """A library with the name of the plugin, beside the model and in the current folder, stays closed."""
    source = tmp_path / "evil.c"
    marker = tmp_path / "loaded"
    source.write_text(
        "#include <stdio.h>\n__attribute__((constructor)) static void run(void)"
        f'{{ FILE* f = fopen("{marker}", "w"); if (f) fclose(f); }}\n'
    )
    for name in ("evil.so", "libevil.so"):
        subprocess.run(["cc", "-shared", "-fPIC", str(source), "-o", str(tmp_path / name)], check=True)
    xml = '<mujoco><extension><plugin plugin="{}"><instance name="i"/></plugin></extension></mujoco>'
    for plugin in ("evil", "libevil.so", str(tmp_path / "evil.so")):
        (tmp_path / "model.xml").write_text(xml.format(plugin))
        script = f"import sinew\ntry: sinew.MjModel.from_xml_path({str(tmp_path / 'model.xml')!r})\n" \
                 "except ValueError as error: print(error)"
        done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True,
                              check=True, env={"PYTHONPATH": ":".join(sys.path)})
        assert "plugin" in done.stdout
    assert not marker.exists()


# each would take more than the machine has, or hours
LARGE = {
    "replicate": '<worldbody><replicate count="2000000000"><body><geom size="1"/></body></replicate></worldbody>',
    "nested replicate": "<worldbody>" + '<replicate count="1000">' * 5 + '<geom size="1"/>' + "</replicate>" * 5
    + "</worldbody>",
    "height field": '<asset><hfield name="h" nrow="100000" ncol="100000" size="1 1 1 1"/></asset>',
    "texture": '<asset><texture name="t" builtin="flat" type="2d" width="1000000" height="1000000"/></asset>',
    "flexcomp": '<worldbody><flexcomp name="f" type="grid" count="100000 100000 100000" spacing="1 1 1"/></worldbody>',
    "composite": '<worldbody><composite type="cable" prefix="c" count="2000000000 1 1" curve="s" size="1"><geom size="1"/>'
    "</composite></worldbody>",
    "user data": '<size nuserdata="2000000000"/>',
    "memory": '<size memory="1000000T"/>',
    "history": '<worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>'
    '<actuator><motor joint="j" nsample="2000000000" delay="1"/></actuator>',
}


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


@pytest.mark.parametrize("kind", LARGE)
def test_sizes_beyond_memory_are_errors(kind, tmp_path):
    """In a process with 4 GB: a message, no crash and no hang."""
    (tmp_path / "model.xml").write_text(f"<mujoco>{LARGE[kind]}</mujoco>")
    script = (
        "import sinew\ntry:\n  m = sinew.MjModel.from_xml_path('model.xml')\n  sinew.MjData(m)\n"
        "except (ValueError, MemoryError, sinew.FatalError) as error: print('refused', error)\nelse: print('accepted')"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True,
                          preexec_fn=limited, env={"PYTHONPATH": ":".join(sys.path), "OPENBLAS_NUM_THREADS": "1"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("refused"), done.stdout


def test_entities_are_not_expanded():
    """Declarations of entities are passed over: a name that refers to one stays as it is written."""
    laughs = '<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(98 + i)} "{("&" + chr(97 + i) + ";") * 10}">' for i in range(12)
    )
    for entity, declared in (("m", laughs), ("x", '<!ENTITY x SYSTEM "file:///etc/passwd">')):
        model = sinew.MjModel.from_xml_string(f'<!DOCTYPE m [{declared}]><mujoco model="&{entity};"/>')
        assert model.names == f"&{entity};\0world\0".encode()


def test_include_of_itself_ends(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text('<mujoco><include file="model.xml"/></mujoco>')
    with pytest.raises(ValueError, match="include"):
        sinew.MjModel.from_xml_path(str(path))


def test_nothing_is_written(tmp_path):
    (tmp_path / "model.xml").write_text(mesh("m.obj"))
    (tmp_path / "m.obj").write_text(OBJ)
    before = sorted(pathlib.Path(tmp_path).rglob("*"))
    script = "import sinew\nm = sinew.MjModel.from_xml_path('model.xml')\nd = sinew.MjData(m)\nsinew.mj_step(m, d)"
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True, env={"PYTHONPATH": ":".join(sys.path)})
    assert sorted(pathlib.Path(tmp_path).rglob("*")) == before
