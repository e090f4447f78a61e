#!/usr/bin/env bash
# Runs libFuzzer on the reader, starting from small models.
#   reader.sh FUZZER CORPUS SECONDS FOLDER...
set -euo pipefail
fuzzer=$1 corpus=$2 seconds=$3
shift 3
mkdir -p "$corpus" "$corpus.seeds"
find "$@" -name '*.xml' -size -8k | while read -r file; do
  cp "$file" "$corpus.seeds/$(md5sum < "$file" | cut -c1-16)"
done
cd "$(dirname "$corpus")"  # where a failing input is written
exec "$fuzzer" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=3000 -max_len=8000 \
  -print_final_stats=1 "$corpus" "$corpus.seeds"
