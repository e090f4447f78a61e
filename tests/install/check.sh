#!/usr/bin/env bash
# Installs the build into a folder of its own, then builds the example against it by CMake and by
# pkg-config, shared and static, and runs it.
set -euo pipefail
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$build/install-check
rm -rf "$work"
cmake --install "$build" --prefix "$work/prefix" > /dev/null
cmake -S "$here" -B "$work/example" -DCMAKE_PREFIX_PATH="$work/prefix" > /dev/null
cmake --build "$work/example" > /dev/null
"$work/example/fall" "$here/fall.xml"

library=$(dirname "$(find "$work/prefix" -name libsinew.so | head -n 1)")
export PKG_CONFIG_PATH=$library/pkgconfig
cc "$here/fall.c" $(pkg-config --cflags --libs sinew) -lm -o "$work/fall-shared"
LD_LIBRARY_PATH=$library "$work/fall-shared" "$here/fall.xml"
cc "$here/fall.c" $(pkg-config --cflags sinew) "$library/libsinew.a" \
  $(pkg-config --static --libs-only-l sinew | sed 's/-lsinew //') -o "$work/fall-static"
"$work/fall-static" "$here/fall.xml"

# nothing but the public interface is exported
if nm -D --defined-only "$library/libsinew.so" | awk '{print $3}' | grep -vE '^(sn|snu|snd|sns|snc|snp|snv)_'; then
  echo "symbols above are exported and not public" >&2
  exit 1
fi
