# SPDX-License-Identifier: MIT
"""The cells without a result: those that failed, and those that did not run."""

from dataclasses import dataclass

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.failures import Failure


@dataclass(frozen=True)
class Lacking:
    """The cells that failed, which have a log, and those that did not run; each with its combination in words."""

    failed: list[tuple[Failure, str]]
    missing: list[tuple[Failure, str]]


def _lacking(results: SweepResults) -> Lacking | None:
    texts = results.sweep.texts
    cells = [(failure, axes.axes_in_words(texts[failure.combination])) for failure in results.failed]
    failed, missing = ([cell for cell in cells if bool(cell[0].log) == has_log] for has_log in (True, False))
    return Lacking(failed, missing) if cells else None


SECTION = Section("lacking", "report/lacking.html.jinja", _lacking)
