# SPDX-License-Identifier: MIT
"""Parts that figures and tables share: conditions, names of axes and metrics, widths on paper."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from tcpsweep.core.sweep import matching
from tcpsweep.core.sweep.matching import Combination, Wanted
from tcpsweep.core.sweep.sweep_record import Sweep, value_text
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.words import dotted_names, field_names, metric_names, metrics, spelling, units


def unmet(path: KeyPath, written: Mapping[str, Any], where: Wanted, sweep: Sweep) -> Iterator[Problem]:
    """Values in a condition that no combination has; ``written`` is the condition as the entry at a path has it."""
    rows = sweep.own
    for name, values in where.items():
        for number, value in enumerate(values):
            if any(matching.is_met({name: [value]}, row) for row in rows):
                continue
            place = (*path, "where", name, *([number] if isinstance(written[name], list) else []))
            texts = list(dict.fromkeys(value_text(row, name) for row in rows))
            nearest = matching.nearest_value(name, schema.value_form(sweep.scenario, name), value, rows)
            near = spelling.did_you_mean(nearest, texts) if len(texts) > 1 else ""
            message = f"{name} is never {units.value_text(value)} in this sweep"
            yield Problem(place, message, choices=f"it is {spelling.listed(texts)}", nearest=near)


def unbounded(path: KeyPath, where: Wanted, opened: Collection[str], sweep: Sweep) -> Iterator[Problem]:
    """Open axes that a figure shows without naming values, so that their number is unknown before the sweep runs."""
    for name in opened:
        if name not in where:
            first = units.value_text(sweep.axes[name][0])
            message = f"the sweep chooses the values of {name} while it runs"
            yield Problem(path, f"{message}; name the values to show, as in `where: {{{name}: {first}}}`")


def met(
    path: KeyPath, written: Mapping[str, Any], where: Wanted, sweep: Sweep
) -> tuple[list[Combination], list[Problem]]:
    """The sweep's own combinations that meet a condition, and the condition's problems."""
    rows = [row for row in sweep.own if matching.is_met(where, row)]
    wrong = list(unmet(path, written, where, sweep))
    return rows, wrong if wrong or rows else [nothing_met(path)]


def nothing_met(path: KeyPath) -> Problem:
    """The problem with a condition that no combination meets."""
    return Problem((*path, "where"), "no simulation has all these values together; remove or change one")


def varying(rows: list[Combination], sweep: Sweep) -> list[str]:
    """The sweep's axes with several values among combinations."""
    return [name for name in sweep.axes if len({value_text(row, name) for row in rows}) > 1]


def unknown_axis(
    path: KeyPath, name: str, axis_names: Collection[str], sweep: Sweep, others: Collection[str] = ()
) -> Problem:
    """The problem with a name that is not an axis; ``axis_names`` are the axes, ``others`` metrics allowed too."""
    if name in sweep.axes:
        message = f"{name} has one value in the simulations that meet `where`"
        return Problem(path, message + (f"; {', '.join(axis_names)} have several" if axis_names else ""))
    if dotted_names.is_variant(name) and "variant" in axis_names:
        return Problem(path, "write `variant`, the axis of all groups' variants")
    if name in schema.parameters(sweep.scenario):
        return Problem(path, f"{name} has one value in this sweep; to make it an axis, list its values under `grid`")
    expected = f"expected an axis of the sweep, {', '.join(axis_names)}" if axis_names else "the sweep has no axis"
    near = spelling.did_you_mean(name, axis_names) or (metric_names.did_you_mean(name, others) if others else "")
    return Problem(path, f"{expected}{', or a metric' if others and axis_names else ''}; got {name!r}{near}")


def unknown_metric(path: KeyPath, name: str, others: Collection[str] = ()) -> Problem:
    """The problem with a name that is not a metric with means; ``others`` are other names allowed here."""
    names = [*others, *metrics.averaged()]
    axes_hint = f"; the axes are {', '.join(others)}; docs/reference-metrics.md lists the metrics" if others else ""
    near = metric_names.did_you_mean(name, names) or axes_hint or "; docs/reference-metrics.md lists them"
    expected = "a metric or an axis of the sweep" if others else "a metric"
    return Problem(path, f"expected {expected}, such as {', '.join([*others, 'goodput_bps'][:3])}, got {name!r}{near}")


def unknown_metric_problems(data: Any, path: KeyPath, entry: Any) -> Iterator[Problem]:
    """The names in an entry of `figures` or `tables` that are not metrics."""
    averaged = metrics.averaged()
    match path[0], entry:
        case "figures", {"metric": str(name)} if name not in averaged:
            yield unknown_metric((*path, "metric"), name)
        case "tables", {"columns": [*columns]}:
            parameters = schema.raw()["parameters"]
            axis_names = dict.fromkeys([*(name for _, name, _ in sections.values(data)), "variant"])
            known_names = {*averaged, *parameters, *axis_names}
            for number, name in enumerate(columns):
                if isinstance(name, str) and name not in known_names and not field_names.is_attribute(name):
                    yield unknown_metric((*path, "columns", number), name, list(axis_names))
