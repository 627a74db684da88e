# SPDX-License-Identifier: MIT
"""The metrics with their formulas, in the words of the report. `measure` computes them.

A metric covers the time from the end of the warm-up to the end of the simulation. For a flow, it covers the part of it
in which the flow exists and its own warm-up is over. Some formulas name another time. The 95th percentile is the
smallest value that at least 95 % of all values do not exceed; other percentiles likewise.

If a network has several links, the bottleneck is the link that `binds`. The network's metrics of queues, losses and
marks also exist for each link and direction. They are in `measures`, and over runs in the sweep's table `links`.

Each group of traffic has its own metrics. They are in `measures`, and over runs in the sweep's table `traffic`.

If the transfer at a percentile did not finish, the percentile is infinite in `measures`. A combination with such a run
has no mean in `traffic`, which counts these runs as `infinite_runs`.
"""

from collections.abc import Iterable

from tcpsweep.core.words import (
    completion_metrics,
    delay_metrics,
    dynamics_metrics,
    fairness_metrics,
    loss_metrics,
    rate_metrics,
    sender_metrics,
    traffic_metrics,
)
from tcpsweep.core.words.metric_form import INTERVALS, Metric

__all__ = ["FAMILIES", "INTERVALS", "METRICS", "Metric", "averaged", "compared", "headline"]

# The metrics by topic.
FAMILIES: dict[str, dict[str, Metric]] = {
    "rates": rate_metrics.METRICS,
    "fairness": fairness_metrics.METRICS,
    "losses": loss_metrics.METRICS,
    "delays": delay_metrics.METRICS,
    "variation, bursts and changes": dynamics_metrics.METRICS,
    "senders": sender_metrics.METRICS,
    "completion": completion_metrics.METRICS,
    "traffic": traffic_metrics.METRICS,
}
METRICS: dict[str, Metric] = {name: metric for family in FAMILIES.values() for name, metric in family.items()}


def headline(names: Iterable[str], chosen: Iterable[str] | None = None) -> dict[str, Metric]:
    """The names among the given ones with which tables and figures for people begin.

    ``chosen`` are the headline metrics of a scenario that has its own.
    """
    first = chosen or [name for name, metric in METRICS.items() if metric.headline]
    return {name: METRICS[name] for name in first if name in set(names)}


def compared(*scopes: str) -> list[str]:
    """The names of the metrics by which variants and sweeps are compared, in these scopes. Default: all scopes."""
    return [name for name, metric in METRICS.items() if metric.compared and (not scopes or metric.scope in scopes)]


def averaged() -> list[str]:
    """The names of the metrics that variants or whole networks have."""
    return [name for name, metric in METRICS.items() if metric.averaged]
