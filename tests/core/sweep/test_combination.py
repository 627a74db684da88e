# SPDX-License-Identifier: MIT
"""Combinations: nobody can change them, and equal ones count once."""

import operator
import pickle

import pytest

from tcpsweep.core.sweep.matching import Combination

VALUES = {"variant": "TcpCubic+TcpBbr", "start": ["0s", "1s"], "duration": "2min", "warmup": "auto"}
ROW = Combination("dumbbell", VALUES)


def test_a_combination_cannot_be_changed():
    for change in (
        lambda row: row.__setitem__("variant", "TcpBbr"),
        lambda row: row.update(variant="TcpBbr"),
        lambda row: row.pop("variant"),
        operator.methodcaller("clear"),
    ):
        with pytest.raises(TypeError, match="a combination does not change"):
            change(ROW)
    given = dict(VALUES)
    row = Combination("dumbbell", given)
    given["variant"] = "TcpBbr"
    assert row == ROW


def test_equal_combinations_count_once_in_any_order():
    assert {ROW, Combination("dumbbell", dict(reversed(VALUES.items())))} == {ROW}
    others = [Combination("chain", VALUES), ROW.with_values({"start": ["1s", "0s"]}), ROW.with_values({"loss": 0.1})]
    assert len({ROW, *others}) == 4
    assert VALUES not in (ROW, *others)


def test_a_copy_has_the_other_values_in_their_old_places_and_new_ones_at_the_end():
    copy = ROW.with_values({"loss": 0.1, "start": "3s"})
    assert list(copy.items()) == list((VALUES | {"start": "3s", "loss": 0.1}).items())
    assert ROW["start"] == ["0s", "1s"]
    assert "loss" not in ROW


def test_processes_send_combinations_to_each_other():
    sent = pickle.loads(pickle.dumps(ROW))
    assert sent == ROW
    assert list(sent) == list(VALUES)


def test_it_says_its_mix_and_its_times():
    assert (ROW.variant, ROW.mix.turns) == ("TcpCubic+TcpBbr", ("TcpCubic", "TcpBbr"))
    assert (ROW.duration_s, ROW.warmup_s) == (120.0, 0.0)
    assert ROW.with_values({"warmup": "500ms"}).warmup_s == 0.5
