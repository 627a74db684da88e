# SPDX-License-Identifier: MIT
"""Settings that do not go together, each right by itself: what is refused by name, and what is warned about."""

from tcpsweep.sweep import harm_combinations
from tcpsweep.sweepfile import schema, wireless
from tcpsweep.sweepfile.yaml_document import Problem
from tcpsweep.words import units


def harm_problems(row):
    """What keeps a mix's variants from having the same network alone, as `Problem`."""
    if len(harm_combinations.flows_of(row)) < 2:
        return
    lists = [name for name, value in row.items() if isinstance(value, list)]
    if lists:
        yield Problem(("harm",), f"{lists[0]} has a value per flow: a variant alone would not have the same network")
    if row["reverse_flows"]:
        yield Problem(("harm",), "reverse_flows take a mix's variants too: without them they would not be the same")


# Queue discs of ns-3 that never mark a packet.
_UNMARKING = ("none", "FifoQueueDisc", "PfifoFastQueueDisc", "PrioQueueDisc", "TbfQueueDisc", "MqQueueDisc")
_HEADER_BYTES = 54  # IPv4 20 B, TCP 20 B, timestamps 12 B, PPP 2 B
# Headers of IP and of TCP with timestamps, and what fits on all links (RFC 8200, 5, for IPv6).
_PACKETS = {4: (20 + 32, 1500), 6: (40 + 32, 1280)}
LEAST_PACKET_RATE = 1e-6
_VOID_LOSS = 0.1  # of full packets


def _place(data, *names):
    """Where in the sweep file the first of the parameters that it names has its values."""
    for name in names:
        for section in ("fixed", "attributes", "grid", "zip"):
            content = data.get(section, {})
            blocks = [((section, i), block) for i, block in enumerate(content)] if isinstance(content, list) else []
            for path, block in blocks or [((section,), content)]:
                if name in block:
                    return (*path, name)
    return ()


def capture_problems(capture):
    """What of a sweep file's ``capture`` does not go together, as `Problem`."""
    if capture.get("anim") and not capture.get("keep_raw"):
        yield Problem(
            ("capture", "anim"),
            "anim.xml would be removed with the other raw files; add `keep_raw: true` to `capture`",
        )


def problems(data, row):
    """Values of one combination that do not go together.

    Parameters
    ----------
    data : dict
        The sweep file's data, which knows their places.
    row : dict
        The combination: every parameter's normal form.

    Yields
    ------
    Problem
    """
    if row["warmup"] == "auto":
        if "received_bytes" not in data.get("capture", {}).get("traces", ["received_bytes"]):
            yield Problem(
                ("capture", "traces"),
                "`warmup: auto` is found in the trace received_bytes; add it to `capture.traces` or give a time",
            )
    elif units.si(row["warmup"], "time") >= units.si(row["duration"], "time"):
        yield Problem(
            _place(data, "warmup", "duration"),
            f"warmup ({row['warmup']}) must be shorter than duration ({row['duration']})",
        )
    headers, mtu = _PACKETS[schema.ip(data["scenario"])]
    if row["segment_size"] + headers > mtu:
        yield Problem(
            _place(data, "segment_size"),
            f"segments of {row['segment_size']} B and {headers} B of headers exceed the MTU of {mtu} B; "
            f"at most {mtu - headers} B fit",
        )
    if row["queue_disc"].startswith("Fq") and row["queue"].endswith("B"):
        yield Problem(
            _place(data, "queue"), f"{row['queue_disc']} counts packets; give the queue in packets (100p) or as 1bdp"
        )
    variants = row["variant"].split("+")
    if len(variants) > row["flows"]:
        yield Problem(
            _place(data, "flows", "variant"), f"{row['variant']} needs {len(variants)} flows, not {row['flows']}"
        )
    yield from _mark_problems(data, row)
    if row["loss_burst"] > 1 and row["loss_unit"] == "byte":
        yield Problem(_place(data, "loss_burst"), "bursts count packets, and loss_unit is byte")
    if any(0 < rate < LEAST_PACKET_RATE for rate in _listed(row["packet_rate"])):
        yield Problem(
            _place(data, "packet_rate"),
            f"expected 0, for as fast as TCP lets it, or at least {LEAST_PACKET_RATE:g} packets/s",
        )
    yield from _time_problems(data, row, units.si(row["duration"], "time"))
    if "stations" in row:
        for names, message in wireless.problems(row, data.get("fixed", {})):
            yield Problem(_place(data, *names), message)


def _mark_problems(data, row):
    """Marks need a disc that makes them, and DCTCP needs marks."""
    if "TcpDctcp" in row["variant"].split("+") and not row["ecn"]:
        yield Problem(
            _place(data, "variant"),
            "TcpDctcp needs `ecn: true` and a queue disc that marks, such as `queue_disc: RedQueueDisc`",
        )
    if row["ecn"] and row["queue_disc"] in _UNMARKING:
        yield Problem(
            _place(data, "ecn"), f"`ecn: true` needs a queue disc that marks; queue_disc {row['queue_disc']} does not"
        )


def _time_problems(data, row, end):
    """Times that come in the wrong order."""
    starts, stops = ([units.si(value, "time") for value in _listed(row[name])] for name in ("start", "stop"))
    stagger = units.si(row["start_stagger"], "time")
    for flow in range(row["flows"] + row["reverse_flows"]):
        start, stop = starts[flow % len(starts)] + flow * stagger, stops[flow % len(stops)]
        if stop and stop <= start:
            yield Problem(
                _place(data, "stop"), f"flow {flow} leaves ({stop:g} s) before it joins ({start:g} s); 0s is for never"
            )
            break
        if start >= end:
            yield Problem(
                _place(data, "start_stagger", "start"), f"flow {flow} starts after the end ({row['duration']})"
            )
            break
    start, stop = units.si(row["cbr_start"], "time"), units.si(row["cbr_stop"], "time")
    if stop and stop <= start:
        yield Problem(
            _place(data, "cbr_stop"),
            f"cbr_stop ({row['cbr_stop']}) must come after cbr_start ({row['cbr_start']}); 0s is for never",
        )
    step = units.si(row["step_time"], "time")
    changes = [name for name in ("step_bandwidth", "step_delay") if row[name] != "none"]
    if changes and not step:
        yield Problem(_place(data, *changes), f"{changes[0]} needs the time of the step, step_time")
    if step and not changes:
        yield Problem(_place(data, "step_time"), "a step needs step_bandwidth, step_delay or both")
    if step >= end:
        yield Problem(
            _place(data, "step_time", "duration"),
            f"step_time ({row['step_time']}) must come before the simulation's end ({row['duration']})",
        )


def warnings(row):
    """Settings of one combination that run, and make a comparison worth little.

    Parameters
    ----------
    row : dict
        The combination: every parameter's normal form.

    Yields
    ------
    str
    """
    bottleneck = units.si(row["bandwidth"], "rate")
    if row["step_bandwidth"] != "none":
        bottleneck = max(bottleneck, units.si(row["step_bandwidth"], "rate"))
    access = _listed(row.get("access_bandwidth", []))
    slowest = min(access, key=lambda rate: units.si(rate, "rate"), default=None)
    if slowest and units.si(slowest, "rate") <= bottleneck:
        yield (
            f"an access link of {slowest} is no faster than the bottleneck, {units.rate(f'{bottleneck}bps')}: "
            "the shared link may not be where packets queue"
        )
    packet = row["segment_size"] + _HEADER_BYTES
    lost = 1 - (1 - row["loss"]) ** packet if row["loss_unit"] == "byte" else row["loss"]
    if lost >= _VOID_LOSS:
        yield (
            f"loss {units.text(row['loss'])} per {row['loss_unit']} loses {lost:.0%} of full packets: "
            "TCP hardly gets beyond timeouts there"
        )
    cross = row["cbr_flows"] * units.si(row["cbr_rate"], "rate") * (1 + 30 / row["cbr_packet_size"])
    if cross >= bottleneck:
        yield f"{row['cbr_flows']} CBR flows of {row['cbr_rate']} fill the bottleneck by themselves"


def _listed(value):
    return value if isinstance(value, list) else [value]
