# SPDX-License-Identifier: MIT
"""What all features offer, in a list for each use. The registry names them, and they are loaded when first used."""

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tcpsweep.core.contact.build import Build
from tcpsweep.core.contact.ingredient import Ingredient
from tcpsweep.core.contact.question import Question

if TYPE_CHECKING:
    from tcpsweep.core.contact.fields import Fields

Runner: TypeAlias = Callable[[Sequence[str], Path, float | None], int | None]
"""Runs a simulator's command to its end, in another way than as a process of its own.

It gets the command, the folder of ``log.txt``, and the most seconds that it may take. It returns the status as
`subprocess.Popen.returncode`, or None if it does not run this command. Raises `UserError` and
`subprocess.TimeoutExpired`.
"""

_load: dict[str, Callable[[], Sequence[Any]]] = {}


def connect(**lists: Callable[[], Sequence[Any]]) -> None:
    """Let this process find the features: for each function below, one that imports its list from the registry."""
    _load.update(lists)


@functools.cache
def _listed(name: str) -> Sequence[Any]:
    assert name in _load, "tcpsweep.registry.connect was not called"
    return _load[name]()


def fields() -> Sequence[type[Fields]]:
    """The keys that features add to sweep files, in the order of the reference page."""
    return _listed("fields")


def ingredients() -> Sequence[Ingredient]:
    """What simulations can be made of, in the order in which their problems are listed."""
    return _listed("ingredients")


def questions() -> Sequence[Question]:
    """What can be asked of a sweep, in the order in which their problems are listed."""
    return _listed("questions")


def builds() -> Sequence[Build]:
    """What is compiled once for all sweeps of a user."""
    return _listed("builds")


def runners() -> Sequence[Runner]:
    """How simulators can run in another way. Workers load this list, which is apart from what planning needs."""
    return _listed("runners")
