#!/usr/bin/python3
"""Progress as a user sees it: on terminals of several widths, resized, dumb, or no terminal at all.
GRUNDY_PROGRAM names the program.
"""

import json
import os
import signal
import subprocess
import time
import unittest

from cli_test import LONG_RUN, TIMEOUT_S, CliTestCase
from terminal import Terminal

ERASE = "\x1b[K"
ENVIRONMENT = {**{name: value for name, value in os.environ.items() if not name.startswith("LC_")},
               "TERM": "xterm", "LANG": "C.UTF-8"}


class Progress(CliTestCase):
    def on_terminal(self, args, columns, during=None, **environment):
        """Runs on a terminal; during(terminal, process) sees the run. Returns status, standard output
        and what is on the terminal."""
        terminal = Terminal(columns)
        self.addCleanup(terminal.close)
        with open(self.path("stdout"), "wb") as stdout:
            process = self.start(*args, stdout=stdout, stderr=terminal.slave,
                                 env={**ENVIRONMENT, **environment})
        if during:
            during(terminal, process)
        text = terminal.read_to_the_end()
        process.wait(TIMEOUT_S)
        return process.returncode, self.content("stdout").decode(), text

    def interrupted(self, columns, lines=3, **environment):
        """What a long run that is interrupted after some lines of progress leaves on the terminal."""

        def during(terminal, process):
            terminal.read(lambda text: text.count(ERASE) >= lines)
            process.send_signal(signal.SIGINT)

        status, out, text = self.on_terminal(LONG_RUN, columns, during, **environment)
        self.assertEqual((status, out), (-signal.SIGINT, ""))
        return text

    def check_lines(self, text, columns):
        """One line that is rewritten and never wraps, then the summary and the message; returns
        them."""
        progress, message = text[:-1].rsplit("\n", 1)
        self.assertRegex(message, "^grundy: interrupted after ")
        *lines, summary, rest = progress.removeprefix("\r").replace("\r", "").split(ERASE)
        self.assertEqual(rest, "")
        self.assertEqual(text.count("\x1b"), text.count(ERASE))
        self.assertEqual(progress.count("\r"), len(lines) + 1)
        self.assertNotIn("\n", progress)
        for line in [*lines, summary]:
            self.assertLess(len(line), columns)
        return lines, summary

    def test_every_width_has_one_line_that_fits(self):
        for columns, part in [(200, r"cpu  [█░]{40}  +\d+\.\d %  \d+\.\d million cells/s  [^ ].* left"),
                              (80, r"cpu  [█░]{8,40}  +\d+\.\d %  \d+\.\d million cells/s  .* left"),
                              (40, r"cpu  +\d+\.\d %  .* left"), (20, r"cpu  +\d+\.\d %"),
                              (10, r" +\d+\.\d %"), (5, r" +\d+\.?")]:
            with self.subTest(columns=columns):
                lines, summary = self.check_lines(self.interrupted(columns), columns)
                self.assertRegex(lines[-1], rf"\A{part}\Z")
                if columns >= 80:
                    self.assertRegex(summary, r"\Acpu  \d+ of 1600000000 cells in \d+\.\d s, "
                                              r"\d+\.\d million cells/s\Z")

    def test_a_terminal_that_tells_no_width_has_80_columns(self):
        lines, _ = self.check_lines(self.interrupted(0), 80)
        self.assertGreater(len(lines[-1]), 60)

    def test_the_line_follows_a_terminal_that_is_resized(self):
        def during(terminal, process):
            terminal.read(lambda text: text.count(ERASE) >= 2)
            terminal.resize(30)
            before = terminal.text.count(ERASE)
            terminal.read(lambda text: text.count(ERASE) >= before + 3)
            process.send_signal(signal.SIGINT)

        _, _, text = self.on_terminal(LONG_RUN, 100, during)
        lines, summary = self.check_lines(text, 100)
        self.assertGreater(len(lines[0]), 60)
        for line in [*lines[-2:], summary]:  # one may have been on its way
            self.assertLess(len(line), 30)

    def test_the_bar_is_ascii_where_utf8_is_not_expected(self):
        for environment in [{"LANG": "C"}, {"LC_ALL": "POSIX"}, {"LANG": ""}]:
            lines, _ = self.check_lines(self.interrupted(80, **environment), 80)
            self.assertRegex(lines[-1], r"\Acpu  \[#*\.*\]  ")
        lines, _ = self.check_lines(self.interrupted(80, LANG="C", LC_CTYPE="en_US.utf8"), 80)
        self.assertRegex(lines[-1], "[█░]{8}")

    def test_a_run_without_time_for_progress_leaves_the_terminal_alone(self):
        status, out, text = self.on_terminal(["query", "4", "6", "--json"], 80)
        self.assertEqual((status, text), (0, ""))
        status, out, text = self.on_terminal(["compute", "--size", "20"], 80)
        self.assertEqual((status, text), (0, ""))
        self.assertIn("400 cells", out)

    def test_results_are_the_same_with_a_terminal(self):
        args = ["levels", "--limit", "20000", "--values", "0-30"]
        status, out, _ = self.on_terminal(args, 80)
        self.assertEqual(status, 0)
        self.assertEqual(out, self.assert_done(*args).out)

    def test_quiet_is_quiet_on_a_terminal_too(self):
        args = ["levels", "--limit", "300000", "--values", "0-40", "--quiet"]
        self.assertEqual(self.on_terminal(args, 80), (0, "", ""))

    def test_a_list_and_progress_do_not_share_a_terminal(self):
        terminal = Terminal(80)
        self.addCleanup(terminal.close)
        self.start("levels", "--limit", "2000", stdout=terminal.slave, stderr=terminal.slave,
                   env=ENVIRONMENT)
        time.sleep(1)  # it waits for who reads; meanwhile there would be progress to show
        self.assertRegex(terminal.read_to_the_end(), r"\A(\d+ \d+ \d+\n)+\Z")

    def test_a_dumb_terminal_gets_lines(self):
        status, _, text = self.on_terminal(["compute", "--size", "300"], 80, TERM="dumb")
        self.assertEqual(status, 0)
        self.assertRegex(text, r"\Acpu  90000 cells in \d+\.\d s, [^\n\r\x1b]* cells/s\n\Z")

    def test_elsewhere_progress_is_lines_on_request(self):
        self.compute("t.h5", "--size", "300")
        for args, label in [(["compute", "--size", "300", "--engine", "cpu"], "cpu"),
                            (["verify", "t.h5"], "verify")]:
            for flag in ["--json", "--quiet"]:
                result = self.run_grundy(*args, "--progress", flag)
                self.assertEqual(result.status, 0)
                self.assertRegex(result.err, rf"\A{label}  90000 cells in \d+\.\d s, .* cells/s\n\Z")
                if flag == "--json":
                    json.loads(result.out)
                else:
                    self.assertEqual(result.out, "")

    def test_a_long_run_elsewhere_writes_a_line_now_and_then(self):
        process = self.start(*LONG_RUN, "--progress", stdout=subprocess.DEVNULL)
        line = process.stderr.readline().decode()
        process.send_signal(signal.SIGINT)
        rest = self.finish(process).err
        self.assertRegex(line, r"\Acpu  +\d+\.\d %  \d+\.\d million cells/s  .* left\n\Z")
        self.assertRegex(rest, r"\Acpu  \d+ of 1600000000 cells in [^\n]*\ngrundy: interrupted .*\n\Z")


if __name__ == "__main__":
    unittest.main()
