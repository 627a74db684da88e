# SPDX-License-Identifier: MIT
"""Whether variants can be compared in a metric that a sweep file names."""

from collections.abc import Sequence

from tcpsweep.core.sweep import assignment
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words import completion_metrics, metric_names, metrics


def why_not_compared(name: str) -> str:
    """Why variants are not compared in this metric; empty if they are."""
    compared = [metric for metric in metrics.compared() if metrics.METRICS[metric].averaged]
    if name in compared:
        return ""
    why = f"{name} is not compared" if name in metrics.METRICS else f"there is no metric {name!r}"
    expected = "expected a metric in which variants are compared, such as goodput_bps"
    return f"{why}; {expected}{metric_names.did_you_mean(name, compared)}"


def why_unmeasured(name: str, combinations: Sequence[Combination]) -> str:
    """Why no combination of a sweep has a known metric, as far as known before a run; else empty."""
    has_finite_flows = any(any(network_views.flow_values(row, "bytes")) for row in combinations)
    if name in completion_metrics.METRICS and not has_finite_flows:
        return "flows without `bytes` never complete: set `bytes`, or choose another metric"
    if metrics.METRICS[name].by_variant and not any(map(assignment.forward_count, combinations)):
        return "the sweep has no flows that have this metric: choose another one"
    return ""


OF_COMPLETION = ("completion_mean_s", "completion_p95_s", "finished_share")


def headline(scenario: str, combinations: Sequence[Combination]) -> list[str] | None:
    """The names of the sweep's headline metrics; None for the usual ones.

    If all forward flows have limited bytes, completion times come first. Such flows reach no steady state, so only
    metrics that do not need one follow. Goodput, for example, could not be judged in any network condition.
    """
    scenario_metrics = schema.headline(scenario)
    if not combinations or not all(map(_are_all_flows_finite, combinations)):
        return scenario_metrics
    metric_by_name = metrics.headline(metrics.METRICS, scenario_metrics)
    return [*OF_COMPLETION, *(name for name, metric in metric_by_name.items() if not metric.needs_steady)]


def _are_all_flows_finite(row: Combination) -> bool:
    byte_limits = network_views.flow_values(row, "bytes")[: assignment.forward_count(row)]
    return bool(byte_limits) and all(byte_limits)
