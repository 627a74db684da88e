# SPDX-License-Identifier: MIT
"""Each kind of traffic on a small network, compared with queueing theory and the kind's definition."""

import itertools
import json
import subprocess
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

from tcpsweep.core.ns3 import simulator_environment
from tcpsweep.core.parse import column_files
from tests.support.printed import printed, refusal
from tests.support.printed import refused as refused_by_parts

SEGMENT = 1448  # bytes of payload
WIRE = SEGMENT + 20 + 32 + 2  # with IP's, TCP's and PPP's headers
COLUMNS = dict.fromkeys(("start", "finish", "bytes", "received", "value", "extra", "alone"), "<i8")
COLUMNS |= dict.fromkeys(("traffic", "number"), "<u4") | dict.fromkeys(("from", "to"), "<i4")
# A table with an atom, a gap and a step, and its points in bytes and percent.
TABLE = Path(__file__).parent / "sizes.txt"
POINTS = [(500, 5), (1000, 20), (2000, 20), (2000, 30), (10000, 90), (40000, 100)]


@pytest.fixture(scope="session")
def program(variant_program):
    return variant_program("traffic")


@pytest.fixture
def simulate(program, tmp_path):
    """Runs a group of traffic; returns its record and its transfers."""
    numbers = itertools.count()

    def simulate(kind, *arguments):
        out = tmp_path / f"out-{next(numbers)}"
        out.mkdir()
        command, environment = [program, kind, *arguments, f"--out={out}"], simulator_environment.environment()
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        said, path = json.loads(done.stdout), out / "transfers.columns"
        rows = pl.DataFrame(column_files.read(path, path.read_bytes(), {"transfers": said["rows"]}, COLUMNS))
        traffic = said["traffic"]
        traffic["events"] = said["events"]
        assert traffic["begun"] == rows.height == traffic["finished"] + traffic["unfinished"]
        finished = rows.filter(pl.col("finish") >= 0)
        assert finished.height == traffic["finished"]
        assert finished.filter(pl.col("received") != pl.col("bytes")).height == 0
        assert rows["bytes"].sum() == traffic["offered_bytes"]
        assert rows["received"].sum() == traffic["received_bytes"]
        return traffic, rows.sort("number")

    return simulate


def seconds(rows):
    """How long each took, in s."""
    return ((rows["finish"] - rows["start"]) / 1e9).to_numpy()


@pytest.fixture
def refused(program, tmp_path):
    """What the program says to arguments that it does not take; it opens its file before it reads all of them."""
    return lambda *arguments: refusal(program, *arguments, f"--out={tmp_path}")


# --- sizes ---


def sizes_at(program, text, shares):
    mean, *sizes = map(float, printed(program, "sizes", text, *map(repr, shares)).split())
    return mean, sizes


def test_a_table_is_read_between_its_points(program, tmp_path):
    shares = [0, 0.03, 0.05, 0.125, 0.2, 0.25, 0.3, 0.6, 0.9, 0.95, 0.9999]
    mean, sizes = sizes_at(program, str(TABLE), shares)
    expected = [500, 500, 500, 750, 2000, 2000, 2000, 6000, 10000, 25000, 39970]
    assert sizes == pytest.approx(expected, abs=0.5)
    assert mean == pytest.approx(0.05 * 500 + 0.15 * 750 + 0.1 * 2000 + 0.6 * 6000 + 0.1 * 25000)
    path = tmp_path / "table.txt"
    path.write_text("".join(f"{size} {share / 100}\n" for size, share in POINTS))
    assert sizes_at(program, str(path), shares) == (pytest.approx(mean), sizes)


def test_distributions_with_a_formula(program):
    shares = [0.001, 0.1, 0.5, 0.9, 0.999]
    assert sizes_at(program, "constant:1448", shares) == (1448, [1448] * 5)
    exponential, pareto = stats.expon(scale=100e3), stats.pareto(1.5, scale=50e3 / 3)
    for text, frozen in (("exponential:100kB", exponential), ("pareto:50kB:1.5", pareto)):
        mean, sizes = sizes_at(program, text, shares)
        assert mean == pytest.approx(frozen.mean())
        assert sizes == pytest.approx(frozen.ppf(shares), abs=0.5)


def test_the_lognormal_distribution_is_cut_to_its_range(program):
    mean, deviation, least, most = 10710, 25032, 100, 2e6
    sigma = np.sqrt(np.log1p((deviation / mean) ** 2))
    frozen = stats.lognorm(sigma, scale=mean * np.exp(-(sigma**2) / 2))
    assert (frozen.mean(), frozen.std()) == (pytest.approx(mean), pytest.approx(deviation))
    shares = np.array([0, 0.001, 0.3, 0.5, 0.9, 0.9999])
    low, high = frozen.cdf([least, most])
    found, sizes = sizes_at(program, "lognormal:10710:25032:100:2MB", shares.tolist())
    assert sizes == pytest.approx(frozen.ppf(low + shares * (high - low)), abs=0.6)
    assert found == pytest.approx(frozen.expect(lambda x: x, lb=least, ub=most, conditional=True), rel=1e-6)


@pytest.mark.parametrize("table", refused_by_parts("sizes"))
def test_a_table_that_is_wrong_is_refused_with_file_and_line(refused, tmp_path, table):
    text, (line, problem) = table
    path = tmp_path / "table.txt"
    path.write_text(text)
    said = refused("arrivals", f"--sizes={path}", "--rate=1")
    assert f"--sizes: {path}, line {line}: " in said and problem in said


@pytest.mark.parametrize("case", refused_by_parts("traffic"))
def test_impossible_requests_are_refused(refused, case):
    arguments, problem = case
    assert problem in refused(*arguments.split())


# --- arrivals ---

MANY = ("--bandwidth=1Gbps", "--delay=1ms", "--senders=3", "--receivers=3", "--from_all=true", "--queue=100000p")


def test_arrivals_are_a_poisson_process_with_the_tables_sizes(simulate):
    load = 0.05
    traffic, rows = simulate("arrivals", *MANY, f"--sizes={TABLE}", f"--load={load}", "--duration=3s")
    sizes, shares = np.array(POINTS, dtype=float).T
    shares /= 100
    mean = sizes[0] * shares[0] + np.sum(np.diff(shares) * (sizes[1:] + sizes[:-1]) / 2)
    assert traffic["mean_bytes"] == pytest.approx(mean)
    assert traffic["rate_per_s"] == pytest.approx(load * 1e9 / 8 / mean)
    assert rows.height > 2000
    gaps = np.diff(rows["start"].to_numpy(), prepend=0) / 1e9
    assert stats.kstest(gaps, stats.expon(scale=1 / traffic["rate_per_s"]).cdf).pvalue > 0.01
    # At sizes with a share of their own, the test is conservative: compare the other sizes.
    smooth = rows["bytes"].to_numpy()
    smooth = smooth[(smooth > 2000) & (smooth < 40000)]
    low, high = np.interp([2000, 40000], sizes[3:], shares[3:])
    assert stats.kstest(smooth, lambda x: (np.interp(x, sizes[3:], shares[3:]) - low) / (high - low)).pvalue > 0.01
    for size, share in ((500, 0.05), (2000, 0.1)):
        assert stats.binomtest(int((rows["bytes"] == size).sum()), rows.height, share).pvalue > 0.01
    # From each of six hosts to each of the five others.
    assert rows.filter(pl.col("from") == pl.col("to")).height == 0
    pairs = rows.group_by("from", "to").len()["len"].to_numpy()
    assert pairs.size == 30
    assert stats.chisquare(pairs).pvalue > 0.01


def test_variants_see_the_same_arrivals_and_other_runs_and_groups_do_not(simulate):
    arguments = (*MANY, "--sizes=exponential:20kB", "--rate=500", "--duration=1s")
    offered = ["number", "start", "bytes", "from", "to"]
    _, plain = simulate("arrivals", *arguments, "--variant=TcpNewReno")
    _, other = simulate("arrivals", *arguments, "--variant=TcpBbr")
    assert plain.height > 400
    assert plain.select(offered).equals(other.select(offered))
    assert not plain["finish"].equals(other["finish"])
    for argument in ("--RngRun=2", "--traffic_number=1"):
        _, other = simulate("arrivals", *arguments, argument)
        assert abs(other.height - plain.height) < 150
        assert plain["start"].is_in(other["start"].to_list()).sum() == 0


def test_arrivals_keep_to_their_times_and_their_number(simulate):
    arguments = (*MANY, "--sizes=constant:5000", "--rate=200")
    _, rows = simulate("arrivals", *arguments, "--start=2s", "--stop=4s", "--duration=6s")
    assert 2e9 < rows["start"].min() < 2.1e9
    assert 3.9e9 < rows["start"].max() < 4e9
    traffic, rows = simulate("arrivals", *arguments, "--limit=50", "--duration=6s")
    assert (rows.height, traffic["finished"], traffic["unfinished"]) == (50, 50, 0)


@pytest.mark.parametrize("variant", ["TcpNewReno", "TcpCubic", "TcpBbr"])
def test_all_bytes_of_all_flows_come_through_losses(simulate, variant):
    arguments = ("--loss=0.03", "--senders=2", "--receivers=2", "--rate=20", "--sizes=exponential:50kB")
    traffic, rows = simulate("arrivals", *arguments, f"--variant={variant}", "--stop=20s", "--duration=200s")
    assert rows.height > 300
    assert (traffic["unfinished"], traffic["failed"]) == (0, 0)


def test_unfinished_and_failed_transfers_stay_in_the_count_with_their_received_bytes(simulate):
    traffic, rows = simulate("arrivals", "--rate=20", "--sizes=constant:1MB", "--duration=10s")
    assert traffic["unfinished"] > 100 and traffic["failed"] == 0
    unfinished = rows.filter(pl.col("finish") < 0)
    assert unfinished.height == traffic["unfinished"]
    assert unfinished["received"].max() < 1e6
    assert unfinished["received"].sum() > 1e6
    assert traffic["received_bytes"] < 10e6 / 8 * 10 * SEGMENT / WIRE
    lost = ("--loss=1", "--rate=10", "--limit=20", "--duration=300s", "--ns3::TcpSocket::ConnCount=2")
    traffic, rows = simulate("arrivals", *lost)
    assert (traffic["begun"], traffic["finished"], traffic["unfinished"], traffic["failed"]) == (20, 0, 20, 20)
    assert rows["received"].sum() == 0 and set(rows["value"]) == {-1}


def test_the_handshake_belongs_to_a_flows_time(simulate):
    _, rows = simulate("arrivals", "--bandwidth=1Gbps", "--delay=20ms", "--rate=5", "--sizes=constant:1000")
    # SYN, SYN-ACK, then the data: three times the way.
    assert seconds(rows.filter(pl.col("finish") >= 0)) == pytest.approx(0.06, rel=0.01)
    assert rows["value"].to_numpy() / 1e9 == pytest.approx(0.04, rel=0.01)


# --- incast ---


def test_rounds_come_every_time_or_when_the_last_is_done(simulate):
    arguments = ("incast", "--senders=3", "--bytes=20kB", "--times=4", "--bandwidth=100Mbps")
    _, rows = simulate(*arguments, "--every=500ms", "--start=1s")
    assert rows["start"].to_list() == [int(1e9 + round_ * 5e8) for round_ in range(4)]
    _, rows = simulate(*arguments)
    assert rows["start"].to_list()[1:] == rows["finish"].to_list()[:-1]
    assert (rows["extra"] > 0).all() and (rows["extra"] <= rows["finish"] - rows["start"]).all()
    # A connection that is kept has no handshake in the later rounds, one of each round has.
    kept = seconds(rows)
    _, rows = simulate(*arguments, "--persistent=false")
    assert seconds(rows)[1:].min() > kept[1:].max() + 0.009


def test_servers_draw_from_streams_of_their_own(simulate):
    arguments = ("incast", "--variant=TcpBbr", "--senders=2", "--bytes=4MB", "--times=2", "--queue=40p")
    for more, is_same in (((), False), (("--ns3::TcpBbr::Stream=4",), True)):
        one, other = (simulate(*arguments, *more, f"--traffic_number={n}")[1]["finish"] for n in (0, 1))
        assert one.equals(other) == is_same


# --- UDP ---


def test_late_packets_are_those_that_the_queue_holds_too_long(simulate):
    # A link that is slower than the flow: packet k is sent at k T, and served at (k + 1) S.
    payload, rate, link, bound, count = 1000, 1.2e6, 1e6, 0.15, 1500
    wire = (payload + 20 + 8 + 2) * 8
    interval, service = payload * 8 / rate, wire / link
    delays = (np.arange(count) + 1) * service - np.arange(count) * interval + 0.005 + 2 * wire / 1e9
    traffic, _ = simulate(
        *("realtime", "--rate=1.2Mbps", f"--packet_size={payload}", "--bandwidth=1Mbps", "--delay=5ms"),
        *("--bound=150ms", f"--stop={round(count * interval * 1e9) - 1000}ns", "--duration=20s", "--queue=100000p"),
    )
    (flow,) = traffic["flows"]
    assert (flow["sent_packets"], flow["received_packets"], flow["lost_packets"]) == (count, count, 0)
    assert flow["late_packets"] == np.count_nonzero(delays > bound)
    assert flow["late_share"] == flow["missed_share"] == flow["late_packets"] / count
    assert flow["mean_delay_s"] == pytest.approx(delays.mean(), rel=1e-6)
    assert flow["longest_delay_s"] == pytest.approx(delays.max(), rel=1e-6)


def test_a_short_queue_loses_what_it_has_no_room_for(simulate):
    # All but the first packets meet a full queue: the share that the link has no time for is lost.
    narrow = ("--bandwidth=1Mbps", "--queue=10p", "--duration=60s")
    traffic, _ = simulate("realtime", "--rate=2Mbps", "--packet_size=1000", *narrow)
    (flow,) = traffic["flows"]
    served = 1e6 / ((1000 + 30) * 8)
    assert flow["sent_packets"] == 60 * 250
    assert flow["lost_packets"] / flow["sent_packets"] == pytest.approx(1 - served / 250, abs=0.002)
    assert flow["late_packets"] == 0
    assert flow["longest_delay_s"] < 0.005 + 12 * 8.24e-3


def test_calls_are_on_and_off(simulate):
    turns = ("--on=exponential:1s", "--off=exponential:3s", "--duration=300s", "--bandwidth=100Mbps")
    traffic, _ = simulate("realtime", "--senders=10", "--receivers=2", *turns)
    sent = sum(flow["sent_packets"] for flow in traffic["flows"])
    assert sent == pytest.approx(10 * 300 * 64000 / 160 / 8 / 4, rel=0.1)
    assert {(flow["from"], flow["to"]) for flow in traffic["flows"]} == {(f"s{i}", f"r{i % 2}") for i in range(10)}


# --- on and off over TCP ---


def test_a_burst_takes_as_long_as_it_is_on_even_if_tcp_takes_nothing_and_offers_just_its_rate(simulate):
    # The first is over before the handshake is.
    _, rows = simulate("on-off", "--on=20ms", "--off=300ms", "--stop=1s", "--duration=2s", "--delay=20ms")
    assert rows["bytes"].to_list()[0] == 0 and rows["bytes"].to_list()[1] > 0
    assert seconds(rows)[0] == pytest.approx(0.02)
    assert (seconds(rows)[1:] > 0.02).all()
    _, rows = simulate("on-off", "--rate=1Mbps", "--on=2s", "--off=1s", "--stop=30s", "--duration=40s")
    assert rows["start"].to_list() == [int(burst * 3e9) for burst in range(10)]
    packets = np.ceil(2 * 1e6 / (SEGMENT * 8))
    assert set(rows["bytes"]) == {packets * SEGMENT}
    assert seconds(rows) == pytest.approx(2, abs=0.03)
    assert set(rows["value"]) == {0}


def test_bursts_as_fast_as_tcp_allows_fill_the_link_and_end(simulate):
    _, rows = simulate("on-off", "--on=3s", "--off=2s", "--queue=20p", "--duration=30s", "--stop=28s")
    full = 10e6 / 8 * SEGMENT / WIRE
    assert rows.height == 6
    for burst in rows.to_dicts():
        length = (burst["finish"] - burst["start"]) / 1e9
        assert burst["bytes"] / length == pytest.approx(full, rel=0.1)
        assert 2.9 < length < 3.3


# --- pages ---


def test_a_page_takes_its_round_trips(simulate):
    # 50 ms one way; sizes that need no time. A new connection: two round trips; then one over the same connection, two
    # over others.
    arguments = ("web", "--bandwidth=1Gbps", "--delay=50ms", "--main=constant:1000", "--object=constant:1000")
    arguments += ("--parse=100ms", "--think=1s", "--limit=3", "--request=100")
    for objects, connections, expected in ((0, 6, 0.2), (1, 6, 0.4), (3, 6, 0.5), (3, 1, 0.6)):
        traffic, rows = simulate(*arguments, f"--objects={objects}", f"--connections={connections}")
        assert rows.height == traffic["finished"] == 3
        assert seconds(rows) == pytest.approx(expected, rel=0.01)
        assert set(rows["bytes"]) == {1000 * (1 + objects)}
        assert rows["value"].to_list() == rows["extra"].to_list() == [1 + objects] * 3
        assert np.diff(rows["start"]) / 1e9 == pytest.approx(1 + expected, rel=0.01)


def test_pages_have_3gpps_objects_and_come_through_losses(simulate):
    small = ("--object=constant:100", "--main=constant:100", "--think=exponential:2s", "--duration=120s")
    traffic, rows = simulate("web", "--receivers=20", "--bandwidth=1Gbps", *small)
    assert rows.height > 500
    # Pareto with shape 1.1 from 2 on, cut at 55, whole numbers, less 2.
    pareto = stats.pareto(1.1, scale=2)
    edges = np.arange(0, 54)
    shares = np.diff(pareto.cdf(edges + 2)) / pareto.cdf(55)
    drawn = rows["value"].to_numpy() - 1
    few = np.append(np.bincount(drawn, minlength=60)[:8], np.count_nonzero(drawn >= 8))
    expected = np.append(shares[:8], 1 - shares[:8].sum()) * rows.height
    assert stats.chisquare(few, expected).pvalue > 0.01
    assert traffic["failed"] == 0
    # Pages come through losses.
    traffic, _ = simulate("web", "--receivers=5", "--loss=0.02", "--think=exponential:3s", "--duration=120s")
    assert traffic["finished"] > 100
    assert traffic["failed"] == 0
    assert traffic["unfinished"] <= 5


# --- videos ---


def test_a_video_stalls_where_the_link_is_slower(simulate):
    full = 10e6 * SEGMENT / WIRE
    for bitrate in (5e6, 12e6, 20e6):
        traffic, _ = simulate("video", f"--bitrates={bitrate / 1e6}Mbps", "--queue=30p", "--duration=80s")
        (player,) = traffic["players"]
        assert player["mean_bitrate_bps"] == bitrate
        assert player["startup_delay_s"] == pytest.approx(max(4 * bitrate / full, 0), rel=0.15)
        assert player["stalled_share"] == pytest.approx(max(0, 1 - full / bitrate), abs=0.04)
        assert (player["stalls"] > 0) == (bitrate > full)


@pytest.mark.parametrize(
    ("arguments", "chunks", "begins"),
    [
        # The third chunk, of 2.1 s each, is on its way at the stop.
        (("--chunk=1s", "--bitrates=20Mbps", "--stop=5s"), 3, 6.4),
        # The second would be asked for when the buffer has room for it.
        (("--chunk=4s", "--bitrates=1Mbps", "--buffer=5s", "--stop=2s"), 1, 3.5),
    ],
)
def test_a_player_plays_its_buffer_after_the_last_chunk(simulate, arguments, chunks, begins):
    traffic, _ = simulate("video", *arguments, "--startup=5s", "--duration=20s")
    (player,) = traffic["players"]
    assert (player["chunks"], player["stalls"], player["stalled_s"]) == (chunks, 0, 0)
    assert player["startup_delay_s"] == pytest.approx(begins, rel=0.1)


def test_a_player_keeps_its_buffer_full_and_no_fuller(simulate):
    # 2 Mbit/s over 10: it waits until the buffer has room, so chunks come as they play.
    traffic, rows = simulate("video", "--bitrates=2Mbps", "--buffer=12s", "--length=100s", "--duration=200s")
    (player,) = traffic["players"]
    assert (rows.height, player["chunks"], player["stalls"]) == (25, 25, 0)
    assert set(rows["bytes"]) == {1_000_000}
    starts = rows["start"].to_numpy() / 1e9
    assert np.diff(starts)[3:] == pytest.approx(4, abs=0.01)
    # The third chunk fills the buffer; the next is asked for when four seconds are played.
    assert starts[3] == pytest.approx(player["startup_delay_s"] + 4, abs=0.01)


def test_the_bitrate_is_chosen_by_the_buffer(program):
    # f rises from 1 Mbit/s at 0.375, the reservoir, to 8 at 0.9, the cushion's end: 1.87 at 0.44, 2.13 at 0.46, 2.67
    # at 0.5, and 4 at 0.6. The bitrate rises if f reaches the next one, and falls if f is below the one before.
    expected = {(3, 0.375): 0, (0, 0.9): 3, (0, 0.44): 0, (0, 0.46): 1, (1, 0.6): 2, (2, 0.6): 2, (3, 0.6): 3}
    expected |= {(2, 0.5): 2, (2, 0.44): 1, (3, 0.5): 2, (3, 0.44): 1}
    ladder = ("1Mbps", "2Mbps", "3Mbps", "8Mbps")
    found = {(now, at): int(printed(program, "bitrate", str(now), str(at), *ladder)) for now, at in expected}
    assert found == expected


def test_a_ladder_finds_the_links_rate(simulate):
    ladder = "--bitrates=1Mbps,2Mbps,4Mbps,8Mbps,16Mbps"
    traffic, rows = simulate("video", ladder, "--buffer=60s", "--duration=250s", "--queue=30p")
    (player,) = traffic["players"]
    assert player["stalls"] == 0
    assert rows["value"][0] == 1e6
    late = rows.filter(pl.col("start") > 100e9)["value"]
    assert set(late) <= {8e6, 16e6}
    assert late.mean() == pytest.approx(10e6 * SEGMENT / WIRE, rel=0.1)


# --- many ---


def test_a_port_that_comes_round_is_passed_over_while_it_is_in_use(program):
    assert int(printed(program, "connections")) == 10


@pytest.mark.long
def test_ports_come_round(simulate):
    # More connections than a host has ports, 16,384, one after the other.
    many = ("--rate=2000", "--limit=20000", "--sizes=constant:200", "--duration=30s")
    traffic, _ = simulate("arrivals", "--bandwidth=1Gbps", "--delay=100us", *many)
    assert (traffic["finished"], traffic["failed"]) == (20000, 0)
    assert traffic["most_connections"] < 50
