# SPDX-License-Identifier: MIT
"""What is said of a metric, and the options that many metrics share."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Metric:
    """A metric in the report's words.

    ``scope`` is "flow" where each flow has its own value and a variant's is the mean of its flows, "variant" where only
    all flows of a variant together have one, "network" where there is one value for all flows together, "link" where
    only links have one, "traffic" where a group of traffic has one. ``better`` is "higher" or "lower", or empty if
    neither is. Tables for people use ``scale`` and ``shown_unit``, and begin with the metrics that are a ``headline``.
    ``interval`` is the kind of interval for the mean over runs: Student's "t", or "bootstrap" if values are bounded or
    skewed. ``needs_steady`` is false if the value does not depend on where the simulation was cut. ``averaged`` is
    false if neither variants nor networks have a value, of links and traffic, or because flows lack one just if it is
    large, so that the mean of the others would be too small; ``censored`` is true if runs lack one for that reason, so
    that runs have a mean only if all have a value.
    Variants are compared by the metric if it is ``compared``. ``smallest`` is the smallest effect worth naming, in the
    metric's unit, for metrics that may be 0, of which a share says nothing; None if it is a share of the reference.
    Where ``smallest_share`` of the reference is more than ``smallest``, the smallest effect is that share.
    """

    title: str
    unit: str
    scope: str
    formula: str
    source: str
    scale: float = 1.0
    shown_unit: str = ""
    better: str = ""
    headline: bool = False
    interval: str = "t"
    needs_steady: bool = True
    compared: bool = True
    averaged: bool = True
    censored: bool = False
    smallest: float | None = None
    smallest_share: float = 0.0

    @property
    def by_variant(self) -> bool:
        """Whether each variant has a value of its own."""
        return self.scope in ("flow", "variant")


MBPS: dict[str, Any] = {"scale": 1e-6, "shown_unit": "Mbit/s"}
MB: dict[str, Any] = {"scale": 1e-6, "shown_unit": "MB", "compared": False}
MS: dict[str, Any] = {"scale": 1e3, "shown_unit": "ms"}
S: dict[str, Any] = {"shown_unit": "s"}
INTERVALS = {"t": "Student's t", "bootstrap": "bootstrap"}
BOUNDED: dict[str, Any] = {"interval": "bootstrap"}
PERCENT: dict[str, Any] = {"scale": 100, "shown_unit": "%"} | BOUNDED
OF_PACKETS: dict[str, Any] = PERCENT | {"smallest": 1e-3, "smallest_share": 0.1}
OF_WHOLE: dict[str, Any] = PERCENT | {"smallest": 0.02}


def spread(
    name: str,
    unit: str,
    title: str,
    scope: str,
    what: str,
    source: str,
    first: dict[str, Any] | None = None,
    **shown: Any,
) -> dict[str, Metric]:
    """A mean and percentiles of the same values; ``first`` are options for the mean alone."""
    mean = Metric(f"Mean {title}", unit, scope, f"mean over {what}", source, **shown | (first or {}))
    return {f"{name}_mean_{_suffix(unit)}": mean} | {
        f"{name}_p{rank}_{_suffix(unit)}": Metric(
            f"{title[0].upper()}{title[1:]}, {rank}th percentile",
            unit,
            scope,
            f"{rank}th percentile over {what}",
            source,
            **shown,
        )
        for rank in (50, 95, 99)
    }


def _suffix(unit: str) -> str:
    return {"s": "s", "packets": "packets"}[unit]
