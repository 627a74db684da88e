# SPDX-License-Identifier: MIT
"""The ns-3 attributes in force in a sweep's cells, and the traces that its ns-3 lacks."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.store import cell_files
from tcpsweep.core.sweep import attributes_in_force, axes
from tcpsweep.core.sweep.attributes_in_force import Alike
from tcpsweep.core.sweep.axes import Axis
from tcpsweep.core.sweep.sweep_record import UNSET, PlannedSweep, Run
from tcpsweep.core.words import quantity_forms

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


@dataclass(frozen=True)
class Settings:
    """The ns-3 settings in force, with readable values: those that may surprise, presets, and attributes."""

    habits: dict[str, str]
    presets: list[PresetShown]
    common: dict[str, str]
    differing: Differing
    most_values: int = MOST_VALUES


def _settings(results: SweepResults) -> Settings:
    common, differing = settings_in_force(results.sweep, attributes_in_force.read(results.folder))
    return Settings(
        habits(common, differing),
        presets(results.sweep),
        {name: readable(value) for name, value in common.items()},
        [(name, [(readable(value), count, where) for value, count, where in values]) for name, values in differing],
    )


SECTION = Section("settings", "report/method_settings.html.jinja", _settings)
