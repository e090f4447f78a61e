#!/usr/bin/env python3
"""Which models two runs of `state_hash --state` disagree on, and by how much: determinism.py FIRST SECOND"""

import sys


def read(path):
    rows = {}
    for line in open(path):
        model, _, _, *state = line.split()
        rows[model] = [float.fromhex(value) for value in state]
    return rows


def distance(a, b):
    """Largest difference relative to the largest value, which is at least 1."""
    scale = max([1.0, *map(abs, a)])
    return max((abs(x - y) for x, y in zip(a, b)), default=0.0) / scale


def main():
    first, second = (read(path) for path in sys.argv[1:3])
    for model in sorted(set(first) ^ set(second)):
        print(f"{model}: stepped by one of the two only")
    for model in sorted(set(first) & set(second)):
        if first[model] != second[model]:
            print(f"{model}: the states after the last step differ by {distance(first[model], second[model]):.1e}")


if __name__ == "__main__":
    main()
