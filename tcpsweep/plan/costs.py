# SPDX-License-Identifier: MIT
"""What cells cost: estimated from their parameters, corrected by what finished ones took."""

import contextlib
import json
import math
import random
import re
import time
from dataclasses import asdict, astuple, dataclass
from pathlib import Path

from tcpsweep.store import layout
from tcpsweep.sweepfile import schema
from tcpsweep.words import units

SAMPLE = 200
LEAST_SAMPLE = 3
PARSING = 0.2  # of a cell's seconds, where its raw files are there already
_HEADERS = 54  # of TCP with timestamps, IP and PPP, in bytes
_LEAST_AUTO_BUFFER = 4 << 20
_FEWEST_LOSSES = 10  # that a flow must expect, before they are taken to limit it


@dataclass(frozen=True)
class Cost:
    """What a cell takes.

    ``seconds`` of CPU time, the simulator's and that of its tables; ``memory``, the most that its processes have
    together; the sizes of its raw files and of its Parquet. Memory and sizes are in bytes.
    """

    seconds: float
    memory: float
    raw_bytes: float
    parquet_bytes: float

    def corrected(self, factors):
        """Each of it times that of another."""
        return Cost(*(mine * factor for mine, factor in zip(astuple(self), astuple(factors), strict=True)))


def packets(row):
    """How many data packets cross the bottleneck, both ways, in a run of a combination, roughly.

    A flow sends what it is offered and what its link, its socket's buffer and random losses let through, at the base
    round-trip time, and flows share the bottleneck. Losses limit it as they limit NewReno (Mathis et al., "The
    macroscopic behavior of the TCP congestion avoidance algorithm", 1997): rate = segment / RTT · √(3 / 2p).
    """
    duration_s = units.si(row["duration"], "time")
    packet_bits = 8 * (row["segment_size"] + _HEADERS)
    link_bits = min(units.si(row["bandwidth"], "rate"), _radio_bps(row)) * duration_s
    flows, crossing = row["flows"], 0.0
    for among in (range(flows), range(flows, flows + row["reverse_flows"])):
        wanted = sum(_wanted_bits(row, flow, duration_s, packet_bits) for flow in among)
        crossing += min(link_bits, wanted) / packet_bits
    return crossing + _cbr_packets(row, duration_s)


def _wanted_bits(row, flow, duration_s, packet_bits):
    """What one flow would send if it were alone."""
    limits = [units.si(_of(row.get("access_bandwidth", row["bandwidth"]), flow), "rate") * duration_s]
    if asked := _of(row["bytes"], flow):
        limits.append(8 * asked * packet_bits / (packet_bits - 8 * _HEADERS))
    if offered := _of(row["packet_rate"], flow):
        limits.append(offered * duration_s * packet_bits)
    rtt_s = round_trip_s(row, flow)
    if rtt_s and row["socket_buffer"] != "auto":
        limits.append(8 * row["socket_buffer"] / rtt_s * duration_s)
    lost = row["loss"] if row["loss_unit"] == "packet" else 1 - (1 - row["loss"]) ** (packet_bits / 8)
    if rtt_s and 0 < lost < 1:
        bits = packet_bits / rtt_s * math.sqrt(1.5 / lost) * duration_s
        # Before the first losses it goes as fast as it can.
        limits.append(bits + _FEWEST_LOSSES / lost * packet_bits)
    return min(limits)


# What a radio sends at most, of one antenna in the standard's default channel.
_RADIO_BPS = {
    "802.11a": 54e6,
    "802.11b": 11e6,
    "802.11g": 54e6,
    "802.11n": 65e6,
    "802.11ac": 433e6,
    "802.11ax": 600e6,
    "802.15.4": 250e3,
}


def _radio_bps(row):
    """What wireless stations get through together, about a third of what one sends, or no limit."""
    return _RADIO_BPS[row.get("standard", "802.15.4")] / 3 / _copies(row) if "stations" in row else math.inf


def _copies(row):
    """How many nodes of a side send a packet, one after another: in a mesh, all."""
    return 1 + row["stations"] if "mesh_radius_left" in row else 1


def _cbr_packets(row, duration_s):
    rate = units.si(row["cbr_rate"], "rate") if row["cbr_flows"] else 0
    return row["cbr_flows"] * rate * duration_s / (8 * row["cbr_packet_size"])


def round_trip_s(row, flow):
    """The time that a flow's packet and its ACK are under way when nothing queues."""
    access_s = units.si(_of(row.get("access_delay", "0s"), flow), "time")
    return 2 * (units.si(row["delay"], "time") + 2 * access_s)


def _of(value, flow):
    """A flow's value of a parameter, which may have one for each flow in turn."""
    return value[flow % len(value)] if isinstance(value, list) else value


# Of a frame in the air, for each radio that sends or receives it, of Wi-Fi and of 802.15.4; and how many beacons an
# access point of Wi-Fi sends.
_WIFI_FRAME_S, _LR_WPAN_FRAME_S = 1.3e-5, 1.3e-6
_BEACONS_PER_S = 1 / 0.1024


def _radio_frames(row, crossing):
    """How many frames all radios together send and receive.

    A data packet and its ACK are a frame each on both sides, and so is what acknowledges these; a station that joins
    takes as many. All radios of a side receive them, whether they are for them or not.
    """
    if "stations" not in row:
        return 0
    beacons = units.si(row["duration"], "time") * _BEACONS_PER_S if "standard" in row else 0
    return 2 * (row["stations"] + 1) * (4 * (crossing + row["stations"]) * _copies(row) + beacons)


# What each kind of capture adds: bytes of raw files, of Parquet, and seconds. The first for each packet, its ACK
# besides, and interface that it passes, the others for each packet and link.
_PCAP_HEADERS = (180, 28, 1.6e-6)
_PCAP_FRAME = (110, 2.2, 3e-6)  # of a frame in the air, for each radio
_ASCII = (1900, 10, 6e-5)
_ANIM = (155, 0, 3e-6)


def estimate(row, scenario, capture):
    """What a run of a combination costs, from its parameters alone.

    The factors were measured with ns-3 3.44 from its wheel on one core of a common server. Events grow with packets and
    the links that they cross, text and tables with packets.

    Parameters
    ----------
    row : dict
        The combination.
    scenario : str
    capture : dict
        The sweep's key ``capture``.

    Returns
    -------
    Cost
    """
    crossing = packets(row)
    links = schema.links(scenario)
    hops = crossing * links
    share = len(capture.traces) / len(schema.default("capture", "traces"))
    text = crossing * (135 * share + 45 * capture.queue)
    frames = _radio_frames(row, crossing)
    raw, seconds = text, 0.3 + 1.3e-5 * hops + 5e-6 * crossing
    seconds += frames * (_WIFI_FRAME_S if "standard" in row else _LR_WPAN_FRAME_S)
    parquet = 30_000 + 0.17 * text
    passed = {"none": 0, "bottleneck": crossing, "all": 2 * (crossing if frames else hops)}[capture.pcap]
    aired = frames if capture.pcap == "all" else 0
    for count, sizes in (
        (passed, _PCAP_HEADERS),
        (aired, _PCAP_FRAME),
        (capture.ascii * hops, _ASCII),
        (capture.anim * hops, _ANIM),
    ):
        raw += count * sizes[0]
        parquet += count * sizes[1]
        seconds += count * sizes[2]
    if capture.snaplen != "headers":
        # In the air, one frame in four has data.
        most = math.inf if capture.snaplen == "full" else capture.snaplen
        raw += (passed + aired / 4) * min(row["segment_size"], most)
    heard = 8 * row.get("stations", 0) ** 2  # of whom each node hears, in run.json
    simulator = 30e6 + 3e5 * (row["flows"] + row["reverse_flows"]) + 3e3 * _most_in_flight(row)
    simulator += 3e2 * _waiting(row, crossing)
    return Cost(seconds, 8e7 + max(simulator, 3 * text), 20_000 + raw + heard, parquet + heard)


def _waiting(row, crossing):
    """The most packets that TCP holds of those that applications have offered and that do not cross."""
    flows = range(row["flows"] + row["reverse_flows"])
    offered = sum(_of(row["packet_rate"], flow) for flow in flows) * units.si(row["duration"], "time")
    buffer = _LEAST_AUTO_BUFFER if row["socket_buffer"] == "auto" else row["socket_buffer"]
    return min(max(0, offered - crossing), len(flows) * buffer / row["segment_size"])


def _most_in_flight(row):
    """The packets on the way and in the queue when it is full, where it is one bandwidth-delay product."""
    way_s = max(round_trip_s(row, flow) for flow in range(row["flows"]))
    return 2 * units.si(row["bandwidth"], "rate") * way_s / (8 * (row["segment_size"] + _HEADERS))


def begin():
    """Forget the most memory that this process has had, which may be an earlier cell's; returns its CPU time so far."""
    with contextlib.suppress(OSError):  # then all its cells count as large as the largest
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    return time.process_time()


def _own_peak():
    """The most memory that this process has had since `begin`, in bytes."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return 1024 * int(re.search(r"VmHWM:\s*([0-9]+)", status)[1])


def record(parsed, raw, parsing_s, estimated):
    """Add to a cell's `run.json` under ``cost`` what it took, for `expected`.

    Parameters
    ----------
    parsed : Path
        The folder with its Parquet and its `run.json`.
    raw : Path
        That of its raw files.
    parsing_s : float
        The CPU time from these to those, since `begin`.
    estimated : dict or None
        What it was estimated to cost.
    """
    place = parsed / "run.json"
    run = json.loads(place.read_text(encoding="utf-8"))
    taken = Cost(
        run["cpu_s"] + parsing_s,
        _own_peak() + (run["peak_rss_bytes"] or 0),
        folder_bytes(raw),
        folder_bytes(parsed),
    )
    run["cost"] = {"estimated": estimated, "taken": asdict(taken)}
    place.write_text(json.dumps(run), encoding="utf-8")


def _recorded(folder):
    """The two costs that a finished cell left, or nothing."""
    try:
        said = json.loads((folder / "run.json").read_text(encoding="utf-8"))["cost"]
        return Cost(**said["estimated"]), Cost(**said["taken"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def expected(sweep, finished, parser):
    """What a run of each combination of a sweep will take.

    A combination of which a run is finished is expected to take what that took. The others are estimated, and corrected
    by what a sample of finished cells took beside their estimates: the sweep's own, or else all of the scenario.

    Parameters
    ----------
    sweep : grid.Sweep
    finished : iterable of (str, int, int)
        Its runs that are: cell, combination, run.
    parser : str
        The code id of the steps that make a cell's Parquet.

    Returns
    -------
    list of (Cost, Cost)
        The mere estimate, and what is expected, of each combination.
    """
    estimates = [estimate(row, sweep.scenario, sweep.capture) for row in sweep.combinations]
    first = {combination: cell for cell, combination, _ in sorted(finished, reverse=True)}
    known = {}
    for combination, cell in _some(sorted(first.items())):
        if found := _recorded(layout.parquet(cell, parser)):
            known[combination] = found
    seen = list(known.values())
    if len(seen) < LEAST_SAMPLE:
        seen = [found for cell in _some(_cells(sweep.scenario)) if (found := _recorded(layout.parquet(cell, parser)))]
    factors = _factors(seen)
    return [
        (mere, known[combination][1] if combination in known else mere.corrected(factors))
        for combination, mere in enumerate(estimates)
    ]


def _some(items):
    """A sample that is the same each time."""
    return random.Random(0).sample(items, SAMPLE) if len(items) > SAMPLE else items


def _cells(scenario):
    """The names of a scenario's cells that have some Parquet."""
    try:
        return sorted(path.name for path in layout.CELLS.iterdir() if path.name.startswith(f"{scenario}-"))
    except FileNotFoundError:
        return []


def _factors(seen):
    """By what estimates are to be multiplied: the ratio of the sums, of memory the greatest ratio."""
    if len(seen) < LEAST_SAMPLE:
        return Cost(1, 1, 1, 1)
    ratios = [
        sum(getattr(taken, name) for _, taken in seen) / sum(getattr(estimated, name) for estimated, _ in seen)
        for name in ("seconds", "raw_bytes", "parquet_bytes")
    ]
    memory = max(taken.memory / estimated.memory for estimated, taken in seen)
    return Cost(ratios[0], memory, *ratios[1:])


def folder_bytes(folder):
    """The bytes of the files of a folder, without those of folders in it."""
    return sum(path.stat().st_size for path in Path(folder).iterdir() if path.is_file())
