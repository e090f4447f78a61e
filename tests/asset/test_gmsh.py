"""Numbers in files of Gmsh: which are read, as what, and which are refused, against MuJoCo."""

import gmsh_files
import mujoco
import pytest
import sinew

TEXT41 = gmsh_files.text41(gmsh_files.NODES, gmsh_files.ELEMENTS[3], 3).decode()
TEXT22 = gmsh_files.text22(gmsh_files.NODES, gmsh_files.ELEMENTS[3], 3).decode()

# a place in a file, as the text around it
REALS = [(TEXT41, "\n{} 0.0 0.0\n", "1.0"), (TEXT22, "\n2 {} 0.0 0.0\n", "1.0"), (TEXT41, "\n{} 0 8\n", "4.1")]
INTS = [
    (TEXT41, "$Nodes\n{} 5 1 5\n", "1"), (TEXT41, "$Nodes\n1 {} 1 5\n", "5"), (TEXT41, "$Nodes\n1 5 {} 5\n", "1"),
    (TEXT41, "$Nodes\n1 5 1 {}\n", "5"), (TEXT41, "\n{} 1 0 5\n", "3"), (TEXT41, "\n3 {} 0 5\n", "1"),
    (TEXT41, "\n3 1 {} 5\n", "0"), (TEXT41, "\n3 1 0 {}\n", "5"), (TEXT41, "\n2\n{}\n", "3"),
    (TEXT41, "$Elements\n1 2 {} 2\n", "1"), (TEXT41, "\n{} 1 4 2\n", "3"), (TEXT41, "\n3 {} 4 2\n", "1"),
    (TEXT41, "\n3 1 {} 2\n", "4"), (TEXT41, "\n{} 1 2 3 4\n", "1"), (TEXT41, "\n1 1 {} 3 4\n", "2"),
    (TEXT41, "\n4.1 {} 8\n", "0"), (TEXT22, "$Nodes\n{}\n", "5"), (TEXT22, "$Elements\n{}\n", "2"),
    (TEXT22, "\n{} 1.0 0.0 0.0\n", "2"), (TEXT22, "\n{} 4 2 0 0 1 2 3 4\n", "1"), (TEXT22, "\n1 {} 2 0 0 1 2 3 4\n", "4"),
    (TEXT22, "\n1 4 {} 0 0 1 2 3 4\n", "2"), (TEXT22, "\n1 4 2 {} 0 1 2 3 4\n", "0"), (TEXT22, "\n1 4 2 0 0 1 {} 3 4\n", "2"),
]
LIMITS = ["-1", "+1", "2147483647", "2147483648", "-2147483649", "4294967296", "4294967297", "4294967301",
          "9223372036854775808", "18446744073709551615", "18446744073709551616", "-4294967295", "1.5", "01", ""]
TINY = ["1e-400", "-1e-320", "5e-324", "2e-308", "0e-500", "0x1p-1074", "1e308", "1.8e308", "1" * 400, "1" * 80,
        "1e", "1e-", ".", "+.5", "inf", "nan", "0x1.8p3", "4.100000001", "1d5"]


def read(module, path):
    """The first line of the message, or what was read."""
    try:
        spec = module.MjSpec.from_string(
            f'<mujoco><worldbody><flexcomp name="f" type="gmsh" rigid="true" file="{path}"/></worldbody></mujoco>')
    except ValueError as error:
        return str(error).split("\n")[0]
    flex = spec.flexes[0]
    return flex.dim, list(flex.vert), list(flex.elem)


@pytest.mark.parametrize("text, place, old", REALS + INTS)
def test_number(text, place, old, tmp_path):
    assert place.format(old) in text
    path = tmp_path / "mesh.msh"
    for new in TINY if (text, place, old) in REALS else LIMITS:
        if place.startswith("\n{} 0 8") and len(new) > 80:
            continue
        path.write_text(text.replace(place.format(old), place.format(new), 1))
        assert read(sinew, path) == read(mujoco, path), new[:100]


@pytest.mark.parametrize("high", [1 << 32, 1 << 63, (1 << 64) - (1 << 32), 255, 1 << 31])
def test_binary_tags_lose_their_upper_half(high, tmp_path):
    data = bytearray(gmsh_files.binary41(gmsh_files.NODES, gmsh_files.ELEMENTS[3], 3))
    at = data.index(b"$Elements\n") + len("$Elements\n") + 52 + 16
    data[at:at + 8] = (int.from_bytes(data[at:at + 8], "little") | high).to_bytes(8, "little")
    path = tmp_path / "mesh.msh"
    path.write_bytes(data)
    assert read(sinew, path) == read(mujoco, path)
