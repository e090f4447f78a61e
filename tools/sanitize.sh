#!/usr/bin/env bash
# Builds and runs the C tests under sanitizers.
#   sanitize.sh [quick | address | thread | reader]...   (no word: address, thread and reader)
# quick:   damaged models, binary files, the arena and memory, under address and undefined behaviour
# address: all C tests under the same two
# thread:  the batch, whose worlds are stepped by many threads
# reader:  libFuzzer on the reader, where clang and its runtime are installed
# FUZZ_SECONDS sets the length of the fuzzing (60).
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1

# build PRESET [TARGET...]
build() {
  local preset=$1 targets=()
  shift
  for target in "$@"; do targets+=(--target "$target"); done
  cmake --preset "$preset" -DSN_FUZZ_SECONDS="$seconds" > /dev/null
  cmake --build "build-$preset" -j "$(nproc)" "${targets[@]}"
}
check() {  # PRESET CTEST-OPTION...
  local preset=$1
  shift
  ctest --test-dir "build-$preset" --output-on-failure -j "$(nproc)" "$@"
}

quick() {
  local tests=(test_arena test_binary test_memory)
  build asan fuzz_mutate "${tests[@]}"
  check asan -R "^(fuzz|test_arena|test_binary|test_memory)$"
}

# those that are left out link other programs, or have nothing to do with memory
address() {
  build asan
  check asan -E '^(install|compat.*|docs|layers|format|engine_as_cxx|one_line)$'
}

thread() {
  build tsan test_batch
  check tsan -R '^test_batch$'
}

reader() {
  local program='int LLVMFuzzerTestOneInput(void);int LLVMFuzzerTestOneInput(void){return 0;}'
  local probe
  probe=$(mktemp)
  if ! echo "$program" | clang -fsanitize=fuzzer,address -x c - -o "$probe" 2> /dev/null; then
    rm -f "$probe"
    echo "sanitize: no clang with libFuzzer here, the reader is left to the fuzzer of damaged models"
    return
  fi
  rm -f "$probe"
  build fuzz fuzz_reader
  check fuzz -R '^fuzz_reader$'
}

[ $# -gt 0 ] || set -- address thread reader
for word in "$@"; do
  case $word in
    quick | address | thread | reader) "$word" ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
  esac
done
echo "sanitizers: nothing found ($*)"
