# SPDX-License-Identifier: MIT
"""A sweep's tables as CSV with a data dictionary."""

from collections.abc import Iterator, Mapping

import polars as pl

from tcpsweep.core.frames.opened_sweep import NoTable, OpenedSweep
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import markup, metrics, spreadsheet_text
from tcpsweep.features.archive import exported_columns, ro_crate

README = "README.md"


def tables(sweep: OpenedSweep, table_names: list[str]) -> Iterator[tuple[str, pl.DataFrame]]:
    """The tables of a sweep that have rows, by their names, and the table of the metrics that they name.

    ``table_names`` are some of `exported_columns.TABLES`.
    """
    metric_names: set[str] = set()
    for name in exported_columns.TABLES:
        if name not in table_names or name == "metrics":
            continue
        try:
            frame = (sweep.table(name) if name == "effects" else getattr(sweep, name)).collect()
        except NoTable:
            continue
        if frame.height:
            metric_names |= set(frame["metric"].cast(pl.String)) if "metric" in frame.columns else set(frame.columns)
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
        if name in metric_names
    ]
    yield "metrics", pl.DataFrame(rows)


def csv(frame: pl.DataFrame) -> bytes:
    """A table as CSV: UTF-8, commas, a header line; missing values are empty."""
    return spreadsheet_text.harmless(frame).write_csv().encode()


def first_words(sweep: PlannedSweep) -> str:
    """How the README's first paragraph begins."""
    return f"Tables of the sweep `{sweep.name}`:"


def readme(sweep: PlannedSweep, frame_by_name: Mapping[str, pl.DataFrame], licence: str) -> str:
    """The data dictionary for people, as Markdown."""
    parts = [
        f"# {sweep.title}",
        f"{first_words(sweep)} {ro_crate.simulations(sweep)} of TCP congestion control in ns-3 {sweep.ns3_version}, "
        f"by tcpsweep. Licence of the data: {licence}.",
        "The tables are CSV in UTF-8, and their first line names the columns. An empty field has no value. "
        "Shares have the unit 1.",
    ]
    for name, frame in frame_by_name.items():
        meanings = exported_columns.meanings(sweep, name, dict(frame.schema))
        rows = [(f"`{column}`", meaning, exported_columns.unit(column, sweep)) for column, meaning in meanings.items()]
        parts += [
            f"## `{name}.csv`",
            f"{exported_columns.TABLES[name]}; {frame.height:,} rows.",
            markup.markdown(["column", "meaning", "unit"], rows).rstrip("\n"),
        ]
    return "\n\n".join(parts) + "\n"
