#!/usr/bin/env bash
# The compatibility library exports names with MuJoCo's prefixes and no others.
set -euo pipefail
strangers=$(nm -D --defined-only "$1" | awk '{print $3}' | grep -Ev '^_mjPRIVATE__[gs]et_xml_precision$|^(mj|mju|mjs|mjd|mjc|mjp|mjv|mjr|mjui|mjcb)_|^mj[A-Z]+(STRING|FUNC)$' || true)
[ -z "$strangers" ] || { echo "exported and not MuJoCo's:"; echo "$strangers"; exit 1; }
echo "$(nm -D --defined-only "$1" | wc -l) exports, all of them MuJoCo's names"
