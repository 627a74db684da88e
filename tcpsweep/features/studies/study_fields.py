# SPDX-License-Identifier: MIT
"""The key `published`."""

from typing import Annotated

from pydantic import Field, StringConstraints

from tcpsweep.core.contact.fields import Fields, Later, Names


class Claim(Fields):
    """A claim of a study: an order of two conditions, variants of a mix, or a trend along an axis."""

    says: Annotated[str, StringConstraints(min_length=1, max_length=500)]
    """The claim in words."""
    metric: str
    """The metric of the claim (docs/reference-metrics.md)."""
    of: str | None = None
    """The flows' variant, for a metric of flows."""
    where: Later = None
    """Where the claim holds, a condition as in `only`, or a list."""
    more: Later = None
    """The condition under which the value is larger than under `less`."""
    less: Later = None
    """The condition under which the value is smaller."""
    than: str | None = None
    """The variant of the same mix that has less."""
    rises_with: Names | None = None
    """The axis along which the value rises. Of several axes that change together, the first gives the order."""
    falls_with: Names | None = None
    """The axis along which the value falls, as for `rises_with`."""
    level_with: Names | None = None
    """The axis along which the value hardly changes: its range is at most a tenth of its mean."""
    outlier: Later = None
    """The condition, mostly a value of an axis, under which the value does not fit the others."""


class PublishedKey(Fields):
    """A published study: its numbers, its setting and its claims."""

    source: Annotated[str, StringConstraints(min_length=1, max_length=500)]
    """The publication, its authors, and its ns-3."""
    numbers: Annotated[str, StringConstraints(min_length=1)] | None = None
    """The file of the study's printed numbers, relative to the sweep file. Without it, nothing is simulated in the
    study's setting.
    """
    part: bool = False
    """Whether numbers of network conditions that the sweep lacks are ignored."""
    run: Annotated[int, Field(ge=0, le=4294967295)] = 1
    """The run number of the published runs."""
    setting: Later = None
    """What differs between the published runs and the sweep, by parameter or attribute."""
    where: Later = None
    """The combinations that were published, a condition as in `only`. Default: all."""
    corrections: list[Annotated[str, StringConstraints(min_length=1, max_length=1000)]] = Field(default=[])
    """Mistakes of the study, a sentence each."""
    claims: list[Claim] = Field(default=[])
    """The study's claims. Each is judged from the sweep's runs."""


class StudyFields(Fields):
    """The study that the sweep reproduces."""

    published: PublishedKey | None = None
    """The study that the sweep reproduces (docs/features/studies.md)."""
