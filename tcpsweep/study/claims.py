# SPDX-License-Identifier: MIT
"""What a published study claims, and of which networks of the sweep; `findings` judges it.

A claim says of a metric that there is more of it under one condition than under another, or of one variant than of
another in the same mix, that it rises or falls with an axis or hardly changes along it, or that one value on an axis is
out of line with the others. Other axes may change along with the first.
"""

from tcpsweep.sweep import axes
from tcpsweep.sweepfile import grid
from tcpsweep.sweepfile.yaml_document import Problem
from tcpsweep.words import metrics, spelling, units

LEAST_VALUES = 3
_SIDES = ("more", "less")
_ALONG = ("rises_with", "falls_with", "level_with", "outlier")
_FORMS = [{*_SIDES}, {"than"}, *({key} for key in _ALONG)]


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
            least = f"; along an axis, {LEAST_VALUES} values or more, each once" if along(claim) else ""
            least += " beside the one that is out of line" if "outlier" in claim else ""
            wrong = [Problem(path, words + least)]
        found += wrong
    return found


def _wrong(path, claim, swept_axes, combinations):
    if claim.keys() & {*_SIDES, "than", *_ALONG} not in _FORMS:
        yield Problem(path, f"expected `more` and `less`, `than`, or one of {', '.join(f'`{key}`' for key in _ALONG)}")
    metric = metrics.METRICS.get(claim["metric"])
    numeric = [name for name, axis in axes.of({"axes": swept_axes}).items() if axis.numeric]
    variants = list(dict.fromkeys(own for row in combinations for own in row["variant"].split("+")))
    names = {"metric": list(metrics.METRICS), "of": variants, "than": variants}
    given = [(key, claim[key], known) for key, known in names.items() if key in claim]
    given += [(key, name, numeric) for key in _ALONG if key in claim for name in along(claim)]
    for key, name, known in given:
        if name not in known:
            listed = f"expected one of {', '.join(known)}, got" if key != "metric" else "there is no metric"
            yield Problem((*path, key), f"{listed} {name!r}{spelling.nearest(name, known)}")
    if metric and metric.scope == "flow" and "of" not in claim:
        yield Problem(path, f"{claim['metric']} is of flows: give their variant in `of`")
    elif metric and metric.scope == "network" and claim.keys() & {"of", "than"}:
        yield Problem(path, f"{claim['metric']} is of the whole network, not of a variant")


def along(claim):
    """The axes that a claim is along, the first in whose order its networks are; empty where it is along none."""
    found = next((claim[key] for key in _ALONG if key in claim), [])
    return [found] if isinstance(found, str) else list(found)


def places(claim, network, combinations):
    """Where the combinations of a network lie on the first axis that a claim is along, as numbers."""
    texts = [units.text(combinations[number][along(claim)[0]]) for number in network]
    _, found = axes.placed(texts)
    return [found[text] for text in texts]


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
    (axis, *_), lines = along(claim), {}
    place = [number for number in place if combinations[number].get(axis) is not None]
    for number in place:
        lines.setdefault(_rest(combinations[number], set(along(claim))), []).append(number)
    found, odd = [], set()
    if "outlier" in claim:
        odd = set(grid.where(scenario, claim["outlier"], combinations))
    for line in lines.values():
        at = dict(zip(places(claim, line, combinations), line, strict=True))
        others = set(line) - odd
        if len(at) == len(line) and len(others) >= LEAST_VALUES and len(line) - len(others) == bool(odd):
            found.append([at[place] for place in sorted(at)])
    return found


def _rest(row, names):
    return tuple((key, str(value)) for key, value in sorted(row.items()) if key not in names)
