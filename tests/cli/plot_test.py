#!/usr/bin/python3
"""grundy plot from outside: what is in its pictures, and what it refuses. GRUNDY_PROGRAM names the
program."""

import json
import os
import signal
import struct
import time
import unittest
import zlib

from cli_test import (DONE, INPUT_OUTPUT, TIMEOUT_S, WRONG_USAGE, CliTestCase, needs_h5py)

try:
    import h5py
except ImportError:
    h5py = None

MARK = (255, 96, 32)  # of zeros
COLOURS = [(0, 115, 179), (215, 94, 0), (0, 158, 115)]  # of the first values
PURPLE = (204, 120, 166)  # of classic P-positions that are exceptions


def decode_png(content):
    """Rows of (red, green, blue), of 8 bits each and without interlacing."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    at, data = 8, b""
    while at < len(content):
        length, kind = struct.unpack(">I4s", content[at:at + 8])
        body = content[at + 8:at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(
            ">I", content[at + 8 + length:at + 12 + length])[0]
        if kind == b"IHDR":
            width, height, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            assert (depth, colours, interlaced) == (8, 2, 0)
        elif kind == b"IDAT":
            data += body
        at += 12 + length
    data = zlib.decompress(data)
    stride = 3 * width
    above, rows = bytes(stride), []
    for row in range(height):
        start = row * (stride + 1)
        line = bytearray(data[start + 1:start + 1 + stride])
        unfilter(data[start], line, above)
        rows.append([tuple(line[k:k + 3]) for k in range(0, stride, 3)])
        above = line
    return rows


def unfilter(kind, line, above):
    if kind == 0:
        return
    if kind == 2:
        line[:] = bytes((a + b) & 0xff for a, b in zip(line, above))
        return
    for k, byte in enumerate(line):
        left = line[k - 3] if k >= 3 else 0
        corner = above[k - 3] if k >= 3 else 0
        if kind == 4:
            guess = left + above[k] - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - above[k]), 1, above[k]),
                          (abs(guess - corner), 2, corner))[2]
        else:
            nearest = left if kind == 1 else (left + above[k]) // 2
        line[k] = (byte + nearest) & 0xff


def spots(rows, colour):
    """How many connected areas of that colour there are."""
    left = {(i, j) for i, row in enumerate(rows) for j, pixel in enumerate(row) if pixel == colour}
    count = 0
    while left:
        count += 1
        edge = [left.pop()]
        while edge:
            i, j = edge.pop()
            for there in [(i + a, j + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]:
                if there in left:
                    left.remove(there)
                    edge.append(there)
    return count


class PlotTestCase(CliTestCase):
    def plot(self, *args, name="picture.png"):
        """The JSON report and the content of the picture, which is removed."""
        report = json.loads(self.assert_done("plot", *args, "--output", name, "--json").out)
        content = self.content(name)
        self.assertEqual((report["output"], report["file_bytes"]), (name, len(content)))
        os.remove(self.path(name))
        return report, content


class Tables(PlotTestCase):
    def test_half_storage_threads_and_regions_make_no_difference(self):
        rule = ["--rule", "extended", "--rows", "1100", "--cols", "1300"]
        self.compute("full.h5", *rule)
        self.compute("half.h5", *rule, "--half")
        self.compute("window.h5", *rule, "--window", "300:1000,200:1250")
        for args in [[], ["--show", "excess", "--mark-zeros"], ["--region", "700:1100,3:900"],
                     ["--region", "5:6,0:1300"], ["--region", "1000:1050,10:40"]]:
            with self.subTest(args=args):
                full = self.plot("full.h5", *args)[1]
                self.assertEqual(self.plot("half.h5", *args, "--threads", "3")[1], full)
                self.assertEqual(self.plot("full.h5", *args, "--threads", "1")[1], full)
        self.assertEqual(self.plot("full.h5", "--region", "300:1000,200:1250")[1],
                         self.plot("window.h5")[1])

    @needs_h5py
    def test_pixels_are_the_means_of_their_blocks(self):
        self.compute("table.h5", "--rule", "extended", "--rows", "150", "--cols", "330")
        report, content = self.plot("table.h5", "--pixels", "120", "--mark-zeros")
        self.assertEqual((report["block"], report["image"]), ([3, 3], [110, 50]))
        rows = decode_png(content)
        with h5py.File(self.path("table.h5")) as file:
            values = file["grundy"][()].astype(float)
        top = next(i for i, row in enumerate(rows) if MARK in row)  # (0,0) is a zero
        left = rows[top].index(MARK)
        shown = []
        for i in range(50):
            for j in range(110):
                block = values[3 * i:3 * i + 3, 3 * j:3 * j + 3]
                pixel = rows[top + i][left + j]
                self.assertEqual(pixel == MARK, block.min() == 0, (i, j))
                if pixel != MARK:
                    shown.append((block.mean(), pixel))
        self.assertAlmostEqual(max(shown)[0], report["high"])
        # Larger means are lighter, up to the rounding of colours; the same mean is the same colour.
        shown.sort()
        lightness = [0.2126 * (r / 255) ** 2.2 + 0.7152 * (g / 255) ** 2.2
                     + 0.0722 * (b / 255) ** 2.2 for _, (r, g, b) in shown]
        for k in range(1, len(shown)):
            self.assertGreater(lightness[k] - lightness[k - 1], -0.01, shown[k])
            if shown[k][0] == shown[k - 1][0]:
                self.assertEqual(shown[k], shown[k - 1])
        self.assertGreater(lightness[-1] - lightness[0], 0.7)

    def test_cells_of_a_small_region_are_squares(self):
        self.compute("table.h5", "--size", "30")
        report, content = self.plot("table.h5", "--region", "0:8,0:10", "--pixels", "200",
                                    "--mark-zeros")
        self.assertEqual((report["block"], report["image"]), ([1, 1], [200, 160]))
        marked = sum(row.count(MARK) for row in decode_png(content))
        # The zeros with x < 8, y < 10, each 20 x 20 pixels, and the sample in the legend.
        zeros = len([(0, 0), (1, 2), (2, 1), (3, 5), (5, 3), (4, 7), (7, 4)])
        self.assertTrue(400 * zeros < marked < 400 * zeros + 100, marked)

    def test_a_table_of_one_cell_and_very_long_ones(self):
        for rows, cols, block in [(1, 1, [1, 1]), (1, 5000, [1, 5]), (5000, 2, [5, 1])]:
            self.compute("table.h5", "--rows", str(rows), "--cols", str(cols), "--force")
            report, content = self.plot("table.h5")
            self.assertEqual(report["block"], block)
            self.assertGreater(len(decode_png(content)), 100)

    def test_a_large_table_is_not_loaded(self):
        peaks = []
        for size in ["100", "5000"]:
            self.compute("table.h5", "--size", size, "--force", "--half")
            process = self.start("plot", "table.h5", "--output", "picture.png", "--force",
                                 "--quiet", "--threads", "2")
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, DONE)
            peaks.append(usage.ru_maxrss / 1024)
        # Of 48 MiB of values in the file, 95 in memory, little at a time; 1080 x 1080 blocks.
        self.assertLess(peaks[1] - peaks[0], 32)

    @needs_h5py
    def test_files_that_cannot_be_drawn(self):
        def refuse(part, *args, status=INPUT_OUTPUT):
            self.assert_fails(status, ["plot", "table.h5", "--output", "p.png", *args], part)
            self.assertEqual(self.files(), [b"table.h5"])

        self.compute("table.h5", "--rule", "extended", "--size", "60", "--window", "10:60,20:60")
        refuse("--region: 0:60,20:60 reaches beyond what table.h5 has, 10:60,20:60", "--region",
               "0:60,20:60", status=WRONG_USAGE)
        with h5py.File(self.path("table.h5"), "r+") as file:
            file["grundy"][3, 4] = 60000
        refuse("table.h5: the value at (13,24) exceeds x + y")
        self.assert_done("plot", "table.h5", "--region", "10:13,20:60", "--output", "p.png")
        os.remove(self.path("p.png"))
        with h5py.File(self.path("table.h5"), "r+") as file:
            file["grundy"].attrs.modify("complete", 0)
        refuse("table.h5 is not a complete table")
        os.remove(self.path("table.h5"))
        self.assert_done("levels", "--limit", "50", "--output", "table.h5")
        refuse("a list of positions by value")

    def test_progress_is_that_of_cells(self):
        self.compute("table.h5", "--size", "700", "--half")
        result = self.run_grundy("plot", "table.h5", "--output", "p.png", "--progress", "--quiet")
        self.assertEqual((result.status, result.out), (DONE, ""))
        self.assertRegex(result.err, r"\A(plot +\d+\.\d %.*\n)*plot  490000 cells in [^\n]*\n\Z")


class Sets(PlotTestCase):
    def test_positions_of_each_level_are_spots_of_its_colour(self):
        report, content = self.plot("--levels", "3", "--limit", "12", "--pixels", "720")
        self.assertEqual((report["rule"], report["limit"], report["levels"]), ("classic", 12, 3))
        listed = self.assert_done("levels", "--values", "0-2", "--limit", "12").out.splitlines()
        rows = decode_png(content)
        for value, colour in enumerate(COLOURS):
            positions = sum(line.endswith(f" {value}") for line in listed)
            self.assertEqual(spots(rows, colour), positions + 1, value)  # and one in the legend

    def test_p_positions_of_several_rules(self):
        report, content = self.plot("--positions", "--limit", "20", "--pixels", "400")
        self.assertEqual(report["rules"], ["classic", "extended"])
        self.assertEqual(spots(decode_png(content), COLOURS[0]), 15 + 1)
        report, content = self.plot("--positions", "--rule", "cells:3,4;1,1", "--limit", "20")
        self.assertEqual(report["rules"], ["cells:0,0;1,1;3,4"])

    def test_exceptions_of_both_kinds(self):
        report, content = self.plot("--exceptions", "--limit", "16", "--pixels", "720")
        self.assertEqual((report["rule"], report["exception_count"], report["threshold"],
                          report["holds"]), ("extended", 10, 8, True))
        rows = decode_png(content)
        self.assertEqual(spots(rows, COLOURS[1]), 5 + 1)
        self.assertEqual(spots(rows, PURPLE), 5 + 1)
        report, _ = self.plot("--exceptions", "--rule", "triangle:4", "--limit", "5000")
        self.assertFalse(report["holds"])
        self.plot("--exceptions", "--limit", "16", "--log")

    def test_formats_are_those_of_the_names(self):
        args = ["--exceptions", "--limit", "16"]
        self.assertTrue(self.plot(*args, name="p.pdf")[1].startswith(b"%PDF-"))
        svg = self.plot(*args, name="p.svg")[1].decode()
        self.assertTrue(svg.startswith("<?xml") and svg.rstrip().endswith("</svg>"))

    def test_a_title_replaces_the_standard_one(self):
        args = ["--levels", "1", "--limit", "9"]
        pictures = {self.plot(*args)[1], self.plot(*args, "--title", "Own")[1],
                    self.plot(*args, "--title", "")[1]}
        self.assertEqual(len(pictures), 3)
        heights = sorted(struct.unpack(">I", picture[20:24])[0] for picture in pictures)
        self.assertLess(heights[0], heights[1])
        self.assertEqual(heights[1], heights[2])


class Output(PlotTestCase):
    ARGS = ["plot", "--levels", "2", "--limit", "9", "--output"]

    def test_existing_pictures_are_kept_without_force(self):
        self.write("p.png", b"mine")
        self.assert_fails(INPUT_OUTPUT, [*self.ARGS, "p.png"], "p.png exists; --force replaces it")
        self.assertEqual(self.content("p.png"), b"mine")
        self.assert_done(*self.ARGS, "p.png", "--force", "--quiet")
        self.assertTrue(self.content("p.png").startswith(b"\x89PNG"))
        self.assertEqual(self.files(), [b"p.png"])

    def test_names_that_cannot_be_written_leave_nothing(self):
        self.assert_fails(INPUT_OUTPUT, [*self.ARGS, "missing/p.png"], "missing/p.png")
        for name in ["", "p.jpg", "png", "p.png.gz"]:
            self.assert_fails(WRONG_USAGE, [*self.ARGS, name], "--output")
        self.assertEqual(self.files(), [])

    def test_full_standard_output_is_an_error(self):
        with open("/dev/full", "wb") as full:
            result = self.run_grundy(*self.ARGS, "p.png", stdout=full)
        self.assertEqual(result.status, INPUT_OUTPUT)
        self.check_message(result, "standard output")

    def test_an_interrupted_run_leaves_nothing(self):
        process = self.start("plot", "--exceptions", "--limit", "4000000000", "--output", "p.png")
        deadline = time.monotonic() + TIMEOUT_S
        while not os.path.exists(self.path("p.png.partial")):
            self.assertIsNone(process.poll(), "the run ended early")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        result = self.finish(process)
        self.assertEqual((result.status, result.out), (-signal.SIGTERM, ""))
        self.check_message(result, "interrupted")
        self.assertEqual(self.files(), [])


class WrongUsage(PlotTestCase):
    def test_what_cannot_be_meant(self):
        for part, *args in [
                ("what is to be shown", ), ("what is to be shown", "t.h5", "--positions"),
                ("what is to be shown", "--levels", "3", "--exceptions"),
                ("--region", "--positions", "--region", "0:5,0:5"),
                ("--show", "--levels", "2", "--show", "excess"),
                ("--threads", "--exceptions", "--threads", "2"),
                ("--mark-zeros", "--exceptions", "--mark-zeros"),
                ("--log", "--positions", "--log"), ("--rule", "t.h5", "--rule", "classic"), ("--limit", "t.h5", "--limit", "9"),
                ("--show", "t.h5", "--show", "colour"), ("'0:0,0:5'", "t.h5", "--region", "0:0,0:5"),
                ("--threads", "t.h5", "--threads", "0"),
                ("--pixels: 99", "--positions", "--pixels", "99"),
                ("--pixels: 4097", "--positions", "--pixels", "4097"),
                ("'wide'", "--positions", "--pixels", "wide"),
                ("1 to 8 values", "--levels", "0"), ("not 9", "--levels", "9"),
                ("'two'", "--levels", "two"), ("limit of 0", "--positions", "--limit", "0"),
                ("at most 100000 here", "--positions", "--limit", "100001"),
                ("a picture shows at most 200000", "--exceptions", "--rule", "classic", "--limit",
                 "1000000"),
                ("--title: 301 bytes", "--positions", "--title", "a" * 301),
                ("not UTF-8", "--positions", "--title", b"\xff"),
                ("2^62", "--exceptions", "--limit", str(2**62)),
                ("'nim'", "--levels", "2", "--rule", "nim"),
                ("several rules", "--levels", "2", "--rule", "classic", "--rule", "extended"),
                ("at most 4", "--positions", *["--rule", "classic"] * 5),
                ("seven", "t.h5", "seven")]:
            with self.subTest(args=args):
                self.assert_fails(WRONG_USAGE, ["plot", *args, "--output", "p.png"], part)
        self.assert_fails(WRONG_USAGE, ["plot", "--positions"], "--output")
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    unittest.main()
