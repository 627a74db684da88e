# SPDX-License-Identifier: MIT
"""What was swept, why numbers are worth less, and what the metrics mean."""

from dataclasses import dataclass

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.report.sections import settings, steadiness
from tcpsweep.core.sweep import axes, caveats
from tcpsweep.core.sweep.sweep_parts import Caveat
from tcpsweep.core.words import units
from tcpsweep.core.words.metrics import INTERVALS, METRICS, Metric


@dataclass(frozen=True)
class Swept:
    """Each axis' title and values, how the warm-up's end is found, and which traces are missing."""

    axes: list[tuple[str, list[str]]]
    warmup: str
    untraced: str


@dataclass(frozen=True)
class KnownDefects:
    """The caveat of few round trips, if there is one, and the known defects of ns-3."""

    few: Caveat | None
    defects: list[Caveat]


def _swept(results: SweepResults) -> Swept:
    sweep = results.sweep
    return Swept(
        [(axes.title(name, sweep.axes), [*map(units.value_text, values)]) for name, values in sweep.axes.items()],
        steadiness.warmup(sweep, results.summary),
        settings.untraced(sweep, results.finished),
    )


def _known_defects(results: SweepResults) -> KnownDefects | None:
    of_sweep = results.sweep.caveats
    few = next((caveat for caveat in of_sweep if caveat.name == caveats.FEW), None)
    return KnownDefects(few, caveats.of_defects(of_sweep)) if of_sweep else None


def _metrics(results: SweepResults) -> list[tuple[str, Metric, str]]:
    """The metrics that were measured: the name, the metric, and its kind of interval in words."""
    traffic = results.table("traffic")
    measured = results.measured | (set() if traffic.is_empty() else set(traffic["metric"]))
    return [(name, metric, INTERVALS[metric.interval]) for name, metric in METRICS.items() if name in measured]


SECTION = Section("swept", "report/method_swept.html.jinja", _swept)
WARNINGS = Section("warnings", "report/warnings.html.jinja", lambda results: results.sweep.warnings or None)
KNOWN_DEFECTS = Section("known_defects", "report/known_defects.html.jinja", _known_defects)
METRICS_SECTION = Section("metrics", "report/method_metrics.html.jinja", _metrics)
