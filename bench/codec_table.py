#!/usr/bin/env python3
"""How tables compress, and how fast they are written and read: the figures of docs/storage.md.

usage: bench/codec_table.py [--size N] [--rounds R] [--folder DIR] [--program GRUNDY]

First the program itself, the codecs in turns: end-to-end time and processor time of `compute`, size
of the file, and how fast h5py reads it. Then, on rows 6000 to 8047 of the same table, what other
filters and chunk shapes would give in h5py. That part, and reading zstd, need the package hdf5plugin
(PyPI) beside h5py; without it they are left out.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

try:
    import hdf5plugin
except ImportError:
    hdf5plugin = None

FAST = ["none", "zstd:1", "zstd:3", "deflate:1", "deflate:4"]
SLOW = ["zstd:9", "deflate:6", "deflate:9", "deflate:12"]  # once only


def measured(command):
    """Wall and processor seconds of a command that prints JSON, and the JSON."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, json.loads(out)


def read_rate(path):
    """MB of values per second that h5py reads, by rows of chunks."""
    with h5py.File(path) as file:
        table = file["grundy"]
        start = time.perf_counter()
        for x in range(0, table.shape[0], table.chunks[0]):
            table[x:x + table.chunks[0], :]
        return table.size * table.dtype.itemsize / (time.perf_counter() - start) / 1e6


def program_table(options):
    path = os.path.join(options.folder, "codec.h5")
    base = [options.program, "compute", "--rule", "extended", "--size", str(options.size), "--json"]
    runs = {}
    for round_number in range(options.rounds):
        codecs = ["(no file)"] + FAST + ["deflate:1 --half"] + (SLOW if round_number == 0 else [])
        for codec in codecs:
            if codec == "(no file)":
                wall, cpu, _ = measured(base)
                runs.setdefault(codec, []).append((wall, cpu, 0, None))
                continue
            name, *flags = codec.split()
            wall, cpu, report = measured(base + ["--output", path, "--force", "--compression", name,
                                                 *flags])
            readable = hdf5plugin is not None or not codec.startswith("zstd")
            runs.setdefault(codec, []).append((wall, cpu, report["file_bytes"],
                                               read_rate(path) if readable else None))
            os.remove(path)
            print(codec, f"{wall:.1f} s", file=sys.stderr, flush=True)
    value_bytes = 2 if 2 * options.size - 2 <= 65534 else 4
    plain = value_bytes * options.size ** 2
    compute_cpu = statistics.median(cpu for _, cpu, *_ in runs["(no file)"])
    write_cpu = statistics.median(cpu for _, cpu, *_ in runs["none"])
    print(f"extended, N = {options.size}, {plain / 1e6:.0f} MB of values of {value_bytes} bytes; "
          f"{os.cpu_count()} cores; medians\n")
    print("| compression | ratio | end to end | values written | processor: compute + write + "
          "compress | cores busy | read by h5py |\n| --- | --- | --- | --- | --- | --- | --- |")
    for codec, of_codec in runs.items():
        wall, cpu, size = (statistics.median(run[k] for run in of_codec) for k in range(3))
        reads = [run[3] for run in of_codec if run[3] is not None]
        if codec == "(no file)":
            print(f"| {codec} | | {wall:.1f} s | | {cpu:.1f} s | {cpu / wall:.2f} | |")
            continue
        shares = f"{compute_cpu:.1f} + {max(0, write_cpu - compute_cpu):.1f} + " \
                 f"{max(0, cpu - write_cpu):.1f} s"
        print(f"| {codec} | {plain / size:.2f} | {wall:.1f} s | {plain / wall / 1e6:.0f} MB/s | "
              f"{shares} | {cpu / wall:.2f} | "
              f"{f'{statistics.median(reads):.0f} MB/s' if reads else ''} |")


def other_filters(options):
    if hdf5plugin is None:
        print("\nother filters: left out, hdf5plugin is not installed")
        return
    path = os.path.join(options.folder, "source.h5")
    subprocess.run([options.program, "compute", "--rule", "extended", "--size", str(options.size),
                    "--output", path, "--compression", "none", "--force", "--quiet"], check=True)
    with h5py.File(path) as file:
        rows = file["grundy"][options.size * 3 // 8:options.size * 3 // 8 + 2048, :]
    os.remove(path)
    kinds = {
        "deflate:4, shuffle": dict(shuffle=True, compression="gzip", compression_opts=4),
        "deflate:4, no shuffle": dict(compression="gzip", compression_opts=4),
        "lzf, shuffle": dict(shuffle=True, compression="lzf"),
        "LZ4, shuffle": dict(shuffle=True, **hdf5plugin.LZ4()),
        "Zstandard 3, shuffle": dict(shuffle=True, **hdf5plugin.Zstd(clevel=3)),
        "Zstandard 3, bitshuffle": dict(**hdf5plugin.Bitshuffle(cname="zstd", clevel=3)),
        "LZ4, bitshuffle": dict(**hdf5plugin.Bitshuffle(cname="lz4")),
        "scale-offset": dict(scaleoffset=0),
        "scale-offset, deflate:4": dict(scaleoffset=0, compression="gzip", compression_opts=4),
    }
    shapes = [(512, 512)] * len(kinds) + [(256, 256), (512, 1024), (1024, 1024), (128, 2048), (1, 16384)]
    names = list(kinds) + ["Zstandard 3, shuffle"] * 5
    print(f"\n| filter (h5py, one thread) | chunk | type | ratio | write | read |\n"
          "| --- | --- | --- | --- | --- | --- |")
    for name, chunk in zip(names, shapes):
        for values in (rows, rows.astype("<u4")):
            if values.dtype == "<u4" and not name.startswith(("deflate:4, shuffle", "Zstandard 3, s")):
                continue
            path = os.path.join(options.folder, "other.h5")
            start = time.process_time()
            with h5py.File(path, "w") as file:
                file.create_dataset("t", data=values, chunks=chunk, **kinds[name])
            write = time.process_time() - start
            with h5py.File(path) as file:
                stored = file["t"].id.get_storage_size()
                start = time.process_time()
                same = numpy.array_equal(file["t"][...], values)
                read = time.process_time() - start
            assert same, name
            print(f"| {name} | {chunk[0]} x {chunk[1]} | {values.dtype} | "
                  f"{values.nbytes / stored:.2f} | {values.nbytes / write / 1e6:.0f} MB/s | "
                  f"{values.nbytes / read / 1e6:.0f} MB/s |", flush=True)
            os.remove(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=16384)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder")
    parser.add_argument("--program", default="build/default/grundy")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="grundy-codecs-", dir=options.folder) as folder:
        options.folder = folder
        program_table(options)
        other_filters(options)


if __name__ == "__main__":
    main()
