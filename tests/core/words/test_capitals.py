# SPDX-License-Identifier: MIT
"""Titles within sentences."""

import pytest

from tcpsweep.core.words import capitals


@pytest.mark.parametrize(
    ("title", "within"),
    [
        ("Goodput per flow", "goodput per flow"),
        ("One-way delay, 95th percentile", "one-way delay, 95th percentile"),
        ("Jain's fairness index", "Jain's fairness index"),
        ("RTT unfairness", "RTT unfairness"),
        ("CUBIC's one-way delay", "CUBIC's one-way delay"),
        ("NewReno's goodput", "NewReno's goodput"),
    ],
)
def test_a_title_within_a_sentence_keeps_names_and_abbreviations(title, within):
    assert capitals.uncapitalised(title) == within
