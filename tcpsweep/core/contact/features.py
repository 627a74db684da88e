# SPDX-License-Identifier: MIT
"""What all features offer, as lists of the registry, which is loaded when a list is first used."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from tcpsweep.core.contact.ingredient import Ingredient
from tcpsweep.core.contact.question import Question

if TYPE_CHECKING:
    from tcpsweep.core.contact.report_parts import ClosingParts
    from tcpsweep.core.sweep.sweep_parts import Caveat
    from tcpsweep.core.sweep.sweep_record import Sweep


class Registry(Protocol):
    """The lists of `tcpsweep.registry.planning`."""

    INGREDIENTS: Sequence[Ingredient]
    QUESTIONS: Sequence[Question]
    CAVEATS: Sequence[Callable[[Sweep, str], list[Caveat]]]


_load: Callable[[], Registry] | None = None
_load_closing: Callable[[], ClosingParts] | None = None


def connect(load: Callable[[], Registry], load_closing: Callable[[], ClosingParts]) -> None:
    """Let this process find the features. The functions import the modules of the registry with these lists."""
    global _load, _load_closing
    _load, _load_closing = load, load_closing


@functools.cache
def _registry() -> Registry:
    assert _load, "tcpsweep.registry.connect was not called"
    return _load()


def closing() -> ClosingParts:
    """What features add to the terminal's last lines."""
    assert _load_closing, "tcpsweep.registry.connect was not called"
    return _load_closing()


def ingredients() -> Sequence[Ingredient]:
    """What simulations can be made of, in the order of their parts of a cell's identity."""
    return _registry().INGREDIENTS


def questions() -> Sequence[Question]:
    """What can be asked of a sweep, in the order in which their problems are listed."""
    return _registry().QUESTIONS


def caveats() -> Sequence[Callable[[Sweep, str], list[Caveat]]]:
    """Functions that give the caveats of a sweep with a version of ns-3, in the order in which people see these."""
    return _registry().CAVEATS
