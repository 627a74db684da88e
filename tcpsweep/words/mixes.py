# SPDX-License-Identifier: MIT
"""A mix of variants, such as ``TcpCubic+TcpBbr``: the flows take the variants in turn."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

JOINT = "+"
NOBODY = "none"  # the turn of flows that are left out: the others keep their numbers, places and draws


@dataclass(frozen=True, slots=True)
class Mix:
    """The variants that a network's flows take in turn; one alone is a mix of one."""

    turns: tuple[str, ...]  # the variants in turn; one may come several times

    @classmethod
    def parse(cls, text: str) -> Mix:
        """The mix that a sweep file writes as ``A+B``."""
        return cls(tuple(text.split(JOINT)))

    def __str__(self) -> str:
        """As a sweep file writes it."""
        return JOINT.join(self.turns)

    @property
    def variants(self) -> list[str]:
        """Its variants, each once, in the order of their first turns."""
        return [variant for variant in dict.fromkeys(self.turns) if variant != NOBODY]

    def only(self, variant: str) -> Mix:
        """The mix without the flows of all other variants."""
        return Mix(tuple(turn if turn == variant else NOBODY for turn in self.turns))

    @property
    def is_mixed(self) -> bool:
        """Whether several turns are written, as in ``A+B``."""
        return len(self.turns) > 1

    def is_turned(self, other: Mix) -> bool:
        """Whether this is another mix that begins at one of its turns."""
        twice = other.turns * 2
        return len(self.turns) == len(other.turns) and any(
            twice[first : first + len(self.turns)] == self.turns for first in range(len(self.turns))
        )

    def variant_of(self, flow: int) -> str:
        """The variant of a flow, by the flow's number."""
        return self.turns[flow % len(self.turns)]

    def flows(self, count: int) -> Counter[str]:
        """How many of ``count`` flows each variant has."""
        turns = (self.variant_of(flow) for flow in range(count))
        return Counter(variant for variant in turns if variant != NOBODY)
