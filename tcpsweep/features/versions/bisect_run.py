# SPDX-License-Identifier: MIT
"""Find the commits of ns-3 by which the conclusions of a sweep changed."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.ns3 import ns3_source, programs
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.store import layout, locks
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import ns3_tcp
from tcpsweep.core.sweep.ns3_tcp import CORRECTIONS, NONE, PRESET, TCP
from tcpsweep.core.sweepfile.checks import ns3_check
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import Document
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.words import rounding
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.versions import bisection, changes, conclusions, history, sweep_files, versions_run
from tcpsweep.features.versions.bisection import Outcomes
from tcpsweep.features.versions.history import Commit

# A step needs no figures, pages or published numbers.
_TRIAL_CHANGES: dict[str, Any] = {"figures": None, "tables": None, "published": None, "pages": False}


class Trials:
    """The sweep at some commits: each is run once, and its outcomes are kept."""

    def __init__(self, document: Document, source: Path, commits: list[Commit]) -> None:
        self.document, self.source, self.commits = document, source, commits
        self.folder = sweep_files.folder(document.data["sweep"])
        self.tried: dict[int, Outcomes | None] = {}
        self.changes = dict(_TRIAL_CHANGES)  # keys that all trials have
        self.fixed: dict[str, Any] = {}  # values that all trials have

    def __call__(self, point: int) -> Outcomes | None:
        """The conclusions at a commit; None if ns-3 or a program cannot be built there, or lacks a name."""
        if point not in self.tried:
            self.tried[point] = self._run(point)
        return self.tried[point]

    def at(self, commit: Commit) -> Document:
        """The sweep file with ns-3 at a commit."""
        return replace(self.document, data=self.document.data | {"ns3": self._ns3_entry(commit)})

    def _ns3_entry(self, commit: Commit) -> dict[str, str]:
        return {"source": str(self.source), "commit": commit.id, "build": "plain"}

    def file(self, commit: Commit) -> Path:
        """Write the sweep file of a commit's trial."""
        key_changes = {"ns3": self._ns3_entry(commit), **self.changes}
        return sweep_files.write(self.document, commit.id[:12], key_changes, self.fixed)

    def _run(self, point: int) -> Outcomes | None:
        commit, begin_s = self.commits[point], time.monotonic()
        label = commit.id[:12]
        say(f"tcpsweep: trial {len(self.tried) + 1}: {label} {commit.date} {commit.subject}", file=sys.stderr)
        try:
            engine = checked_sweep.checked(self.at(commit), ask_ns3=True)[2]
            programs.compile_program(engine, schema.program(self.document.data["scenario"]))
        except UserError as error:
            if point in (0, len(self.commits) - 1):
                raise
            say(f"tcpsweep: {label} cannot be tried: {error}", file=sys.stderr)
            return None
        built_s = time.monotonic() - begin_s
        file = self.file(commit)
        log = self.folder / f"{label}.log"
        with log.open("w", encoding="utf-8") as out:
            versions_run.sweep(file, (), out)
        times = (rounding.time_text(built_s), rounding.time_text(time.monotonic() - begin_s - built_s))
        say(f"tcpsweep: {label}: built in {times[0]}, run in {times[1]}; log: {log}", file=sys.stderr, flush=True)
        return conclusions.of_sweep(layout.SWEEPS / file.stem)


def run(file: Path, source: Path, good: str, bad: str, expectation: str | None, finding: str | None) -> None:
    """Find the commits between two by which conclusions of a sweep changed, and print them.

    ``source`` is a git repository of ns-3, which may be bare. Raises `UserError`, and `SystemExit` if simulations fail.
    """
    document = checked_sweep.opened(file)
    checked_sweep.without_ns3(file)
    source = source.expanduser().absolute()
    modules = (*ns3_source.modules(), *ns3_check.own_modules(document.data))
    commits = history.commits(source, good, bad, modules)
    if len(commits) < 2:
        raise UserError(f"no commit between {good} and {bad} changes a file that the build reads")
    most = history.most_trials(len(commits))
    say(f"tcpsweep: {len(commits) - 1} commits change a file that the build reads: about {most} trials", flush=True)
    trials = Trials(document, source, commits)
    with locks.derived(trials.folder, "`tcpsweep bisect`"):
        _try(trials, expectation, finding)


def _try(trials: Trials, expectation: str | None, finding: str | None) -> None:
    """Try the sweep at as many commits as the answer needs, and print it."""
    commits = trials.commits
    if note := same_corrections(trials):
        say(f"tcpsweep: {note}", flush=True)
    last = len(commits) - 1
    outcomes_at_ends = [trials(0) or {}, trials(last) or {}]
    conclusions_sought = bisection.chosen(changes.changes(outcomes_at_ends), expectation, finding)
    steps_by_conclusion = bisection.search(len(commits), conclusions_sought, trials)
    report = f"{bisection.answer(steps_by_conclusion, commits, trials.tried)}\n\ntried:\n"
    report += bisection.trials(conclusions_sought, commits, trials.tried)
    write_whole(trials.folder / "bisect.txt", report + "\n")
    say(f"\n{report}\nlogs: {trials.folder}")


def same_corrections(trials: Trials) -> str:
    """Make all trials run without corrections if the ends need different ones, and return a note; else return "".

    Different corrections would look like a change of ns-3.

    A sweep whose axis is ``corrections`` stays as it is.
    """
    names_by_value_at_ends = []
    for commit in (trials.commits[0], trials.commits[-1]):
        _, sweep, ns3 = checked_sweep.checked(trials.at(commit))
        names_by_value_at_ends.append(checked_sweep.corrections(sweep, ns3))
    if names_by_value_at_ends[0] == names_by_value_at_ends[1] or len(names_by_value_at_ends[0]) > 1:
        return ""
    data = trials.document.data
    # `corrections` excludes `tcp`, and needs the preset that `tcp` stood for.
    trials.changes |= {TCP: None, CORRECTIONS: None}
    trials.fixed |= {TCP: None, CORRECTIONS: NONE}
    if not sections.place(data, PRESET):
        trials.fixed[PRESET] = sweep.combinations[0][PRESET]
    first, last = (ns3_tcp.corrections_in_words(each) for each in names_by_value_at_ends)
    return f"the first commit needs the corrections {first}; the last one, {last}: all trials have `corrections: none`"
