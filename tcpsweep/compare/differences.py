# SPDX-License-Identifier: MIT
"""What changed between two sweeps of the same grid: A, which is compared against, and B.

They are read from their folders, which may lie in other result folders; no cell is read.
"""

import functools
import json
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tcpsweep.analysis import effects
from tcpsweep.statistics import estimates
from tcpsweep.store import layout
from tcpsweep.sweep import axes, sweep_record
from tcpsweep.sweepfile import yaml_document
from tcpsweep.words import metrics, spelling, units

FINDINGS = ("higher", "lower", "none", "identical")


class Unable(Exception):
    """Why two sweeps cannot be compared; its text is for the user."""


@dataclass(frozen=True)
class Side:
    """A sweep to compare: how it was named, its `sweep.json`, and its `runs.parquet`."""

    given: str
    sweep: sweep_record.PlannedSweep
    runs: pl.DataFrame

    @functools.cached_property
    def values(self):
        """Each combination's parameters and attributes as text."""
        return [{name: units.text(value) for name, value in row.items()} for row in self.sweep.combinations]


@dataclass(frozen=True)
class Match:
    """Which combinations of two sweeps belong together.

    ``both`` has pairs of numbers, of A's and B's; ``only_a`` and ``only_b`` have those of the others. ``names`` are
    what they were matched by, ``differs`` maps what differs everywhere to its value in A and in B.
    """

    both: list
    only_a: list
    only_b: list
    names: list
    differs: dict


def read(given):
    """Read a finished sweep: its name in `results/sweeps`, its folder, or its sweep file.

    Raises
    ------
    Unable
    sweepfile.Mistakes
    """
    folder = _folder(given)
    if not (folder / "sweep.json").is_file():
        known = sorted(path.parent.name for path in layout.SWEEPS.glob("*/sweep.json"))
        there = f"; {layout.SWEEPS} has {', '.join(known)}" if known else f"; {layout.SWEEPS} has none"
        raise Unable(
            f"{given}: expected a sweep that has run: its name, its folder or its file"
            f"{there}{spelling.nearest(folder.name, known)}"
        )
    try:
        sweep = sweep_record.read(folder)
    except sweep_record.Unreadable as error:
        raise Unable(f"{given}: {error}") from None
    sweep = sweep.up_to(sweep.swept)
    tables = [folder / name for name in ("covered.json", "runs.parquet")]
    if not all(path.is_file() for path in tables):
        raise Unable(f"{given}: its tables are missing or of another version; run the sweep again")
    covered = {tuple(run) for run in json.loads(tables[0].read_text(encoding="utf-8"))}
    lacking = [run for run in sweep.cells if run not in covered]
    if lacking:
        raise Unable(f"{given}: not finished: {len(lacking)} of {len(sweep.cells)} runs are not in its tables")
    return Side(given, sweep, pl.read_parquet(tables[1]))


def _folder(given):
    path = Path(given)
    if (path / "sweep.json").is_file():
        return path
    if path.is_file():
        data = yaml_document.read(path).data
        return layout.SWEEPS / str(data.get("sweep") if isinstance(data, dict) else path.stem)
    return layout.SWEEPS / given


def match(a, b):
    """Match the combinations of two sweeps by all that varies within either.

    Raises
    ------
    Unable
        They have none in common, or their metrics are not computed alike.
    """
    if a.sweep.metrics_code != b.sweep.metrics_code:
        raise Unable(
            f"{a.given} and {b.given} are measured by different versions of the metrics; run the older one again"
        )
    if a.sweep.scenario != b.sweep.scenario:
        raise Unable(f"{a.given} is of {a.sweep.scenario}, {b.given} of {b.sweep.scenario}")
    names = list(dict.fromkeys(name for side in (a, b) for row in side.values for name in row))
    found = {name: [{row.get(name, axes.UNSET) for row in side.values} for side in (a, b)] for name in names}
    differs = {
        name: (*first, *second)
        for name, (first, second) in found.items()
        if len(first) == len(second) == 1 and first != second
    }
    keys = [name for name in names if max(map(len, found[name])) > 1]
    places = [{tuple(row.get(name, axes.UNSET) for name in keys): n for n, row in enumerate(s.values)} for s in (a, b)]
    both = [(number, places[1][key]) for key, number in places[0].items() if key in places[1]]
    if not both:
        apart = [name for name in keys if not found[name][0] & found[name][1]]
        why = "; ".join(f"{name} is {_listed(found[name][0])} and {_listed(found[name][1])}" for name in apart)
        raise Unable(f"{a.given} and {b.given} have no combination in common{': ' if why else ''}{why}")
    only = [[number for key, number in places[i].items() if key not in places[1 - i]] for i in (0, 1)]
    return Match(both, *only, keys, _surroundings(a.sweep, b.sweep) | differs)


def _listed(values):
    return ", ".join(sorted(values))


def _surroundings(a, b):
    """What differs of two sweeps beside their combinations: the value in A and in B."""
    about = {
        "ns-3": lambda sweep: sweep.ns3_version,
        "ns-3's libraries": lambda sweep: sweep.ns3_libraries,
        "the scenario's code": lambda sweep: Path(sweep.binary).parent.name.rpartition("-")[2],
        "our variants' code": lambda sweep: _listed(f"{name} {code}" for name, code in sweep.variants.items()),
        "seed": lambda sweep: str(sweep.seed),
        "runs": lambda sweep: ", ".join(map(str, sweep.runs)),
    }
    return {name: (of(a), of(b)) for name, of in about.items() if of(a) != of(b)}


def is_paired(a, b):
    """Whether a run of A and that of B with its number are a pair: the seed and all numbers are the same."""
    return a.sweep.seed == b.sweep.seed and sorted(a.sweep.runs) == sorted(b.sweep.runs)


def identical(a, b, matched):
    """How many cells of A have one in B that is identical to the byte, and how many there are of both."""
    rows = [side.runs.select("place", "run", "digest").unique() for side in _placed(a, b, matched)]
    joined = rows[0].join(rows[1], on=["place", "run"])
    return joined.filter(pl.col("digest") == pl.col("digest_right")).height, joined.height


def _placed(a, b, matched):
    """Both sides with ``place``, the number of the pair of combinations, in their runs; no others are left."""
    for position, side in enumerate((a, b)):
        numbers = pl.DataFrame(
            {"place": range(len(matched.both)), "combination": [pair[position] for pair in matched.both]},
            schema={"place": pl.Int64, "combination": pl.Int64},
        )
        kept = side.runs.drop_nulls("value").filter(pl.col("metric").is_in(metrics.compared()))
        yield Side(side.given, side.sweep, kept.join(numbers, on="combination", maintain_order="left"))


def differences(a, b, matched):
    """What changed from A to B, in each combination.

    Parameters
    ----------
    a, b : Side
    matched : Match

    Returns
    -------
    DataFrame
        ``combination_a`` and ``combination_b``, a column of text for each name that the combinations were matched by,
        ``flow_variant`` (null for a metric of the whole network), ``metric``, ``unit``; ``runs``, ``steady_runs``,
        ``distinct_runs`` (pairs, or of the side that has fewer); ``mean_a``, ``mean_b``; ``difference``, B − A, with
        its standard ``error``, the ``degrees`` of freedom of that, and the 95 % interval ``low``, ``high``; ``ratio``
        of the geometric means, B / A, with its interval; ``correlation`` of the pairs, null where runs are not paired;
        ``p`` of the t-test, paired or Welch's, ``holm_p``, ``holm_low``, ``holm_high``; ``finding``, one of `FINDINGS`
        or of `effects.WORDS`.

    The family of Holm's correction is all comparisons of a metric that can be tested.
    """
    first, second = (side.runs for side in _placed(a, b, matched))
    cases = (
        pl.concat([first, second])
        .select("place", "flow_variant")
        .unique(maintain_order=True)
        .sort("place", "flow_variant")
    )
    cases = cases.with_row_index("pair")
    first, second = (runs.join(cases, on=["place", "flow_variant"], nulls_equal=True) for runs in (first, second))
    sums = _paired(first, second) if is_paired(a, b) else _unpaired(first, second)
    asked = pl.concat([first, second]).select("pair", "place", "flow_variant", "metric").unique()
    # Where one side has no value in any run, there is no sum.
    sums = asked.join(sums, on=["pair", "metric"], how="left").with_columns(
        pl.col("runs", "steady_runs", "distinct_runs").fill_null(0),
        pl.col("lacking").fill_null(True),
        pl.col("same").fill_null(False),
    )
    finding = pl.when("same").then(pl.lit("identical")).otherwise(effects.why_not())
    table = effects.judged(sums.with_columns(finding=finding))
    numbers = pl.DataFrame(
        {"place": range(len(matched.both))}
        | {f"combination_{name}": [pair[i] for pair in matched.both] for i, name in enumerate("ab")}
        | {name: [a.values[pair[0]].get(name, axes.UNSET) for pair in matched.both] for name in matched.names},
        schema_overrides={"place": pl.Int64},
    )
    return (
        table.join(numbers, on="place", maintain_order="left")
        .rename({"mean": "mean_b", "reference_mean": "mean_a"})
        .select(
            *("combination_a", "combination_b", *matched.names, "flow_variant", "metric", "unit"),
            *("runs", "steady_runs", "distinct_runs", "mean_a", "mean_b", "difference", "error", "degrees"),
            *effects.TESTED,
            "correlation",
            "finding",
        )
    )


def _paired(first, second):
    """The sums of runs that are paired by their numbers, as `effects.sums` gives them, and whether all are the same."""
    columns = ["pair", "metric", "run", "digest", "value", "counts"]
    other = first.select(columns).rename({name: f"reference_{name}" for name in columns[3:]})
    rows = second.select(columns).join(other, on=columns[:3], maintain_order="left")
    alike = (pl.col("digest") == pl.col("reference_digest")) & (pl.col("value") == pl.col("reference_value"))
    rows = rows.with_columns(same=alike.all().over("pair", "metric"))
    return effects.sums(rows, ["same"], effects.finished_runs(rows))


def _unpaired(first, second):
    """The sums of runs of two samples, their differences with the errors of Welch's test."""
    joined = _sample(second).join(_sample(first), on=["pair", "metric"], suffix="_a")
    error, degrees = estimates.welch(*map(pl.col, ("sd", "distinct_runs", "sd_a", "distinct_runs_a")))
    log_error, log_degrees = estimates.welch(*map(pl.col, ("log_sd", "distinct_runs", "log_sd_a", "distinct_runs_a")))
    difference = pl.col("mean") - pl.col("mean_a")
    rounding = effects.SAME * pl.max_horizontal(pl.col("mean").abs(), pl.col("mean_a").abs())
    return joined.select(
        "pair",
        "metric",
        *(pl.min_horizontal(name, f"{name}_a").alias(name) for name in ("runs", "steady_runs", "distinct_runs")),
        "mean",
        reference_mean="mean_a",
        difference=pl.when(difference.abs() > rounding).then(difference).otherwise(0.0),
        error=error,
        degrees=degrees,
        log_ratio=pl.col("log_mean") - pl.col("log_mean_a"),
        log_error=log_error,
        log_degrees=log_degrees,
        correlation=pl.lit(None, pl.Float64),
        lacking=pl.col("lacking") | pl.col("lacking_a"),
        same=pl.lit(False),
    )


def _sample(values):
    """The counts, the mean and the spread of each case's and metric's runs on one side."""
    key = ["pair", "metric"]
    finished = values.group_by("place").agg(finished_runs=pl.col("run").n_unique())
    runs = values.group_by(*key, "place").agg(
        runs=pl.len().cast(pl.Int64), steady_runs=pl.col("counts").sum().cast(pl.Int64)
    )
    value, positive = pl.col("value"), pl.col("value").min() > 0
    counted = values.filter("counts").unique([*key, "digest"], keep="first", maintain_order=True)
    spread = pl.when(value.std() > effects.SAME * value.abs().max()).then(value.std()).otherwise(value.std() * 0)
    of_runs = counted.group_by(key).agg(
        distinct_runs=pl.len().cast(pl.Int64),
        mean=value.mean(),
        sd=spread,
        log_mean=pl.when(positive).then(value.log().mean()),
        log_sd=pl.when(positive).then(value.log().std()),
    )
    return (
        runs.join(finished, on="place")
        .join(of_runs, on=key, how="left")
        .select(
            *key,
            "runs",
            "steady_runs",
            "mean",
            "sd",
            "log_mean",
            "log_sd",
            distinct_runs=pl.col("distinct_runs").fill_null(0),
            lacking=pl.col("runs") < pl.col("finished_runs"),
        )
    )


def verdicts(table):
    """What changed of each metric, in words.

    Parameters
    ----------
    table : DataFrame
        From `differences`.

    Returns
    -------
    dict
        A metric to a sentence, such as "higher in 3 of 30 cases; no difference shown in 27"; headline metrics first.
    """
    found, there = {}, set(table["metric"].unique())
    for name in sorted(metrics.METRICS, key=lambda name: not metrics.METRICS[name].headline):
        if name not in there:
            continue
        findings = table.filter(pl.col("metric") == name)["finding"]
        counts = {finding: count for finding in [*FINDINGS, *effects.WORDS] if (count := (findings == finding).sum())}
        found[name] = said(counts)
    return found


def said(counts):
    """Counts of findings as a sentence."""
    total = sum(counts.values())
    words = {"higher": "higher", "lower": "lower", "none": "no difference shown", "identical": "identical"}
    parts = [f"{text} in {counts[name]}" for name, text in words.items() if name in counts]
    untested = [f"{text} in {counts[name]}" for name, text in effects.WORDS.items() if name in counts]
    if untested:
        parts.append(f"not tested: {', '.join(untested)}")
    # The first count says of how many.
    head, *rest = parts
    first, comma, others = head.partition(",")
    return "; ".join([f"{first} of {total} case{'s' * (total > 1)}{comma}{others}", *rest])


def changed(table):
    """Those rows of `differences` in which a difference is shown."""
    return table.filter(pl.col("finding").is_in(["higher", "lower"]))


def surest(rows, most):
    """Of rows of `differences` those that are least likely to be chance, at most so many, in their order."""
    first = rows.with_row_index("at").sort("p", nulls_last=True, maintain_order=True).head(most)
    return first.sort("at").drop("at")
