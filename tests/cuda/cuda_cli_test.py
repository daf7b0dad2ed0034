#!/usr/bin/env python3
"""The program with a GPU, from outside: GRUNDY_PROGRAM names it. Exit status 77: no GPU here."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.environ["GRUNDY_PROGRAM"]
EMULATED = bool(os.environ.get("GRUNDY_CUDA_EMULATOR"))
DEVICE_FAILURE = 4


def grundy(*args, **variables):
    return subprocess.run([PROGRAM, *args], env=dict(os.environ, **variables),
                          capture_output=True, text=True, timeout=200)


def report(*args, **variables):
    result = grundy(*args, "--json", **variables)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


class Cuda(unittest.TestCase):
    def test_devices_lists_the_gpu_and_the_largest_table_on_it(self):
        device = report("devices", "--rule", "extended")["devices"][0]
        self.assertTrue(device["usable"])
        self.assertGreater(device["largest_table"], 1000)
        text = grundy("devices").stdout
        self.assertIn(device["name"], text)
        side = report("devices")["devices"][0]["largest_table"]
        self.assertIn("largest classic table: ", text)
        asymmetric = report("devices", "--rule", "cells:1,0")["devices"][0]["largest_table"]
        self.assertLess(asymmetric, side)

    def test_schedules_and_engines_agree(self):
        expected = report("compute", "--rule", "extended", "--size", "300", "--engine", "cpu")
        for how in [["--engine", "auto"], ["--engine", "cuda", "--device", "0"],
                    ["--engine", "cuda", "--schedule", "waves"],
                    ["--engine", "cuda", "--schedule", "bands"]]:
            result = report("compute", "--rule", "extended", "--size", "300", *how)
            self.assertEqual(result["engine"], "cuda")
            for key in ["digest", "zeros", "ones", "max_value", "cells"]:
                self.assertEqual(result[key], expected[key], how)

    def test_a_table_in_a_file_is_the_one_that_verify_finds_right(self):
        with tempfile.TemporaryDirectory() as folder:
            for rule in ["extended", "cells:2,0;1,6"]:
                path = os.path.join(folder, "table.h5")
                report("compute", "--rule", rule, "--rows", "200", "--cols", "330", "--engine",
                       "cuda", "--output", path, "--force")
                result = grundy("verify", path)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_equivalence_on_the_gpu(self):
        expected = report("equivalence", "--size", "400", "--engine", "cpu")
        result = report("equivalence", "--size", "400", "--engine", "cuda")
        for key in ["exceptions", "threshold", "holds", "ones", "classic_p_positions"]:
            self.assertEqual(result[key], expected[key])

    def test_an_interrupted_run_ends_by_the_signal_and_leaves_no_file(self):
        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.Popen(
                [PROGRAM, "compute", "--engine", "cuda", "--size", "12000", "--output",
                 os.path.join(folder, "table.h5")], stderr=subprocess.PIPE, text=True)
            time.sleep(1.5)
            process.send_signal(signal.SIGINT)
            _, message = process.communicate(timeout=200)
            self.assertEqual(process.returncode, -signal.SIGINT, message)
            self.assertIn("interrupted after", message)
            self.assertNotIn("table.h5", os.listdir(folder))

    def test_a_device_that_is_not_there(self):
        result = grundy("compute", "--size", "5", "--engine", "cuda", "--device", "99")
        self.assertEqual(result.returncode, DEVICE_FAILURE)
        self.assertIn("no GPU 99", result.stderr)

    def test_a_table_beyond_the_memory_of_the_gpu(self):
        result = grundy("compute", "--size", "4000000", "--engine", "cuda")
        self.assertEqual(result.returncode, DEVICE_FAILURE)
        for part in ["4000000 x 4000000", "bytes", "largest square table that fits is"]:
            self.assertIn(part, result.stderr)

    def fails_without_a_file(self, expected, **variables):
        with tempfile.TemporaryDirectory() as folder:
            result = grundy("compute", "--size", "400", "--engine", "cuda", "--output",
                            os.path.join(folder, "table.h5"), **variables)
            self.assertEqual(result.returncode, DEVICE_FAILURE, result.stderr)
            self.assertIn(expected, result.stderr)
            self.assertNotIn("table.h5", os.listdir(folder))

    @unittest.skipUnless(EMULATED, "only the emulator fails on demand")
    def test_a_kernel_that_fails_ends_the_run_without_a_file(self):
        # As many steps as no kernel of this size needs: taken for a deadlock.
        self.fails_without_a_file("CUDA: ", CUEMU_MAX_STEPS="1")

    @unittest.skipUnless(EMULATED, "only the emulator has another capability on demand")
    def test_a_gpu_too_old_for_the_kernels_is_named_and_auto_takes_the_cpu(self):
        old = {"CUEMU_CC": "70"}
        device = report("devices", **old)["devices"][0]
        self.assertFalse(device["usable"])
        self.fails_without_a_file("cannot be used", **old)
        self.assertEqual(report("compute", "--size", "5", **old)["engine"], "cpu")

    @unittest.skipUnless(EMULATED, "only the emulator has less memory on demand")
    def test_memory_that_is_too_small_even_for_a_small_table(self):
        self.fails_without_a_file("bytes", CUEMU_MEMORY_MB="16")


if __name__ == "__main__":
    listed = grundy("devices", "--json")
    if listed.returncode == 0 and not json.loads(listed.stdout)["devices"]:
        print("skipped: no GPU")
        sys.exit(77)
    unittest.main()
