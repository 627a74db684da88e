# SPDX-License-Identifier: MIT
"""What holds of a sweep of any size: tables made block by block, a page that stays small enough to open."""

import numpy as np
import polars as pl
import pytest
import synthetic

from tcpsweep import aggregate, statistics

SWEEP = """
sweep: many
scenario: dumbbell
grid: {variant: [TcpCubic, TcpNewReno, TcpCubic+TcpNewReno], delay: [5ms, 10ms]}
repetitions: 3
fixed: {flows: 2, duration: 10s, warmup: 2s}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return synthetic.sweep(SWEEP, lambda row, run: [1e6 + 1e4 * run, 2e6 + 3e4 * run**2])


def tables(folder):
    frames = {path.name: pl.read_parquet(path) for path in sorted(folder.glob("*.parquet"))}
    return frames, {path.name: path.read_bytes() for path in [*folder.glob("*.csv"), *folder.glob("summary.*[mx]")]}


def test_blocks_of_any_size_make_the_same_tables(folder, monkeypatch):
    frames, texts = tables(folder)
    assert frames["flows.parquet"].height == 3 * 2 * 3 * 2
    for runs in (1, 4):
        monkeypatch.setattr(aggregate, "BLOCK_RUNS", runs)
        aggregate.write(folder)
        again, same = tables(folder)
        assert same == texts
        for name, frame in frames.items():
            assert frame.equals(again[name]), name


def test_a_block_holds_whole_combinations(monkeypatch):
    monkeypatch.setattr(aggregate, "BLOCK_RUNS", 3)
    runs = [(f"{combination}-{run}", combination, run) for combination in range(4) for run in range(2)]
    assert [[run[1] for run in block] for block in aggregate.blocks(runs)] == [[0, 0, 1, 1], [2, 2, 3, 3], []]


def test_a_bootstrap_of_many_values_ends_at_the_percentiles_that_numpy_finds():
    values = np.random.default_rng(3).normal(5, 1, (4, 12))
    low, high = statistics.expanded_percentile(values)
    weights, _ = statistics._resamples(12)
    # Hesterberg 2015: Φ(−√(12/11) · t(11; 0.975)) = Φ(−2.2989).
    ends = np.percentile(values @ weights.T, [1.0756, 98.9244], axis=1, method="inverted_cdf")
    assert low == pytest.approx(ends[0], rel=1e-12)
    assert high == pytest.approx(ends[1], rel=1e-12)
