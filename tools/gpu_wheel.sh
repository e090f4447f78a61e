#!/usr/bin/env bash
# Makes the wheel of sinew-physics-gpu, the engine compiled for NVIDIA GPUs, which `import sinew` finds. Needs no GPU.
#   tools/gpu_wheel.sh [DIST]       the wheel comes to DIST (build/wheel/dist)
#   GPU_ENGINE=FILE                 images that tools/gpu_build.py has made; without it they are made now, which takes
#                                   minutes: the compiler comes from PyPI (nvidia-cuda-nvrtc, nvidia-nvjitlink)
#   GPU_ARCHS="80 90"               architectures to make them for (all)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=${WHEEL_DIR:-$root/build/wheel}
dist=${1:-$work/dist}
stage=$work/gpu-package
mkdir -p "$work" "$dist"
venv=$work/venv-gpu
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet "scikit-build-core>=0.10"
engine=${GPU_ENGINE:-$work/gpu/sinew.gpu}
if [ -z "${GPU_ENGINE:-}" ]; then
  "$venv/bin/pip" install --quiet nvidia-cuda-nvrtc nvidia-nvjitlink
  "$venv/bin/python" "$root/tools/gpu_build.py" --out "$work/gpu" ${GPU_ARCHS:+--archs $GPU_ARCHS}
fi
rm -rf "$stage" "$dist"/sinew_physics_gpu-*
cp -r "$root/python/gpu" "$stage"
cp "$engine" "$stage/sinew_gpu/sinew.gpu"
"$venv/bin/pip" wheel --quiet --no-deps --no-build-isolation -w "$dist" "$stage"
for file in "$dist"/sinew_physics_gpu-*.whl; do echo "wheel: $(basename "$file"), $(stat -c %s "$file") bytes"; done
