# SPDX-License-Identifier: MIT
"""Check the claims of a sweep file."""

from collections.abc import Collection, Iterator, Sequence

from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.words import metric_names, metrics, spelling
from tcpsweep.features.studies import claims, printed_numbers
from tcpsweep.features.studies.study_fields import Claim
from tcpsweep.features.studies.study_record import ALONG, KEY, SIDES

_KEYS_OF_FORMS = [{*SIDES}, {"than"}, *({key} for key in ALONG)]


def problems(written: Sequence[Claim], sweep: Sweep) -> list[Problem]:
    """The problems with a sweep file's claims."""
    found: list[Problem] = []
    texts: set[str] = set()
    for number, claim in enumerate(written):
        path: KeyPath = (KEY, "claims", number)
        claim_problems = list(_claim_problems(path, claim, sweep))
        if claim.says in texts:
            claim_problems.append(Problem((*path, "says"), "another claim has the same text; remove or change one"))
        texts.add(claim.says)
        record = None if claim_problems else printed_numbers.claim_of(claim, sweep.scenario)
        if record and not claims.networks(record, sweep.own, axes.beside_variant(sweep)):
            message = "no network conditions of the sweep meet the conditions and are equal in everything else"
            least = f"; along an axis, {claims.LEAST_VALUES} values or more, each once" if record.along else ""
            least += " besides the outlier" if claim.outlier is not None else ""
            claim_problems = [Problem(path, message + least)]
        found += claim_problems
    return found


def _claim_problems(path: KeyPath, claim: Claim, sweep: Sweep) -> Iterator[Problem]:
    keys = claim.written_keys()
    if {*keys} & {*SIDES, "than", *ALONG} not in _KEYS_OF_FORMS:
        yield Problem(path, f"expected `more` and `less`, `than`, or one of {', '.join(f'`{key}`' for key in ALONG)}")
    metric = metrics.METRICS.get(claim.metric)
    numeric = [name for name, axis in axes.swept_axes(sweep).items() if axis.numeric]
    variants = list(dict.fromkeys(own for row in sweep.own for own in row.mix.turns))
    allowed_names = {"metric": metrics.averaged(), "of": variants, "than": variants}
    named = [(key, getattr(claim, key), allowed) for key, allowed in allowed_names.items() if key in keys]
    named += [(key, name, numeric) for key in ALONG if key in keys for name in _axis_names(getattr(claim, key))]
    for key, name, allowed in named:
        if name not in allowed:
            if key == "metric":
                yield Problem((*path, key), f"there is no metric {name!r}{metric_names.did_you_mean(name, allowed)}")
            else:
                expected = f"expected one of {', '.join(allowed)}, got {name!r}"
                yield Problem((*path, key), expected + spelling.did_you_mean(name, allowed))
    if metric and metric.by_variant and claim.of is None:
        yield Problem(path, f"{claim.metric} describes flows: write their variant in `of`")
    elif metric and not metric.by_variant and {*keys} & {"of", "than"}:
        yield Problem(path, f"{claim.metric} describes the whole network, not a variant: remove `of`")


def _axis_names(content: str | Collection[str]) -> list[str]:
    """The axes in a key of a claim: one, a list, or the axes in a condition."""
    return [content] if isinstance(content, str) else list(content)
