# SPDX-License-Identifier: MIT
"""A metric's description, and the options that many metrics share."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Metric:
    """A metric, described in the report's words.

    ``scope`` says which objects have a value. "flow": each flow has one, and a variant's value is the mean of its
    flows. "variant": all flows of a variant together have one. "network": all flows together have one. "link" and
    "traffic": links or groups of traffic have one. ``better`` is "higher" or "lower", or empty if neither is. Tables
    for people use ``scale`` and ``shown_unit``, and begin with the metrics that are a ``headline``. ``interval`` is the
    kind of interval for the mean over runs: Student's "t", or "bootstrap" if values are bounded or skewed.
    ``needs_steady`` is false if the value does not depend on where the simulation was cut. ``averaged`` is false if
    neither variants nor networks have a value. This holds for metrics of links and traffic. It also holds if exactly
    the flows with large values lack one, because the mean of the others would be too small. ``censored`` is true if
    runs lack a value for that reason, so that runs have a mean only if all have a value. Variants are compared by the
    metric if it is ``compared``. ``smallest`` is the smallest effect of interest, in the metric's unit, for metrics
    that may be 0, where a share of the reference is meaningless. It is None if the smallest effect is a share of the
    reference. If ``smallest_share`` of the reference exceeds ``smallest``, that share is the smallest effect. The share
    is of the distance between the reference and ``smallest_origin``. It is 1 for metrics whose best value is 1, and for
    which the distance to 1 matters. ``fair`` is the value of a fair share, which figures mark.
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
    smallest_origin: float = 0.0
    fair: float | None = None

    @property
    def is_share(self) -> bool:
        """Whether values are in the range 0 to 1: a part of a whole, or an index."""
        return self.compared and (self.scale == PERCENT["scale"] or bool(self.smallest_origin))

    @property
    def may_be_zero(self) -> bool:
        """Whether a mean is often 0, so that a share of it is meaningless."""
        return self.smallest is not None and not self.smallest_origin

    @property
    def by_variant(self) -> bool:
        """Whether each variant has its own value."""
        return self.scope in ("flow", "variant")


MBPS: dict[str, Any] = {"scale": 1e-6, "shown_unit": "Mbit/s"}
MB: dict[str, Any] = {"scale": 1e-6, "shown_unit": "MB", "compared": False}
MS: dict[str, Any] = {"scale": 1e3, "shown_unit": "ms"}
S: dict[str, Any] = {"shown_unit": "s"}
INTERVALS = {"t": "Student's t", "bootstrap": "bootstrap"}
BOUNDED: dict[str, Any] = {"interval": "bootstrap"}
PERCENT: dict[str, Any] = {"scale": 100, "shown_unit": "%"} | BOUNDED
# TCP's rate falls with the root of the loss (Mathis et al. 1997), so 10 % of a loss are 5 % of the rate. At a loss of
# 1e-4, the window is √1.5 / √1e-4 = 122 packets: on most simulated paths, so few losses limit no flow.
OF_PACKETS: dict[str, Any] = PERCENT | {"smallest": 1e-4, "smallest_share": 0.1}
OF_DELIVERED: dict[str, Any] = OF_PACKETS | {"smallest_origin": 1.0}
# J = 0.995 of two flows is 53.5 to 46.5, and J = 0.98, only 2 % less than 1, is 57 to 43.
OF_FAIRNESS: dict[str, Any] = BOUNDED | {"smallest": 5e-3, "smallest_share": 0.1, "smallest_origin": 1.0}
OF_WHOLE: dict[str, Any] = PERCENT | {"smallest": 0.02}


def spread(
    name: str,
    unit: str,
    title: str,
    scope: str,
    what: str,
    source: str,
    first: dict[str, Any] | None = None,
    late: dict[str, Any] | None = None,
    **shown: Any,
) -> dict[str, Metric]:
    """A mean and percentiles of the same values; ``first`` are options for the mean only, ``late`` for the 95th one."""
    mean = Metric(f"Mean {title}", unit, scope, f"mean over {what}", source, **shown | (first or {}))
    return {f"{name}_mean_{_suffix(unit)}": mean} | {
        f"{name}_p{rank}_{_suffix(unit)}": Metric(
            f"{title[0].upper()}{title[1:]}, {rank}th percentile",
            unit,
            scope,
            f"{rank}th percentile over {what}",
            source,
            **shown | ((late or {}) if rank == 95 else {}),
        )
        for rank in (50, 95, 99)
    }


def _suffix(unit: str) -> str:
    return {"s": "s", "packets": "packets"}[unit]
