# SPDX-License-Identifier: MIT
"""A search finds a congestion control that is broken on purpose, in a corner of the networks that it looks over."""

import json
import shutil

import polars as pl
import pytest

from tests.support.project import swept
from tests.support.tools import ROOT

FAULT_S = 0.14  # the round trip beyond which the broken one keeps ten segments in flight


@pytest.mark.long
def test_a_search_finds_where_a_variant_is_broken(project):
    shutil.copy(ROOT / "tests" / "programs" / "TcpBrokenBbr.cc", project / "ns3-scenarios" / "variants")
    rows = {row["role"]: row for row in searched(project)}
    found = rows["found"]
    assert 2 * found["delay_s"] > FAULT_S - 0.02, "the round trip has transmission times, too"
    assert found["high"] < -0.3
    assert found["shows"]
    # Ten segments of each of two flows in a round trip, of what the link carries.
    most = 2 * 10 * 1500 * 8 / FAULT_S / found["bandwidth_bps"]
    assert found["mean"] < -0.5 * (1 - min(1, most))


def searched(project):
    """The networks of the search, which ends, in their order."""
    shutil.copy(ROOT / "tests" / "scenarios" / "sweeps" / "broken.yaml", project / "sweep.yaml")
    swept(project)
    folder = project / "results" / "sweeps" / "broken"
    ran = len(json.loads((folder / "covered.json").read_text()))
    # A check is ten cells.
    assert 80 - 20 < ran <= 80, "the budget is spent"
    return pl.read_parquet(folder / "search.parquet").iter_rows(named=True)
