#!/usr/bin/env python3
"""Times the CUDA engine in both schedules, with the prediction of gpu_model.py beside each figure.

  bench/gpu_bench.py --out results.json [--program build/cuda/grundy] [--sizes 16384,65536,262144]

Each figure is a median of runs that alternate between the schedules. The digests of all runs of a
size must agree, with the CPU's too up to N = 65536; a mismatch fails the run. The file is
written after every size, so that a run that is cut short leaves what it has.
"""
import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timezone

import gpu_model

CPU_LIMIT = 65536  # beyond, the CPU takes minutes


def grundy(program, *args):
    result = subprocess.run([program, *args, "--json"], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(args)}: {result.stderr.strip()}")
    return json.loads(result.stdout)


def card_of(device):
    """An H200's figures, with the number of multiprocessors of the card that is here."""
    return argparse.Namespace(multiprocessors=device["multiprocessors"], clock=1.8e9,
                              l2_latency=250, bandwidth=4.8e12)


def measure(program, size, runs):
    """Seconds of each run by schedule, and the digest that all runs agree on."""
    seconds = {name: [] for name in gpu_model.SCHEDULES}
    digests = set()
    for run in range(runs + 1):
        for schedule, times in seconds.items():
            result = grundy(program, "compute", "--engine", "cuda", "--schedule", schedule,
                            "--size", str(size))
            digests.add(result["digest"])
            if run > 0:  # the first one warms up
                times.append(result["seconds"])
    if len(digests) != 1:
        sys.exit(f"N = {size}: the digests differ: {digests}")
    return seconds, digests.pop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--program", default="build/cuda/grundy")
    parser.add_argument("--out", required=True)
    parser.add_argument("--sizes", default="16384,65536,262144")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    device = next(d for d in grundy(options.program, "devices")["devices"] if d["usable"])
    results = {"date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
               "device": device, "host": platform.processor() or platform.machine(),
               "cores": os.cpu_count(), "tables": []}

    def keep(entry):
        results["tables"].append(entry)
        with open(options.out, "w", encoding="utf-8") as out:
            json.dump(results, out, indent=1)
            out.write("\n")

    sizes = sorted(map(int, options.sizes.split(",")))
    for size in sizes:
        if size > device["largest_table"]:
            print(f"N = {size}: left out, the largest table here is {device['largest_table']}")
            continue
        began = time.monotonic()
        seconds, digest = measure(options.program, size, options.runs)
        entry = {"size": size, "digest": digest, "schedules": {}}
        for name, times in seconds.items():
            predicted, _, _ = gpu_model.predict(card_of(device), gpu_model.SCHEDULES[name], size)
            median = statistics.median(times)
            entry["schedules"][name] = {"median_seconds": median, "seconds": times,
                                        "predicted_seconds": predicted}
            print(f"N = {size} {name}: {median:.4f} s, predicted {predicted:.4f} s, "
                  f"{size * size / median / 1e9:.2f} thousand million cells/s")
        if size <= CPU_LIMIT:
            cpu = grundy(options.program, "compute", "--engine", "cpu", "--size", str(size))
            if cpu["digest"] != digest:
                sys.exit(f"N = {size}: the CPU's digest is {cpu['digest']}, not {digest}")
            entry["cpu_seconds"] = cpu["seconds"]
            print(f"N = {size}: {cpu['seconds']:.3f} s on the CPU, the same digest")
        if size == sizes[0]:
            with tempfile.TemporaryDirectory() as folder:
                stored = grundy(options.program, "compute", "--engine", "cuda", "--size", str(size),
                                "--compression", "none", "--output",
                                os.path.join(folder, "table.h5"))
            entry["to_file_seconds"] = stored["seconds"]
            print(f"N = {size}: {stored['seconds']:.3f} s with an uncompressed file")
        print(f"N = {size}: {time.monotonic() - began:.0f} s in all")
        keep(entry)


main()
