# SPDX-License-Identifier: MIT
"""The changes between versions of ns-3 in words, for the terminal and the page."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence

from tcpsweep.core.words import metrics
from tcpsweep.core.words.aligned import aligned, terminal_width
from tcpsweep.features.versions import changes
from tcpsweep.features.versions.changes import Change
from tcpsweep.features.versions.conclusions import FINDING

MOST_SHOWN = 12
MEANINGS = {
    changes.REVERSED: "higher in one version and lower in another",
    changes.FLIPS: "decided in two versions, and not in the same way",
    changes.IN_SOME: "decided in some versions, and inconclusive or not tested in others",
    changes.STAYS: "decided in the same way in all versions",
    changes.OPEN: "decided in no version",
}


def counted(found: Iterable[Change]) -> str:
    """The number of conclusions that flip, stay and so on, such as "2 flip, 1 of them reversed · 20 stay · …"."""
    count_by_kind = Counter(change.kind for change in found)
    flips = sum(count_by_kind[kind] for kind in changes.CHANGED)
    reversed_note = f", {count_by_kind[changes.REVERSED]} of them reversed" if count_by_kind[changes.REVERSED] else ""
    return " · ".join(
        [
            f"{flips} flip{'s' if flips == 1 else ''}{reversed_note}",
            f"{count_by_kind[changes.STAYS]} stay{'s' if count_by_kind[changes.STAYS] == 1 else ''}",
            f"{count_by_kind[changes.IN_SOME]} decided in only some",
            f"{count_by_kind[changes.OPEN]} decided in none",
        ]
    )


def shown(change: Change, labels: Sequence[str]) -> str:
    """A change with its outcome in each version, a line for each."""
    rows = [["  ns-3 " + label, outcome.words] for label, outcome in zip(labels, change.outcomes, strict=True)]
    overlap = "" if change.is_apart else " (the versions' intervals overlap)"
    return f"  {change.conclusion.in_words()}{overlap}\n{aligned(rows, terminal_width(sys.stdout))}"


def by_subject(found: Iterable[Change]) -> str:
    """A table with the number of changes of each kind for each metric and pair of variants."""
    counts_by_title_and_subject: dict[tuple[str, str], Counter[str]] = {}
    for change in found:
        about = change.conclusion
        title = metrics.METRICS[about.metric].title if about.about == FINDING else "expectation"
        counts_by_title_and_subject.setdefault((title, about.subject), Counter())[change.kind] += 1
    rows = [["", "", "flip", "stay", "some", "none"]]
    for (title, subject), count_by_kind in counts_by_title_and_subject.items():
        flips = sum(count_by_kind[kind] for kind in changes.CHANGED)
        numbers = (flips, *(count_by_kind[kind] for kind in (changes.STAYS, changes.IN_SOME, changes.OPEN)))
        rows.append([title, subject, *(str(number or "·") for number in numbers)])
    return aligned(rows, terminal_width(sys.stdout))


def answer(found: Sequence[Change], labels: Sequence[str]) -> str:
    """The whole answer for the terminal: counts, a table, and the first flips."""
    flips = [change for change in found if change.kind in changes.CHANGED]
    lines = [f"{len(found)} conclusions in ns-3 {', '.join(labels)}: {counted(found)}"]
    if found:
        lines += ["", by_subject(sorted(found, key=lambda change: change.conclusion[:3]))]
    if flips:
        lines += ["", "These flip:", *(shown(change, labels) for change in flips[:MOST_SHOWN])]
    if len(flips) > MOST_SHOWN:
        lines.append(f"  and {len(flips) - MOST_SHOWN} more, on the page")
    return "\n".join(lines)
