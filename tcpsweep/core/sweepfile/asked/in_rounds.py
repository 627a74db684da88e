# SPDX-License-Identifier: MIT
"""Whether a sweep runs in rounds, why, and its first points.

After a round, the tables determine the next one. Questions add runs of some combinations, or points on open axes.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tcpsweep.core.contact import features
from tcpsweep.core.contact.question import NextRounds
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.matching import Value
from tcpsweep.core.sweep.rounds import AskedRounds, Point
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import Problem
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import units

_CONDITIONS = ("only", "exclude", "figures", "tables")


def is_asked(data: Any) -> bool:
    """Whether a sweep file's data request rounds; the data may have mistakes."""
    return isinstance(data, dict) and any(_of_file(data))


def _of_file(data: Mapping[str, Any]) -> Iterator[NextRounds]:
    """The rounds of the questions that a sweep file asks."""
    return (question.rounds for question in features.questions() if question.rounds and question.key in data)


def request(data: Mapping[str, Any]) -> dict[str, Any]:
    """Everything in a sweep file that concerns rounds. If it changes, the rounds start again."""
    return {key: data[key] for rounds in _of_file(data) for key in rounds.keys if key in data}


def asked_rounds(file: SweepFile) -> AskedRounds:
    """What a sweep file asks of its rounds; no open axes if they have problems."""
    asked = AskedRounds()
    for rounds in _of_file(file.data):
        asked = asked.with_more(rounds.asked_rounds(file))
    return asked


def why_unknown(file: SweepFile, name: str) -> str:
    """Why conditions must not name an axis, because its values are unknown; empty if they may."""
    return next(filter(None, (rounds.why_unknown(file, name) for rounds in _of_file(file.data))), "")


def condition_problems(file: SweepFile) -> Iterator[Problem]:
    """Conditions on axes with unknown values."""
    for path, name in sections.named(file.data):
        if path[0] in _CONDITIONS and (why := why_unknown(file, name)):
            yield Problem(path, why)


def in_order(name: str, points: Iterable[Point]) -> list[Value]:
    """The distinct values of an open axis among points, in ascending order."""
    value_by_text = {units.value_text(point[name]): point[name] for point in points if name in point}
    _, position_by_text = axes.placed(list(value_by_text))
    return [value_by_text[text] for text in sorted(value_by_text, key=lambda text: position_by_text[text])]
