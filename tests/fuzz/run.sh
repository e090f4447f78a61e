#!/usr/bin/env bash
# Runs one libFuzzer target from its seeds, and keeps what it finds in a corpus of the build folder.
#   run.sh TARGET BUILD SECONDS
# Seeds lie in tests/fuzz/corpus/TARGET; those of the reader are the small models of the tests, those of
# binary models are such models compiled. Without -entropic=0 nearly all of the time goes into weights of
# the corpus: 20 models a second of processor time instead of 300.
set -euo pipefail
target=$1 build=$(realpath "$2") seconds=$3
cd "$(dirname "$0")/../.."
corpus=$build/corpus/$target seeds=$build/corpus/$target.seeds words=$build/corpus/$target.words
program=$target length=4096
options=()
mkdir -p "$corpus" "$seeds"

# words of the language, from the backquotes of its page
write_words() { grep -o '`[A-Za-z0-9_]*`' docs/mjcf.md | sort -u | tr '`' '"' > "$words"; }

case $target in
  reader)
    find tests/models models -name '*.xml' -size -8k | while read -r file; do
      cp "$file" "$seeds/$(md5sum < "$file" | cut -c1-16)"
    done
    write_words
    length=8000 ;;
  urdf)
    program=reader length=8000
    cp tests/fuzz/corpus/urdf.words "$words" ;;
  binary)
    for file in tests/models/{constraint/mixed_all,actuation/delays,actuation/muscles,sensor/arm,odd/skin,flex/sheet}.xml; do
      "$build/apps/sinew/sinew" compile "$file" "$seeds/$(basename "$file" .xml).snb"
    done
    length=100000 ;;
esac
[ ! -d "tests/fuzz/corpus/$target" ] || cp tests/fuzz/corpus/"$target"/* "$seeds"
[ ! -f "$words" ] || options+=(-dict="$words")
cd "$build/corpus"  # where a failing input is written
exec "$build/tests/fuzz_$program" -max_total_time="$seconds" -timeout=200 -rss_limit_mb=3000 -max_len="$length" \
  -entropic=0 -print_final_stats=1 -artifact_prefix="$target-" "${options[@]}" "$corpus" "$seeds"
