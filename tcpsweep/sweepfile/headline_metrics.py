# SPDX-License-Identifier: MIT
"""The metrics that tables and figures of a sweep begin with."""

from collections.abc import Sequence

from tcpsweep.sweep import assignment
from tcpsweep.sweep.matching import Combination, Settings
from tcpsweep.sweepfile import network_flows, schema
from tcpsweep.words import metrics

OF_COMPLETION = ("completion_mean_s", "completion_p95_s", "finished_share")


def of(scenario: str, combinations: Sequence[Combination]) -> list[str] | None:
    """The names of the sweep's headline metrics; None for the usual ones.

    Where all forward flows end by themselves, completion times are the question, and lead. Of the others those stay
    that need no steady state, as such flows reach none: their goodput would be judged in no network.

    Parameters
    ----------
    scenario : str
    combinations : list of dict
        Every parameter's normal form.
    """
    chosen = schema.headline(scenario)
    if not combinations or not all(map(_all_end, combinations)):
        return chosen
    others = metrics.headline(metrics.METRICS, chosen)
    return [*OF_COMPLETION, *(name for name, metric in others.items() if not metric.needs_steady)]


def _all_end(row: Settings) -> bool:
    forward = network_flows.values(row, "bytes")[: assignment.forward_count(row)]
    return bool(forward) and all(forward)
