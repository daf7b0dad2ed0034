#!/usr/bin/env python3
"""Holds the CPU engine's instructions per cell against recorded figures, by counting under valgrind.

  bench/instruction_check.py PROGRAM RECORD.json            exit status 1 outside 5 %
  bench/instruction_check.py PROGRAM RECORD.json --record   writes the figures of PROGRAM

PROGRAM is build/default/bench/instruction_count, which is compiled for a fixed processor, so that
the figures depend on the source and the compiler alone. Where valgrind is missing or the compiler
is another one than recorded, the exit status is 77: skipped.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOLERANCE = 0.05
SKIPPED = 77
# What is counted: the difference between two sizes, in which the start of the program cancels out.
SIZES = (768, 1536)
FIGURES = {
    "search, symmetric": ("compute", "classic"),
    "search, not symmetric": ("compute", "cells:0,0;0,1"),
    "search and digest, symmetric": ("summarize", "classic"),
}


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def instructions(program, *args):
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            ["valgrind", "--tool=callgrind",
             "--callgrind-out-file=" + os.path.join(folder, "out"), program, *args],
            capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{program} {' '.join(args)} under valgrind: exit status {result.returncode}\n"
                 + result.stderr)
    return int(re.search(r"Collected : (\d+)", result.stderr).group(1))


def per_cell(program, mode, rule):
    small, large = (instructions(program, mode, rule, str(size)) for size in SIZES)
    return (large - small) / (SIZES[1] ** 2 - SIZES[0] ** 2)


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--record"]):
        sys.exit(__doc__)
    program, record_path = sys.argv[1:3]
    recording = len(sys.argv) == 4
    if not shutil.which("valgrind"):
        skip("valgrind is not installed (scripts/install-dependencies.sh test)")
    compiler = subprocess.run([program, "compiler"], capture_output=True, text=True,
                              check=True).stdout.strip()
    record = {"compiler": compiler, "instructions_per_cell": {}}
    if not recording:
        with open(record_path, encoding="utf-8") as file:
            record = json.load(file)
        if record["compiler"] != compiler:
            skip(f"the figures are those of {record['compiler']}, this is {compiler}")
    failed = False
    for name, (mode, rule) in FIGURES.items():
        figure = per_cell(program, mode, rule)
        if recording:
            record["instructions_per_cell"][name] = round(figure, 2)
            print(f"{name}: {figure:.2f} instructions a cell")
            continue
        recorded = record["instructions_per_cell"][name]
        change = figure / recorded - 1
        verdict = "passed"
        if abs(change) > TOLERANCE:
            failed = True
            verdict = "FAILED, slower" if change > 0 else "FAILED, faster: record it (--record)"
        print(f"{verdict}: {name}: {figure:.2f} instructions a cell, recorded {recorded:.2f}, "
              f"{100 * change:+.1f} %, allowed {100 * TOLERANCE:.0f} %")
    if recording:
        with open(record_path, "w", encoding="utf-8") as file:
            json.dump(record, file, indent=2)
            file.write("\n")
    sys.exit(1 if failed else 0)


main()
