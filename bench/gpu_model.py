#!/usr/bin/env python3
"""Predicts how long the CUDA engine takes for a symmetric N x N table; docs/cuda.md explains it.

  bench/gpu_model.py [--multiprocessors 132] [--clock 1.8e9] [--l2-latency 250] [--bandwidth 4.8e12]

The defaults are an H200. Nothing here was measured on a card: it is what a measurement contradicts.
"""
import argparse
import json
from dataclasses import dataclass

CYCLES_AN_INSTRUCTION = 2.0  # of one warp, whose instructions mostly wait for each other
DEPENDENT_READS = 4          # of value words, the slowest of 32 lanes
LAUNCH_GAP = 1.5e-6          # seconds from a kernel of a graph to the next
SECTOR = 32                  # bytes


@dataclass
class Schedule:
    width: int               # steps of a tile
    launch_each_wave: bool
    instructions: float      # of a warp in a step, by the emulator at N = 1024
    sectors: float           # read and written by a cell, likewise
    reads_a_tile: float      # dependent reads besides those of the steps: pointers, hints, windows
    resident: int            # blocks on a multiprocessor: shared memory allows no more


SCHEDULES = {"waves": Schedule(32, True, 263, 9.1, 4, 10),
             "bands": Schedule(8, False, 246, 8.9, 2, 12)}


def predict(card, schedule, size):
    """Seconds that each limit alone would take; the largest one counts."""
    lag = (30 + schedule.width) // schedule.width + 1
    bands = (size + 31) // 32
    waves = (size + 30) // schedule.width + 1 + lag * (bands - 1)
    step = (schedule.instructions * CYCLES_AN_INSTRUCTION
            + (DEPENDENT_READS + schedule.reads_a_tile / schedule.width) * card.l2_latency
            ) / card.clock
    warp_steps = size * size / 2 / 32
    limits = {
        "chain of steps": waves * schedule.width * step,
        "warps at work": warp_steps * step / (card.multiprocessors * schedule.resident),
        "issue": warp_steps * schedule.instructions / (card.multiprocessors * 4 * card.clock),
        "bandwidth": size * size / 2 * schedule.sectors * SECTOR / card.bandwidth,
    }
    launches = waves * LAUNCH_GAP if schedule.launch_each_wave else 0.0
    return max(limits.values()) + launches, limits, launches


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--multiprocessors", type=int, default=132)
    parser.add_argument("--clock", type=float, default=1.8e9, help="in Hz")
    parser.add_argument("--l2-latency", type=float, default=250, help="in cycles")
    parser.add_argument("--bandwidth", type=float, default=4.8e12, help="in bytes a second")
    parser.add_argument("--sizes", default="16384,65536,262144")
    parser.add_argument("--json", action="store_true")
    card = parser.parse_args()
    rows = []
    for size in map(int, card.sizes.split(",")):
        for name, schedule in SCHEDULES.items():
            seconds, limits, launches = predict(card, schedule, size)
            rows.append({"size": size, "schedule": name, "seconds": seconds, **limits,
                         "launches": launches})
    if card.json:
        print(json.dumps(rows))
        return
    print("       N schedule  seconds  " + "  ".join(f"{key:>14}" for key in [*limits, "launches"]))
    for row in rows:
        figures = "  ".join(f"{row[key]:14.4f}" for key in [*limits, "launches"])
        print(f"{row['size']:8} {row['schedule']:8} {row['seconds']:8.3f}  {figures}")


if __name__ == "__main__":
    main()
