# SPDX-License-Identifier: MIT
"""Effects of variants in words: a sign with a size, the result in a network, and findings as sentences."""

from __future__ import annotations

from typing import Any

from tcpsweep.core.analysis import findings, verdict_words
from tcpsweep.core.words import capitals, metrics, rounding

# The words of the score card's marks.
KINDS = {
    "better": "shown to be better",
    "worse": "shown to be worse",
    "more": "shown to differ",
    "same": "shown to be equivalent",
    "undecided": "inconclusive",
    "means": "only means, not tested",
    "untested": "no means to compare",
}
POINT, POINTS = "percentage point", "percentage points"
# A variant's behaviour in words: more of it, less of it, and a multiple of its reference's.
PLAIN = {
    "goodput_bps": ("gets", "more goodput", "less goodput", "as much goodput"),
    "utilisation": ("fills", "more of the link", "less of the link", "as much of the link"),
    "queueing_delay_mean_s": ("waits", "longer in the queue", "less in the queue", "as long in the queue"),
    "network_queueing_delay_mean_s": ("waits", "longer in the queue", "less in the queue", "as long in the queue"),
    "owd_mean_s": ("has", "more one-way delay", "less one-way delay", "as much one-way delay"),
    "owd_p95_s": (
        *("has", "more one-way delay at the 95th percentile", "less one-way delay at the 95th percentile"),
        "as much one-way delay at the 95th percentile",
    ),
    "congestion_loss": ("has", "more congestion loss", "less congestion loss", "as much congestion loss"),
    "completion_mean_s": ("takes", "longer to complete", "less time to complete", "as long to complete"),
    "slowdown_mean": ("slows flows", "more", "less", "as much"),
    "slowdown_p50": ("slows the median flow", "more", "less", "as much"),
    "slowdown_p99": ("slows flows at the 99th percentile", "more", "less", "as much"),
    "round_goodput_bps": ("gets", "more goodput in rounds", "less goodput in rounds", "as much goodput in rounds"),
    "mean_bitrate_bps": ("gets", "more bitrate", "less bitrate", "as much bitrate"),
    "stalled_share": ("stalls", "more of the time", "less of the time", "as much of the time"),
    "stalls": ("stalls", "more often", "less often", "as often"),
    **{
        name: ("takes", f"longer {what}", f"less time {what}", f"as long {what}")
        for name, what in {
            "round_time_p50_s": "for the median round",
            "round_time_p99_s": "for a round at the 99th percentile",
            "burst_time_p50_s": "for the median burst",
            "burst_time_p99_s": "for a burst at the 99th percentile",
            "page_load_time_p50_s": "to load the median page",
            "page_load_time_p95_s": "to load a page at the 95th percentile",
            "startup_delay_mean_s": "to start videos",
            "realtime_delay_mean_s": "one way in calls",
        }.items()
    },
    **{
        name: (verb, f"more {what}", f"fewer {what}", f"as many {what}")
        for name, (verb, what) in {
            "unfinished_share": ("leaves", "transfers unfinished"),
            "missed_share": ("loses or delays", "packets of calls"),
            "lost_share": ("loses", "packets of calls"),
            "late_share": ("delays too long", "packets of calls"),
        }.items()
    },
}


def is_share(row: dict[str, Any]) -> bool:
    """Whether an effect is given as a share of the reference; else it is a difference in the metric's unit."""
    return row["effect"] is not None and row["smallest_value"] == 0


def size(value: float, row: dict[str, Any]) -> str:
    """The size of an effect or a difference without its sign, such as "12 %", "3.2 times", "0.4 percentage points"."""
    if is_share(row):
        if value > 1:
            return f"{rounding.significant(1 + value)} times"
        return f"{rounding.significant(abs(value) * 100)} %"
    metric = metrics.METRICS[row["metric"]]
    number = rounding.significant(abs(value) * metric.scale)
    points = POINT if number == "1" else POINTS
    return f"{number} {points if metric.shown_unit == '%' else metric.shown_unit}".rstrip()


def _as_multiple(value: float) -> str:
    """A share as a multiple, such as "1.3 times" for 0.3; so that both ends of a range use the same form."""
    return f"{rounding.significant(1 + value)} times"


def value(row: dict[str, Any]) -> float:
    """The effect as a share, or the difference."""
    return float(row["effect"] if is_share(row) else row["difference"])


def signed(row: dict[str, Any]) -> str:
    """A size in one word, such as "+12%", "×3.2", "−0.4pp"."""
    effect = value(row)
    if is_share(row) and effect > 1:
        return f"×{rounding.significant(1 + effect)}"
    number, _, unit = size(effect, row).partition(" ")
    return f"{'+' if effect > 0 else '−'}{number}{'pp' if unit in (POINT, POINTS) else unit}"


def finding(row: dict[str, Any]) -> str:
    """The finding in a network, in words."""
    if row["finding"] in ("higher", "lower"):
        why = f", not tested: {verdict_words.WORDS[row['why']]}" if "why" in row else ""
        return f"{row['finding']}, {signed(row)}{why}"
    if row["finding"] == "same":
        return f"equivalent within {verdict_words.bound(row)}"
    if row["finding"] == findings.TOO_FEW:
        return f"inconclusive: {verdict_words.WORDS[findings.TOO_FEW]}"
    return "inconclusive" if row["finding"] == "undecided" else str(row["finding"])


def sentence(rows: list[dict[str, Any]], networks: int) -> list[tuple[str, str]]:
    """A finding in plain words: the parts of a sentence, "variant" and its name, or "text" and the words.

    ``rows`` are effects of one metric, variant and reference, all higher or all lower, in some of the networks.
    """
    first = rows[0]
    metric = metrics.METRICS[first["metric"]]
    sizes = sorted((value(row) for row in rows), key=abs)
    is_multiple = is_share(first) and sizes[-1] > 1
    extremes = [_as_multiple(end) if is_multiple else size(end, first) for end in (sizes[0], sizes[-1])]
    units = {end.partition(" ")[2].removesuffix("s") for end in extremes}
    if len(units) == 1:
        extremes[0] = extremes[0].partition(" ")[0]
    amount = (
        extremes[-1] if sizes[0] == sizes[-1] or extremes[0] == extremes[1].partition(" ")[0] else " to ".join(extremes)
    )
    is_higher = first["finding"] == "higher"
    reference = [("variant", first["reference"])]
    beginning = [("text", "Competing with "), *reference, ("text", ", ")] if first["mix"] else []
    if plain := PLAIN.get(first["metric"]):
        verb, if_higher, if_lower, multiple = plain
        direction = if_higher if is_higher else if_lower
        phrase = f" {verb} {amount} {multiple if is_multiple else direction}"
    else:
        title = capitals.uncapitalised(metric.title)
        # Titles are of one thing or of many, such as "Timeouts", so the words around them have no article or verb.
        phrase = f": {title}, {amount} {'as high' if is_multiple else first['finding']}"
    joint = " as " if is_multiple else " than "
    than = [] if first["mix"] else [("text", joint), *reference]
    count = f", in {len(rows)} of {networks} network conditions" if networks > 1 else ""
    if simulator := first.get("simulator"):
        count += f", with {simulator}"
    return [*beginning, ("variant", first["variant"]), ("text", phrase), *than, ("text", count)]
