# SPDX-License-Identifier: MIT
"""`smallest_effect` of a sweep file: the smallest effect of interest (equivalence margin) between variants.

``smallest_effect: 2%`` means 2 % of the reference's mean. It holds for every metric without its own bound in
`words.metrics`. ``smallest_effect: {all: 5%, queueing_delay_mean_s: 1ms}`` sets single metrics to a share or a value,
and ``{congestion_loss: [10%, 0.001]}`` to the larger of both.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from tcpsweep.core.sweep.sweep_parts import ShareOrValue
from tcpsweep.core.sweepfile.asked import shares_and_values
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import sweep_keys
from tcpsweep.core.words import metric_names, metrics

KEY, ALL = "smallest_effect", "all"
_WHOLE = "the reference"


def smallest_effects(written: Any) -> dict[str, ShareOrValue]:
    """Each compared metric's smallest effect, from a sweep file's `KEY` without `problems`."""
    value_by_metric = {name: value for name, _, value in _entries(written)}
    default_share = _share(value_by_metric.get(ALL, sweep_keys.default(KEY)))
    effect_by_metric = {}
    for name in metrics.compared():
        metric = metrics.METRICS[name]
        if name in value_by_metric:
            effect_by_metric[name] = _effect(value_by_metric[name], metric.unit)
        elif metric.smallest is None:
            effect_by_metric[name] = ShareOrValue(share=default_share)
        else:
            effect_by_metric[name] = ShareOrValue(metric.smallest_share, metric.smallest, metric.smallest_origin)
    return effect_by_metric


def unchecked_problems(data: Any, problems_before: Iterable[Problem]) -> list[Problem]:
    """Problems with `KEY` in a file whose other keys have problems, unless ``problems_before`` has some with it."""
    if not isinstance(data, dict) or KEY not in data or any(problem.path[:1] == (KEY,) for problem in problems_before):
        return []
    return problems(data[KEY])


def problems(written: Any) -> list[Problem]:
    """Problems with a sweep file's `KEY`."""
    mistakes = []
    for name, path, value in _entries(written):
        if name != ALL and name not in metrics.compared():
            near = metric_names.did_you_mean(name, [ALL, *metrics.compared()])
            reason = f"{name} is never compared" if name in metrics.METRICS else f"there is no metric {name!r}"
            message = f"{reason}; expected {ALL}, or a metric in which variants are compared, such as goodput_bps{near}"
            mistakes.append(Problem(path, message, at_key=True))
            continue
        try:
            if name == ALL:
                _share(value)
            else:
                _effect(value, metrics.METRICS[name].unit)
        except ValueError as error:
            mistakes.append(Problem(path, str(error)))
    return mistakes


def _effect(value: object, unit: str) -> ShareOrValue:
    """A metric's entry: a share, a value, or a list of both. Raises `ValueError` with what was expected."""
    if not isinstance(value, list):
        return shares_and_values.share_or_value(value, _WHOLE, unit)
    parts = [shares_and_values.share_or_value(part, _WHOLE, unit) for part in value]
    if [shares_and_values.is_share(part) for part in value] != [True, False]:
        raise ValueError(f"expected a share and then a value, such as [10%, 0.001], got {value!r}")
    return ShareOrValue(parts[0].share, parts[1].absolute)


def _share(value: object) -> float:
    return shares_and_values.share(value, "the reference's mean")


def _entries(written: Any) -> Iterator[tuple[str, KeyPath, object]]:
    """The entries of `KEY`: a metric or `ALL`, its path, the value."""
    if isinstance(written, dict):
        yield from ((str(name), (KEY, name), value) for name, value in written.items())
    else:
        yield ALL, (KEY,), written
