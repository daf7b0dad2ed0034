#!/usr/bin/python3
"""Reads a table with h5py, finds its P-positions, compares them with Beatty sequences and draws it.

usage: examples/p_positions.py TABLE.h5 PICTURE.png

Needs h5py and matplotlib (Debian: python3-h5py, python3-matplotlib); the table may be of any rule,
complete, from (0,0) on and in full storage. It is read in bands of rows, so it may be larger than memory; the
picture takes every k-th row and column.
"""

import math
import sys

import h5py
import numpy as np
from matplotlib.figure import Figure

PICTURE_CELLS = 512  # at most so many rows and columns


def p_positions(table):
    """All (x, y) with G(x,y) = 0: whoever moves to them wins."""
    band = table.chunks[0]
    found = []
    for x in range(0, table.shape[0], band):
        zeros = np.argwhere(table[x:x + band, :] == 0)
        found.append(zeros + (x, 0))
    return np.concatenate(found)


def beatty_pair(n):
    """The n-th P-position of Wythoff's game, exactly: floor(n phi) and floor(n phi^2)."""
    a = (n + math.isqrt(5 * n * n)) // 2
    return a, a + n


def draw(table, positions, path):
    step = -(-max(table.shape) // PICTURE_CELLS)
    rows = np.stack([table[x, ::step] for x in range(0, table.shape[0], step)])
    figure = Figure(figsize=(6, 5), layout="constrained")
    axes = figure.add_subplot()
    height, width = table.shape
    image = axes.imshow(rows, extent=(-0.5, width - 0.5, height - 0.5, -0.5),
                        interpolation="nearest")
    axes.plot(positions[:, 1], positions[:, 0], ",", color="red")
    axes.set(title=f"Grundy values, {table.attrs['rule'].decode()}", xlabel="y", ylabel="x")
    figure.colorbar(image, label="G(x,y)")
    figure.savefig(path, dpi=120)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with h5py.File(sys.argv[1]) as file:
        table = file["grundy"]
        attributes = table.attrs
        if (attributes["complete"] != 1 or attributes["storage"] != b"full" or
                attributes["first_x"] != 0 or attributes["first_y"] != 0):
            sys.exit(f"{sys.argv[1]}: not a complete table from (0,0) on in full storage")
        positions = p_positions(table)
        draw(table, positions, sys.argv[2])
        shape = table.shape
    upper = [tuple(map(int, p)) for p in positions if p[0] <= p[1]]
    print(f"{len(positions)} P-positions in {shape[0]} x {shape[1]} cells; the first with x <= y:",
          *upper[:6])
    wythoff = {(a, b) for a, b in map(beatty_pair, range(max(shape)))
               if a < shape[0] and b < shape[1]}
    print("They are" if set(upper) == wythoff else "They are not",
          "the pairs floor(n phi), floor(n phi^2) of Wythoff's game.")


if __name__ == "__main__":
    main()
