# SPDX-License-Identifier: MIT
"""The claims of a published study, judged from the sweep's runs.

A claim is judged in each network that is alike in all else, from runs of equal numbers: by the mean over runs of the
difference, or of Spearman's rank correlation with the axis, and its 95 % interval by Student's t. The intervals are not
corrected for the number of networks.
"""

import polars as pl

from tcpsweep import claims, reproduction, statistics

WORDS = {"held": "held", "reversed": "the reverse", "not shown": "not shown", "no value": "no value"}
_SCHEMA = {
    "claim": pl.String,
    "combination": pl.Int64,
    "metric": pl.String,
    "flow_variant": pl.String,
    "effect": pl.String,
    "runs": pl.Int64,
    "mean": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "finding": pl.String,
}


def judged(sweep, measures):
    """Each claim in each network that it is about.

    Parameters
    ----------
    sweep : dict
    measures : DataFrame
        From `aggregate.measure`.

    Returns
    -------
    DataFrame
        ``claim`` in words, ``combination``, the first of the network's, ``metric``, ``flow_variant``; ``effect``, what
        ``mean`` is of: "difference" in the metric's unit, or "rank correlation"; ``runs``, those of equal numbers, each
        simulation once; ``low`` and ``high``, the ends of its interval; ``finding``, a key of `WORDS`.
    """
    scenario, combinations = sweep["scenario"], sweep["combinations"][: sweep["swept"]]
    rows = []
    for claim in (sweep["study"] or {"claims": []})["claims"]:
        found = reproduction.values(measures, claim["metric"], claim.get("of"), "mean")
        if "than" in claim:
            than = reproduction.values(measures, claim["metric"], claim["than"], "mean")
            found = found.join(than, on=["combination", "run", "digest"]).select(
                "combination", "run", "digest", value=pl.col("value") - pl.col("value_right")
            )
        for network in claims.networks(claim, scenario, combinations):
            per_run, effect = _effects(claim, network, found)
            rows.append(
                {"claim": claim["says"], "combination": network[0], "metric": claim["metric"]}
                | {"flow_variant": claim.get("of"), "effect": effect}
                | _finding(per_run, -1 if "falls_with" in claim else 1)
            )
    return pl.DataFrame(rows, schema=_SCHEMA)


def _effects(claim, network, found):
    """A claim's effect in each run of a network: ``digest``, ``value``; and what it is."""
    of_runs, rows = {}, []
    for number, run, digest, value in found.filter(pl.col("combination").is_in(network)).iter_rows():
        of_runs.setdefault(run, {})[number] = digest, value
    whole = {run: [cells[number] for number in network] for run, cells in of_runs.items() if len(cells) == len(network)}
    for cells in whole.values():
        digest, values = "+".join(digest for digest, _ in cells), [value for _, value in cells]
        if "more" in claim:
            rows.append((digest, values[0] - values[1]))
        elif "than" in claim:
            rows.append((digest, values[0]))
        else:
            # The network is in the order of the axis; a metric that is the same all along does not rise.
            rows.append((digest, reproduction.correlations(range(len(values)), values)[0] or 0.0))
    effect = "difference" if claim.keys() & {"more", "than"} else "rank correlation"
    return pl.DataFrame(rows, schema={"digest": pl.String, "value": pl.Float64}, orient="row"), effect


def _finding(per_run, sign):
    """Mean and interval of an effect over runs, and what follows for a claim that it has a sign."""
    if per_run.is_empty():
        return {"runs": 0, "mean": None, "low": None, "high": None, "finding": "no value"}
    row = statistics.summarise(per_run.with_columns(all=pl.lit(0)), ["all"]).row(0, named=True)
    low, high = row["low"], row["high"]
    finding = "not shown"
    if low is not None and (low > 0 or high < 0):
        finding = "held" if (low > 0) == (sign > 0) else "reversed"
    return {"runs": row["distinct_runs"]} | {key: row[key] for key in ("mean", "low", "high")} | {"finding": finding}
