# SPDX-License-Identifier: MIT
"""The effects of variants against the baseline, by paired runs, and the verdicts on them in words.

A pair is two runs of one number in one network: the same combination but for the variant. In a mix it is two variants
in one run. Runs share the draws of their flows' starts, and packet by packet those of random losses; the correlation
says what that was worth.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import polars as pl

from tcpsweep.statistics import means, significance
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import metrics
from tcpsweep.words.mixes import Mix

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[np.float64]

LEAST_RUNS = 5  # different runs, below which nothing is claimed
PRECISION = 0.05  # the half-width that `runs_needed` is for, as a share of the reference's mean
SAME = 1e-9  # differences that are smaller, against the values, are rounding
BESIDE = {"TcpNewReno": "TcpLinuxReno"}  # a baseline, and what its verdicts are shown beside
FINDINGS = ("higher", "lower", "none", "deterministic", "not steady", "no value", "too few runs", "no spread")
WORDS = {
    "deterministic": "deterministic",
    "not steady": "not steady",
    "no value": "no value in some runs",
    "no result": "no result",
    "too few runs": f"fewer than {LEAST_RUNS} different runs",
    "no spread": "the same difference in every run",
}
_PAIR = {
    "combination": pl.Int64,
    "reference_combination": pl.Int64,
    "variant": pl.String,
    "reference": pl.String,
    "mix": pl.String,
    "own": pl.String,
    "reference_own": pl.String,
}
_NUMBERS = (
    "runs",
    "steady_runs",
    "distinct_runs",
    "mean",
    "reference_mean",
    "difference",
    "sd",
    "correlation",
)
TESTED = ("low", "high", "ratio", "ratio_low", "ratio_high", "p", "holm_p", "holm_low", "holm_high")


def references(sweep: PlannedSweep) -> list[str]:
    """The variants that others are compared with: the baseline, and the one shown beside it if it was swept."""
    baseline = sweep.baseline
    swept = {row["variant"] for row in sweep.combinations}
    return [name for name in (baseline, BESIDE.get(baseline or "")) if name is not None and name in swept]


def pairs(sweep: PlannedSweep) -> pl.DataFrame:
    """Which combinations and variants are compared.

    Returns
    -------
    DataFrame
        ``combination`` and ``reference_combination``; ``variant`` and ``reference``, ``mix`` where both are in it;
        ``own`` and ``reference_own``, the flows' variant, null for the metrics of the whole network.
    """
    networks: dict[str, dict[str, int]] = {}
    rows: list[tuple[int, int, str, str, str | None, str | None, str | None]] = []
    for number, row in enumerate(sweep.combinations):
        rest = json.dumps({name: value for name, value in row.items() if name != "variant"}, sort_keys=True)
        networks.setdefault(rest, {})[str(row["variant"])] = number
    shown_against = references(sweep)
    for network in networks.values():
        for place, reference in enumerate(shown_against):
            for variant, number in network.items():
                if reference not in network or variant in shown_against[: place + 1]:
                    continue
                rows.append((number, network[reference], variant, reference, None, None, None))
                if not Mix.of(variant).is_mixed:
                    rows.append((number, network[reference], variant, reference, None, variant, reference))
        for mix, number in network.items():
            for first, second in itertools.combinations(Mix.of(mix).variants, 2):
                variant, reference = (first, second) if second in shown_against[:1] else (second, first)
                rows.append((number, number, variant, reference, mix, variant, reference))
    return pl.DataFrame(rows, schema=_PAIR, orient="row")


def paired(values: pl.DataFrame, compared: pl.DataFrame) -> pl.DataFrame:
    """The runs of each pair side by side.

    Parameters
    ----------
    values : DataFrame
        As `summaries.by_run` gives them.
    compared : DataFrame
        From `pairs`.

    Returns
    -------
    DataFrame
        The columns of ``compared``, ``pair`` (its number), ``metric``, ``run``; ``value``, ``digest``, ``counts`` (it
        takes part in verdicts), and ``reference_…`` of each.
    """
    both = values.select(
        "combination", "metric", "run", "digest", "value", "counts", own=pl.col("flow_variant")
    ).drop_nulls("value")
    other = both.rename({name: f"reference_{name}" for name in ("combination", "own", "digest", "value", "counts")})
    return (
        compared.with_row_index("pair")
        .join(both, on=["combination", "own"], nulls_equal=True, maintain_order="left_right")
        .join(
            other,
            on=["reference_combination", "reference_own", "metric", "run"],
            nulls_equal=True,
            maintain_order="left",
        )
    )


def finished_runs(rows: pl.DataFrame) -> pl.DataFrame:
    """How many runs of each pair have a value of any metric: ``pair``, ``finished_runs``; ``rows`` as `paired`."""
    return rows.group_by("pair").agg(finished_runs=pl.col("run").n_unique().cast(pl.Int64))


def sums(rows: pl.DataFrame, about: Sequence[str], finished: pl.DataFrame) -> pl.DataFrame:
    """Each pair's and metric's counts of runs, means and spreads over the runs that count.

    Parameters
    ----------
    rows : DataFrame
        As `paired` gives them.
    about : list of str
        The columns that say what a pair is.
    finished : DataFrame
        From `finished_runs`.

    Returns
    -------
    DataFrame
        ``pair``, ``metric``, the columns ``about``, ``runs``, ``steady_runs``, ``distinct_runs``; ``mean``,
        ``reference_mean``; ``difference`` with its ``sd``, its standard ``error`` and the ``degrees`` of freedom of
        that, ``log_ratio``, ``log_error`` and ``log_degrees`` of the logarithms'; ``correlation``; ``lacking``, whether
        a finished run has no value.
    """
    key = ["pair", "metric"]
    counts = pl.col("counts") & pl.col("reference_counts")
    found = rows.group_by(key, maintain_order=True).agg(
        pl.col(about).first(), runs=pl.len().cast(pl.Int64), steady_runs=counts.sum().cast(pl.Int64)
    )
    # A run that repeats another of either variant tells nothing new.
    distinct = (
        rows.filter(counts)
        .unique([*key, "digest"], keep="first", maintain_order=True)
        .unique([*key, "reference_digest"], keep="first", maintain_order=True)
    )
    x, y = pl.col("value"), pl.col("reference_value")
    difference = pl.when((x - y).abs() > SAME * pl.max_horizontal(x.abs(), y.abs())).then(x - y).otherwise(0.0)
    log_ratio = (x / y).log()
    positive = (x.min() > 0) & (y.min() > 0)
    of_pairs = distinct.group_by(key).agg(
        distinct_runs=pl.len().cast(pl.Int64),
        mean=x.mean(),
        reference_mean=y.mean(),
        difference=difference.mean(),
        sd=pl.when(_spreads(difference)).then(difference.std()).otherwise(difference.std() * 0),
        correlation=pl.when(_spreads(x) & _spreads(y)).then(pl.corr(x, y)),
        log_ratio=pl.when(positive).then(log_ratio.mean()),
        log_error=pl.when(positive).then(log_ratio.std() / pl.len().sqrt()),
    )
    n = pl.col("distinct_runs")
    return (
        found.join(finished, on="pair", maintain_order="left")
        .join(of_pairs, on=key, how="left", maintain_order="left")
        .with_columns(n.fill_null(0), lacking=pl.col("runs") < pl.col("finished_runs"))
        .with_columns(error=pl.col("sd") / n.sqrt(), degrees=n - 1, log_degrees=n - 1)
    )


def _spreads(values: pl.Expr) -> pl.Expr:
    """Whether values differ by more than rounding."""
    return values.std() > SAME * values.abs().max()


def _half_width(error: Array, degrees: Array, level: Array | float) -> Array:
    """Half the width of the interval of a mean with that standard error at confidence 1 − level."""
    from scipy.special import stdtrit

    return stdtrit(degrees, 1 - level / 2) * error


def tested(part: pl.DataFrame) -> pl.DataFrame:
    """The intervals, p-values and findings of one metric's comparisons with enough runs, corrected together.

    Parameters
    ----------
    part : DataFrame
        The columns of `sums`.

    Returns
    -------
    DataFrame
        With those of `TESTED` and ``finding``.
    """
    import numpy as np

    names = ("difference", "error", "degrees", "log_ratio", "log_error", "log_degrees")
    d, error, degrees, log_ratio, log_error, log_degrees = (part[name].to_numpy().astype(float) for name in names)
    alpha = 1 - means.CONFIDENCE
    moved = error > 0  # where all differences are 0, so are the intervals
    p = np.where(moved, significance.t_test_p(d, np.where(moved, error, 1), degrees), 1)
    adjusted, levels = significance.holm(p, alpha)
    half, corrected = _half_width(error, degrees, alpha), _half_width(error, degrees, levels)
    log_half = _half_width(log_error, log_degrees, alpha)
    columns = {
        "low": d - half,
        "high": d + half,
        "ratio": np.exp(log_ratio),
        "ratio_low": np.exp(log_ratio - log_half),
        "ratio_high": np.exp(log_ratio + log_half),
        "p": p,
        "holm_p": adjusted,
        "holm_low": d - corrected,
        "holm_high": d + corrected,
    }
    shown = {name: pl.Series(values).fill_nan(None) for name, values in columns.items()}
    return part.with_columns(**shown).with_columns(
        finding=pl.when(pl.col("holm_low") > 0)
        .then(pl.lit("higher"))
        .when(pl.col("holm_high") < 0)
        .then(pl.lit("lower"))
        .otherwise(pl.lit("none"))
    )


def why_not() -> pl.Expr:
    """Why a comparison with the columns of `sums` cannot be tested, as an expression; null where it can."""
    n, steady_runs = pl.col("distinct_runs"), pl.col("steady_runs")
    return (
        pl.when((steady_runs > 1) & (n == 1))
        .then(pl.lit("deterministic"))
        .when((steady_runs < LEAST_RUNS) & (steady_runs < pl.col("runs")))
        .then(pl.lit("not steady"))
        # Runs that never converge, say, are not the same as others: what is left is no fair sample.
        .when(pl.col("lacking"))
        .then(pl.lit("no value"))
        .when(n < LEAST_RUNS)
        .then(pl.lit("too few runs"))
        .when((pl.col("error") == 0) & (pl.col("difference") != 0))
        .then(pl.lit("no spread"))
    )


def judged(sums: pl.DataFrame) -> pl.DataFrame:
    """Sums with a column ``finding``, null where they can be tested, and what the tests of these show.

    Returns
    -------
    DataFrame
        The columns of ``sums``, those of `TESTED`, and ``unit``, sorted by metric and pair.
    """
    parts = [sums.filter(pl.col("finding").is_not_null())]
    testable = sums.filter(pl.col("finding").is_null())
    parts += [tested(part) for part in testable.partition_by("metric", maintain_order=True)]
    table = pl.concat(parts, how="diagonal").sort("metric", "pair")
    units_of = {name: metric.unit for name, metric in metrics.METRICS.items()}
    missing = [pl.lit(None, pl.Float64).alias(name) for name in TESTED if name not in table.columns]
    return table.with_columns(*missing, pl.col("metric").cast(pl.String)).with_columns(
        unit=pl.col("metric").replace_strict(units_of, return_dtype=pl.String)
    )


def effects(sweep: PlannedSweep, values: pl.DataFrame) -> pl.DataFrame:
    """What each variant changes, per network and metric.

    Parameters
    ----------
    sweep : PlannedSweep
    values : DataFrame
        As `summaries.by_run` gives them.

    Returns
    -------
    DataFrame
        ``combination``, ``reference_combination``, ``variant``, ``reference``, ``mix`` (both in it, else null),
        ``metric``, ``unit``; ``runs`` (finished pairs), ``steady_runs``, ``distinct_runs`` (those that count);
        ``mean`` and ``reference_mean``; ``difference`` of the two with its standard deviation over pairs ``sd`` and
        its 95 % interval ``low``, ``high``; ``ratio`` of the geometric means with its interval; ``correlation`` of
        the pairs; ``p`` of the paired t-test, ``holm_p``, ``holm_low``, ``holm_high``; ``finding``, one of
        `FINDINGS`; ``runs_needed`` for a half-width of `PRECISION` of the reference's mean.

    The family of Holm's correction is all comparisons of a metric in the sweep.
    """
    values = values.filter(pl.col("metric").is_in(metrics.compared()) & pl.col("value").is_not_null())
    compared = pairs(sweep)
    once = values.unique(["combination", "flow_variant", "run"]).with_columns(metric=pl.lit("any"))
    finished = finished_runs(paired(once, compared))
    # One metric after the other: the runs of all, side by side, would be more than all else that is in memory.
    of_metrics = [
        _of_metric(values.filter(pl.col("metric") == name), compared, finished)
        for name in values["metric"].unique().sort()
    ]
    return pl.concat([_of_metric(values.clear(), compared, finished), *of_metrics], how="vertical_relaxed")


def _of_metric(values: pl.DataFrame, compared: pl.DataFrame, finished: pl.DataFrame) -> pl.DataFrame:
    """The rows of `effects` of one metric's values."""
    table = judged(sums(paired(values, compared), [*_PAIR], finished).with_columns(finding=why_not()))
    needed = means.runs_needed  # also where there are too few to test
    table = table.with_columns(
        runs_needed=pl.Series(
            needed(table["sd"].fill_null(float("nan")), PRECISION * table["reference_mean"].fill_null(0).abs())
        ).replace(0, None),
    )
    names = ["combination", "reference_combination", "variant", "reference", "mix", "metric", "unit"]
    return table.select(*names, *_NUMBERS, *TESTED, "finding", "runs_needed")


def verdicts(effects: pl.DataFrame, asked: pl.DataFrame | None = None) -> pl.DataFrame:
    """In how many networks a variant's metric was shown to be higher or lower than its reference's, in words.

    Parameters
    ----------
    effects : DataFrame
        From `effects`.
    asked : DataFrame, optional
        From `pairs`: networks in it that have no finished pair of runs are counted and said to have no result.

    Returns
    -------
    DataFrame
        ``metric``, ``variant``, ``reference``, ``mix``, ``networks``, a column per finding with the number of
        networks, ``correlation`` (the median of the networks'), ``verdict``. Headline metrics come first.
    """
    key = ["metric", "variant", "reference", "mix"]
    counts = effects.group_by(key, maintain_order=True).agg(
        networks=pl.len().cast(pl.Int64),
        **{_column(name): (pl.col("finding") == name).sum().cast(pl.Int64) for name in FINDINGS},
        correlation=pl.col("correlation").median(),
        runs_needed=pl.col("runs_needed").max(),
    )
    if asked is not None:
        counts = _with_missing(counts, asked)
    rank = {name: place for place, name in enumerate(sorted(metrics.METRICS, key=_not_headline))}
    counts = counts.sort(pl.col("metric").replace_strict(rank, return_dtype=pl.Int64), maintain_order=True)
    words = [said(row) for row in counts.iter_rows(named=True)]
    return counts.with_columns(verdict=pl.Series(words, dtype=pl.String))


def _with_missing(counts: pl.DataFrame, asked: pl.DataFrame) -> pl.DataFrame:
    """The counts with the networks that have no finished pair of runs among them."""
    kind = pl.col("metric").replace_strict({n: m.scope == "flow" for n, m in metrics.METRICS.items()})
    key = ["variant", "reference", "mix", "of_flows"]
    swept = asked.with_columns(of_flows=pl.col("own").is_not_null()).group_by(key).agg(swept=pl.len().cast(pl.Int64))
    return (
        counts.with_columns(of_flows=kind)
        .join(swept, on=key, how="left", nulls_equal=True, maintain_order="left")
        .with_columns(networks=pl.col("swept"), no_result=pl.col("swept") - pl.col("networks"))
        .drop("swept", "of_flows")
    )


def _not_headline(name: str) -> bool:
    return not metrics.METRICS[name].headline


def _column(finding: str) -> str:
    return finding.replace(" ", "_")


def said(row: dict[str, Any]) -> str:
    """A row of counts as a sentence, such as "TcpBbr > TcpCubic in 14 of 16 networks; no difference shown in 2"."""
    variant, reference = row["variant"], row["reference"]
    within = f"in {row['mix']}: " if row["mix"] else ""
    plural = "s" if row["networks"] > 1 else ""
    shown = [(sign, row[name]) for sign, name in ((">", "higher"), ("<", "lower")) if row[name]]
    parts = [f"{variant} {sign} {reference} in {count}" for sign, count in shown]
    if parts:
        parts[0] += f" of {row['networks']} network{plural}"
    if row["none"]:
        of = "" if parts else f" of {row['networks']} network{plural}"
        between = "" if parts else f" between {variant} and {reference}"
        parts.append(f"no difference{between} shown in {row['none']}{of}")
    untested = [(WORDS[name], row[_column(name)]) for name in WORDS if row.get(_column(name))]
    if untested:
        reasons = ", ".join(f"{why} in {count}" for why, count in untested)
        parts.append(f"not tested: {reasons}" if parts else f"{variant} and {reference} not compared: {reasons}")
    return within + "; ".join(parts)
