#!/usr/bin/python3
"""Runs the examples of documents, as they stand there, on files made by the program.

Blocks marked python and sh are run in one folder, in order; a block marked text that follows one is
what it has to print. GRUNDY_PROGRAM names the program. Exit status 77 (skipped) without h5py or
h5dump.
"""

import collections
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
    import numpy
except ImportError:
    h5py = None

PROGRAM = os.path.abspath(os.environ.get("GRUNDY_PROGRAM", "grundy"))
DOCUMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs")
TIMEOUT_S = 120
WRONG_USAGE = 2


def blocks(name):
    """(language, text, what the next block says it prints) of each block that can be run."""
    with open(os.path.join(DOCUMENTS, name), encoding="utf-8") as file:
        found = re.findall(r"^```(\w+)\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
    for (language, text), (next_language, next_text) in zip(found, found[1:] + [("", "")]):
        if language in ("python", "sh"):
            yield language, text, next_text if next_language == "text" else None


class FormatExamples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="grundy-format-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.mkdir(os.path.join(self.folder, "bin"))
        os.symlink(PROGRAM, os.path.join(self.folder, "bin", "grundy"))

    def run_command(self, command):
        path = os.path.join(self.folder, "bin") + os.pathsep + os.environ["PATH"]
        return subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, "PATH": path}, timeout=TIMEOUT_S, check=False)

    def copy_with(self, output, region, half):
        """What the program writes with --window and --half, by h5py: for builds without them."""
        (x0, x1), (y0, y1) = region
        with h5py.File(os.path.join(self.folder, "extended.h5")) as full, \
                h5py.File(os.path.join(self.folder, output), "w", libver="v110") as file:
            source = full["grundy"]
            values = source[x0:x1, y0:y1]
            if half:
                values[numpy.tril_indices(len(values), -1)] = source.fillvalue
            table = file.create_dataset("grundy", data=values, chunks=(64, 64), shuffle=True,
                                        compression=4, fletcher32=True,
                                        fillvalue=source.fillvalue)
            for name, value in source.attrs.items():
                table.attrs[name] = value
            table.attrs["first_x"] = numpy.uint64(x0)
            table.attrs["first_y"] = numpy.uint64(y0)
            table.attrs["storage"] = numpy.bytes_("half" if half else "full")

    def run_shell(self, text):
        out = ""
        for line in text.splitlines():
            result = self.run_command(["sh", "-c", line])
            words = shlex.split(line)
            if result.returncode == WRONG_USAGE and words[:2] == ["grundy", "compute"]:
                output = words[words.index("--output") + 1]
                if "--window" in words:
                    region = [tuple(map(int, side.split(":")))
                              for side in words[words.index("--window") + 1].split(",")]
                    self.copy_with(output, region, False)
                    continue
                if "--half" in words:
                    self.copy_with(output, [(0, 1000), (0, 1000)], True)
                    continue
            self.assertEqual((result.returncode, result.stderr), (0, b""), line)
            self.assertTrue(result.stdout or "--quiet" in words, line)
            out += result.stdout.decode()
        return out

    def test_blocks_of_format_md_do_and_print_what_it_says(self):
        self.run_blocks("format.md", {"python": 5, "sh": 2})

    def test_blocks_of_export_md_do_and_print_what_it_says(self):
        self.run_blocks("export.md", {"python": 1, "sh": 6})

    def run_blocks(self, document, expected_blocks):
        ran = collections.Counter()
        for language, text, expected in blocks(document):
            with self.subTest(language=language, text=text):
                if language == "sh":
                    out = self.run_shell(text)
                else:
                    result = self.run_command([sys.executable, "-B", "-c", text])
                    self.assertEqual((result.returncode, result.stderr.decode()), (0, ""))
                    out = result.stdout.decode()
                    self.assertIsNotNone(expected, "an example that says what it prints")
                if expected is not None:
                    self.assertEqual(out, expected)
            ran[language] += 1
        self.assertEqual(ran, expected_blocks, "the examples are not where they are sought")

    def test_repacked_files_verify(self):
        subprocess.run([PROGRAM, "compute", "--quiet", "--rule", "extended", "--size", "300",
                        "--output", "t.h5"], cwd=self.folder, check=True)
        for options in [["-f", "GZIP=9"], ["-f", "NONE"], ["-l", "CHUNK=100x37"],
                        ["-f", "SHUF", "-f", "GZIP=1", "-l", "CHUNK=1x300"], ["-L"]]:
            with self.subTest(options=options):
                result = self.run_command(["h5repack", *options, "t.h5", "r.h5"])
                self.assertEqual(result.returncode, 0, result)
                result = self.run_command(["grundy", "verify", "r.h5"])
                self.assertEqual((result.returncode, result.stderr), (0, b""), result.stdout)

    def test_checksums_and_filters_are_as_described(self):
        """A reader of chunks written from the description alone."""
        import zlib
        for compression in ["none", "deflate:4"]:
            subprocess.run([PROGRAM, "compute", "--quiet", "--force", "--rule", "classic", "--size",
                            "700", "--compression", compression, "--output", "t.h5"],
                           cwd=self.folder, check=True)
            with h5py.File(os.path.join(self.folder, "t.h5")) as file:
                table = file["grundy"]
                rows, cols = table.chunks
                cells = numpy.full(table.shape, table.fillvalue, dtype=table.dtype)
                for index in range(table.id.get_num_chunks()):
                    place = table.id.get_chunk_info(index).chunk_offset
                    mask, stored = table.id.read_direct_chunk(place)
                    self.assertEqual(mask, 0)
                    data, checksum = stored[:-4], int.from_bytes(stored[-4:], "little")
                    self.assertEqual(fletcher32(data), checksum)
                    if compression == "none":
                        values = numpy.frombuffer(data, table.dtype)
                    else:
                        planes = numpy.frombuffer(zlib.decompress(data), numpy.uint8)
                        values = planes.reshape(table.dtype.itemsize, -1).T.copy().view(table.dtype)
                    block = values.reshape(rows, cols)
                    x, y = place
                    block = block[:table.shape[0] - x, :table.shape[1] - y]
                    cells[x:x + rows, y:y + cols] = block
                numpy.testing.assert_array_equal(cells, table[...])


def fletcher32(data):
    words = numpy.frombuffer(data + b"\0" * (len(data) % 2), ">u2").astype(numpy.uint64)
    partial_sums = numpy.cumsum(words)
    first, second = int(partial_sums[-1]), int((partial_sums % 65535).sum())

    def reduced(total, is_zero):
        return 0 if is_zero else total % 65535 or 65535

    return reduced(second, first == 0) << 16 | reduced(first, first == 0)


if __name__ == "__main__":
    if h5py is None or not (shutil.which("h5dump") and shutil.which("h5repack")):
        print("skipped: needs h5py, numpy, h5dump and h5repack")
        sys.exit(77)
    unittest.main()
