# SPDX-License-Identifier: MIT
"""The ingredients and questions of all features. The registry names them, and they are loaded when first used."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from tcpsweep.core.contact.ingredient import Ingredient
from tcpsweep.core.contact.question import Question

if TYPE_CHECKING:
    from tcpsweep.core.contact.fields import Fields


class Registry(Protocol):
    """The lists of `tcpsweep.registry.planning`."""

    FIELDS: Sequence[type[Fields]]
    INGREDIENTS: Sequence[Ingredient]
    QUESTIONS: Sequence[Question]


_load: Callable[[], Registry] | None = None


def connect(load: Callable[[], Registry]) -> None:
    """Let this process find the features. ``load`` imports the registry."""
    global _load
    _load = load


@functools.cache
def _registry() -> Registry:
    assert _load, "tcpsweep.registry.connect was not called"
    return _load()


def fields() -> Sequence[type[Fields]]:
    """The keys that features add to sweep files, in the order of the reference page."""
    return _registry().FIELDS


def ingredients() -> Sequence[Ingredient]:
    """What simulations can be made of, in the order of their parts of a cell's identity."""
    return _registry().INGREDIENTS


def questions() -> Sequence[Question]:
    """What can be asked of a sweep, in the order in which their problems are listed."""
    return _registry().QUESTIONS
