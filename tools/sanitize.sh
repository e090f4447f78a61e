#!/usr/bin/env bash
# Builds and runs the C tests under sanitizers.
#   sanitize.sh [quick | address | thread | fuzzers]...   (no word: address, thread and fuzzers)
# quick:   damaged models, a sample of the forged ones, binary files, the arena and memory, under address
#          and undefined behaviour; where clang and its runtime are installed, libFuzzer as well
# address: all C tests under the same two, all forged models among them
# thread:  the batch, whose worlds are stepped by many threads, and threads that share the steps of one world
# fuzzers: libFuzzer on the reader of MJCF and URDF, asset files, binary models, programs that edit a
#          model, and states under all options, where it is installed
# FUZZ_SECONDS sets the length of the fuzzing (48 of damaged models, 48 of libFuzzer), FORGE_EVERY how many forged models are passed over.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-48}
every=${FORGE_EVERY:-150}
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1

# build PRESET [TARGET...]
build() {
  local preset=$1 targets=()
  shift
  for target in "$@"; do targets+=(--target "$target"); done
  cmake --preset "$preset" -DSN_FUZZ_SECONDS="$seconds" -DSN_FORGE_EVERY="$every" > /dev/null
  cmake --build "build-$preset" -j "$(nproc)" "${targets[@]}"
}
check() {  # PRESET CTEST-OPTION...
  local preset=$1
  shift
  ctest --test-dir "build-$preset" --output-on-failure -j "$(nproc)" "$@"
}

has_libfuzzer() {
  if tools/has_libfuzzer.sh; then return 0; fi
  echo "sanitize: no clang with libFuzzer here, inputs are left to the fuzzer of damaged models"
  return 1
}

# one build for all: clang's where libFuzzer is
quick() {
  local preset=asan tests=(fuzz_mutate fuzz_forge exercise test_arena test_binary test_ccd test_injection test_memory test_misuse test_step test_trial)
  if has_libfuzzer; then
    preset=fuzz
    tests+=(fuzzers)
  fi
  build $preset "${tests[@]}"
  check $preset -R "^(fuzz|forge|fuzz_(reader|urdf|asset|binary|script|state)|exercise|test_arena|test_binary|test_ccd|test_injection|test_memory|test_misuse|test_step|test_trial)$"
}

# those that are left out link other programs, or have nothing to do with memory
address() {
  local every=${FORGE_EVERY:-1}
  build asan
  check asan -E '^(install|compat.*|docs|layers|format|engine_as_cxx|one_line)$'
}

thread() {
  build tsan test_batch test_threads
  check tsan -R '^test_(batch|threads)$'
}

fuzzers() {
  if ! has_libfuzzer; then return; fi
  build fuzz fuzzers
  check fuzz -V -R '^fuzz_[a-z]+$' | grep -E 'stat::|cov:.*DONE|Test +#|tests passed|SUMMARY|ERROR|Error'
}

[ $# -gt 0 ] || set -- address thread fuzzers
for word in "$@"; do
  case $word in
    quick | address | thread | fuzzers) "$word" ;;
    *) sed -n '2,11s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
  esac
done
echo "sanitizers: nothing found ($*)"
