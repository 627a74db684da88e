# SPDX-License-Identifier: MIT
"""`precision` and `at_most` of a sweep file: repetitions until means are precise enough, not a fixed number.

``precision: {goodput_bps: 5%, jain: 0.02}`` asks for 95 % intervals of at most ±5 % of the mean, and ±0.02.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tcpsweep.core.contact.question import NextRounds, Question
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.rounds import FIRST_RUNS, AskedRounds
from tcpsweep.core.sweep.sweep_parts import ShareOrValue
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Sweep
from tcpsweep.core.sweepfile.asked import asked_metrics, repetitions, shares_and_values
from tcpsweep.core.sweepfile.document.yaml_document import Problem
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import metrics
from tcpsweep.features.precision.precision_fields import PrecisionFields
from tcpsweep.features.precision.precision_record import KEY, Precision

AT_MOST = repetitions.AT_MOST
_WITH_UNIT = ("bit/s", "s")  # units in which 0.05 more likely means 5% than 0.05 of the unit


def asked_of_axes(file: SweepFile, sweep: Sweep) -> tuple[Sweep, list[Problem]]:
    """The sweep with the precision that its file requests, and problems."""
    wanted = file.of(PrecisionFields).precision or {}
    mistakes = list(problems(file)) or list(_unmeasured(wanted, sweep.own))
    if not wanted or mistakes:
        return sweep, mistakes
    half_widths = {name: _half_width(name, value) for name, value in wanted.items()}
    return sweep.with_question(KEY, Precision(half_widths, len(sweep.runs))), []


def problems(file: SweepFile) -> Iterator[Problem]:
    """Problems with a sweep file's precision."""
    wanted = file.of(PrecisionFields).precision
    if wanted is None:
        if file.has(AT_MOST):
            yield Problem((AT_MOST,), f"`{AT_MOST}` needs `precision`; without it, write `repetitions`", at_key=True)
        return
    for key in ("repetitions", "runs"):
        if file.has(key):
            yield Problem((key,), f"give `{key}` or `precision`, not both", at_key=True)
    if file.has("published"):
        message = "a published study takes `repetitions` or `runs`, not `precision`"
        yield Problem((KEY,), message, at_key=True)
    for name, value in wanted.items():
        if reason := asked_metrics.why_not_compared(name):
            yield Problem((KEY, name), reason, at_key=True)
            continue
        try:
            half_width = _half_width(name, value)
        except ValueError as error:
            yield Problem((KEY, name), str(error))
            continue
        if not half_width.share and not half_width.absolute:
            yield Problem(
                (KEY, name),
                f"no number of repetitions makes an interval as narrow as {value}; expected above 0, such as 5%",
            )


def _unmeasured(names: Iterable[str], combinations: Sequence[Combination]) -> Iterator[Problem]:
    """Metrics of `precision` that no combination of the sweep has, as far as known before a run."""
    for name in names:
        if why := asked_metrics.why_unmeasured(name, combinations):
            yield Problem((KEY, name), why, at_key=True)


def _half_width(name: str, value: object) -> ShareOrValue:
    if isinstance(value, int | float) and not isinstance(value, bool) and metrics.METRICS[name].unit in _WITH_UNIT:
        near = f"; did you mean '{100 * value:.6g}%'?" if 0 < value < 1 else ""
        raise ValueError(f"expected a share, such as 5%, or a value with its unit, got {value!r}{near}")
    return shares_and_values.share_or_value(value, "the mean", metrics.METRICS[name].unit)


def _state(sweep: PlannedSweep, folder: Path, is_ended: bool) -> str:
    from tcpsweep.features.precision import precision_state

    return precision_state.state(sweep, folder)


QUESTION = Question(
    key=KEY,
    asked_of_axes=asked_of_axes,
    sets_repetitions=True,
    rounds=NextRounds(keys=(KEY, AT_MOST), asked_rounds=lambda file: AskedRounds(FIRST_RUNS), state_words=_state),
)
