# SPDX-License-Identifier: MIT
"""The value followed from network to network: a metric, or its difference between two variants."""

from __future__ import annotations

from dataclasses import dataclass

from tcpsweep.core.words import metrics


@dataclass(frozen=True)
class Contrast:
    """A metric of a variant, or the difference between two variants; `sweepfile.asked.contrasts` reads it."""

    metric: str
    variant: str | None = None  # the metric's variant; None for all variants
    against: str | None = None  # the variant whose value is subtracted; None without a difference

    @property
    def text(self) -> str:
        """The text in a sweep file's form."""
        of = f" of {self.variant}" if self.variant else ""
        return f"{self.metric}{of}" + (f" - {self.against}" if self.against else "")

    @property
    def is_share(self) -> bool:
        """Whether the difference is a share of the subtracted value, which must never be 0."""
        return self.against is not None and not metrics.METRICS[self.metric].may_be_zero
