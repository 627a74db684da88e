# SPDX-License-Identifier: MIT
"""The choice of the next point in a search for the minimum of a costly function."""

import numpy as np
import pytest

from tcpsweep.statistics import response_surface


def least_seen(function, seed, by_surface, evaluations=64):
    """The least true value that is seen, of values with noise, by a Latin hypercube of 16 and batches of 8."""
    random = np.random.default_rng(seed)
    places = response_surface.spread(16 if by_surface else evaluations, 4, seed)
    seen = [function(place) + random.normal(0, 0.05) for place in places]
    while len(seen) < evaluations:
        more = response_surface.proposed(places, np.array(seen), 8, seed, lambda where: np.round(where, 2))
        seen += [function(place) + random.normal(0, 0.05) for place in more]
        places = np.vstack([places, more])
    return function(places[int(np.argmin(seen))])


@pytest.mark.parametrize("middle", [(0.3, 0.6, 0.5, 0.4), (0.02, 0.97, 0.05, 0.5)])
def test_it_comes_nearer_to_the_least_than_looking_everywhere(middle):
    def bowl(place):
        return -np.exp(-(((place - np.array(middle)) / 0.3) ** 2).sum() / 2)

    by_surface, everywhere = (np.median([least_seen(bowl, seed, way) for seed in range(7)]) for way in (True, False))
    assert by_surface < -0.85 < everywhere


def test_the_same_history_gives_the_same_places_and_none_twice():
    places = response_surface.spread(12, 2, 1)
    values = places.sum(axis=1)
    values[3] = np.nan  # a simulation that failed

    def rounded(where):
        return np.round(where, 1)

    found = [response_surface.proposed(places, values, 8, 1, rounded) for _ in range(2)]
    assert (found[0] == found[1]).all()
    assert len(np.unique(np.vstack([places, found[0]]), axis=0)) == 20
    assert (rounded(found[0]) == found[0]).all()


def test_where_all_allowed_places_are_known_there_are_no_more():
    places = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    assert len(response_surface.proposed(places, np.zeros(4), 8, 1, np.round)) == 0
