# SPDX-License-Identifier: MIT
"""The rows of each flow in a table, without a polars query, which is slower."""

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl


def rows_by_flow(rows: pl.DataFrame, *columns: str) -> dict[int, tuple[npt.NDArray[Any], ...]]:
    """The given columns of each flow's rows, in their order, by the flow's number; an Enum as its codes."""
    flow = rows["flow"].to_numpy()
    in_order = np.argsort(flow, kind="stable")
    flow = flow[in_order]
    firsts = np.flatnonzero(np.diff(flow, prepend=flow[:1] - 1))
    ends = zip(firsts.tolist(), [*firsts[1:].tolist(), len(flow)], strict=False)
    values = [_numbers(rows[name])[in_order] for name in columns]
    return {int(flow[first]): tuple(column[first:end] for column in values) for first, end in ends}


def _numbers(column: pl.Series) -> npt.NDArray[Any]:
    return (column.to_physical() if isinstance(column.dtype, pl.Enum) else column).to_numpy()
