#!/usr/bin/env bash
# Models end in the states of the last release, bit for bit: a change of results is a decision, taken by
# writing released.txt anew and saying why in the commit.
#   released.sh STATE_HASH [record]
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/../../.."
file=tests/engine/step/released.txt
mapfile -t models < <(sed -n 's/^\([^ ]*\.xml\) .*/\1/p' "$file")
run() {
  "$program" --libm
  "$program" "${models[@]}"
}
if [ "${2:-}" = record ]; then
  { grep '^#' "$file"; run; } > "$file.new"
  mv "$file.new" "$file"
  exit
fi
# functions of another C library round differently: then there is nothing to compare with
if ! "$program" --libm | cmp -s - <(grep '^libm' "$file"); then
  echo "released: the C library is not the one that the hashes were made with; not compared"
  exit
fi
if ! diff <(grep -v '^#' "$file") <(run); then
  echo "released: results have changed (<: last release, >: now). If that is meant:"
  echo "  tests/engine/step/released.sh $1 record"
  exit 1
fi
echo "released: ${#models[@]} models end in the states of the last release"
