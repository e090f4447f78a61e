#!/usr/bin/env bash
# Installs the system packages that Sinew is built from, where they are missing. Says what it does,
# asks nothing, and does nothing when all is there.
#   setup.sh [fuzz|view|lint]   fuzz: also what tests can do without: clang and its runtime, for libFuzzer, and OSMesa,
#                               with which MuJoCo draws the images that ours are compared with; view: also chromium,
#                               in which the viewer is tested; lint: also clang-format
set -euo pipefail

have() { command -v "$1" > /dev/null; }
installed() { dpkg-query -W -f='${Status}' "$1" 2> /dev/null | grep -q "ok installed"; }
python_can_build() {
  python3 -c 'import ensurepip, os, sysconfig
assert os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))' 2> /dev/null
}

install() {  # PACKAGE...
  local sudo=""
  echo "setup: installing $*"
  [ "$(id -u)" -eq 0 ] || sudo="sudo"
  export DEBIAN_FRONTEND=noninteractive
  $sudo apt-get -qq update
  $sudo apt-get -qq install -y --no-install-recommends "$@" > /dev/null
}

# the runtime has the number of the compiler in its name
clang_runtime() { echo "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"; }

missing=()
have cc && have c++ || missing+=(build-essential)
have cmake || missing+=(cmake)
have ninja || missing+=(ninja-build)
have pkg-config || missing+=(pkg-config)
python_can_build || missing+=(python3 python3-dev python3-venv)
# convex hulls, images, C tests
for package in libqhull-dev libpng-dev zlib1g-dev libcmocka-dev; do
  installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] || install "${missing[@]}"

if [ "${1:-}" = fuzz ] && ! "$(dirname "$0")/has_libfuzzer.sh"; then
  { have clang || install clang; } && install "$(clang_runtime)" ||
    echo "setup: no clang with libFuzzer, that fuzzer is left out"
fi

if [ "${1:-}" = view ] && ! have chromium; then
  install chromium || echo "setup: no chromium, the viewer is not tested in a browser"
fi

if [ "${1:-}" = lint ] && ! have clang-format; then install clang-format; fi

if [ "${1:-}" = fuzz ] && ! installed libosmesa6; then
  install libosmesa6 || echo "setup: no OSMesa, images are not compared"
fi
