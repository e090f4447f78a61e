#!/usr/bin/env bash
# Builds the engine in many ways and compares the states that models reach: the same bits, or which models
# differ and by how much.
#   determinism.sh [MODEL...]     (no model: those of the tests)
# A build is named COMPILER-LEVEL[-shared][-v2|-v3|-v4]: -O3 of gcc as a shared library for processors of
# x86-64-v3 is gcc-O3-shared-v3. ROUNDS="gcc-O3 clang-O2-v4" chooses some; ROUNDS=all takes all 48. The
# first is the one that the others, and the hashes of the last release, are compared with.
set -euo pipefail
cd "$(dirname "$0")/.."
every=()
for compiler in gcc clang; do
  for level in O3 O2 O1; do
    for library in "" -shared; do
      for processor in "" -v2 -v3 -v4; do every+=("$compiler-$level$library$processor"); done
    done
  done
done
# every pair of choices is in one of these
usual=(gcc-O3 gcc-O2 gcc-O1 clang-O3 clang-O2 clang-O1 gcc-O3-shared clang-O2-shared gcc-O2-shared-v2
  gcc-O3-v3 gcc-O1-shared-v4 clang-O1-v2 clang-O3-shared-v4 clang-O2-v3)
rounds=(${ROUNDS:-${usual[@]}})
[ "${rounds[0]}" != all ] || rounds=("${every[@]}")
folder=build-determinism
mkdir -p "$folder"
mapfile -t released < <(sed -n 's/^\([^ ]*\.xml\) .*/\1/p' tests/engine/step/released.txt)
if [ $# -gt 0 ]; then
  models=("$@")
else
  mapfile -t models < <({ find models tests/models/{constraint,collision,actuation,dynamics,sensor} -name '*.xml'
    printf '%s\n' "${released[@]}"; } | sort -u)
fi

# can this processor run code for it?
can_run() {
  case $1 in
    v3) grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo ;;
    v4) grep -qw avx512vl /proc/cpuinfo && grep -qw avx512dq /proc/cpuinfo ;;
    *) true ;;
  esac
}

# builds a round and prints what its models reach, by one thread and by many
take_round() {
  local round=$1 compiler=${1%%-*} level processor="" program=state_hash
  level=${round#*-} level=${level%%-*}
  [[ $round != *-shared* ]] || program=state_hash_shared
  [[ $round != *-v? ]] || processor=${round##*-}
  if ! command -v "$compiler" > /dev/null || ! can_run "$processor"; then
    echo "$round: left out, no ${compiler} or no processor for it here"
    return
  fi
  # the two libraries are made of the same objects: one folder builds both
  local build=$folder-${round/-shared/}
  cmake --preset release -B "$build" -DCMAKE_C_COMPILER="$compiler" -DSN_OPTIMIZE="-$level" -DSN_WERROR=OFF \
    -DCMAKE_CXX_COMPILER="${compiler/gcc/g++}" -DCMAKE_C_FLAGS="${processor:+-march=x86-64-$processor}" > /dev/null
  cmake --build "$build" -j "${JOBS:-$(nproc)}" --target "$program" > "$folder/$round.log" ||
    { cat "$folder/$round.log"; exit 1; }
  "$build/tests/$program" --state "${models[@]}" > "$folder/$round.txt" 2> /dev/null || true
  [ -s "$folder/$round.txt" ] || { echo "determinism: no model was stepped by $round"; exit 1; }
  "$build/tests/$program" --threads "${released[@]}" > "$folder/$round.threads" ||
    { grep threads "$folder/$round.threads"; exit 1; }
}

status=0
rm -f "$folder"/*.txt "$folder"/*.threads
for round in "${rounds[@]}"; do
  take_round "$round"
  [ -f "$folder/$round.txt" ] || continue
  first=${first:-$round}
  if [ "$first" = "$round" ]; then
    echo "$round: $(wc -l < "$folder/$round.txt") models; ${#released[@]} the same with 1 to 16 threads"
    tests/engine/step/released.sh "$folder-${round/-shared/}/tests/state_hash" || status=1
  elif cmp -s "$folder/$first.txt" "$folder/$round.txt" && cmp -s "$folder/$first.threads" "$folder/$round.threads"; then
    echo "$round: the bits of $first"
  else
    status=1
    echo "$round: other bits than $first"
    python3 tools/determinism.py "$folder/$first.txt" "$folder/$round.txt"
    diff "$folder/$first.threads" "$folder/$round.threads" | head -5 || true
  fi
done
exit $status
