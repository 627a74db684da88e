# SPDX-License-Identifier: MIT
"""The next points in the search for the least value of a function that costs a simulation per evaluation.

The stochastic response surface method for several evaluations at a time fits a surface of radial basis functions to the
known points. The surface is smoothed because values are noisy. Of many candidates, more than half are near the best
known point. The method proposes candidates where the surface is low or that are far from all known points. The weights
of the two criteria alternate.

Regis and Shoemaker: A Stochastic Radial Basis Function Method for the Global Optimization of Expensive Functions.
INFORMS Journal on Computing 19(4), 2007. Parallel Stochastic Global Optimization Using Radial Basis Functions. The same
journal 21(3), 2009.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # NumPy is loaded where it is used
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]

# The alternating weights of a low surface against a large distance from the known points.
_WEIGHTS = (0.95, 0.7, 0.4, 0.95, 0.7, 0.3, 0.5, 0.1)
_STEPS = (0.2, 0.1, 0.05)  # standard deviations of candidates around the best, shares of a range
_NEAR, _ANYWHERE = 150, 300  # candidates: around the best with each step, and in all of the ranges
_MOVED = 0.7  # the share of the coordinates in which a candidate around the best differs from it
_SMOOTHING = 1e-2
_DISTINCT = 0.03  # points that are closer add little information


def spread(count: int, dimensions: int, seed: int) -> Numbers:
    """Points spread over the unit cube, a row each: a Latin hypercube.

    McKay, Beckman and Conover: A Comparison of Three Methods for Selecting Values of Input Variables in the Analysis
    of Output from a Computer Code. Technometrics 21(2), 1979.
    """
    import numpy as np  # without SciPy: planning makes the first networks, and scipy.stats takes 2 s to load

    random = np.random.default_rng(seed)
    columns = [(random.permutation(count) + random.random(count)) / count for _ in range(dimensions)]
    return np.column_stack(columns)


def proposed(
    places: Numbers, values: Numbers, count: int, seed: int, to_allowed: Callable[[Numbers], Numbers]
) -> Numbers:
    """The next points to evaluate.

    Parameters
    ----------
    places : array
        The known points in the unit cube, a row each.
    values : array
        The values at these points. NaN means no value and counts as an ordinary value. Less is better.
    count : int
        The number of points to propose.
    seed : int
        The seed of the candidates. The same arguments give the same points.
    to_allowed : callable
        Moves points to the nearest allowed ones.

    Returns
    -------
    array
        A row for each point, at most ``count``, and fewer if no more points differ from all known ones.
    """
    import numpy as np

    random = np.random.default_rng([seed, len(places)])
    tamed = _tamed(values)
    surface = _surface(places, tamed)
    best = places[int(np.argmin(surface(places)))]
    dimensions = places.shape[1]
    parts = [random.random((_ANYWHERE, dimensions))]
    for step in _STEPS:
        moves = random.random((_NEAR, dimensions)) < _MOVED
        moves[np.arange(_NEAR), random.integers(dimensions, size=_NEAR)] = True  # at least one
        parts.append(np.where(moves, best + step * random.normal(size=moves.shape), best))
    candidates = np.unique(to_allowed(np.clip(np.vstack(parts), 0, 1)), axis=0)
    nearest = _distances(candidates, places)
    low = _to_unit(surface(candidates))
    chosen: list[Numbers] = []
    for turn in range(count):
        is_new = nearest > _DISTINCT
        if not is_new.any():
            break
        weight = _WEIGHTS[turn % len(_WEIGHTS)]
        score = weight * low + (1 - weight) * (1 - nearest / nearest.max())
        chosen.append(candidates[int(np.argmin(np.where(is_new, score, np.inf)))])
        nearest = np.minimum(nearest, _distances(candidates, chosen[-1][None]))
    return np.array(chosen).reshape(len(chosen), dimensions)


def _tamed(values: Numbers) -> Numbers:
    """Values scaled to 0 to 1 and capped at the median, because the surface need not follow large values."""
    import numpy as np

    if np.isnan(values).all():
        return np.zeros(len(values))
    ordinary = float(np.nanmedian(values))
    return _to_unit(np.minimum(np.where(np.isnan(values), ordinary, values), ordinary))


def _to_unit(values: Numbers) -> Numbers:
    span = float(values.max() - values.min())
    return (values - values.min()) / span if span else values * 0


def _surface(places: Numbers, values: Numbers) -> Callable[[Numbers], Numbers]:
    """A smoothed surface of cubic radial basis functions; a constant surface if there are too few points."""
    import numpy as np
    from scipy.interpolate import RBFInterpolator

    middle = places - places.mean(axis=0)
    is_full = np.linalg.matrix_rank(middle, tol=1e-6) == places.shape[1]
    if not is_full:
        return lambda where: np.full(len(where), values.mean())
    return RBFInterpolator(places, values, kernel="cubic", degree=1, smoothing=_SMOOTHING)


def _distances(places: Numbers, known: Numbers) -> Numbers:
    """The distance of each point from the nearest known one."""
    import numpy as np

    found: Numbers = np.sqrt(((places[:, None] - known[None]) ** 2).sum(axis=2)).min(axis=1)
    return found
