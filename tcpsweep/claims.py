# SPDX-License-Identifier: MIT
"""What a published study claims, and of which networks of the sweep; `findings` judges it.

A claim says of a metric that there is more of it under one condition than under another, or of one variant than of
another in the same mix, or that it rises or falls with an axis.
"""

from tcpsweep import axes, grid, metrics, schema, units
from tcpsweep.sweepfile import Problem

LEAST_VALUES = 3
_SIDES = ("more", "less")
_ALONG = ("rises_with", "falls_with")
_FORMS = [{*_SIDES}, {"than"}, {"rises_with"}, {"falls_with"}]


def problems(data, sweep):
    """What is wrong with the claims of a sweep file in which `schema.problems` found nothing, as `Problem`."""
    found, swept, said = [], sweep.combinations[: sweep.swept], set()
    for number, claim in enumerate(data.get("published", {}).get("claims", [])):
        path = ("published", "claims", number)
        wrong = list(_wrong(path, claim, sweep.axes, swept))
        if claim["says"] in said:
            wrong.append(Problem((*path, "says"), "another claim says the same"))
        said.add(claim["says"])
        if not wrong and not networks(claim, sweep.scenario, swept):
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


def networks(claim, scenario, combinations):
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
