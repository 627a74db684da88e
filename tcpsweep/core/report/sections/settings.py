# SPDX-License-Identifier: MIT
"""The ns-3 attributes in force in a sweep's cells, the traces that its ns-3 lacks, and a paragraph on the method."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tcpsweep.core.identity import release
from tcpsweep.core.store import cell_files
from tcpsweep.core.sweep import axes, ns3_tcp
from tcpsweep.core.sweep.attributes_in_force import Alike
from tcpsweep.core.sweep.axes import Axis
from tcpsweep.core.sweep.sweep_record import UNSET, PlannedSweep, Run
from tcpsweep.core.words import quantity_forms, units
from tcpsweep.features.corrections import corrections_in_force
from tcpsweep.features.corrections.correction_names import CORRECTIONS

# The defaults of ns-3 that may surprise readers.
HABITS = {
    "min_rto": "ns3::TcpSocketBase::MinRto",
    "delayed_acks": "ns3::TcpSocket::DelAckCount",
    "initial_window": "ns3::TcpSocket::InitialCwnd",
}
MOST_VALUES = 30  # values of an attribute that differs between cells
MOST_NAMED = 6  # values of an axis that a place is said by
_NS3_TIME = re.compile(r"\+?(-?[0-9.]+(?:e[-+]?[0-9]+)?)(ns|us|ms|s)")

# An attribute's values, each with how many cells have it, and where on the axes these cells lie.
Differing = list[tuple[str, list[tuple[str, int, str]]]]

# The parameters that a reader needs to know of every network, in the order of the sentence.
_NETWORK = ("bandwidth", "delay", "queue", "queue_disc", "loss", "flows")
_MOST_LISTED = 8


def settings_in_force(sweep: PlannedSweep, recorded: Iterable[Alike]) -> tuple[dict[str, str], Differing]:
    """The ns-3 attributes that the simulator recorded: attributes with one value everywhere, then the others."""
    texts, all_axes = sweep.texts, axes.variant_and_network_axes(sweep)
    by_name: dict[str, dict[str, Counter[int]]] = {}
    for alike in recorded:
        for name, value in alike.attributes.items():
            by_name.setdefault(name, {}).setdefault(str(value), Counter()).update(alike.runs)
    common = {name: next(iter(values)) for name, values in sorted(by_name.items()) if len(values) == 1}
    differing = [
        (name, [(value, runs.total(), _place_in_words(all_axes, texts, set(runs))) for value, runs in values.items()])
        for name, values in sorted(by_name.items())
        if len(values) > 1
    ]
    return common, differing


@dataclass(frozen=True)
class PresetShown:
    """A preset of a sweep."""

    name: str
    description: str
    where: str
    rows: list[tuple[str, str, str, str]]  # each attribute's value, its source, and the sweep file's own value for it


def presets(sweep: PlannedSweep) -> list[PresetShown]:
    """The presets that combinations of a sweep have."""
    texts, all_axes = sweep.texts, axes.variant_and_network_axes(sweep)
    shown = []
    for name, preset in sweep.presets.items():
        members = {number for number, row in enumerate(sweep.own) if row.get("preset") == name}
        settings = []
        for attribute, setting in preset.settings.items():
            member_rows = (sweep.combinations[number] for number in sorted(members))
            values = dict.fromkeys(str(row[attribute]) for row in member_rows if attribute in row)
            overrides = ", ".join(value for value in values if value != setting.value)
            settings.append((attribute, setting.value, setting.source, overrides))
        shown.append(PresetShown(name, preset.description, _place_in_words(all_axes, texts, members), settings))
    return shown


def corrections_shown(sweep: PlannedSweep) -> tuple[str, list[tuple[str, str]]]:
    """Which TCP of ns-3 runs, in words, and the effect of each correction in force."""
    words = ns3_tcp.in_words(sweep.combinations, sweep.corrections, sweep.ns3_version)
    in_force = {name for row in sweep.combinations for name in corrections_in_force.in_force(row, sweep.ns3_version)}
    return words, [(name, CORRECTIONS[name].does) for name in sorted(in_force)]


def habits(common: Mapping[str, str], differing: Differing) -> dict[str, str]:
    """The values of `HABITS` in force, as words; empty where no cell recorded one."""
    values_by_attribute = {name: [value] for name, value in common.items()}
    values_by_attribute |= {name: [value for value, _, _ in counted] for name, counted in differing}
    return {key: " or ".join(map(readable, values_by_attribute.get(name, []))) for key, name in HABITS.items()}


def readable(value: str) -> str:
    """An attribute's value, with times in a readable unit: ``+1e+09ns`` is ``1s``."""
    match = _NS3_TIME.fullmatch(value)
    try:
        return quantity_forms.time(f"{float(match[1]):.12g}{match[2]}") if match else value
    except ValueError:  # below zero, or a fraction of a nanosecond
        return value


def untraced(sweep: PlannedSweep, finished: Sequence[Run]) -> str:
    """Which of the traces that the sweep asks for it cannot have, and why, as a sentence; empty if it has all."""
    if not finished:
        return ""
    record = cell_files.record(sweep.parquet(finished[0].cell))
    lacking = " and ".join(name for name in record.get("unavailable", ()) if name in sweep.capture.traces)
    if not lacking:
        return ""
    if any(flow.get("programs") for flow in record["flows"]):
        return f"{lacking}: the flows are programs, whose sockets only the programs can read, so there are no values."
    if any(flow.get("stack") == "quic" for flow in record["flows"]):
        return f"{lacking}: QUIC stacks do not report these values, so no flow has them."
    return f"ns-3 {sweep.ns3_version} cannot trace {lacking}, so there are no values."


def _place_in_words(all_axes: Mapping[str, Axis], texts: Sequence[Mapping[str, str]], combinations: set[int]) -> str:
    """Where some combinations lie, in words: their values on the axes of which they have only some values."""
    clauses = []
    for name, axis in all_axes.items():
        texts_here = {texts[number][name] for number in combinations}
        if len(texts_here) < len(axis.values):
            shown = [text for text in [*axis.values, UNSET] if text in texts_here]
            more = f" and {len(shown) - MOST_NAMED} more" if len(shown) > MOST_NAMED else ""
            clauses.append(f"{axis.title} {', '.join(shown[:MOST_NAMED])}{more}")
    return "; ".join(clauses)


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
        *_tcp_sentence(sweep),
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
    if audit.get("cells"):
        agreeing = "All" if audit["agreeing"] == audit["cells"] else f"{audit['agreeing']} of {audit['cells']}"
        sentences.append(f"{agreeing} simulations passed tcpsweep's consistency checks.")
    if lost:
        sentences.append(f"{lost} simulations have no result.")
    return " ".join(sentences)


def _tcp_sentence(sweep: PlannedSweep) -> list[str]:
    words = ns3_tcp.in_words(sweep.own, sweep.corrections, sweep.ns3_version).replace("`", "")
    return [f"{words[0].upper()}{words[1:]}."] if words else []


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
