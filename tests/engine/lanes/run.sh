#!/bin/sh
# run.sh TEAM_STEP SINEW FOLDER...: teams of LANES lanes (4), STEPS steps on the models of the folders.
set -eu
program=$1 sinew=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for model in $(find "$@" -name '*.xml' | sort); do
  name=$(echo "$model" | tr / _)
  "$sinew" compile "$model" "$folder/$name.snb" > "$folder/log" 2>&1 || rm -f "$folder/$name.snb"
done
"$program" --lanes "${LANES:-4}" --steps "${STEPS:-4}" "$folder"/*.snb
