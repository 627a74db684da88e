# SPDX-License-Identifier: MIT
"""The rows of each flow in a table, without a query, which takes polars longer."""

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl


def rows_by_flow(rows: pl.DataFrame, *columns: str) -> dict[int, tuple[npt.NDArray[Any], ...]]:
    """Some columns of the rows of each flow that has any, in their order, by its number; of an Enum, its places."""
    flow = rows["flow"].to_numpy()
    in_order = np.argsort(flow, kind="stable")
    flow = flow[in_order]
    firsts = np.flatnonzero(np.diff(flow, prepend=flow[:1] - 1))
    ends = zip(firsts.tolist(), [*firsts[1:].tolist(), len(flow)], strict=False)
    values = [_numbers(rows[name])[in_order] for name in columns]
    return {int(flow[first]): tuple(column[first:end] for column in values) for first, end in ends}


def _numbers(column: pl.Series) -> npt.NDArray[Any]:
    return (column.to_physical() if isinstance(column.dtype, pl.Enum) else column).to_numpy()
