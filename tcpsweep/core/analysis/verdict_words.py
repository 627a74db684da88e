# SPDX-License-Identifier: MIT
"""The verdicts on variants in words, from their effects in each network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from tcpsweep.core.analysis.findings import EXPLORATORY, FINDINGS, TESTS, TOO_FEW
from tcpsweep.core.sweep.sweep_parts import ShareOrValue
from tcpsweep.core.words import metrics, rounding

WORDS = {
    "deterministic": "deterministic",
    "not steady": "not steady",
    "no value": "no value in some runs",
    "uneven loss": "more runs lost on one side",
    "no result": "no result",
    TOO_FEW: "too few repetitions",
    "no spread": "the same difference in every run",
}
# The same as the end of a sentence.
REASONS = {
    "deterministic": "because a variant's runs are all the same",
    "not steady": "because flows are not steady",
    "no value": "because some runs have no value",
    "uneven loss": "because one side lost more runs",
    "no result": "because there is no result",
    TOO_FEW: "because there are too few repetitions",
    "no spread": "because the difference is the same in every run",
}
_SIZES = ("least", "greatest", "low", "high")


def counted(effects: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """The number of each finding, and the sizes of the effects.

    ``effects`` has the columns of `findings.judged`. Rows with the same values of ``key``, which includes the metric's
    column, are counted together.

    Returns
    -------
    DataFrame
        A row for each value of the key. Columns:

        - the columns of ``key``, ``family``, ``smallest_share``, ``smallest_value`` and ``smallest_origin``
        - ``networks``: their number
        - one for each finding, with its number
        - ``relative``: whether sizes are shares of the reference, as the smallest effect is
        - ``unsteady``, ``reference_unsteady``: how often this side is not steady
        - ``doubted``: how many tested comparisons have a side whose steady state is not shown, and ``own_doubted``,
          ``reference_doubted``: how often it is this side's
        - ``lost_runs``, ``reference_lost_runs``: the numbers of lost runs, if the two sides lost different numbers
        - ``…_least``, ``…_greatest``, ``…_low``, ``…_high`` for each of `findings.TESTS`: the range of its effects, and
          of their intervals
        - ``untested_least``, ``untested_greatest``: the range of untested effects, and ``too_few_runs_least``,
          ``too_few_runs_greatest``: that of comparisons with too few runs
    """
    shares = pl.col("effect_low").is_not_null() | ~pl.col("finding").is_in(list(TESTS.values()))
    relative = (shares.all() & (pl.col("smallest_value") == 0).all()).over(key)
    columns_of_extreme = {"least": ("effect", "difference"), "greatest": ("effect", "difference")}
    columns_of_extreme |= {end: (f"effect_{end}", f"holm_{end}") for end in ("low", "high")}
    with_sizes = effects.with_columns(relative=relative).with_columns(
        pl.when("relative").then(pl.col(share)).otherwise(pl.col(value)).alias(f"_{extreme}")
        for extreme, (share, value) in columns_of_extreme.items()
    )
    extremes_by_column = {
        f"{name}_{extreme}": _extreme(pl.col(f"_{extreme}").filter(pl.col("finding") == name), extreme)
        for name in TESTS.values()
        for extreme in _SIZES
    }
    condition_by_prefix = {
        "untested": ~pl.col("finding").is_in([*TESTS.values(), TOO_FEW]),
        column(TOO_FEW): pl.col("finding") == TOO_FEW,
    }
    extremes_by_column |= {
        f"{name}_{extreme}": _extreme(pl.col(f"_{extreme}").filter(condition), extreme)
        for name, condition in condition_by_prefix.items()
        for extreme in ("least", "greatest")
    }
    is_tested = pl.col("finding").is_in(list(TESTS.values()))
    return with_sizes.group_by(key, maintain_order=True).agg(
        pl.col("family", "smallest_share", "smallest_value", "smallest_origin", "relative").first(),
        networks=pl.len().cast(pl.Int64),
        **{column(name): (pl.col("finding") == name).sum().cast(pl.Int64) for name in FINDINGS},
        **{
            f"{side}unsteady": (~pl.col(f"{side}steady") & (pl.col("finding") == "not steady")).sum()
            for side in ("", "reference_")
        },
        doubted=(is_tested & ~(pl.col("steady_shown") & pl.col("reference_steady_shown"))).sum(),
        **{
            f"{name}_doubted": (is_tested & ~pl.col(shown)).sum()
            for name, shown in (("own", "steady_shown"), ("reference", "reference_steady_shown"))
        },
        **{
            f"{side}lost_runs": pl.col(f"{side}lost_runs").filter(pl.col("finding") == "uneven loss").sum()
            for side in ("", "reference_")
        },
        **extremes_by_column,
    )


def _extreme(values: pl.Expr, extreme: str) -> pl.Expr:
    return values.min() if extreme in ("least", "low") else values.max()


def verdicts(effects: pl.DataFrame, compared: pl.DataFrame | None = None) -> pl.DataFrame:
    """The number of networks where a variant's metric is higher, lower or equivalent, and by how much, in words.

    Parameters
    ----------
    effects : DataFrame
        From `effects.by_metric`.
    compared : DataFrame, optional
        From `comparisons.pairs`: networks in it that have no finished pair of runs are counted and said to have no
        result.

    Returns
    -------
    DataFrame
        ``metric``, ``family``, ``variant``, ``reference``, ``mix``, ``simulator``, ``link``, ``networks``, a column per
        finding with the number of networks, ``correlation`` (the median of the networks'), ``runs_needed`` (the most),
        ``verdict``. Headline metrics come first.
    """
    key = ["metric", "variant", "reference", "mix", "simulator", "link"]
    correlations_and_needs = effects.group_by(key, maintain_order=True).agg(
        correlation=pl.col("correlation").median(), runs_needed=pl.col("runs_needed").max()
    )
    counts = counted(effects, key).join(correlations_and_needs, on=key, nulls_equal=True, maintain_order="left")
    if compared is not None:
        counts = _with_missing(counts, compared)
    counts = in_order(counts)
    texts = [verdict_sentence(row) for row in counts.iter_rows(named=True)]
    counted_names = [column(name) for name in FINDINGS] + (["no_result"] if compared is not None else [])
    key = ["metric", "family", "variant", "reference", "mix", "simulator", "link", "networks"]
    return counts.select(*key, *counted_names, "correlation", "runs_needed", verdict=pl.Series(texts, dtype=pl.String))


def in_order(table: pl.DataFrame, first: Iterable[str] | None = None) -> pl.DataFrame:
    """Rows of verdicts, headline metrics first; among these, the metrics in ``first`` come first."""
    place_of_metric = {name: place for place, name in enumerate(dict.fromkeys([*(first or ()), *metrics.METRICS]))}
    return table.sort(
        pl.col("family") == EXPLORATORY,
        pl.col("metric").replace_strict(place_of_metric, return_dtype=pl.Int64),
        maintain_order=True,
    )


def _with_missing(counts: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
    """The counts, extended by the networks that have no finished pair of runs."""
    is_of_flows = pl.col("metric").replace_strict({n: m.by_variant for n, m in metrics.METRICS.items()})
    key = ["variant", "reference", "mix", "simulator", "of_flows"]
    without_link = ["metric", "variant", "reference", "mix", "simulator"]  # networks may have several, each a row
    asked = pairs.with_columns(of_flows=pl.col("own").is_not_null()).group_by(key).agg(swept=pl.len().cast(pl.Int64))
    return (
        counts.with_columns(of_flows=is_of_flows)
        .join(asked, on=key, how="left", nulls_equal=True, maintain_order="left")
        .with_columns(no_result=pl.col("swept") - pl.col("networks").sum().over(without_link))
        .with_columns(no_result=pl.when(pl.int_range(pl.len()).over(without_link) == 0).then("no_result").otherwise(0))
        .with_columns(networks=pl.col("networks") + pl.col("no_result"))
        .drop("swept", "of_flows")
    )


def column(finding: str) -> str:
    """The name of the column that counts a finding."""
    return finding.replace(" ", "_")


def bound(row: dict[str, Any]) -> str:
    """The smallest effect of interest in words, such as "2 %" of the reference, "1 ms", or "1 ms or 2 %".

    For an index of at most 1, it is such as "0.005 or 10 % of the distance to 1".
    """
    metric = metrics.METRICS[row["metric"]]
    share = f"{row['smallest_share'] * 100:.4g} %"
    if row["smallest_origin"]:
        share += f" of the distance to {row['smallest_origin']:g}"
    if row["smallest_value"] == 0:
        return share
    value = rounding.difference_with_unit(f"{row['smallest_value'] * metric.scale:.4g}", metric.shown_unit)
    return f"{value} or {share}" if row["smallest_share"] else value


def smallest_at(row: Mapping[str, Any], reference: float) -> float:
    """The smallest effect of interest of a row at the reference's mean, in the metric's unit."""
    return ShareOrValue(row["smallest_share"], row["smallest_value"], row["smallest_origin"]).at(reference)


def size(row: dict[str, Any], finding: str) -> str:
    """The sizes of a finding's effects, and in parentheses the range of their intervals.

    ``row`` is one of `counted`, and ``finding`` one of `findings.TESTS`.

    Returns
    -------
    str
        For example "by 12 to 85 % (8 to 91)", of the reference. Above twice the reference, "1.5 to 32 times (1.4 to
        34)". If the reference may be 0, the metric's unit. For equivalent and inconclusive findings, only the
        intervals. Empty if no run differs.
    """
    least, greatest, low, high = (row[f"{finding}_{part}"] for part in _SIZES)
    metric = metrics.METRICS[row["metric"]]
    scale, unit = (
        (100.0, " %") if row["relative"] else (metric.scale, rounding.difference_with_unit("", metric.shown_unit))
    )
    if finding not in ("higher", "lower"):
        interval = _range(low * scale, high * scale, _signed) if low is not None else "0"
        return f"({interval}{unit})" if interval != "0" else ""
    if row["relative"] and finding == "higher" and greatest > 1:
        return f"{_range(1 + least, 1 + greatest)} times ({_range(1 + low, 1 + high)})"
    if finding == "lower":
        least, greatest, low, high = -greatest, -least, -high, -low
    return f"by {_range(least * scale, greatest * scale)}{unit} ({_range(low * scale, high * scale)})"


def untested(row: dict[str, Any], variant: str, reference: str, counts: str = "") -> list[str]:
    """The reasons why comparisons of a row of `counted` were not tested, their numbers, and the side concerned.

    ``counts`` follows the first number and names the counted things.
    """
    reasons: list[str] = []
    for name, words in WORDS.items():
        if name != TOO_FEW and (count := row.get(column(name))):
            sides = ""
            if name == "not steady":
                sides = f" ({variant} in {row['unsteady']}, {reference} in {row['reference_unsteady']})"
            elif name == "uneven loss":
                sides = f" ({variant} {row['lost_runs']}, {reference} {row['reference_lost_runs']})"
            reasons.append(f"{words} in {count}{counts if not reasons else ''}{sides}")
    return reasons


def too_few(row: dict[str, Any], counts: str = "") -> str:
    """How many comparisons of a row of `counted` have too few repetitions, and their means; may be empty."""
    count = row[column(TOO_FEW)]
    return f"inconclusive: {WORDS[TOO_FEW]} in {count}{counts}{means_alone(row, column(TOO_FEW))}" if count else ""


def means_alone(row: dict[str, Any], prefix: str = "untested") -> str:
    """The differences of means in untested comparisons, such as ", the means differ by −38 to −12 %"; may be empty."""
    least, greatest = row.get(f"{prefix}_least"), row.get(f"{prefix}_greatest")
    if least is None or greatest is None:
        return ""
    metric = metrics.METRICS[row["metric"]]
    scale, unit = (
        (100.0, " %") if row["relative"] else (metric.scale, rounding.difference_with_unit("", metric.shown_unit))
    )
    difference = _range(least * scale, greatest * scale, _signed)
    return ", the means do not differ" if difference == "0" else f", the means differ by {difference}{unit}"


def doubts(row: dict[str, Any], variant: str, reference: str) -> list[str]:
    """The number of tested comparisons of a row of `counted` whose steady state is not shown, in words; or nothing."""
    if not row["doubted"]:
        return []
    sides = f"{variant} in {row['own_doubted']}, {reference} in {row['reference_doubted']}"
    return [f"steady state is not shown in {row['doubted']} ({sides})"]


def _range(least: float, greatest: float, as_text: Callable[[float], str] = rounding.significant) -> str:
    ends = [as_text(least), as_text(greatest)]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def _signed(value: float) -> str:
    return rounding.signed(value, 2)


def verdict_sentence(row: dict[str, Any]) -> str:
    """A row of counts as a sentence.

    For example "A > B in 14 of 16 network conditions, by 12 to 85 % (8 to 91); equivalent within 2 % in 2 (−0.5 to
    +1 %)".
    """
    variant, reference = row["variant"], row["reference"]
    prefix = f"in {row['mix']}: " if row["mix"] else ""
    if simulator := row.get("simulator"):
        prefix = f"{simulator}, {prefix}" if prefix else f"{simulator}: "
    if link := row.get("link"):
        prefix = f"{link}, {prefix}" if prefix else f"{link}: "
    of_networks = f" of {row['networks']} network condition{'s' if row['networks'] > 1 else ''}"
    clauses: list[str] = []

    def add_clause(first: str, later: str, finding: str) -> None:
        """Add the clause on a finding, if any network has it: in the words ``first`` where it is the first clause."""
        if count := row[finding]:
            words = f"{later} in {count}" if clauses else f"{first} in {count}{of_networks}"
            clauses.append(f"{words}{', ' if finding in ('higher', 'lower') else ' '}{size(row, finding)}".rstrip())

    for sign, finding in ((">", "higher"), ("<", "lower")):
        add_clause(f"{variant} {sign} {reference}", f"{variant} {sign} {reference}", finding)
    equivalent = f"equivalent within {bound(row)}"
    add_clause(f"{variant} and {reference} {equivalent}", equivalent, "same")
    add_clause(f"{variant} and {reference} inconclusive", "inconclusive", "undecided")
    if few_words := too_few(row, "" if clauses else of_networks):
        clauses.append(few_words if clauses else f"{variant} and {reference} {few_words}")
    if reasons := ", ".join(untested(row, variant, reference, "" if clauses else of_networks)):
        reasons += means_alone(row)
        clauses.append(f"not tested: {reasons}" if clauses else f"{variant} and {reference} not tested: {reasons}")
    return prefix + "; ".join([*clauses, *doubts(row, variant, reference)])
