# SPDX-License-Identifier: MIT
"""The section Linux and ns-3, besides its ratios: windows of both on the same axes."""

import re

import polars as pl
import pytest

from tcpsweep.core.figures import cell_traces
from tcpsweep.core.report.sections import over_time
from tcpsweep.core.store import digests, table_files
from tcpsweep.core.sweep.sweep_record import Run
from tcpsweep.core.words import table_columns
from tcpsweep.features.linux import stack_windows
from tests.support import synthetic

SETTINGS = {"variant": "TcpCubic+TcpBbr", "delay": "10ms", "duration": "20s", "segment_size": 1000}
SETTINGS |= {"flows": 2, "reverse_flows": 0}
ROWS = [SETTINGS | {"stack": stack} for stack in ("ns-3", "linux")]
# The window of the first flow with each stack, in segments by the second; the second flow always has 10.
WINDOWS = {"ns-3": {0: 10, 5: 40, 10: 20}, "linux": {0: 10, 5: 20}}


@pytest.fixture
def sweep(here):
    """A sweep whose runs 1 and 2 have finished with both stacks."""
    found = synthetic.record(
        axes={"variant": [SETTINGS["variant"]], "stack": ["ns-3", "linux"]}, combinations=ROWS, runs=(1, 2)
    )
    for number, row in enumerate(ROWS):
        windows = [(float(second), 0, 1000.0 * size) for second, size in WINDOWS[row["stack"]].items()]
        frame = pl.DataFrame([*windows, (0.0, 1, 1e4)], schema=["time_s", "flow", "value"], orient="row")
        kinds = table_columns.schema("traces")
        frame = frame.with_columns(metric=pl.lit("cwnd_bytes")).select(
            pl.col(name).cast(kind) for name, kind in kinds.items()
        )
        for run in (1, 2):
            folder = found.parquet(f"{number}-{run}")
            folder.mkdir(parents=True)
            table_files.write(frame, "traces", folder / "traces.parquet")
            digests.write(folder)
    return found


def finished(*runs):
    return [Run(f"{combination}-{run}", combination, run) for combination, run in runs]


def test_over_time_has_the_round_trips_of_both_and_says_which_are_smoothed(sweep):
    traces = [("rtt_s", 0), ("srtt_s", 0), ("srtt_s", 1), ("cwnd_bytes", 0), ("cwnd_bytes", 1)]
    trips = pl.DataFrame(
        [{"metric": name, "flow": flow, "time_s": t, "value": 0.05} for name, flow in traces for t in (1.0, 2.0)]
    )
    round_trips, smoothed = cell_traces.round_trips(cell_traces.of_flows(trips))
    assert (list(round_trips), smoothed) == ([0, 1], [1])
    lines = [{"kind": "RTT", "variant": variant} for variant in ("TcpCubic", "linux:cubic")]
    told = [over_time.smoothed(sweep, {"runs": [{"smoothed": own, "lines": lines}]}) for own in ([], ["linux:cubic"])]
    assert told == ["", "Round-trip times of linux:cubic are smoothed, because there are no single samples."]


def test_both_windows_are_on_the_same_axes(sweep):
    (mix,) = stack_windows.window_pictures(sweep, finished((0, 1), (0, 2), (1, 2)))
    assert [name for name, _ in mix.flows] == ["TcpCubic", "TcpBbr"]
    (picture,) = mix.pictures
    assert (picture.run, picture.is_cut) == (2, False)
    assert picture.seconds[-1] == (100, "20")
    assert [text for _, text in picture.ticks] == ["0", "20", "40"]
    (ns3, of_ns3), (linux, of_linux) = picture.rows
    assert (ns3, linux) == ("ns-3", "linux")
    # The largest window of both is at the top, half of it in the middle, at a quarter of the time.
    for lines, y in ((of_ns3, 0), (of_linux, stack_windows.HEIGHT // 2)):
        _, is_faint, path = lines[0]
        points = [tuple(map(int, pair)) for pair in re.findall(r"(\d+) (\d+)", path)]
        assert min(points, key=lambda point: point[1]) == (stack_windows.WIDTH // 4, y)
        assert not is_faint
    assert len({number for number, _, _ in of_ns3}) == 2


def test_without_a_run_of_both_there_is_no_picture(sweep):
    assert stack_windows.window_pictures(sweep, finished((0, 1), (1, 2))) == []
