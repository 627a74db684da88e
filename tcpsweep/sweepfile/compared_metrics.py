# SPDX-License-Identifier: MIT
"""Whether a metric that a sweep file names is one in which its variants can be compared."""

from collections.abc import Sequence

from tcpsweep.sweep import assignment
from tcpsweep.sweep.matching import Combination
from tcpsweep.sweepfile import network_flows
from tcpsweep.words import completion_metrics, metric_names, metrics


def unknown(name: str) -> str:
    """Why variants are not compared in a metric of this name; empty if they are."""
    known = [each for each in metrics.compared() if metrics.METRICS[each].averaged]
    if name in known:
        return ""
    why = f"{name} is not compared" if name in metrics.METRICS else f"there is no metric {name!r}"
    expected = "expected a metric in which variants are compared, such as goodput_bps"
    return f"{why}; {expected}{metric_names.nearest(name, known)}"


def unmeasured(name: str, combinations: Sequence[Combination]) -> str:
    """Why none of a sweep's combinations has a known metric, as far as that is known before a run; else empty."""
    ending = any(any(network_flows.values(row, "bytes")) for row in combinations)
    if name in completion_metrics.METRICS and not ending:
        return "flows without `bytes` never complete: there is nothing to measure"
    if metrics.METRICS[name].by_variant and not any(map(assignment.forward_count, combinations)):
        return "the sweep has no flows that this could be measured of"
    return ""
