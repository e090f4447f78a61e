#!/usr/bin/env bash
# Every header of a folder compiles alone, without warnings, as C11 and as C++.
#   headers.sh INCLUDE FOLDER C++-STANDARD
set -euo pipefail
include=$1 folder=$2 standard=$3
count=0
for header in "$include/$folder"/*.h; do
  for language in "c -std=c11" "c++ -std=$standard"; do
    echo "#include <$folder/$(basename "$header")>" |
      cc -x $language -Wall -Wextra -Werror -I"$include" -fsyntax-only -
    count=$((count + 1))
  done
done
echo "$count inclusions are clean"
