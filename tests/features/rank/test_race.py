# SPDX-License-Identifier: MIT
"""The race: its test against scipy's, its errors and savings on made-up scores, and its limits."""

import numpy as np
import pytest
import scipy.stats

from tcpsweep.features.rank import race

NETWORKS, ROUND = 24, 6


def run(scores, **options):
    """The candidates that stay after all rounds, and the share of simulations that the race saves."""
    count = len(scores)
    seen, running, simulations = np.full(scores.shape, np.nan), np.ones(count, bool), 0
    for end in range(ROUND, NETWORKS + 1, ROUND):
        places = slice(end - ROUND, end)
        seen[running, places] = scores[running, places]
        simulations += running.sum() * ROUND
        running = race.outliving(seen[:, :end], running, NETWORKS // ROUND, **options)
    return running, 1 - simulations / scores.size


def shares(mu, noise, races=150):
    """How often the first candidate leaves, and the mean share of simulations that is saved."""
    results = [run(mu[:, None] + noise((len(mu), NETWORKS)), halving=False) for _ in range(races)]
    return np.mean([not running[0] for running, _ in results]), np.mean([saved for _, saved in results])


def test_a_candidate_leaves_by_the_t_test_against_those_that_led_before():
    rng = np.random.default_rng(1)
    scores = rng.normal(-np.linspace(0, 4, 30)[:, None], 1, (30, 6))
    leaders = [int(scores[:, :end].mean(axis=1).argmax()) for end in range(1, 6)]
    p = [
        scipy.stats.ttest_1samp(
            [scores[leader, end] - row[end] for end, leader in enumerate(leaders, 1)], 0, alternative="greater"
        ).pvalue
        for row in scores
    ]
    expected = ~(np.array(p) <= 0.04 / 3)
    expected[scores.mean(axis=1).argmax()] = True
    stays = race.outliving(scores, np.ones(30, bool), 3)
    assert 0 < stays.sum() < 30
    assert (stays == expected).all()


# The bound is 4 % and, in 150 races, three standard errors of this.
@pytest.mark.parametrize("kind", ["normal", "heavy tails", "correlated"])
def test_a_true_first_rarely_leaves_if_all_are_equal(kind):
    rng = np.random.default_rng(2)
    noise = {
        "normal": rng.standard_normal,
        "heavy tails": lambda shape: rng.standard_t(3, shape),
        "correlated": lambda shape: rng.standard_normal((1, shape[1])) * 5 + rng.standard_normal(shape),
    }[kind]
    wrong, _ = shares(np.zeros(30), noise)
    assert wrong <= 0.04 + 3 * (0.04 * 0.96 / 150) ** 0.5


def test_a_race_of_spread_candidates_saves_half():
    wrong, saved = shares(-np.linspace(0, 8, 100), np.random.default_rng(3).standard_normal, races=30)
    assert wrong <= 0.1
    assert saved >= 0.5


def test_what_is_common_to_a_network_makes_no_difference():
    rng = np.random.default_rng(4)
    scores = rng.normal(-np.linspace(0, 6, 20)[:, None], 1, (20, 12))
    everywhere = scores + 100 * rng.standard_normal(12)
    running = np.ones(20, bool)
    assert (race.outliving(scores, running, 2) == race.outliving(everywhere, running, 2)).all()


def test_candidates_that_left_stay_out_and_lead_no_more():
    scores = np.tile(np.arange(5.0, 0, -1), (12, 1)).T + 0.01 * np.random.default_rng(5).standard_normal((5, 12))
    scores[0, 6:] = np.nan  # the first of the first round did not run in the second
    running = np.array([False, True, True, True, True])
    assert race.outliving(scores, running, 2).tolist() == [False, True, False, False, False]


def test_five_networks_decide_nothing():
    scores = np.array([[9.0, 9.1, 9.2, 9.0, 9.1], [0.0, 0.1, 0.0, 0.1, 0.0]])
    assert race.outliving(scores, np.ones(2, bool), 1).all()


def test_equal_candidates_all_stay():
    assert race.outliving(np.zeros((7, 12)), np.ones(7, bool), 1).all()


@pytest.mark.parametrize(("count", "most"), [(10, 5), (7, 4), (1, 1)])
def test_halving_keeps_the_better_half(count, most):
    scores = np.random.default_rng(6).standard_normal((count, 6))
    stays = race.outliving(scores, np.ones(count, bool), 3, halving=True)
    assert stays.sum() == most
    assert scores[stays].mean(axis=1).min() >= np.sort(scores.mean(axis=1))[-most]


def test_a_candidate_without_scores_in_some_networks_is_compared_in_the_others():
    rng = np.random.default_rng(7)
    scores = np.array([np.zeros(12), np.full(12, -3.0)]) + 0.1 * rng.standard_normal((2, 12))
    scores[1, ::4] = np.nan
    assert race.outliving(scores, np.ones(2, bool), 1).tolist() == [True, False]
