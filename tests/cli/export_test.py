#!/usr/bin/python3
"""grundy export and grundy compare, as other programs see them. GRUNDY_PROGRAM names the program."""

import csv
import io
import json
import os
import pty
import re
import resource
import signal
import subprocess
import time
import unittest

from cli_test import (CHECK_FAILED, DEVICE, DONE, INPUT_OUTPUT, TIMEOUT_S, WRONG_USAGE, CliTestCase,
                      limit, naive_table, needs_h5py)

try:
    import h5py
    import numpy
except ImportError:
    h5py = None

FACTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support/reference_data.hpp")
EXCEPTIONS = [[0, 0], [0, 3], [3, 0], [3, 5], [4, 4], [4, 7], [5, 3], [5, 7], [7, 4], [7, 5]]


def oeis():
    """The terms of each sequence that the C++ tests know, by its number."""
    with open(FACTS, encoding="utf-8") as file:
        found = re.findall(r"> (kA\d{6})\{([\d,\s]*)\};", file.read())
    return {name[1:]: [int(term) for term in terms.split(",")] for name, terms in found}


def b_file(terms):
    return "".join(f"{n} {term}\n" for n, term in enumerate(terms))


class ExportTestCase(CliTestCase):
    def export(self, *args, **options):
        return self.assert_done("export", *args, **options).out

    def make_files(self, size=300):
        self.compute("full.h5", "--size", str(size))
        self.compute("half.h5", "--size", str(size), "--half")
        self.compute("window.h5", "--size", str(size), "--window", "20:120,70:250")

    def edit(self, name):
        return h5py.File(self.path(name), "r+")


class Oeis(ExportTestCase):
    SEQUENCES = {"A004481": ["--antidiagonals"], "A317205": ["--triangle"],
                 "A004482": ["--row", "1"], "A004483": ["--row", "2"], "A004484": ["--row", "3"],
                 "A004485": ["--row", "4"], "A004486": ["--column", "5"],
                 "A004487": ["--column", "6"], "A047708": ["--diagonal", "0"]}

    def sources(self):
        self.make_files()
        return ["full.h5"], ["half.h5"], ["--size", "300"], ["--size", "300", "--rule", "classic"]

    def test_b_files_are_the_published_sequences(self):
        facts = oeis()
        self.assertLessEqual(set(self.SEQUENCES), set(facts))
        for source in self.sources():
            for name, order in self.SEQUENCES.items():
                with self.subTest(source=source, sequence=name):
                    text = self.export(*source, *order, "--format", "b-file", "--terms",
                                       str(len(facts[name])))
                    comment, terms = text.split("\n", 1)
                    self.assertRegex(comment, r"\A# a\(n\) = G\(.*classic")
                    self.assertEqual(terms, b_file(facts[name]))

    def test_sequences_that_follow_from_exported_ones(self):
        facts = oeis()
        for source in self.sources():
            zeros = csv.DictReader(io.StringIO(self.export(*source, "--levels", "0")))
            partner = {int(row["x"]): int(row["y"]) for row in zeros}
            self.assertEqual([partner[n] for n in range(len(facts["A002251"]))], facts["A002251"])
            lines = self.export(*source, "--diagonal", "0", "--format", "b-file", "--no-header")
            place = {int(value): int(n) for n, value in map(str.split, lines.splitlines())}
            self.assertEqual([place[n] for n in range(len(facts["A048850"]))], facts["A048850"])

    def test_b_files_end_where_the_table_ends(self):
        self.compute("wide.h5", "--rows", "5", "--cols", "30")
        for order, terms in [("--antidiagonals", 15), ("--triangle", 15)]:
            text = self.export("wide.h5", order, "--format", "b-file", "--no-header")
            self.assertEqual(text, b_file(oeis()[{"--triangle": "A317205"}.get(order, "A004481")]
                                          [:terms]))
            self.assert_fails(WRONG_USAGE, ["export", "wide.h5", order, "--terms", "16"],
                              "only 15 can be read")
        text = self.export("wide.h5", "--row", "1", "-o", "b004482.txt", "--quiet")
        self.assertEqual(text, "")
        self.assertIn(b_file(oeis()["A004482"][:30]), self.content("b004482.txt").decode())

    def test_anti_diagonals_go_from_the_first_row_down(self):
        """Where the rule is not symmetric, the order of reading matters."""
        table = naive_table({(0, 1), (3, 2)}, 12, 12)
        text = self.export("--rule", "cells:0,1;3,2", "--size", "12", "--antidiagonals",
                           "--format", "b-file", "--no-header")
        self.assertEqual(text, b_file([table[x][s - x] for s in range(12) for x in range(s + 1)]))


@needs_h5py
class Formats(ExportTestCase):
    def regions(self):
        """(file, arguments, cells, first position) of each kind of storage, whole and in part."""
        self.make_files()
        with h5py.File(self.path("full.h5")) as file:
            cells = file["grundy"][...]
        yield "full.h5", [], cells, (0, 0)
        yield "half.h5", [], cells, (0, 0)
        yield "window.h5", [], cells[20:120, 70:250], (20, 70)
        for name in ["full.h5", "half.h5", "window.h5"]:
            yield name, ["--region", "90:115,80:200"], cells[90:115, 80:200], (90, 80)
        yield "half.h5", ["--region", "200:203,5:6"], cells[200:203, 5:6], (200, 5)

    def test_csv_is_a_matrix_with_names(self):
        for name, args, cells, (x0, y0) in self.regions():
            rows = list(csv.reader(io.StringIO(self.export(name, *args))))
            self.assertEqual(rows[0], ["x", *map(str, range(y0, y0 + cells.shape[1]))])
            self.assertEqual([row[0] for row in rows[1:]],
                             [str(x) for x in range(x0, x0 + cells.shape[0])])
            self.assertEqual([list(map(int, row[1:])) for row in rows[1:]], cells.tolist())
            bare = self.export(name, *args, "--no-header")
            numpy.testing.assert_array_equal(
                numpy.loadtxt(io.StringIO(bare), delimiter=",", dtype=int, ndmin=2), cells)

    def test_csv_as_a_list_of_positions(self):
        for name, args, cells, (x0, y0) in self.regions():
            expected = [[x0 + x, y0 + y, value] for x, row in enumerate(cells.tolist())
                        for y, value in enumerate(row)]
            text = self.export(name, *args, "--long")
            self.assertTrue(text.startswith("x,y,value\n"))
            rows = [list(map(int, row)) for row in csv.reader(text.splitlines()[1:])]
            self.assertEqual(rows, expected)
            few = self.export(name, *args, "--levels", "3-90", "--no-header")
            self.assertEqual([list(map(int, row)) for row in csv.reader(few.splitlines())],
                             [row for row in expected if 3 <= row[2] <= 90])

    def test_npy_is_loaded_by_numpy(self):
        for name, args, cells, _ in self.regions():
            self.export(name, *args, "--output", "t.npy", "--force", "--quiet")
            loaded = numpy.load(self.path("t.npy"), allow_pickle=False)
            self.assertEqual((loaded.dtype, loaded.flags.c_contiguous),
                             (numpy.dtype("<u2"), True))
            numpy.testing.assert_array_equal(loaded, cells)
            numpy.testing.assert_array_equal(
                numpy.load(self.path("t.npy"), mmap_mode="r")[-1], cells[-1])
            process = self.start("export", name, *args, "--format", "npy")
            out, err = process.communicate(timeout=TIMEOUT_S)
            self.assertEqual((process.returncode, err, out), (DONE, b"", self.content("t.npy")))
        self.export("full.h5", "--diagonal", "-4", "-o", "d.npy", "--quiet")
        numpy.testing.assert_array_equal(numpy.load(self.path("d.npy")), cells_diagonal(self, -4))

    def test_npy_has_the_type_of_the_file(self):
        for cols, kind in [(65534, "<u2"), (65535, "<u4")]:
            self.compute("t.h5", "--rows", "2", "--cols", str(cols), "--force")
            for source in [["t.h5"], ["--rows", "2", "--cols", str(cols)]]:
                self.export(*source, "--region", f"0:1,{cols - 5}:{cols}", "-o", "t.npy", "--force",
                            "--quiet")
                loaded = numpy.load(self.path("t.npy"))
                self.assertEqual((loaded.dtype, loaded.tolist()),
                                 (numpy.dtype(kind), [list(range(cols - 5, cols))]))

    def test_windows_number_their_terms_by_the_coordinate(self):
        self.make_files()
        text = self.export("window.h5", "--row", "40", "--format", "b-file", "--no-header")
        whole = self.export("full.h5", "--row", "40", "--format", "b-file", "--no-header")
        self.assertEqual(text.splitlines(), whole.splitlines()[70:250])

    def test_far_positions(self):
        self.compute("t.h5", "--size", "20", "--force")
        x0, y0 = 2_000_000_000, 2_100_000_000
        with self.edit("t.h5") as file:
            attributes = dict(file["grundy"].attrs)
            del file["grundy"]
            cells = numpy.arange(4_000_000_000, 4_000_000_600, dtype="<u4").reshape(20, 30)
            table = file.create_dataset("grundy", data=cells, chunks=(7, 8))
            for name, value in attributes.items():
                table.attrs[name] = value
            table.attrs["first_x"], table.attrs["first_y"] = numpy.uint64(x0), numpy.uint64(y0)
        rows = self.export("t.h5", "--long", "--no-header").splitlines()
        self.assertEqual(rows, [f"{x0 + i // 30},{y0 + i % 30},{4_000_000_000 + i}"
                                for i in range(600)])
        text = self.export("t.h5", "--diagonal", str(y0 - x0 - 2), "--format", "b-file",
                           "--no-header")
        self.assertEqual(text.splitlines()[0], f"{x0 + 2} 4000000060")
        self.assertEqual(self.export("t.h5", "--levels", "4000000599", "--no-header"),
                         f"{x0 + 19},{y0 + 29},4000000599\n")
        self.assert_done("compare", "t.h5", "t.h5")

    def test_large_regions_take_little_memory(self):
        """A file of 65536 x 65536 positions, made of one chunk written again and again."""
        side = 65536
        self.compute("t.h5", "--rule", "classic", "--size", "20")
        with self.edit("t.h5") as file:
            attributes = dict(file["grundy"].attrs)
            del file["grundy"]
            table = file.create_dataset("grundy", (side, side), "<u4", chunks=(512, 512),
                                        compression=1, fillvalue=0xFFFFFFFF)
            table[:512, :512] = numpy.arange(512 * 512).reshape(512, 512) % 1000
            _, chunk = table.id.read_direct_chunk((0, 0))
            for x in range(0, 2048, 512):
                for y in range(0, side, 512):
                    table.id.write_direct_chunk((x, y), chunk)
            for name, value in attributes.items():
                table.attrs[name] = value
        # 512 MiB of values in each.
        for args in [["export", "t.h5", "--format", "npy"], ["compare", "t.h5", "t.h5"]]:
            args += ["--region", f"0:2048,0:{side}", "--threads", "2"]
            with self.subTest(args=args):
                process = self.start(*args, stdout=subprocess.DEVNULL)
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                self.assertEqual((process.returncode, process.stderr.read()), (DONE, b""))
                self.assertLess(usage.ru_maxrss, 256 << 10)


def cells_diagonal(case, offset):
    with h5py.File(case.path("full.h5")) as file:
        return numpy.diagonal(file["grundy"][...], offset)


class Output(ExportTestCase):
    def test_a_closed_pipe_ends_it_quietly(self):
        self.compute("t.h5", "--size", "1000")
        for args in [[], ["--long"], ["--format", "npy"], ["--antidiagonals", "--format", "b-file"]]:
            with self.subTest(args=args):
                process = self.start("export", "t.h5", *args)
                self.assertTrue(process.stdout.readline())
                process.stdout.close()
                self.assertEqual(process.stderr.read(), b"")
                self.assertEqual(process.wait(TIMEOUT_S), -signal.SIGPIPE)
        # Who has it ignore the signal gets an error.
        process = self.start("export", "t.h5", restore_signals=False,
                             preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN))
        process.stdout.close()
        self.assertRegex(process.stderr.read(), rb"\Agrundy: .*standard output: Broken pipe\n\Z")
        self.assertEqual(process.wait(TIMEOUT_S), INPUT_OUTPUT)

    def test_full_standard_output_is_an_error(self):
        self.compute("t.h5", "--size", "200")
        for args in [["--region", "0:2,0:2"], [], ["--format", "npy"], ["--levels", "0"]]:
            with self.subTest(args=args), open("/dev/full", "wb") as full:
                result = self.run_grundy("export", "t.h5", *args, stdout=full)
                self.assertEqual(result.status, INPUT_OUTPUT)
                self.check_message(result, "standard output: No space left on device")
        with open("/dev/full", "wb") as full:
            result = self.run_grundy("compare", "t.h5", "t.h5", stdout=full)
            self.assertEqual(result.status, INPUT_OUTPUT)

    def test_failing_writes_leave_nothing(self):
        self.compute("t.h5", "--size", "500")
        for args in [[], ["--format", "npy"]]:
            self.assert_fails(INPUT_OUTPUT, ["export", "t.h5", "-o", "out", *args],
                              "out.partial: File too large",
                              preexec_fn=limit(resource.RLIMIT_FSIZE, 300_000))
            self.assertEqual(self.files(), [b"t.h5"])

    def test_existing_files_are_kept_without_force(self):
        self.compute("t.h5", "--size", "20")
        self.write("out.csv", b"old")
        self.assert_fails(INPUT_OUTPUT, ["export", "t.h5", "-o", "out.csv"], "out.csv exists")
        self.assertEqual(self.content("out.csv"), b"old")
        self.export("t.h5", "--output", "out.csv", "--force")
        self.assertEqual(self.content("out.csv").count(b"\n"), 21)
        self.assertEqual(self.files(), [b"out.csv", b"t.h5"])

    def test_the_table_is_never_replaced_by_its_export(self):
        self.compute("t.h5", "--size", "20")
        os.link(self.path("t.h5"), self.path("same"))
        os.link(self.path("t.h5"), self.path("x.partial"))
        before = self.content("t.h5")
        for output in ["t.h5", "./t.h5", "same", "x"]:
            self.assert_fails(WRONG_USAGE, ["export", "t.h5", "--force", "-o", output], "the table")
        self.assertEqual(self.content("t.h5"), before)
        self.assertEqual(self.files(), [b"same", b"t.h5", b"x.partial"])

    def test_impossible_outputs(self):
        os.mkdir(self.path("folder"))
        for output in ["folder", "missing/out.csv", "a" * 300]:
            self.assert_fails(INPUT_OUTPUT, ["export", "--size", "5", "-o", output], output[:60])
        self.assert_fails(WRONG_USAGE, ["export", "--size", "5", "-o", ""], "empty")
        self.assertEqual(self.files(), [b"folder"])

    def test_reports_of_files_that_were_written(self):
        self.compute("t.h5", "--size", "30")
        text = self.export("t.h5", "-o", "a.csv")
        self.assertEqual(text, "900 positions of classic as csv: written to a.csv, %d bytes\n"
                         % len(self.content("a.csv")))
        report = json.loads(self.export("t.h5", "-o", "a.npy", "--json", "--row", "3"))
        self.assertGreater(report.pop("seconds"), 0)
        self.assertEqual(report, {"source": "t.h5", "rule": "classic", "format": "npy",
                                  "positions": 30, "output": "a.npy",
                                  "bytes": len(self.content("a.npy"))})
        self.assertEqual(self.export("t.h5", "-o", "b.csv", "--quiet"), "")

    def test_progress_is_not_in_the_way(self):
        self.compute("t.h5", "--size", "300")
        result = self.run_grundy("export", "t.h5", "--progress")
        self.assertEqual((result.status, result.out), (DONE, self.export("t.h5")))
        self.assertRegex(result.err, r"\Aexport  90000 values in \d+\.\d s, .* values/s\n\Z")
        result = self.run_grundy("compare", "t.h5", "t.h5", "--progress", "--json")
        self.assertTrue(json.loads(result.out)["holds"])
        self.assertRegex(result.err, r"\Acompare  90000 cells in \d+\.\d s, .* cells/s\n\Z")

    def test_no_binary_numbers_on_a_terminal(self):
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        result = self.run_grundy("export", "--size", "5", "--format", "npy", stdout=theirs)
        os.close(theirs)
        self.assertEqual(result.status, WRONG_USAGE)
        self.check_message(result, "--output")

    def test_interrupts_leave_nothing(self):
        process = self.start("export", "--size", "4000", "--engine", "reference", "-o", "t.csv")
        deadline = time.monotonic() + TIMEOUT_S
        while not os.path.exists(self.path("t.csv.partial")):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.005)
        process.send_signal(signal.SIGTERM)
        result = self.finish(process)
        self.assertEqual(result.status, -signal.SIGTERM)
        self.check_message(result, "nothing is left of t.csv")
        self.assertEqual(self.files(), [])

    def test_to_a_pipe_an_interrupt_ends_it_at_once(self):
        """Even while nobody reads."""
        process = self.start("export", "--size", "1500")
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(TIMEOUT_S), -signal.SIGINT)

    def test_computed_tables_without_enough_memory(self):
        self.assert_fails(DEVICE, ["export", "--size", "2000000", "-o", "t.csv"], "memory")
        self.assertEqual(self.files(), [])

    def test_values_that_are_few_are_computed_alone(self):
        """Of a table that is too large for any memory."""
        text = self.export("--size", "2000000000", "--row", "1", "--terms", "61",
                           "--format", "b-file", "--no-header")
        self.assertEqual(text, b_file(oeis()["A004482"][:61]))


class WrongUsage(ExportTestCase):
    def refuse(self, part, *args):
        with self.subTest(args=args):
            self.assert_fails(WRONG_USAGE, args, part)

    def test_exports_that_cannot_be_meant(self):
        self.make_files(300)
        files = self.files()
        for part, *args in [
                ["--size"], ["how large", "--rule", "classic", "--rows", "5"],
                ["--size is for a table to compute", "full.h5", "--size", "5"],
                ["--rule is for", "full.h5", "--rule", "classic"],
                ["--engine is for", "full.h5", "--engine", "cpu"],
                ["'xls'", "full.h5", "--format", "xls"], ["''", "full.h5", "--format", ""],
                ["is a sequence: give --row", "full.h5", "--format", "b-file"],
                ["which .txt stands for, is a sequence", "full.h5", "-o", "b1.txt"],
                ["--levels", "full.h5", "--format", "npy", "--levels", "0"],
                ["--long", "full.h5", "--format", "b-file", "--row", "0", "--long"],
                ["--no-header", "full.h5", "--format", "npy", "--no-header"],
                ["'x'", "full.h5", "--levels", "x"], ["3-2", "full.h5", "--levels", "3-2"],
                ["4294967295 is too large", "full.h5", "--levels", "4294967295"],
                ["give one of", "full.h5", "--row", "1", "--column", "2"],
                ["give one of", "full.h5", "--antidiagonals", "--triangle"],
                ["--terms", "full.h5", "--terms", "5"],
                ["at least 1", "full.h5", "--row", "5", "--terms", "0"],
                ["only 300", "full.h5", "--row", "5", "--terms", "301"],
                ["row 300", "full.h5", "--row", "300"], ["'-1'", "full.h5", "--row", "-1"],
                ["column 400", "half.h5", "--column", "400"],
                ["y - x = 300", "full.h5", "--diagonal", "300"],
                ["y - x = -300", "full.h5", "--diagonal", "-300"],
                ["'-5'", "full.h5", "--diagonal", "--5"], ["''", "full.h5", "--diagonal", "-"],
                ["too large", "full.h5", "--diagonal", "99999999999999999999"],
                ["(0,0)", "window.h5", "--antidiagonals"], ["(0,0)", "window.h5", "--triangle"],
                ["(0,0)", "full.h5", "--antidiagonals", "--region", "1:5,0:5"],
                ["window.h5 has the positions 20:120,70:250", "window.h5", "--region", "0:5,0:5"],
                ["has the positions", "full.h5", "--region", "0:301,0:5"],
                ["no region", "full.h5", "--region", "5:5,0:1"],
                ["beyond the table", "--size", "10", "--region", "0:11,0:5"],
                ["--json", "full.h5", "--json"], ["--force", "full.h5", "--force"],
                ["two.h5", "full.h5", "two.h5"]]:
            self.refuse(part, "export", *args)
        self.assertEqual(self.files(), files)

    def test_comparisons_that_cannot_be_meant(self):
        self.make_files(300)
        self.compute("corner.h5", "--size", "20")
        for part, *args in [
                ["FILE_B", "full.h5"], ["none in common", "window.h5", "corner.h5"],
                ["only the positions 20:120,70:250", "full.h5", "window.h5", "--region", "0:9,0:9"],
                ["no position is left", "full.h5", "half.h5", "--except", "0:300,0:300"],
                ["no position is left", "full.h5", "half.h5", "--region", "4:6,4:6", "--except",
                 "4:6,4:7"],
                ["'A=B'", "full.h5", "half.h5", "--relation", "A=B"],
                ["table A only", "full.h5", "half.h5", "--relation", "A=1 iff A=2"],
                ["'x'", "full.h5", "half.h5", "--list", "x"],
                ["too large", "full.h5", "half.h5", "--list", "1000001"],
                ["--threads", "full.h5", "half.h5", "--threads", "0"]]:
            self.refuse(part, "compare", *args)

    @needs_h5py
    def test_files_that_cannot_be_read(self):
        self.compute("t.h5", "--size", "60")
        self.compute("part.h5", "--size", "60")
        with self.edit("part.h5") as file:
            file["grundy"].attrs["complete"] = numpy.uint64(0)
        self.compute("holes.h5", "--size", "60")
        with self.edit("holes.h5") as file:
            file["grundy"][17, 40] = 65535
        damaged = bytearray(self.content("t.h5"))
        with h5py.File(self.path("t.h5")) as file:
            chunk = file["grundy"].id.get_chunk_info(0)
        damaged[chunk.byte_offset + chunk.size // 2] ^= 4
        self.write("damaged.h5", damaged)
        self.write("text.h5", b"no table\n" * 100)
        files = self.files()
        for name, part in [("part.h5", "part.h5 is not a complete table"), ("missing.h5", "No such"),
                           ("holes.h5", "no value for position (17,40)"),
                           ("damaged.h5", "damaged.h5"), ("text.h5", "not an HDF5 file")]:
            for args in [["export", name, "-o", "out.csv"], ["compare", "t.h5", name],
                         ["compare", name, "t.h5"]]:
                with self.subTest(args=args):
                    self.assert_fails(INPUT_OUTPUT, args, part)
        self.assertEqual(self.files(), files)


class Compare(ExportTestCase):
    def report(self, *args, status=DONE):
        result = self.run_grundy("compare", *args, "--json")
        self.assertEqual((result.status, result.err), (status, ""))
        return json.loads(result.out)

    def test_engines_and_kinds_of_storage_agree(self):
        self.make_files()
        self.compute("reference.h5", "--size", "250", "--engine", "reference")
        for a, b, positions in [("full.h5", "half.h5", 90_000), ("window.h5", "half.h5", 18_000),
                                ("reference.h5", "half.h5", 62_500)]:
            report = self.report(a, b)
            self.assertEqual((report["positions"], report["equal"], report["different"]),
                             (positions, positions, {"count": 0, "first": []}))
            self.assertIs(report["holds"], True)
            self.assertNotIn("farthest", report)
        self.assertEqual((report["a"]["engine"], report["region"]), ("reference", "0:250,0:250"))
        self.assertIn("equal at all 18000 positions of 20:120,70:250\n",
                      self.assert_done("compare", "full.h5", "window.h5").out)

    @needs_h5py
    def test_differing_positions_are_counted_and_listed(self):
        self.make_files()
        with self.edit("full.h5") as file:
            changed = [(3, 290), (100, 70), (100, 71), (119, 249), (299, 0)]
            was = [int(file["grundy"][cell]) for cell in changed]
            for k, cell in enumerate(changed):
                file["grundy"][cell] = was[k] + [1, 3000, 2, 3000, 5][k]
            cells = [[*cell, was[k] + [1, 3000, 2, 3000, 5][k], was[k]]
                     for k, cell in enumerate(changed)]
        report = self.report("full.h5", "half.h5", status=CHECK_FAILED)
        self.assertEqual(report["different"], {"count": 5, "first": cells})
        self.assertEqual((report["farthest"], report["equal"], report["holds"]),
                         (cells[1], 89_995, False))
        report = self.report("full.h5", "window.h5", "--list", "2", status=CHECK_FAILED)
        self.assertEqual(report["different"], {"count": 3, "first": cells[1:3]})
        report = self.report("full.h5", "half.h5", "--region", "100:120,0:100", "--except",
                             "100:101,70:71", "--list", "0", status=CHECK_FAILED)
        self.assertEqual((report["positions"], report["different"]),
                         (1999, {"count": 1, "first": []}))
        self.report("full.h5", "half.h5", "--region", "4:100,0:300")
        result = self.run_grundy("compare", "full.h5", "half.h5", "--list", "3")
        self.assertEqual((result.status, result.err), (CHECK_FAILED, ""))
        self.assertIn("DIFFERENT at 5 of 90000 positions of 0:300,0:300, equal at 89995\n"
                      "farthest apart at (100,70): A=%d B=%d\n" % tuple(cells[1][2:]), result.out)
        self.assertEqual(re.findall(r"^  (\S.*)$", result.out, re.MULTILINE),
                         ["(%d,%d) A=%d B=%d" % tuple(cell) for cell in cells[:3]] + ["..."])

    def test_the_theorem_as_a_relation_of_two_files(self):
        self.compute("extended.h5", "--rule", "extended", "--size", "400", "--half")
        self.compute("classic.h5", "--rule", "classic", "--rows", "500", "--cols", "400")
        files = ["extended.h5", "classic.h5"]
        whole = self.report(*files, "--relation", "A=1 iff B=0", status=CHECK_FAILED)
        found = whole["condition_only"]["first"] + whole["conclusion_only"]["first"]
        self.assertEqual(sorted(cell[:2] for cell in found), EXCEPTIONS)
        self.assertEqual((whole["violations"], whole["positions"]), (10, 160_000))
        outside = self.report(*files, "--relation", "A=1 iff B=0", "--except", "0:8,0:8")
        self.assertEqual((outside["violations"], outside["holds"], outside["positions"]),
                         (0, True, 159_936))
        self.assertEqual(outside["both"], outside["condition"])
        self.assertGreater(outside["both"], 250)
        self.report(*reversed(files), "--relation", "B=1 iff A=0", "--except", "0:8,0:8")
        one_way = self.report(*files, "--relation", "A=1 where B=0", status=CHECK_FAILED)
        self.assertEqual(one_way["violations"], 5)
        text = self.run_grundy("compare", *files, "--relation", "A=1 where B=0").out
        self.assertIn("\nA=1 where B=0: VIOLATED at 5 of 160000 positions of 0:400,0:400\n", text)
        self.assertIn("\nB=0 without A=1: 5\n  (0,0) A=0 B=0\n  (3,5) ", text)
        self.assertNotIn("A=1 without B=0", text)

    def test_quiet_leaves_the_exit_status(self):
        self.compute("a.h5", "--size", "20")
        self.compute("b.h5", "--size", "20", "--rule", "extended")
        self.assertEqual(self.run_grundy("compare", "a.h5", "b.h5", "--quiet"),
                         (CHECK_FAILED, "", ""))
        self.assertEqual(self.run_grundy("compare", "a.h5", "a.h5", "--quiet"), (DONE, "", ""))


if __name__ == "__main__":
    unittest.main()
