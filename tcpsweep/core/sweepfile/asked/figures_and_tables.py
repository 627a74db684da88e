# SPDX-License-Identifier: MIT
"""The figures and tables that a sweep file requests under `figures` and `tables`, and their problems.

If a file is wrong elsewhere, its `sound_part` is checked further, so that one check reports all mistakes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tcpsweep.core.sweep.requests import Asked, TableRequest
from tcpsweep.core.sweep.sweep_record import Sweep, value_text
from tcpsweep.core.sweepfile.asked import figure_requests, metric_figure_requests, wanted_rows
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import conditions, schema
from tcpsweep.core.sweepfile.keys.sweep_fields import FigureFields, TableFields
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import metrics, spelling

MOST_FIGURES, MOST_TABLES = 60, 60

# Keys that make the combinations: without one of their values, the combinations are not those that the file means.
_COMBINATION_KEYS = (
    *("scenario", "network", "pairs", "grid", "zip", "fixed", "attributes", "only", "exclude"),
    *("runs", "repetitions", "precision", "at_most", "refine", "search"),
)
LIST_KEYS = ("figures", "tables", "expect")


def asked(file: SweepFile) -> Asked:
    """The figures and tables that a sweep file requests."""
    scenario, figures = file.scenario, file.keys.figures or []
    return Asked(
        [figure_requests.trace_figure(scenario, figure) for figure in figures if figure.show],
        [metric_figure_requests.metric_figure(scenario, figure) for figure in figures if figure.metric is not None],
        [_table_request(scenario, table) for table in file.keys.tables or []],
    )


def problems(file: SweepFile, sweep: Sweep) -> list[Problem]:
    """The problems with the figures and tables that a sweep file requests."""
    key_problems = list(_misplaced_key_problems(file.keys.figures or []))
    sound = sound_part(file.data, file.folder, key_problems)
    return key_problems + (list(sound.in_file(_request_problems(sound.file, sweep))) if sound else [])


def _request_problems(file: SweepFile, sweep: Sweep) -> Iterator[Problem]:
    """The problems with each figure and table, and with their count."""
    picture_count = metric_figure_count = 0
    for number, figure in enumerate(file.keys.figures or []):
        path: KeyPath = ("figures", number)
        if figure.metric is not None:
            metric_figure_count += 1
            yield from metric_figure_requests.problems(path, figure, sweep)
        else:
            mistakes, figure_pictures = figure_requests.problems(path, figure, sweep)
            picture_count += figure_pictures
            yield from mistakes
    if picture_count > MOST_FIGURES:
        rest = f"figures in all, these make {picture_count}; choose simulations with `where`"
        yield Problem(("figures",), f"expected at most {MOST_FIGURES} {rest}", at_key=True)
    if metric_figure_count > MOST_FIGURES:
        message = f"expected at most {MOST_FIGURES} figures of metrics, got {metric_figure_count}"
        yield Problem(("figures",), message, at_key=True)
    tables = file.keys.tables or []
    for number, table in enumerate(tables):
        yield from _table_problems(("tables", number), table, sweep)
    if len(tables) > MOST_TABLES:
        yield Problem(("tables",), f"expected at most {MOST_TABLES} tables, got {len(tables)}", at_key=True)


def _table_request(scenario: str, table: TableFields) -> TableRequest:
    columns, digits = table.columns, {} if table.digits is None else table.digits
    metric_columns = [name for name in columns if name in metrics.METRICS]
    return TableRequest(
        title=table.title,
        columns=columns,
        where=conditions.wanted_values(scenario, table.where or {}),
        digits=dict.fromkeys(metric_columns, digits) if isinstance(digits, int) else digits,
        intervals=table.intervals,
    )


def _table_problems(path: KeyPath, written: TableFields, sweep: Sweep) -> Iterator[Problem]:
    table = _table_request(sweep.scenario, written)
    rows, mistakes = wanted_rows.met(path, written.where or {}, table.where, sweep)
    if mistakes:
        yield from mistakes
        return
    metric_columns = [name for name in table.columns if name in metrics.averaged()]
    axis_names = dict.fromkeys([*sweep.axes, "variant"])
    for number, name in enumerate(table.columns):
        if name not in metric_columns and name not in axis_names and not schema.described(sweep.scenario, name):
            mistakes.append(wanted_rows.unknown_metric((*path, "columns", number), name, list(axis_names)))
    if not metric_columns and not mistakes:
        mistakes.append(Problem((*path, "columns"), "expected a metric among the columns, such as goodput_bps"))
    for name in table.digits:
        if name not in metric_columns and isinstance(written.digits, dict):
            message = f"no column shows the metric {name}{spelling.did_you_mean(name, metric_columns)}"
            mistakes.append(Problem((*path, "digits", name), message, at_key=True))
    hidden = [name for name in wanted_rows.varying(rows, sweep) if name not in table.columns]
    if hidden and not mistakes and not _distinguishes_rows(table, rows):
        message = (
            f"rows differ in {', '.join(hidden)}, but no column shows it; add it, or choose one value with `where`"
        )
        mistakes.append(Problem((*path, "columns"), message))
    yield from mistakes


def _distinguishes_rows(table: TableRequest, rows: list[Any]) -> bool:
    """Whether the columns distinguish all rows: axes without a column depend on axes with one."""
    parameter_columns = [name for name in table.columns if name not in metrics.METRICS]
    return len({tuple(value_text(row, name) for name in parameter_columns) for row in rows}) == len(rows)


def _misplaced_key_problems(figures: Iterable[FigureFields]) -> Iterator[Problem]:
    """Figures of neither kind or of both kinds, and keys that belong to the other kind."""
    mean_keys, trace_keys = set(metric_figure_requests.KEYS), set(figure_requests.KEYS)
    for number, figure in enumerate(figures):
        path: KeyPath = ("figures", number)
        keys = figure.written_keys()
        if ("show" in keys) == ("metric" in keys):
            both = "not both" if "show" in keys else "this has neither"
            yield Problem(path, f"write `show` for traces over time, or `metric` for means; {both}")
            continue
        allowed, other = (mean_keys, "traces over time") if "metric" in keys else (trace_keys, "means of a metric")
        for key in keys:
            if key not in allowed:
                message = f"this key is for figures of {other}; expected one of {', '.join(sorted(allowed))}"
                yield Problem((*path, key), message, at_key=True)
        for key in ("axis",) if "metric" in keys else ("title",):
            if key not in keys:
                yield Problem(path, f"the key {key!r} is missing")


@dataclass(frozen=True)
class SoundPart:
    """A part of a sweep file."""

    file: SweepFile  # without the wrong values
    kept: dict[str, list[int]]  # key to the original numbers of its list's remaining entries

    def in_file(self, problems: Iterable[Problem]) -> Iterator[Problem]:
        """The part's problems, with their paths in the whole file."""
        for problem in problems:
            path = problem.path
            if len(path) > 1 and path[0] in self.kept and isinstance(path[1], int):
                path = (path[0], self.kept[str(path[0])][path[1]], *path[2:])
            yield replace(problem, path=path)


def sound_part(data: Any, folder: Path, problems: Iterable[Problem]) -> SoundPart | None:
    """A sweep file without the keys and list entries in which `schema_check.problems` found problems.

    None if the problems leave the combinations open.
    """
    if not isinstance(data, dict):
        return None
    sound: dict[str, Any] = {"sweep": "unnamed"} | data
    dropped_entries: dict[KeyPath, None] = {}
    for path in (problem.path for problem in problems):
        if path[:1] and path[0] in _COMBINATION_KEYS:
            return None
        if path[:1] == ("sweep",):
            sound["sweep"] = "unnamed"
        elif len(path) > 1 and path[0] in LIST_KEYS and isinstance(path[1], int):
            dropped_entries[path[:2]] = None
        elif path:
            sound.pop(str(path[0]), None)
    if "scenario" not in sound:
        return None
    kept_numbers: dict[str, list[int]] = {}
    for key in LIST_KEYS:
        if isinstance(sound.get(key), list):
            kept_numbers[key] = [number for number in range(len(sound[key])) if (key, number) not in dropped_entries]
            sound[key] = [sound[key][number] for number in kept_numbers[key]]
            if not sound[key]:
                del sound[key]
    if "published" in data and "published" not in sound:  # which figures may need
        kept_numbers["figures"] = []
        sound.pop("figures", None)
    return SoundPart(SweepFile(sound, folder), kept_numbers)


def unseen(data: Any, part: SoundPart | None) -> Iterator[tuple[KeyPath, Any]]:
    """The list entries, with their paths, that a file's sound part lacks; all entries without a sound part."""
    for key in LIST_KEYS:
        content = data.get(key) if isinstance(data, dict) else None
        if isinstance(content, list):
            seen = part.kept.get(key, []) if part else []
            yield from (((key, number), entry) for number, entry in enumerate(content) if number not in seen)
        elif content is not None and part is None:
            yield (key,), content
