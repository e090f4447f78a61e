#!/usr/bin/env bash
# Builds and runs the C tests under the address and undefined-behaviour sanitizers, and those of threads
# under the thread sanitizer.
set -euo pipefail
cmake --preset asan > /dev/null
cmake --build build-asan -j "$(nproc)"
ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1 \
  ctest --test-dir build-asan --output-on-failure -E 'install|compat'  # those link other programs

# threads: the batch, whose worlds are stepped by all of them
cmake --preset tsan > /dev/null
cmake --build build-tsan -j "$(nproc)" --target test_batch
TSAN_OPTIONS=halt_on_error=1 ctest --test-dir build-tsan --output-on-failure -R test_batch
