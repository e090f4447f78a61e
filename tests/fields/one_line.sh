#!/usr/bin/env bash
# Adding a field is one line: the row of CONTRIBUTING.md is added to a copy of the table, and the model
# layer built from that copy allocates, copies, saves, loads, refuses older files and prints it.
#   one_line.sh COMPILER FOLDER
set -euo pipefail
compiler=$1 work=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$work" && mkdir -p "$work/plain" "$work/more"
cp -r "$root/include" "$work/more/include"
cp -r "$root/include" "$work/plain/include"
row=$(grep -m1 'body_temperature' "$root/CONTRIBUTING.md" | sed 's/^ *//')
[ -n "$row" ]
awk -v row="  ${row//\\/\\\\}" '{print} /^#define SN_MODEL_FIELDS/ {print row}' \
  "$root/include/sinew/model_fields.h" > "$work/more/include/sinew/model_fields.h"
[ "$(diff "$root/include/sinew/model_fields.h" "$work/more/include/sinew/model_fields.h" | grep -c '^>')" = 1 ]

build() {  # FOLDER FLAG...: the model layer and the program
  local folder=$1
  shift
  ls "$root"/src/{base,model,math}/*.c "$root/tests/fields/one_line.c" |
    xargs -P "$(nproc)" -I{} sh -c \
      'f={}; shift 0; "$@" -c "$f" -o "'"$folder"'/$(echo "$f" | md5sum | cut -c1-12).o"' _ \
      "$compiler" -std=gnu11 -O0 -ffunction-sections -fdata-sections "$@" \
      -I"$folder/include" -I"$root/src"
  "$compiler" "$folder"/*.o -Wl,--gc-sections -lm -lpthread -ldl -o "$folder/program"
}
build "$work/plain"
build "$work/more" -DWITH_FIELD
"$work/plain/program" write "$work/old.snb"
"$work/more/program" check "$work/old.snb" "$work/new.snb" "$work/new.txt"
grep -q body_temperature "$work/new.txt"
echo "a new field is one line"
