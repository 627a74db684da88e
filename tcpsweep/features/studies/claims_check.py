# SPDX-License-Identifier: MIT
"""Check the claims of a sweep file."""

from collections.abc import Collection, Iterator
from typing import Any

from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.words import metric_names, metrics, spelling
from tcpsweep.core.words.mixes import Mix
from tcpsweep.features.studies import claims, printed_numbers
from tcpsweep.features.studies.study_record import ALONG, SIDES

_FORMS = [{*SIDES}, {"than"}, *({key} for key in ALONG)]


def problems(data: dict[str, Any], sweep: Sweep) -> list[Problem]:
    """The problems with a sweep file's claims, without schema errors."""
    found: list[Problem] = []
    said: set[str] = set()
    for number, claim in enumerate(data.get("published", {}).get("claims", [])):
        path: KeyPath = ("published", "claims", number)
        wrong = list(_wrong(path, claim, sweep))
        if claim["says"] in said:
            wrong.append(Problem((*path, "says"), "another claim has the same text; remove or change one"))
        said.add(claim["says"])
        record = None if wrong else printed_numbers.claim_of(claim, sweep.scenario)
        if record and not claims.networks(record, sweep.own, axes.beside_variant(sweep)):
            words = "no network conditions of the sweep meet the conditions and are equal in everything else"
            least = f"; along an axis, {claims.LEAST_VALUES} values or more, each once" if record.along else ""
            least += " besides the outlier" if "outlier" in claim else ""
            wrong = [Problem(path, words + least)]
        found += wrong
    return found


def _wrong(path: KeyPath, claim: dict[str, Any], sweep: Sweep) -> Iterator[Problem]:
    if claim.keys() & {*SIDES, "than", *ALONG} not in _FORMS:
        yield Problem(path, f"expected `more` and `less`, `than`, or one of {', '.join(f'`{key}`' for key in ALONG)}")
    metric = metrics.METRICS.get(claim["metric"])
    numeric = [name for name, axis in axes.swept_axes(sweep).items() if axis.numeric]
    variants = list(dict.fromkeys(own for row in sweep.own for own in Mix.parse(str(row["variant"])).turns))
    names = {"metric": metrics.averaged(), "of": variants, "than": variants}
    given = [(key, claim[key], known) for key, known in names.items() if key in claim]
    given += [(key, name, numeric) for key in ALONG if key in claim for name in _named(claim[key])]
    for key, name, known in given:
        if name not in known:
            if key == "metric":
                yield Problem((*path, key), f"there is no metric {name!r}{metric_names.did_you_mean(name, known)}")
            else:
                expected = f"expected one of {', '.join(known)}, got {name!r}"
                yield Problem((*path, key), expected + spelling.did_you_mean(name, known))
    if metric and metric.by_variant and "of" not in claim:
        yield Problem(path, f"{claim['metric']} describes flows: write their variant in `of`")
    elif metric and not metric.by_variant and claim.keys() & {"of", "than"}:
        yield Problem(path, f"{claim['metric']} describes the whole network, not a variant: remove `of`")


def _named(content: str | Collection[str]) -> list[str]:
    """The axes in a key of a claim: one, a list, or the axes in a condition."""
    return [content] if isinstance(content, str) else list(content)
