#!/usr/bin/env bash
# The library, the command line and the C tests compiled by clang; the tests are run, and models end in the
# states, bit for bit, that they reach in BUILD, which another compiler has made.
#   clang.sh [BUILD]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
if ! command -v clang > /dev/null; then
  echo "clang: not installed, left out"
  exit 0
fi
cmake --preset clang > /dev/null
cmake --build build-clang -j "$(nproc)" --target c_tests sinew state_hash
ctest --test-dir build-clang --output-on-failure -j "$(nproc)" -L '^c$'
if [ -x "$build/tests/state_hash" ]; then
  tests/engine/step/same_output.sh "$build/tests/state_hash" build-clang/tests/state_hash \
    models tests/models/{constraint,collision,actuation,dynamics,sensor}
  echo "clang: the same states as $build, bit for bit"
fi
