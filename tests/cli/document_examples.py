#!/usr/bin/python3
"""Runs the examples of documents as they stand there, and holds what they print against the text.

usage: document_examples.py GRUNDY DOCUMENT...

Of each document all blocks marked console, sh and python are run, in order, in one folder of their
own, from which examples/ leads to that of the repository. In a console block lines that begin with
"$ " are commands, and what follows each is all that it prints, errors included. A block marked text
after one of the other two is what that prints. A comment <!-- not run: WHY --> before a block
leaves it out. Dates, times, rates and sizes of files may differ; a line "..." stands for any lines.
Exit status 77 (skipped) when Python examples need a module that is not there.
"""

import difflib
import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
MISSING_MODULE = re.compile(r"No module named '(h5py|numpy|matplotlib)")
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples")
TIMEOUT_S = 300
BLOCK = re.compile(r"^(<!-- not run: [^\n]*-->\n)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VARYING = [
    (r"\d+(\.\d+)? million cells/s", "R million cells/s"),
    (r"\b\d+(\.\d+)?(e-?\d+)? (ms|s)\b", "T s"),
    (r"\b\d+ bytes", "B bytes"),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "DATE"),
    (r'"(seconds|cells_per_second|file_bytes)":[0-9.e+-]+', r'"\1":V'),
    (r"[ \t]+$", ""),
]


def masked(text):
    for pattern, replacement in VARYING:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text.strip("\n").split("\n")


def agree(expected, printed):
    """Whether lines are those expected, of which one "..." stands for any."""
    if "..." not in expected:
        return expected == printed
    at = expected.index("...")
    behind = expected[at + 1:]
    return (len(printed) >= len(expected) - 1 and printed[:at] == expected[:at] and
            (not behind or printed[-len(behind):] == behind))


def examples(text):
    """(command, what it prints, or None if that is not said) of each example of a document."""
    blocks = BLOCK.findall(text)
    for k, (left_out, language, body) in enumerate(blocks):
        if left_out:
            continue
        if language == "console":
            assert body.startswith("$ "), body
            for command, prints in re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", body,
                                              re.MULTILINE):
                yield ["bash", "-c", command], prints
        elif language in ("sh", "python"):
            follows = blocks[k + 1] if k + 1 < len(blocks) else ("", "", "")
            prints = follows[2] if follows[1] == "text" and not follows[0] else None
            yield (["bash", "-ec", body] if language == "sh" else [sys.executable, "-c", body],
                   prints)


def run_document(program, path):
    """Number of examples, of those that failed, and of those that could not be run."""
    with open(path, encoding="utf-8") as file:
        found = list(examples(file.read()))
    failed = left_out = 0
    with tempfile.TemporaryDirectory(prefix="grundy-examples-") as folder:
        os.mkdir(os.path.join(folder, "bin"))
        os.symlink(program, os.path.join(folder, "bin", "grundy"))
        os.symlink(sys.executable, os.path.join(folder, "bin", "python3"))
        os.symlink(EXAMPLES, os.path.join(folder, "examples"))
        environment = {**os.environ, "LC_ALL": "C.UTF-8",
                       "PATH": os.path.join(folder, "bin") + os.pathsep + os.environ["PATH"]}
        for command, prints in found:
            result = subprocess.run(command, cwd=folder, env=environment, text=True,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, timeout=TIMEOUT_S, check=False)
            if result.returncode != 0 and MISSING_MODULE.search(result.stdout):
                print(f"left out: {result.stdout.splitlines()[-1]}")
                left_out += 1
                continue
            wrong = result.returncode != 0
            if prints is not None:
                expected, printed = masked(prints), masked(result.stdout)
                wrong = wrong or not agree(expected, printed)
            if not wrong:
                continue
            failed += 1
            print(f"{path}: {command[-1]}\nexit status {result.returncode}")
            if prints is None:
                print(result.stdout)
            else:
                print("\n".join(difflib.unified_diff(expected, printed, "in the text", "printed",
                                                     lineterm="")))
    return len(found), failed, left_out


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    wrong = not_run = 0
    for path in sys.argv[2:]:
        count, failed, left_out = run_document(program, path)
        print(f"{path}: {count} examples, {failed} failed, {left_out} left out")
        wrong += failed + (count == 0)
        not_run += left_out
    return 1 if wrong else SKIPPED if not_run else 0


if __name__ == "__main__":
    sys.exit(main())
