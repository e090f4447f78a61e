#!/usr/bin/env bash
# Runs libFuzzer on the reader, starting from small models and the words of the language.
#   reader.sh FUZZER CORPUS SECONDS WORDS FOLDER...
# WORDS is a text with the names of attributes and their words in backquotes. Without -entropic=0 nearly all
# of the time goes into weights of the corpus: 20 models a second of processor time instead of 300.
set -euo pipefail
fuzzer=$1 corpus=$2 seconds=$3 words=$4
shift 4
mkdir -p "$corpus" "$corpus.seeds"
find "$@" -name '*.xml' -size -8k | while read -r file; do
  cp "$file" "$corpus.seeds/$(md5sum < "$file" | cut -c1-16)"
done
grep -o '`[A-Za-z0-9_]*`' "$words" | sort -u | tr '`' '"' > "$corpus.words"
cd "$(dirname "$corpus")"  # where a failing input is written
exec "$fuzzer" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=3000 -max_len=8000 -entropic=0 \
  -dict="$corpus.words" -print_final_stats=1 "$corpus" "$corpus.seeds"
