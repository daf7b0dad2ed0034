#!/usr/bin/python3
"""The Debian packages of a build tree: what is in them, what they depend on, and that the program runs
where they are unpacked.

GRUNDY_CPACK names cpack, GRUNDY_BUILD_DIR the build tree.
"""

import gzip
import os
import re
import subprocess
import tempfile
import unittest

CPACK = os.environ["GRUNDY_CPACK"]
BUILD_DIR = os.environ["GRUNDY_BUILD_DIR"]
TIMEOUT_S = 300


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=TIMEOUT_S,
                          **options).stdout


class DebianPackages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="grundy-deb-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        run(CPACK, "-G", "DEB", "-B", cls.folder, "--config", os.path.join(BUILD_DIR, "CPackConfig.cmake"))
        names = [name for name in os.listdir(cls.folder) if name.endswith(".deb")]
        cls.packages = {name.split("_")[0]: os.path.join(cls.folder, name) for name in names}
        cls.root = os.path.join(cls.folder, "root")
        for package in cls.packages.values():
            run("dpkg-deb", "-x", package, cls.root)

    def field(self, package, name):
        return run("dpkg-deb", "-f", self.packages[package], name).strip()

    def content(self, package):
        lines = run("dpkg-deb", "-c", self.packages[package]).splitlines()
        return {line.split()[5].removeprefix("."): line.split()[:2] for line in lines}

    def test_there_is_one_of_the_program_and_one_of_the_library(self):
        self.assertEqual(sorted(self.packages), ["grundy", "libgrundy-dev"])
        for package, path in self.packages.items():
            self.assertRegex(os.path.basename(path), rf"\A{package}_\d+\.\d+\.\d+(~native)?_\w+\.deb\Z")
            self.assertEqual(self.field(package, "Package"), package)
            self.assertRegex(self.field(package, "Description"), r"\Atables of Grundy values [^\n]*\n ")

    def test_a_build_for_one_machine_says_so(self):
        with open(os.path.join(BUILD_DIR, "CMakeCache.txt"), encoding="utf-8") as cache:
            native = re.search(r"^GRUNDY_NATIVE:BOOL=(ON|OFF)$", cache.read(), re.MULTILINE).group(1)
        self.assertEqual(self.field("grundy", "Version").endswith("~native"), native == "ON")

    def test_the_program_depends_on_the_libraries_that_it_loads(self):
        depends = re.findall(r"[\w.+-]+(?= |,|$)", self.field("grundy", "Depends"))
        for library in ["libc6", "libstdc++6", "libdeflate0", "libzstd1", "libcairo2", "fonts-dejavu-core"]:
            self.assertIn(library, depends)
        self.assertTrue(any(name.startswith("libhdf5-") for name in depends), depends)
        self.assertFalse([name for name in depends if name.endswith("-dev")])

    def test_files_are_where_debian_has_them(self):
        program = self.content("grundy")
        for path in ["/usr/bin/grundy", "/usr/share/man/man1/grundy.1.gz",
                     "/usr/share/bash-completion/completions/grundy",
                     "/usr/share/zsh/vendor-completions/_grundy", "/usr/share/doc/grundy/README.md",
                     "/usr/share/doc/grundy/CITATION.cff"]:
            self.assertIn(path, program)
        self.assertFalse([path for path in program if path.endswith((".hpp", ".a", ".cmake"))])
        library = self.content("libgrundy-dev")
        self.assertTrue(any(path.endswith("/cmake/grundy/grundyConfig.cmake") for path in library))
        self.assertTrue(any(re.search(r"/libgrundy\.(a|so)$", path) for path in library))
        self.assertIn("/usr/include/grundy/engine/engine.hpp", library)
        self.assertNotIn("/usr/bin/grundy", library)
        for mode, owner in [*program.values(), *library.values()]:
            self.assertEqual(owner, "root/root")
            self.assertIn(mode, ["drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x"])

    def test_the_program_runs_where_it_is_unpacked(self):
        program = os.path.join(self.root, "usr/bin/grundy")
        run(program, "compute", "--rule", "extended", "--size", "100", "--output", "table.h5",
            cwd=self.folder)
        self.assertIn("124121d9e9bafcf6", run(program, "verify", "table.h5", cwd=self.folder))
        for path, args in [("share/man/man1/grundy.1.gz", ["man"]),
                           ("share/bash-completion/completions/grundy", ["completion", "bash"]),
                           ("share/zsh/vendor-completions/_grundy", ["completion", "zsh"])]:
            with open(os.path.join(self.root, "usr", path), "rb") as file:
                content = file.read()
            if path.endswith(".gz"):
                content = gzip.decompress(content)
            self.assertEqual(content.decode(), run(program, *args))

    def test_nothing_names_the_build_tree(self):
        for folder, _, names in os.walk(self.root):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    self.assertNotIn(BUILD_DIR.encode(), file.read(), name)


if __name__ == "__main__":
    unittest.main()
