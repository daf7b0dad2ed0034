#!/usr/bin/python3
"""What the program says of itself: help and its examples, what was probably meant, the version, the
manual page, completion in bash and zsh. GRUNDY_PROGRAM names the program.

What is expected comes from --help, so that a new command or option is tested too.
"""

import functools
import os
import re
import shlex
import shutil
import subprocess
import unittest

from cli_test import DONE, PROGRAM, TIMEOUT_S, WRONG_USAGE, CliTestCase
from terminal import Terminal

HELP = {"-h", "--help"}  # needs no example


class Description:
    """One command as its help describes it."""

    def __init__(self, text):
        self.text = text
        self.first_line = text.splitlines()[0].strip()
        # An option, and its description in the same or the next line.
        self.options = {}
        section = text[text.index("\nOptions:\n"):].split("\n\n")[0]
        for names, rest in re.findall(r"^  (-\S+)(.*(?:\n {3,}\S.*)*)", section, re.MULTILINE):
            words = re.split(r"\s{2,}", rest)
            for name in names.split(","):
                self.options[name] = (words[0].strip(), " ".join(" ".join(words[1:]).split()))
        footer = text[text.index("\nExample"):] if "\nExample" in text else ""
        self.examples = re.findall(r"^ +(grundy .*)$", footer, re.MULTILINE)


@functools.cache
def help_of(*command):
    done = subprocess.run([PROGRAM, *command, "--help"], capture_output=True, text=True, check=True,
                          timeout=TIMEOUT_S)
    return Description(done.stdout)


@functools.cache
def commands():
    """The commands and what is said of them."""
    section = help_of().text.split("\nSubcommands:\n")[1].split("\n\n")[0]
    found = re.findall(r"^  (\w+) +(\S.*(?:\n {3,}\S.*)*)", section, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in found}


class Help(CliTestCase):
    def test_every_command_has_help(self):
        for command in ["compute", "verify", "info", "equivalence", "levels", "query", "bench",
                        "plot", "export", "compare", "devices", "completion", "man"]:
            self.assertIn(command, commands())
        for command in commands():
            text = self.assert_done(command, "--help").out
            self.assertIn("Usage: grundy " + command, text)
            self.assertEqual(self.assert_done(command, "-h").out, text)

    def test_every_command_and_option_is_described_in_one_sentence(self):
        for command in [(), *((name,) for name in commands())]:
            description = help_of(*command)
            self.assertRegex(description.first_line, r"\A[A-Z][^.]{8,}\Z")
            for option, (_, sentence) in description.options.items():
                with self.subTest(command=command, option=option):
                    self.assertRegex(sentence, r"\A[A-Z]\S* \S+ \S.*[^.]\Z")

    def test_every_option_is_in_an_example(self):
        for command in commands():
            used = set(re.findall(r"(?<= )--?[a-z][\w-]*", "\n".join(help_of(command).examples)))
            missing = set(help_of(command).options) - used - HELP
            self.assertEqual(missing, set(), f"in no example of 'grundy {command} --help'")

    def test_the_examples_work_as_printed(self):
        os.symlink(PROGRAM, self.path("grundy"))
        environment = {**os.environ, "PATH": self.folder + os.pathsep + os.environ["PATH"]}
        # compute writes what the others read.
        for command in sorted(commands(), key=lambda name: name != "compute"):
            self.assertTrue(help_of(command).examples, command)
            for example in help_of(command).examples:
                with self.subTest(example=example):
                    words = shlex.split(example)
                    self.assertEqual(words[1], command)
                    done = subprocess.run(["sh", "-c", example], cwd=self.folder, env=environment,
                                          timeout=TIMEOUT_S, capture_output=True, text=True,
                                          stdin=subprocess.DEVNULL, check=False)
                    self.assertEqual(done.returncode, DONE, done.stderr)
                    if "--progress" not in words:
                        self.assertEqual(done.stderr, "")
                    if not {"--quiet", ">"} & set(words):
                        self.assertNotEqual(done.stdout, "")

    def test_the_version_and_what_it_was_built_with(self):
        lines = self.assert_done("--version").out.splitlines()
        self.assertRegex(lines[0], r"\Agrundy \d+\.\d+\.\d+\Z")
        facts = dict(re.fullmatch(r"(\S+) +(\S.*)", line).groups() for line in lines[1:])
        self.assertEqual(list(facts), ["commit", "build", "compiler", "CUDA", "HDF5", "libdeflate",
                                       "Zstandard", "cairo", "CLI11"])
        self.assertRegex(facts["commit"], r"\A([0-9a-f]{12}( and changes)?|unknown, .*)\Z")
        self.assertRegex(facts["CUDA"], r"\A(without|toolkit \d+\.\d+, runtime \d+\.\d+, "
                                        r"Thrust \d+\.\d+\.\d+, for compute capability .+)\Z")
        for name in ["HDF5", "libdeflate", "Zstandard", "cairo", "CLI11"]:
            self.assertRegex(facts[name], r"\A\d+\.\d+")


class Suggestions(CliTestCase):
    def refuse(self, message, *args):
        with self.subTest(args=args):
            self.assertIn(message, self.assert_fails(WRONG_USAGE, args).err)

    def test_options(self):
        self.refuse("unknown option --thread; did you mean --threads?; see 'grundy compute --help'",
                    "compute", "--size", "5", "--thread", "4")
        self.refuse("unknown option --sise; did you mean --size?", "compute", "--sise=5")
        self.refuse("unknown option --limt; did you mean --limit?", "levels", "--limt", "5")
        self.refuse("unknown option -size; did you mean --size?", "compute", "-size", "5")
        self.refuse("unknown option --versoin; did you mean --version?", "--versoin")
        self.refuse("unexpected argument 'size'; did you mean --size?", "compute", "size", "5")
        self.refuse("unknown option --colour; see 'grundy compute --help'",
                    "compute", "--size", "5", "--colour")

    def test_commands(self):
        self.refuse("unknown command 'verfiy'; did you mean verify?; see 'grundy --help'",
                    "verfiy", "table.h5")
        self.refuse("unknown command 'equiv'; did you mean equivalence?", "equiv")
        self.refuse("unknown command 'frobnicate'; see 'grundy --help'", "frobnicate", "--size", "5")
        self.refuse("unknown command 'help'", "help")

    def test_every_command_and_option_with_a_letter_too_many(self):
        for command in commands():
            self.refuse(f"did you mean {command}?", command + "s")
            for option in help_of(command).options:
                if option.startswith("--") and option + "s" not in help_of(command).options:
                    self.refuse(f"did you mean {option}?", command, option + "s")

    def test_values(self):
        for option, typed, meant in [("--engine", "cuad", "cuda"), ("--rule", "clasic", "classic"),
                                     ("--rule", "triangel:3", "triangle:K"),
                                     ("--schedule", "wave", "waves"),
                                     ("--compression", "deflat:3", "deflate:1 to deflate:12")]:
            self.refuse(f"'{typed}'; did you mean {meant}?", "compute", "--size", "5", option, typed)
        self.refuse("did you mean bitset?", "bench", "--engines", "bitsets,cpu")
        self.refuse("did you mean transfer?", "bench", "--figures", "transfr")
        self.refuse("did you mean bash?", "completion", "bsh")


class ManualPage(CliTestCase):
    def formatted(self):
        groff = subprocess.run(["groff", "-man", "-Tutf8", "-P-c", "-ww", "-rLL=100n", "-rHY=0", "-"],
                               input=self.assert_done("man").out, capture_output=True, text=True,
                               timeout=TIMEOUT_S, check=True)
        self.assertEqual(groff.stderr, "")
        return re.sub(".\b", "", groff.stdout)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_it_explains_every_command_and_option(self):
        text = self.formatted()
        words = " ".join(text.split())
        for command, sentence in commands().items():
            self.assertIn(f"grundy {command} [options]", words)
            self.assertIn(sentence + ".", words)
            for option, (_, description) in help_of(command).options.items():
                self.assertIn(option, words)
                self.assertIn(description + ".", words)
            for example in help_of(command).examples:
                self.assertIn(" ".join(example.split()), words)
        for status in ["done and true", "a check failed", "wrong usage"]:
            self.assertIn(status, words)
        # What is typed is typed with these characters, not with typographic ones.
        self.assertNotRegex(text, "[\u2018\u2019\u2212]")

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_another_formatter_finds_no_fault(self):
        page = self.assert_done("man").out
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=page, text=True,
                              capture_output=True, timeout=TIMEOUT_S, check=False)
        # It says the same whenever it is made, so it has no date.
        faults = [line for line in lint.stdout.splitlines() if "missing date" not in line]
        self.assertEqual(faults, [])


class CompletionTestCase(CliTestCase):
    """Files to complete, and what is expected of any shell."""

    SHELL = ""

    def setUp(self):
        super().setUp()
        self.write("script", self.assert_done("completion", self.SHELL).out.encode())
        for name in ["table.h5", "two words.h5", "other.txt", "picture.png"]:
            self.write(name, b"")
        os.mkdir(self.path("tables"))

    def check_syntax(self):
        checked = subprocess.run([self.SHELL, "-n", "script"], cwd=self.folder, capture_output=True,
                                 text=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))


@unittest.skipUnless(shutil.which("bash"), "bash is not installed")
class BashCompletion(CompletionTestCase):
    SHELL = "bash"

    def complete(self, *words):
        """What the last of the words can become, as bash would ask."""
        script = ("compopt() { :; }; source ./script; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); "
                  "_grundy; if ((${#COMPREPLY[@]})); then printf '%s\\n' \"${COMPREPLY[@]}\"; fi")
        done = subprocess.run(["bash", "--norc", "-euc", script, "bash", *words], cwd=self.folder,
                              capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout.splitlines()

    def test_the_script_is_valid(self):
        self.check_syntax()

    @unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed")
    def test_shellcheck_finds_no_fault(self):
        lint = subprocess.run(["shellcheck", "--shell=bash", "script"], cwd=self.folder, text=True,
                              capture_output=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual((lint.returncode, lint.stdout), (0, ""))

    def test_commands_and_options(self):
        self.assertEqual(self.complete("grundy", ""), list(commands()))
        self.assertEqual(self.complete("grundy", "ver"), ["verify"])
        self.assertEqual(self.complete("grundy", "--ver"), ["--version"])
        for command in commands():
            options = list(help_of(command).options)
            self.assertEqual(self.complete("grundy", command, "-"), options)
            self.assertEqual(self.complete("grundy", command, "--he"),
                             [option for option in options if option.startswith("--he")])

    def test_values(self):
        engines = ["auto", "cpu", "cuda", "bitset", "reference"]
        self.assertEqual(self.complete("grundy", "compute", "--engine", ""), engines)
        self.assertEqual(self.complete("grundy", "compute", "--engine", "=", "c"), ["cpu", "cuda"])
        self.assertEqual(self.complete("grundy", "compute", "--engine", "="), engines)
        self.assertEqual(self.complete("grundy", "compute", "--size", "5", "--rule", ""),
                         ["classic", "extended", "triangle:", "cells:"])
        self.assertEqual(self.complete("grundy", "completion", ""), ["bash", "zsh"])
        self.assertEqual(self.complete("grundy", "compute", "--size", ""), [])
        self.assertEqual(self.complete("grundy", "compute", "--half", "--sch"), ["--schedule"])

    def test_files(self):
        tables = ["table.h5", "tables", "two words.h5"]
        self.assertEqual(sorted(self.complete("grundy", "verify", "t")), tables)
        self.assertEqual(sorted(self.complete("grundy", "compute", "--output", "t")), tables)
        self.assertEqual(self.complete("grundy", "compute", "--output", "n"), ["none"])
        self.assertEqual(self.complete("grundy", "bench", "--plot", "p"), ["picture.png"])
        self.assertEqual(self.complete("grundy", "bench", "--folder", ""), ["tables"])
        for words in (["--tables", "t"], ["--tables", "table.h5", "t"]):
            self.assertEqual(sorted(self.complete("grundy", "equivalence", *words)), tables)
        self.assertEqual(self.complete("grundy", "equivalence", "--tables", "a", "b", "t"), [])


@unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
class ZshCompletion(CompletionTestCase):
    SHELL = "zsh"

    # Every match that a completion function finds is printed; then the line is emptied. zsh itself must
    # not list the matches: for a long list it asks first, and takes what is typed next as the answer.
    SETUP = r"""
unsetopt beep autolist automenu; PS1=; autoload -Uz compinit; compinit -u -D
source ./script
compadd() {
  # Calls that only fill arrays.
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a matches
  builtin compadd -A matches "$@"
  (( $#matches )) && print -rl -- "match:"$^matches
  builtin compadd "$@"
}
matches() { zle complete-word; BUFFER=; print -r -- "that is ""all" }
zle -N matches
bindkey "^I" matches
print "rea""dy"
"""

    def setUp(self):
        super().setUp()
        self.write("setup", self.SETUP.encode())
        terminal = Terminal(200)
        self.addCleanup(terminal.close)
        process = subprocess.Popen(
            ["zsh", "-f", "-i"], cwd=self.folder, stdin=terminal.slave, stdout=terminal.slave,
            stderr=terminal.slave, start_new_session=True,
            env={**os.environ, "TERM": "dumb", "LC_ALL": "C.UTF-8"})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        terminal.send("source ./setup\n")
        terminal.read(lambda text: "ready" in text)
        self.terminal = terminal

    def complete(self, line):
        """What the last word of the line can become."""
        self.terminal.text = ""
        self.terminal.send(line + "\t")
        self.terminal.read(lambda text: "that is all" in text)
        matches = re.findall(r"match:([^\r\n]*)", self.terminal.text)
        # Each once: zsh may ask a function again.
        return list(dict.fromkeys(match.replace("\\", "") for match in matches))

    def test_the_script_is_valid(self):
        self.check_syntax()

    def test_commands_and_options(self):
        self.assertEqual(sorted(self.complete("grundy ")), sorted(commands()))
        self.assertEqual(self.complete("grundy ver"), ["verify"])
        for command in commands():
            self.assertEqual(sorted(self.complete(f"grundy {command} -")),
                             sorted(help_of(command).options))

    def test_values(self):
        engines = ["auto", "bitset", "cpu", "cuda", "reference"]
        self.assertEqual(sorted(self.complete("grundy compute --engine ")), engines)
        self.assertEqual(sorted(self.complete("grundy compute --engine=c")), ["cpu", "cuda"])
        self.assertEqual(sorted(self.complete("grundy compute --size 5 --rule ")),
                         ["cells:", "classic", "extended", "triangle:"])
        self.assertEqual(sorted(self.complete("grundy completion ")), ["bash", "zsh"])
        self.assertEqual(self.complete("grundy compute --size "), [])
        self.assertEqual(self.complete("grundy compute --half --sch"), ["--schedule"])

    def test_files(self):
        tables = ["table.h5", "tables", "two words.h5"]
        self.assertEqual(sorted(self.complete("grundy verify t")), tables)
        self.assertEqual(sorted(self.complete("grundy compute --output t")), tables)
        self.assertEqual(self.complete("grundy compute --output n"), ["none"])
        self.assertEqual(self.complete("grundy bench --plot p"), ["picture.png"])
        self.assertEqual(self.complete("grundy bench --folder t"), ["tables"])
        for words in ("--tables t", "--tables table.h5 t"):
            self.assertEqual(sorted(self.complete("grundy equivalence " + words)), tables)


if __name__ == "__main__":
    unittest.main()
