#!/bin/sh
# same_output.sh PROGRAM OTHER FOLDER...: both print the same about the models of the folders.
set -eu
program=$1 other=$2
shift 2
models=$(find "$@" -name '*.xml' ! -name 'flex*' | sort)
first=$("$program" $models)
second=$("$other" $models)
[ "$(printf '%s\n' "$first" | wc -l)" -gt 3 ]
[ "$first" = "$second" ] || { printf '%s\n-- differs from\n%s\n' "$first" "$second"; exit 1; }
