# SPDX-License-Identifier: MIT
"""A certificate in short, for reports, and its intervals: `config/certificate-shares.yaml`, `….csv`."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import yaml

from tcpsweep.core.identity import cpp_code
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.certificate import certificate_files, certified_cells, certified_section

_HEAD = """\
# SPDX-License-Identifier: MIT

# Which comparisons of ns-3's TCP with Linux' are equivalent, for the badge in reports: docs/features/certificate.md.
# `tcpsweep certificate SWEEP --shares FILE` makes it, and with --add adds a sweep with other networks.
#
#   corrections  the identity of their code
#   margins      by metric: a share of Linux' mean, and a value, of which the larger counts
#   tested       by kind of network: the networks
#   among        by corrections: the values of each other parameter and attribute
#   is_strict    whether equivalent comparisons with a margin of at least Linux' mean are left out
#   shares       by variant, corrections, kind of network and metric: how many comparisons are equivalent, of how many
"""
_SIGNIFICANT_DIGITS = 6  # in the table of intervals
_EQUAL_KEYS = ("ns3", "ns3_libraries", "linux", "corrections", "seed", "repetitions", "scenario", "is_strict")


def write(sweep_name: str, path: Path, is_added: bool = False) -> None:
    """Write the certificate of a sweep that has run in short, and its `intervals` as CSV beside.

    With ``is_added``, both files keep what they have. Raises `UserError`.
    """
    sweep, cells, root = certificate_files.certified_sweep(sweep_name)
    short, table = in_short(sweep, cells, root), intervals(sweep, cells).write_csv()
    table_path = path.with_suffix(".csv")
    if is_added:
        short = added(_read(path), short, path)
        table = _with_rows_before(table_path, table)
    contents = yaml.dump(short, Dumper=yaml.CSafeDumper, sort_keys=False, default_flow_style=None, width=10**6)
    write_whole(path, f"{_HEAD}\n{contents}")
    write_whole(table_path, table)


def _with_rows_before(path: Path, table: str) -> str:
    """A table's CSV after the rows of the file ``path``, which has the same columns. Raises `UserError`."""
    try:
        before = pl.read_csv(path, infer_schema=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise UserError(f"{path}: expected the table that --shares wrote: {error}") from None
    rows = pl.read_csv(io.StringIO(table), infer_schema=False)
    if set(before.columns) != set(rows.columns):
        raise UserError(f"{path}: its columns are not those of the sweep: {', '.join(rows.columns)}")
    return pl.concat([before, rows.select(before.columns)]).write_csv()


def _read(path: Path) -> dict[str, Any]:
    """A file that `write` made. Raises `UserError`."""
    try:
        contents = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        shares: dict[str, Any] = msgspec.to_builtins(msgspec.convert(contents, certified_section.Certificate))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, msgspec.ValidationError) as error:
        raise UserError(f"{path}: expected a file that --shares wrote: {error}") from None
    return shares


def added(before: dict[str, Any], now: dict[str, Any], path: Path) -> dict[str, Any]:
    """Two certificates in short as one: their networks, and the sums of their counts.

    Raises `UserError` if their versions, corrections, repetitions or margins differ, or if both have a network.
    """
    for key in _EQUAL_KEYS:
        if before[key] != now[key]:
            raise UserError(
                f"{path}: {key} is {before[key]!r}, and the sweep's is {now[key]!r}; to add, both must be equal"
            )
    for metric in sorted(before["margins"].keys() & now["margins"].keys()):
        there, here = before["margins"][metric], now["margins"][metric]
        if there != here:
            raise UserError(
                f"{path}: the margin of {metric} is {there}, and the sweep's is {here}; to add, both must be equal"
            )
    if list(before["among"]) != list(now["among"]):
        there, here = (" and ".join(one["among"]) for one in (before, now))
        raise UserError(f"{path}: it has corrections {there}, and the sweep {here}; to add, both must be equal")
    for kind, networks in now["tested"].items():
        if any(network in before["tested"].get(kind, []) for network in networks):
            raise UserError(f"{path}: it already has a network of the sweep; to add, all must be new")
    joined = {key: _joined(before[key], now[key]) for key in ("tested", "among", "shares")}
    return now | joined | {"margins": before["margins"] | now["margins"]}


def _joined(before: Any, now: Any) -> Any:
    """Nested mappings with all keys of both; counts are added, and a list gets the values that it lacks."""
    if isinstance(before, dict):
        return {
            key: _joined(before[key], now[key]) if key in before and key in now else (before | now)[key]
            for key in before | now
        }
    if all(isinstance(number, int) for number in (*before, *now)):
        return [one + other for one, other in zip(before, now, strict=True)]
    return [*before, *(value for value in now if value not in before)]


def intervals(sweep: PlannedSweep, cells: pl.DataFrame) -> pl.DataFrame:
    """All comparisons, from which the shares can be counted again.

    Returns
    -------
    DataFrame
        ``kind`` of the network, its settings and axes, and the columns of `certificate_files.comparisons`.
        Numbers have six significant digits.
    """
    combinations = [sweep.combinations[number] for number in cells["combination"]]
    flat_rows = [
        {"kind": certified_section.kind(combination)}
        | certified_section.settings_of_network(combination)
        | row.pop("network")
        | row
        for combination, row in zip(combinations, certificate_files.comparisons(sweep, cells), strict=True)
    ]
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
        "margins": {metric: [margin["share_of_linux"], margin["or"]] for metric, margin in basis["margins"].items()},
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
