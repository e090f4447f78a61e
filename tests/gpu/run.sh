#!/usr/bin/env bash
# All tests that need a GPU, on a machine that has one and no network, from what prepare.sh has put
# together: the GPU against the CPU on 500 states of every benchmark model in both precisions, the same
# bits in every run, batch and order, batches through Python with PyTorch, CuPy and JAX where they are.
#
#     tests/gpu/run.sh [pytest options]    # BENCH=1: speed as well, BENCH=only: speed alone, with BENCH_OPTIONS
#                                          # for bench/gpu.py; SANITIZE=1: compute-sanitizer
#     CASES="tests/gpu/device_sense_cases.py" tests/gpu/run.sh    # these files alone
set -uo pipefail
cd "$(dirname "$0")/../.."
carry=$PWD/build-carry/carry
[ -d "$carry/sinew" ] || { echo "run.sh: build-carry/carry is missing: run tests/gpu/prepare.sh first"; exit 2; }
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2> /dev/null || echo "no nvidia-smi"

python=""
for candidate in ${PYTHON:-} python3 python3.12 python3.13 /usr/bin/python3; do
  "$candidate" -c 'import sys, numpy; assert sys.version_info >= (3, 12)' 2> /dev/null && python=$candidate && break
done
export PYTHONPATH=$carry:$carry/site SN_GPU_MODELS=$carry/models LD_LIBRARY_PATH=$carry:${LD_LIBRARY_PATH:-}
export PYTHONUNBUFFERED=1 XLA_PYTHON_CLIENT_PREALLOCATE=false  # JAX would take most of the memory
status=0
if [ "${BENCH:-}" = only ]; then
  echo "speed alone"
elif [ -z "$python" ]; then
  echo "run.sh: no Python from 3.12 with NumPy here: only the C program below compares"
else
  "$python" -m pytest -q -s -rfs -p no:cacheprovider --tb=short ${CASES:-tests/gpu/device_*cases.py} "$@" || status=1
fi
if [ -n "${BENCH:-}" ] || [ -z "$python" ]; then
  gunzip -kf "$carry"/models/*.gz "$carry"/bench/*.gz
  export SINEW_GPU_ENGINE=$carry/sinew/sinew.gpu
  [ -z "${BENCH:-}" ] || python3 bench/gpu.py --bench "$carry/bench_gpu" --models "$carry/bench" ${BENCH_OPTIONS:-} || status=1
  [ -n "$python${BENCH:-}" ] || "$carry/bench_gpu" --compare "$carry"/models/*.snb || status=1
fi
# compute-sanitizer on a few steps of the humanoid and of a cloth, in blocks of 8 teams, and on images; then on batches
if [ -n "${SANITIZE:-}" ]; then
  gunzip -kf "$carry"/bench/*.gz
  export SINEW_GPU_ENGINE=$carry/sinew/sinew.gpu SINEW_GPU_THREADS=256
  few="--noise 0.5 --worlds 24 --steps 4 --call 2"
  sanitize() {
    local tool=$1
    shift
    compute-sanitizer --tool $tool --error-exitcode 3 "$carry/bench_gpu" "$@" || status=1
  }
  sanitize memcheck --single $few "$carry/bench/humanoid.snb" --double $few "$carry/bench/humanoid.snb" "$carry/bench/cloth.snb"
  sanitize racecheck --single $few "$carry/bench/humanoid.snb"
  for tool in memcheck racecheck; do  # of images alone: 200 steps come before them
    sanitize "$tool --kernel-name kns=Draw" --single --images 32 --worlds 8 "$carry/bench/humanoid.snb"
  done
  unset SINEW_GPU_THREADS
  [ -z "$python" ] || compute-sanitizer --error-exitcode 3 "$python" -m pytest -q -x -p no:cacheprovider \
    tests/gpu/device_cases.py -k "failed_worlds or arenas or subsets" || status=1
fi
exit $status
