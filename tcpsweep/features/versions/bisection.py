# SPDX-License-Identifier: MIT
"""The commits of ns-3 that change a sweep's conclusions, found by running the sweep at some of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tcpsweep.core.words.aligned import aligned
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.versions import changes, history
from tcpsweep.features.versions.changes import NO_RESULT, Change
from tcpsweep.features.versions.conclusions import EXPECTATION, FINDING, Conclusion, Outcome
from tcpsweep.features.versions.history import Commit, Step

Outcomes = Mapping[Conclusion, Outcome]


def chosen(found: Sequence[Change], expectation: str | None, finding: str | None) -> list[Conclusion]:
    """The conclusions to look for: those whose words contain a text, or else all that flip between both ends.

    Of those that flip, only those with separate intervals, if there are any. Raises `UserError` if there are none.
    """
    texts = {EXPECTATION: expectation, FINDING: finding}
    if expectation is not None or finding is not None:
        fitting = [
            each for each in found if (text := texts[each.conclusion.about]) and _contains_words(each.conclusion, text)
        ]
        if not fitting:
            first_ones = "\n".join(f"  {each.conclusion.in_words()}" for each in found[:20])
            raise UserError(f"no conclusion contains {expectation or finding!r}; the first ones are\n{first_ones}")
        differing = [each for each in fitting if each.outcomes[0].finding != each.outcomes[-1].finding]
        if not differing:
            words = fitting[0].outcomes[0].finding
            raise UserError(f"{fitting[0].conclusion.in_words()}: {words} at both ends, so there is no commit to find")
        return [each.conclusion for each in differing]
    flips = [each for each in found if each.kind in changes.CHANGED]
    if not flips:
        raise UserError("no conclusion flips between both ends, so there is no commit to find")
    return [each.conclusion for each in flips if each.is_apart] or [each.conclusion for each in flips]


def _contains_words(conclusion: Conclusion, text: str) -> bool:
    """Whether a conclusion's words, or its metric's name, contain each word of a text."""
    words = f"{conclusion.in_words()} {conclusion.metric}".lower()
    return all(part in words for part in text.lower().split())


def search(
    count: int, asked: Sequence[Conclusion], outcomes: Callable[[int], Outcomes | None]
) -> dict[Conclusion, list[Step]]:
    """Where each conclusion changes among ``count`` points; ``outcomes`` are of one point, None if it has none."""

    def outcome_of(conclusion: Conclusion) -> Callable[[int], str | None]:
        def outcome(point: int) -> str | None:
            point_outcomes = outcomes(point)
            return None if point_outcomes is None else point_outcomes.get(conclusion, NO_RESULT).finding

        return outcome

    return {conclusion: history.steps(count, outcome_of(conclusion)) for conclusion in asked}


def answer(
    found: Mapping[Conclusion, Sequence[Step]], commits: Sequence[Commit], tried: Mapping[int, Outcomes | None]
) -> str:
    """For each commit that changes conclusions: the commit, and each conclusion before and after."""
    by_step: dict[Step, list[Conclusion]] = {}
    for conclusion, steps in found.items():
        for step in steps:
            by_step.setdefault(step, []).append(conclusion)
    lines = []
    for step, conclusions in sorted(by_step.items()):
        named = commits[step.before + 1 : step.after + 1]
        if len(named) > 1:
            lines.append(f"one of {len(named)} commits, of which those in between cannot be tried:")
        lines += [f"{each.id[:12]}  {each.date}  {each.subject}" for each in named]
        for conclusion in conclusions:
            rows = [
                [f"  {side}", _outcome_at(tried[point], conclusion)] for side, point in zip(_SIDES, step, strict=True)
            ]
            lines.append(f"  {conclusion.in_words()}\n{aligned(rows)}")
    return "\n".join(lines)


_SIDES = ("before", "with it")


def _outcome_at(outcomes: Outcomes | None, conclusion: Conclusion) -> str:
    return (outcomes or {}).get(conclusion, NO_RESULT).words


def trials(asked: Sequence[Conclusion], commits: Sequence[Commit], tried: Mapping[int, Outcomes | None]) -> str:
    """A table of the commits that were tried, in the order of history, with the first conclusion's outcome."""
    rows = []
    for point in sorted(tried):
        outcome = "cannot be tried" if tried[point] is None else _outcome_at(tried[point], asked[0])
        rows.append([commits[point].id[:12], commits[point].date, outcome, commits[point].subject[:60]])
    return aligned(rows)
