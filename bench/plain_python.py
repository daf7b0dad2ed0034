#!/usr/bin/env python3
"""A Grundy table of Wythoff's game in plain Python, for the comparison in the README: a set of used
values for each row, column and diagonal, and for each cell the first number in none of them.

usage: bench/plain_python.py N
"""

import collections
import sys
import time


def zeros_of_table(side):
    rows = collections.defaultdict(set)
    columns = collections.defaultdict(set)
    diagonals = collections.defaultdict(set)
    zeros = 0
    for x in range(side):
        for y in range(side):
            row, column, diagonal = rows[x], columns[y], diagonals[y - x]
            value = 0
            while value in row or value in column or value in diagonal:
                value += 1
            row.add(value)
            column.add(value)
            diagonal.add(value)
            zeros += value == 0
    return zeros


def main():
    side = int(sys.argv[1])
    start = time.perf_counter()
    zeros = zeros_of_table(side)
    seconds = time.perf_counter() - start
    print(f"{side} x {side}: {zeros} zeros, {seconds:.1f} s, {side * side / seconds:.0f} cells/s")


if __name__ == "__main__":
    main()
