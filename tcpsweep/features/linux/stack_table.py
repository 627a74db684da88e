# SPDX-License-Identifier: MIT
"""The effect of Linux' TCP instead of ns-3's: each combination compared with the same one with ns-3's TCP."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from tcpsweep.core.analysis import axis_columns, comparisons, effects
from tcpsweep.core.analysis.run_results import RunResults
from tcpsweep.core.contact.tables import AddedTables
from tcpsweep.core.sweep import combination_parts
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_record import PlannedSweep

STACK, LINUX, NS3 = "stack", "linux", "ns-3"
METRICS = ("goodput_bps", "queueing_delay_mean_s", "congestion_loss", "jain")


def pairs(sweep: PlannedSweep) -> pl.DataFrame:
    """The combinations to compare.

    Returns
    -------
    DataFrame
        As `comparisons.pairs`: ``combination`` has Linux' TCP, ``reference_combination`` has ns-3's, and ``reference``
        is the variant itself. For the metrics of a mix's variant, ``mix`` has the mix.
    """
    ns3_combinations = {
        _key_without_stack(row): number for number, row in enumerate(sweep.combinations) if row.get(STACK) == NS3
    }
    rows: list[tuple[int, int, str, str, str | None, str | None, str | None, None]] = []
    for number, row in enumerate(sweep.combinations):
        reference = ns3_combinations.get(_key_without_stack(row)) if row.get(STACK) == LINUX else None
        if reference is None:
            continue
        mix_or_variant = row.variant
        rows.append((number, reference, mix_or_variant, mix_or_variant, None, None, None, None))
        variants = combination_parts.variants_of_flows(row)
        mix = mix_or_variant if len(variants) > 1 else None
        rows += [(number, reference, variant, variant, mix, variant, variant, None) for variant in variants]
    return pl.DataFrame(rows, schema=comparisons.PAIR, orient="row")


def _key_without_stack(row: Combination) -> str:
    """All parameters of a combination that do not depend on the stack."""
    return combination_parts.key({name: row[name] for name in row if name not in (STACK, "kernel")})


def table(sweep: PlannedSweep, values: pl.LazyFrame) -> pl.DataFrame:
    """The effects of Linux' TCP for each variant in each network: the columns of `effects.by_metric`, of `METRICS`.

    ``values`` are as from `summaries.by_run`.

    Returns
    -------
    DataFrame
        The effects; no rows if no combination exists with both stacks.
    """
    compared = pairs(sweep)
    if compared.is_empty():
        return pl.DataFrame({"combination": []}, schema={"combination": pl.Int64})
    return pl.concat(effects.by_metric(sweep, values, METRICS, compared))


def _tables(results: RunResults) -> Iterator[tuple[str, pl.DataFrame]]:
    yield "stacks", axis_columns.networks(results.sweep, results.axes, table(results.sweep, results.values), 2)


TABLES = AddedTables(tables=_tables)
