# SPDX-License-Identifier: MIT
"""The figures of metrics that a sweep file asks for."""

from collections.abc import Container
from dataclasses import dataclass
from typing import Literal

from tcpsweep.sweep.matching import Wanted
from tcpsweep.sweep.network_part import Part
from tcpsweep.words import metrics


@dataclass(frozen=True)
class MetricFigureRequest:
    """A figure of a metric that a sweep file asks for.

    Attributes
    ----------
    title : str
        Empty for the metric's own.
    metric, axis : str
        What it shows, against which parameter, attribute or other metric.
    where : Wanted
        The condition that its combinations meet.
    panels : list of str
        The axes that make its columns and rows; two at the most.
    scale : str
        That of the metric's axis.
    width_pt : float
        How wide it is on paper, in LaTeX's points.
    part : Part or None
        The link or the group of traffic that it is about; None for the network.
    """

    title: str
    metric: str
    axis: str
    where: Wanted
    panels: list[str]
    scale: Literal["auto", "linear", "log"]
    width_pt: float
    part: Part | None = None


def is_plane(figure: MetricFigureRequest, axes: Container[str]) -> bool:
    """Whether a figure shows a metric over another metric; ``axes`` are the names of the sweep's."""
    return figure.axis not in axes and figure.axis in metrics.METRICS
