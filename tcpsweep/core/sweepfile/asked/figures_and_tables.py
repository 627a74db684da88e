# SPDX-License-Identifier: MIT
"""The figures and tables that a sweep file requests under `figures` and `tables`, and their problems.

If a file is wrong elsewhere, its `sound_part` is checked further, so that one check reports all mistakes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tcpsweep.core.sweep.requests import Asked, TableRequest
from tcpsweep.core.sweep.sweep_record import Sweep, value_text
from tcpsweep.core.sweepfile.asked import figure_requests, metric_figure_requests, wanted_rows
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import conditions, schema
from tcpsweep.core.words import metrics, spelling

MOST_FIGURES, MOST_TABLES = 60, 60

# Keys that make the combinations: without one of their values, the combinations are not those that the file means.
_OF_COMBINATIONS = (
    *("scenario", "network", "pairs", "grid", "zip", "fixed", "attributes", "only", "exclude"),
    *("runs", "repetitions", "precision", "at_most", "refine", "search"),
)
_LISTS = ("figures", "tables", "expect")


def asked(data: dict[str, Any]) -> Asked:
    """The figures and tables that a sweep file requests."""
    scenario, figures = data["scenario"], data.get("figures", [])
    return Asked(
        [figure_requests.trace_figure(scenario, figure) for figure in figures if "show" in figure],
        [metric_figure_requests.metric_figure(scenario, figure) for figure in figures if "metric" in figure],
        [_table(scenario, table) for table in data.get("tables", [])],
    )


def problems(data: dict[str, Any], sweep: Sweep) -> list[Problem]:
    """The problems with the figures and tables that a sweep file requests."""
    misplaced = list(_misplaced(data))
    placed = sound_part(data, misplaced)
    return misplaced + (list(placed.in_file(_of_each(placed.data, sweep))) if placed else [])


def _of_each(data: dict[str, Any], sweep: Sweep) -> Iterator[Problem]:
    """The problems with each figure and table, and with their count."""
    pictures = of_metrics = 0
    for number, figure in enumerate(data.get("figures", [])):
        path: KeyPath = ("figures", number)
        if "metric" in figure:
            of_metrics += 1
            yield from metric_figure_requests.problems(path, figure, sweep)
        else:
            wrong, count = figure_requests.problems(path, figure, sweep)
            pictures += count
            yield from wrong
    if pictures > MOST_FIGURES:
        more = f"figures in all, these make {pictures}; choose simulations with `where`"
        yield Problem(("figures",), f"expected at most {MOST_FIGURES} {more}", at_key=True)
    if of_metrics > MOST_FIGURES:
        message = f"expected at most {MOST_FIGURES} figures of metrics, got {of_metrics}"
        yield Problem(("figures",), message, at_key=True)
    tables = data.get("tables", [])
    for number, table in enumerate(tables):
        yield from _table_problems(("tables", number), table, sweep)
    if len(tables) > MOST_TABLES:
        yield Problem(("tables",), f"expected at most {MOST_TABLES} tables, got {len(tables)}", at_key=True)


def _table(scenario: str, table: dict[str, Any]) -> TableRequest:
    columns, digits = table["columns"], table.get("digits", {})
    named = [name for name in columns if name in metrics.METRICS]
    return TableRequest(
        title=table["title"],
        columns=columns,
        where=conditions.wanted_values(scenario, table.get("where", {})),
        digits=dict.fromkeys(named, digits) if isinstance(digits, int) else digits,
        intervals=table.get("intervals", True),
    )


def _table_problems(path: KeyPath, written: dict[str, Any], sweep: Sweep) -> Iterator[Problem]:
    table = _table(sweep.scenario, written)
    rows, wrong = wanted_rows.met(path, written, table.where, sweep)
    if wrong:
        yield from wrong
        return
    shown = [name for name in table.columns if name in metrics.averaged()]
    others = dict.fromkeys([*sweep.axes, "variant"])
    for number, name in enumerate(table.columns):
        if name not in shown and name not in others and not schema.described(sweep.scenario, name):
            wrong.append(wanted_rows.unknown_metric((*path, "columns", number), name, list(others)))
    if not shown and not wrong:
        wrong.append(Problem((*path, "columns"), "expected a metric among the columns, such as goodput_bps"))
    for name in table.digits:
        if name not in shown and isinstance(written["digits"], dict):
            message = f"no column shows the metric {name}{spelling.did_you_mean(name, shown)}"
            wrong.append(Problem((*path, "digits", name), message, at_key=True))
    apart = [name for name in wanted_rows.varying(rows, sweep) if name not in table.columns]
    if apart and not wrong and not _told(table, rows):
        message = f"rows differ in {', '.join(apart)}, but no column shows it; add it, or choose one value with `where`"
        wrong.append(Problem((*path, "columns"), message))
    yield from wrong


def _told(table: TableRequest, rows: list[Any]) -> bool:
    """Whether the columns distinguish all rows: axes without a column depend on axes with one."""
    named = [name for name in table.columns if name not in metrics.METRICS]
    return len({tuple(value_text(row, name) for name in named) for row in rows}) == len(rows)


def _misplaced(data: dict[str, Any]) -> Iterator[Problem]:
    """Figures of neither kind or of both kinds, and keys that belong to the other kind."""
    of_means, of_traces = set(metric_figure_requests.KEYS), set(figure_requests.KEYS)
    for number, figure in enumerate(data.get("figures", [])):
        path: KeyPath = ("figures", number)
        if ("show" in figure) == ("metric" in figure):
            both = "not both" if "show" in figure else "this has neither"
            yield Problem(path, f"write `show` for traces over time, or `metric` for means; {both}")
            continue
        allowed, other = (of_means, "traces over time") if "metric" in figure else (of_traces, "means of a metric")
        for key in figure:
            if key not in allowed:
                message = f"this key is for figures of {other}; expected one of {', '.join(sorted(allowed))}"
                yield Problem((*path, key), message, at_key=True)
        for key in ("axis",) if "metric" in figure else ("title",):
            if key not in figure:
                yield Problem(path, f"the key {key!r} is missing")


@dataclass(frozen=True)
class SoundPart:
    """A part of a sweep file's data."""

    data: dict[str, Any]  # without the wrong values
    kept: dict[str, list[int]]  # key to the original numbers of its list's remaining entries

    def in_file(self, problems: Iterable[Problem]) -> Iterator[Problem]:
        """The part's problems, with their paths in the whole file."""
        for problem in problems:
            path = problem.path
            if len(path) > 1 and path[0] in self.kept and isinstance(path[1], int):
                path = (path[0], self.kept[str(path[0])][path[1]], *path[2:])
            yield replace(problem, path=path)


def sound_part(data: Any, problems: Iterable[Problem]) -> SoundPart | None:
    """A sweep file's data without the keys and list entries in which `schema_check.problems` found problems.

    None if the problems leave the combinations open.
    """
    if not isinstance(data, dict):
        return None
    sound: dict[str, Any] = {"sweep": "unnamed"} | data
    dropped: dict[KeyPath, None] = {}
    for path in (problem.path for problem in problems):
        if path[:1] and path[0] in _OF_COMBINATIONS:
            return None
        if path[:1] == ("sweep",):
            sound["sweep"] = "unnamed"
        elif len(path) > 1 and path[0] in _LISTS and isinstance(path[1], int):
            dropped[path[:2]] = None
        elif path:
            sound.pop(str(path[0]), None)
    if "scenario" not in sound:
        return None
    kept: dict[str, list[int]] = {}
    for key in _LISTS:
        if isinstance(sound.get(key), list):
            kept[key] = [number for number in range(len(sound[key])) if (key, number) not in dropped]
            sound[key] = [sound[key][number] for number in kept[key]]
    if "published" in data and "published" not in sound:  # which figures may need
        kept["figures"], sound["figures"] = [], []
    return SoundPart(sound, kept)


def unseen(data: Any, part: SoundPart | None) -> Iterator[tuple[KeyPath, Any]]:
    """The list entries, with their paths, that a file's sound part lacks; all entries without a sound part."""
    for key in _LISTS:
        content = data.get(key) if isinstance(data, dict) else None
        if isinstance(content, list):
            seen = part.kept.get(key, []) if part else []
            yield from (((key, number), entry) for number, entry in enumerate(content) if number not in seen)
        elif content is not None and part is None:
            yield (key,), content
