# SPDX-License-Identifier: MIT
"""Links that deliver when a trace says so, against a replay by the rules of mm-link, packet by packet."""

import bisect
import itertools
import random
import re

import pytest

from tests.support.printed import refused
from tests.support.tools import ROOT

MS = 1_000_000  # in ns
OPPORTUNITY = 1500  # bytes of an IP packet
PPP = 2
CELLULAR = ROOT / "config" / "traces" / "cellular.trace"


def opportunities(times):
    """The times of all opportunities in ns, without end."""
    for begin in itertools.count(0, times[-1]):
        for time in times:
            yield (begin + time) * MS


def replay(times, arrivals, room=10**9):
    """When packets begin and end, as mm-link shares opportunities; of (time in ns, bytes) of each, and of its queue.

    It follows the manual of mm-link and its `link_queue.cc`. A packet that arrives at the time of an opportunity comes
    after it. A packet is taken from the queue when there are bytes for it. Unused bytes of an opportunity are lost.
    """
    begin, end, dropped, used = {}, {}, [], 0
    queue, waiting, left = [], list(enumerate(arrivals)), 0
    for time in opportunities(times):
        while waiting and waiting[0][1][0] < time:
            packet, (_, size) = waiting.pop(0)
            if len(queue) < room:
                queue.append((packet, size))
            else:
                dropped.append(packet)
        budget = OPPORTUNITY
        while budget and (left or queue):
            if not left:
                current, left = queue.pop(0)
                begin[current] = time
            sent = min(budget, left)
            left, budget = left - sent, budget - sent
            if not left:
                end[current] = time
        used += budget < OPPORTUNITY
        if not (waiting or queue or left):
            return begin, end, dropped, used


@pytest.fixture
def trace(tmp_path):
    """Writes times in ms as a trace; returns its path."""

    def trace(times):
        path = tmp_path / "link.trace"
        path.write_text("".join(f"{time}\n" for time in times))
        return path

    return trace


def at_once(sizes, packets):
    """Packets of these sizes, in turn, that arrive at the same time."""
    return [(0, size) for size in itertools.islice(itertools.cycle(sizes), packets)]


def assert_as_replayed(changing_link, path, times, arrivals, room=10**9, **options):
    """Send packets over a link with a trace, and compare all events with the replay; returns the events."""
    sizes = ",".join(str(size) for _, size in arrivals)
    ran = changing_link(trace=path, sizes=sizes, packets=len(arrivals), **options)
    begin, end, dropped, used = replay(times, arrivals, room)
    assert ran.times("b") == begin
    assert ran.times("e") == end
    assert ran.times("r") == {packet: time + 10 * MS for packet, time in end.items()}
    assert ran.order("d") == dropped
    assert ran.order("e") == sorted(end)
    assert ran.end["used"] == used
    return ran


@pytest.mark.parametrize("sizes", [(1500,), (700,), (64,), (1500, 64, 700), (1499, 1), (29, 1500, 1500, 751)])
# Opportunities at 0 come too early, but for the second round on.
@pytest.mark.parametrize("times", [(1,), (1, 1, 3, 10), (0, 0, 5), (7, 7, 7, 7), (2, 3, 3, 50, 51, 200)])
def test_a_saturating_udp_flow_leaves_as_the_replay_says(changing_link, trace, times, sizes):
    sizes = [max(size, 29) for size in sizes]
    packets = 60  # several rounds of each trace
    assert_as_replayed(changing_link, trace(times), times, at_once(sizes, packets))


def test_a_cellular_trace_as_the_replay_says(changing_link):
    times = [int(line) for line in CELLULAR.read_text().splitlines()]
    sizes, packets = (1500, 1500, 52, 700, 1480, 64), 12000
    ran = assert_as_replayed(changing_link, CELLULAR, times, at_once(sizes, packets), queue="20000p")
    assert ran.times("e")[packets - 1] > times[-1] * MS  # round the end


@pytest.mark.parametrize("gap_us", [130, 777, 1000, 2000, 3100])
@pytest.mark.parametrize("room", [2, 1000])
def test_packets_that_come_one_by_one(changing_link, trace, gap_us, room):
    # Those that come at the time of an opportunity, at whole milliseconds, miss it.
    times, sizes, packets = (1, 2, 4, 4, 9, 15, 15, 16), (1500, 600, 64), 200
    arrivals = [(i * gap_us * 1000, sizes[i % len(sizes)]) for i in range(packets)]
    options = {"gap": f"{gap_us}us", "queue": f"{room}p"}
    assert_as_replayed(changing_link, trace(times), times, arrivals, room=room, **options)


@pytest.mark.parametrize("disc", ["FifoQueueDisc", "FqCoDelQueueDisc", "PfifoFastQueueDisc"])
def test_a_queue_disc_feeds_the_link_in_time(changing_link, trace, disc):
    # The disc gives the device one packet at a time, and several go in one opportunity.
    times, sizes, packets = (1, 1, 3, 10, 11), (64, 700, 1500, 64, 64), 100
    options = {"queue": "1000p", "queue_disc": disc}
    assert_as_replayed(changing_link, trace(times), times, at_once(sizes, packets), **options)


def test_an_idle_link_costs_nothing(changing_link, trace):
    some = changing_link(trace=trace(range(1, 1001)), packets=1, duration="1s")
    long = changing_link(trace=trace(range(1, 1001)), packets=1, duration="10000s")
    assert long.end["events"] == some.end["events"] < 20


def test_sizes_on_the_link_are_those_with_ppp(changing_link, trace):
    ran = changing_link(trace=trace((1,)), sizes="1500", packets=1)
    assert {size for event, _, _, size in ran.rows if event in "ber"} == {1500 + PPP}


def test_opportunities_by_number_and_by_time(link_parts, trace):
    draws = random.Random(3)
    times = sorted(draws.randrange(0, 500) for _ in range(300))
    all_times = list(itertools.islice(opportunities(times), 2100))
    numbers = [0, 1, 299, 300, 301, 1999, *(draws.randrange(2000) for _ in range(100))]
    instants = [0, 1, times[-1] * MS, times[-1] * MS - 1, *(draws.randrange(3 * times[-1] * MS) for _ in range(200))]
    instants += [all_times[number] for number in numbers[:50]]
    read, *found = link_parts(
        ("trace", trace(times)), *(("time", n) for n in numbers), *(("after", t) for t in instants)
    )
    count, period, rate = read.split()
    assert (int(count), int(period)) == (300, times[-1] * MS)
    assert int(rate) == pytest.approx(300 * OPPORTUNITY * 8 / (times[-1] / 1000), abs=1)
    assert [int(text) for text in found] == [
        *(all_times[number] for number in numbers),
        *(bisect.bisect_right(all_times, instant) for instant in instants),
    ]


@pytest.mark.parametrize("text", ["1\n2", "1\r\n2\r\n", "001\n2\n"])
def test_ends_of_lines(link_parts, tmp_path, text):
    path = tmp_path / "t"
    path.write_bytes(text.encode())
    assert link_parts(("trace", path))[0].split()[:2] == ["2", str(2 * MS)]


@pytest.mark.parametrize("case", refused("trace"))
def test_a_bad_line_is_told_with_file_and_number(link_parts, refused_link, tmp_path, case):
    text, (line, problem) = case
    path = tmp_path / "bad.trace"
    path.write_text(text)
    (said,) = link_parts(("trace", path))
    assert said.startswith(f"{path}:{line}: ")
    assert said.endswith(problem)
    assert refused_link(trace=path) == f"changing-link: --trace: {said}\n"


def test_a_file_that_is_empty_or_cannot_be_read(link_parts, tmp_path):
    (tmp_path / "empty").touch()
    assert link_parts(("trace", tmp_path / "empty"), ("trace", tmp_path / "missing"), ("trace", tmp_path)) == [
        f"{tmp_path}/empty: a trace has at least one line, and this file is empty",
        f"cannot read '{tmp_path}/missing': No such file or directory",
        f"cannot read '{tmp_path}': Is a directory",
    ]


def test_the_traces_of_config_are_what_their_page_makes(tmp_path, monkeypatch):
    page = (ROOT / "config" / "traces" / "README.md").read_text()
    (code,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    for name in ("cellular.trace", "satellite.csv"):
        assert (tmp_path / name).read_bytes() == (CELLULAR.parent / name).read_bytes()
