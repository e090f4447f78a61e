"""Writes the benchmark models that a GPU can step as binary models, for a machine without their sources.

    models.py FOLDER [PYTHON]     # PYTHON: one that has dm_control and gymnasium installed
"""

import gzip
import pathlib
import subprocess
import sys

import sinew

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
LIMIT = 12 << 20
DRAWN = ("tex_data", "skin_vert", "skin_texcoord", "skin_face", "skin_bonevertweight", "skin_bonevertid",
         "mesh_texcoord", "mesh_facetexcoord", "mesh_normal", "mesh_facenormal")  # for the eye
LIST = f"""
import sys
sys.path.insert(0, {str(BENCH)!r})
import scenes
print(repr({{name: str(source) for name, source in scenes.models().items()}}))
"""


def main():
    folder = pathlib.Path(sys.argv[1])
    python = sys.argv[2] if len(sys.argv) > 2 else sys.executable
    listed = subprocess.run([python, "-c", LIST], capture_output=True, text=True, check=True).stdout
    for name, source in eval(listed).items():
        make = sinew.MjModel.from_xml_string if source.startswith("<") else sinew.MjModel.from_xml_path
        model = make(source)
        fallback = sinew._core._gpu_refusal(model)
        path = folder / (name.replace(" ", "_").replace("(", "").replace(")", "") + ".snb")
        if fallback:
            print(f"{name}: not on a GPU: {fallback}")
            continue
        for field in DRAWN:
            getattr(model, field)[:] = 0
        sinew.mj_saveModel(model, str(path), None)
        packed = gzip.compress(path.read_bytes(), 9, mtime=0)
        path.unlink()
        if len(packed) > LIMIT:
            print(f"{name}: too large, {len(packed) >> 20} MB packed")
            continue
        path.with_suffix(".snb.gz").write_bytes(packed)
        print(f"{path.name}.gz: {len(packed) >> 10} KB")


if __name__ == "__main__":
    main()
