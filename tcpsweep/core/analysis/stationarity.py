# SPDX-License-Identifier: MIT
"""Whether the runs of a combination are stationary, decided for all runs together.

Omitting single runs that are not steady would select runs by their outcome, which depends on the variant. So either all
runs of a side count in a comparison, or none does. A side is a variant of a combination. Its runs count if its flows go
through enough congestion epochs, or if its runs together show that it is level. If its runs show that its goodput
drifts, the metrics of goodput do not count; if its delay drifts, the metrics of delay do not. Of a side that counts,
steady state is shown, or not.

Law: Simulation Modeling and Analysis, 5th edition, 2015, section 9.5: replications, and how to see their trend.
Schuirmann: A Comparison of the Two One-Sided Tests Procedure and the Power Approach for Assessing the Equivalence of
Average Bioavailability. Journal of Pharmacokinetics and Biopharmaceutics 15(6), 1987.
"""

import math
from collections.abc import Sequence

import polars as pl

from tcpsweep.core.statistics import means, rotation_blocks
from tcpsweep.core.words import metrics
from tcpsweep.core.words.thresholds import LEAST_EPOCHS, LEAST_RUNS, LEVEL, LEVEL_OF_CLAIMS, STEADY_TREND

LEAST_STEADY = 0.9  # share of a side's flows, over all runs, that must go through enough epochs
# Each metric of a flow's shape over time, and the metric that weights the flows: a side's shape is its sum's shape.
SHAPES = {
    **dict.fromkeys(("goodput_trend", "goodput_bend"), "goodput_bps"),
    **dict.fromkeys(("owd_trend", "owd_bend"), "owd_mean_s"),
}
OF_FLOWS = ("steady", "congestion_epochs", *SHAPES, *dict.fromkeys(SHAPES.values()))
DRIFTING, FEW_EPOCHS, NOT_LEVEL, UNKNOWN = "drifting", "few epochs", "not level", "unknown"
_SIDE = ["combination", "flow_variant"]
# The trends that are tested for a drift, and the metrics that are made of the drifting quantity.
TRENDS = {
    "goodput_trend": (*metrics.FAMILIES["rates"], *metrics.FAMILIES["fairness"]),
    "owd_trend": (*metrics.FAMILIES["delays"],),
}
_ON_TRENDS = [f"{trend}_{what}" for trend in TRENDS for what in ("drifts", "shown")]


def counted(measures: pl.DataFrame, lengths: Sequence[int] = (), number: int | None = None) -> pl.DataFrame:
    """Whether each variant of a combination, and the whole network, is stationary over all of its runs.

    The whole network is stationary if all of its variants are. A network with traffic but no flows always counts as
    stationary. ``measures`` are those of forward flows and networks: ``combination``, ``flow_variant``, ``run``,
    ``digest``, ``flow`` (null for a network), ``metric``, ``value``. ``lengths`` and ``number`` are as for `sides`.

    Returns
    -------
    DataFrame
        ``combination``, ``flow_variant`` (null for the whole network), ``steady``, and for each of `TRENDS`
        ``…_drifts`` and ``…_shown``, as from `sides`.
    """
    name = pl.col("metric").cast(pl.String)
    of_flows = measures.filter(pl.col("flow").is_not_null()).with_columns(metric=name)
    all_flows = of_flows.select(*_SIDE, "run", "digest", "flow").unique()
    needed = of_flows.filter(pl.col("metric").is_in(OF_FLOWS))
    flows = needed.pivot("metric", index=[*_SIDE, "run", "flow"], values="value")
    flows = all_flows.join(flows, on=[*_SIDE, "run", "flow"], how="left", maintain_order="left")
    by_side = sides(flows, lengths, number).select(*_SIDE, "steady", *_ON_TRENDS)
    drift_columns, shown_columns = ([f"{trend}_{what}" for trend in TRENDS] for what in ("drifts", "shown"))
    rows_of_networks = (
        by_side.group_by("combination")
        .agg(pl.col("steady", *shown_columns).all(), pl.col(drift_columns).any())
        .with_columns(flow_variant=pl.lit(None, pl.String))
    )
    # The rows that a combination has only if it has flows.
    with_flows = measures.filter(pl.col("flow").is_not_null() | (name == "flows_with_data"))
    without_flows = measures.select("combination").unique().join(with_flows, on="combination", how="anti")
    rows_without_flows = without_flows.select(
        "combination",
        flow_variant=pl.lit(None, pl.String),
        steady=True,
        **{name: pl.lit(name.endswith("_shown")) for name in _ON_TRENDS},
    )
    return pl.concat([by_side, rows_of_networks.select(by_side.columns), rows_without_flows.select(by_side.columns)])


def with_counts(values: pl.DataFrame) -> pl.DataFrame:
    """Values with ``counts``, whether verdicts use them, and ``steady_shown``, in place of the columns of `counted`.

    Values of a metric that needs no steady state always count. A metric that is made of no trend's quantity, such as a
    loss, is shown to be in steady state if the goodput is.
    """
    name = pl.col("metric").cast(pl.String)
    is_free = name.is_in([name for name, metric in metrics.METRICS.items() if not metric.needs_steady])
    drifts = pl.any_horizontal(name.is_in(affected) & pl.col(f"{trend}_drifts") for trend, affected in TRENDS.items())
    of_delay = name.is_in(TRENDS["owd_trend"])
    shown = pl.when(of_delay).then("owd_trend_shown").otherwise("goodput_trend_shown")
    return values.with_columns(
        counts=is_free | (pl.col("steady") & ~drifts).fill_null(False), steady_shown=is_free | shown.fill_null(False)
    ).drop("steady", *_ON_TRENDS)


def sides(flows: pl.DataFrame, lengths: Sequence[int] = (), number: int | None = None) -> pl.DataFrame:
    """Whether each variant of a combination is stationary, and if not why.

    A side's shape in a run is the shape of the sum of its flows. Its shape in a rotation is the shape of the mean of
    the runs. The side is *level* if all known shapes are within `LEVEL`, each by two one-sided tests over the
    rotations. Fewer rotations than `LEAST_RUNS` do not allow a test. Then the side counts as level if `LEAST_STEADY` of
    the flows are steady in their runs.

    A side *drifts* in one of `TRENDS` if Student's t-test rejects a trend of 0 and the mean is more than `LEVEL`. The
    test's level is 5 %, divided by all tests of trends in the sweep (Bonferroni): a block of sides is judged before the
    others are known. Steady state is *shown* in a trend that is within `STEADY_TREND` by two one-sided tests at 5 %,
    and in all trends of a side that is level.

    Parameters
    ----------
    flows : DataFrame
        Forward flows: ``combination``, ``flow_variant``, ``run``, ``digest`` and the known columns of `OF_FLOWS`.
    lengths : list of int, optional
        From `rotations.lengths`; without them, all rotations are of one run.
    number : int, optional
        The number of the sweep's sides. Default: those of ``flows``.

    Returns
    -------
    DataFrame
        - ``combination``, ``flow_variant``
        - ``steady``: whether the runs count, except in metrics that drift
        - ``why`` not, `DRIFTING`, `FEW_EPOCHS`, `NOT_LEVEL` or `UNKNOWN`; `DRIFTING` also if one of `TRENDS` does
        - ``epochs``, the mean over flows
        - ``rotations``, the number with shapes
        - ``shape``, the one that drifts, else the one of `SHAPES` that is farthest from level, its ``mean`` and the
          ends of its 95 % interval, ``low`` and ``high``
        - ``goodput_trend_drifts``, ``goodput_trend_shown``, ``owd_trend_drifts``, ``owd_trend_shown``
    """
    missing = [pl.lit(None, pl.Float64).alias(name) for name in OF_FLOWS if name not in flows.columns]
    flows = flows.with_columns(missing)
    is_steady = (pl.col("steady") == 1).fill_null(False)
    epochs_by_side = flows.group_by(_SIDE, maintain_order=True).agg(
        epochs=pl.col("congestion_epochs").mean(),
        are_steady=is_steady.mean() >= LEAST_STEADY,
        by_epochs=(is_steady & (pl.col("congestion_epochs") >= LEAST_EPOCHS).fill_null(False)).mean() >= LEAST_STEADY,
    )
    test_count = len(TRENDS) * max(epochs_by_side.height if number is None else number, 1)
    shapes = _over_runs(flows, lengths, LEVEL_OF_CLAIMS / test_count)
    drifts_by_side = shapes.group_by(_SIDE).agg(
        pl.col("distinct_runs").max().alias("blocks"),
        is_level=(pl.col("off") <= LEVEL).all(),
        any_drifts=pl.col("drifts").any(),
        **{f"{trend}_drifts": (pl.col("drifts") & (pl.col("shape") == trend)).any() for trend in TRENDS},
        **{f"{trend}_shown": ((pl.col("off") <= STEADY_TREND) & (pl.col("shape") == trend)).any() for trend in TRENDS},
    )
    is_drifting_trend = pl.col("drifts") & pl.col("shape").is_in(list(TRENDS))
    deciding_shapes = shapes.sort(is_drifting_trend, "off", descending=True, nulls_last=True)
    deciding_shapes = deciding_shapes.unique(_SIDE, keep="first", maintain_order=True)
    joined = epochs_by_side.join(drifts_by_side, on=_SIDE, how="left", maintain_order="left").join(
        deciding_shapes.select(*_SIDE, "shape", "mean", "low", "high"), on=_SIDE, how="left", maintain_order="left"
    )
    rotation_count = pl.col("blocks").fill_null(0)
    enough = rotation_count >= LEAST_RUNS
    seems_level = pl.when(enough).then(pl.col("is_level")).otherwise(pl.col("are_steady")).fill_null(False)
    any_trend_drifts = pl.any_horizontal(pl.col(f"{trend}_drifts").fill_null(False) for trend in TRENDS)
    steady = pl.col("by_epochs") | seems_level
    why = (
        pl.when(steady & ~any_trend_drifts)
        .then(None)
        .when(rotation_count == 0)
        .then(pl.lit(UNKNOWN))
        .when(any_trend_drifts)
        .then(pl.lit(DRIFTING))
        .when(pl.col("epochs") > 0)
        .then(pl.lit(FEW_EPOCHS))
        .when(pl.col("any_drifts"))
        .then(pl.lit(DRIFTING))
        .otherwise(pl.lit(NOT_LEVEL))
    )
    return joined.select(
        *_SIDE,
        steady=steady,
        why=why,
        epochs="epochs",
        rotations=rotation_count,
        shape="shape",
        mean="mean",
        low="low",
        high="high",
        **{f"{trend}_drifts": pl.col(f"{trend}_drifts").fill_null(False) for trend in TRENDS},
        **{
            f"{trend}_shown": enough & (pl.col(f"{trend}_shown").fill_null(False) | (seems_level & pl.col("is_level")))
            for trend in TRENDS
        },
    )


def _over_runs(flows: pl.DataFrame, lengths: Sequence[int], drift_level: float) -> pl.DataFrame:
    """Each side's shapes over rotations: `means.summarise`, ``off`` and ``drifts``.

    ``off`` is the end of the 90 % interval that is farthest from 0, infinite if a run has no shape. ``drifts`` says
    whether the test at ``drift_level`` rejects a mean of 0, and the mean is more than `LEVEL`.
    """
    shapes_by_run = flows.group_by(*_SIDE, "run", "digest", maintain_order=True).agg(
        ((pl.col(shape) * pl.col(weight)).sum() / pl.col(weight).filter(pl.col(shape).is_not_null()).sum())
        .fill_nan(None)
        .alias(shape)
        for shape, weight in SHAPES.items()
    )
    key = [*_SIDE, "shape"]
    rows = shapes_by_run.unpivot(list(SHAPES), index=[*_SIDE, "run", "digest"], variable_name="shape")
    # A side whose flows received nothing in a run is not level, even if the other runs are.
    rows = rows.filter(pl.col("value").is_not_null().any().over("shape"))
    rows = rotation_blocks.of_combinations(rows, lengths, key)
    rows = rows.with_columns(lacks=pl.col("value").is_null().any().over(key))
    # Two one-sided tests at 5 % are an interval of 90 %.
    farthest = means.summarise(rows, key, 1 - 2 * (1 - means.CONFIDENCE)).select(
        *key, off=pl.max_horizontal(pl.col("low").abs(), pl.col("high").abs())
    )
    lacking = rows.group_by(key).agg(pl.col("lacks").any())
    drifts = ((pl.col("low") > 0) | (pl.col("high") < 0)) & (pl.col("mean").abs() > LEVEL)
    drifting = means.summarise(rows, key, 1 - drift_level).select(*key, drifts=drifts.fill_null(False))
    return (
        means.summarise(rows, key)
        .join(drifting, on=key, how="left", maintain_order="left")
        .join(farthest, on=key, how="left", maintain_order="left")
        .join(lacking, on=key, how="left", maintain_order="left")
        .with_columns(off=pl.when(~pl.col("lacks")).then("off").fill_null(math.inf))
    )
