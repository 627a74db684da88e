# SPDX-License-Identifier: MIT
"""The axes of a sweep as columns of its tables."""

from typing import Any

import polars as pl

from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import dotted_names, units


def column(sweep: PlannedSweep, name: str) -> str:
    """The name of an axis' column; it ends with the SI unit if all values are rates, or all are times."""
    suffix = {"rate": "_bps", "time": "_s", "duration": "_s"}.get(sweep.forms.get(name, ""), "")
    plain_name = dotted_names.column_name(name)
    if [dotted_names.column_name(other) for other in sweep.axes].count(plain_name) > 1:
        plain_name = name
    return plain_name if any(isinstance(value, list) for value in sweep.axes[name]) else plain_name + suffix


def axis_values(sweep: PlannedSweep, name: str) -> list[Any]:
    """An axis' value in each combination, in the form of its column: numbers in SI units, or texts.

    If any value is a list with an item per flow, or a word, all values are texts as in the sweep file.
    """
    values: list[Any] = [row.get(name) for row in sweep.combinations]
    form = sweep.forms.get(name)
    if not any(isinstance(value, list) for value in values):
        values = [units.si(value, form) for value in values]
    are_texts = {isinstance(value, str | list) for value in values if value is not None}
    if True in are_texts:
        return [None if value is None else units.value_text(value) for value in values]
    return values


def combinations(sweep: PlannedSweep) -> pl.DataFrame:
    """The sweep's combinations.

    Returns
    -------
    DataFrame
        ``combination`` (its number) and a column per axis, in the sweep's order.
    """
    columns = {"combination": pl.Series(range(len(sweep.combinations)), dtype=pl.Int64)}
    return pl.DataFrame(columns | {column(sweep, name): axis_values(sweep, name) for name in sweep.axes}, strict=False)


def with_axes(axes_table: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with ``combination`` first, then a column per axis, from `combinations`."""
    return axes_table.join(rows, on="combination", maintain_order="right")


def networks(sweep: PlannedSweep, axes_table: pl.DataFrame, table: pl.DataFrame, first: int) -> pl.DataFrame:
    """A table with the columns of `combinations` that distinguish networks, inserted after its ``first`` columns."""
    not_of_networks = {"combination", "variant", *(column(sweep, name) for name in sweep.with_variant)}
    names = [name for name in axes_table.columns if name not in not_of_networks]
    rows = table.join(axes_table.select("combination", *names), on="combination", how="left", maintain_order="left")
    return rows.select(*table.columns[:first], *names, *table.columns[first:])
