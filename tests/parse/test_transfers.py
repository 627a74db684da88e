# SPDX-License-Identifier: MIT
"""The table of transfers, from files as a simulator writes them."""

from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest
import yaml

from tcpsweep.parse import simulator_files, transfers
from tcpsweep.parse.simulator_files import Damaged
from tcpsweep.words import table_columns
from tests.support import raw_columns

CODES = "qqqqqqqIIii"
NODES = ["server0", "server1", "switch", "client"]
TOLD = yaml.safe_load(Path(__file__).with_name("transfers.yaml").read_text())
GROUPS, ROWS = TOLD["groups"], [tuple(row) for row in TOLD["rows"]]


def parsed(tmp_path, rows=ROWS, groups=GROUPS, nodes=NODES, count=None):
    raw_columns.write(tmp_path / "transfers.columns", [rows], CODES)
    raw_columns.write_checksums(tmp_path)
    run = {"traffic": groups, "transfers": len(rows) if count is None else count, "node_names": nodes}
    return transfers.table(simulator_files.files_in(tmp_path), run)


def test_a_transfer_has_seconds_and_names_and_no_finish_before_it_has_finished(tmp_path):
    found = parsed(tmp_path)
    assert dict(found.schema) == table_columns.schema("transfers")
    short = found.filter(pl.col("traffic") == "short").to_dicts()
    assert [row["transfer"] for row in short] == [0, 1], "in the order of the starts, not of the finishes"
    told = {"traffic": "short", "kind": "arrivals", "transfer": 1, "from": "server0", "to": "client"}
    told |= {"start_s": Decimal("1.000000001"), "finish_s": Decimal(2), "bytes": 1000, "received_bytes": 1000}
    told |= {"alone_s": Decimal("0.25"), "slowdown": 999_999_999 / 250_000_000, "handshake_s": Decimal("0.0000003")}
    assert {name: value for name, value in short[1].items() if value is not None} == told
    # The first is unfinished.
    assert (short[0]["finish_s"], short[0]["slowdown"], short[0]["handshake_s"]) == (None, None, None)
    assert (short[0]["bytes"], short[0]["received_bytes"], short[0]["alone_s"]) == (4000, 1500, Decimal("0.1"))


def test_each_kind_has_its_own_columns_and_no_other(tmp_path):
    found = parsed(tmp_path)
    own = ("handshake_s", "parts", "finished_parts", "first_part_s", "backlog_bytes", "bitrate_bps", "stalled_s")
    there = {
        (row["kind"], row["transfer"]): {name: row[name] for name in own if row[name] is not None}
        for row in found.iter_rows(named=True)
    }
    assert there == {
        ("incast", 0): {"parts": 2, "finished_parts": 2, "first_part_s": Decimal("1.5")},
        ("incast", 1): {"parts": 2, "finished_parts": 0},
        ("arrivals", 0): {},
        ("arrivals", 1): {"handshake_s": Decimal("0.0000003")},
        ("on-off", 0): {"backlog_bytes": 512},
        ("web", 0): {"parts": 9, "finished_parts": 4},
        ("video", 0): {"bitrate_bps": 4_000_000, "stalled_s": Decimal("0.000000003")},
        ("video", 1): {"bitrate_bps": 4_000_000},
    }
    assert found.filter(pl.col("kind") == "incast")["from"].to_list() == [None, None], "from several nodes"
    assert found.filter(pl.col("kind") == "incast")["slowdown"].to_list() == [None, None]


def test_without_traffic_there_is_no_table_and_with_no_transfers_an_empty_one(tmp_path):
    assert transfers.table(simulator_files.SimulatorFiles(tmp_path, {}), {"traffic": [], "transfers": 0}) is None
    assert parsed(tmp_path, rows=[]).schema == table_columns.schema("transfers")


@pytest.mark.parametrize("changed", [{"count": 7}, {"groups": GROUPS[:2]}, {"nodes": NODES[:3]}])
def test_a_file_that_does_not_fit_its_record_is_damaged(tmp_path, changed):
    lacking = "a transfer with a group of traffic or a node that the simulator's record lacks"
    problem = "8 rows of transfers; the simulator's record has 7" if "count" in changed else lacking
    with pytest.raises(Damaged, match=problem):
        parsed(tmp_path, **changed)
