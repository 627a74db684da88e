# SPDX-License-Identifier: MIT
"""Estimate the time of the rules after the cells: tables, report with figures, and pages, each its own process.

The times of earlier sweeps correct the estimates. Each sweep's folder of logs has the uncorrected estimates in
``expected.json``, and Snakemake's benchmark of each rule.
"""

import csv
import json
import math
from collections.abc import Mapping
from pathlib import Path

from tcpsweep.core.store import layout, state_files
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import Sweep

STEPS = ("aggregate", "report", "pages", "finish")
EXPECTED = "expected.json"
FEW_PAGES = 200  # this many pages take about as long as tables, figures and report
SAMPLE = 10  # the number of newest sweeps to use
# The start of a rule's job: the shell, Python, and Snakemake between two jobs.
JOB_S = 0.5
_HEADLINE = 7  # figures of each axis


def page_workers(cells: int, cores: int) -> int:
    """The number of processes that make the cells' pages.

    Few pages leave cores to tables and report, which run one after the other. Many pages take longer than both.
    """
    return max(1, cores // 2) if cells <= FEW_PAGES else cores


def table_threads(cells: int) -> int:
    """The number of threads that make the tables, which with few cells run in parallel to their pages."""
    return 1 if cells <= FEW_PAGES else 2


def estimate(sweep: Sweep, cells: int, requested: int, cores: int) -> dict[str, float]:
    """The seconds of each rule in `STEPS`, measured on two cores of a common server.

    ``requested`` is the number of figures in the sweep file, ``cores`` the number of cores for these rules.
    """
    axis_count = len(axes.variant_and_network_axes(sweep))
    variants = len({str(row["variant"]) for row in sweep.own})
    figures = _HEADLINE * max(1, axis_count) + variants + requested
    pages = cells if sweep.pages else 0
    return {
        "aggregate": 0.8 + 0.003 * cells,
        "report": 2.0 + 0.15 * figures + 0.002 * cells,
        "pages": 0.4 + (1.4 + 0.075 * pages / page_workers(cells, cores) if pages else 0),
        "finish": 0.3,
    }


def corrected(estimated: Mapping[str, float]) -> dict[str, float]:
    """The estimates, scaled by the times of earlier sweeps on this machine."""
    pairs_by_step = _earlier_times()
    overall_ratio = _ratio([pair for pairs in pairs_by_step.values() for pair in pairs])
    return {step: seconds * _ratio(pairs_by_step[step], overall_ratio) for step, seconds in estimated.items()}


def together_s(seconds: Mapping[str, float], cells: int, cores: int) -> float:
    """The time from the last cell to the end, in s; few pages are made in parallel to tables and report."""
    shown_s, pages_s = seconds["aggregate"] + seconds["report"], seconds["pages"]
    is_parallel = cores > 1 and cells <= FEW_PAGES
    made_s = max(shown_s, pages_s) if is_parallel else shown_s + pages_s
    return made_s + seconds["finish"] + len(STEPS) * JOB_S


def note(folder: Path, estimated: Mapping[str, float]) -> None:
    """Store a sweep's uncorrected estimates next to its rules' benchmarks."""
    write_whole(folder / "logs" / EXPECTED, json.dumps(dict(estimated)))


def _earlier_times() -> dict[str, list[tuple[float, float]]]:
    """The estimate and the time of each rule in the newest sweeps that have both."""
    pairs_by_step: dict[str, list[tuple[float, float]]] = {step: [] for step in STEPS}
    estimate_files = sorted(
        layout.SWEEPS.glob(f"*/logs/{EXPECTED}"), key=lambda path: path.stat().st_mtime, reverse=True
    )
    for path in estimate_files[:SAMPLE]:
        expected = state_files.read(path, dict[str, float]) or {}
        for step in STEPS:
            taken_s = _benchmark_s(path.with_name(f"{step}.tsv"))
            if taken_s and step in expected:
                pairs_by_step[step].append((expected[step], taken_s))
    return pairs_by_step


def _benchmark_s(benchmark: Path) -> float | None:
    """The seconds in one of Snakemake's benchmarks, or None."""
    try:
        with benchmark.open(encoding="utf-8", newline="") as file:
            taken_s = float(next(csv.DictReader(file, delimiter="\t"))["s"])
    except (OSError, ValueError, KeyError, TypeError, StopIteration, csv.Error):
        return None
    return taken_s if math.isfinite(taken_s) else None


def _ratio(pairs: list[tuple[float, float]], otherwise: float = 1.0) -> float:
    expected_s = sum(estimate_s for estimate_s, _ in pairs)
    return sum(taken_s for _, taken_s in pairs) / expected_s if expected_s else otherwise
