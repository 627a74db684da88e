# SPDX-License-Identifier: MIT
"""The axes of a sweep as columns of its tables."""

import polars as pl

from tcpsweep.words import units


def column(sweep, name):
    """The name of an axis' column: with its unit where all its values are numbers of one."""
    form = sweep.forms.get(name)
    suffix = {"rate": "_bps", "time": "_s", "duration": "_s"}.get(form, "")
    return name if any(isinstance(value, list) for value in sweep.axes[name]) else name + suffix


def axis_values(sweep, name):
    """An axis' value in each combination as its column holds it: numbers in SI, or text.

    Where a value is one per flow, or some are words, all are as they are written.
    """
    values = [row.get(name) for row in sweep.combinations]
    form = sweep.forms.get(name)
    if not any(isinstance(value, list) for value in values):
        values = [units.si(value, form) for value in values]
    kinds = {isinstance(value, str | list) for value in values if value is not None}
    return [None if value is None else units.text(value) for value in values] if True in kinds else values


def combinations(sweep):
    """The sweep's combinations.

    Returns
    -------
    DataFrame
        ``combination`` (its number) and a column per axis, in the sweep's order.
    """
    columns = {"combination": pl.Series(range(len(sweep.combinations)), dtype=pl.Int64)}
    return pl.DataFrame(columns | {column(sweep, name): axis_values(sweep, name) for name in sweep.axes}, strict=False)


def with_axes(sweep, rows):
    """Rows with ``combination``, and behind that a column per axis."""
    return combinations(sweep).join(rows, on="combination", maintain_order="right")


def networks(sweep, table, first):
    """A table with a column per axis but the variant's, behind its ``first`` columns, which say what a row is of."""
    known = combinations(sweep)
    names = [name for name in known.columns if name not in ("combination", "variant")]
    rows = table.join(known.select("combination", *names), on="combination", how="left", maintain_order="left")
    return rows.select(*table.columns[:first], *names, *table.columns[first:])
