# SPDX-License-Identifier: MIT
"""What all features offer, in lists of the registry, which are loaded when first used."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from tcpsweep.core.contact.build import Build
from tcpsweep.core.contact.ingredient import Ingredient
from tcpsweep.core.contact.question import Question

if TYPE_CHECKING:
    from tcpsweep.core.contact.fields import Fields
    from tcpsweep.core.contact.report_parts import ClosingParts
    from tcpsweep.core.sweep.sweep_parts import Caveat
    from tcpsweep.core.sweep.sweep_record import Sweep

Runner: TypeAlias = Callable[[Sequence[str], Path, float | None], int | None]
"""Runs a simulator's command to its end, in another way than as a process of its own.

It gets the command, the folder of ``log.txt``, and the most seconds that it may take. It returns the status as
`subprocess.Popen.returncode`, or None if it does not run this command. Raises `UserError` and
`subprocess.TimeoutExpired`.
"""


class Planning(Protocol):
    """The lists of `tcpsweep.registry.planning`."""

    FIELDS: Sequence[type[Fields]]
    INGREDIENTS: Sequence[Ingredient]
    QUESTIONS: Sequence[Question]
    BUILDS: Sequence[Build]
    CAVEATS: Sequence[Callable[[Sweep, str], list[Caveat]]]


class Running(Protocol):
    """The list of `tcpsweep.registry.running`."""

    RUNNERS: Sequence[Runner]


_loaders: tuple[Callable[[], Planning], Callable[[], Running], Callable[[], ClosingParts]] | None = None


def connect(
    planning: Callable[[], Planning], running: Callable[[], Running], closing: Callable[[], ClosingParts]
) -> None:
    """Let this process find the features. Each function imports a module of the registry."""
    global _loaders
    _loaders = planning, running, closing


@functools.cache
def _planning() -> Planning:
    assert _loaders, "tcpsweep.registry.connect was not called"
    return _loaders[0]()


def fields() -> Sequence[type[Fields]]:
    """The keys that features add to sweep files, in the order of the reference page."""
    return _planning().FIELDS


def ingredients() -> Sequence[Ingredient]:
    """What simulations can be made of, in the order in which their problems are listed."""
    return _planning().INGREDIENTS


def questions() -> Sequence[Question]:
    """What can be asked of a sweep, in the order in which their problems are listed."""
    return _planning().QUESTIONS


def builds() -> Sequence[Build]:
    """What is compiled once for all sweeps of a user."""
    return _planning().BUILDS


def caveats() -> Sequence[Callable[[Sweep, str], list[Caveat]]]:
    """Functions that give the caveats of a sweep with a version of ns-3, in the order in which people see these."""
    return _planning().CAVEATS


def runners() -> Sequence[Runner]:
    """How simulators can run in another way. Workers load this list, which is apart from what planning needs."""
    assert _loaders, "tcpsweep.registry.connect was not called"
    return _loaders[1]().RUNNERS


def closing() -> ClosingParts:
    """What features add to the terminal's last lines."""
    assert _loaders, "tcpsweep.registry.connect was not called"
    return _loaders[2]()
