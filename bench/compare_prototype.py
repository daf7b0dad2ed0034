#!/usr/bin/env python3
"""Times `grundy compute --output none` against the line-set prototype, in one run on the same work.

The runs of the programs alternate, so that a drift of the machine's speed hits all of them alike;
figures are medians. Peak memory is what the kernel reports for the finished process.

  bench/compare_prototype.py --build build/default --prototype line_sets.cpp [--size 16384]

The prototype is compiled here with the flags its header names. Both report their own time of
computing. The prototype neither sums up nor hands out its table in these runs; grundy also takes
the digest and counts over all cells of the square, except as "values only", which is the same work
as the prototype's: there every value goes to a sink that discards it.
"""
import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from datetime import datetime, timezone


def run(command):
    """Standard output and peak resident memory in bytes of a command that must succeed."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit status {process.returncode}")
        output.seek(0)
        return output.read(), usage.ru_maxrss * 1024


def compile_prototype(source, folder):
    binary = os.path.join(folder, "line_sets")
    subprocess.run(["g++", "-O3", "-march=native", "-std=c++20", source, "-o", binary, "-pthread"],
                   check=True)
    return binary


def time_prototype(binary, size, threads):
    text, memory = run([binary, str(size), "0", str(threads), "0"])
    return float(re.search(r"seconds=([0-9.]+)", text).group(1)), memory


def time_grundy(program, size, threads):
    text, memory = run([program, "compute", "--size", str(size), "--threads", str(threads),
                        "--output", "none", "--json", "--quiet"])
    return json.loads(text)["seconds"], memory


def time_values_only(micro_bench, size):
    text, memory = run([micro_bench, f"--benchmark_filter=^compute_symmetric/{size}$",
                        "--benchmark_min_time=0", "--benchmark_format=json"])
    figures = json.loads(text)["benchmarks"][0]
    assert figures["time_unit"] == "ms"
    return figures["real_time"] / 1000, memory


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        names = [line.split(":")[1].strip() for line in info if line.startswith("model name")]
    return f"{names[0]}, {os.cpu_count()} cores" if names else platform.processor()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="folder of a build with benchmarks")
    parser.add_argument("--prototype", required=True, help="its source, line_sets.cpp")
    parser.add_argument("--size", type=int, default=16384)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", help="write the figures to this file")
    arguments = parser.parse_args()

    program = os.path.join(arguments.build, "grundy")
    micro_bench = os.path.join(arguments.build, "bench", "grundy_micro_bench")
    with tempfile.TemporaryDirectory() as folder:
        binary = compile_prototype(arguments.prototype, folder)
        contestants = {
            "prototype, 1 thread": lambda: time_prototype(binary, arguments.size, 1),
            "grundy, values only": lambda: time_values_only(micro_bench, arguments.size),
            "grundy, 1 thread": lambda: time_grundy(program, arguments.size, 1),
            "prototype, 2 threads": lambda: time_prototype(binary, arguments.size, 2),
            "grundy, 2 threads": lambda: time_grundy(program, arguments.size, 2),
        }
        results = {name: [] for name in contestants}
        for _ in range(arguments.runs):
            for name, measure in contestants.items():
                results[name].append(measure())

    seconds = {name: statistics.median(r[0] for r in runs) for name, runs in results.items()}
    print(f"{arguments.size} x {arguments.size}, classic, medians of {arguments.runs} runs")
    for name, runs in results.items():
        times = [r[0] for r in runs]
        print(f"  {name:<22}{seconds[name]:8.3f} s   (min {min(times):.3f}, max {max(times):.3f})"
              f"   {max(r[1] for r in runs) / 2**20:7.0f} MiB")

    def ratio(a, b):
        """Median over the runs, pair by pair."""
        return statistics.median(x[0] / y[0] for x, y in zip(results[a], results[b]))

    ratios = {
        "prototype/grundy, values only": ratio("prototype, 1 thread", "grundy, values only"),
        "prototype/grundy, 1 thread": ratio("prototype, 1 thread", "grundy, 1 thread"),
        "prototype/grundy, 2 threads": ratio("prototype, 2 threads", "grundy, 2 threads"),
        "grundy, 1 thread/2 threads": ratio("grundy, 1 thread", "grundy, 2 threads"),
    }
    for name, value in ratios.items():
        print(f"  {name:<30}{value:6.2f}")
    if arguments.json:
        record = {
            "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "processor": processor(),
            "size": arguments.size,
            "seconds": {name: [r[0] for r in runs] for name, runs in results.items()},
            "peak_bytes": {name: max(r[1] for r in runs) for name, runs in results.items()},
            "ratios": ratios,
        }
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(record, file, indent=2)
            file.write("\n")


if __name__ == "__main__":
    main()
