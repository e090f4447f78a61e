#!/usr/bin/env bash
# Installs the build into a folder, moves that folder, and builds programs against it by CMake, by pkg-config
# and by hand, in C and C++, by every compiler that is here, shared and static. They run without
# LD_LIBRARY_PATH: libraries find one another where they lie. `check.sh BUILD full` also builds a project
# that has Sinew's sources inside, which compiles the library again.
set -euo pipefail
trap 'echo "install: line $LINENO failed" >&2' ERR
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
examples=$root/examples/c
work=$build/install-check
unset LD_LIBRARY_PATH PKG_CONFIG_PATH
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/first" > /dev/null
mv "$work/first" "$work/a prefix"
prefix="$work/a prefix"
library=$(dirname "$(find "$prefix" -name libsinew.so | head -n 1)")

say() { echo "install: $*"; }
run() { "$@" "$examples/fall.xml"; }
project() {  # FOLDER COMPILER C++-COMPILER CMAKE-OPTION...
  local source=$1 name=$(basename "$1")-$2 cc=$2 cxx=$3
  shift 3
  cmake -S "$source" -B "$work/$name" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" "$@" > "$work/$name.log"
}

# the names have versions, and what is read lies where it is looked for
version=$(sed -n 's/^project(sinew VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
for name in sinew sinew_mujoco; do
  [ -L "$library/lib$name.so" ] && [ -f "$library/lib$name.so.$version" ]
  readelf -d "$library/lib$name.so" | grep -q "SONAME.*lib$name.so.${version%.*}]"
  readelf -d "$library/lib$name.so" | grep -q 'R.*PATH.*\[$ORIGIN\]'
done
for file in LICENSE README.md examples/c/fall.c examples/python/ppo.py models/humanoid.xml; do [ -f "$prefix/share/doc/sinew/$file" ]; done
[ -f "$prefix/share/man/man1/sinew.1" ]
"$prefix/bin/sinew" version > /dev/null

for compilers in "cc c++" "clang clang++"; do
  read -r cc cxx <<< "$compilers"
  if ! command -v "$cc" > /dev/null || ! command -v "$cxx" > /dev/null; then
    say "no $cc here"
    continue
  fi
  # CMake: the example of the installed package, then a project that asks for MuJoCo
  project "$prefix/share/doc/sinew/examples/c" "$cc" "$cxx" -DCMAKE_PREFIX_PATH="$prefix"
  cmake --build "$work/c-$cc" > /dev/null
  for program in fall batch fall_static fall_mujoco; do run "$work/c-$cc/$program" > /dev/null; done
  project "$here/mujoco" "$cc" "$cxx" -DCMAKE_PREFIX_PATH="$prefix" -DEXAMPLES="$examples"
  cmake --build "$work/mujoco-$cc" > /dev/null
  run "$work/mujoco-$cc/program" > /dev/null
  say "$cc, $cxx: find_package(sinew), find_package(mujoco)"

  # by hand: a folder of headers, a folder of libraries and where to look for them
  link=(-L"$library" -Wl,-rpath,"$library")
  "$cc" -std=c11 "$examples/fall.c" -I"$prefix/include" "${link[@]}" -lsinew -lm -o "$work/by-hand-$cc"
  run "$work/by-hand-$cc" > /dev/null
  "$cxx" -std=c++17 -x c++ "$examples/fall.c" -I"$prefix/include" "${link[@]}" -lsinew -o "$work/by-hand-$cxx"
  run "$work/by-hand-$cxx" > /dev/null
  "$cxx" -std=c++17 "$examples/fall_mujoco.cc" -I"$prefix/include/sinew/compat" "${link[@]}" -lsinew_mujoco \
    -o "$work/by-hand-mujoco-$cc"
  run "$work/by-hand-mujoco-$cc" > /dev/null
  say "$cc, $cxx: by hand"
done

# pkg-config, from a folder without a space: it quotes them, the shell does not undo that
mv "$prefix" "$work/prefix"
prefix=$work/prefix library=${library/a prefix/prefix}
export PKG_CONFIG_PATH=$library/pkgconfig
cc "$examples/fall.c" $(pkg-config --cflags --libs sinew) -Wl,-rpath,"$library" -lm -o "$work/pc-shared"
run "$work/pc-shared" > /dev/null
cc "$examples/fall.c" $(pkg-config --cflags sinew) "$library/libsinew.a" \
  $(pkg-config --static --libs-only-l sinew | sed 's/-lsinew //') -o "$work/pc-static"
run "$work/pc-static" > /dev/null
c++ -std=c++17 "$examples/fall_mujoco.cc" $(pkg-config --cflags --libs sinew-mujoco) -Wl,-rpath,"$library" -o "$work/pc-mujoco"
run "$work/pc-mujoco" > /dev/null
say "pkg-config: sinew, shared and static; sinew-mujoco"

# sources inside another project
project "$here/subdirectory" cc c++ -DSINEW="$root" -G Ninja
if [ "${2:-}" = full ]; then
  cmake --build "$work/subdirectory-cc" > /dev/null
  for program in program program_static program_mujoco; do run "$work/subdirectory-cc/$program" > /dev/null; done
fi
say "FetchContent and add_subdirectory: targets as installed"

# nothing but the public interface is exported
if nm -D --defined-only "$library/libsinew.so" | awk '{print $3}' | grep -vE '^(sn|snu|snd|sns|snc|snp|snv|snr)_'; then
  say "symbols above are exported and not public" >&2
  exit 1
fi
