# SPDX-License-Identifier: MIT
"""The sweep file that runs a found network alone, with what it must show as its expectations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.analysis.search import FOUND, SIMPLEST
from tcpsweep.store.whole_files import write_whole
from tcpsweep.sweep.search import LOOKS, Search
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.sweepfile import found_file
from tcpsweep.words import metrics, quantities
from tcpsweep.words.mixes import Mix

FILE = "found.yaml"


def write(folder: Path, sweep: PlannedSweep, table: pl.DataFrame, is_ended: bool) -> None:
    """Write the file of the simplest network that shows what was found; remove it where there is none.

    Parameters
    ----------
    folder : Path
        The sweep's.
    sweep : PlannedSweep
    table : DataFrame
        From `search.table`.
    is_ended : bool
        Whether the search has ended.
    """
    rows = {row["role"]: row for row in table.iter_rows(named=True) if row["role"] in (FOUND, SIMPLEST)}
    if not sweep.search or not rows or not is_ended:
        (folder / FILE).unlink(missing_ok=True)
        return
    row = rows.get(SIMPLEST, rows.get(FOUND))
    assert row
    search, values = sweep.search, sweep.combinations[row["combination"]]
    network = {name: values[name] for name in search.over}
    runs = sweep.runs[LOOKS:] if row["looked"] is not None else sweep.runs[: search.repetitions]
    about = f"The network that the sweep {sweep.name} found: {search.goal} {search.contrast.text}."
    text = found_file.text(
        search.file,
        f"{sweep.name}-found",
        f"Found by {sweep.title}",
        network,
        runs,
        expected(sweep, search, row),
        [about],
    )
    write_whole(folder / FILE, text)


def expected(sweep: PlannedSweep, search: Search, row: Mapping[str, Any]) -> list[str]:
    """What the network must show: expectations that hold by its fresh runs.

    Of a metric, that it is beyond the bound. Of a difference of two variants, that they are on either side of a value
    halfway between their means.

    Parameters
    ----------
    sweep : PlannedSweep
    search : Search
    row : dict
        The network's row of the table.
    """
    contrast, values = search.contrast, sweep.combinations[row["combination"]]
    by_variant = metrics.METRICS[contrast.metric].by_variant
    signs = {1: ">=", -1: "<="}
    whole = str(values["variant"])

    def text(own: str | None, of_variant: str, sign: str, value: float) -> str:
        beside = {"variant", *search.over, *sweep.with_variant}
        rest = [name for name, several in sweep.axes.items() if name not in beside and len(several) > 1]
        named = {"variant": of_variant} if len(sweep.axes.get("variant", ())) > 1 else {}
        where = [
            f"{name} == {quantities.text(each)}" for name, each in {**named, **{n: values[n] for n in rest}}.items()
        ]
        condition = f" where {' and '.join(where)}" if where else ""
        of = f" of {own}" if by_variant else ""
        return f"{contrast.metric}{of} {sign} {quantities.number_text(float(f'{value:.3g}'))}{condition}"

    if contrast.against is None:
        return [text(row["variant_of_flows"], whole, signs[search.sign], row["bound"])]
    between = (row["own_mean"] + row["against_mean"]) / 2
    beside = whole if Mix.of(whole).is_mixed else contrast.against
    return [
        text(contrast.variant, whole, signs[search.sign], between),
        text(contrast.against, beside, signs[-search.sign], between),
    ]
