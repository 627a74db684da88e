# SPDX-License-Identifier: MIT
"""What programs print, and what they say of arguments that they refuse."""

import subprocess

import yaml

from tests.support.tools import ROOT


def written(options):
    """Options as a command line has them."""
    return [f"--{name}={value}" for name, value in options.items()]


def printed(program, *arguments, text=None):
    """What a program that ends well prints; ``text`` is its input."""
    done = subprocess.run([program, *arguments], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refusal(program, *arguments):
    """The one line that a program says of arguments that it refuses."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    return done.stderr


def called(program, lines):
    """A program's line of output for each line of words that it is given."""
    answers = printed(program, text="".join(" ".join(map(str, line)) + "\n" for line in lines)).split("\n")[:-1]
    assert len(answers) == len(lines)
    return answers


def refused(section):
    """What a part of the scenarios refuses, with words of its message, by `tests/scenarios/refused-by-parts.yaml`."""
    return yaml.safe_load((ROOT / "tests" / "scenarios" / "refused-by-parts.yaml").read_text())[section].items()
