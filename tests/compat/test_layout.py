"""Members of the public structs lie where MuJoCo 3.5.0's headers put them: plugins and programs that were
compiled with its headers find them. What MuJoCo does not have stands behind."""

import pathlib
import re
import subprocess
import sys

import pytest
import samples

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = ROOT / "build" / "compat" / "mujoco"
# structs that programs own: ours are no larger
ALLOCATED_BY_US = {"mjModel", "mjData", "mjSpec", "mjsActuator", "mjsFlex", "mjsKey", "mjsWrap"}


def places(source, flags, folder):
    """{struct: {member: (offset, size)}} as a compiler with these flags has it."""
    program = folder / "layout"
    subprocess.run(["cc", *flags, source, "-o", program], check=True)
    found = {}
    for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines():
        struct, member, offset, size = line.split()
        found.setdefault(struct, {})[member] = (int(offset), int(size))
    return found


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    reference = samples.mujoco_flags()
    if not reference or not HEADERS.exists():
        pytest.skip("MuJoCo 3.5.0 has no headers here, or ours are not generated")
    folder = tmp_path_factory.mktemp("layout")
    source = folder / "layout.c"
    source.write_text(subprocess.run([sys.executable, ROOT / "tests/compat/layout.py", HEADERS],
                                     capture_output=True, text=True, check=True).stdout)
    return places(source, ["-DOWN", f"-I{HEADERS.parent}"], folder), places(source, reference[0], folder)


def test_members_lie_where_mujocos_do(both):
    ours, theirs = both
    assert len(theirs) > 60 and sum(map(len, theirs.values())) > 1700
    for struct, members in theirs.items():
        same = {name: ours[struct][name] for name in members if name != "sizeof"}
        assert same == {name: place for name, place in members.items() if name != "sizeof"}, struct


def test_structs_are_complete_and_what_is_ours_stands_behind(both):
    ours, theirs = both
    for struct, members in theirs.items():
        size = members.pop("sizeof")[0]
        if struct not in ALLOCATED_BY_US:
            assert ours[struct]["sizeof"][0] == size, struct
        if members:
            assert size - max(offset + width for offset, width in members.values()) < 8, struct
        extra = [place[0] for name, place in ours[struct].items() if name not in members and name != "sizeof"]
        assert all(offset >= size - 4 for offset in extra), struct


def macros(flags, header, language):
    """Names of the macros behind one header, those of the headers that it includes among them."""
    text = subprocess.run(["cc", "-x", language, "-dM", "-E", *flags, "-"], input=f"#include <mujoco/{header}>\n",
                          capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"#define (\w+)", text))


@pytest.mark.parametrize("header", ["mjdata.h", "mjmacro.h", "mjmodel.h", "mjplugin.h", "mjrender.h", "mjspec.h", "mjthread.h",
                                    "mjtnum.h", "mjui.h", "mjvisualize.h", "mjxmacro.h", "mujoco.h"])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_every_header_brings_the_macros_and_headers_of_mujocos(header, language):
    """Guards of the standard headers that come along are macros, too."""
    reference = samples.mujoco_flags()
    if not reference or not HEADERS.exists():
        pytest.skip("MuJoCo 3.5.0 has no headers here, or ours are not generated")
    missing = macros(reference[0], header, language) - macros([f"-I{HEADERS.parent}"], header, language)
    assert not {name for name in missing if not name.startswith("MUJOCO_INCLUDE_")}
