# SPDX-License-Identifier: MIT
"""A certificate in short, for reports, and its intervals: `config/certificate-shares.yaml`, `….csv`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import yaml

from tcpsweep.core.identity import cpp_code
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.features.certificate import certificate_files, certified_cells, certified_section

_HEAD = """\
# SPDX-License-Identifier: MIT

# Which comparisons of ns-3's TCP with Linux' are equivalent, for the badge in reports: docs/features/certificate.md.
# `tcpsweep certificate SWEEP --shares FILE` makes it.
#
#   corrections  the identity of their code
#   tested       by kind of network: the networks
#   among        by corrections: the values of each other parameter and attribute
#   is_strict    whether equivalent comparisons with a margin of at least Linux' mean are left out
#   shares       by variant, corrections, kind of network and metric: how many comparisons are equivalent, of how many
"""
_SIGNIFICANT_DIGITS = 6  # in the table of intervals


def write(sweep_name: str, path: Path) -> None:
    """Write the certificate of a sweep that has run in short, and its `intervals` as CSV beside. Raises `UserError`."""
    sweep, cells, root = certificate_files.certified_sweep(sweep_name)
    contents = yaml.dump(
        in_short(sweep, cells, root), Dumper=yaml.CSafeDumper, sort_keys=False, default_flow_style=None, width=10**6
    )
    write_whole(path, f"{_HEAD}\n{contents}")
    write_whole(path.with_suffix(".csv"), intervals(sweep, cells).write_csv())


def intervals(sweep: PlannedSweep, cells: pl.DataFrame) -> pl.DataFrame:
    """All comparisons, from which the shares can be counted again.

    Returns
    -------
    DataFrame
        ``kind`` of the network, a column for each of its axes, and the columns of `certificate_files.comparisons`.
        Numbers have six significant digits.
    """
    kinds = [certified_section.kind(sweep.combinations[number]) for number in cells["combination"]]
    rows = certificate_files.comparisons(sweep, cells)
    flat_rows = [{"kind": kind} | row.pop("network") | row for kind, row in zip(kinds, rows, strict=True)]
    table = pl.DataFrame(flat_rows, infer_schema_length=None)
    return table.with_columns(pl.selectors.float().round_sig_figs(_SIGNIFICANT_DIGITS))


def in_short(sweep: PlannedSweep, cells: pl.DataFrame, root: Path = Path()) -> dict[str, Any]:
    """The certificate in short, as `certified_section.Certificate` has it."""
    basis = certificate_files.about(sweep, cells, root)
    rows = [row for row in sweep.combinations if row.get(certified_cells.STACK) == certified_cells.NS3]
    tested, among = certified_section.covered(rows)
    return {
        "ns3": sweep.ns3_version,
        "ns3_libraries": sweep.ns3_libraries,
        "linux": ", ".join(kernel["release"].partition("-")[0] for kernel in basis["linux"]) or "unknown",
        "tcpsweep": basis["tcpsweep"],
        "corrections": cpp_code.corrections_id(),
        "seed": sweep.seed,
        "repetitions": len(sweep.runs),
        "scenario": sweep.scenario,
        "tested": tested,
        "among": among,
        "is_strict": True,
        "shares": _shares(sweep, cells),
    }


def _shares(sweep: PlannedSweep, cells: pl.DataFrame) -> dict[str, Any]:
    """How many cells are equivalent, and of how many, by variant, corrections, kind of network and metric, strictly."""
    kinds = [certified_section.kind(row) for row in sweep.combinations]
    with_kind = cells.with_columns(kind=pl.col("combination").map_elements(lambda n: kinds[n], return_dtype=pl.String))
    # An index over all flows, such as Jain's, has no variant of its own; here all flows have the same.
    by_first_variant = with_kind.with_columns(variant=pl.col("variant").str.split("+").list.first())
    corrections_by_implementation = {certified_cells.of_corrections(value): value for value in sweep.corrections}
    shares: dict[str, Any] = {}
    for tally in certified_cells.shares(by_first_variant, "variant", "kind", "metric").rows(named=True):
        value = corrections_by_implementation.get(tally["implementation"])
        if value is None:
            continue
        counts_by_metric = shares.setdefault(tally["variant"], {}).setdefault(value, {}).setdefault(tally["kind"], {})
        counts = [tally[name] - tally["lenient"] for name in (certified_cells.EQUIVALENT, "cells")]
        counts_by_metric[tally["metric"]] = counts
    return shares
