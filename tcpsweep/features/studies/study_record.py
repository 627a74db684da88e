# SPDX-License-Identifier: MIT
"""A published study as a record: the printed numbers and claims named in a sweep file."""

from dataclasses import dataclass, field

from tcpsweep.core.sweep.matching import Combination, Wanted
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.words import metrics, units

KEY = "published"
SIDES = ("more", "less")
ALONG = ("rises_with", "falls_with", "level_with", "outlier")


@dataclass(frozen=True)
class PrintedNumber:
    """A number that a study prints."""

    line: int  # its line in the file of the numbers
    combination: int  # the sweep's combination for it
    of: str | None  # the flows' variant; None for a metric of the whole network
    metric: str
    over: str  # "mean" or "sum" over the variant's flows
    printed: float
    unit: str  # the printed one, a key of `units.PRINTED`
    remark: str

    def scale(self, row: Combination) -> float:
        """The factor from the printed unit to the metric's unit, in a combination's network."""
        known = units.PRINTED[metrics.METRICS[self.metric].unit][self.unit]
        return float(row["segment_size"]) if known is None else known


@dataclass(frozen=True)
class Claim:
    """A study's claim that a sweep can show or refute.

    Its fields determine its kind: ``more`` and ``less``, two conditions; ``than``, another variant of the same mix;
    ``rises_with``, ``falls_with`` or ``level_with``, axes; ``outlier``, a condition on one value of an axis.
    """

    says: str
    metric: str
    of: str | None = None
    where: list[Wanted] = field(default_factory=list)
    more: Wanted = field(default_factory=dict)
    less: Wanted = field(default_factory=dict)
    than: str | None = None
    rises_with: list[str] = field(default_factory=list)
    falls_with: list[str] = field(default_factory=list)
    level_with: list[str] = field(default_factory=list)
    outlier: Wanted = field(default_factory=dict)

    @property
    def along(self) -> list[str]:
        """The axes along which the claim runs, first the axis that orders its networks; empty if there are none."""
        return next((list(found) for found in (getattr(self, key) for key in ALONG) if found), [])


@dataclass(frozen=True)
class Study:
    """A study that a sweep reproduces."""

    source: str  # the publication, its authors, and its ns-3
    setting: dict[str, str]  # the values in which the published runs differ from the sweep, as text by name
    corrections: list[str]  # the study's errors, a sentence each
    claims: list[Claim]
    numbers: list[PrintedNumber]


def of(sweep: Sweep) -> Study | None:
    """The study that a sweep reproduces; None if its file names none."""
    return sweep.question(KEY, Study)
