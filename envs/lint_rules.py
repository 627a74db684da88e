# SPDX-License-Identifier: MIT
"""Run `snakemake --lint`, and fail on its findings, except on its demand for conda.

Snakemake demands a conda environment or a container for every rule, and no option turns that off. All rules here run in
the locked .venv, which serves the same purpose. So the finding with this title is dropped. Findings are read from the
text, because Snakemake 9.27 prints text even for `--lint json`.
"""

import re
import subprocess
import sys

DROPPED = "Specify a conda environment or container for each rule."


def findings(text: str) -> list[tuple[str, str]]:
    """Return the place and the title of each finding in the output of `snakemake --lint`."""
    found = []
    place = ""
    for line in text.splitlines():
        if heading := re.fullmatch(r"Lints for (.*):", line):
            place = heading[1]
        elif title := re.fullmatch(r" {4}\* (.*):", line):
            found.append((place, title[1]))
    return found


def main(options: list[str]) -> int:
    """Lint the Snakefile with further options of snakemake; return the exit status."""
    command = [sys.executable, "-m", "snakemake", "--lint", *options]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    found = findings(run.stdout)
    counting = [f"{place}: {title}" for place, title in found if title != DROPPED]
    if run.returncode and not found:
        counting = [f"snakemake --lint failed:\n{run.stdout}"]
    print("\n".join(counting) or "snakemake --lint: nothing but its demand for conda")
    return 1 if counting else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
