# SPDX-License-Identifier: MIT
"""Estimate the time of the rules after the cells, which make tables, report and pages, and learn it from sweeps."""

import json
import math
from collections.abc import Mapping
from pathlib import Path

from tcpsweep.core.store import layout, state_files
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import Sweep

EXPECTED = "expected.json"  # in a sweep's folder of logs, next to Snakemake's benchmark of each rule
FEW_PAGES = 200  # this many pages take about as long as tables, figures and report
SAMPLE = 10  # the number of newest sweeps to learn from
JOB_S = 0.5  # the start of a rule's job: the shell, Python, and Snakemake between two jobs
_HEADLINE = 7  # figures of each axis


def page_workers(cells: int, cores: int) -> int:
    """The number of processes that make the cells' pages.

    Few pages leave cores to tables and report, which run one after the other. Many pages take longer than both.
    """
    return max(1, cores // 2) if cells <= FEW_PAGES else cores


def table_threads(cells: int) -> int:
    """The number of threads that make the tables, which with few cells run in parallel to their pages."""
    return 1 if cells <= FEW_PAGES else 2


# What a job of each rule asks of a cluster: about twice what `docs/scale.md` measures, and two Snakemakes.
def table_mb(cells: int) -> int:
    """The memory of the job that makes the tables, in MB."""
    return 800 + cells // 40


def table_minutes(cells: int) -> int:
    """The time of the job that makes the tables, in minutes."""
    return 5 + cells // 10_000


def report_mb(combinations: int) -> int:
    """The memory of the job that draws the figures and writes the report, in MB."""
    return 1200 + combinations // 25


def page_mb(workers: int) -> int:
    """The memory of the job that makes the cells' pages, in MB."""
    return 700 + 400 * workers


def page_minutes(cells: int, workers: int) -> int:
    """The time of the job that makes the cells' pages, in minutes."""
    return 5 + cells // (300 * workers)


def estimate(sweep: Sweep, cells: int, requested: int, cores: int) -> dict[str, float]:
    """The seconds of each rule on a common server. ``requested`` is the number of figures in the sweep file."""
    figures = _HEADLINE * max(1, len(axes.variant_and_network_axes(sweep))) + requested
    figures += len({row.variant for row in sweep.own})
    report_s = 2.0 + 0.15 * figures + 0.002 * cells
    pages_s = 1.4 + 0.075 * cells / page_workers(cells, cores) if sweep.pages else 0
    return {"aggregate": 0.8 + 0.003 * cells, "report": report_s, "pages": 0.4 + pages_s, "finish": 0.3}


def together_s(seconds: Mapping[str, float], cells: int, cores: int) -> float:
    """The time from the last cell to the end, in s, from each rule's estimate, corrected by earlier sweeps."""
    tables_s, report_s, pages_s, end_s = (seconds.get(rule, 0) for rule in ("aggregate", "report", "pages", "finish"))
    is_parallel = cores > 1 and cells <= FEW_PAGES
    made_s = max(tables_s + report_s, pages_s) if is_parallel else tables_s + report_s + pages_s
    return _ratio() * (made_s + end_s) + len(seconds) * JOB_S


def note(folder: Path, seconds: Mapping[str, float]) -> None:
    """Store the expected seconds of a sweep's rules next to their benchmarks."""
    write_whole(folder / "logs" / EXPECTED, json.dumps(dict(seconds)))


def _ratio() -> float:
    """The ratio of actual to expected times of rules in the newest sweeps; 1 without any."""
    expected_s = taken_s = 0.0
    files = sorted(layout.SWEEPS.glob(f"*/logs/{EXPECTED}"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in files[:SAMPLE]:
        for rule, seconds in (state_files.read(path, dict[str, float]) or {}).items():
            if rule_s := _benchmark_s(path.with_name(f"{rule}.tsv")):
                expected_s, taken_s = expected_s + seconds, taken_s + rule_s
    return taken_s / expected_s if expected_s > 0 else 1.0


def _benchmark_s(benchmark: Path) -> float:
    """The seconds in one of Snakemake's benchmarks; 0 if they are unknown."""
    try:
        taken_s = float(benchmark.read_text(encoding="utf-8").splitlines()[1].split("\t")[0])
    except (OSError, ValueError, IndexError):
        return 0.0
    return taken_s if math.isfinite(taken_s) else 0.0
