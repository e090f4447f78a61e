#!/usr/bin/env bash
# The command line: exit codes (0 done, 1 error, 2 usage), help everywhere, XML to binary and back.
#   check.sh SINEW
set -uo pipefail
sinew=$1
models=$(cd "$(dirname "$0")/../../models" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect CODE TEXT COMMAND...: the exit code, and a text in the output (both streams)
expect() {
  local code=$1 text=$2
  shift 2
  "$@" > "$work/out" 2> "$work/err" < /dev/null
  local got=$?
  if [ "$got" != "$code" ] || { [ -n "$text" ] && ! grep -qF -- "$text" "$work/out" "$work/err"; }; then
    echo "FAILED: $* gave $got, expected $code with '$text'"
    cat "$work/out" "$work/err"
    failures=$((failures + 1))
  fi
}
silent() {  # the last command wrote nothing to its output: errors go to stderr
  if [ -s "$work/out" ]; then
    echo "FAILED: output where only stderr was expected"
    failures=$((failures + 1))
  fi
}

expect 2 "usage: sinew" "$sinew"
expect 0 "usage: sinew" "$sinew" --help
for command in run view info bench compile version; do
  expect 0 "usage: sinew $command" "$sinew" "$command" --help
  expect 0 "usage: sinew $command" "$sinew" "$command" "$models/arm.xml" --help
done
expect 0 "sinew " "$sinew" version

# the manual has every command and every option
manual=$(cd "$(dirname "$0")/../.." && pwd)/docs/sinew.1
for word in $("$sinew" --help | sed -n 's/^  sinew \([a-z]*\).*/\1/p') \
  $("$sinew" --help | grep -o -- '--[a-z]*' | sed 's/-/\\-/g'); do
  expect 0 "$word" grep -F -- "$word" "$manual"
done
expect 0 "sinew " "$sinew" --version
expect 2 "unknown command" "$sinew" fly
expect 2 "did you mean 'bench'" "$sinew" bnech
expect 2 "did you mean '--steps'" "$sinew" run "$models/arm.xml" --step 3
expect 1 "should end in" "$sinew" compile "$models/arm.xml" "$work/arm.stl"
for command in run view info bench compile; do
  expect 2 "usage: sinew $command" "$sinew" "$command"
  expect 2 "unknown option" "$sinew" "$command" "$models/arm.xml" --colour red
done
expect 2 "non-negative number" "$sinew" run "$models/arm.xml" --steps many
expect 2 "non-negative number" "$sinew" view "$models/arm.xml" --port many
expect 1 "cannot be run" env SINEW_PYTHON=/no/such/python "$sinew" view "$models/arm.xml"
printf '#!/bin/sh\nexec python3 -I -S "$@"\n' > "$work/bare" && chmod +x "$work/bare"  # a Python without packages
expect 1 "pip install 'sinew-physics[view]'" env SINEW_PYTHON="$work/bare" "$sinew" view "$models/arm.xml"
expect 0 "" "$sinew" run "$models/arm.xml" --steps 3 --record "$work/run.html"
expect 0 "" grep -q 'script id="data"' "$work/run.html"
expect 2 "usage" "$sinew" run "$models/arm.xml" --steps 3 --time 1
expect 2 "missing value" "$sinew" run "$models/arm.xml" --steps
expect 2 "unexpected argument" "$sinew" info "$models/arm.xml" "$models/arm.xml"

for command in run info bench; do
  expect 1 "$work/none.xml" "$sinew" "$command" "$work/none.xml"
  silent
done
echo "<mujoco><worldbody><body><geom size='x'/></body></worldbody></mujoco>" > "$work/bad.xml"
expect 1 "size" "$sinew" info "$work/bad.xml"
silent
expect 1 "bad.xml" "$sinew" compile "$work/bad.xml" "$work/bad.snb"
head -c 100 /dev/urandom > "$work/noise.snb"
expect 1 "noise.snb" "$sinew" info "$work/noise.snb"
echo "<mujoco><size memory='4K'/><worldbody><geom type='plane' size='1 1 1'/><replicate count='9' offset='.3 0 0'>
<body><freejoint/><geom type='box' size='.1 .1 .1'/></body></replicate></worldbody></mujoco>" > "$work/full.xml"
expect 0 "warnings: none" "$sinew" info "$models/arm.xml"
expect 0 "arena memory" "$sinew" info "$work/full.xml"
echo "<mujoco><custom><numeric name='n' data='nan'/></custom></mujoco>" > "$work/nan.xml"
expect 0 "NaN" "$sinew" info "$work/nan.xml"
expect 1 "no keyframe" "$sinew" run "$models/arm.xml" --keyframe nowhere
expect 1 "/none/" "$sinew" run "$models/arm.xml" --steps 1 --out /none/x.csv

expect 0 "10 steps" "$sinew" run "$models/humanoid.xml" --steps 10 --seed 3 --out "$work/a.csv"
expect 0 "10 steps" "$sinew" run "$models/humanoid.xml" --steps 10 --seed 3 --out "$work/b.csv"
cmp "$work/a.csv" "$work/b.csv" || failures=$((failures + 1))
[ "$(wc -l < "$work/a.csv")" = 11 ] || { echo "FAILED: rows of the trajectory"; failures=$((failures + 1)); }
expect 0 "steps/s" "$sinew" bench "$models/arm.xml" --steps 10

# XML -> binary -> info and run are those of the XML; XML -> binary -> XML is XML -> XML, and loads;
# binary -> binary changes nothing
for name in arm humanoid; do
  expect 0 "" "$sinew" compile "$models/$name.xml" "$work/$name.snb"
  expect 0 "nbody" "$sinew" info "$models/$name.xml"
  cp "$work/out" "$work/first"
  expect 0 "nbody" "$sinew" info "$work/$name.snb"
  cmp "$work/out" "$work/first" || failures=$((failures + 1))
  expect 0 "" "$sinew" compile "$models/$name.xml" "$work/$name.xml"
  expect 0 "nbody" "$sinew" info "$work/$name.xml"
  expect 0 "" "$sinew" compile "$work/$name.snb" "$work/back.xml"
  cmp "$work/$name.xml" "$work/back.xml" || failures=$((failures + 1))
  expect 0 "" "$sinew" compile "$work/$name.snb" "$work/again.snb"
  cmp "$work/$name.snb" "$work/again.snb" || failures=$((failures + 1))
done
expect 1 "/none/" "$sinew" compile "$work/arm.snb" /none/back.xml
silent
head -c 1000 "$work/arm.snb" > "$work/cut.snb"
expect 1 "cut.snb" "$sinew" compile "$work/cut.snb" "$work/cut.xml"
silent
[ ! -e "$work/cut.xml" ] || { echo "FAILED: a damaged model gave XML"; failures=$((failures + 1)); }
expect 0 "10 steps" "$sinew" run "$work/humanoid.snb" --steps 10 --seed 3 --out "$work/b.csv"
cmp "$work/a.csv" "$work/b.csv" || failures=$((failures + 1))

if [ "$failures" = 0 ]; then echo "command line: sound"; else exit 1; fi
