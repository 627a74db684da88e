# SPDX-License-Identifier: MIT
"""Count the errors of a ranking's race and places on made-up scores, whose truth is known.

`.venv/bin/python benchmarks/ranking.py` prints the two tables of docs/features/rank.md, in some minutes. The noise of a
score in a network has a standard deviation of 1. A race has a hundred candidates and four rounds of six networks.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tcpsweep.features.rank import places, race

Array = npt.NDArray[np.float64]
Noise = Callable[[np.random.Generator, tuple[int, int]], Array]
CANDIDATES, NETWORKS, ROUND = 100, 24, 6
OF_PLACES = 20  # candidates
COUNTS = (8, 16, 24)  # networks


def normal(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return rng.standard_normal(shape)


def heavy(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Student's t with 3 degrees of freedom."""
    return rng.standard_t(3, shape) / 3**0.5


def skewed(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Exponential, with skewness 2: rarely much better."""
    return rng.standard_exponential(shape) - 1


def correlated(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Groups of ten candidates have a correlation of 0.9."""
    groups = np.repeat(rng.standard_normal((-(-shape[0] // 10), shape[1])), 10, axis=0)[: shape[0]]
    return 0.9**0.5 * groups + 0.1**0.5 * rng.standard_normal(shape)


def uneven(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Networks of very different noise."""
    return rng.standard_normal(shape) * np.abs(heavy(rng, (1, shape[1])))


def first_skewed(rest: float) -> Noise:
    """The first candidate is rarely much better, and the others have normal noise."""

    def noise(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
        return np.vstack([skewed(rng, (1, shape[1])), rest * rng.standard_normal((shape[0] - 1, shape[1]))])

    return noise


def evenly(width: float, count: int = CANDIDATES) -> Array:
    return -np.linspace(0, width, count)


EQUAL = np.zeros(CANDIDATES)
RACES: dict[str, tuple[Array, Noise]] = {
    "one is first, by 2": (np.where(np.arange(CANDIDATES) > 0, -2.0, 0.0), normal),
    "spread over 8": (evenly(8), normal),
    "spread over 5": (evenly(5), normal),
    "spread over 8, heavy tails": (evenly(8), heavy),
    "spread over 8, all skewed": (evenly(8), skewed),
    "ten within 0.2, the others 2 to 5 behind": (np.append(evenly(0.2, 10), -2 + evenly(3, 90)), normal),
    "equal": (EQUAL, normal),
    "equal, heavy tails": (EQUAL, heavy),
    "equal, groups correlate": (EQUAL, correlated),
    "equal, networks of different noise": (EQUAL, uneven),
    "equal, all skewed": (EQUAL, skewed),
    "equal, the first is skewed": (EQUAL, first_skewed(1.0)),
    "equal, the first is skewed, the others vary by 0.2": (EQUAL, first_skewed(0.2)),
}
PLACES: dict[str, tuple[Array, Noise]] = {
    "spread over 4": (evenly(4, OF_PLACES), normal),
    "spread over 4, heavy tails": (evenly(4, OF_PLACES), heavy),
    "spread over 4, all skewed": (evenly(4, OF_PLACES), skewed),
    "spread over 4, groups correlate": (evenly(4, OF_PLACES), correlated),
    "equal": (np.zeros(OF_PLACES), normal),
    "equal, heavy tails": (np.zeros(OF_PLACES), heavy),
    "equal, the first is skewed": (np.zeros(OF_PLACES), first_skewed(1.0)),
    "equal, the first is skewed, the others vary by 0.2": (np.zeros(OF_PLACES), first_skewed(0.2)),
}


def run(scores: Array, halving: bool) -> tuple[Array, npt.NDArray[np.bool_]]:
    """The scores that a race simulates, NaN for the others, and the candidates that stay after the last round."""
    seen, running = np.full(scores.shape, np.nan), np.ones(len(scores), bool)
    for end in range(ROUND, NETWORKS + 1, ROUND):
        seen[running, end - ROUND : end] = scores[running, end - ROUND : end]
        running = race.outliving(seen[:, :end], running, NETWORKS // ROUND, halving=halving)
    return seen, running


def raced(mu: Array, noise: Noise, halving: bool, races: int, rng: np.random.Generator) -> list[str]:
    """Races that the first left, simulations saved, both in percent, and the true score that the best lacks then."""
    left = saved = lacking = 0.0
    for _ in range(races):
        seen, running = run(mu[:, None] + noise(rng, (len(mu), NETWORKS)), halving)
        left += not running[0]
        saved += np.isnan(seen).mean()
        lacking += float(mu[0] - mu[running].max())
    return [f"{100 * left / races:.1f}", f"{100 * saved / races:.0f}", f"{lacking / races:.2f}"]


def placed(
    mu: Array, noise: Noise, networks: int, tables: int, rng: np.random.Generator, *, by_race: bool = False
) -> str:
    """The true places in their intervals, in percent of the candidate with fewest, and the mean number of places."""
    names, decisions = [str(number) for number in range(len(mu))], networks // ROUND if by_race else 1
    first, last = 1 + (mu > mu[:, None]).sum(axis=1), len(mu) - (mu < mu[:, None]).sum(axis=1)
    covered, width = np.zeros(len(mu)), 0.0
    for _ in range(tables):
        scores = mu[:, None] + noise(rng, (len(mu), networks))
        table = places.table(run(scores, False)[0] if by_race else scores, names, decisions)
        low, high = table["first_place"].to_numpy(), table["last_place"].to_numpy()
        covered += (low <= first) & (last <= high)
        width += float((high - low + 1).mean())
    return f"{100 * covered.min() / tables:.1f} ({width / tables:.1f})"


def printed(heads: list[str]) -> None:
    print(f"\n| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}", sep="\n")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    columns = ["first left (%)", "saved (%)", "lost score"]
    printed(["true scores", *columns, *(f"{column}, with halving" for column in columns)])
    for name, (mu, noise) in RACES.items():
        cells = [cell for halving in (False, True) for cell in raced(mu, noise, halving, given.races, rng)]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    printed(["true scores", *(f"{count} networks" for count in COUNTS)])
    for name, (mu, noise) in PLACES.items():
        cells = [placed(mu, noise, count, given.races // 2, rng) for count in COUNTS]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    for name in ("spread over 4", "equal"):
        cell = placed(*PLACES[name], NETWORKS, given.races // 2, rng, by_race=True)
        print(f"| {name}, after a race | – | – | {cell} |", flush=True)


if __name__ == "__main__":
    main()
