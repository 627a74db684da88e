# SPDX-License-Identifier: MIT
"""The table of harm that the variants of a mix do to each other."""

from dataclasses import dataclass
from typing import NamedTuple

from tcpsweep.core.analysis import findings
from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.report.sections import table_texts
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.caveats import Touching
from tcpsweep.core.sweep.sweep_parts import Caveat
from tcpsweep.core.words import metrics, rounding
from tcpsweep.features.pairs import harm


class _Row(NamedTuple):  # the harm to a victim in a network and a metric, as texts
    victim: str
    beside: str
    where: str
    metric: str
    alone: str
    mixed: str
    harm: str
    own_harm: str
    finding: str
    touched: list[Caveat]  # that touch the mix


@dataclass(frozen=True)
class Harm:
    """The sweep's table of harm."""

    rows: list[_Row]
    more: int  # rows that are left out
    least_runs: int = findings.LEAST_RUNS


def section(results: SweepResults) -> Harm | None:
    """The sweep's table of harm; None without rows."""
    sweep, table = results.sweep, results.table("harm")
    places, touched = axes.network_texts(sweep), Touching(sweep)
    rows = []
    for row in table.head(table_texts.MOST_ROWS).iter_rows(named=True):
        metric = metrics.METRICS[row["metric"]]
        where = axes.axes_in_words(places[row["combination"]])
        alone, mixed = (_mean(row[f"{name}_mean"], metric) for name in ("alone", "mixed"))
        of_mix, of_own = (
            rounding.mean_text(row[name], row[f"{name}_low"], row[f"{name}_high"], 1, "bootstrap")
            for name in ("harm", "own_harm")
        )
        finding, caveats = harm.WORDS[row["finding"]], touched.means(row["metric"], [row["combination"]])
        rows.append(
            _Row(row["victim"], row["beside"], where, metric.title, alone, mixed, of_mix, of_own, finding, caveats)
        )
    return Harm(rows, table.height - len(rows)) if rows else None


def _mean(value: float | None, metric: metrics.Metric) -> str:
    return "–" if value is None else f"{value * metric.scale:.4g} {metric.shown_unit}".strip()


SECTION = Section("harm", "features/pairs/report/harm.html.jinja", section)
