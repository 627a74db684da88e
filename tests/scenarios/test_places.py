# SPDX-License-Identifier: MIT
"""Flow positions in a custom topology, in real ns-3: an effect of the position is not attributed to a variant."""

import polars as pl
import pytest

from tcpsweep.core.analysis import comparisons, paired_runs
from tcpsweep.core.measure import cell_metrics
from tcpsweep.core.parse import raw_files
from tcpsweep.core.statistics.means import student_t
from tcpsweep.core.sweep import assignment, rotations
from tcpsweep.core.sweep.span import Span
from tests.support import synthetic
from tests.support.networks import commands, read
from tests.support.tools import ROOT

SWEEP = (ROOT / "tests" / "scenarios" / "sweeps" / "places.yaml").read_text()


@pytest.fixture(scope="module")
def goodputs(kept, tmp_path_factory):
    """The sweep, and each variant's goodput in each run, as `summaries.by_run` gives them."""
    sweep = read(SWEEP)
    rows = []
    for cell in commands(sweep):
        made = kept("network", *cell.arguments, f"--RngRun={cell.run}")
        parsed = raw_files.cell(made.folder, tmp_path_factory.mktemp("parsed"))
        measures = cell_metrics.tables(parsed, "c", Span(5.0, 40.0))["measures"]
        for variant, value in measures.filter(metric="goodput_bps").select("variant", "value").rows():
            rows.append((0, variant, "goodput_bps", cell.run, f"{cell.run}", value, True))
    return sweep, synthetic.by_run(rows)


def difference(sweep, values, lengths):
    """How much more CUBIC gets than Reno in Mbit/s, half the width of its interval, and over how many replicates."""
    compared = comparisons.pairs(sweep).filter(pl.col("own").is_not_null()).with_row_index("pair")
    rows = paired_runs.paired(values, compared, lengths)
    (row,) = paired_runs.sums(rows, ["variant"], paired_runs.finished_runs(rows)).iter_rows(named=True)
    sign = 1 if row["variant"] == "TcpCubic" else -1
    half = student_t([row["degrees"]])[0] * row["error"]
    return sign * row["difference"] / 1e6, half / 1e6, row["runs"]


@pytest.mark.long
def test_a_positions_effect_is_not_attributed_to_a_variant(goodputs):
    sweep, values = goodputs
    (row,) = sweep.combinations
    assert [assignment.flow_variants(row, run)[0] for run in (1, 2, 3)] == ["TcpLinuxReno", "TcpCubic", "TcpLinuxReno"]
    lengths = rotations.lengths(sweep.combinations)
    assert lengths == [2]
    # As if no variant changed places: with Reno near in every run, CUBIC far.
    kept = values.filter(pl.col("run") % 2 == 1)
    place, *_ = difference(sweep, kept, [1])
    assert place < -1
    by_runs, by_rotations = (difference(sweep, values, each) for each in ([1], lengths))
    assert (by_runs[2], by_rotations[2]) == (10, 5)
    assert by_runs[0] == pytest.approx(by_rotations[0])
    assert abs(by_rotations[0]) < -place / 2
    assert by_rotations[1] < by_runs[1] / 2
