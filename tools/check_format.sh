#!/usr/bin/env bash
# Are the sources formatted as .clang-format says? Versions differ, so only the one in use decides.
#   check_format.sh [CLANG-FORMAT]
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-clang-format}
wanted=14
version=$("$program" --version | grep -oE '[0-9]+' | head -1)
if [ "$version" != "$wanted" ]; then
  echo "format: not checked, clang-format is version $version instead of $wanted"
  exit 0
fi
# what git does not know, as in an unpacked archive, is found by name
files=$(git ls-files '*.c' '*.h' '*.cc' '*.cu' 2> /dev/null) ||
  files=$(find src include apps tests python bench -name '*.[ch]' -o -name '*.cc' -o -name '*.cu')
echo "$files" | xargs -P "$(nproc)" -n 40 "$program" --dry-run --Werror
echo "format: sound"
