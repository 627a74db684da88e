# SPDX-License-Identifier: MIT
"""Places with their intervals, against scipy's tests, and their coverage on made-up scores."""

import numpy as np
import pytest
import scipy.stats

from tcpsweep.features.rank import places

NAMES = [f"Tcp{letter}" for letter in "ABCDEFGH"]


def made_up(mu, networks, seed, noise="normal"):
    rng = np.random.default_rng(seed)
    shape = (len(mu), networks)
    return np.asarray(mu)[:, None] + (rng.standard_t(3, shape) if noise == "t" else rng.standard_normal(shape))


def holm(p):
    """Whether each of a list of p-values is shown at 5 %, by Holm's steps one after the other."""
    shown = [False] * len(p)
    for step, number in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        if p[number] > 0.05 / (len(p) - step):
            break
        shown[number] = True
    return shown


def test_intervals_count_what_paired_t_tests_show():
    scores = made_up([0, 0, -1, -1.5, -4], 16, 1)
    pairs = [(i, j) for i in range(5) for j in range(5) if i != j]
    p = {pair: scipy.stats.ttest_rel(*scores[list(pair)], alternative="greater").pvalue for pair in pairs}
    table = places.table(scores, NAMES[:5])
    widths = []
    for number in range(5):
        own = [pair for pair in pairs if number in pair]
        shown = [pair for pair, is_shown in zip(own, holm([p[pair] for pair in own]), strict=True) if is_shown]
        expected = 1 + sum(j == number for _, j in shown), 5 - sum(i == number for i, _ in shown)
        assert table.select("first_place", "last_place").row(number) == expected
        widths.append(expected[1] - expected[0])
    assert 0 in widths and max(widths) > 0
    order = scipy.stats.rankdata(-scores.mean(axis=1)).astype(int)
    assert table["place"].to_list() == order.tolist()


def test_equal_candidates_share_all_places():
    table = places.table(np.zeros((4, 14)), NAMES[:4])
    assert table.select("place", "first_place", "last_place").unique().rows() == [(1, 1, 4)]
    assert table["verdict"].to_list() == ["equivalent"] * 4


def test_no_place_is_outside_of_its_interval():
    scores = made_up(np.linspace(0, -6, 8), 24, 2)
    scores[4:, 6:] = np.nan  # four left a race after the first round
    table = places.table(scores, NAMES, 4)
    assert (table["place"] >= table["first_place"]).all()
    assert (table["place"] <= table["last_place"]).all()
    assert table["networks"].to_list() == [24] * 4 + [6] * 4


def test_candidates_that_left_are_compared_in_the_networks_that_both_have():
    scores = np.array([[0.0] * 6 + [-9.0] * 6, [-1.0] * 6 + [np.nan] * 6])
    scores[:, :6] += 0.1 * np.random.default_rng(3).standard_normal((2, 6))
    assert places.table(scores, NAMES[:2])["place"].to_list() == [1, 2]
    assert places.table(scores, NAMES[:2])["last_place"].to_list() == [1, 2]


def test_more_rounds_show_less():
    scores = made_up([0, -1.2], 12, 4)
    widths = [
        (table["last_place"] - table["first_place"]).sum()
        for table in (places.table(scores, NAMES[:2], decisions) for decisions in (1, 1000))
    ]
    assert widths == [0, 2]


# 95 % of 200 tables, less three standard errors.
@pytest.mark.parametrize("noise", ["normal", "t"])
@pytest.mark.parametrize("networks", [8, 16])
def test_a_true_place_is_in_its_interval(noise, networks):
    mu = np.array([0, 0, 0, -1, -1, -2, -3, -3])
    first, last = (1 + (mu > mu[:, None]).sum(axis=1), 8 - (mu < mu[:, None]).sum(axis=1))
    covered = np.zeros(8)
    for seed in range(200):
        table = places.table(made_up(mu, networks, seed, noise), NAMES)
        covered += (table["first_place"].to_numpy() <= first) & (last <= table["last_place"].to_numpy())
    assert (covered / 200).min() >= 0.95 - 3 * (0.95 * 0.05 / 200) ** 0.5


def test_the_verdict_follows_from_the_interval_of_the_mean():
    scores = made_up([2, -2, 0], 24, 5) * [[0.5], [0.5], [0.01]]
    table = places.table(scores, NAMES[:3], smallest=0.1)
    assert table["verdict"].to_list() == ["better", "worse", "equivalent"]
    low, high = table["low"].to_list(), table["high"].to_list()
    assert low[0] > 0.1 and high[1] < -0.1 and -0.1 < low[2] < high[2] < 0.1


def test_one_candidate_has_students_interval():
    scores = made_up([1.5], 14, 6)
    table = places.table(scores, NAMES[:1])
    expected = scipy.stats.t.interval(0.95, 13, scores.mean(), scipy.stats.sem(scores[0]))
    assert (table["low"][0], table["high"][0]) == pytest.approx(expected)
    assert table.select("mean", "place", "first_place", "last_place").row(0) == (scores.mean(), 1, 1, 1)


def test_without_candidates_the_table_is_empty():
    assert places.table(np.empty((0, 0)), []).is_empty()


def test_few_networks_carry_no_verdict():
    assert places.table(np.array([[1.0, 1.1, 0.9]]), NAMES[:1])["verdict"].to_list() == ["too few networks"]


def test_noise_is_not_told_apart_from_the_baseline():
    assert places.table(made_up([0.1], 24, 7), NAMES[:1], smallest=0.1)["verdict"].to_list() == ["not told apart"]
