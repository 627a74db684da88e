# SPDX-License-Identifier: MIT
"""The cells of a certificate, variant × network × metric: implementations compared with Linux' TCP in the same network.

The reference is Linux' TCP, of the first kernel if there are several. The others are ns-3's TCP with each value of
``corrections``, the other kernels, and QUIC stacks. A congestion control of QUIC is compared with its counterpart, such
as CUBIC with CUBIC.
"""

from __future__ import annotations

import polars as pl

from tcpsweep.core.analysis import comparisons, effects, findings
from tcpsweep.core.statistics import means
from tcpsweep.core.sweep import combination_parts
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.ns3_tcp import CORRECTIONS, TCP
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import field_names, metrics
from tcpsweep.core.words.mixes import Mix
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.certificate import strict_counts

STACK, LINUX, NS3 = "stack", "linux", "ns-3"
METRICS = ("goodput_bps", "queueing_delay_mean_s", "congestion_loss", "timeouts", "jain")
OF_TRANSFERS = ("completion_mean_s",)  # for flows that send a limited number of bytes, instead of `METRICS`
OF_SEVERAL = ("jain",)  # one flow has none
EQUIVALENT, HIGHER, LOWER, INCONCLUSIVE, UNTESTED = VERDICTS = (
    *("equivalent", "higher", "lower", "inconclusive"),
    "not testable",
)
NO_RESULT = "no result"
_VERDICT_BY_FINDING = {"same": EQUIVALENT, "higher": HIGHER, "lower": LOWER, "undecided": INCONCLUSIVE}
_VERDICT_BY_FINDING |= {findings.TOO_FEW: INCONCLUSIVE}
_KERNEL = "kernel"
_AXES_BESIDE_THE_NETWORK = (STACK, TCP, CORRECTIONS, "variant", _KERNEL)
_QUIC = "quic"
# The variants of TCP with the same algorithm.
_COUNTERPARTS = {
    "quic:ngtcp2/bbr": "TcpBbr",
    "quic:ngtcp2/cubic": "TcpCubic",
    "quic:ngtcp2/reno": "TcpLinuxReno",
    "quic:noq/cubic": "TcpCubic",
    "quic:noq/newreno": "TcpLinuxReno",
}


def implementation(row: Combination) -> str:
    """The implementation of a combination's transport protocol: ``corrections: VALUE``, a kernel, or ``quic:STACK``."""
    variants = row.mix.variants
    if any(field_names.implementation(variant) == _QUIC for variant in variants):
        stacks = {field_names.stack_and_control(variant)[0] or variant for variant in variants}
        return f"{_QUIC}:{'+'.join(sorted(stacks))}"
    if row.get(STACK) == LINUX:
        return str(row.get(_KERNEL, LINUX))
    return of_corrections(str(row[CORRECTIONS]))


def of_corrections(value: str) -> str:
    """ns-3's TCP with a value of ``corrections``, as `implementation` names it."""
    return f"{CORRECTIONS}: {value}"


def reference(sweep: PlannedSweep) -> str | None:
    """The implementation with which the others are compared: Linux' first; None without one."""
    return next((implementation(row) for row in sweep.combinations if row.get(STACK) == LINUX), None)


def implementations(sweep: PlannedSweep) -> list[str]:
    """The other implementations, in the sweep's order."""
    reference_name = reference(sweep)
    return [name for name in dict.fromkeys(map(implementation, sweep.combinations)) if name != reference_name]


def _counterpart(mix: str) -> str:
    """The variants of TCP in place of QUIC's."""
    return str(Mix(tuple(_COUNTERPARTS.get(variant, variant) for variant in Mix.parse(mix).turns)))


def network(sweep: PlannedSweep, number: int) -> dict[str, str]:
    """A combination's network condition: its values of the axes that change the network."""
    return {name: text for name, text in sweep.texts[number].items() if _is_network_axis(name)}


def _is_network_axis(name: str) -> bool:
    # The preset gives ns-3's attributes, which Linux lacks, and with other corrections others.
    return name not in _AXES_BESIDE_THE_NETWORK and "::" not in name


def pairs(sweep: PlannedSweep, name: str) -> pl.DataFrame:
    """The comparisons of one implementation.

    Returns
    -------
    DataFrame
        As `comparisons.pairs`: ``combination`` has the implementation, ``reference_combination`` the reference.
    """
    keys = [
        combination_parts.key({"variant": _counterpart(row.variant), **network(sweep, number)})
        for number, row in enumerate(sweep.combinations)
    ]
    names = [implementation(row) for row in sweep.combinations]
    reference_name = reference(sweep)
    references = {keys[number]: number for number, label in enumerate(names) if label == reference_name}
    rows: list[tuple[int, int, str, str, str | None, str | None, str | None, None]] = []
    for number, row in enumerate(sweep.combinations):
        other = references.get(keys[number])
        if names[number] != name or other is None:
            continue
        mix, variants = row.variant, combination_parts.variants_of_flows(row)
        rows.append((number, other, mix, _counterpart(mix), None, None, None, None))
        for variant in variants:
            counterpart = _counterpart(variant)
            rows.append(
                (number, other, variant, counterpart, mix if len(variants) > 1 else None, variant, counterpart, None)
            )
    return pl.DataFrame(rows, schema=comparisons.PAIR, orient="row")


def metrics_of(row: Combination) -> list[str]:
    """The metrics by which a combination is compared."""
    byte_limits = row.get("bytes", 0)
    if any(byte_limits) if isinstance(byte_limits, list) else byte_limits:
        return list(OF_TRANSFERS)
    return [name for name in METRICS if name not in OF_SEVERAL or row.get("flows") != 1]


def table(sweep: PlannedSweep, values: pl.DataFrame) -> pl.DataFrame:
    """All cells of a sweep; ``values`` are as from `summaries.by_run`.

    A verdict is about the cell only: the 95 % interval of the effect is within the margin (two one-sided tests at 2.5 %
    each), or beyond it on one side, or neither. ``after_holm`` is the verdict if it is shown after Holm's correction,
    too; else the cell is inconclusive. The families are those of `effects.by_metric` for one implementation.

    Returns
    -------
    DataFrame
        The columns of `effects.by_metric` with Linux as the reference, ``implementation``, ``verdict`` and
        ``after_holm``, which are both one of `VERDICTS`, and ``margin`` and ``is_lenient`` of `strict_counts`. A cell
        without results has a row too. A metric that only one side reports has none.

    Raises
    ------
    UserError
        The sweep has no combination with both stacks.
    """
    cells_of_implementations = []
    for name in implementations(sweep):
        compared_pairs = pairs(sweep, name)
        if compared_pairs.height:
            cells = _cells(sweep, values, compared_pairs).filter(
                ~pl.col("metric").is_in(_metrics_of_one_side(values, compared_pairs))
            )
            cells_of_implementations.append(cells.with_columns(implementation=pl.lit(name)))
    if not cells_of_implementations:
        raise UserError(
            f"{sweep.name}: no network has both `stack: ns-3` and `stack: linux`; see docs/features/certificate.md"
        )
    with_verdict = pl.concat(cells_of_implementations, how="diagonal_relaxed").with_columns(
        verdict=_verdict(), margin=strict_counts.margin()
    )
    return with_verdict.with_columns(after_holm=_after_holm(), is_lenient=strict_counts.is_lenient())


def _cells(sweep: PlannedSweep, values: pl.DataFrame, compared_pairs: pl.DataFrame) -> pl.DataFrame:
    """The effects of the cells for ``compared_pairs``, from `pairs`, including cells without results."""
    effect_rows = pl.concat(effects.by_metric(sweep, values, (*METRICS, *OF_TRANSFERS), compared_pairs))
    asked_cells = [
        {**{name: pair[name] for name in _CELL_KEY if name != "metric"}, "metric": metric}
        for pair in compared_pairs.iter_rows(named=True)
        for metric in metrics_of(sweep.combinations[pair["combination"]])
        if metrics.METRICS[metric].by_variant == (pair["own"] is not None)
    ]
    asked_frame = pl.DataFrame(asked_cells, schema={name: effect_rows.schema[name] for name in _CELL_KEY})
    rows = asked_frame.join(effect_rows, on=_CELL_KEY, how="left", nulls_equal=True, maintain_order="left")
    return rows.with_columns(pl.col("finding").fill_null(NO_RESULT))


def _metrics_of_one_side(values: pl.DataFrame, compared_pairs: pl.DataFrame) -> list[str]:
    """The metrics that only one side reports; QUIC stacks, and kernels before 6.7, report no timeouts.

    All report the times of transfers. Where only one side has them, no transfer of the other side ended.
    """
    own_metrics, reference_metrics = (
        set(values.filter(pl.col("combination").is_in(side.implode())).drop_nulls("value")["metric"].cast(pl.String))
        for side in (compared_pairs["combination"], compared_pairs["reference_combination"])
    )
    return sorted((own_metrics ^ reference_metrics) - set(OF_TRANSFERS)) if own_metrics and reference_metrics else []


_CELL_KEY = ["combination", "reference_combination", "variant", "mix", "metric"]


def _verdict() -> pl.Expr:
    """A cell's verdict from its own tests, without correction for many tests, as `table` says."""
    level = 1 - means.CONFIDENCE
    return (
        pl.when(~pl.col("finding").is_in(list(_VERDICT_BY_FINDING)))
        .then(pl.lit(UNTESTED))
        .when(pl.col("within_p") <= level / 2)
        .then(pl.lit(EQUIVALENT))
        .when(pl.col("beyond_p") <= level)
        .then(pl.when(pl.col("difference") > 0).then(pl.lit(HIGHER)).otherwise(pl.lit(LOWER)))
        .otherwise(pl.lit(INCONCLUSIVE))
    )


def _after_holm() -> pl.Expr:
    """The verdict if the finding, which is corrected, says the same; else inconclusive."""
    verdict = pl.col("finding").replace_strict(_VERDICT_BY_FINDING, default=UNTESTED, return_dtype=pl.String)
    return pl.when(verdict == pl.col("verdict")).then(verdict).otherwise(pl.lit(INCONCLUSIVE))


def shares(cells: pl.DataFrame, *key: str, verdict: str = "verdict") -> pl.DataFrame:
    """How many cells have each verdict.

    ``key`` are columns of `table`; the cells with the same values are counted together, in the order of the cells.

    Returns
    -------
    DataFrame
        ``implementation``, the columns ``key``, ``cells``, a column for each of `VERDICTS`, ``share``: the equivalent
        cells' part of all, including those that cannot be tested, and ``lenient``: the lenient cells.
    """
    return (
        cells.group_by("implementation", *key, maintain_order=True)
        .agg(
            cells=pl.len().cast(pl.Int64),
            lenient=pl.col("is_lenient").sum().cast(pl.Int64),
            **{kind: (pl.col(verdict) == kind).sum().cast(pl.Int64) for kind in VERDICTS},
        )
        .with_columns(share=pl.col(EQUIVALENT) / pl.col("cells"))
    )
