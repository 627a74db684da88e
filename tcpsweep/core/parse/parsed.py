# SPDX-License-Identifier: MIT
"""A parsed cell, which parsing passes to measuring."""

import functools
import itertools
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from tcpsweep.core.words import table_columns

Way: TypeAlias = tuple[str, str]
"""A link's name and a direction, as in the table `queue`."""

_DIRECTIONS = table_columns.DIRECTION.categories.to_list()


@dataclass(frozen=True)
class Parsed:
    """A cell's tables, with the columns in `words.table_columns`.

    Attributes
    ----------
    run : dict
        The simulator's record.
    traces : dict
        The requested traces, by name: ``flow``, ``time_s``, ``value``.
    transfers : DataFrame or None
        None if there is no traffic.
    """

    run: dict[str, Any]
    flows: pl.DataFrame
    traces: dict[str, pl.DataFrame]
    queue: pl.DataFrame
    transfers: pl.DataFrame | None = None

    @functools.cached_property
    def queues(self) -> dict[Way, pl.DataFrame]:
        """The rows of `queue` for each direction of a link that has rows."""
        if self.queue.is_empty():
            return {}
        links, directions = (self.queue[name].to_physical().to_numpy() for name in ("link", "direction"))
        series = links.astype(np.int64) * len(_DIRECTIONS) + directions
        # The rows of one series are usually contiguous, and are not copied then.
        firsts = [0, *(np.flatnonzero(np.diff(series)) + 1).tolist(), len(series)]
        pieces_by_way: dict[Way, list[pl.DataFrame]] = {}
        for first, end in itertools.pairwise(firsts):
            rows = self.queue.slice(first, end - first)
            pieces_by_way.setdefault((rows["link"][0], rows["direction"][0]), []).append(rows)
        return {way: pieces[0] if len(pieces) == 1 else pl.concat(pieces) for way, pieces in pieces_by_way.items()}
