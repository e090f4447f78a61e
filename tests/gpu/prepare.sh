#!/usr/bin/env bash
# Puts together everything that run.sh needs on a machine with a GPU and without a network:
# build-carry/carry holds the Python package, the engine's images, binary models, bench_gpu and pytest.
#
#     tests/gpu/prepare.sh              # here; PYTHON=python3.12 or newer
#     tests/gpu/run.sh                  # there, in a copy of the tree with build-carry/carry
#
# ARCHS (90) and PRECISIONS (double single) narrow the images; ENGINE is a file of images that is already
# there. MODELS_PYTHON (PYTHON's own) is a Python
# that has dm_control and gymnasium installed, whose models then join the benchmark.
set -euo pipefail
cd "$(dirname "$0")/../.."
PYTHON=${PYTHON:-python3.12}
build=build-carry
carry=$build/carry
jobs=${JOBS:-$(nproc)}

[ -d $build/venv ] || "$PYTHON" -m venv $build/venv
$build/venv/bin/pip install --quiet nanobind numpy
cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release -DSN_PYTHON=ON -DSN_GPU=OFF -DSN_TESTS=OFF \
  -DSN_INSTALL=OFF -DPython_EXECUTABLE="$PWD/$build/venv/bin/python" > /dev/null
cmake --build $build -j "$jobs" --target _core bench_gpu sinew

rm -rf $carry
mkdir -p $carry/models
cmake --install $build --prefix $carry > /dev/null
cp -r python/sinew/*.py python/sinew/envs $carry/sinew/
cp $build/bench_gpu $carry/
for library in $(ldd $build/bench_gpu | awk '/libqhull|libpng/ {print $3}'); do cp -L "$library" $carry/; done
$build/venv/bin/pip install --quiet --target $carry/site pytest gymnasium
rm -rf $carry/site/{numpy,numpy-*,numpy.libs}  # that machine's own
find $carry/site -name "*.png" -delete
if [ -z "${ENGINE:-}" ]; then
  $build/venv/bin/pip install --quiet nvidia-cuda-nvrtc nvidia-nvjitlink
  $build/venv/bin/python tools/gpu_build.py --out $build/gpu --no-ptx --archs ${ARCHS:-90} \
    --precision ${PRECISIONS:-double single}
fi
cp "${ENGINE:-$build/gpu/sinew.gpu}" $carry/sinew/sinew.gpu

# the benchmark models that a GPU can step, each once
PYTHONPATH=$carry $build/venv/bin/python tests/gpu/models.py $carry/models ${MODELS_PYTHON:-}
python3 bench/gpu.py --sinew $build/apps/sinew/sinew --models $carry/bench
gzip -9f $carry/bench/*.snb
du -sh $carry
