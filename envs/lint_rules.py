# SPDX-License-Identifier: MIT
"""Runs `snakemake --lint` and fails on what it finds, except for its demand for conda.

Snakemake wants a conda environment or a container for every rule, and has no option that says otherwise. All rules
here run in the one locked .venv, which serves the same end; so that finding is dropped, by its title, and every other
one counts.
"""

import json
import subprocess
import sys

DROPPED = "Specify a conda environment or container for each rule."


def remaining(findings: list[dict]) -> list[str]:
    """Return a line for each finding of `snakemake --lint json` that counts."""
    return [
        f"{' '.join(str(part) for part in place['for'].values())}: {lint['title']}"
        for place in findings
        for lint in place["lints"]
        if lint["title"] != DROPPED
    ]


def main(options: list[str]) -> int:
    """Lint the Snakefile with further options of snakemake; return the exit status."""
    command = [sys.executable, "-m", "snakemake", "--lint", "json", *options]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        lines = remaining(json.loads(run.stdout) if run.stdout.strip() or run.returncode else [])
    except json.JSONDecodeError:
        lines = [run.stdout + run.stderr]
    print("\n".join(lines) if lines else "snakemake --lint: nothing but its demand for conda")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
