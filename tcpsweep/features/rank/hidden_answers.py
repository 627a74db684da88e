# SPDX-License-Identifier: MIT
"""Scores on hidden networks, which can be asked for a fixed number of times.

People who see hidden scores improve the next candidate by them, and so fit candidates to the hidden networks.
Thresholdout bounds how much an answer reveals. The answer is the training score if both scores differ by at most a
threshold with noise. Otherwise, it is the hidden score with noise, and the threshold gets new noise. All noise is
Laplace's, in the paper's proportions. The answer's has half the score's standard error as its scale, and the threshold
is 4 times that, as in the paper's experiment. Each question counts; in the paper, only answers with hidden scores do.

Dwork, Feldman, Hardt, Pitassi, Reingold and Roth: The Reusable Holdout: Preserving Validity in Adaptive Data Analysis.
Science 349(6248), 2015. Generalization in Adaptive Data Analysis and Holdout Reuse. Advances in Neural Information
Processing Systems 28, 2015, which has the algorithm.

One file has all answers, and the secret that the noise follows from. People who delete it, or read the results on the
hidden networks, get around it.
"""

from __future__ import annotations

import functools
import hmac
import json
import math
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np

from tcpsweep.core.statistics.means import CONFIDENCE
from tcpsweep.core.store import digests, locks, state_files, whole_files
from tcpsweep.core.words.thresholds import LEAST_RUNS
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.rank import paired_tests
from tcpsweep.features.rank.paired_tests import Numbers

FILE = "hidden-answers.json"
QUESTIONS = 20
NOISE, THRESHOLD, THRESHOLD_NOISE, COMPARISON_NOISE = 0.5, 2.0, 1.0, 2.0  # in standard errors of the score
BETTER, WORSE, UNDECIDED = "better", "worse", "not told apart"
NO_SCORE = "no score"  # instead of an answer: a simulation failed, or a metric has no value


@dataclass(frozen=True)
class Question:
    """A score in each network, such as a candidate's against the baseline, or against its parent."""

    name: str  # by content, such as a digest of both scores
    training: Numbers
    hidden: Numbers


@dataclass(frozen=True)
class Answer:
    """What the hidden networks say about a score, and whether it is above 0 in fresh networks, or below."""

    score: float  # the training score if both agree, else the hidden one with noise
    margin: float | None  # half the interval of a hidden score
    agrees: bool
    verdict: str  # all are true with a probability of 95 %, if no question depends on an answer


@dataclass(frozen=True)
class Record:
    """The answers of hidden networks, and the digests of their sweep file and of the seed."""

    hidden: str
    seed: str
    budget: int
    secret: str
    answers: Mapping[str, Answer] = field(default_factory=dict)


@dataclass(frozen=True)
class _Kept:
    record: Record
    sha256: str


def ask(folder: Path, hidden_file: Path, seed: int, question: Question, budget: int = QUESTIONS) -> tuple[Answer, int]:
    """The answer of the networks of a sweep file, and the number of questions that are left.

    A question that was asked before has the same answer, and does not count again. ``folder``, in which no sweep runs,
    has the record. ``budget`` is the number of questions, if this is the first. Raises `UserError` if all questions
    were asked, if the file or the seed has changed since, if the record is damaged, or if there are too few scores.
    """
    with locks.derived(folder, f"a question about {hidden_file.name}"):
        record = opened(folder, hidden_file, seed, budget)
        if question.name not in record.answers:
            if len(record.answers) >= record.budget:
                raise UserError(
                    f"{hidden_file} has answered its {record.budget} questions; more answers would fit candidates to "
                    "its networks. Make new hidden networks: copy it under another name, and write other network "
                    "conditions of the same kind and another seed"
                )
            record = replace(record, answers={**record.answers, question.name: answered(record, question)})
            whole_files.write_whole(folder / FILE, _text(record), is_lasting=True)
        return record.answers[question.name], record.budget - len(record.answers)


def opened(folder: Path, hidden_file: Path, seed: int, budget: int = QUESTIONS) -> Record:
    """The record in a folder, or a new one if there is none. Raises `UserError` as `ask` does."""
    place, of_file, of_seed = folder / FILE, digests.file_digest(hidden_file), digests.texts_digest([str(seed)])
    if not (place.exists() or place.is_symlink()):
        return Record(of_file, of_seed, budget, secrets.token_hex(32))
    kept = state_files.read(place, _Kept)
    if not kept or place.read_text(encoding="utf-8") != _text(kept.record):
        raise UserError(
            f"{place} is damaged, so the answers of {hidden_file} are unknown. Bring back a copy, or make new hidden "
            "networks: another file with other network conditions"
        )
    if (kept.record.hidden, kept.record.seed) != (of_file, of_seed):
        what = "seed" if kept.record.hidden == of_file else "content"
        raise UserError(
            f"the {what} of {hidden_file} has changed since its first answer. Bring back the old one, or give the "
            "changed file another name"
        )
    return kept.record


def _text(record: Record) -> str:
    """The only text that a record can have in its file."""
    content = asdict(record)
    kept = {"record": content, "sha256": digests.texts_digest([json.dumps(content, sort_keys=True)])}
    return json.dumps(kept, sort_keys=True, indent=1) + "\n"


def answered(record: Record, question: Question) -> Answer:
    """The answer to a new question. Raises `UserError` if there are too few scores."""
    training, training_error, training_degrees = (float(value) for value in paired_tests.summary(question.training))
    hidden, hidden_error, degrees = (float(value) for value in paired_tests.summary(question.hidden))
    if min(training_degrees, degrees) < LEAST_RUNS - 1:
        raise UserError(f"{question.name} has scores in fewer than {LEAST_RUNS} networks, of training or hidden")
    error = max(hidden_error, training_error * math.sqrt((training_degrees + 1) / (degrees + 1)))
    hidden_scores = sum(not answer.agrees for answer in record.answers.values())
    threshold = THRESHOLD + THRESHOLD_NOISE * _laplace(record, f"threshold {hidden_scores}")
    threshold += COMPARISON_NOISE * _laplace(record, f"comparison {question.name}")
    noisy = hidden + error * NOISE * _laplace(record, f"answer {question.name}")
    margin = error * _margin(degrees, (1 - CONFIDENCE) / record.budget)
    verdict = UNDECIDED
    if abs(noisy) > margin:
        verdict = BETTER if noisy > 0 else WORSE
    if abs(hidden - training) <= error * threshold:
        return Answer(training, None, True, verdict)
    return Answer(noisy, margin, False, verdict)


def _laplace(record: Record, purpose: str) -> float:
    """Laplace noise of scale 1, which follows from the record's secret and the purpose."""
    digest = hmac.digest(bytes.fromhex(record.secret), purpose.encode(), "sha256")
    uniform = (int.from_bytes(digest[:6]) + 0.5) / 2**48 - 0.5
    return -math.copysign(math.log1p(-2 * abs(uniform)), uniform)


@functools.cache
def _margin(degrees: float, level: float) -> float:
    """The size that Student's t plus the answer's noise exceeds with probability ``level``."""
    from scipy.optimize import brentq
    from scipy.special import stdtr

    shares = (np.arange(20_000) + 0.5) / 20_000  # of the noise's distribution
    noise = -NOISE * np.sign(shares - 0.5) * np.log1p(-2 * np.abs(shares - 0.5))
    return float(brentq(lambda margin: 2 * stdtr(degrees, noise - margin).mean() - level, 0, 1e6))
