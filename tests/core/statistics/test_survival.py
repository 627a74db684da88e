# SPDX-License-Identifier: MIT
"""Survival curves, compared with SciPy, a published example, and means without censoring."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from tcpsweep.core.statistics import survival

OBSERVED = st.lists(st.tuples(st.integers(1, 30).map(float), st.booleans()), min_size=1, max_size=40)


def split(observed):
    times, ended = zip(*observed, strict=True)
    return list(times), list(ended)


def test_the_curve_of_gehans_patients():
    # Remissions of leukaemia with 6-MP in weeks, those that lasted when last seen marked: Freireich et al. 1963, Gehan
    # 1965; the curve as textbooks print it, such as Collett's and Kleinbaum and Klein's.
    ended = [6, 6, 6, 7, 10, 13, 16, 22, 23]
    lasting = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
    curve = survival.kaplan_meier([*map(float, ended), *map(float, lasting)], [True] * 9 + [False] * 12)
    printed = [(0, 1), (6, 0.857), (7, 0.807), (10, 0.753), (13, 0.690), (16, 0.627), (22, 0.538), (23, 0.448)]
    assert [(time, round(share, 3)) for time, share in curve] == printed
    assert survival.percentile(curve, 0.5) == 23
    assert survival.percentile(curve, 0.95) is None


@given(OBSERVED)
def test_the_curve_is_scipys(observed):
    times, ended = split(observed)
    data = scipy.stats.CensoredData.right_censored(times, ~np.array(ended))
    known = scipy.stats.ecdf(data).sf
    curve = survival.kaplan_meier(times, ended)
    at = np.arange(0, 32, 0.5)
    ours = [next(share for since, share in reversed(curve) if since <= time) for time in at]
    assert ours == pytest.approx(known.evaluate(at))
    horizon = max(times)
    steps = np.linspace(0, horizon, int(horizon) * 100 + 1)[:-1] + 0.005
    assert survival.restricted_mean(curve, horizon) == pytest.approx(known.evaluate(steps).mean() * horizon)


@given(OBSERVED, st.integers(1, 40))
def test_up_to_when_all_are_watched_the_mean_needs_no_curve(observed, horizon):
    times, ended = split([(time, True) if time < horizon else (time, over) for time, over in observed])
    curve = survival.kaplan_meier(times, ended)
    assert survival.restricted_mean(curve, horizon) == pytest.approx(np.minimum(times, horizon).mean())


@given(OBSERVED, st.sampled_from([0.5, 0.95, 0.99]))
def test_where_all_ended_percentiles_are_those_of_the_times(observed, share):
    times, _ = split(observed)
    curve = survival.kaplan_meier(times, [True] * len(times))
    assert survival.percentile(curve, share) == np.quantile(times, share, method="inverted_cdf")
