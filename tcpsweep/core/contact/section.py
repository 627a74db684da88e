# SPDX-License-Identifier: MIT
"""What a feature adds to a sweep's report: sections, and remarks below the title. Their files are below the package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tcpsweep.core.analysis.sweep_results import SweepResults


def _no_data(record: Any) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Section:
    """A part of the report, with a template that shows a record of its data by the section's name.

    ``data`` returns the record, or None where the report has no such part.
    """

    name: str
    template: str
    data: Callable[[SweepResults], Any]
    heading: str = ""  # its entry in the list of contents, if it has one; the link is the name with hyphens
    style: str = ""  # a style sheet
    script: str = ""  # a module of JavaScript that exports `start`
    script_data: Callable[[Any], dict[str, Any]] = _no_data  # what scripts read of the record


@dataclass(frozen=True)
class Remark:
    """A few words below the report's title, whether they are good news, and the link to where it says more."""

    words: str
    link: str
    is_good: bool
    in_picture: bool = True  # whether the report's picture says it, too
