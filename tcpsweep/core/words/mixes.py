# SPDX-License-Identifier: MIT
"""Mixes of variants, such as ``TcpCubic+TcpBbr``: the flows take the variants in turn."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

JOINT = "+"
NOBODY = "none"  # instead of a variant without its flows: others keep number, position and random numbers


@dataclass(frozen=True, slots=True)
class Mix:
    """The variants that a network's flows take in turn; a single variant is a mix of one."""

    turns: tuple[str, ...]  # the variants in order; a variant may occur several times

    @classmethod
    def parse(cls, text: str) -> Mix:
        """Read a mix from a sweep file's form, ``A+B``."""
        return cls(tuple(text.split(JOINT)))

    def __str__(self) -> str:
        """The form in sweep files."""
        return JOINT.join(self.turns)

    @property
    def variants(self) -> list[str]:
        """The distinct variants, in the order of their first positions."""
        return [variant for variant in dict.fromkeys(self.turns) if variant != NOBODY]

    def only(self, variant: str) -> Mix:
        """The mix without the flows of all other variants."""
        return Mix(tuple(turn if turn == variant else NOBODY for turn in self.turns))

    @property
    def is_mixed(self) -> bool:
        """Whether several variants are written, as in ``A+B``."""
        return len(self.turns) > 1

    def is_turned(self, other: Mix) -> bool:
        """Whether this is a rotation of another mix."""
        two_rounds = other.turns * 2
        return len(self.turns) == len(other.turns) and any(
            two_rounds[first : first + len(self.turns)] == self.turns for first in range(len(self.turns))
        )

    def variant_of(self, flow: int) -> str:
        """The variant of the flow with this number."""
        return self.turns[flow % len(self.turns)]

    def flows(self, count: int) -> Counter[str]:
        """The number of flows that each variant has among ``count`` flows."""
        turns = (self.variant_of(flow) for flow in range(count))
        return Counter(variant for variant in turns if variant != NOBODY)
