# SPDX-License-Identifier: MIT
"""Rank candidates from Python or from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tcpsweep.core.identity import source_folders
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.rank import candidates, look, rank_sweeps, ranking, scores
from tcpsweep.features.rank.ranking import Ranking, Request

FOLDER = source_folders.ROOT / "config" / "rank"


def ranked(
    files: Sequence[Path],
    *,
    on: Path | None = None,
    hidden: Path | None = None,
    baseline: str = "TcpCubic",
    weights: Path | None = None,
    ask: int = 1,
    questions: int = 20,
    audit: int | None = None,
    race: bool = False,
    halve: bool = False,
    cores: int | None = None,
    trust: bool = False,
) -> Ranking:
    """A ranking of the candidates in these files; the arguments are those of `tcpsweep.rank`. Raises `UserError`."""
    for name, number in {"ask": ask, "questions": questions, "audit": audit, "cores": cores}.items():
        if number is not None and number < (0 if name in ("ask", "audit") else 1):
            raise UserError(f"--{name}: expected a number from {0 if name in ('ask', 'audit') else 1}, got {number}")
    all_candidates = candidates.read(files)
    if baseline in {candidate.name for candidate in all_candidates}:
        raise UserError(f"{baseline} is the baseline and a candidate; rename the candidate's class and file")
    training = rank_sweeps.networks(on or FOLDER / "training.yaml")
    hidden_networks = rank_sweeps.networks(hidden) if hidden else None
    if hidden_networks and (common := training.common(hidden_networks)):
        raise UserError(f"{hidden}: {common} network conditions are also in {training.document.name}: give it others")
    return ranking.rank(
        Request(
            candidates=all_candidates,
            training=training,
            baseline=baseline,
            weights=scores.weights(weights or FOLDER / "weights.yaml"),
            cores=look.cores(cores),
            hidden=hidden_networks,
            asked=ask,
            budget=questions,
            races=race or halve,
            halves=halve,
            audited=audit,
            is_confined=not trust,
        )
    )
