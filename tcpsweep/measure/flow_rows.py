# SPDX-License-Identifier: MIT
"""The rows of each flow in a table."""

import polars as pl


def by_flow(rows: pl.DataFrame) -> dict[int, pl.DataFrame]:
    """The rows of each flow that has any, in their order, by its number."""
    # With as_dict, polars would run a query for each flow.
    return {own["flow"][0]: own for own in rows.partition_by("flow")} if rows.height else {}
