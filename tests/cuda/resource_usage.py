#!/usr/bin/env python3
"""The kernels spill nothing, use no local memory, and stay within their registers and shared memory.

usage: resource_usage.py NVCC ARGUMENT...    the command that compiles the kernels for a GPU
"""
import re
import subprocess
import sys

# A multiprocessor has 65536 registers and 227 KiB of shared memory for blocks of 32 threads: 10 of
# them, so that the bands of a table of 65536 a side are all at work at once on 132 multiprocessors.
MOST = {"registers": 96, "shared memory": 22 * 1024 + 512}
KERNELS = {"wave_kernel", "band_kernel"}


def number(pattern, text):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else 0


def main():
    command = [*sys.argv[1:], "-cubin", "-Xptxas=-v", "-o", "/dev/null"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    seen = set()
    for part in result.stderr.split("Compiling entry function ")[1:]:
        kernel = next((k for k in KERNELS if k in part.splitlines()[0]), None)
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
        for what, amount in used.items():
            most = MOST.get(what, 0)
            assert amount <= most, f"{kernel} uses {amount} ({what}), more than {most}"
    assert seen == KERNELS, f"no report for {KERNELS - seen}: {result.stderr}"


main()
