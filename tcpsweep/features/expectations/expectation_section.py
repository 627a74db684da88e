# SPDX-License-Identifier: MIT
"""A sweep's expectations in its report: how many hold, and those that do not."""

from dataclasses import dataclass

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Remark, Section
from tcpsweep.features.expectations import outcomes
from tcpsweep.features.expectations.outcomes import Outcome


@dataclass(frozen=True)
class Expectations:
    """A sweep's expectations: their number, and those that do not hold."""

    count: int
    unmet: list[Outcome]
    most_places: int = outcomes.MOST_PLACES  # lines of an expectation


def _expectations(results: SweepResults) -> Expectations | None:
    """The expectations; None without any."""
    expected = outcomes.outcomes_of(results.sweep, results.folder)
    unmet = [outcome for outcome in expected if not outcome.holds]
    return Expectations(len(expected), unmet) if expected else None


def _unmet(results: SweepResults) -> Expectations | None:
    """The expectations; None if all hold."""
    expectations = _expectations(results)
    return expectations if expectations and expectations.unmet else None


def remark(results: SweepResults) -> Remark | None:
    """How many expectations hold; None without any."""
    if (expectations := _expectations(results)) is None:
        return None
    count, unmet = expectations.count, expectations.unmet
    words = f"{count - len(unmet)} of {count} expectations hold"
    return Remark(words, "#expectations" if unmet else "#swept", is_good=not unmet)


SECTION = Section("expectations", "features/expectations/report/expectations.html.jinja", _unmet)
FACT = Section("expectations_fact", "features/expectations/report/fact.html.jinja", _expectations)
