#!/usr/bin/env bash
# Compiles the engine, the maths, scenes and their images as C++17: the language that a GPU compiler reads.
#   check_cxx.sh [COMPILER]
set -euo pipefail
cd "$(dirname "$0")/.."
compiler=${1:-c++}
for file in src/engine/*/*.c src/math/*.c src/visual/*.c \
  $(sed -n "/^set(SN_RENDER_DEVICE/,/^)/s/^  /src\//p" src/sources.cmake); do
  echo "$file"
done | xargs -P "$(nproc)" -I{} "$compiler" -x c++ -std=c++17 -fsyntax-only -Wall -Wextra -Werror \
  -Iinclude -Isrc {}
echo "engine, maths, scenes and images are C++17"
