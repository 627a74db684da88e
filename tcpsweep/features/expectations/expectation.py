# SPDX-License-Identifier: MIT
"""A sweep's expectation as a record. `language` reads it from text, `judged` decides whether it holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tcpsweep.core.sweep import matching, network_part
from tcpsweep.core.sweep.bounds import EQUALITY, OPERATORS
from tcpsweep.core.sweep.matching import Combination, Value
from tcpsweep.core.sweep.network_part import Part
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.words import units

KEY = "expect"


@dataclass(frozen=True)
class Condition:
    """A condition on a parameter or an attribute."""

    name: str
    form: str | None  # the parameter's format
    operator: str  # one of `OPERATORS`
    value: Value  # a normal form
    at: int  # its position in the expectation's text

    def holds(self, row: Mapping[str, Value]) -> bool:
        """Whether a combination meets the condition."""
        actual, wanted = row.get(self.name), self.value
        if self.operator in EQUALITY:
            return OPERATORS[self.operator](units.value_text(actual), units.value_text(wanted))
        number = matching.number(actual, self.form)
        return number is not None and OPERATORS[self.operator](number, matching.number(wanted, self.form))


@dataclass(frozen=True)
class Expectation:
    """An expectation: its name, its text, and the meaning of the text."""

    name: str
    text: str
    metric: str
    variant: str | None  # the variant of its flows; None for all
    operator: str  # one of `OPERATORS`
    value: float  # in the metric's unit
    where: tuple[Condition, ...]
    variant_at: int = 0  # the position of the variant, or of the part of the network, in the text
    # Its link or traffic; None for the whole network, or its flows
    part: Part | None = None

    def select(self, combinations: Sequence[Combination]) -> list[int]:
        """The numbers of the combinations that it applies to."""
        numbers = [number for number, row in enumerate(combinations) if all(part.holds(row) for part in self.where)]
        if (part := self.part) is None:
            return numbers
        return [number for number in numbers if part.name in network_part.part_names(part, combinations[number])]


def expectations_of(sweep: Sweep) -> list[Expectation]:
    """A sweep's expectations, in its file's order."""
    return sweep.question(KEY, list[Expectation]) or []
