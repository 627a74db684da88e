# SPDX-License-Identifier: MIT
"""Scores against their formula, the files of a ranking's sweeps, and messages about wrong files."""

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml

from tcpsweep.core.identity import source_folders
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.rank import candidates, look, rank_sweeps, scores

TRAINING = source_folders.ROOT / "config" / "rank" / "training.yaml"
HIDDEN = TRAINING.with_name("hidden.yaml")
WEIGHTS = {"goodput": 1.0, "delay": 0.5, "loss": 0.25, "jain": 2.0, "harm": 4.0}
NETWORKS = rank_sweeps.Networks(None, ("bandwidth",), (("1Mbps",), ("2Mbps",)))


@dataclass
class Record:
    swept: int
    texts: list = field(default_factory=list)


@dataclass
class Opened:
    record: Record
    runs: pl.LazyFrame


def opened(values_by_variant):
    """An opened sweep with these metrics: by variant and bandwidth, each flow variant's values by metric."""
    record, rows = Record(len(values_by_variant)), []
    for number, ((variant, bandwidth), by_flow_variant) in enumerate(values_by_variant.items()):
        record.texts.append({"variant": variant, "bandwidth": bandwidth})
        for flow_variant, by_metric in by_flow_variant.items():
            rows += [(number, 1, flow_variant, metric, value) for metric, value in by_metric.items()]
    columns = ["combination", "run", "flow_variant", "metric", "value"]
    return Opened(record, pl.LazyFrame(rows, schema=columns, orient="row"))


def of_flows(goodput, delay, loss):
    return {"goodput_bps": goodput, "owd_mean_s": delay, "congestion_loss": loss}


ALONE = {
    ("TcpMine", "1Mbps"): {"TcpMine": of_flows(2.0, 0.04, 0.0), None: {"jain": 0.5}},
    ("TcpCubic", "1Mbps"): {"TcpCubic": of_flows(1.0, 0.02, 0.003), None: {"jain": 1.0}},
    ("TcpMine+TcpCubic", "1Mbps"): {"TcpMine": {"goodput_bps": 9.0}, "TcpCubic": {"goodput_bps": 0.25}},
}


def test_a_baseline_without_a_value_is_said_and_no_candidate_blamed():
    without_delay = {"TcpCubic": of_flows(1.0, None, 0.003), None: {"jain": 1.0}}
    for title, values in (("goodput", {}), ("one-way delay", without_delay)):
        changed = {**ALONE, ("TcpCubic", "1Mbps"): values}
        with pytest.raises(UserError, match=f"TcpCubic has no {title} in the network bandwidth 1Mbps"):
            scores.table(opened(changed), NETWORKS, "TcpCubic", WEIGHTS)


def test_a_score_is_the_weighted_sum_of_logarithms_of_ratios():
    table = scores.table(opened(ALONE), NETWORKS, "TcpCubic", WEIGHTS)
    row = table.row(0, named=True)
    assert row["candidate"] == "TcpMine" and row["network"] == 0
    # Twice the goodput, twice the delay, a loss of 0 against 0.3 %, half the fairness, a quarter left of the baseline
    expected = {"goodput": 1.0, "delay": -1.0, "loss": math.log2(4), "jain": -1.0, "harm": -2.0}
    assert {name: row[name] for name in expected} == pytest.approx(expected)
    assert row["score"] == pytest.approx(1 - 0.5 + 0.25 * 2 - 2 - 8)
    assert table.select(scores.ratio("delay"), scores.ratio("goodput")).row(0) == pytest.approx((2.0, 2.0))


def test_doing_the_baseline_good_is_no_merit_and_ratios_end_at_sixteen():
    changed = ALONE | {
        ("TcpMine", "1Mbps"): {"TcpMine": of_flows(0.001, 0.02, 0.003), None: {"jain": 1.0}},
        ("TcpMine+TcpCubic", "1Mbps"): {"TcpCubic": {"goodput_bps": 1.5}},
    }
    row = scores.table(opened(changed), NETWORKS, "TcpCubic", WEIGHTS).row(0, named=True)
    assert [row[name] for name in scores.TITLES] == [-4.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("lacking", [("TcpMine", "1Mbps"), ("TcpMine+TcpCubic", "1Mbps")])
def test_without_a_value_there_is_no_score(lacking):
    values = {key: flows for key, flows in ALONE.items() if key != lacking}
    values.setdefault(lacking, {})
    assert scores.table(opened(values), NETWORKS, "TcpCubic", WEIGHTS)["score"].drop_nulls().is_empty()


def test_a_matrix_has_a_row_for_each_candidate_and_a_column_for_each_network_in_order():
    table = pl.DataFrame({"candidate": ["A", "B", "A"], "network": [4, 4, 1], "score": [1.0, None, 3.0]})
    np.testing.assert_array_equal(scores.matrix(table, ["B", "A"]), [[math.nan, math.nan], [1.0, 3.0]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("goodput: many", "goodput: expected a number from 0 to 100, got 'many'"),
        ("goodputt: 1\njain: 1", "unknown key 'goodputt'; did you mean 'goodput'?"),
        ("3", "expected a weight for some of goodput, delay"),
        ("goodput: 0\nsmallest: 1", "all weights are 0"),
        ("{", "cannot be read as YAML"),
    ],
)
def test_wrong_weights_are_told(text, message, tmp_path):
    file = tmp_path / "weights.yaml"
    file.write_text(text)
    with pytest.raises(UserError) as told:
        scores.weights(file)
    assert message in str(told.value) and str(file) in str(told.value)


def test_the_two_files_of_networks_have_no_network_in_common_and_looks_deal_each_network_once():
    training, hidden = (rank_sweeps.networks(file) for file in (TRAINING, HIDDEN))
    assert len(training.rows) == len(hidden.rows) == 16
    assert not set(training.rows) & set(hidden.rows)
    assert (training.common(training), training.common(hidden)) == (16, 0)
    looks = look.dealt(training)
    assert [len(rows) for rows in looks] == [6, 3, 4, 3]
    assert sorted(row for rows in looks for row in rows) == list(range(16))


def test_a_sweep_has_each_candidate_alone_and_next_to_the_baseline_in_the_chosen_networks(tmp_path):
    training = rank_sweeps.networks(TRAINING)
    file = rank_sweeps.write(tmp_path, "look-1", training, [3, 0], ["/x/TcpMine.cc"], "TcpCubic")
    data = yaml.safe_load(file.read_text())
    assert data["grid"] == {"variant": ["/x/TcpMine.cc", "TcpCubic", "/x/TcpMine.cc+TcpCubic"]}
    assert data["zip"]["bandwidth"] == ["6Mbps", "10Mbps"] and data["zip"]["flows"] == [4, 2]
    assert data["repetitions"] == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"precision": {"goodput_bps": "5%"}}, "cannot use `precision`"),
        ({"zip": {"bandwidth": ["1Mbps", "2Mbps"]}}, "2 network conditions; a ranking needs 6 or more"),
        ({"fixed": {"flows": 1}, "zip": {"delay": ["1ms", "2ms", "3ms", "4ms", "5ms", "6ms"]}}, "flows: expected 2"),
    ],
)
def test_a_file_that_a_ranking_cannot_use_is_told(change, message, tmp_path):
    file = tmp_path / "networks.yaml"
    file.write_text(
        yaml.safe_dump({"sweep": "networks", "scenario": "dumbbell", "grid": {"variant": ["TcpCubic"]}} | change)
    )
    with pytest.raises(UserError) as told:
        rank_sweeps.networks(file)
    assert message in str(told.value)


def test_candidates_are_files_of_their_classes_in_order_and_wrong_ones_are_told(tmp_path):
    for name in ("TcpB.cc", "TcpA.cc", "other/TcpA.cc", "lower.cc"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    found = candidates.read([tmp_path / "TcpB.cc", tmp_path / "other"])
    assert [candidate.name for candidate in found] == ["TcpB", "TcpA"]
    told = {
        "two candidates of one name": [tmp_path / "TcpA.cc", tmp_path / "other"],
        "expected a C++ file named as its class": [tmp_path / "lower.cc"],
        "did you mean 'TcpA.cc'?": [tmp_path / "TcpAa.cc"],
        "there is no candidate": [Path(tmp_path / "empty")],
    }
    (tmp_path / "empty").mkdir()
    for message, paths in told.items():
        with pytest.raises(UserError) as error:
            candidates.read(paths)
        assert message in str(error.value)
