# SPDX-License-Identifier: MIT
"""What a published study claims, judged from the sweep's runs.

A claim says of a metric that there is more of it under one condition than under another, or of one variant than of
another in the same mix, or that it rises or falls with an axis. It is judged in each network that is alike in all else,
from runs of equal numbers: by the mean over runs of the difference, or of Spearman's rank correlation with the axis,
and its 95 % interval by Student's t. The intervals are not corrected for the number of networks.
"""

import polars as pl

from tcpsweep import axes, grid, metrics, reproduction, schema, statistics, units
from tcpsweep.sweepfile import Problem

LEAST_VALUES = 3
_SIDES = ("more", "less")
_ALONG = ("rises_with", "falls_with")
_FORMS = [{*_SIDES}, {"than"}, {"rises_with"}, {"falls_with"}]
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


def problems(data, sweep):
    """What is wrong with the claims of a sweep file in which `schema.problems` found nothing, as `Problem`."""
    found, swept, said = [], sweep.combinations[: sweep.swept], set()
    for number, claim in enumerate(data.get("published", {}).get("claims", [])):
        path = ("published", "claims", number)
        wrong = list(_wrong(path, claim, sweep.axes, swept))
        if claim["says"] in said:
            wrong.append(Problem((*path, "says"), "another claim says the same"))
        said.add(claim["says"])
        if not wrong and not _networks(claim, sweep.scenario, swept):
            words = "no networks of the sweep are alike in all else and meet the conditions"
            least = f"; along an axis, {LEAST_VALUES} values or more" if claim.keys() & {*_ALONG} else ""
            wrong = [Problem(path, words + least)]
        found += wrong
    return found


def _wrong(path, claim, swept_axes, combinations):
    if claim.keys() & {*_SIDES, "than", *_ALONG} not in _FORMS:
        yield Problem(path, "expected `more` and `less`, or `than`, `rises_with` or `falls_with`")
    metric = metrics.METRICS.get(claim["metric"])
    numeric = [name for name, axis in axes.of({"axes": swept_axes}).items() if axis.numeric]
    variants = list(dict.fromkeys(own for row in combinations for own in row["variant"].split("+")))
    names = {"metric": list(metrics.METRICS), "of": variants, "than": variants}
    names |= {key: numeric for key in _ALONG}
    for key, known in names.items():
        if key in claim and claim[key] not in known:
            listed = f"expected one of {', '.join(known)}, got" if key != "metric" else "there is no metric"
            yield Problem((*path, key), f"{listed} {claim[key]!r}{schema.nearest(claim[key], known)}")
    if metric and metric.scope == "flow" and "of" not in claim:
        yield Problem(path, f"{claim['metric']} is of flows: give their variant in `of`")
    elif metric and metric.scope == "network" and claim.keys() & {"of", "than"}:
        yield Problem(path, f"{claim['metric']} is of the whole network, not of a variant")


def _networks(claim, scenario, combinations):
    """The combinations that a claim compares, network by network: lists of their numbers, in the order of the claim.

    For ``more`` and ``less`` a list holds one of each, for ``than`` the mix's; along an axis it holds the axis' values
    from low to high.
    """
    wanted = {claim[key] for key in ("of", "than") if key in claim}
    place = [
        number
        for number in grid.where(scenario, claim.get("where", {}), combinations)
        if wanted <= set(combinations[number]["variant"].split("+"))
    ]
    if "than" in claim:
        return [[number] for number in place]
    if "more" in claim:
        names, sides = {*claim["more"], *claim["less"]}, []
        for key in _SIDES:
            side = {}
            for number in set(place) & set(grid.where(scenario, claim[key], combinations)):
                side.setdefault(_rest(combinations[number], names), number)
            sides.append(side)
        return [[sides[0][rest], sides[1][rest]] for rest in sorted(sides[0], key=sides[0].get) if rest in sides[1]]
    axis, lines = claim.get("rises_with") or claim["falls_with"], {}
    place = [number for number in place if combinations[number].get(axis) is not None]
    if not place:
        return []
    _, places = axes.placed([units.text(combinations[number][axis]) for number in place])
    for number in place:
        lines.setdefault(_rest(combinations[number], {axis}), []).append(number)
    return [
        sorted(line, key=lambda number: places[units.text(combinations[number][axis])])
        for line in lines.values()
        if len(line) >= LEAST_VALUES
    ]


def _rest(row, names):
    return tuple((key, str(value)) for key, value in sorted(row.items()) if key not in names)


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
        for network in _networks(claim, scenario, combinations):
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
