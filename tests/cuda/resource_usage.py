#!/usr/bin/env python3
"""The kernels spill nothing, use no local memory, and stay within their registers and shared memory.

usage: resource_usage.py NVCC ARGUMENT...    the command that compiles the kernels for a GPU
"""
import re
import subprocess
import sys

# Blocks that have to fit a multiprocessor: enough that all bands of a table of 65536 a side are at
# work at once on 132 of them, and what bench/gpu_model.py counts on.
BLOCKS = {"wave_kernel": 10, "band_kernel": 12}
REGISTERS = 65536
SHARED = 228 * 1024   # of which each block takes 1 KiB more than it asks for
THREADS = 32


def number(pattern, text):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else 0


def main():
    command = [*sys.argv[1:], "-cubin", "-Xptxas=-v", "-o", "/dev/null"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    seen = set()
    for part in result.stderr.split("Compiling entry function ")[1:]:
        kernel = next((k for k in BLOCKS if k in part.splitlines()[0]), None)
        if kernel is None:
            continue
        seen.add(kernel)
        used = {"registers": number(r"Used (\d+) registers", part),
                "shared memory": number(r"(\d+) bytes smem", part),
                "stack": number(r"(\d+) bytes stack frame", part),
                "spill stores": number(r"(\d+) bytes spill stores", part),
                "spill loads": number(r"(\d+) bytes spill loads", part),
                "local memory": number(r"(\d+) bytes lmem", part)}
        print(kernel, used)
        assert used["registers"] > 0, part
        blocks = min(REGISTERS // (used.pop("registers") * THREADS),
                     SHARED // (used.pop("shared memory") + 1024))
        assert blocks >= BLOCKS[kernel], f"{blocks} blocks of {kernel} fit, not {BLOCKS[kernel]}"
        for what, amount in used.items():
            assert amount == 0, f"{kernel}: {amount} bytes of {what}"
    assert seen == set(BLOCKS), f"no report for {set(BLOCKS) - seen}: {result.stderr}"


main()
