# SPDX-License-Identifier: MIT
"""Whether a metric that a sweep file names is one in which its variants can be compared."""

from collections.abc import Sequence

from tcpsweep.sweep import assignment
from tcpsweep.sweep.matching import Combination, Settings
from tcpsweep.sweepfile.keys import schema
from tcpsweep.sweepfile.network import network_views
from tcpsweep.words import completion_metrics, metric_names, metrics


def why_not_compared(name: str) -> str:
    """Why variants are not compared in a metric of this name; empty if they are."""
    known = [each for each in metrics.compared() if metrics.METRICS[each].averaged]
    if name in known:
        return ""
    why = f"{name} is not compared" if name in metrics.METRICS else f"there is no metric {name!r}"
    expected = "expected a metric in which variants are compared, such as goodput_bps"
    return f"{why}; {expected}{metric_names.did_you_mean(name, known)}"


def why_unmeasured(name: str, combinations: Sequence[Combination]) -> str:
    """Why none of a sweep's combinations has a known metric, as far as that is known before a run; else empty."""
    ending = any(any(network_views.flow_values(row, "bytes")) for row in combinations)
    if name in completion_metrics.METRICS and not ending:
        return "flows without `bytes` never complete: there is nothing to measure"
    if metrics.METRICS[name].by_variant and not any(map(assignment.forward_count, combinations)):
        return "the sweep has no flows that this could be measured of"
    return ""


OF_COMPLETION = ("completion_mean_s", "completion_p95_s", "finished_share")


def headline(scenario: str, combinations: Sequence[Combination]) -> list[str] | None:
    """The names of the sweep's headline metrics; None for the usual ones.

    Where all forward flows end by themselves, completion times are the question, and lead. Of the others those stay
    that need no steady state, as such flows reach none: their goodput would be judged in no network.
    """
    chosen = schema.headline(scenario)
    if not combinations or not all(map(_all_end, combinations)):
        return chosen
    others = metrics.headline(metrics.METRICS, chosen)
    return [*OF_COMPLETION, *(name for name, metric in others.items() if not metric.needs_steady)]


def _all_end(row: Settings) -> bool:
    forward = network_views.flow_values(row, "bytes")[: assignment.forward_count(row)]
    return bool(forward) and all(forward)
