#!/usr/bin/env bash
# Forges the fields of models that between them have every kind of object: tests/fuzz/forge.c.
#   forge.sh PROGRAM EVERY      (EVERY 1: all cases, N: each N-th)
set -euo pipefail
program=$1 every=$2
cd "$(dirname "$0")/../.."
printf '%s\n' models/{arm,humanoid}.xml tests/models/constraint/mixed_all.xml \
  tests/models/actuation/{actuators,delays,muscles,tendons}.xml tests/models/collision/{convex,hfield,sdf}.xml \
  tests/models/sensor/{arm,contact,tactile}.xml tests/models/odd/{skin,sleep_policies,custom}.xml \
  tests/models/plugin/{cable,pid,touch_grid}.xml tests/models/compile/{asset_texture,camera_intrinsic}.xml \
  tests/models/flex/{block,contact,line,several,sheet_bend,sheet_flexvert,texture,trilinear}.xml \
  tests/models/deform/{cloth,soft}.xml |
  xargs -P "$(nproc)" -n 1 "$program" --every "$every"
