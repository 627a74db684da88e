# SPDX-License-Identifier: MIT
"""Count verdicts of an adaptive search that fresh networks would reverse, with three uses of hidden networks.

`.venv/bin/python benchmarks/hidden_networks.py` prints the table of docs/features/rank.md, in some minutes, and
`--figure FILE.svg` draws the normal data. A search has ten rounds. Each tries a hundred changes of the present
candidate, and judges the best: is it better than the baseline, and than the candidate that it was made from? A change
adds a true gain to the score of all networks, and to each network's score a part that has mean 0 over fresh networks.
So the true score is known. A verdict is false if the true score is not on its side of 0.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tcpsweep.core.statistics import means
from tcpsweep.features.rank import hidden_answers, paired_tests
from tcpsweep.features.rank.hidden_answers import BETTER, UNDECIDED, WORSE, Question, Record

Array = npt.NDArray[np.float64]
ROUNDS, CHANGES = 10, 100
NETWORKS = 24  # for training, and as many hidden ones
# The mean of true gains, and their standard deviation. The standard deviation of networks' own parts is 1.
GAINS = {
    "each harms by 0.2": (-0.2, 0.0),
    "none matters": (0.0, 0.0),
    "gains of 0 ± 0.1": (0.0, 0.1),
    "gains of 0 ± 0.5": (0.0, 0.5),
}
Own = Callable[[np.random.Generator, tuple[int, int]], Array]
OWN: dict[str, Own] = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "heavy tails": lambda rng, shape: rng.standard_t(3, shape) / 3**0.5,
    "rarely much worse": lambda rng, shape: 1 - rng.standard_exponential(shape),
}


@dataclass(frozen=True)
class Changes:
    """The true gain of each change, and its score in each network, of training and hidden."""

    gain: Array
    training: Array
    hidden: Array

    def __getitem__(self, number: int) -> Changes:
        return Changes(self.gain[number], self.training[number], self.hidden[number])

    def __add__(self, other: Changes) -> Changes:
        return Changes(self.gain + other.gain, self.training + other.training, self.hidden + other.hidden)


@dataclass(frozen=True)
class Verdict:
    """A verdict, with the true score."""

    word: str
    truth: float

    @property
    def is_false(self) -> bool:
        return (self.word == BETTER and self.truth <= 0) or (self.word == WORSE and self.truth >= 0)


Draw = Callable[[], Changes]
NOTHING = Changes(np.zeros(()), np.zeros(NETWORKS), np.zeros(NETWORKS))


def drawn(rng: np.random.Generator, gain: tuple[float, float], own: Own) -> Draw:
    """A function that makes a hundred changes."""

    def draw() -> Changes:
        true = gain[0] + gain[1] * rng.standard_normal(CHANGES)
        training, hidden = (true[:, None] + own(rng, (CHANGES, NETWORKS)) for _ in range(2))
        return Changes(true, training, hidden)

    return draw


def by_t_test(scores: Array, truth: float) -> Verdict:
    """The verdict of a t-test at 5 %, as if nobody had chosen among candidates."""
    mean, error, degrees = (float(value[0]) for value in paired_tests.summary(scores[None]))
    is_shown = abs(mean) > means.student_t([degrees])[0] * error
    return Verdict((BETTER if mean > 0 else WORSE) if is_shown else UNDECIDED, truth)


def by_training(draw: Draw, record: Record) -> list[Verdict]:
    """The training networks choose and judge."""
    parent, verdicts = NOTHING, []
    for _ in range(ROUNDS):
        changes = draw()
        change = changes[int(changes.training.mean(-1).argmax())]
        parent += change
        verdicts += [by_t_test(scores.training, float(scores.gain)) for scores in (change, parent)]
    return verdicts


def by_hidden_scores(draw: Draw, record: Record) -> list[Verdict]:
    """Everybody sees all hidden scores: they choose, together with the training networks, and judge."""
    parent, verdicts = NOTHING, []
    for _ in range(ROUNDS):
        changes = draw()
        change = changes[int((changes.training + changes.hidden).mean(-1).argmax())]
        parent += change
        verdicts += [by_t_test(scores.hidden, float(scores.gain)) for scores in (change, parent)]
    return verdicts


def answer(record: Record, scores: Changes) -> tuple[Record, hidden_answers.Answer, Verdict]:
    """The hidden networks' answer to the next question, and the record with it."""
    question = Question(str(len(record.answers)), scores.training, scores.hidden)
    said = hidden_answers.answered(record, question)
    asked = replace(record, answers={**record.answers, question.name: said})
    return asked, said, Verdict(said.verdict, float(scores.gain))


def by_answers(draw: Draw, record: Record) -> list[Verdict]:
    """The training networks choose; two questions a round judge, and a change with an answer below 0 is undone."""
    parent, verdicts = NOTHING, []
    for _ in range(ROUNDS):
        changes = draw()
        change = changes[int(changes.training.mean(-1).argmax())]
        record, gain, of_gain = answer(record, change)
        record, _, of_candidate = answer(record, parent + change)
        verdicts += [of_gain, of_candidate]
        parent = parent + change if gain.score > 0 else parent
    return verdicts


def by_attack(draw: Draw, record: Record) -> list[Verdict]:
    """Random changes are asked for; the last question is about all of them together that had answers above 0."""
    parent, verdicts, changes = NOTHING, [], draw()
    for number in range(record.budget - 1):
        record, said, verdict = answer(record, changes[number])
        verdicts.append(verdict)
        parent = parent + changes[number] if said.score > 0 else parent
    return [*verdicts, answer(record, parent)[2]]


Way = Callable[[Draw, Record], list[Verdict]]
WAYS: dict[str, Way] = {
    "training scores": by_training,
    "hidden scores without limits": by_hidden_scores,
    "hidden answers": by_answers,
    "hidden answers, attacked": by_attack,
}


def counted(draw: Draw, way: Way, searches: int, rng: np.random.Generator) -> Array:
    """The number of verdicts in a search, false ones in percent of these, and searches with a false one in percent."""
    decided = false = with_false = 0
    for _ in range(searches):
        record = Record("", "", hidden_answers.QUESTIONS, rng.bytes(32).hex())
        verdicts = way(draw, record)
        decided += sum(verdict.word != UNDECIDED for verdict in verdicts)
        of_search = sum(verdict.is_false for verdict in verdicts)
        false, with_false = false + of_search, with_false + (of_search > 0)
    return np.array([decided / searches, 100 * false / max(1, decided), 100 * with_false / searches])


def draw_figure(rows: list[tuple[str, str, float]], place: Path) -> None:
    """Draw the share of searches with a false verdict, a panel for each kind of changes."""
    import altair as alt
    import polars as pl

    data = pl.DataFrame(rows, schema=["changes", "way", "share"], orient="row")
    bars = (
        alt.Chart(data)
        .mark_bar(color="#0072b2")
        .encode(
            x=alt.X("share:Q", title="searches with a false verdict (%)", scale=alt.Scale(domain=[0, 100])),
            y=alt.Y("way:N", title=None, sort=list(WAYS)),
        )
    )
    limit = alt.Chart(data).mark_rule(color="#d55e00", strokeDash=[4, 3]).encode(x=alt.datum(5))
    panels = (
        alt.layer(bars, limit)
        .properties(width=170, height=90)
        .facet(column=alt.Column("changes:N", title=None, sort=list(GAINS)))
    )
    panels.save(place)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--searches", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--figure", type=Path)
    given = parser.parse_args()
    drawn_rows = []
    print(f"| networks' own parts | true gains | {' | '.join(WAYS)} |", f"|{' --- |' * (2 + len(WAYS))}", sep="\n")
    for part, own in OWN.items():
        for kind, gain in GAINS.items():
            cells = []
            for name, way in WAYS.items():
                rng = np.random.default_rng(given.seed)
                verdicts, false, searches = counted(drawn(rng, gain, own), way, given.searches, rng)
                cells.append(f"{searches:.1f} ({verdicts:.2f}, {false:.1f})")
                drawn_rows += [(kind, name, searches)] if part == "normal" else []
            print(f"| {part} | {kind} | {' | '.join(cells)} |", flush=True)
    if given.figure:
        draw_figure(drawn_rows, given.figure)


if __name__ == "__main__":
    main()
