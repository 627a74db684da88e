# SPDX-License-Identifier: MIT
"""A sweep's tables as CSV with a data dictionary: a Frictionless Data Package (https://specs.frictionlessdata.io)."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from tcpsweep.applications.archive import exported_columns, ro_crate
from tcpsweep.frames.opened_sweep import NoTable, OpenedSweep
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import markup, metrics, spreadsheet_text

FILE = "datapackage.json"
README = "README.md"
_KEYS = {"metrics": ["metric"]}
_LONG = ("summary", "effects", "runs", "groups", "links", "traffic")  # their metrics are in the table metrics


def tables(sweep: OpenedSweep, chosen: list[str]) -> Iterator[tuple[str, pl.DataFrame]]:
    """The tables of a sweep that have rows, by their names, and the table of the metrics that they name.

    ``chosen`` are names of `exported_columns.TABLES`.
    """
    named: set[str] = set()
    for name in exported_columns.TABLES:
        if name not in chosen or name == "metrics":
            continue
        try:
            frame = (sweep.table(name) if name == "effects" else getattr(sweep, name)).collect()
        except NoTable:
            continue
        if frame.height:
            named |= set(frame["metric"].cast(pl.String)) if name in _LONG else set(frame.columns)
            yield name, frame
    rows = [
        {
            "metric": name,
            "title": metric.title,
            "unit": metric.unit,
            "of_each": metric.scope,
            "better": metric.better or None,
            "formula": metric.formula,
            "source": metric.source,
        }
        for name, metric in metrics.METRICS.items()
        if name in named
    ]
    yield "metrics", pl.DataFrame(rows)


def csv(frame: pl.DataFrame) -> bytes:
    """A table as CSV: UTF-8, commas, a header line; missing values are empty."""
    return spreadsheet_text.harmless(frame).write_csv().encode()


def package_json(
    sweep: PlannedSweep, found: Mapping[str, pl.DataFrame], files: Mapping[str, bytes], licence: str
) -> str:
    """The file ``datapackage.json``: of the tables ``found``, by name, each one's CSV is in ``files``."""
    package = {
        "profile": "tabular-data-package",
        "name": sweep.name.lower(),
        "title": sweep.title,
        "description": (
            f"TCP congestion control simulated in ns-3 {sweep.ns3_version} by tcpsweep: scenario {sweep.scenario}, "
            f"{ro_crate.simulations(sweep)}. Columns are in SI units; README.md has them in a table."
        ),
        "licenses": [{"path": licence}],
        "sources": [{"title": f"ns-3 {sweep.ns3_version}", "path": "https://www.nsnam.org"}],
        "keywords": ["TCP", "congestion control", "network simulation", "ns-3"],
        "resources": [_resource(sweep, name, frame, files[name]) for name, frame in found.items()],
    }
    return json.dumps(package, indent=1, ensure_ascii=False) + "\n"


def readme(sweep: PlannedSweep, found: Mapping[str, pl.DataFrame], licence: str) -> str:
    """The data dictionary for people, as Markdown."""
    parts = [
        f"# {sweep.title}",
        f"Tables of {ro_crate.simulations(sweep)} of TCP congestion control in ns-3 {sweep.ns3_version}, by tcpsweep. "
        f"Licence of the data: {licence}. `{FILE}` says the same for programs.",
        "The tables are CSV in UTF-8, and their first line names the columns. An empty field has no value. "
        "Shares have the unit 1.",
    ]
    for name, frame in found.items():
        about = exported_columns.meanings(sweep, name, dict(frame.schema))
        rows = [(f"`{column}`", meaning, exported_columns.unit(column, sweep)) for column, meaning in about.items()]
        parts += [
            f"## `{name}.csv`",
            f"{exported_columns.TABLES[name]}; {frame.height:,} rows.",
            markup.markdown(["column", "meaning", "unit"], rows).rstrip("\n"),
        ]
    return "\n\n".join(parts) + "\n"


def _resource(sweep: PlannedSweep, name: str, frame: pl.DataFrame, data: bytes) -> dict[str, Any]:
    meanings = exported_columns.meanings(sweep, name, dict(frame.schema))
    fields = []
    for column, kind in frame.schema.items():
        field: dict[str, Any] = {"name": column, "type": _type(kind), "description": meanings[column]}
        if unit := exported_columns.unit(column, sweep):
            field["unit"] = unit
        if column in exported_columns.VALUES:
            field["constraints"] = {"enum": exported_columns.VALUES[column]}
        fields.append(field)
    schema: dict[str, Any] = {"fields": fields}
    if name in _KEYS:
        schema["primaryKey"] = _KEYS[name]
    if name in _LONG:
        schema["foreignKeys"] = [{"fields": "metric", "reference": {"resource": "metrics", "fields": "metric"}}]
    return {
        "profile": "tabular-data-resource",
        "name": name,
        "path": f"{name}.csv",
        "description": exported_columns.TABLES[name],
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": len(data),
        "hash": f"sha256:{hashlib.sha256(data).hexdigest()}",
        "schema": schema,
    }


def _type(kind: pl.DataType) -> str:
    """A column's type in Table Schema's words."""
    if kind == pl.Boolean:
        return "boolean"
    if kind.is_integer():
        return "integer"
    return "number" if kind.is_numeric() else "string"
