# SPDX-License-Identifier: MIT
"""Damaged files of the simulator are refused with file and place, or do not change any number."""

import random
import shutil

import polars as pl
import pytest

from tcpsweep.core.parse import captures, raw_files, simulator_files
from tests.mutations import damage, seeds
from tests.support import packet_files

pytestmark = pytest.mark.long
ARGUMENTS = ["--variant=TcpCubic", "--flows=2", "--bandwidth=1Mbps", "--duration=2s", "--pcap=bottleneck"]
ARGUMENTS += ["--ascii=true"]


@pytest.fixture
def cells(simulated, dumbbell):
    """Two cells with captures, which differ only in a delay."""
    return [simulated(dumbbell, *ARGUMENTS, f"--delay={delay}ms", name=f"{delay}ms").folder for delay in (5, 6)]


def tables(raw, out):
    """All tables made of raw files, and the record without this machine's times."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    run = raw_files.cell(raw, out).run
    captures.cell(raw, out, packet_files.library())
    return {path.name: pl.read_parquet(path) for path in out.glob("*.parquet")}, run


def test_no_damaged_raw_file_changes_a_number_unnoticed(cells, tmp_path):
    raw, other = cells
    right, record = tables(raw, tmp_path / "out")
    assert {"packets.parquet", "events.parquet", "traces.parquet", "queue.parquet"} <= right.keys()
    names = sorted(path.name for path in raw.iterdir())
    refused = 0
    for seed in seeds(50):
        rng = random.Random(seed)
        victim = raw / rng.choice(names)
        content = victim.read_bytes()
        done = damage.spoil(rng, victim, [other / victim.name])
        try:
            found, run = tables(raw, tmp_path / "out")
        except simulator_files.Damaged as error:
            refused += 1
            assert str(error).startswith(str(raw)), (seed, done, error)
        else:
            assert run == record, (seed, done)
            assert found.keys() == right.keys(), (seed, done)
            for name, frame in right.items():
                assert frame.equals(found[name]), (seed, done, name)
        if victim.is_dir():
            victim.rmdir()
        victim.write_bytes(content)
    assert refused > 0.5 * len(seeds(50))
    assert tables(raw, tmp_path / "out")[1] == record
