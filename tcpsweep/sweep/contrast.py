# SPDX-License-Identifier: MIT
"""What is followed from network to network: a metric, or by how much it differs between two variants."""

from __future__ import annotations

from dataclasses import dataclass

from tcpsweep.words import metrics


@dataclass(frozen=True)
class Contrast:
    """A metric of a variant, or the difference between two variants; `sweepfile.asked.contrasts` reads it."""

    metric: str
    variant: str | None = None  # the variant that it is of; None for each that there is
    against: str | None = None  # the variant whose value is subtracted; None where nothing is

    @property
    def text(self) -> str:
        """As a sweep file writes it."""
        of = f" of {self.variant}" if self.variant else ""
        return f"{self.metric}{of}" + (f" - {self.against}" if self.against else "")

    @property
    def is_share(self) -> bool:
        """Whether the difference is told as a share of the subtracted value, as that is never 0."""
        return self.against is not None and metrics.METRICS[self.metric].smallest is None
