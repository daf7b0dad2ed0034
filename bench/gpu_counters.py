#!/usr/bin/env python3
"""What the CUDA kernels execute, by an emulator's counters, for each computed cell.

  bench/gpu_counters.py --program build/cuda/grundy --emulator FOLDER [--sizes 512,1024]

FOLDER holds the emulator's libcudart.so.13. A symmetric table of side N has N(N+1)/2 computed cells.
Instructions are those of PTX; the machine's differ somewhat.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

KERNELS = {"waves": "wave_kernel", "bands": "band_kernel"}

# For each computed cell, except the last: of the 32 lanes of a warp, those at work on average.
COLUMNS = {
    "thread instructions": lambda s, cells: s["thread_instructions"] / cells,
    "warp instructions x 32": lambda s, cells: 32 * s["warp_instructions"] / cells,
    "load sectors": lambda s, cells: s["global_load_sectors"] / cells,
    "store sectors": lambda s, cells: s["global_store_sectors"] / cells,
    "shared wavefronts x 32": lambda s, cells: 32 * s["shared_wavefronts"] / cells,
    "bank conflicts x 32": lambda s, cells: 32 * s["shared_bank_conflicts"] / cells,
    "barriers x 32": lambda s, cells: 32 * s["barriers"] / cells,
    "active lanes": lambda s, cells: s["thread_instructions"] / s["warp_instructions"],
}


def counters(program, emulator, size, schedule):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stats.json")
        env = dict(os.environ, LD_LIBRARY_PATH=emulator, CUEMU_STATS_FILE=path)
        subprocess.run([program, "compute", "--engine", "cuda", "--schedule", schedule, "--size",
                        str(size), "--quiet"], env=env, check=True)
        with open(path, encoding="utf-8") as lines:
            kernels = [json.loads(line) for line in lines]
    found = [kernel for kernel in kernels if KERNELS[schedule] in kernel["kernel"]]
    if len(found) != 1:
        sys.exit(f"expected one kernel {KERNELS[schedule]}, found {len(found)}")
    return found[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--program", default="build/cuda/grundy")
    parser.add_argument("--emulator", required=True)
    parser.add_argument("--sizes", default="512,1024")
    options = parser.parse_args()
    print(" | ".join(["N", "schedule", *COLUMNS]))
    for size in map(int, options.sizes.split(",")):
        for schedule in KERNELS:
            stats = counters(options.program, options.emulator, size, schedule)
            cells = size * (size + 1) / 2
            figures = [f"{figure(stats, cells):.2f}" for figure in COLUMNS.values()]
            print(" | ".join([str(size), schedule, *figures]))


main()
