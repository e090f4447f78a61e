"""The layout of XLA's calls, as python/bindings/xla_call.h has it, is that of the header that jaxlib ships."""

import shutil
import subprocess

import pytest
from sinew import _core

PLACES = """
sizeof(XLA_FFI_Extension_Base), O(Extension_Base, next), O(Api_Version, major_version), O(Api_Version, minor_version),
O(Metadata, api_version), O(Metadata, traits), O(Metadata_Extension, metadata),
O(Buffer, dtype), O(Buffer, data), O(Buffer, rank), O(Buffer, dims),
O(ByteSpan, len), O(Scalar, value), O(Args, size), O(Rets, rets),
O(Attrs, names), O(Attrs, attrs), O(Error_Create_Args, message),
O(Error_Create_Args, errc), O(Api, XLA_FFI_Error_Create), O(CallFrame, api),
O(CallFrame, stage), O(CallFrame, args), O(CallFrame, rets), O(CallFrame, attrs),
XLA_FFI_Extension_Metadata, XLA_FFI_ExecutionStage_EXECUTE, XLA_FFI_Error_Code_INVALID_ARGUMENT,
XLA_FFI_DataType_F32, XLA_FFI_DataType_F64
"""


def test_members_lie_where_xla_puts_them(tmp_path):
    jax = pytest.importorskip("jax")
    if not shutil.which("g++"):
        pytest.skip("no compiler")
    (tmp_path / "places.cc").write_text(
        "#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <xla/ffi/api/c_api.h>\n"
        "#define O(type, member) offsetof(XLA_FFI_##type, member)\n"
        f"int main() {{ size_t places[] = {{ {PLACES} }};\n  for (size_t place : places) printf(\"%zu \", place); }}\n")
    subprocess.run(["g++", "-std=c++17", "-w", f"-I{jax.ffi.include_dir()}", "places.cc", "-o", "places"], cwd=tmp_path, check=True)
    found = subprocess.run(["./places"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert [int(place) for place in found.split()] == list(_core._xla_layout())
