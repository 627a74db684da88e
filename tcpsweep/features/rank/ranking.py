# SPDX-License-Identifier: MIT
"""A ranking: candidates are vetted, simulated in looks of a race, audited, and given places."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.identity import cpp_code, hashing
from tcpsweep.core.ns3 import catalogue, programs, simulator_environment, variants
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.store import compiled_programs, kept_texts, layout, locks
from tcpsweep.core.words import spelling
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.rank import (
    audit_run,
    confined_run,
    confinement,
    hidden_answers,
    look,
    places,
    race,
    scores,
    vetting,
)
from tcpsweep.features.rank.candidates import Candidate
from tcpsweep.features.rank.hidden_answers import NO_SCORE, Question
from tcpsweep.features.rank.look import Bench
from tcpsweep.features.rank.rank_sweeps import Networks
from tcpsweep.features.rank.scores import Weights

PLACE = layout.RESULTS / "rankings"
RANKED, LEFT, FAILED, REFUSED = "ranked", "left the race", "failed", "refused"
_MOST_WORDS = 2000  # characters of a candidate's messages
CHEATS, UNKNOWN = "cheats", "not audited"  # by the audit


@dataclass(frozen=True)
class Request:
    """What a ranking is asked for."""

    candidates: Sequence[Candidate]
    training: Networks
    baseline: str
    weights: Weights
    cores: int
    hidden: Networks | None = None
    asked: int = 1  # how many of the first candidates the hidden networks are asked about
    budget: int = hidden_answers.QUESTIONS
    races: bool = False  # whether candidates that are clearly worse run in no more networks
    halves: bool = False  # whether half of the candidates also leave after each look of the race
    audited: int | None = None  # how many of the first candidates are audited; None for all
    is_confined: bool = True

    @property
    def folder(self) -> Path:
        """The folder of the ranking's sweeps and their results."""
        return PLACE / f"{self.training.document.data['sweep']}-{self.baseline}"


@dataclass(frozen=True)
class Ranking:
    """The outcome: a row for each candidate in ``table``, from `_table`, and the words for the hidden networks."""

    request: Request
    table: pl.DataFrame
    networks: pl.DataFrame  # the score of each candidate in each network, from `scores.table`
    simulations: int
    questions_left: int | None = None


@dataclass
class _Race:
    """The state of a race: what is known of each candidate so far."""

    running: dict[str, Path]  # the candidates that run, to their vetted files
    scores: list[pl.DataFrame] = field(default_factory=list)
    state: dict[str, str] = field(default_factory=dict)  # of those that do not run
    words: dict[str, str] = field(default_factory=dict)
    simulations: int = 0

    @property
    def network_scores(self) -> pl.DataFrame:
        """The scores of all looks, as from `scores.table`."""
        return pl.concat(self.scores) if self.scores else pl.DataFrame(schema=_SCORES)

    def without_unplaced(self, files: Mapping[str, Path]) -> _Race:
        """The begin of another race, without candidates that were refused or cheat: others left by their scores."""
        state = {name: why for name, why in self.state.items() if why in (REFUSED, CHEATS, UNKNOWN)}
        running = {name: file for name, file in files.items() if name not in state}
        return _Race(running, state=state, words={name: self.words[name] for name in state})


def rank(request: Request) -> Ranking:
    """Rank candidates. Progress goes to the standard error. Raises `UserError`."""
    if request.is_confined and (why := confinement.hindrance()):
        raise UserError(f"candidates run in a sandbox, and {why}. To run them with your rights, add `--trust`")
    engine = _engine(request)
    _check_paths(request)
    with locks.derived(request.folder, "a ranking"):
        files, refusals = _vetted(request, engine)
        bench = Bench(
            request.folder.resolve(), request.baseline, request.weights.by_metric, request.cores, request.is_confined
        )
        state = _Race(dict(files), state=dict.fromkeys(refusals, REFUSED), words=dict(refusals))
        decisions = _run(request, bench, state)
        auditor = _Auditor(request, bench, engine, files)
        table = _table(request, state, decisions)
        while first := auditor.not_audited(table):
            if auditor.audit(first, state) and request.races:
                state = state.without_unplaced(files)
                _run(request, bench, state)
            table = _table(request, state, decisions)
        answers, left = _hidden(request, bench, table, state.network_scores, files)
        for frame in (auditor.table(), answers):
            table = table.join(frame, on="candidate", how="left")
        return Ranking(request, table, state.network_scores, state.simulations, left)


_SCORES = {"candidate": pl.String, "network": pl.Int64, **dict.fromkeys((*scores.TITLES, "score"), pl.Float64)}


def _engine(request: Request) -> Engine:
    """The ns-3 of the training networks; raises `UserError` if their file has mistakes, or it lacks the baseline."""
    _, _, engine = checked_sweep.checked(request.training.document, ask_ns3=True)
    of_ns3 = catalogue.descendants(catalogue.types(engine), variants.OPS)
    controls = sorted({*(name.removeprefix("ns3::") for name in of_ns3), *variants.of_kind(variants.OPS)})
    if request.baseline not in controls:
        message = f"--baseline: there is no congestion control {request.baseline!r}"
        raise UserError(spelling.none_of_these(message, "expected one of", request.baseline, controls))
    return engine


def _check_paths(request: Request) -> None:
    """Raise `UserError` for a path of a candidate to simulate that options of simulators would divide."""
    paths = [request.folder.resolve()] if request.is_confined else [one.file for one in request.candidates]
    if path := next((path for path in paths if {",", "+"} & {*str(path)}), None):
        raise UserError(f"{path}: a simulator cannot load code from a path with a comma or a plus; rename the folder")


def _lend_program(request: Request, engine: Engine) -> None:
    """Compile the scenario's program, and copy it to where the sandbox compiles, which saves half a minute there."""
    _, sweep, _ = checked_sweep.checked(request.training.document)
    compiled = programs.compile_program(engine, sweep.program).parent
    place = request.folder / "build" / engine.name / compiled.name
    if request.is_confined and not place.exists():
        with tempfile.TemporaryDirectory(dir=request.folder) as unfinished:
            shutil.copytree(compiled, Path(unfinished, compiled.name))
            place.parent.mkdir(parents=True, exist_ok=True)
            Path(unfinished, compiled.name).rename(place)


def _vetted(request: Request, engine: Engine) -> tuple[dict[str, Path], dict[str, str]]:
    """The vetted file of each candidate that may run, which are compiled, and why others may not."""
    if not request.is_confined:
        return {candidate.name: candidate.file for candidate in request.candidates}, {}

    def vetted(candidate: Candidate) -> vetting.Vetted:
        folder = request.folder.resolve() / "candidates" / f"{candidate.name}-{candidate.digest}"
        found = vetting.vetted(candidate.file, candidate.name, engine, folder)
        if found.file:
            _compile(request, engine, found.file, found.types)
        return found

    _tell(f"{_count(len(request.candidates), 'candidate')}: compiled, looked at, and tried")
    _lend_program(request, engine)
    with ThreadPoolExecutor(request.cores) as pool:
        all_vetted = list(pool.map(vetted, request.candidates))
    files, refusals = {}, {}
    for candidate, found in zip(request.candidates, all_vetted, strict=True):
        if found.file:
            files[candidate.name] = found.file
        else:
            refusals[candidate.name] = found.refusal
    return files, refusals


def _compile(request: Request, engine: Engine, file: Path, types: str) -> None:
    """Compile a candidate in the sandbox of the campaign, and keep its types, so that planning does not load it."""
    library = _library(request, engine, file)
    prefix = [] if checked_sweep.prefix(request.training.document, engine) is None else [f"--prefix={engine.prefix}"]
    command = [sys.executable, "-P", "-m", "tcpsweep", "compile", str(file.with_suffix("")), *prefix]
    subprocess.run(confinement.campaign(request.folder, command), capture_output=True, check=False)
    if library.is_file():
        kept = library.with_name(f"catalogue-{cpp_code.cpp_id('inspect')}.kept")  # as `variants` names it
        kept_texts.write(kept, types)


def _run(request: Request, bench: Bench, state: _Race) -> int:
    """Run the looks of the race; returns how often it decided, and 1 for its end."""
    looks = look.dealt(request.training)
    if not request.races:
        looks = [[row for rows in looks for row in rows]]
    for number, rows in enumerate(looks, start=1):
        if not state.running:
            break
        of_race = f"look {number} of {len(looks)}: " if request.races else ""
        _tell(f"{of_race}{_count(len(state.running), 'candidate')} in {_count(len(rows), 'network')}")
        scored = bench.scores(f"look-{number}", request.training, rows, state.running)
        state.scores.append(scored.scores)
        state.simulations += scored.simulations
        incomplete = scored.scores.filter(pl.col("score").is_null())["candidate"].unique().to_list()
        for name in sorted({*scored.failures, *incomplete} & state.running.keys()):
            state.state[name], state.words[name] = FAILED, scored.failures.get(name, "a metric has no value")
            del state.running[name]
        if number < len(looks) and state.running:
            _drop(request, state, len(looks) - 1, number)
    return len(looks)


def _drop(request: Request, state: _Race, decisions: int, number: int) -> None:
    """Let candidates that are clearly worse leave the race."""
    so_far = pl.concat(state.scores)
    names = so_far.filter(pl.col("score").is_not_null())["candidate"].unique(maintain_order=True).to_list()
    matrix, running = scores.matrix(so_far, names), np.array([name in state.running for name in names])
    stays = race.outliving(matrix, running, decisions)
    halved = race.outliving(matrix, running, decisions, halving=True) if request.halves else stays
    for name, is_not_worse, is_in in zip(names, stays, halved, strict=True):
        if name in state.running and not is_in:
            why = "among the lower half" if is_not_worse else "shown worse"
            state.state[name], state.words[name] = LEFT, f"{why} after look {number}"
            del state.running[name]


def _table(request: Request, state: _Race, decisions: int) -> pl.DataFrame:
    """A row for each candidate, the first first, and those without a place last.

    Returns
    -------
    DataFrame
        ``candidate``, ``file``, ``state`` (one of `RANKED`, `LEFT`, `FAILED`, `REFUSED`, `CHEATS`, `UNKNOWN`),
        ``words``, the columns of `places.table`, and each metric's ratio to the baseline: its geometric mean over the
        networks.
    """
    names = [name for name in _names(request) if state.state.get(name, RANKED) in (RANKED, LEFT)]
    ranked = state.network_scores.filter(pl.col("candidate").is_in(names))
    placed = places.table(scores.matrix(ranked, names), names, max(1, decisions), request.weights.smallest)
    ratios = ranked.group_by("candidate").agg(map(scores.ratio, scores.TITLES))
    rows = [
        (
            candidate.name,
            str(candidate.file),
            state.state.get(candidate.name, RANKED),
            state.words.get(candidate.name, "")[:_MOST_WORDS],
        )
        for candidate in request.candidates
    ]
    table = pl.DataFrame(rows, schema=["candidate", "file", "state", "words"], orient="row")
    joined = table.join(placed, on="candidate", how="left").join(ratios, on="candidate", how="left")
    return joined.sort(pl.col("place"), -pl.col("mean"), "candidate", nulls_last=True)


def _names(request: Request) -> list[str]:
    return [candidate.name for candidate in request.candidates]


@dataclass
class _Auditor:
    """Audits the first candidates, and takes the places of those that it finds something in."""

    request: Request
    bench: Bench
    engine: Engine
    files: Mapping[str, Path]
    findings: dict[str, str] = field(default_factory=dict)  # of each audited candidate, empty if nothing

    def not_audited(self, table: pl.DataFrame) -> list[str]:
        """The candidates to audit: the first ones, without those that are."""
        first = table.filter(pl.col("state") == RANKED)["candidate"].to_list()[: self.request.audited]
        return [name for name in first if name not in self.findings]

    def audit(self, names: Sequence[str], state: _Race) -> bool:
        """Audit candidates. Those with a finding are ranked no more. Returns whether there is one."""
        _tell(f"audit of {_count(len(names), 'candidate')}")
        run = functools.partial(confined_run.confined, is_raised=True) if self.request.is_confined else _run_trusted
        auditor, options = audit_run.auditor(self.engine, run), self._options

        def audited(name: str) -> audit_run.Audit:
            library = _library(self.request, self.engine, self.files[name])
            of_candidate = audit_run.Audited(f"ns3::{name}", [library], **options)
            return auditor.audit(of_candidate, self.bench.folder / "audits" / name)

        with ThreadPoolExecutor(self.bench.cores) as pool:
            audits = list(pool.map(audited, names))
        for name, audit in zip(names, audits, strict=True):
            self.findings[name] = audit.finding
            if audit.finding:
                state.state[name], state.words[name] = CHEATS if audit.is_shown else UNKNOWN, audit.finding
        return any(audit.finding for audit in audits)

    @functools.cached_property
    def _options(self) -> dict[str, list[str]]:
        """The settings of the simulations, and a hidden network: a cheat may look only in networks unknown to it."""
        if not (self.request.hidden and self.request.asked):
            return {"settings": self.bench.options("look-1")[0]}
        self.bench.scores("hidden", self.request.hidden, range(len(self.request.hidden.rows)), {})
        settings, network = self.bench.options("hidden")
        return {"settings": settings, "network": network}

    def table(self) -> pl.DataFrame:
        """``candidate`` and ``audit``: what the audit found, empty if nothing."""
        return pl.DataFrame(
            list(self.findings.items()), schema={"candidate": pl.String, "audit": pl.String}, orient="row"
        )


def _run_trusted(command: Sequence[str], out: Path, seconds: float) -> int:
    """Run a simulator with the user's rights, as an `audit_run.Run`."""
    with (out / "log.txt").open("wb") as log:
        environment = simulator_environment.environment()
        return subprocess.run(command, env=environment, stdout=log, stderr=log, timeout=seconds, check=False).returncode


def _library(request: Request, engine: Engine, file: Path) -> Path:
    """The library that the first look compiled a candidate to."""
    place = programs.place(engine, str(file.with_suffix("")))
    if not request.is_confined:
        return place
    return request.folder.resolve() / "build" / place.relative_to(compiled_programs.folder())


def _hidden(
    request: Request, bench: Bench, table: pl.DataFrame, network_scores: pl.DataFrame, files: Mapping[str, Path]
) -> tuple[pl.DataFrame, int | None]:
    """What the hidden networks say of the first candidates, and the number of questions that are left.

    The table has ``candidate``, ``hidden`` (the score in the answer), ``hidden_margin`` and ``hidden_verdict``.
    """
    schema = {"candidate": pl.String, "hidden": pl.Float64, "hidden_margin": pl.Float64, "hidden_verdict": pl.String}
    asked = table.filter(pl.col("state") == RANKED)["candidate"].to_list()[: request.asked]
    if request.hidden is None or not asked:
        return pl.DataFrame(schema=schema), None
    hidden_file, seed = Path(request.hidden.document.name), int(request.hidden.document.data.get("seed", 1))
    record = PLACE / "hidden" / str(request.hidden.document.data["sweep"])  # one for all rankings
    known = hidden_answers.opened(record, hidden_file, seed, request.budget)
    left = known.budget - len(known.answers)
    _tell(f"hidden networks: {_count(len(asked), 'candidate')}")
    numbers = range(len(request.hidden.rows))
    scored = bench.scores("hidden", request.hidden, list(numbers), {name: files[name] for name in asked})
    rows: list[tuple[str, float | None, float | None, str]] = []
    for name in asked:
        training, hidden = (
            frame.filter(pl.col("candidate") == name, pl.col("score").is_not_null())["score"].to_numpy()
            for frame in (network_scores, scored.scores)
        )
        if len(hidden) < len(numbers):
            rows.append((name, None, None, NO_SCORE))
            continue
        question = Question(hashing.short_hash(repr(training.tolist()), repr(hidden.tolist())), training, hidden)
        try:
            answer, left = hidden_answers.ask(record, hidden_file, seed, question, request.budget)
        except UserError as error:  # the places are right without the answer
            _tell(str(error))
            break
        rows.append((name, answer.score, answer.margin, answer.verdict))
    return pl.DataFrame(rows, schema=schema, orient="row"), left


def _tell(text: str) -> None:
    say(f"tcpsweep: {text}", file=sys.stderr, flush=True)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
