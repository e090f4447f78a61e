#!/usr/bin/env bash
# Adding a field is one line: the row of CONTRIBUTING.md is added to a copy of the table, and the model
# layer built from that copy allocates, copies, saves, loads, refuses older files and prints it; the
# reference page of that copy has its row; and where a Python is given, it is a view of the model there.
#   one_line.sh COMPILER FOLDER [C++-COMPILER PYTHON]
set -euo pipefail
compiler=$1 work=$2 cxx=${3:-} python=${4:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$work" && mkdir -p "$work/plain" "$work/more/docs"
cp -r "$root/include" "$root/tools" "$work/more"
cp -r "$root/include" "$work/plain/include"
row=$(grep -m1 'body_temperature' "$root/CONTRIBUTING.md" | sed 's/^ *//')
[ -n "$row" ]
awk -v row="  ${row//\\/\\\\}" '{print} /^#define SN_OWN_MODEL_FIELDS/ {print row}' \
  "$root/include/sinew/model_fields.h" > "$work/more/include/sinew/model_fields.h"
[ "$(diff "$root/include/sinew/model_fields.h" "$work/more/include/sinew/model_fields.h" | grep -c '^>')" = 1 ]

build() {  # FOLDER FLAG...: the model layer and the program
  local folder=$1
  shift
  ls "$root"/src/{base,model,math}/*.c "$root/tests/model/one_line.c" | grep -v _without.c |
    xargs -P "$(nproc)" -I{} sh -c \
      'f={}; shift 0; "$@" -c "$f" -o "'"$folder"'/$(basename "$(dirname "$f")")_$(basename "$f" .c).o"' _ \
      "$compiler" -std=gnu11 -O0 -fPIC -ffunction-sections -fdata-sections "$@" \
      -I"$folder/include" -I"$root/src"
  "$compiler" "$folder"/*.o -Wl,--gc-sections -lm -lpthread -ldl -o "$folder/program"
}
build "$work/plain"
build "$work/more" -DWITH_FIELD
"$work/plain/program" write "$work/old.snb"
"$work/more/program" check "$work/old.snb" "$work/new.snb" "$work/new.txt"
grep -q body_temperature "$work/new.txt"

# an integer needs a rule: without one the table of rules does not compile
ruled() {  # RULE
  awk -v row="  X(int, body_tag, nbody, 1, COMPILE, $1, \"tag\") \\\\" '{print} /^#define SN_OWN_MODEL_FIELDS/ {print row}' \
    "$root/include/sinew/model_fields.h" > "$work/ruled/include/sinew/model_fields.h"
  "$compiler" -std=gnu11 -fsyntax-only -I"$work/ruled/include" -I"$root/src" "$root/src/model/rule.c" 2> "$work/ruled.txt"
}
mkdir "$work/ruled" && cp -r "$root/include" "$work/ruled"
ruled 'ID(ngeom)'
if ruled ''; then echo "an integer without a rule compiles" && exit 1; fi
grep -q 'INT_.* undeclared' "$work/ruled.txt"

# the page: one line more, with the shape and the meaning (the other page is not of interest here)
# with nothing to say of the language the tool complains about that page, after it has written ours
python3 "$work/more/tools/docs.py" /bin/true > /dev/null 2>&1 || true
added=$(diff "$root/docs/fields.md" "$work/more/docs/fields.md" || true)
[ "$(grep -c '^[<>]' <<< "$added")" = 1 ]
grep -qF '> | real | `body_temperature` | nbody | COMPILE | | colour temperature, K |' <<< "$added"

view() {  # the bindings of the model as a module of their own
  local nanobind flags
  nanobind=$(dirname "$("$python" -m nanobind --include_dir)")
  flags=(-std=c++17 -O0 -fPIC -fvisibility=hidden -fno-strict-aliasing -I"$work/more/include" -I"$root/src"
    -I"$root/python/bindings" -I"$nanobind/include" -I"$nanobind/ext/robin_map/include"
    -I"$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')")
  printf '%s\n' "$nanobind/src/nb_combined.cpp" "$root"/{python/bindings/attributes,python/bindings/model,python/bindings/numpy_array,tests/model/one_line_view}.cc |
    xargs -P "$(nproc)" -I{} sh -c 'f={}; "$@" -c "$f" -o "'"$work"'/$(basename "$f").o"' _ "$cxx" "${flags[@]}"
  ar rc "$work/model.a" "$work"/more/{base,model,math}_*.o
  "$cxx" -shared "$work"/*.o "$work/model.a" -Wl,--gc-sections,--exclude-libs,ALL -lm -lpthread -ldl \
    -o "$work/one_line_view.so"
  PYTHONPATH=$work "$python" "$root/tests/model/check_view.py"
}
if [ -n "$python" ]; then view; fi
echo "a new field is one line${python:+, in Python as well}"
