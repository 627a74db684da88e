# SPDX-License-Identifier: MIT
"""A published study as a record: its printed numbers and its claims, as a sweep file names them."""

from dataclasses import dataclass, field

from tcpsweep.sweep.matching import Combination, Wanted
from tcpsweep.words import metrics, unit_factors

SIDES = ("more", "less")
ALONG = ("rises_with", "falls_with", "level_with", "outlier")


@dataclass(frozen=True)
class PrintedNumber:
    """A number that a study prints."""

    line: int  # its line in the file of the numbers
    combination: int  # the sweep's combination that it belongs to
    of: str | None  # the flows' variant; None for a metric of the whole network
    metric: str
    over: str  # "mean" or "sum" over the variant's flows
    printed: float
    unit: str  # the printed one, a key of `unit_factors.PRINTED`
    remark: str

    def scale(self, row: Combination) -> float:
        """The factor from the printed unit to the metric's own, in the network of a combination."""
        known = unit_factors.PRINTED[metrics.METRICS[self.metric].unit][self.unit]
        return float(row["segment_size"]) if known is None else known  # type: ignore[arg-type]


@dataclass(frozen=True)
class Claim:
    """A sentence of a study that a sweep can show or refute.

    One of these tells its kind: ``more`` and ``less``, two conditions; ``than``, another variant of the same mix;
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
        """The axes that the claim runs along, first the one that orders its networks; empty if it runs along none."""
        return next((list(found) for found in (getattr(self, key) for key in ALONG) if found), [])


@dataclass(frozen=True)
class Study:
    """A study that a sweep reproduces."""

    source: str  # what was published, by whom, and with which ns-3
    setting: dict[str, str]  # the values in which the published runs differ from the sweep, as text by name
    corrections: list[str]  # what the study got wrong, a sentence each
    claims: list[Claim]
    numbers: list[PrintedNumber]
