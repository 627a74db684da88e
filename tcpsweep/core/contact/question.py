# SPDX-License-Identifier: MIT
"""A question: a key of the sweep file that asks something of the sweep, such as the crossover of two variants."""

from typing import Protocol


class Question(Protocol):
    """What a feature lets people ask of a sweep."""
