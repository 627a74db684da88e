# SPDX-License-Identifier: MIT
"""A paragraph on the method of a sweep, for a paper."""

from collections.abc import Mapping
from typing import Any

from tcpsweep.identity import release
from tcpsweep.sweep import axes, corrections_in_force
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import quantities

# The parameters that a reader needs to know of every network, in the order of the sentence.
_NETWORK = ("bandwidth", "delay", "queue", "queue_disc", "loss", "flows")
_MOST_NAMED = 8


def paragraph(sweep: PlannedSweep, audit: Mapping[str, Any], lost: int) -> str:
    """The sentences that the section *Method* holds in its tables, with this sweep's values.

    ``audit`` is from `audit.outcome`. ``lost`` is the number of simulations without a result.
    """
    row = sweep.own[0]
    variants = list(dict.fromkeys(text["variant"] for text in sweep.texts[: sweep.swept]))
    networks = len({tuple(place.values()) for place in axes.network_texts(sweep)[: sweep.swept]})
    compared = [name for name in variants if name != sweep.baseline]
    baseline = f" with {sweep.baseline}" if sweep.baseline and compared else ""
    sentences = [
        f"We simulated TCP with ns-3 {sweep.ns3_version}, run by tcpsweep {release.stated_release()}.",
        *_tcp(sweep),
        f"The scenario was {sweep.scenario}{_settings(sweep, row)}.",
        f"We compared {_listed(compared or variants)}{baseline} in {networks} network condition{'s' * (networks != 1)}"
        f"{_swept(sweep)}, with {sweep.runs_in_words()} repetitions each and common random numbers (seed "
        f"{sweep.seed}).",
        f"Each simulation lasted {_values(sweep, 'duration')}; the first {_values(sweep, 'warmup')} were not measured.",
        "Values are means over repetitions with 95 % confidence intervals (Student's t; expanded percentile bootstrap "
        "for bounded metrics).",
        "Variants were compared by paired minimum-effect tests and by two one-sided tests for equivalence, corrected "
        "for all comparisons of the headline metrics by Holm's procedure.",
    ]
    if audit.get("cells"):
        agreeing = "All" if audit["agreeing"] == audit["cells"] else f"{audit['agreeing']} of {audit['cells']}"
        sentences.append(f"{agreeing} simulations passed tcpsweep's consistency checks.")
    if lost:
        sentences.append(f"{lost} simulations have no result.")
    return " ".join(sentences)


def _tcp(sweep: PlannedSweep) -> list[str]:
    words = corrections_in_force.tcp_in_words(sweep.own, sweep.ns3_version).replace("`", "")
    return [f"{words[0].upper()}{words[1:]}."] if words else []


def _values(sweep: PlannedSweep, name: str) -> str:
    """The values of a parameter in the sweep, in words."""
    found = dict.fromkeys(quantities.value_text(row[name]) for row in sweep.own if name in row)
    return _listed(list(found))


def _settings(sweep: PlannedSweep, row: Mapping[str, Any]) -> str:
    """The parameters of the network that have one value."""
    fixed = [name for name in _NETWORK if name in row and name not in sweep.axes and row[name] not in (0, "none")]
    texts = [f"{axes.title(name, sweep.axes)} {quantities.value_text(row[name])}" for name in fixed]
    return f" with {', '.join(texts)}" if texts else ""


def _swept(sweep: PlannedSweep) -> str:
    """The axes of the network conditions with their values, in brackets."""
    texts = [
        f"{axes.title(name, sweep.axes)} {_listed([quantities.value_text(value) for value in values])}"
        for name, values in sweep.axes.items()
        if name != "variant"
    ]
    return f" ({'; '.join(texts)})" if texts else ""


def _listed(texts: list[str]) -> str:
    """``a, b and c``; of many, the first ones and their number."""
    if len(texts) > _MOST_NAMED:
        return f"{', '.join(texts[:_MOST_NAMED])} and {len(texts) - _MOST_NAMED} more"
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)
