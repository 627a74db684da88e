# SPDX-License-Identifier: MIT
"""A sweep's expectations in its report: how many hold, and those that do not."""

from typing import Any

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Remark, Section
from tcpsweep.features.expectations import outcomes


def _counts(results: SweepResults) -> dict[str, Any] | None:
    """``count`` of expectations, how many are ``holding``, and the ``unmet`` ones; None without expectations."""
    expected = outcomes.outcomes_of(results.sweep, results.folder)
    unmet = [outcome for outcome in expected if not outcome.holds]
    return {"count": len(expected), "holding": len(expected) - len(unmet), "unmet": unmet} if expected else None


def _unmet(results: SweepResults) -> dict[str, Any] | None:
    """`_counts` with the most lines of an expectation, ``most_places``; None if all hold."""
    counts = _counts(results)
    return counts | {"most_places": outcomes.MOST_PLACES} if counts and counts["unmet"] else None


def remark(results: SweepResults) -> Remark | None:
    """How many expectations hold; None without any."""
    if (counts := _counts(results)) is None:
        return None
    words = f"{counts['holding']} of {counts['count']} expectations hold"
    return Remark(words, "#expectations" if counts["unmet"] else "#swept", is_good=not counts["unmet"])


SECTION = Section("expectations", "features/expectations/report/expectations.html.jinja", _unmet)
FACT = Section("expectations_fact", "features/expectations/report/fact.html.jinja", _counts)
