# SPDX-License-Identifier: MIT
"""What a cell's page says happened: packets lost, timers expired, who was starved when; and where it leads."""

import polars as pl
import pytest

from tcpsweep.core.figures.cell_timeline_data import Tables
from tcpsweep.core.report import cell_neighbours, cell_story
from tcpsweep.core.sweep.sweep_parts import Published
from tcpsweep.core.sweep.sweep_record import Run
from tcpsweep.core.words import table_columns
from tests.core.report.made_pages import traces_of
from tests.support import synthetic

RTT_S = 0.01  # windows of 1 s, the least
NAMES = {0: "0", 1: "1"}


def tables(received, timeouts=(), events=(), lives=((0.0, None), (0.0, None))):
    """Tables of flows with these counts of received bytes, as rows of flow, time and bytes; events by flow."""
    rows = [(flow, "forward", "TcpCubic", begin, end, None) for flow, (begin, end) in enumerate(lives)]
    kinds = {"flow": pl.Int32, "direction": pl.String, "variant": pl.String}
    kinds |= dict.fromkeys(["start_s", "finish_s", "stop_s"], pl.Float64)
    flows = pl.DataFrame(rows, schema=kinds, orient="row")
    packets = [(event, flow) for event, flow, count in events for _ in range(count)]
    queue = pl.DataFrame(packets, schema={"event": table_columns.EVENT, "flow": pl.Int32}, orient="row")
    traces = {"received_bytes": traces_of(received)} | ({"timeouts": traces_of(timeouts)} if timeouts else {})
    return Tables(flows, traces, queue, None)


def steady(flow, end=20, but=()):
    """A flow that receives 1000 bytes in each second, but not in these."""
    count, rows = 0, [(flow, 0.0, 0)]
    for second in range(end):
        count += 0 if second in but else 1000
        rows.append((flow, second + 0.5, count))
    return rows


def told(cell, end_s=20.0, names=NAMES):
    found = cell_story.sentences(cell, cell_story.starved(cell, end_s, RTT_S), names, end_s, RTT_S)
    return ["".join(part.text for part in sentence) for sentence in found]


def test_a_flow_starves_below_a_tenth_of_an_equal_share_for_three_windows():
    # Flow 1 gets nothing in 5..8 s and in two windows at 12 s, which are too few.
    cell = tables(steady(0) + steady(1, but={5, 6, 7, 12, 13}))
    assert cell_story.starved(cell, 20.0, RTT_S) == [(1, 5.0, 8.0)]
    assert told(cell)[1] == "Flow 1 starved from 5 to 8 s (less than 10 % of an equal share for 3 s or more)."
    # A tenth of an equal share is no starving: of 1000 and x it is (1000 + x) / 20, reached by x = 1000 / 19.
    for part, count in ((1000 / 19 + 1, 0), (1000 / 19 - 1, 1)):
        little = [(1, second + 0.5, part * (second + 1)) for second in range(20)]
        assert len(cell_story.starved(tables(steady(0) + little), 20.0, RTT_S)) == count
    # Windows are as long as those of Jain's index: 20 round trips of 0.1 s.
    assert cell_story.starved(tables(steady(0) + steady(1, but=set(range(4, 12)))), 20.0, 0.1) == [(1, 4.0, 12.0)]


@pytest.mark.parametrize(
    ("rows", "lives", "starved"),
    [
        (steady(0) + steady(1, but=set(range(10))), [(0.0, None), (9.5, None)], []),
        (steady(0) + steady(1, but=set(range(10, 20))), [(0.0, None), (0.0, 10.0)], []),
        (steady(0), [(0.0, None), (0.0, None)], [(1, 0.0, 20.0)]),
    ],
    ids=["begins late", "is over", "receives nothing"],
)
def test_a_flow_that_is_not_there_does_not_starve_and_one_that_never_receives_does(rows, lives, starved):
    assert cell_story.starved(tables(rows, lives=lives), 20.0, RTT_S) == starved


def test_several_stretches_are_summed_and_the_longest_is_named_with_its_time():
    cell = tables(steady(0) + steady(1, but={2, 3, 4, 10, 11, 12, 13}))
    assert told(cell)[1].startswith("Flow 1 starved twice for 7 s in all, the longest from 10 to 14 s (")
    sentence = cell_story.sentences(cell, cell_story.starved(cell, 20.0, RTT_S), NAMES, 20.0, RTT_S)[1]
    assert [(part.from_s, part.until_s) for part in sentence if part.from_s is not None] == [(10.0, 14.0)]


def test_losses_and_timeouts_are_counted_with_the_flow_that_has_most():
    cell = tables(
        steady(0) + steady(1),
        timeouts=[(0, 3.0, 1), (1, 4.0, 1), (1, 5.0, 2), (1, 9.0, 3)],
        events=[("transmit", 0, 90), ("drop", 0, 1), ("drop_after_wait", 1, 9), ("loss", 1, 2), ("mark", 0, 1)],
    )
    # Of 90 + 1 + 9 packets 10 were dropped; those lost on the link are among the 90 that it carried.
    assert told(cell) == [
        "In 20 s, the bottleneck dropped 10 of 100 packets (10 %), 9 in flow 1, its link lost 2, all in flow 1, its "
        "disc marked 1, in flow 0, and retransmission timers expired 4 times, 3 in flow 1.",
        "No flow starved: none got less than 10 % of an equal share for 3 s or more.",
    ]


def test_what_was_not_traced_is_said():
    nothing = tables([])._replace(traces={})
    assert told(nothing) == [
        "In 20 s, the bottleneck's queue was not traced, and nothing was traced in the senders.",
        "Which flow starved is unknown, because payload was not traced.",
    ]
    calm = told(tables(steady(0) + steady(1), events=[("transmit", 0, 1234)]))[0]
    assert calm == "In 20 s, the bottleneck dropped none of 1,234 packets, and no retransmission timer expired."


@pytest.mark.parametrize(
    ("lives", "end_s", "expected"),
    [
        ([(0.0, None)], 20.0, "There was no other flow that could starve this one."),
        ([(0.0, None)] * 2, 2.0, "Whether a flow starved shows only over 3 s, longer than this simulation."),
    ],
)
def test_where_starving_cannot_be_told_the_reason_is(lives, end_s, expected):
    assert told(tables(steady(0) + steady(1)[: 21 * (len(lives) - 1)], lives=lives), end_s)[1] == expected


# Where the page leads


def test_neighbours_are_finished_runs_and_the_same_run_of_other_variants_in_the_same_network():
    rows = [{"variant": variant, "delay": delay} for delay in ("1ms", "2ms") for variant in ("A", "B", "A+B")]
    # For harm a combination more, in the network of the first ones.
    rows.append({"variant": "A+none", "delay": "1ms"})
    sweep = synthetic.record(combinations=rows, swept=6, published=Published(7, [], 0))
    finished = [Run(f"c{number}-{run}", number, run) for number in range(7) for run in (1, 2, 5)]
    finished.remove(("c1-2", 1, 2))
    found = cell_neighbours.neighbours_by_cell(sweep, finished)
    assert found["c0-2"].previous == (1, "c0-1")
    assert found["c0-2"].following == (5, "c0-5")
    assert found["c0-2"].variants == [("A", "c0-2"), ("A+B", "c2-2")]
    assert found["c1-1"].following == (5, "c1-5")
    assert (found["c1-1"].previous, found["c1-5"].following, found["c1-5"].runs) == (None, None, 2)
    assert found["c6-1"].variants == [("A+none", "c6-1")]
