#!/usr/bin/env bash
# Installs the wheels of tools/wheel.sh on bare systems, Debian's smallest with Python and nothing else, and uses them as
# README and docs/ say: the time from `pip install` to the first step, the command line, every block of the pages. A
# wheel for another processor runs under qemu-user and steps the same models; the states are compared bit for bit.
#   tests/install/wheel.sh [DIST]    wheels of DIST (build/wheel/dist)
#   PAGES=0                          without the blocks of the pages
# Needs root (chroot), mmdebstrap and qemu-user-static, which it installs where they are missing. Systems are kept in
# build/wheel; no network is used after they and NumPy are there.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=${WHEEL_DIR:-$root/build/wheel}
dist=$(realpath "${1:-$work/dist}")
native=$(uname -m)
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
# systems whose Python is 3.11, and one of those that the stable ABI serves
suites=(bookworm trixie)

TIMEFORMAT="wheel: %R s from pip install to the first step, NumPy included (%U + %S s of a processor)"
say() { echo "wheel: $*"; }
debian() { case $1 in x86_64) echo amd64 ;; aarch64) echo arm64 ;; esac; }

need() {  # COMMAND PACKAGE
  command -v "$1" > /dev/null || { say "installing $2" && apt-get -qq install -y --no-install-recommends "$2" > /dev/null; }
}

# a system, from where apt gets this machine's; that of another processor is unpacked only
make_system() {  # SUITE ARCH FOLDER
  [ -f "$3/ready" ] && return
  local signed="" release variant=apt
  [ ! -f "$keyring" ] || signed="[signed-by=$keyring]"
  [ "$2" = "$native" ] || variant=extract
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  rm -rf "$3"
  apt-get indextargets --format "deb $signed \$(REPO_URI) $1 \$(COMPONENT)" 'Created-By: Packages' "Codename: $release" |
    sort -u | mmdebstrap --quiet --arch="$(debian "$2")" --variant="$variant" --include=python3-venv,libstdc++6 "$1" "$3" -
  if [ "$2" != "$native" ]; then
    cp "$(command -v "qemu-$2-static")" "$3/usr/bin/"
    for name in bin lib; do [ -e "$3/$name" ] || ln -s "usr/$name" "$3/$name"; done
  fi
  touch "$3/ready"
}

inside() {  # FOLDER ARCH COMMAND...    the command's first word is a path inside
  local folder=$1 emulator=()
  [ "$2" = "$native" ] || emulator=("/usr/bin/qemu-$2-static")
  shift 2
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="${SITE:-}" \
    chroot "$folder" "${emulator[@]}" "$@"
}

# packages for another Python, kept in build/wheel
download() {  # ARCH VERSION FOLDER PACKAGE...
  local arch=$1 version=$2 folder=$3 store=$work/packages-$1-$2-$4
  shift 3
  if [ ! -f "$store/ready" ]; then
    python3 -m pip download --quiet --only-binary :all: --python-version "$version" --dest "$store" \
      --platform "manylinux_2_28_$arch" --platform "manylinux_2_27_$arch" --platform "manylinux2014_$arch" "$@"
    touch "$store/ready"
  fi
  mkdir -p "$folder"
  cp "$store"/*.whl "$folder"
}

# what a user would have: the wheels, the pages and the models
fill() {  # FOLDER ARCH VERSION WHEEL
  rm -rf "$1/root"
  mkdir -p "$1/root/try/tests" "$1/root/wheels" "$1/proc"
  cp "$4" "$1/root/wheels"
  cp "$dist"/sinew_physics_gpu-*.whl "$1/root/wheels" 2> /dev/null || cp "$work"/placeholder/*.whl "$1/root/wheels"
  download "$2" "$3" "$1/root/wheels" numpy
  cp -r "$root"/{README.md,CONTRIBUTING.md,docs,models,examples,tests/install/states.py} "$1/root/try"
  cp -r "$root"/tests/{docs,models} "$1/root/try/tests"
}

first_step='
import os, sinew
model = sinew.MjModel.from_xml_path(os.path.join(sinew.MODELS_DIR, "humanoid.xml"))
data = sinew.MjData(model)
sinew.mj_step(model, data)
assert data.time == model.opt.timestep
print("wheel: first step,", sinew.sinew_version)'

# every block of the pages, with the packages that some of them use; there is no compiler for those in C
run_pages() {  # FOLDER ARCH VERSION PYTHON
  download "$2" "$3" "$1/root/packages" pytest mujoco==3.5.0 gymnasium
  inside "$1" "$2" "$4" -m pip install --quiet --no-index --find-links /root/packages pytest mujoco gymnasium
  inside "$1" "$2" /usr/bin/env SN_BUILD=/nowhere "$4" -m pytest -q -p no:cacheprovider -W ignore \
    -k "not c_compiles and not fenced" /root/try/tests/docs/test_code_blocks.py
}

try_native() {  # FOLDER ARCH VERSION
  local python=/root/venv/bin/python
  inside "$1" "$2" /usr/bin/python3 -m venv /root/venv
  time {
    inside "$1" "$2" $python -m pip install --quiet --no-index --find-links /root/wheels sinew-physics
    inside "$1" "$2" $python -c "$first_step"
  }
  inside "$1" "$2" /root/venv/bin/sinew version
  [ "${PAGES:-1}" = 0 ] || run_pages "$1" "$2" "$3" $python
  inside "$1" "$2" $python -m pip install --quiet --no-index --find-links /root/wheels sinew-physics-gpu
  inside "$1" "$2" $python -c 'import os, sinew; assert os.path.exists(os.environ["SINEW_GPU_PACKAGE"])'
  inside "$1" "$2" $python -m pip check --quiet
  say "sinew-physics-gpu is found"
}

# pip of this machine installs for the other processor, by its tags: under the emulator it would unpack for minutes. What
# versions of Python a package is for, pip asks of its own interpreter, not of the one that is meant; tags say that too.
try_foreign() {  # FOLDER ARCH PYTHON
  python3 -m pip install --quiet --no-index --no-compile --root-user-action=ignore --ignore-requires-python --target "$1/root/site" \
    --platform "manylinux_2_28_$2" --platform "manylinux_2_27_$2" --platform "manylinux2014_$2" --python-version "$3" \
    --only-binary :all: --find-links "$1/root/wheels" sinew-physics
  SITE=/root/site inside "$1" "$2" "/usr/bin/python$3" -c "$first_step"
  SITE=/root/site inside "$1" "$2" "/usr/bin/python$3" /root/site/bin/sinew run /root/try/models/humanoid.xml --steps 20
}

states() {  # FOLDER ARCH PYTHON SITE FILE
  SITE=$4 inside "$1" "$2" "$3" /root/try/states.py /root/try > "$5"
}

try_wheel() {  # WHEEL
  local arch=${1##*manylinux_2_??_} suite=${suites[0]} version folder
  arch=${arch%.whl}
  [[ $1 != *abi3* ]] || suite=${suites[1]}
  folder=$work/$suite-$arch
  make_system "$suite" "$arch" "$folder"
  version=$(cd "$folder/usr/bin" && ls python3.?? | head -n 1) version=${version#python}
  say "$(basename "$1"): $suite, Python $version, $arch"
  fill "$folder" "$arch" "$version" "$1"
  if [ "$arch" = "$native" ]; then
    try_native "$folder" "$arch" "$version"
    states "$folder" "$arch" /root/venv/bin/python "" "$work/states-$suite-$arch.txt"
  else
    need "qemu-$arch-static" qemu-user-static
    try_foreign "$folder" "$arch" "$version"
    states "$folder" "$arch" "/usr/bin/python$version" /root/site "$work/states-$suite-$arch.txt"
    compare "$work/states-$suite-$native.txt" "$work/states-$suite-$arch.txt"
  fi
}

# bits of two processors, which docs/determinism.md does not promise to be the same
compare() {  # FIRST SECOND
  [ -f "$1" ] || return 0
  cmp -s <(head -n 1 "$1") <(head -n 1 "$2") || say "the C libraries round functions differently"
  if cmp -s <(tail -n +2 "$1") <(tail -n +2 "$2"); then
    say "$(tail -n +2 "$2" | wc -l) models end in the same bits on both processors"
  else
    say "$(comm -12 <(sort "$1") <(sort "$2") | wc -l) of $(tail -n +2 "$2" | wc -l) models end in the same bits on both processors"
    python3 "$root/tools/determinism.py" "$1" "$2"
  fi
}

# where there are no images for GPUs, a file that is none shows that one would be found
make_placeholder() {
  ls "$dist"/sinew_physics_gpu-*.whl > /dev/null 2>&1 && return
  echo placeholder > "$work/placeholder.gpu"
  GPU_ENGINE=$work/placeholder.gpu "$root/tools/gpu_wheel.sh" "$work/placeholder" > /dev/null
}

need mmdebstrap mmdebstrap
make_placeholder
need "qemu-aarch64-static" qemu-user-static
wheels=("$dist"/sinew_physics-*"$native".whl "$dist"/sinew_physics-*.whl)
declare -A seen
for wheel in "${wheels[@]}"; do
  [ -f "$wheel" ] && [ -z "${seen[$wheel]:-}" ] || continue
  seen[$wheel]=1
  try_wheel "$wheel"
done
