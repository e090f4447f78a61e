#!/usr/bin/env python3
"""Compiles the engine for NVIDIA GPUs, from the sources that the CPU build uses.

    gpu_build.py --out DIR --archs 80 90 --precision double single [--check]

Every file of src/engine and src/math, and those that make scenes and draw them, go through NVRTC as it is (unmarked functions count as device
functions), those that src/gpu/step_kernel.cu and src/render/kernel.cu include as a part of them; then nvJitLink links one image per
architecture. What steps by teams of 16 lanes need is in it a second time. DIR/sinew.gpu holds them all, and PTX for architectures yet to come. Both libraries come with a CUDA toolkit
or as PyPI wheels (nvidia-cuda-nvrtc, nvidia-nvjitlink); no GPU is needed. With --check the sources
are only tried, and whether there is a function for every call: no machine code is made and nothing is linked.
"""

import argparse
import ctypes
import glob
import multiprocessing
import os
import pathlib
import re
import site
import struct
import sys
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
PTX_ARCH = "80"  # the oldest that we support
REGISTERS = 128  # of a thread, see src/gpu/driver.h
STEP, DRAW = ROOT / "src/gpu/step_kernel.cu", ROOT / "src/render/kernel.cu"  # units of many files; the largest first
WARP, FEW = 32, 16  # lanes of teams
STAGES = {ROOT / "src" / path for unit in (STEP, DRAW) for path in re.findall(r'#include "(.*\.c)"', unit.read_text())}
SOURCES = sorted(ROOT.glob("src/math/*.c")) + sorted(ROOT.glob("src/engine/*/*.c")) + [
    ROOT / path for path in ("src/base/arena.c", "src/base/warning.c", "src/model/state.c",
                             "src/model/keyframe.c", "src/gpu/kernels.cu")]
# scenes of worlds, and images of them
LISTS = (ROOT / "src/sources.cmake").read_text()
for name, without in (("SN_VISUAL", {"print", "select"}), ("SN_RENDER_DEVICE", set())):
    paths = re.search(rf"set\({name}\n(.*?)\)", LISTS, re.S)[1].split()
    SOURCES += [ROOT / "src" / path for path in paths if pathlib.Path(path).stem not in without]
# those that take the place of deformables in a library without them are not for devices, which have them
SOURCES = [STEP, DRAW] + [path for path in SOURCES if path not in STAGES and path.name != "without.c"]



def find_library(name):
    """A CUDA library of the toolkit or of the wheels; None when there is none."""
    folders = [os.path.join(os.environ[v], "lib64") for v in ("CUDA_HOME", "CUDA_PATH") if v in os.environ]
    folders += ["/usr/local/cuda/lib64"]
    for packages in site.getsitepackages() + [site.getusersitepackages()]:
        folders += glob.glob(os.path.join(packages, "nvidia", "*", "lib"))
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, f"lib{name}.so*")), reverse=True):
            return ctypes.CDLL(path)
    return None


class Compiler:
    """NVRTC: one source file to PTX."""

    def __init__(self, precision, check=False, lines=False, lanes=WARP):
        self.library = find_library("nvrtc")
        self.options = [
            "--relocatable-device-code=true", "--device-as-default-execution-space",
            f"--gpu-architecture=compute_{PTX_ARCH}", "--std=c++17", "-w", "-DSN_DEVICE", f"-DSN_TEAM_LANES={lanes}",
            f"-I{ROOT}/src/gpu/freestanding", f"-I{ROOT}/include", f"-I{ROOT}/src"]
        # double is the CPU's arithmetic to the last bit; single, which no CPU result equals, may be quick
        self.options += (["-DSN_SINGLE", "-fmad=true", "-prec-div=false", "-prec-sqrt=false"]
                         if precision == "single" else ["-fmad=false"])
        if lines:
            self.options.append("-lineinfo")
        if check:
            self.options.append("-G")  # everything but the slow part, optimisation

    def compile(self, path):
        library, program, size = self.library, ctypes.c_void_p(), ctypes.c_size_t()
        library.nvrtcCreateProgram(ctypes.byref(program), path.read_bytes(), str(path).encode(), 0, None, None)
        options = (ctypes.c_char_p * len(self.options))(*[o.encode() for o in self.options])
        if library.nvrtcCompileProgram(program, len(options), options):
            library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
            log = ctypes.create_string_buffer(size.value)
            library.nvrtcGetProgramLog(program, log)
            raise RuntimeError(f"{path}:\n{log.value.decode(errors='replace')[:4000]}")
        library.nvrtcGetPTXSize(program, ctypes.byref(size))
        ptx = ctypes.create_string_buffer(size.value)
        library.nvrtcGetPTX(program, ptx)
        library.nvrtcDestroyProgram(ctypes.byref(program))
        return ptx.raw


def compile_one(task):
    precision, path, check, lines, lanes = task
    return Compiler(precision, check, lines, lanes).compile(path)


FUNCTION = rb"^\.%s \.(?:func|entry)\s*(?:\([^)]*\)\s*)?(\w+)"
DEFINED, CALLED = (re.compile(FUNCTION % word, re.M) for word in (b"visible", b"extern"))
UNREACHED = {b"sn_share", b"sn_shareTrees", b"sn_threads"}  # a device has no crews: optimisation leaves their calls out
BY_TEAMS = re.compile(rb"\b(bar\.warp|shfl|vote|redux)\.sync\b")  # what names the lanes of a team


def undefined(pieces):
    """What no file defines that some file calls. pieces: {path: PTX}."""
    names = lambda pattern: {name for ptx in pieces.values() for name in pattern.findall(ptx)}  # noqa: E731
    return sorted(name.decode() for name in names(CALLED) - names(DEFINED) - UNREACHED)


def needed_by_few(pieces):
    """The files that a step by teams of FEW lanes needs compiled for them: of those that it reaches, the ones in which
    lanes work together, and the ones that call these. pieces: {path: PTX}."""
    places = {name: path for path, ptx in pieces.items() for name in DEFINED.findall(ptx)}
    calls = {path: {places[name] for name in CALLED.findall(ptx) if name in places} for path, ptx in pieces.items()}
    reached, found = set(), {STEP}
    while found:
        reached |= found
        found = {path for caller in found for path in calls[caller]} - reached
    reached = {path for path in reached if path.suffix == ".c"} | {STEP}  # the other kernels have teams of a warp
    needed = {path for path in reached if BY_TEAMS.search(pieces[path])}
    while found := {path for path in reached - needed if calls[path] & needed}:
        needed |= found
    return sorted(needed)


def rename_for_few(pieces):
    """Names that end in _16 for the functions of files compiled for teams of FEW lanes."""
    names = b"|".join(name for ptx in pieces.values() for name in DEFINED.findall(ptx))
    return {path: re.sub(rb"\b(%s)\b" % names, rb"\1_%d" % FEW, ptx) for path, ptx in pieces.items()}


def link_one(task):
    """nvJitLink: all PTX to one device image of an architecture."""
    arch, pieces, registers, lines = task
    library = find_library("nvJitLink")
    prefix = next(p for p in (f"__nvJitLink%s_{v}" for v in ("13_0", "12_4", "12_0")) if hasattr(library, p % "Create"))
    call = lambda name, *arguments: getattr(library, prefix % name)(*arguments)  # noqa: E731
    handle, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = [f"-arch=sm_{arch}".encode(), b"-O3", f"-maxrregcount={registers}".encode()]
    options += [b"-lineinfo"] if lines else []
    call("Create", ctypes.byref(handle), len(options), (ctypes.c_char_p * len(options))(*options))
    ptx_input = 2
    taken = all(not call("AddData", handle, ptx_input, ptx, ctypes.c_size_t(len(ptx)), name.encode()) for name, ptx in pieces)
    if call("Complete", handle) or not taken:
        call("GetErrorLogSize", handle, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value + 1)
        call("GetErrorLog", handle, log)
        raise RuntimeError(f"sm_{arch}: {log.value.decode(errors='replace')[:4000]}")
    call("GetLinkedCubinSize", handle, ctypes.byref(size))
    image = ctypes.create_string_buffer(size.value)
    call("GetLinkedCubin", handle, image)
    return image.raw


CUBIN, PTX = 0, 1
STACK_SIZE, REGISTER_COUNT = 0x12, 0x2f  # entries of the section .nv.info: a symbol and its number


def kernel_needs(image):
    """{kernel: (registers, bytes of stack)} of a thread, from an image's ELF sections."""
    table, = struct.unpack_from("<Q", image, 0x28)
    size, count, names = struct.unpack_from("<HHH", image, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", image, table + i * size) for i in range(count)]
    text = lambda place: image[place:image.index(b"\0", place)].decode()  # noqa: E731
    section = {text(headers[names][4] + header[0]): header[4:6] for header in headers}
    symbol = lambda i: text(  # noqa: E731
        section[".strtab"][0] + struct.unpack_from("<I", image, section[".symtab"][0] + 24 * i)[0])
    found = {STACK_SIZE: {}, REGISTER_COUNT: {}}
    place, end = section[".nv.info"][0], sum(section[".nv.info"])
    while place < end:
        form, kind, width = struct.unpack_from("<BBH", image, place)
        place += 4
        if form == 4:  # others have their value in the width
            if kind in found:
                index, value = struct.unpack_from("<II", image, place)
                found[kind][symbol(index)] = value
            place += width
    return {name: (found[REGISTER_COUNT].get(name, 0), stack) for name, stack in found[STACK_SIZE].items()
            if name.startswith("sn_kernel")}


def toolkit_version():
    """Version of CUDA as drivers count it, 13040 for 13.4."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    find_library("nvrtc").nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    return 1000 * major.value + 10 * minor.value


def write_engine(out, images):
    """sinew.gpu: header, table of (bytes of a real, architecture, kind, offset, size, size unpacked), images packed by
    zlib. See src/gpu/engine.c."""
    header = struct.pack("<8sqq", b"SNGPU 2", toolkit_version(), len(images))
    offset = (len(header) + 48 * len(images) + 63) // 64 * 64
    table, body = b"", b""
    for precision, arch, kind, image in images:
        packed = zlib.compress(image, 6)
        table += struct.pack("<6q", 8 if precision == "double" else 4, int(arch), kind, offset + len(body), len(packed),
                             len(image))
        body += packed + bytes(-len(packed) % 64)
    path = (out / "sinew.gpu").resolve()
    path.write_bytes((header + table).ljust(offset, b"\0") + body)
    (out / "engine.S").write_text(
        '.section .rodata\n.balign 64\n.global sn_gpu_engine_begin\n.hidden sn_gpu_engine_begin\n'
        f'sn_gpu_engine_begin:\n.incbin "{path}"\n.global sn_gpu_engine_end\n.hidden sn_gpu_engine_end\n'
        'sn_gpu_engine_end:\n.byte 0\n.section .note.GNU-stack,"",@progbits\n')
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--archs", nargs="+", default=["80", "86", "89", "90", "100", "120"])
    parser.add_argument("--precision", nargs="+", default=["double", "single"])
    parser.add_argument("--registers", type=int, default=REGISTERS, help="of a thread")
    parser.add_argument("--check", action="store_true", help="only see whether all compiles")
    parser.add_argument("--lines", action="store_true", help="say which line of source an instruction comes from, for profilers")
    parser.add_argument("--no-ptx", action="store_true", help="no code for architectures yet to come")
    options = parser.parse_args()
    if not find_library("nvrtc") or not (options.check or find_library("nvJitLink")):
        sys.exit("gpu_build: no NVRTC and nvJitLink found (a CUDA toolkit, or the PyPI wheels)")
    options.out.mkdir(parents=True, exist_ok=True)
    start = time.time()
    images = []
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for precision in options.precision:
            compiled = lambda paths, lanes: dict(zip(paths, pool.map(  # noqa: E731
                compile_one, [(precision, path, options.check, options.lines, lanes) for path in paths], chunksize=1)))
            pieces = compiled(SOURCES, WARP)
            print(f"gpu_build: {len(pieces)} files, {precision}, {time.time() - start:.0f} s", flush=True)
            if options.check:
                if missing := undefined(pieces):
                    sys.exit(f"gpu_build: nothing on a device defines {', '.join(missing)}")
                continue
            few = rename_for_few(compiled(needed_by_few(pieces), FEW))
            print(f"gpu_build: {len(few)} files for small teams, {time.time() - start:.0f} s", flush=True)
            named = [(path.name, ptx) for path, ptx in pieces.items()] + [(f"{FEW} {path.name}", ptx) for path, ptx in few.items()]
            if not options.no_ptx:
                images.append((precision, PTX_ARCH, PTX, b"".join(ptx for _, ptx in named)))
            links = [(arch, named, options.registers, options.lines) for arch in options.archs]
            for arch, image in zip(options.archs, pool.imap(link_one, links)):
                (options.out / f"engine_{precision}_{arch}.cubin").write_bytes(image)  # for cuobjdump
                images.append((precision, arch, CUBIN, image))
                print(f"gpu_build: sm_{arch} {precision} {len(image) >> 10} KB, {time.time() - start:.0f} s", flush=True)
                for name, (registers, stack) in sorted(kernel_needs(image).items()):
                    print(f"gpu_build: {name} {registers} registers, {stack} bytes of stack")
    if images:
        path = write_engine(options.out, images)
        print(f"gpu_build: {path} {path.stat().st_size >> 10} KB")


if __name__ == "__main__":
    main()
