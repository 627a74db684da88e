# SPDX-License-Identifier: MIT
"""Settings that do not go together, each right by itself: what is refused, and by which name."""

from tcpsweep import units
from tcpsweep.sweepfile import Problem

# What is captured, and stays among the raw files alone.
_RAW_ONLY = {"pcap": "pcap files", "ascii": "ascii.tr", "anim": "anim.xml"}


def _place(data, *names):
    """Where in the sweep file the first of the parameters that it names has its values."""
    for name in names:
        for section in ("fixed", "grid", "zip"):
            content = data.get(section, {})
            blocks = [((section, i), block) for i, block in enumerate(content)] if isinstance(content, list) else []
            for path, block in blocks or [((section,), content)]:
                if name in block:
                    return (*path, name)
    return ()


def capture_problems(capture):
    """What of a sweep file's ``capture`` does not go together, as `Problem`."""
    for key, what in _RAW_ONLY.items():
        if capture.get(key, "none") not in ("none", False) and not capture.get("keep_raw"):
            yield Problem(
                ("capture", key), f"{what} would be removed with the other raw files; add `keep_raw: true` to `capture`"
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
    start, end = units.si(row["warmup"], "time"), units.si(row["duration"], "time")
    if start >= end:
        yield Problem(
            _place(data, "warmup", "duration"),
            f"warmup ({row['warmup']}) must be shorter than duration ({row['duration']})",
        )
    if row["segment_size"] + 52 > 1500:
        yield Problem(
            _place(data, "segment_size"),
            f"segments of {row['segment_size']} B and 52 B of headers exceed the MTU of 1500 B; at most 1448 B fit",
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
    if (row["flows"] - 1) * units.si(row["start_stagger"], "time") >= end:
        yield Problem(
            _place(data, "start_stagger"),
            f"with {row['flows']} flows the last starts after the end ({row['duration']})",
        )
    if "TcpDctcp" in variants and row["queue_disc"] == "none":
        yield Problem(
            _place(data, "variant"), "TcpDctcp needs a queue disc that marks (queue_disc), not a drop-tail queue"
        )
