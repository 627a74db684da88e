# SPDX-License-Identifier: MIT
"""Count wrong verdicts: the functions that judge real runs judge generated runs, whose truth is known.

`.venv/bin/python benchmarks/verdicts.py` prints the tables of docs/verdict-errors.md, in some minutes. A family is the
set of comparisons that are corrected together. For each kind of data, many sweeps of one family are generated, and the
sweeps with a false claim are counted. A claim of a difference is false if the truth is not beyond the smallest effect
of interest. A claim of equivalence is false if the truth is not within it. Exactly at the margin, both are false.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from tcpsweep.core.statistics import effect_tests
from tcpsweep.core.statistics.exact_tests import Runs

Array = npt.NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, ...]], tuple[Array, Array]]
SMALLEST, LEVEL = 0.02, 0.05
BOUND = effect_tests.Bound(SMALLEST, 0)
RUNS = (5, 10, 14, 20)
OF_CHANCE, FAMILIES = (5, 8, 10, 12, 14, 20), (1, 12, 84)  # runs and families of outcomes that chance chooses
RARE = (0.1, 0.2)  # shares of runs that are elsewhere
AT_A_TIME = 3_000_000  # values


def normal(sd: float, correlation: float = 0.0) -> Draw:
    """Both sides are normal with mean 1."""

    def draw(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Array, Array]:
        x, y = rng.standard_normal(shape), rng.standard_normal(shape)
        return 1 + sd * (correlation * y + (1 - correlation**2) ** 0.5 * x), 1 + sd * y

    return draw


def shared(sd: float) -> Draw:
    """Normal; each group of four variants shares the runs of its reference."""

    def draw(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Array, Array]:
        sweeps, size, runs = shape
        y = np.repeat(rng.standard_normal((sweeps, -(-size // 4), runs)), 4, axis=1)[:, :size]
        return 1 + sd * rng.standard_normal(shape), 1 + sd * y

    return draw


def uniform(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Mean 0, standard deviation 1."""
    return (rng.random(shape) - 0.5) * 12**0.5


def exponential(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Mean 0, standard deviation 1, skewness 2."""
    return rng.standard_exponential(shape) - 1


def bounded(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Mean 0, standard deviation 1, skewness −1.4: a beta(8, 1), like an index just below its maximum."""
    values: Array = rng.random(shape) ** (1 / 8)
    return (values - 8 / 9) / (8 / (81 * 10)) ** 0.5


def each(shape_of: Callable[[np.random.Generator, tuple[int, ...]], Array], x_sd: float, y_sd: float) -> Draw:
    """Both sides have the same shape and mean 1, with different spreads."""

    def draw(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Array, Array]:
        return 1 + x_sd * shape_of(rng, shape), 1 + y_sd * shape_of(rng, shape)

    return draw


def seldom(shape_of: Callable[[np.random.Generator, tuple[int, ...]], Array], sd: float) -> Draw:
    """Normal. In one comparison of ten, only the reference varies, with the given shape."""

    def draw(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Array, Array]:
        x, y = normal(sd)(rng, shape)
        x[:, ::10], y[:, ::10] = 1.0, 1 + sd * shape_of(rng, y[:, ::10].shape)
        return x, y

    return draw


def coin(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Array, Array]:
    """Two variants of a mix of which a coin chooses the winner, 80 to 20, with noise of 1 %."""
    wins = rng.random(shape) < 0.5
    x, y = (np.where(own, 80, 20) * (1 + 0.01 * rng.standard_normal(shape)) for own in (wins, ~wins))
    return x, y


def two_modes(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Array, Array]:
    """Homogeneous flows that get 0.5 or 0.9 in a run, by chance, with noise of 1 %."""
    x, y = (np.where(rng.random(shape) < 0.5, 0.5, 0.9) * (1 + 0.01 * rng.standard_normal(shape)) for _ in range(2))
    return x, y


def rare(share: float) -> Draw:
    """Jain's index of 0.6 in a share of the variant's runs, and of 0.999 in all others, with noise of 0.05 %."""

    def draw(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Array, Array]:
        x, y = (0.999 * (1 + 0.0005 * rng.standard_normal(shape)) for _ in range(2))
        return np.where(rng.random(shape) < share, 0.6, x), y

    return draw


CHANCE: dict[str, Draw] = {"a coin chooses the winner, 80 to 20": coin, "0.5 or 0.9 on both sides": two_modes}
KINDS: dict[str, tuple[int, Draw]] = {
    "normal, spread 1 %": (100, normal(0.01)),
    "normal, spread 1 %, 20 comparisons": (20, normal(0.01)),
    "normal, spread 1 %, 300 comparisons": (300, normal(0.01)),
    "normal, spread 1 %, correlation 0.9": (100, normal(0.01, 0.9)),
    "normal, spread 1 %, correlation −0.5": (100, normal(0.01, -0.5)),
    "normal, spread 10 %": (100, normal(0.1)),
    "normal, four variants share a reference": (100, shared(0.01)),
    "uniform": (100, each(uniform, 0.01, 0.01)),
    "exponential (skewness 2), both sides": (100, each(exponential, 0.01, 0.01)),
    "beta(8, 1) (skewness −1.4), both sides": (100, each(bounded, 0.01, 0.01)),
    "beta(8, 1), the reference varies half as much": (100, each(bounded, 0.01, 0.005)),
    "exponential, only the variant varies": (100, each(exponential, 0.01, 0.0)),
    "exponential, only the reference varies": (100, each(exponential, 0.0, 0.01)),
    "normal; in one of ten, exponential, only the reference varies": (100, seldom(exponential, 0.01)),
}
EFFECTS = (0.0, 0.01, 0.02, 0.04)


def estimates(x: Array, y: Array, there: npt.NDArray[np.bool_] | None = None) -> effect_tests.Estimates:
    """The estimates from paired runs along the last axis; ``there`` selects the runs to use."""
    weight = np.ones(x.shape) if there is None else there.astype(float)
    n = weight.sum(-1)

    def mean(values: Array) -> Array:
        found: Array = (weight * values).sum(-1) / n
        return found

    d = x - y
    mean_d, mean_y = mean(d), mean(y)
    d, y = d - mean_d[..., None], y - mean_y[..., None]
    per = 1 / (n - 1)
    return effect_tests.Estimates(
        mean_d, mean_y, (mean(d**2) * per) ** 0.5, (mean(y**2) * per) ** 0.5, mean(d * y) * per, n - 1
    )


def decided(x: Array, y: Array, *, by_rules: bool = True) -> npt.NDArray[np.int8]:
    """The findings of paired runs along the last axis; without the two rules for few runs, by t-tests only."""
    if by_rules:
        runs = Runs(x, y)
    else:  # 64 pairs like the mean pass both rules
        x_mean, y_mean = (np.repeat(side.mean(-1, keepdims=True), 64, axis=-1) for side in (x, y))
        runs = Runs(x_mean, y_mean)
    return effect_tests.decided(estimates(x, y), runs, BOUND, LEVEL).finding


def blocks(sweeps: int, size: int, runs: int) -> Iterator[tuple[int, int, int]]:
    """The shapes of the blocks in which the sweeps are generated."""
    most = max(1, AT_A_TIME // (size * runs))
    for begin in range(0, sweeps, most):
        yield min(most, sweeps - begin), size, runs


def wrong(finding: npt.NDArray[np.int8], effect: float) -> tuple[int, int]:
    """The number of families with a false "higher" or "lower", and with a false "the same"."""
    higher = (finding == effect_tests.HIGHER) & (effect <= SMALLEST)
    sided = higher | (finding == effect_tests.LOWER)
    same = (finding == effect_tests.SAME) & (effect >= SMALLEST)
    return int(sided.any(-1).sum()), int(same.any(-1).sum())


def judged(draw: Draw, size: int, runs: int, effect: float, sweeps: int, rng: np.random.Generator) -> str:
    """The percentages of sweeps with a false claim of each kind; – for a kind that cannot be false."""
    sided = same = 0
    for shape in blocks(sweeps, size, runs):
        x, y = draw(rng, shape)
        of_block = wrong(decided(x * (1 + effect), y), effect)
        sided, same = sided + of_block[0], same + of_block[1]
    shares = [f"{100 * sided / sweeps:.1f}", f"{100 * same / sweeps:.1f}" if effect >= SMALLEST else "–"]
    return ", ".join(shares)


def power(runs: int, effect: float, spread: float, sweeps: int, rng: np.random.Generator) -> str:
    """The percentage of comparisons, in families of 100, whose claim is true, and in parentheses by t-tests only."""
    right = effect_tests.HIGHER if effect > SMALLEST else effect_tests.SAME
    shares = []
    for shape in blocks(max(100, sweeps // 20), 100, 64):
        x, y = normal(spread)(rng, (*shape[:2], runs))
        shares.append([(decided(x * (1 + effect), y, by_rules=rules) == right).mean() for rules in (True, False)])
    of_rules, of_tests = (f"{100 * share:.0f}" for share in np.mean(shares, axis=0))
    return f"{of_rules} ({of_tests})"


def of_chance(draw: Draw, size: int, runs: int, sweeps: int, rng: np.random.Generator) -> str:
    """The percentage of families with a false difference, and in parentheses by t-tests only."""
    counts = np.zeros(2)
    for shape in blocks(sweeps, size, 64):
        x, y = draw(rng, (*shape[:2], runs))
        counts += [wrong(decided(x, y, by_rules=rules), 0.0)[0] for rules in (True, False)]
    of_rules, of_tests = (f"{100 * count / sweeps:.1f}" for count in counts)
    return f"{of_rules} ({of_tests})"


def falsely_same(share: float, runs: int, sweeps: int, rng: np.random.Generator) -> str:
    """The percentage of comparisons with a rare outcome that are called equivalent, and by t-tests only."""
    x, y = rare(share)(rng, (sweeps, 1, runs))
    of_rules, of_tests = (
        f"{100 * (decided(x, y, by_rules=rules) == effect_tests.SAME).mean():.1f}" for rules in (True, False)
    )
    return f"{of_rules} ({of_tests})"


def losing(rng: np.random.Generator, share: float, both: bool, rule: bool, sweeps: int) -> str:
    """The share of sweeps with a false claim, if ``share`` of the variant's values, the lowest ones, are lost.

    If ``both``, the reference loses the same number of its highest values. The variants are equal; there are 100
    comparisons of 14 runs. With the ``rule`` of `findings`, comparisons that lost more on one side are not judged but
    count in the family. Without it, all remaining pairs are judged.
    """
    sided, size = 0, 100
    end = 0.1 * float(ndtri(1 - share))
    for block in blocks(sweeps, size, 14):
        x, y = normal(0.1)(rng, block)
        lost_x, lost_y = x < 1 - end, (y > 1 + end) & both
        there = ~(lost_x | lost_y)
        judged = there.sum(-1) >= 2
        if rule:
            judged &= lost_x.sum(-1) == lost_y.sum(-1)
        there |= ~judged[..., None]
        runs = Runs(np.where(there, x, np.nan), np.where(there, y, np.nan))
        beyond, _ = effect_tests.p_values(estimates(x, y, there), runs, BOUND)
        # Only the first step of Holm's procedure, which decides whether there is any claim.
        of_family = size if rule else judged.sum(-1, keepdims=True)
        sided += int((judged & (beyond * of_family <= LEVEL)).any(-1).sum())
    return f"{100 * sided / sweeps:.1f}"


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sweeps", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    rows = []
    for name, (size, draw) in KINDS.items():
        for effect in EFFECTS:
            row = [name, f"{100 * effect:.0f} %"]
            row += [judged(draw, size, runs, effect, given.sweeps, rng) for runs in RUNS]
            print(*row, sep="; ", file=sys.stderr)
            if not set(row[2:]) <= {"0.0, –", "0.0, 0.0"}:  # none of the sweeps has a false claim
                rows.append(row)
    print(table(["data", "true effect", *(f"{runs} runs" for runs in RUNS)], rows), "\n")
    rows = [
        [name, str(size), *(of_chance(draw, size, runs, given.sweeps, rng) for runs in OF_CHANCE)]
        for name, draw in CHANCE.items()
        for size in FAMILIES
    ]
    print(table(["data", "comparisons", *(f"{runs} runs" for runs in OF_CHANCE)], rows), "\n")
    rows = [[f"{100 * share:g} %", *(falsely_same(share, runs, given.sweeps, rng) for runs in RUNS)] for share in RARE]
    print(table(["elsewhere", *(f"{runs} runs" for runs in RUNS)], rows), "\n")
    rows = [
        [f"{100 * spread:g} %", f"{100 * effect:.0f} %", *(power(r, effect, spread, given.sweeps, rng) for r in RUNS)]
        for spread in (0.005, 0.01, 0.02)
        for effect in (0.0, 0.01, 0.04, 0.1)
    ]
    print(table(["spread", "true effect", *(f"{runs} runs" for runs in RUNS)], rows), "\n")
    rows = [
        [
            f"{100 * share:g} %",
            *(losing(rng, share, both, r, given.sweeps) for both in (False, True) for r in (False, True)),
        ]
        for share in (0.02, 0.1, 0.2, 0.33)
    ]
    heads = ["lost", "the variant loses, all judged", "by the rule", "both lose, all judged", "by the rule"]
    print(table(heads, rows))


if __name__ == "__main__":
    main()
