#!/usr/bin/env bash
# Is there a clang that links libFuzzer?
probe=$(mktemp)
trap 'rm -f "$probe"' EXIT
echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
  clang -fsanitize=fuzzer,address -x c - -o "$probe" 2> /dev/null
