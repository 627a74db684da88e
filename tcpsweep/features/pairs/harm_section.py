# SPDX-License-Identifier: MIT
"""The table of harm that the variants of a mix do to each other."""

from typing import Any

from tcpsweep.core.analysis import findings
from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.report.sections import table_texts
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.caveats import Touching
from tcpsweep.core.words import metrics, rounding
from tcpsweep.features.pairs import harm


def section(results: SweepResults) -> dict[str, Any] | None:
    """The ``rows`` of the sweep's table of harm, as texts, and how many are left out; None without any.

    Each row has ``where``, ``victim``, ``beside``, ``metric``, ``alone``, ``mixed``, ``harm``, ``own_harm``,
    ``finding``, and ``touched``, the caveats that touch the mix.
    """
    sweep, table = results.sweep, results.table("harm")
    places, touched = axes.network_texts(sweep), Touching(sweep)
    rows = []
    for row in table.head(table_texts.MOST_ROWS).iter_rows(named=True):
        metric = metrics.METRICS[row["metric"]]
        rows.append(
            {
                "where": axes.axes_in_words(places[row["combination"]]),
                "victim": row["victim"],
                "beside": row["beside"],
                "metric": metric.title,
            }
            | {name: _mean(row[f"{name}_mean"], metric) for name in ("alone", "mixed")}
            | {
                name: rounding.mean_text(row[name], row[f"{name}_low"], row[f"{name}_high"], 1, "bootstrap")
                for name in ("harm", "own_harm")
            }
            | {"finding": harm.WORDS[row["finding"]], "touched": touched.means(row["metric"], [row["combination"]])}
        )
    least_runs, more = findings.LEAST_RUNS, max(0, table.height - len(rows))
    return {"rows": rows, "more": more, "least_runs": least_runs} if rows else None


def _mean(value: float | None, metric: metrics.Metric) -> str:
    return "–" if value is None else f"{value * metric.scale:.4g} {metric.shown_unit}".strip()


SECTION = Section("harm", "features/pairs/report/harm.html.jinja", section)
