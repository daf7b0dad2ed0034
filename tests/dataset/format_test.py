#!/usr/bin/python3
"""Table files in the hands of other software, and of a reader written from docs/format.md alone.

GRUNDY_PROGRAM names the program. Exit status 77 (skipped) without h5py or h5repack.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zlib

try:
    import h5py
    import numpy
except ImportError:
    h5py = None

PROGRAM = os.path.abspath(os.environ.get("GRUNDY_PROGRAM", "grundy"))
TIMEOUT_S = 120


class TableFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="grundy-format-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_command(self, command):
        return subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT_S,
                              check=False)

    def test_repacked_files_verify(self):
        subprocess.run([PROGRAM, "compute", "--quiet", "--rule", "extended", "--size", "300",
                        "--output", "t.h5"], cwd=self.folder, check=True)
        for options in [["-f", "GZIP=9"], ["-f", "NONE"], ["-l", "CHUNK=100x37"],
                        ["-f", "SHUF", "-f", "GZIP=1", "-l", "CHUNK=1x300"], ["-L"]]:
            with self.subTest(options=options):
                result = self.run_command(["h5repack", *options, "t.h5", "r.h5"])
                self.assertEqual(result.returncode, 0, result)
                result = self.run_command([PROGRAM, "verify", "r.h5"])
                self.assertEqual((result.returncode, result.stderr), (0, b""), result.stdout)

    def test_checksums_and_filters_are_as_described(self):
        """A reader of chunks written from the description alone."""
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
    if h5py is None or not shutil.which("h5repack"):
        print("skipped: needs h5py, numpy and h5repack")
        sys.exit(77)
    unittest.main()
