# SPDX-License-Identifier: MIT
"""Let the core find the features in this process: the command line, Snakemake's process and tests call it first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tcpsweep.core.contact import features
from tcpsweep.core.contact.build import Build
from tcpsweep.core.contact.features import Runner
from tcpsweep.core.contact.ingredient import Ingredient
from tcpsweep.core.contact.question import Question

if TYPE_CHECKING:
    from tcpsweep.core.contact.fields import Fields


def connect() -> None:
    """Connect the core with the registry, whose lists are loaded when they are first needed."""
    features.connect(fields=_fields, ingredients=_ingredients, questions=_questions, builds=_builds, runners=_runners)


def _fields() -> Sequence[type[Fields]]:
    from tcpsweep.registry import planning

    return planning.FIELDS


def _ingredients() -> Sequence[Ingredient]:
    from tcpsweep.registry import planning

    return planning.INGREDIENTS


def _questions() -> Sequence[Question]:
    from tcpsweep.registry import planning

    return planning.QUESTIONS


def _builds() -> Sequence[Build]:
    from tcpsweep.registry import planning

    return planning.BUILDS


def _runners() -> Sequence[Runner]:
    from tcpsweep.registry import running

    return running.RUNNERS
