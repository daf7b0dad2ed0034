#!/usr/bin/python3
"""Runs that are killed, interrupted or out of disk space, and others that go on with them; windows
and half storage. GRUNDY_PROGRAM names the program.

GRUNDY_TEST_KILLS and GRUNDY_TEST_KILL_SIZE set how often a run is killed, and of which size:
    GRUNDY_TEST_KILLS=40 GRUNDY_TEST_KILL_SIZE=8192 python3 resume_test.py -v KilledRuns
"""

import contextlib
import json
import os
import random
import re
import resource
import signal
import subprocess
import time
import unittest

from cli_test import (DONE, INPUT_OUTPUT, LEFT_BY_A_RUN, TIMEOUT_S, WRONG_USAGE,
                      CliTestCase, limit, needs_h5py)

try:
    import h5py
    import numpy
except ImportError:
    h5py = None

KILLS = int(os.environ.get("GRUNDY_TEST_KILLS", "6"))
KILL_SIZE = int(os.environ.get("GRUNDY_TEST_KILL_SIZE", "3000"))


class ResumeTestCase(CliTestCase):
    def digest(self, *args):
        """Of the table, by a run that is not disturbed and writes nothing."""
        return json.loads(self.assert_done("compute", "--json", *args).out)["digest"]

    def resume(self, output, *args):
        """Goes on to the end; returns the report and what was said about the start."""
        result = self.run_grundy("compute", "--resume", "--output", output, "--json", *args)
        self.assertEqual(result.status, DONE, result)
        self.assertTrue(json.loads(result.out)["resumed"])
        self.assert_done("verify", output, "--quiet")
        self.assertFalse(os.path.exists(self.path(output + ".partial")))
        self.assertFalse(os.path.exists(self.path(output + ".partial.checkpoint")))
        return json.loads(result.out), result.err

    def run_until_file_has(self, share, *args):
        """A run of `compute` to table.h5, killed when about this share of the table is written."""
        process = self.start("compute", "--output", "table.h5", "--compression", "none",
                             "--checkpoint", "0", "--quiet", *args)
        size = int(args[args.index("--size") + 1])
        deadline = time.monotonic() + TIMEOUT_S
        partial = self.path("table.h5.partial")
        while not os.path.exists(partial) or os.path.getsize(partial) < 2 * share * size * size:
            self.assertIsNone(process.poll(), "the run ended early")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.001)
        process.kill()
        process.wait(TIMEOUT_S)


class KilledRuns(ResumeTestCase):
    def test_go_on_to_the_same_table_wherever_they_were_killed(self):
        generator = random.Random(int(time.time()))
        size = str(KILL_SIZE)
        begun = time.monotonic()
        expected = self.digest("--rule", "extended", "--size", size)
        self.compute("whole.h5", "--rule", "extended", "--size", size)
        took = time.monotonic() - begun
        kept = []
        for kill in range(KILLS):
            storage = generator.choice([[], ["--half"], ["--compression", "none"],
                                        ["--compression", "zstd:1"]])
            checkpoint = generator.choice(["0", "0", "1"])
            delay = generator.uniform(0, 0.8 * took)
            with self.subTest(kill=kill, storage=storage, checkpoint=checkpoint, delay=delay):
                process = self.start("compute", "--rule", "extended", "--size", size, "--output",
                                     "table.h5", "--checkpoint", checkpoint, "--quiet", *storage)
                time.sleep(delay)
                process.kill()
                process.wait(TIMEOUT_S)
                if os.path.exists(self.path("table.h5")):  # complete before it was killed
                    self.assertIn(process.returncode, [DONE, -signal.SIGKILL])
                    self.assert_done("verify", "table.h5", "--quiet")
                    with contextlib.suppress(FileNotFoundError):  # killed before its last step
                        os.remove(self.path("table.h5.partial.checkpoint"))
                else:
                    result = self.run_grundy("compute", "--resume", "--output", "table.h5",
                                             "--rule", "extended", "--size", size, "--json",
                                             *storage)
                    self.assertEqual(result.status, DONE, result)
                    self.assertEqual(json.loads(result.out)["digest"], expected)
                    self.assert_done("verify", "table.h5", "--quiet")
                    there = re.search(r"(\d+) of (\d+) chunks are there", result.err)
                    kept.append(int(there[1]) / int(there[2]) if there else 0.0)
                self.assertEqual(self.files(), [b"table.h5", b"whole.h5"])
                os.remove(self.path("table.h5"))
        print(f"{KILLS} kills, {len(kept)} before the end; kept when resumed:",
              " ".join(f"{share:.0%}" for share in sorted(kept)))

    def test_are_killed_again_while_they_go_on(self):
        expected = self.digest("--size", "3000")
        process = None
        for _ in range(5):
            process = self.start("compute", "--size", "3000", "--output", "table.h5", "--resume",
                                 "--checkpoint", "0", "--threads", "1", "--quiet")
            time.sleep(0.3)
            process.kill()
            process.wait(TIMEOUT_S)
        if not os.path.exists(self.path("table.h5")):
            report, _ = self.resume("table.h5")
            self.assertEqual(report["digest"], expected)

    def test_chunks_with_flipped_bits_are_written_again(self):
        expected = self.digest("--size", "3000")
        self.run_until_file_has(0.5, "--size", "3000")
        content = bytearray(self.content("table.h5.partial"))
        generator = random.Random(8)
        for _ in range(3):
            content[generator.randrange(len(content) // 4, len(content) // 2)] ^= 0x10
        self.write("table.h5.partial", content)
        report, said = self.resume("table.h5")
        self.assertEqual(report["digest"], expected)
        self.assertRegex(said, r"\d+ of 36 chunks are there, [123] more were damaged")

    def test_a_truncated_partial_file_is_completed(self):
        expected = self.digest("--size", "3000")
        self.run_until_file_has(0.7, "--size", "3000")
        self.write("table.h5.partial", self.content("table.h5.partial")[:4_000_000])
        report, said = self.resume("table.h5")
        self.assertEqual(report["digest"], expected)
        self.assertIn("were damaged", said)

    def test_other_engines_go_on_too(self):
        self.run_until_file_has(0.2, "--size", "1500")
        report, _ = self.resume("table.h5", "--engine", "reference")
        self.assertEqual(report["digest"], self.digest("--size", "1500"))
        info = json.loads(self.assert_done("info", "table.h5", "--json").out)
        self.assertEqual(info["engine"], "cpu, reference")


class InterruptedRuns(ResumeTestCase):
    def test_say_how_to_go_on(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                # Of several rows of chunks, so that some are complete early.
                process = self.start("compute", "--size", "6000", "--output", "table.h5")
                deadline = time.monotonic() + TIMEOUT_S
                partial = self.path("table.h5.partial")
                while not os.path.exists(partial) or os.path.getsize(partial) < 1_000_000:
                    self.assertIsNone(process.poll(), "the run ended early")
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.002)
                process.send_signal(number)
                result = self.finish(process)
                self.assertEqual(result.status, -number, result)
                said = re.search(r"table\.h5\.partial keeps (\d+) of 144 chunks; go on with: "
                                 r"grundy (compute --resume --output table\.h5)\n", result.err)
                self.assertIsNotNone(said, result.err)
                result = self.run_grundy(*said[2].split(), "--json")
                self.assertEqual(result.status, DONE, result)
                self.assertIn(f"{said[1]} of 144 chunks are there", result.err)
                self.assertEqual(json.loads(result.out)["digest"], self.digest("--size", "6000"))
                os.remove(self.path("table.h5"))

    def test_with_nothing_complete_leave_nothing(self):
        process = self.start("compute", "--size", "60000", "--output", "table.h5", "--threads", "1")
        deadline = time.monotonic() + TIMEOUT_S
        while not os.path.exists(self.path("table.h5.partial.checkpoint")):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.001)
        process.send_signal(signal.SIGTERM)
        result = self.finish(process)
        self.assertEqual(result.status, -signal.SIGTERM)
        if "was not begun" in result.err:
            self.assertEqual(self.files(), [])

    def test_resume_without_anything_begins(self):
        result = self.run_grundy("compute", "--resume", "--size", "20", "--output", "table.h5")
        self.assertEqual(result.status, DONE)
        self.assertEqual(result.err, "nothing of table.h5 to go on with: it is begun\n")
        self.assert_done("verify", "table.h5")
        self.assert_fails(INPUT_OUTPUT,
                          ["compute", "--resume", "--size", "20", "--output", "table.h5"],
                          "table.h5 exists")
        self.assert_fails(WRONG_USAGE, ["compute", "--resume", "--output", "other.h5"], "--size")

    def test_options_of_another_table_are_refused(self):
        self.run_until_file_has(0.3, "--size", "1500", "--rule", "extended")
        left = self.content("table.h5.partial")
        for args, part in [(["--rule", "classic"], "the rule extended, which --rule contradicts"),
                           (["--size", "1501"], "1500 x 1500 positions, which --size contradicts"),
                           (["--compression", "deflate:4"], "compression none, which --compression"),
                           (["--half"], "full storage, which --half contradicts"),
                           (["--window", "0:5,0:5"], "0:1500,0:1500, which --window contradicts")]:
            with self.subTest(args=args):
                self.assert_fails(WRONG_USAGE,
                                  ["compute", "--resume", "--output", "table.h5", *args], part)
        self.assertEqual(self.files(), LEFT_BY_A_RUN)
        self.assertLessEqual(len(self.content("table.h5.partial")), len(left))
        report, _ = self.resume("table.h5", "--rule", "extended", "--size", "1500")
        self.assertEqual(report["digest"], self.digest("--rule", "extended", "--size", "1500"))

    def test_wrong_usage_of_resume(self):
        self.assert_fails(WRONG_USAGE, ["compute", "--resume", "--size", "20"], "--output")
        self.assert_fails(WRONG_USAGE, ["compute", "--resume", "--force", "--size", "20", "--output",
                                        "table.h5"], "--force")
        self.assertEqual(self.files(), [])


class FullDisks(ResumeTestCase):
    def test_a_file_size_limit_ends_a_run_that_can_go_on(self):
        expected = self.digest("--size", "3000")
        for share in (0.2, 0.6, 0.95):
            with self.subTest(share=share):
                bytes_allowed = int(share * 2 * 3000 * 3000)
                result = self.assert_fails(
                    INPUT_OUTPUT, ["compute", "--size", "3000", "--output", "table.h5",
                                   "--compression", "none", "--checkpoint", "0"],
                    "File too large", preexec_fn=limit(resource.RLIMIT_FSIZE, bytes_allowed))
                self.assertIn("go on with: grundy compute --resume --output table.h5", result.err)
                report, said = self.resume("table.h5")
                self.assertEqual(report["digest"], expected)
                self.assertGreater(int(re.search(r"(\d+) of 36 chunks are there", said)[1]), 0)
                os.remove(self.path("table.h5"))

    def test_a_full_disk_ends_a_run_that_can_go_on(self):
        os.mkdir(self.path("disk"))
        mount = ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", self.path("disk")]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
            self.skipTest("mounting a small file system takes root and a system that allows it")
        self.addCleanup(subprocess.run, ["umount", "-l", self.path("disk")], check=True)
        self.assert_fails(INPUT_OUTPUT,
                          ["compute", "--size", "3000", "--output", "disk/table.h5",
                           "--compression", "none", "--checkpoint", "0"], "No space left on device")
        self.assert_fails(INPUT_OUTPUT,
                          ["compute", "--resume", "--output", "disk/table.h5", "--quiet"],
                          "No space left on device")
        subprocess.run(["mount", "-o", "remount,size=40m", self.path("disk")], check=True)
        report, _ = self.resume("disk/table.h5")
        self.assertEqual(report["digest"], self.digest("--size", "3000"))

    def test_little_room_for_memory_of_output(self):
        self.assert_fails(WRONG_USAGE, ["compute", "--size", "1500", "--output", "table.h5",
                                        "--buffer", "7"], "memory for output")
        self.compute("table.h5", "--size", "1500", "--buffer", "8")
        self.assert_done("verify", "table.h5", "--quiet")


@needs_h5py
class Parts(CliTestCase):
    """Windows and half storage, as h5py reads them."""

    def table(self, *args):
        self.compute("whole.h5", "--force", *args)
        with h5py.File(self.path("whole.h5")) as file:
            return file["grundy"][...]

    def test_windows_are_parts_of_the_table(self):
        table = self.table("--rule", "extended", "--size", "700")
        for x0, x1, y0, y1 in [(0, 700, 0, 700), (0, 1, 0, 1), (650, 700, 3, 4), (100, 500, 200, 690),
                               (0, 600, 0, 100)]:
            with self.subTest(window=(x0, x1, y0, y1)):
                window = f"{x0}:{x1},{y0}:{y1}"
                report = json.loads(self.assert_done(
                    "compute", "--rule", "extended", "--window", window, "--output", "window.h5",
                    "--force", "--json").out)
                self.assertEqual((report["rows"], report["cols"]), (x1, y1))
                with h5py.File(self.path("window.h5")) as file:
                    stored = file["grundy"]
                    numpy.testing.assert_array_equal(stored[...], table[x0:x1, y0:y1])
                    self.assertEqual((stored.attrs["first_x"], stored.attrs["first_y"]), (x0, y0))
                    self.assertEqual(stored.attrs["zeros"], (table[x0:x1, y0:y1] == 0).sum())
                    numpy.testing.assert_array_equal(
                        file["histogram"][...], numpy.bincount(table[x0:x1, y0:y1].ravel()))

    def test_a_window_of_a_given_table_reports_both(self):
        report = json.loads(self.assert_done(
            "compute", "--size", "300", "--window", "10:20,30:50", "--output", "window.h5",
            "--json").out)
        whole = json.loads(self.assert_done("compute", "--size", "300", "--json").out)
        self.assertEqual(report["digest"], whole["digest"])
        self.assertEqual(report["window"], "10:20,30:50")
        info = json.loads(self.assert_done("info", "window.h5", "--json").out)
        self.assertEqual(report["window_digest"], info["digest"])

    def test_half_storage_is_the_half_above_the_diagonal(self):
        for rows, cols in [(700, 700), (40, 1300), (1, 5), (600, 601)]:
            args = ["--rule", "extended", "--rows", str(rows), "--cols", str(cols)]
            with self.subTest(rows=rows, cols=cols):
                table = self.table(*args)
                self.compute("half.h5", "--half", "--force", *args)
                with h5py.File(self.path("half.h5")) as file:
                    stored = file["grundy"][...]
                    self.assertEqual(file["grundy"].attrs["storage"], b"half")
                    upper = numpy.triu(numpy.ones((rows, cols), bool))
                    numpy.testing.assert_array_equal(stored[upper], table[upper])
                    self.assertTrue((stored[~upper] == file["grundy"].fillvalue).all())
                infos = [json.loads(self.assert_done("info", name, "--json").out)
                         for name in ("half.h5", "whole.h5")]
                for key in ("digest", "max_value", "zeros", "ones"):
                    self.assertEqual(infos[0][key], infos[1][key])
                self.assert_done("verify", "half.h5", "--quiet")

    def test_parts_that_are_none_are_refused(self):
        for args, part in [(["--window", "5:5,0:3"], "is no region"),
                           (["--window", "0:3,0:"], "--window"),
                           (["--window", "0:3"], "is no region"),
                           (["--window", "0:3,0:4,5"], "--window"),
                           (["--window", "0:9999999999,0:4"], "--window"),
                           (["--window", "0:21,0:4", "--size", "20"], "is not a part"),
                           (["--window", "0:2,0:4", "--half"], "half storage"),
                           (["--half", "--rows", "5", "--cols", "4"], "more rows"),
                           (["--half", "--rule", "cells:0,1", "--size", "9"], "symmetric")]:
            with self.subTest(args=args):
                self.assert_fails(WRONG_USAGE, ["compute", "--output", "table.h5", *args], part)
                self.assertEqual(self.files(), [])
        self.assert_fails(WRONG_USAGE, ["compute", "--size", "20", "--half"], "--output")

    def test_a_window_is_no_table_to_compare_or_ask(self):
        self.compute("window.h5", "--window", "5:9,5:9")
        for args in [["query", "6", "7", "--table", "window.h5"],
                     ["equivalence", "--tables", "window.h5", "window.h5"]]:
            self.assert_fails(INPUT_OUTPUT, args, "only a window into a table")

    def test_zstandard_files_are_read_by_this_program(self):
        self.compute("table.h5", "--size", "700", "--compression", "zstd:3")
        self.assert_done("verify", "table.h5", "--quiet")


if __name__ == "__main__":
    unittest.main()
