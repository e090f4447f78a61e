#!/bin/sh
# every_set.sh INSTRUCTION_SET STATE_HASH FOLDER...: models of the folders end in the same states with the kernels of every
# instruction set that this machine has. INSTRUCTION_SET prints the one in use.
set -eu
set_in_use=$1 program=$2
shift 2
if [ "$("$set_in_use")" = one ]; then
  echo "one instruction set on this processor: nothing to compare"
  exit 0
fi
models=$(find "$@" -name '*.xml' | sort)
first=""
for level in v1 v2 v3 v4; do
  export SINEW_INSTRUCTIONS=$level
  if [ "$("$set_in_use")" != "x86-64-$level" ]; then
    # a machine has all sets below its best
    [ "$level" != v1 ] || { echo "SINEW_INSTRUCTIONS=v1 is not obeyed"; exit 1; }
    echo "$level: left out, this processor does not have it"
    continue
  fi
  states=$("$program" $models)
  first=${first:-$states}
  [ "$states" = "$first" ] || { printf '%s\n-- differs from %s\n%s\n' "$first" "$level" "$states"; exit 1; }
  echo "$level: $(printf '%s\n' "$states" | wc -l) models"
done
[ "$(printf '%s\n' "$first" | wc -l)" -gt 20 ]
# what does not name a set changes nothing
SINEW_INSTRUCTIONS=
best=$("$set_in_use")
for wish in v0 v5 v22 x none; do
  [ "$(SINEW_INSTRUCTIONS=$wish "$set_in_use")" = "$best" ] || { echo "$wish is taken for a set"; exit 1; }
done
