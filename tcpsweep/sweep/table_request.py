# SPDX-License-Identifier: MIT
"""The tables that a sweep file asks for."""

from dataclasses import dataclass

from tcpsweep.sweep.matching import Wanted


@dataclass(frozen=True)
class TableRequest:
    """A table of means that a sweep file asks for.

    Attributes
    ----------
    title : str
    columns : list of str
        Parameters, attributes and metrics, from left to right.
    where : Wanted
        The condition that its combinations meet.
    digits : dict
        A metric to the number of its digits behind the point, in its shown unit; others have two digits of their
        interval's half-width.
    intervals : bool
        Whether means come with their intervals.
    """

    title: str
    columns: list[str]
    where: Wanted
    digits: dict[str, int]
    intervals: bool
