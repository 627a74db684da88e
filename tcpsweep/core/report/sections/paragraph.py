# SPDX-License-Identifier: MIT
"""A paragraph on the method, to copy: the sentences that the section *Method* holds in its tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.identity import release
from tcpsweep.core.report.sections import audit
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import units

# The parameters that a reader needs to know of every network, in the order of the sentence.
_NETWORK = ("bandwidth", "delay", "queue", "queue_disc", "loss", "flows")
_MOST_LISTED = 8


@dataclass(frozen=True)
class Paragraph:
    """The first sentence, which a feature's may follow, and the rest."""

    first: str
    rest: str


def _paragraph(results: SweepResults) -> Paragraph:
    sweep, of_audit = results.sweep, audit.outcome(results.sweep, results.table("audit"))
    row = sweep.own[0]
    variants = list(dict.fromkeys(text["variant"] for text in sweep.texts[: sweep.swept]))
    networks = len({tuple(place.values()) for place in axes.network_texts(sweep)[: sweep.swept]})
    compared = [name for name in variants if name != sweep.baseline]
    baseline = f" with {sweep.baseline}" if sweep.baseline and compared else ""
    first = f"We simulated TCP with ns-3 {sweep.ns3_version}, run by tcpsweep {release.stated_release()}."
    sentences = [
        f"The scenario was {sweep.scenario}{_fixed_settings(sweep, row)}.",
        f"We compared {_listed(compared or variants)}{baseline} in {networks} network condition{'s' * (networks != 1)}"
        f"{_axes_in_brackets(sweep)}, with {sweep.runs_in_words()} repetitions each and common random numbers (seed "
        f"{sweep.seed}).",
        f"Each simulation lasted {_values(sweep, 'duration')}; the first {_values(sweep, 'warmup')} were not measured.",
        "Values are means over repetitions with 95 % confidence intervals (Student's t; expanded percentile bootstrap "
        "for bounded metrics).",
        "Variants were compared by paired minimum-effect tests and by two one-sided tests for equivalence, corrected "
        "for all comparisons of the headline metrics by Holm's procedure.",
    ]
    if of_audit.cells:
        passed, checked = of_audit.agreeing, of_audit.cells
        agreeing = "All" if passed == checked else f"{passed} of {checked}"
        sentences.append(f"{agreeing} simulations passed tcpsweep's consistency checks.")
    if lost := len(results.failed):
        sentences.append(f"{lost} simulations have no result.")
    return Paragraph(first, " ".join(sentences))


def _values(sweep: PlannedSweep, name: str) -> str:
    """The values of a parameter in the sweep, in words."""
    texts = dict.fromkeys(units.value_text(row[name]) for row in sweep.own if name in row)
    return _listed(list(texts))


def _fixed_settings(sweep: PlannedSweep, row: Mapping[str, Any]) -> str:
    """The parameters of the network that have one value."""
    fixed = [name for name in _NETWORK if name in row and name not in sweep.axes and row[name] not in (0, "none")]
    texts = [f"{axes.title(name, sweep.axes)} {units.value_text(row[name])}" for name in fixed]
    return f" with {', '.join(texts)}" if texts else ""


def _axes_in_brackets(sweep: PlannedSweep) -> str:
    """The axes of the network conditions with their values, in brackets."""
    texts = [
        f"{axes.title(name, sweep.axes)} {_listed([units.value_text(value) for value in values])}"
        for name, values in sweep.axes.items()
        if name != "variant"
    ]
    return f" ({'; '.join(texts)})" if texts else ""


def _listed(texts: list[str]) -> str:
    """``a, b and c``; of many, the first ones and their number."""
    if len(texts) > _MOST_LISTED:
        return f"{', '.join(texts[:_MOST_LISTED])} and {len(texts) - _MOST_LISTED} more"
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)


SECTION = Section("methods", "report/method_methods.html.jinja", _paragraph)
