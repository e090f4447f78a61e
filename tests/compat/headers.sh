#!/usr/bin/env bash
# Every compatibility header compiles alone, without warnings, as C11 and as C++20.
set -euo pipefail
include=$1
count=0
for header in "$include"/mujoco/*.h; do
  for language in "c -std=c11" "c++ -std=c++20"; do
    echo "#include <mujoco/$(basename "$header")>" |
      cc -x $language -Wall -Wextra -Werror -I"$include" -fsyntax-only -
    count=$((count + 1))
  done
done
echo "$count inclusions are clean"
