#!/bin/sh
# run.sh TEAM_STEP SINEW FOLDER...: teams of LANES lanes (4) on the models of the folders, STEPS whole steps (4)
# and SPLIT steps in halves (1). OPTIONS go to TEAM_STEP; models whose names match EXCEPT are left out.
set -eu
program=$1 sinew=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for model in $(find "$@" -name '*.xml' | grep -vE "${EXCEPT:-^$}" | sort); do
  name=$(echo "$model" | tr / _)
  "$sinew" compile "$model" "$folder/$name.snb" > "$folder/log" 2>&1 || rm -f "$folder/$name.snb"
done
"$program" --lanes "${LANES:-4}" --steps "${STEPS:-4}" --split "${SPLIT:-1}" ${OPTIONS:-} "$folder"/*.snb
