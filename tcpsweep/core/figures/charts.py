# SPDX-License-Identifier: MIT
"""Charts as Vega-Lite: altair builds each kind once, with slots, and each figure puts its own values and rows in."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import metadata
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import polars as pl

from tcpsweep.core.identity import hashing, python_code
from tcpsweep.core.store import compiled_programs, kept_texts

if TYPE_CHECKING:
    import altair as alt

VegaLite: TypeAlias = dict[str, Any]
"""A chart's specification as JSON."""
Slots: TypeAlias = Mapping[str, Any]
"""Values for the slots of a chart, by their names; `paper_chart.slots` and pages' scripts make them."""
Table: TypeAlias = pl.DataFrame | Iterable[Mapping[str, Any]]
_SLOT = "slot "
_PAPER = {"edge": "white", "edge width": 0.6, "soft": "#666"}


@functools.cache
def _kept() -> dict[str, dict[str, VegaLite]]:
    """The ``kinds`` of charts and the ``looks``, kept next to compiled programs: altair takes longer than drawing."""
    code = hashing.short_hash(metadata.version("altair"), python_code.python_id("core.figures.chart_kinds"))
    file = compiled_programs.folder() / f"charts-{code}.kept"
    if (text := kept_texts.read(file)) is not None:
        return json.loads(text)  # type: ignore[no-any-return]
    from tcpsweep.core.figures import chart_kinds, chart_theme

    looks: dict[str, Any] = {name: chart_theme.look(name)["config"] for name in chart_theme.LOOKS}
    made: dict[str, dict[str, VegaLite]] = {
        "kinds": {name: built(make) for name, make in chart_kinds.KINDS.items()},
        "looks": looks,
    }
    kept_texts.write(file, json.dumps(made))
    return made


@functools.cache
def built(kind: Callable[[], alt.TopLevelMixin]) -> VegaLite:
    """A kind of chart as Vega-Lite with slots, without a look."""
    import altair as alt

    with alt.theme.enable("none"), alt.data_transformers.enable(consolidate_datasets=False):
        chart = kind().to_dict(validate=False)  # a slot is not valid everywhere
    del chart["$schema"]
    return chart


def kinds() -> dict[str, VegaLite]:
    """The kinds of charts of `chart_kinds.KINDS` by name, as Vega-Lite with slots."""
    return _kept()["kinds"]


def kind(name: str) -> VegaLite:
    """One of `kinds`."""
    return kinds()[name]


def look(name: str) -> VegaLite:
    """A look of `chart_theme.LOOKS`, as Vega-Lite's config."""
    return _kept()["looks"][name]


def filled(chart: VegaLite, slots: Slots, **tables: Table) -> VegaLite:
    """A chart in the look of paper with values in its slots, and with the rows that its layers name.

    What has a slot without a value is left out, and so is a layer without rows.
    """
    datasets = {name: _rows(table) for name, table in tables.items()}
    return {**_put(chart, {**_PAPER, **slots}, datasets), "config": look("paper"), "datasets": datasets}


def several(
    direction: Literal["vconcat", "hconcat"], chart: VegaLite, panels: Sequence[tuple[Slots, Mapping[str, Table]]]
) -> VegaLite:
    """A chart `filled` several times, below each other or side by side, each time with its slots and rows."""
    views: list[VegaLite] = []
    datasets: VegaLite = {}
    for number, (slots, tables) in enumerate(panels):
        view = filled(chart, slots, **tables)
        for part in (view, *view["layer"]):
            if name := part.get("data", {}).get("name"):
                part["data"] = {"name": f"{name} {number}"}
        datasets |= {f"{name} {number}": rows for name, rows in view.pop("datasets").items()}
        del view["config"]
        views.append(view)
    return {direction: views, "config": look("paper"), "datasets": datasets}


def _put(part: Any, slots: Slots, datasets: Mapping[str, Any]) -> Any:
    if isinstance(part, list):
        return [_put(item, slots, datasets) for item in part if not _is_left_out(item, slots, datasets)]
    if not isinstance(part, dict):
        return part
    filled_part = {}
    for key, value in part.items():
        name = _slot_name(value)
        if name is None:
            filled_part[key] = _put(value, slots, datasets)
        elif name in slots:
            filled_part[key] = slots[name]
    return filled_part


def _slot_name(part: Any) -> str | None:
    """The name of a slot; None for any other part of a chart."""
    text = part.get("expr") if isinstance(part, dict) else None
    return text.removeprefix(_SLOT) if isinstance(text, str) and text.startswith(_SLOT) else None


def _is_left_out(part: Any, slots: Slots, datasets: Mapping[str, Any]) -> bool:
    """Whether a part of a chart is a layer whose rows are none, or whose name is a slot without a value."""
    if not isinstance(part, dict) or "mark" not in part:
        return False
    name, data = _slot_name(part.get("name")), part.get("data", {}).get("name")
    return (name is not None and name not in slots) or (data is not None and not datasets.get(data))


def _rows(table: Table) -> list[dict[str, Any]]:
    """Rows as Vega-Lite's data, numbers as short as a figure needs them."""
    rows = table.iter_rows(named=True) if isinstance(table, pl.DataFrame) else table
    return [
        {name: float(f"{value:.7g}") if isinstance(value, float) else value for name, value in row.items()}
        for row in rows
    ]
