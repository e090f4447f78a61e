#!/bin/sh
# Images per second on the GPU that is here: the engine's image for one architecture in single precision, the program, and
# 8192 humanoids in 64 x 64 pixels.
#
#     bench/gpu_images.sh FOLDER [ARCHITECTURE]
#
# FOLDER keeps what was built; humanoid.snb in it, when it is there, is the model. PYTHON: one that finds NVRTC and
# nvJitLink (tools/gpu_build.py).
set -e
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
mkdir -p "$folder"
"${PYTHON:-python3}" "$root/tools/gpu_build.py" --out "$folder" --archs "${2:-90}" --precision single --no-ptx
cmake -S "$root" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DSN_TESTS=OFF > "$folder/cmake.log"
cmake --build "$folder/build" -j "$(nproc)" --target bench_gpu sinew > "$folder/make.log"
model=$folder/humanoid.snb
[ -f "$model" ] || "$folder/build/apps/sinew/sinew" compile "$root/models/humanoid.xml" "$model"
SINEW_GPU_ENGINE=$folder/sinew.gpu "$folder/build/bench_gpu" --images 64 --single --worlds 8192 "$model"
