#!/usr/bin/env python3
"""A missing barrier is found by the race checker, and with all barriers nothing is.

usage: race_check.py PROGRAM    PROGRAM is missing_barrier; exit status 77: not under the emulator
"""
import os
import subprocess
import sys

NOT_HERE = 77


def run(program, how):
    env = dict(os.environ, CUEMU_RACECHECK="1", CUEMU_INITCHECK="1")
    return subprocess.run([program, how], env=env, capture_output=True, text=True, timeout=200)


def races(result):
    return [line for line in result.stderr.splitlines() if "RACE" in line]


def main():
    program = sys.argv[1]
    if not os.environ.get("GRUNDY_CUDA_EMULATOR"):
        print("skipped: GRUNDY_CUDA_EMULATOR does not name an emulator with a race checker")
        return NOT_HERE
    with_barriers = run(program, "with")
    without = run(program, "without")
    assert with_barriers.returncode == 0, with_barriers.stderr
    assert not with_barriers.stderr, with_barriers.stderr
    assert races(without), "the missing barrier was not found: " + without.stderr
    print("found:", races(without)[0])
    return 0


sys.exit(main())
