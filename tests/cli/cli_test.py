#!/usr/bin/python3
"""The program from outside: exit statuses, messages, JSON, files, signals, full disks.

GRUNDY_PROGRAM names the program. Reading files back needs h5py and numpy (Debian: python3-h5py)
and h5dump (hdf5-tools); without them those tests are skipped.
"""

import collections
import errno
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

try:
    import h5py
    import numpy
except ImportError:
    h5py = None

PROGRAM = os.path.abspath(os.environ.get("GRUNDY_PROGRAM", "grundy"))
TIMEOUT_S = 120  # turns a hang into a failure; nothing here should take a tenth of it

DONE, CHECK_FAILED, WRONG_USAGE, INPUT_OUTPUT, DEVICE = range(5)
STATUSES = (DONE, CHECK_FAILED, WRONG_USAGE, INPUT_OUTPUT, DEVICE)

# A table that takes minutes to compute, and so is certainly interrupted.
LONG_RUN = ["compute", "--size", "40000", "--engine", "cpu"]

LEFT_BY_A_RUN = [b"table.h5.partial", b"table.h5.partial.checkpoint"]  # that was to write table.h5

COMPUTE_KEYS = ["rule", "rows", "cols", "engine", "seconds", "cells", "cells_per_second",
                "max_value", "zeros", "ones", "digest", "output"]
EQUIVALENCE_KEYS = ["limit", "exceptions", "threshold", "holds"]

# Digest, zeros, ones, sum and largest value of full tables, from row-by-row code that shares
# nothing with this project (it uses no symmetry); the same facts as in support/reference_data.hpp.
KNOWN_TABLES = {
    ("classic", 100): ("1b0755a0c86efd38", 77, 77, 621004, 149),
    ("classic", 1000): ("cbae4acccae44863", 763, 765, 623349351, 1521),
    ("extended", 100): ("124121d9e9bafcf6", 78, 77, 617398, 151),
    ("extended", 1000): ("8a0007ec7104cd4e", 766, 763, 623955795, 1509),
    ("triangle:3", 1000): ("c2f20cc6daba09c3", 770, 763, 623295493, 1515),
}

needs_h5py = unittest.skipUnless(h5py, "h5py and numpy are not installed")
Result = collections.namedtuple("Result", "status out err")


def limit(what, value):
    return lambda: resource.setrlimit(what, (value, value))


class CliTestCase(unittest.TestCase):
    """Each test in a folder of its own, which is the program's working folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="grundy-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def files(self):
        return sorted(os.listdir(os.fsencode(self.folder)))

    def content(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)

    def start(self, *args, **options):
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        process = subprocess.Popen([PROGRAM, *args], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   **options)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def finish(self, process, timeout=TIMEOUT_S):
        out, err = process.communicate(timeout=timeout)
        return Result(process.returncode, (out or b"").decode(), (err or b"").decode())

    def run_grundy(self, *args, timeout=TIMEOUT_S, **options):
        return self.finish(self.start(*args, **options), timeout)

    def check_message(self, result, part=""):
        """One line on standard error that begins with the program's name."""
        self.assertRegex(result.err, r"\Agrundy: [^\n]+\n\Z")
        self.assertIn(part, result.err)
        self.assertNotIn("internal error", result.err)
        self.assertLess(len(result.err), 500)

    def assert_done(self, *args, **options):
        result = self.run_grundy(*args, **options)
        self.assertEqual((result.status, result.err), (DONE, ""), args)
        return result

    def assert_fails(self, status, args, part="", **options):
        result = self.run_grundy(*args, **options)
        self.assertEqual(result.status, status, (args, result))
        self.assertEqual(result.out, "", args)
        self.check_message(result, part)
        return result

    def compute(self, name, *args):
        self.assert_done("compute", "--quiet", "--output", name, *args)

    def start_long_run(self, output, *args, **options):
        """Returns once part of the table is in the partial file."""
        partial = self.path(output + ".partial")
        self.assertFalse(os.path.exists(partial))
        process = self.start(*LONG_RUN, "--output", output, *args, **options)
        deadline = time.monotonic() + TIMEOUT_S
        while not os.path.exists(partial) or os.path.getsize(partial) < 100_000:
            self.assertIsNone(process.poll(), "the run ended early")
            self.assertLess(time.monotonic(), deadline, "nothing is written")
            time.sleep(0.01)
        return process


class WrongUsage(CliTestCase):
    def tearDown(self):
        self.assertEqual(self.files(), [], "wrong usage leaves no file")

    def refuse(self, part, *args):
        with self.subTest(args=args):
            self.assert_fails(WRONG_USAGE, args, part)

    def test_sizes_that_are_no_sizes(self):
        for size, part in [("0", "0 x 0"), ("-1", "'-1'"), ("1e3", "'1e3'"), ("1.0", "'1.0'"),
                           ("+5", "'+5'"), (" 5", "' 5'"), ("0x10", "'0x10'"), ("many", "'many'"),
                           ("2147483649", "2147483649"), ("4294967296", "too large"),
                           ("18446744073709551615", "18446744073709551615"),
                           ("18446744073709551616", "18446744073709551616"),
                           ("99999999999999999999", "99999999999999999999")]:
            self.refuse(part, "compute", "--size", size)
            self.refuse(part, "compute", "--size=" + size, "--output", "table.h5")
            self.refuse(part, "equivalence", "--size", size)
        self.refuse("0 x 7", "compute", "--rows", "0", "--cols", "7")
        self.refuse("7 x 0", "compute", "--rows", "7", "--cols", "0")
        self.refuse("4294967296", "compute", "--rows", "4294967295", "--cols", "2")
        self.refuse("'x'", "compute", "--rows", "x", "--cols", "2")

    def test_missing_and_contradicting_sizes(self):
        self.refuse("--size", "compute")
        self.refuse("--size", "compute", "--size", "")
        self.refuse("--cols", "compute", "--rows", "5")
        self.refuse("--rows", "compute", "--cols", "5")
        self.refuse("--rows", "compute", "--size", "5", "--rows", "5")
        self.refuse("--rows", "compute", "--size", "5", "--rows", "5", "--cols", "5")
        self.refuse("--size", "compute", "--size", "5", "--size", "6")
        self.refuse("--size", "compute", "--size")
        self.refuse("--size", "equivalence")

    def test_malformed_rules(self):
        for rule, part in [("", "''"), ("wythoff", "'wythoff'"), ("Classic", "'Classic'"),
                           ("classic ", "'classic '"), ("triangle", "'triangle'"),
                           ("triangle:", "''"), ("triangle:-1", "'-1'"), ("triangle:x", "'x'"),
                           ("triangle:1048577", "1048577"),
                           ("triangle:99999999999999999999", "99999999999999999999"),
                           ("cells:", "''"), ("cells:1", "'1'"), ("cells:1,", "''"),
                           ("cells:,1", "''"), ("cells:1,1;", "''"), ("cells:1,1,1", "'1,1'"),
                           ("cells:1,1;1,1", "1,1 is named twice"), ("cells:-1,0", "'-1'"),
                           ("cells:1, 2", "' 2'"), ("cells:4294967296,0", "4294967296"),
                           ("cells:99999999999999999999,0", "99999999999999999999"),
                           ("cells:" + ";".join(f"{i},0" for i in range(5000)), "4096")]:
            self.refuse(part, "compute", "--size", "5", "--rule", rule)
            self.refuse(part, "equivalence", "--size", "5", "--rule", rule)

    def test_long_and_odd_text_stays_one_short_line(self):
        for text in ["x" * 5000, "two\nlines", "\x1b[31mred", "ж" * 100]:
            self.refuse("", "compute", "--size", "5", "--rule", text)
            self.refuse("", "compute", "--size", "5", "--rule", "cells:" + text)
            self.refuse("", "compute", "--size", text)
            self.refuse("", "compute", "--size", "5", "--engine", text)
            self.refuse("", "compute", "--size", "5", "--compression", text)
            self.refuse("", "compute", "--size", "5", "--" + text)
            self.refuse("", text)

    def test_threads_engines_and_compressions(self):
        for threads in ["0", "-1", "two", "1025", "99999999999999999999", ""]:
            self.refuse("--threads", "compute", "--size", "5", "--threads", threads)
            self.refuse("--threads", "verify", "table.h5", "--threads", threads)
        for engine in ["gpu", "", "CPU", "bitsets"]:
            self.refuse("'" + engine + "'", "compute", "--size", "5", "--engine", engine)
        for schedule in ["", "wave", "Bands", "waves,bands"]:
            self.refuse("'" + schedule + "'", "compute", "--size", "5", "--schedule", schedule)
        for device in ["-1", "one", "1024", "99999999999999999999", ""]:
            self.refuse("--device", "compute", "--size", "5", "--device", device)
        for compression in ["", "gzip", "deflate:", "deflate:0", "deflate:13", "deflate:-1",
                            "none:1", "deflate:99999999999999999999"]:
            self.refuse("compression", "compute", "--size", "5", "--compression", compression,
                        "--output", "table.h5")

    def test_benchmarks_that_cannot_be_meant(self):
        for option, text, part in [
                ("--sizes", "", "--sizes"), ("--sizes", "64,", "'64,'"), ("--sizes", "64,-1", "'-1'"),
                ("--sizes", "64,64", "64 is there twice"), ("--sizes", "0", "0 x 0"),
                ("--engines", "cpu,gpu", "'gpu'"), ("--engines", "cpu:0", "cpu:0"),
                ("--engines", "cpu:x", "'x'"), ("--engines", "cpu:1,cpu", "cpu:1"),
                ("--engines", "cuda:slow", "'cuda:slow'"), ("--figures", "compute,speed", "'speed'"),
                ("--repeats", "0", "--repeats"), ("--repeats", "many", "'many'"),
                ("--budget", "-1", "'-1'"), ("--longest", "1.5", "'1.5'"),
                ("--compression", "zip", "compression"), ("--rule", "nim", "'nim'"),
                ("--plot", "", "--plot"), ("--output", "", "--output"),
                ("--engines", "cpu@", "''"), ("--engines", "cpu@many", "'many'"),
                ("--figures", "compute,compute@5", "twice"), ("--figures", "file@-1", "'-1'")]:
            self.refuse(part, "bench", option, text)
        self.refuse("classic is there twice", "bench", "--rule", "classic", "--rule", "triangle:0")
        self.refuse("--plot", "bench", "--sizes", "10", "--force")
        self.refuse("the same file", "bench", "--output", "x", "--plot", "x")

    def test_coordinates_and_limits_that_are_too_large_or_none(self):
        for number in ["-1", "x", "", "1.5", "18446744073709551616", "1" + "0" * 30]:
            part = "large; at most 2^6" if number.isdigit() else "'" + number + "'"
            self.refuse(part, "query", "--rule", "extended", "--", number, "5")
            self.refuse(part, "query", "--misere", "--", "5", number)
            self.refuse(part, "query", "1", "2", "--heap", number)
            self.refuse(part, "levels", "--limit", number)
            self.refuse(part, "equivalence", "--limit", number)
        for number in [2**62, 2**62 + 1, 2**63, 2**64 - 1]:
            self.refuse("2^62", "query", str(number), "5")
            self.refuse("2^62", "query", "5", str(number), "--rule", "extended", "--misere")
            self.refuse("2^62", "query", str(number), str(number), "--rule", "triangle:7")
            self.refuse("2^62", "equivalence", "--limit", str(number))
            self.refuse("2^62", "levels", "--limit", str(number))
        self.refuse("'-1'", "query", "-1", "5")
        self.refuse("limit of 0", "levels", "--limit", "0")
        self.refuse("limit of 0", "equivalence", "--limit", "0")

    def test_values_that_are_no_range(self):
        for values, part in [("64", "at most 63"), ("0-64", "at most 63"), ("3-2", "3-2"),
                             ("-1", "'-1'"), ("1-", "''"), ("-", "'-'"), ("a-b", "'a'"), ("", "''"),
                             ("1-2-3", "'2-3'"), ("0-18446744073709551616", "too large")]:
            self.refuse(part, "levels", "--limit", "10", "--values", values)
        self.refuse("--limit", "levels")
        self.refuse("--output", "levels", "--limit", "10", "--force")

    def test_questions_without_an_answer(self):
        self.refuse("misere", "query", "5", "5", "--misere", "--heap", "2")
        self.refuse("--table", "query", "5", "1000000000000", "--rule", "triangle:4")
        self.refuse("63 stones", "query", "9000", "9000", "--heap", "64")
        self.refuse("Y", "query", "5")
        self.refuse("7", "query", "5", "6", "7")
        self.refuse("--progress", "query", "5", "6", "--progress")
        with tempfile.TemporaryDirectory(prefix="grundy-cli-") as folder:
            table = os.path.join(folder, "t.h5")
            self.compute(table, "--size", "10", "--rule", "extended")
            self.refuse("t.h5: (10,3) lies outside the table of 10 x 10", "query", "10", "3",
                        "--table", table)
            self.refuse("table of extended", "query", "3", "3", "--table", table, "--rule",
                        "classic")
            self.refuse("misere", "query", "3", "3", "--table", table, "--misere")

    def test_unknown_commands_options_and_arguments(self):
        self.refuse("subcommand")
        self.refuse("", "draw")
        self.refuse("--colour", "compute", "--size", "5", "--colour")
        self.refuse("", "--size", "5")
        self.refuse("seven", "compute", "--size", "5", "seven")
        self.refuse("", "compute", "--size", "5", "info", "table.h5")
        for command in ["info", "verify"]:
            self.refuse("FILE", command)
            self.refuse("two.h5", command, "one.h5", "two.h5")
        self.refuse("--tables", "equivalence", "--tables", "one.h5")
        self.refuse("--tables", "equivalence", "--size", "5", "--tables", "one.h5", "two.h5")
        for options in [["--engine", "cpu"], ["--threads", "2"], ["--device", "0"],
                        ["--schedule", "waves"]]:
            for sources in [["--limit", "100"], ["--tables", "one.h5", "two.h5"]]:
                self.refuse(options[0] + " is for --size", "equivalence", *sources, *options)
        for command in ["compute", "verify", "equivalence"]:
            self.refuse("--nothing", command, "table.h5", "--nothing")

    def test_tables_that_cannot_be_compared(self):
        with tempfile.TemporaryDirectory(prefix="grundy-cli-") as folder:
            small, large, extended = (os.path.join(folder, name) for name in "slx")
            self.compute(small, "--size", "10")
            self.compute(large, "--rows", "10", "--cols", "11")
            self.compute(extended, "--size", "10", "--rule", "extended")
            self.refuse("classic", "equivalence", "--tables", small, extended)
            self.refuse("10 x 11", "equivalence", "--tables", extended, large)
            self.refuse("table of extended, not of triangle:3", "equivalence", "--rule",
                        "triangle:3", "--tables", extended, small)


class Reports(CliTestCase):
    """What goes to standard output and standard error."""

    def json(self, *args, status=DONE, **options):
        result = self.run_grundy(*args, "--json", **options)
        self.assertEqual((result.status, result.err), (status, ""))
        self.assertTrue(result.out.endswith("}\n"))
        return json.loads(result.out)  # fails if anything else is there

    def test_compute_reports_the_known_tables(self):
        for (rule, size), (digest, zeros, ones, _, largest) in KNOWN_TABLES.items():
            report = self.json("compute", "--rule", rule, "--size", str(size))
            self.assertEqual(list(report), COMPUTE_KEYS)
            expected = {"rule": rule, "rows": size, "cols": size, "cells": size * size,
                        "max_value": largest, "zeros": zeros, "ones": ones, "digest": digest,
                        "output": "none"}
            self.assertEqual({key: report[key] for key in expected}, expected)
            self.assertGreater(report["seconds"], 0)
            self.assertAlmostEqual(report["cells_per_second"] * report["seconds"], size * size, 0)

    def test_compute_to_a_file_names_it(self):
        report = self.json("compute", "--rows", "7", "--cols", "30", "--output", "table.h5")
        self.assertEqual(list(report), COMPUTE_KEYS + ["file_bytes", "half", "resumed"])
        self.assertEqual((report["rows"], report["cols"], report["output"]), (7, 30, "table.h5"))
        self.assertEqual(report["file_bytes"], os.path.getsize(self.path("table.h5")))
        self.assertEqual(self.files(), [b"table.h5"])

    def test_engines_and_threads_agree(self):
        digests = set()
        for how in [["--engine", "reference"], ["--engine", "cpu"], ["--engine", "auto"],
                    ["--threads", "1"], ["--threads", "5"]]:
            report = self.json("compute", "--rows", "150", "--cols", "70", "--rule",
                               "cells:0,1;3,2;5,5", *how)
            self.assertIn(report["engine"], ["reference", "cpu", "cuda"])
            self.assertEqual(report["rule"], "cells:0,0;0,1;3,2;5,5")
            digests.add(report["digest"])
        self.assertEqual(len(digests), 1)

    def test_bench_compares_engines_on_the_known_tables(self):
        result = self.json("bench", "--sizes", "100,1000", "--rule", "classic", "--rule", "extended",
                           "--engines", "bitset,cpu:1,cpu:3,cuda:bands", "--repeats", "2",
                           "--budget", "20")
        figures = {}
        for one in result["measurements"]:
            figures[one["rule"], one["size"], one["engine"], one["figure"]] = one
            digest = KNOWN_TABLES[one["rule"], one["size"]][0]
            self.assertEqual((one["digest"], len(one["seconds"])), (digest, 2))
            self.assertEqual(one["cells"], one["size"] ** 2)
            self.assertAlmostEqual(one["cells_per_second"] * one["median_seconds"], one["cells"], 3)
            self.assertGreater(one["share_of_copy_bandwidth"], 0)
            self.assertGreater(one["share_of_critical_path"], 0)
            self.assertGreaterEqual(one["peak_bytes"], one["base_bytes"])
            others = {"bitset", "cpu:1", "cpu:3"} - {one["engine"]}
            self.assertEqual(set(one["speedup_over"]), others)
        self.assertEqual(len(figures), 2 * 2 * 3 * 3)
        for (rule, size, engine, figure), one in figures.items():
            for other, ratio in one["speedup_over"].items():
                seconds = figures[rule, size, other, figure]["median_seconds"]
                self.assertAlmostEqual(ratio, seconds / one["median_seconds"])
            self.assertEqual("file_bytes" in one, figure == "file")
        self.assertEqual(len(result["growth"]), 2 * 3 * 3)
        self.assertEqual([one["engine"] for one in result["left_out"]], ["cuda:bands"])
        self.assertEqual((result["agree"], result["mismatches"]), (True, []))
        for key in ("host", "processor", "cores", "compiler", "gpu_driver"):
            self.assertIn(key, result["machine"])
        self.assertEqual(self.files(), [])

    def test_bench_leaves_out_what_takes_too_long(self):
        result = self.json("bench", "--sizes", "100,20000", "--engines", "reference", "--figures",
                           "compute", "--repeats", "1", "--longest", "5")
        self.assertEqual([one["size"] for one in result["measurements"]], [100])
        self.assertEqual([one["size"] for one in result["left_out"]], [20000])
        self.assertIn("--longest", result["left_out"][0]["reason"])

    def test_bench_draws_a_picture(self):
        args = ["bench", "--sizes", "50,100", "--engines", "bitset,cpu", "--repeats", "1",
                "--figures", "compute,file@49", "--output", "bench.json", "--plot", "bench.png"]
        text = self.assert_done(*args).out
        for part in ("classic, 100 x 100, digest 1b0755a0c86efd38", "times as fast as", "N^",
                     "figures in bench.json", "picture in bench.png"):
            self.assertIn(part, text)
        self.assertTrue(self.content("bench.png").startswith(b"\x89PNG\r\n"))
        figures = json.loads(self.content("bench.json"))["measurements"]
        self.assertEqual({one["figure"] for one in figures}, {"compute"})
        self.assert_fails(INPUT_OUTPUT, args, "bench.png exists")
        self.assert_done(*args, "--force", "--quiet")
        self.assertEqual(self.files(), [b"bench.json", b"bench.png"])
        args = args[:-4] + ["--plot", "other.png"]
        self.assert_fails(INPUT_OUTPUT, [*args[:-1], "missing/bench.png"], "missing/bench.png")
        self.assert_fails(INPUT_OUTPUT, [*args[:-2], "--folder", "missing"], "missing")

    def test_equivalence_finds_the_ten_exceptions(self):
        report = self.json("equivalence", "--rule", "extended", "--size", "100")
        self.assertEqual([key for key in report if key in EQUIVALENCE_KEYS], EQUIVALENCE_KEYS)
        self.assertEqual(report["exceptions"], [[0, 0], [0, 3], [3, 0], [3, 5], [4, 4], [4, 7],
                                                [5, 3], [5, 7], [7, 4], [7, 5]])
        self.assertEqual((report["limit"], report["threshold"], report["holds"]), (100, 8, True))

    def test_equivalence_that_does_not_hold_is_a_failed_check(self):
        report = self.json("equivalence", "--rule", "triangle:4", "--size", "600",
                           status=CHECK_FAILED)
        self.assertFalse(report["holds"])
        self.assertGreater(report["threshold"], 300)
        self.assertEqual(max(report["last_exception"]) + 1, report["threshold"])
        for bound in ["--size", "--limit"]:
            result = self.run_grundy("equivalence", "--rule", "triangle:4", bound, "600")
            self.assertEqual(result.status, CHECK_FAILED)
            for name in ["G = 1", "misere P"]:
                self.assertIn("no equivalence seen of %s and classic P: the last exception is (%d,%d)"
                              % (name, *report["last_exception"]), result.out)
            self.assertIn("none where x >= %d" % report["threshold"], result.out)

    def test_equivalence_of_stored_tables(self):
        self.compute("extended.h5", "--rule", "extended", "--size", "100")
        self.compute("classic.h5", "--size", "100")
        stored = self.json("equivalence", "--tables", "extended.h5", "classic.h5")
        computed = self.json("equivalence", "--size", "100")
        named = self.json("equivalence", "--rule", "triangle:2", "--tables", "extended.h5",
                          "classic.h5")
        for report in [stored, computed, named]:
            del report["seconds"]
        self.assertEqual(stored, computed)
        self.assertEqual(stored, named)
        lines = self.assert_done("equivalence", "--tables", "extended.h5", "classic.h5").out
        self.assertIn("\nG = 1 and classic P from tables, misere P from level sets of extended\n",
                      lines)
        self.assertIn("\nby definition, level sets of extended, x, y < 100: ", lines)

    @needs_h5py
    def test_a_wrong_classic_table_is_a_failed_check(self):
        self.compute("extended.h5", "--rule", "extended", "--size", "60")
        self.compute("classic.h5", "--size", "60")
        args = ["equivalence", "--tables", "extended.h5", "classic.h5"]
        for cell, value in [((21, 34), 5), ((6, 17), 0)]:  # one zero less, then one more
            with h5py.File(self.path("classic.h5"), "r+") as file:
                file["grundy"][cell] = value
            report = self.json(*args, status=CHECK_FAILED)
            self.assertIs(report["classic_closed_form"], False)
            self.assertEqual(report["classic_mistake"], list(cell))
            self.assertEqual(report["exception_count"], 10)
            result = self.run_grundy(*args)
            self.assertEqual((result.status, result.err), (CHECK_FAILED, ""))
            self.assertIn("NOT those of the closed form: first at (%d,%d)\n" % cell, result.out)

    def test_equivalence_without_tables_is_that_of_tables(self):
        for rule in ["extended", "triangle:4", "cells:0,1;2,2", "classic"]:
            status = DONE if rule == "extended" else CHECK_FAILED
            for size in ["1", "30", "600"] if rule == "triangle:4" else ["600"]:
                if size == "1":
                    status = CHECK_FAILED
                dense = self.json("equivalence", "--rule", rule, "--size", size,
                                  status=CHECK_FAILED if rule != "extended" else DONE)
                sparse = self.json("equivalence", "--rule", rule, "--limit", size, status=status)
                for key in EQUIVALENCE_KEYS + ["rule", "ones", "classic_p_positions", "misere", "nim_sum",
                                               "misere_by_definition", "exception_count"]:
                    self.assertEqual(dense[key], sparse[key], (rule, size, key))
                self.assertEqual(sparse["exception_count"], len(sparse["exceptions"]))
                self.assertIs(sparse["classic_closed_form"], True)
                self.assertIs(sparse["misere_by_definition"]["holds"], True)
                self.assertIs(sparse["nim_sum"]["holds"], True)
        report = self.json("equivalence", "--limit", "100000")
        self.assertEqual(report["misere"]["exceptions"], report["exceptions"])
        self.assertEqual(report["misere"]["threshold"], 8)
        self.assertIs(report["zeros_closed_form"], True)

    def test_queries(self):
        for args, outcome, moves, grundy in [
                (["4", "6"], "N", [[3, 5]], 9), (["4", "7"], "P", [], 0),
                (["7", "4"], "P", [], 0), (["0", "0"], "P", [], 0),
                (["1", "1", "--rule", "extended"], "P", [], 0),
                (["1", "1", "--rule", "extended", "--misere"], "N", [], None),
                (["4", "4", "--rule", "extended", "--misere"], "P", [], None),
                (["4", "4", "--rule", "extended", "--heap", "1"], "P", [], 1),
                (["4", "7", "--heap", "2"], "N", [[2, 0, 2], [4, 3, 2], [4, 7, 0]], 0),
                (["6765", "10946", "--rule", "classic"], "P", [], 0),
                (["0", str(2**62 - 1)], "N", [[0, 0]], None)]:
            report = self.json("query", *args)
            self.assertEqual((report["outcome"], report.get("grundy")), (outcome, grundy), args)
            if "--heap" in args and outcome == "N":
                self.assertIn([4, 7, 0], report["winning_moves"])
                self.assertEqual({move[2] for move in report["winning_moves"]}, {0, 2})
            else:
                self.assertEqual(report["winning_moves"], moves, args)
            self.assertTrue(report["why"])

    def test_queries_of_thin_positions_take_little_memory(self):
        far = str(2**24 - 2)
        for rule in ["extended", "classic", "triangle:4", "cells:0,1"]:
            for args in [["0", far], [far, "0"], ["63", "262142"]]:
                report = self.json("query", *args, "--rule", rule,
                                   preexec_fn=limit(resource.RLIMIT_AS, 600 << 20))
                self.assertEqual(report["outcome"], "N", (rule, args))
                self.assertTrue(report["winning_moves"])
                self.assertNotIn("grundy", report)

    def test_a_query_says_what_its_value_rests_on(self):
        report = self.json("query", "4", "6")
        self.assertEqual((report["source"], report["grundy_source"]),
                         ("by closed form", "by a table computed up to the position"))
        report = self.json("query", "4", "7")
        self.assertEqual((report["source"], report["grundy_source"]),
                         ("by closed form", "by closed form"))
        self.assertIn("\nGrundy value 9, by a table computed up to the position\n",
                      self.assert_done("query", "4", "6").out)
        self.assertIn("\nGrundy value 0\n", self.assert_done("query", "4", "7").out)

    def test_query_of_a_stored_table(self):
        self.compute("t.h5", "--size", "300", "--rule", "triangle:4")
        for x, y in [(0, 0), (299, 299), (100, 161), (17, 250)]:
            stored = self.json("query", str(x), str(y), "--table", "t.h5")
            computed = self.json("query", str(x), str(y), "--rule", "triangle:4")
            for key in ["rule", "outcome", "winning_moves", "grundy", "why"]:
                self.assertEqual(stored[key], computed[key])

    def test_levels_are_those_of_the_stored_table(self):
        lines = self.assert_done("levels", "--rule", "extended", "--limit", "9").out.splitlines()
        self.assertEqual(sorted(line[:3] for line in lines if line.endswith(" 1")),
                         ["0 3", "1 2", "2 1", "3 0", "4 4", "5 7", "7 5"])
        self.assertEqual(self.assert_done("levels", "--limit", "9", "--quiet").out, "")
        report = self.json("levels", "--values", "3", "--limit", "1000")
        self.assertEqual(list(report["positions"]), ["3"])
        if not h5py:
            return
        for rule in ["extended", "cells:0,1;5,2"]:
            self.compute("t.h5", "--force", "--size", "200", "--rule", rule)
            report = self.json("levels", "--rule", rule, "--values", "1-6", "--limit", "200",
                               "--output", "l.h5", "--force")
            with h5py.File(self.path("t.h5")) as table, h5py.File(self.path("l.h5")) as levels:
                cells = table["grundy"][:]
                listed = set(zip(levels["x"][:], levels["y"][:], levels["value"][:]))
                expected = {(x, y, cells[x, y]) for x in range(200) for y in range(200)
                            if 1 <= cells[x, y] <= 6}
                self.assertEqual(listed, expected)
                self.assertEqual(len(levels["x"]), len(expected))
                self.assertEqual(levels.attrs["positions"], len(expected))
                self.assertEqual(sum(report["positions"].values()), len(expected))

    def test_verify_and_info_report_the_file(self):
        self.compute("table.h5", "--rule", "extended", "--size", "100")
        report = self.json("verify", "table.h5")
        self.assertEqual(list(report),
                         ["file", "rule", "rows", "cols", "seconds", "checks", "passed"])
        self.assertEqual([check["name"] for check in report["checks"]],
                         ["complete", "checksums", "mex", "symmetry", "closed form", "ones", "misere",
                          "lemma 8", "lemma 12", "small sets", "digest", "histogram", "counts"])
        self.assertEqual({check["status"] for check in report["checks"]}, {"passed"})
        self.assertIs(report["passed"], True)
        info = self.json("info", "table.h5")
        digest, zeros, ones, _, largest = KNOWN_TABLES["extended", 100]
        expected = {"file": "table.h5", "format_version": 2, "rule": "extended", "play": "normal",
                    "rows": 100, "cols": 100, "complete": True, "value_bytes": 2,
                    "chunk": [100, 100], "compression": "deflate:1", "max_value": largest,
                    "zeros": zeros, "ones": ones, "digest": digest,
                    "file_bytes": os.path.getsize(self.path("table.h5"))}
        self.assertEqual({key: info.get(key) for key in expected}, expected)
        self.assertEqual((info["first"], info["stored_rows"], info["stored_cols"], info["storage"]),
                         ([0, 0], 100, 100, "full"))
        self.assertEqual((info["chunks"], info["stored_chunks"]), (1, 1))
        self.assertEqual(round(info["ratio"] * info["stored_bytes"]), 20_000)

    def test_verify_with_any_number_of_threads(self):
        self.compute("table.h5", "--rule", "classic", "--size", "700")
        reports = []
        for threads in ["1", "2", "7"]:
            report = self.json("verify", "table.h5", "--threads", threads)
            self.assertIs(report["passed"], True)
            del report["seconds"]
            reports.append(report)
        self.assertEqual(reports, reports[:1] * 3)

    @needs_h5py
    def test_windows_and_halves_are_described_and_verified(self):
        self.compute("full.h5", "--rule", "extended", "--size", "300")
        with h5py.File(self.path("full.h5")) as file:
            cells, attributes = file["grundy"][...], dict(file["grundy"].attrs)

        def digest(x0, x1, y0, y1):
            total = 0
            mask = 2**64 - 1

            def mix(z):
                z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & mask
                z = (z ^ z >> 27) * 0x94d049bb133111eb & mask
                return z ^ z >> 31

            for x in range(x0, x1):
                for y in range(y0, y1):
                    total += mix(mix(x + (y << 32)) + int(cells[x, y]))
            return f"{total & mask:016x}"

        def write(name, x0, y0, values, stored, storage, chunks):
            with h5py.File(self.path(name), "w", libver="v110") as file:
                table = file.create_dataset("grundy", stored.shape, "<u2", chunks=(chunks, chunks),
                                            fletcher32=True, fillvalue=65535)
                for x in range(0, stored.shape[0], chunks):
                    for y in range(0, stored.shape[1], chunks):
                        if (stored[x:x + chunks, y:y + chunks] != 65535).any():
                            table[x:x + chunks, y:y + chunks] = stored[x:x + chunks, y:y + chunks]
                for key, value in attributes.items():
                    table.attrs[key] = value
                table.attrs["first_x"], table.attrs["first_y"] = numpy.uint64(x0), numpy.uint64(y0)
                table.attrs["storage"] = numpy.bytes_(storage)
                counts = numpy.bincount(values.ravel()).astype("<u8")
                file["histogram"] = counts
                table.attrs["max_value"] = numpy.uint64(len(counts) - 1)
                table.attrs["zeros"], table.attrs["ones"] = counts[0], counts[1]
                table.attrs["digest"] = numpy.bytes_(
                    digest(x0, x0 + values.shape[0], y0, y0 + values.shape[1]))

        window = cells[100:180, 40:200]
        write("window.h5", 100, 40, window, window, "full", 50)
        half = cells.copy()
        half[numpy.tril_indices(300, -1)] = 65535
        write("half.h5", 0, 0, cells, half, "half", 50)
        for name in ["window.h5", "half.h5"]:
            self.assertIn("a correct table", self.assert_done("verify", name).out)
        info = self.json("info", "window.h5")
        self.assertEqual((info["rows"], info["cols"], info["first"]), (180, 200, [100, 40]))
        self.assertEqual((info["stored_rows"], info["stored_cols"]), (80, 160))
        self.assertEqual((info["chunks"], info["stored_chunks"]), (8, 8))
        self.assertIn("100 <= x < 180, 40 <= y < 200", self.assert_done("info", "window.h5").out)
        info = self.json("info", "half.h5")
        self.assertEqual((info["storage"], info["chunks"], info["stored_chunks"]), ("half", 21, 21))
        self.assertIn("of which y >= x is stored", self.assert_done("info", "half.h5").out)
        with h5py.File(self.path("half.h5"), "r+") as file:
            file["grundy"][17, 40] += 1
        result = self.run_grundy("verify", "half.h5")
        self.assertEqual((result.status, result.err), (CHECK_FAILED, ""))
        self.assertRegex(result.out, r"(?m)^failed +mex +cell \(17,40\)")

    def test_text_reports_name_the_digest(self):
        digest = KNOWN_TABLES["classic", 100][0]
        self.assertIn(digest, self.assert_done("compute", "--size", "100", "--output", "t.h5").out)
        self.assertIn(digest, self.assert_done("info", "t.h5").out)
        self.assertIn(digest, self.assert_done("verify", "t.h5").out)

    def test_quiet_prints_nothing(self):
        for args in [["query", "5", "7"], ["levels", "--limit", "20"],
                     ["equivalence", "--limit", "20"],
                     ["compute", "--size", "20"], ["compute", "--size", "20", "--output", "t.h5"],
                     ["verify", "t.h5"], ["equivalence", "--size", "20"]]:
            self.assertEqual(self.assert_done(*args, "--quiet").out, "")
        result = self.run_grundy("equivalence", "--rule", "triangle:4", "--size", "20", "--quiet")
        self.assertEqual(result, Result(CHECK_FAILED, "", ""))
        self.assert_fails(INPUT_OUTPUT, ["verify", "missing.h5", "--quiet"], "missing.h5")

    def test_full_standard_output_is_an_error(self):
        self.compute("t.h5", "--size", "20")
        many = ["--rule", "triangle:50", "--size", "1500"]  # a report longer than a buffer
        for args, part in [(["compute", "--size", "20"], ""),
                           (["compute", "--size", "20", "--json"], ""),
                           (["info", "t.h5"], ""), (["info", "t.h5", "--json"], ""),
                           (["verify", "t.h5"], ""), (["equivalence", "--size", "20"], ""),
                           (["equivalence", *many, "--json"], ""),
                           (["--help"], ""), (["compute", "--help"], ""), (["--version"], "")]:
            with self.subTest(args=args), open("/dev/full", "wb") as full:
                result = self.run_grundy(*args, stdout=full)
                self.assertEqual(result.status, INPUT_OUTPUT)
                self.check_message(result, "standard output")

    def test_unusable_standard_error_changes_no_exit_status(self):
        for args, status in [(["compute", "--size", "0"], WRONG_USAGE),
                             (["info", "missing.h5"], INPUT_OUTPUT),
                             (["compute", "--size", "2000000"], DEVICE),
                             (["compute", "--size", "20", "--progress"], DONE)]:
            with self.subTest(args=args, stderr="full"), open("/dev/full", "wb") as full:
                self.assertEqual(self.run_grundy(*args, stderr=full).status, status)
            with self.subTest(args=args, stderr="closed"):
                self.assertEqual(self.run_grundy(*args, preexec_fn=lambda: os.close(2)).status,
                                 status)

    def test_closed_standard_streams_do_not_become_the_table(self):
        """The table file must not get the descriptor that reports and progress are printed to."""
        for stream in (1, 2):
            with self.subTest(stream=stream):
                process = self.start_long_run(f"table{stream}.h5", "--progress",
                                              preexec_fn=lambda: os.close(stream))
                link = f"/proc/{process.pid}/fd/{stream}"
                target = os.readlink(link) if os.path.lexists(link) else ""
                self.assertNotIn(".partial", target)
                self.end(process)


class Devices(CliTestCase):
    def test_gpus_are_listed_also_where_there_are_none(self):
        report = json.loads(self.assert_done("devices", "--json").out)
        self.assertEqual(list(report), ["cuda", "rule", "devices"])
        usable = [device for device in report["devices"] if device["usable"]]
        text = self.assert_done("devices").out
        if not report["cuda"]:
            self.assertIn("built without the cuda engine", text)
        elif not report["devices"]:
            self.assertIn("no GPU", text)
        for device in usable:
            self.assertIn(f"{device['largest_table']} x {device['largest_table']}", text)

    def test_the_cuda_engine_without_a_gpu_says_what_works_instead(self):
        if json.loads(self.assert_done("devices", "--json").out)["devices"]:
            self.skipTest("there is a GPU")
        for command in [["compute", "--size", "5", "--output", "table.h5"],
                        ["equivalence", "--size", "5"]]:
            self.assert_fails(DEVICE, [*command, "--engine", "cuda"], "--engine cpu")
        self.assertEqual(self.files(), [])


class Output(CliTestCase):
    def test_existing_file_is_kept_without_force(self):
        for content in [b"not a table", b""]:
            self.write("table.h5", content)
            self.assert_fails(INPUT_OUTPUT, ["compute", "--size", "20", "--output", "table.h5"],
                              "table.h5 exists")
            self.assertEqual(self.content("table.h5"), content)
            self.assertEqual(self.files(), [b"table.h5"])

    def test_force_replaces_a_file(self):
        self.write("table.h5", b"not a table")
        self.compute("table.h5", "--size", "20", "--force")
        self.assert_done("verify", "table.h5")
        self.compute("table.h5", "--size", "21", "--force")
        self.assertIn("21 x 21", self.assert_done("verify", "table.h5").out)
        self.assertEqual(self.files(), [b"table.h5"])

    def test_impossible_outputs_are_refused_and_leave_nothing(self):
        os.mkdir(self.path("folder"))
        self.write("plain", b"")
        os.symlink("loop", self.path("loop"))
        before = self.files()
        for output in ["missing/table.h5", "folder", "folder/", "plain/table.h5", "missing/", "",
                       "a" * 300, "a" * 250, "loop", "a/" * 3000 + "table.h5"]:
            for force in [[], ["--force"]]:
                with self.subTest(output=output[:60], force=force):
                    result = self.run_grundy("compute", "--size", "20", "--output", output, *force)
                    added = set(self.files()) - set(before)
                    for name in added:
                        os.remove(self.path(os.fsdecode(name)))
                    self.assertEqual(added, set())
                    # A link that names itself may be replaced, like any file.
                    if output == "loop" and force:
                        continue
                    self.assertIn(result.status, (WRONG_USAGE, INPUT_OUTPUT))
                    self.assertRegex(result.err, r"\Agrundy: [^\n]+\n\Z")
                    self.assertNotIn("internal error", result.err)

    def test_link_to_nothing_is_refused_or_followed(self):
        os.symlink("target.h5", self.path("link.h5"))
        result = self.run_grundy("compute", "--size", "20", "--output", "link.h5")
        if result.status == DONE:
            self.assert_done("verify", "link.h5")
        else:
            self.assertEqual(result.status, INPUT_OUTPUT)
            self.assertEqual(self.files(), [b"link.h5"])

    def test_output_name_that_is_not_utf8(self):
        for flags in [[], ["--json"], ["--quiet"]]:
            with self.subTest(flags=flags):
                name = b"\xff" + os.fsencode("".join(flags)) + b".h5"
                process = self.start("compute", "--size", "20", "--output", name, *flags)
                out, err = process.communicate(timeout=TIMEOUT_S)
                self.assertNotIn(b"internal error", err)
                if name in self.files():
                    self.assertEqual(process.returncode, DONE)
                    if flags == ["--json"]:
                        json.loads(out.decode("utf-8"))
                else:
                    self.assertIn(process.returncode, (WRONG_USAGE, INPUT_OUTPUT))

    def test_table_too_large_for_the_memory(self):
        for args in [["--size", "2000000"], ["--size", "1000000", "--engine", "reference"],
                     ["--rows", "2", "--cols", "4294967294"]]:
            with self.subTest(args=args):
                result = self.assert_fails(DEVICE, ["compute", *args, "--output", "table.h5"],
                                           "memory")
                needed, available = map(int, re.findall(r"\d{7,}", result.err)[-2:])
                self.assertGreater(needed, available)
                self.assertEqual(self.files(), [])
        result = self.assert_fails(DEVICE, ["equivalence", "--size", "2000000"], "memory")

    def test_address_space_limit_counts_as_memory(self):
        self.assert_fails(DEVICE, ["compute", "--size", "100000", "--output", "table.h5"],
                          "1500000000", preexec_fn=limit(resource.RLIMIT_AS, 1_500_000_000))
        self.assertEqual(self.files(), [])


class Unreadable(CliTestCase):
    """Files that are no tables, through every command that reads files."""

    def refuse(self, name, part):
        for args in [["info", name], ["verify", name, "--json"], ["plot", name, "-o", "p.png"],
                     ["equivalence", "--tables", name, name]]:
            with self.subTest(args=args):
                result = self.assert_fails(INPUT_OUTPUT, args, part)
                self.assertIn(name, result.err)

    def test_paths_that_are_no_files(self):
        os.mkdir(self.path("folder"))
        self.write("plain", b"")
        self.refuse("missing.h5", "No such file")
        self.refuse("folder", "is a folder")
        self.refuse("plain/table.h5", "Not a directory")
        self.refuse("a" * 300, "too long")

    def test_pipe_is_refused_at_once(self):
        os.mkfifo(self.path("pipe"))
        for command in ["info", "verify"]:
            with self.subTest(command=command):
                self.assert_fails(INPUT_OUTPUT, [command, "pipe"], "pipe", timeout=10)

    def test_files_of_other_kinds(self):
        for name, content in [("empty.h5", b""), ("text.h5", b"not HDF5\n" * 100),
                              ("zeros.h5", bytes(5000)), ("magic.h5", b"\x89HDF\r\n\x1a\n"),
                              ("noise.h5", random.Random(1).randbytes(5000)),
                              ("magic_noise.h5",
                               b"\x89HDF\r\n\x1a\n" + random.Random(2).randbytes(5000))]:
            self.write(name, content)
            self.refuse(name, "")

    @needs_h5py
    def test_hdf5_files_of_other_programs(self):
        def refuse_file(name, fill):
            with h5py.File(self.path(name), "w") as file:
                fill(file)
            self.refuse(name, "not a table of this program")

        refuse_file("nothing.h5", lambda file: None)
        refuse_file("other.h5", lambda file: file.create_dataset("data", data=[[1, 2]]))
        refuse_file("bare.h5", lambda file: file.create_dataset("grundy", data=[[1, 2]]))
        refuse_file("group.h5", lambda file: file.create_group("grundy"))

        def other_format(file):
            file.create_dataset("grundy", data=[[1, 2]]).attrs["format"] = "chess table"

        refuse_file("chess.h5", other_format)

    def test_level_files_are_called_what_they_are(self):
        self.assert_done("levels", "--limit", "50", "--output", "levels.h5")
        self.refuse("levels.h5", "a list of positions by value, as 'grundy levels' writes it")
        self.assert_fails(INPUT_OUTPUT, ["query", "5", "6", "--table", "levels.h5"], "not a table")

    def test_truncated_files(self):
        self.compute("table.h5", "--size", "20")
        whole = self.content("table.h5")
        for length in [1, 7, 8, 40, 47, 48, 100, 1000, len(whole) // 2, len(whole) - 1]:
            self.write("cut.h5", whole[:length])
            self.refuse("cut.h5", "")

    @needs_h5py
    def test_attributes_that_are_not_utf8(self):
        """Outside the checksums: bad memory or another program can put any byte there."""
        self.compute("table.h5", "--size", "20")
        with h5py.File(self.path("table.h5"), "r+") as file:
            attributes = file["grundy"].attrs
            for name in ["engine", "software", "created", "compression", "digest"]:
                attributes[name] = numpy.bytes_(b"\xff\xfe" + attributes[name][2:])
        for args in [["info", "table.h5"], ["info", "table.h5", "--json"],
                     ["verify", "table.h5"], ["verify", "table.h5", "--json"]]:
            with self.subTest(args=args):
                process = self.start(*args)
                out, err = process.communicate(timeout=TIMEOUT_S)
                self.assertNotIn(b"internal error", err)
                self.assertIn(process.returncode, (DONE, CHECK_FAILED, INPUT_OUTPUT))
                if process.returncode != INPUT_OUTPUT and "--json" in args:
                    json.loads(out.decode("utf-8"))

    def verify_damaged(self, content):
        """Status of verify; anything but a clean end is a failure."""
        self.write("damaged.h5", content)
        for args in [["info", "damaged.h5", "--json"], ["verify", "damaged.h5", "--json"]]:
            result = self.run_grundy(*args, timeout=20)
            self.assertIn(result.status, (DONE, CHECK_FAILED, INPUT_OUTPUT), result)
            if result.status == INPUT_OUTPUT:
                self.assertEqual(result.out, "")
                self.check_message(result)
            else:
                json.loads(result.out)
        return result

    @needs_h5py
    def test_flipped_bits_in_the_cells_are_found(self):
        self.compute("table.h5", "--size", "60")
        with h5py.File(self.path("table.h5"), "r") as file:
            chunk = file["grundy"].id.get_chunk_info(0)
        content = bytearray(self.content("table.h5"))
        generator = random.Random(3)
        for _ in range(25):
            place, bit = chunk.byte_offset + generator.randrange(chunk.size), generator.randrange(8)
            content[place] ^= 1 << bit
            with self.subTest(place=place, bit=bit):
                result = self.verify_damaged(content)
                self.assertEqual(result.status, CHECK_FAILED)
                self.assertIn('"name":"checksums","status":"failed"', result.out)
            content[place] ^= 1 << bit
        self.assertEqual(self.verify_damaged(content).status, DONE)

    @needs_h5py
    def test_flipped_bits_anywhere_never_pass_with_other_cells(self):
        self.compute("table.h5", "--size", "20")
        content = bytearray(self.content("table.h5"))
        with h5py.File(self.path("table.h5"), "r") as file:
            cells = file["grundy"][...]
        # Most of a small file is room that HDF5 keeps free.
        used = [i for i in range(len(content)) if any(content[max(0, i - 15):i + 1])]
        generator = random.Random(4)
        for _ in range(80):
            place, bit = generator.choice(used), generator.randrange(8)
            content[place] ^= 1 << bit
            with self.subTest(place=place, bit=bit):
                if self.verify_damaged(content).status == DONE:
                    with h5py.File(self.path("damaged.h5"), "r") as file:
                        numpy.testing.assert_array_equal(file["grundy"][...], cells)
            content[place] ^= 1 << bit

    @needs_h5py
    def test_wrong_cell_is_named(self):
        self.compute("table.h5", "--size", "60")
        with h5py.File(self.path("table.h5"), "r+") as file:
            file["grundy"][17, 40] += 1
        result = self.run_grundy("verify", "table.h5")
        self.assertEqual((result.status, result.err), (CHECK_FAILED, ""))
        self.assertRegex(result.out, r"(?m)^failed +mex +cell \(17,40\)")
        self.assertRegex(result.out, r"(?m)^failed +symmetry +cell \(17,40\)")
        self.assertIn("NOT a correct table", result.out)

    @needs_h5py
    def test_verifying_without_enough_memory(self):
        self.compute("table.h5", "--size", "20")
        with h5py.File(self.path("table.h5"), "r+") as file:
            attributes = dict(file["grundy"].attrs)
            del file["grundy"]
            table = file.create_dataset("grundy", (2_000_000, 2_000_000), "<u4", chunks=(512, 512))
            for name, value in attributes.items():
                table.attrs[name] = value
        result = self.assert_fails(DEVICE, ["verify", "table.h5"], "memory")
        needed, available = map(int, re.findall(r"\d{8,}", result.err)[-2:])
        self.assertGreater(needed, available)


class Interrupts(CliTestCase):
    def assert_ends_by(self, process, number, part):
        asked = time.monotonic()
        process.send_signal(number)
        result = self.finish(process)
        self.assertEqual(result.status, -number, result)
        self.assertEqual(result.out, "")
        self.check_message(result, part)
        self.assertLess(time.monotonic() - asked, 30)

    def test_signals_end_a_run_that_writes(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                process = self.start_long_run("table.h5")
                self.assert_ends_by(process, number, "table.h5.partial")
                self.assertEqual(self.files(), LEFT_BY_A_RUN)
                for name in LEFT_BY_A_RUN:
                    os.remove(self.path(os.fsdecode(name)))

    def test_signals_end_other_long_runs(self):
        self.compute("table.h5", "--size", "4000", "--compression", "none")
        for args in [LONG_RUN, ["equivalence", "--size", "40000"], ["verify", "table.h5"],
                     ["equivalence", "--limit", "4000000000"],
                     ["bench", "--sizes", "40000", "--engines", "cpu", "--longest", "1000"]]:
            with self.subTest(args=args):
                process = self.start(*args)
                self.wait_until_signals_are_handled(process)
                self.assert_ends_by(process, signal.SIGTERM, "interrupted")

    def wait_until_signals_are_handled(self, process):
        deadline = time.monotonic() + TIMEOUT_S
        bit = 1 << (signal.SIGTERM - 1)
        while True:
            with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
                blocked = int(re.search(r"SigBlk:\s*(\w+)", status.read()).group(1), 16)
            if blocked & bit:
                return
            self.assertIsNone(process.poll(), "the run ended early")
            self.assertLess(time.monotonic(), deadline, "the signal is not handled")
            time.sleep(0.002)

    def test_interrupted_replacement_keeps_the_old_file(self):
        self.compute("table.h5", "--size", "20")
        old = self.content("table.h5")
        process = self.start_long_run("table.h5", "--force")
        self.assert_ends_by(process, signal.SIGTERM, "table.h5.partial")
        self.assertEqual(self.content("table.h5"), old)

    def test_what_a_killed_run_leaves(self):
        process = self.start_long_run("table.h5")
        again = ["compute", "--size", "20", "--output", "table.h5"]
        self.assert_fails(INPUT_OUTPUT, again, "another run is writing table.h5.partial")
        self.assert_fails(INPUT_OUTPUT, [*again, "--resume"], "another run is writing")
        for command in ["info", "verify"]:
            self.assert_fails(INPUT_OUTPUT, [command, "table.h5.partial"], "being written")
        self.assertIsNone(process.poll())
        process.kill()
        process.wait(TIMEOUT_S)
        self.assertEqual(self.files(), LEFT_BY_A_RUN)
        left = self.content("table.h5.partial")
        self.assert_fails(INPUT_OUTPUT, again,
                          "--force replaces it, and compute --resume goes on with a table")
        self.assertEqual(self.content("table.h5.partial"), left)
        for command in ["info", "verify"]:
            self.assertNotIn("a correct table",
                             self.run_grundy(command, "table.h5.partial").out.replace("NOT a", ""))
        self.assert_done(*again, "--force")
        self.assertEqual(self.files(), [b"table.h5"])
        self.assert_done("verify", "table.h5")

    def test_interrupted_file_is_not_verified(self):
        process = self.start_long_run("table.h5")
        self.assert_ends_by(process, signal.SIGINT, "table.h5.partial")
        report = json.loads(self.run_grundy("info", "table.h5.partial", "--json").out)
        self.assertIs(report["complete"], False)
        self.assertNotIn("digest", report)
        self.assertGreater(report["stored_chunks"], 0)
        self.assertLess(report["stored_chunks"], report["chunks"])
        self.assertRegex(self.run_grundy("info", "table.h5.partial").out,
                         r"(?m)^complete +no: [\d.]+ % of the chunks are in the file")
        result = self.run_grundy("verify", "table.h5.partial")
        self.assertEqual((result.status, result.err), (CHECK_FAILED, ""))
        self.assertRegex(result.out, r"(?m)^failed +complete ")
        self.assert_fails(INPUT_OUTPUT, ["query", "5", "6", "--table", "table.h5.partial"],
                          "table.h5.partial is not a complete table")
        self.assert_fails(INPUT_OUTPUT, ["equivalence", "--tables", "table.h5.partial",
                                         "table.h5.partial"], "complete")


class NoSpace(CliTestCase):
    def assert_write_fails(self, output, *args, reason, **options):
        result = self.assert_fails(INPUT_OUTPUT, ["compute", "--output", output, *args], reason,
                                   **options)
        self.assertIn(output, result.err)
        self.assertFalse(os.path.exists(self.path(output)))

    def test_file_size_limit(self):
        for size in (0, 4096, 100_000, 2_000_000):
            with self.subTest(limit=size):
                self.assert_write_fails("table.h5", "--size", "1500", "--compression", "none",
                                        "--force", reason="File too large",
                                        preexec_fn=limit(resource.RLIMIT_FSIZE, size))

    def test_file_size_limit_at_the_very_end(self):
        """The last writes are those of the summary and of HDF5's own buffers at closing."""
        args = ["--size", "20", "--force"]
        self.compute("table.h5", *args)
        size = os.path.getsize(self.path("table.h5"))
        os.remove(self.path("table.h5"))
        for less in [size, size * 3 // 4, size // 2, size // 3, 1000, 100, 1]:
            with self.subTest(limit=size - less):
                self.assert_write_fails("table.h5", *args, reason="File too large",
                                        preexec_fn=limit(resource.RLIMIT_FSIZE, size - less))
        self.assert_done("compute", "--output", "table.h5", *args,
                         preexec_fn=limit(resource.RLIMIT_FSIZE, 2 * size))

    def test_full_disk(self):
        os.mkdir(self.path("disk"))
        mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", self.path("disk")]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
            self.skipTest("mounting a small file system takes root and a system that allows it")
        self.addCleanup(subprocess.run, ["umount", "-l", self.path("disk")], check=True)
        self.assert_write_fails("disk/large.h5", "--size", "1500", "--compression", "none",
                                reason="No space left on device")
        for name in os.listdir(self.path("disk")):
            os.remove(self.path("disk/" + name))
        with open(self.path("disk/rest"), "wb", buffering=0) as rest:
            try:
                while rest.write(bytes(4096)):
                    pass
            except OSError as error:
                self.assertEqual(error.errno, errno.ENOSPC)
        self.assert_write_fails("disk/small.h5", "--size", "20", reason="No space left on device")
        os.remove(self.path("disk/rest"))
        self.compute("disk/small.h5", "--size", "20", "--force")
        self.assert_done("verify", "disk/small.h5")


def naive_table(terminal, rows, cols):
    """Grundy values by definition."""
    table = [[0] * cols for _ in range(rows)]
    for x in range(rows):
        for y in range(cols):
            if (x, y) in terminal or (x, y) == (0, 0):
                continue
            options = {table[i][y] for i in range(x)} | set(table[x][:y])
            options |= {table[x - t][y - t] for t in range(1, min(x, y) + 1)}
            table[x][y] = next(g for g in range(len(options) + 1) if g not in options)
    return table


def mix64(z):
    z = z ^ (z >> numpy.uint64(30))
    z = z * numpy.uint64(0xBF58476D1CE4E5B9)
    z = z ^ (z >> numpy.uint64(27))
    z = z * numpy.uint64(0x94D049BB133111EB)
    return z ^ (z >> numpy.uint64(31))


def digest_of(cells):
    x = numpy.arange(cells.shape[0], dtype=numpy.uint64)[:, None]
    y = numpy.arange(cells.shape[1], dtype=numpy.uint64)[None, :]
    mixed = mix64(mix64(x + (y << numpy.uint64(32))) + cells.astype(numpy.uint64))
    return format(int(mixed.sum(dtype=numpy.uint64)), "016x")


@needs_h5py
class DatasetFile(CliTestCase):
    """What others read: docs/format.md."""

    def check_file(self, name, rule, shape, compression="deflate:1"):
        """Checks everything but the cells, which it returns."""
        with h5py.File(self.path(name), "r") as file:
            self.assertEqual(sorted(file), ["grundy", "histogram"])
            table = file["grundy"]
            cells = table[...]
            wide = sum(shape) - 2 > 65534
            self.assertEqual(table.shape, shape)
            self.assertEqual(table.dtype, numpy.dtype("<u4" if wide else "<u2"))
            self.assertEqual(table.fillvalue, 0xFFFFFFFF if wide else 0xFFFF)
            self.assertEqual(table.compression, None if compression == "none" else "gzip")
            self.assertEqual(table.shuffle, compression != "none")
            self.assertTrue(table.fletcher32)
            self.assertLessEqual(table.chunks[0] * table.chunks[1] * table.dtype.itemsize, 1 << 20)
            # h5py gives strings of fixed length as bytes.
            attributes = {name: value.decode() if isinstance(value, bytes) else value
                          for name, value in table.attrs.items()}
            for attribute in ["axis_order", "software", "software_version", "engine"]:
                self.assertIsInstance(attributes.pop(attribute), str)
            self.assertRegex(attributes.pop("created"), r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")
            terminal = attributes.pop("terminal_cells")
            self.assertEqual(attributes, {
                "format": "grundy table", "format_version": 2, "rule": rule, "play": "normal",
                "storage": "full", "first_x": 0, "first_y": 0, "compression": compression, "complete": 1, "digest": digest_of(cells),
                "max_value": cells.max(), "zeros": (cells == 0).sum(), "ones": (cells == 1).sum()})
            histogram = file["histogram"]
            self.assertEqual(histogram.dtype, numpy.dtype("<u8"))
            numpy.testing.assert_array_equal(histogram[...], numpy.bincount(cells.ravel()))
        return cells, {tuple(map(int, cell.split(","))) for cell in terminal.split(";")}

    def test_cells_by_definition(self):
        generator = random.Random(5)
        rules = {"classic": {(0, 0)},
                 "extended": {(x, y) for x in range(3) for y in range(3 - x)},
                 "triangle:5": {(x, y) for x in range(6) for y in range(6 - x)}}
        for _ in range(4):
            cells = {(0, 0)} | {(generator.randrange(30), generator.randrange(30))
                                for _ in range(generator.randrange(1, 20))}
            rules["cells:" + ";".join(f"{x},{y}" for x, y in sorted(cells))] = cells
        for index, (rule, terminal) in enumerate(rules.items()):
            rows, cols = (40, 40) if index < 4 else (generator.randrange(20, 60), 45)
            with self.subTest(rule=rule, rows=rows, cols=cols):
                self.compute(f"{index}.h5", "--rule", rule, "--rows", str(rows), "--cols",
                             str(cols))
                stored, stored_terminal = self.check_file(f"{index}.h5", rule, (rows, cols))
                self.assertEqual(stored.tolist(), naive_table(terminal, rows, cols))
                self.assertEqual(stored_terminal, terminal)

    def test_known_tables_of_several_chunks(self):
        for index, (rule, size) in enumerate(KNOWN_TABLES):
            compression = ["deflate:4", "none", "deflate:1", "deflate:9", "deflate:4"][index]
            self.compute("table.h5", "--force", "--rule", rule, "--size", str(size),
                         "--compression", compression)
            cells, _ = self.check_file("table.h5", rule, (size, size), compression)
            digest, zeros, ones, total, largest = KNOWN_TABLES[rule, size]
            self.assertEqual((digest_of(cells), (cells == 0).sum(), (cells == 1).sum(),
                              cells.sum(dtype=numpy.uint64), cells.max()),
                             (digest, zeros, ones, total, largest))

    def test_stored_type_by_the_largest_possible_value(self):
        for cols in (65534, 65535):
            self.compute("table.h5", "--force", "--rows", "2", "--cols", str(cols))
            cells, _ = self.check_file("table.h5", "classic", (2, cols))
            numpy.testing.assert_array_equal(cells[0], numpy.arange(cols))
            self.assert_done("verify", "table.h5", "--quiet")

    def test_axes_are_x_then_y(self):
        """With only (0,1) terminal besides the corner, one step along x and one along y differ."""
        self.compute("table.h5", "--rule", "cells:0,1", "--size", "2")
        cells, _ = self.check_file("table.h5", "cells:0,0;0,1", (2, 2))
        self.assertEqual(cells.tolist(), [[0, 0], [1, 2]])

    @unittest.skipUnless(shutil.which("h5dump"), "h5dump is not installed")
    def test_h5dump_shows_the_attributes(self):
        self.compute("table.h5", "--rule", "extended", "--size", "20")
        header = subprocess.run(["h5dump", "-H", "-p", "table.h5"], cwd=self.folder, check=True,
                                capture_output=True, text=True, timeout=TIMEOUT_S).stdout
        for part in ['DATASET "grundy"', "H5T_STD_U16LE", "( 20, 20 )", "PREPROCESSING SHUFFLE",
                     "COMPRESSION DEFLATE", "CHECKSUM FLETCHER32", "VALUE  65535",
                     'DATASET "histogram"', "H5T_STD_U64LE"]:
            self.assertIn(part, header)
        for name in ["format", "format_version", "rule", "terminal_cells", "play", "axis_order",
                     "software", "software_version", "engine", "compression", "created", "complete",
                     "digest", "max_value", "zeros", "ones"]:
            self.assertIn(f'ATTRIBUTE "{name}"', header)
        rule = subprocess.run(["h5dump", "-a", "/grundy/rule", "table.h5"], cwd=self.folder,
                              check=True, capture_output=True, text=True, timeout=TIMEOUT_S).stdout
        self.assertIn('(0): "extended"', rule)


if __name__ == "__main__":
    unittest.main()
