#!/usr/bin/env bash
# Builds the engine with gcc and clang, with -O2 and -O3, and compares the states that models reach:
# the same bits, or which models differ and by how much.
#   determinism.sh [MODEL...]     (no model: those of the tests)
# ROUNDS="gcc-O3 clang-O2" chooses the builds; the first is the one that the others are compared with.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=(${ROUNDS:-gcc-O3 gcc-O2 clang-O3 clang-O2})
folder=build-determinism
if [ $# -gt 0 ]; then
  models=("$@")
else
  mapfile -t models < <(find models tests/models/{constraint,collision,actuation,dynamics,sensor} -name '*.xml' | sort)
fi

for round in "${rounds[@]}"; do
  compiler=${round%-*} level=-${round#*-}
  if ! command -v "$compiler" > /dev/null; then
    echo "determinism: no $compiler here, $round is left out"
    continue
  fi
  cmake --preset release -B "$folder/$round" -DCMAKE_C_COMPILER="$compiler" -DSN_OPTIMIZE="$level" \
    -DCMAKE_CXX_COMPILER="${compiler/gcc/g++}" > /dev/null
  cmake --build "$folder/$round" -j "${JOBS:-$(nproc)}" --target state_hash > "$folder/$round.log" ||
    { cat "$folder/$round.log"; exit 1; }
  "$folder/$round/tests/state_hash" --state "${models[@]}" > "$folder/$round.txt" 2> /dev/null || true
  count=$(wc -l < "$folder/$round.txt")
  [ "$count" -gt 0 ] || { echo "determinism: no model was stepped by $round"; exit 1; }
  echo "$round: $count models"
done

status=0
first=$folder/${rounds[0]}.txt
for round in "${rounds[@]:1}"; do
  [ -f "$folder/$round.txt" ] || continue
  if cmp -s "$first" "$folder/$round.txt"; then
    echo "$round: the bits of ${rounds[0]}"
  else
    status=1
    python3 tools/determinism.py "$first" "$folder/$round.txt"
  fi
done
exit $status
