# SPDX-License-Identifier: MIT
"""Which TCP of ns-3 runs in a sweep, and the corrections in force, in its report."""

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.sweep import ns3_tcp
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.features.corrections import corrections_in_force
from tcpsweep.features.corrections.correction_names import CORRECTIONS


def _tcp_in_words(results: SweepResults) -> str:
    """Which TCP of ns-3 runs."""
    return _words(results.sweep, results.sweep.combinations)


def _tcp_sentence(results: SweepResults) -> str | None:
    """The same as a sentence on the sweep's own combinations; None if no flow has ns-3's TCP."""
    words = _words(results.sweep, results.sweep.own).replace("`", "")
    return f"{words[0].upper()}{words[1:]}." if words else None


def _words(sweep: PlannedSweep, combinations: list[Combination]) -> str:
    return ns3_tcp.in_words(combinations, sweep.corrections, sweep.ns3_version)


def _corrections(results: SweepResults) -> list[tuple[str, str]] | None:
    """The name and the effect of each correction in force; None without any."""
    sweep = results.sweep
    in_force = {name for row in sweep.combinations for name in corrections_in_force.in_force(row, sweep.ns3_version)}
    return [(name, CORRECTIONS[name].does) for name in sorted(in_force)] or None


FACT = Section("tcp_fact", "features/corrections/report/fact.html.jinja", _tcp_in_words)
SENTENCE = Section("tcp_sentence", "features/corrections/report/sentence.html.jinja", _tcp_sentence)
SECTION = Section("corrections", "features/corrections/report/corrections.html.jinja", _corrections)
