# SPDX-License-Identifier: MIT
"""Corrections of ns-3's TCP: their effect, the versions of ns-3 that need them, and their names in sweep files.

Their code is in ``ns3-scenarios/lib/corrections/``; ``docs/features/corrections.md`` shows what each changes.
"""

import functools
import re
from dataclasses import dataclass
from typing import Any

from tcpsweep.core.sweep.ns3_tcp import ALL, BY_TCP, JOINT, NONE
from tcpsweep.core.words import spelling

_NOT_DEFAULT = "; write `tcp: corrected` for all corrections with Linux' settings, or the corrections by name"


@dataclass(frozen=True)
class Correction:
    """A correction of ns-3's TCP."""

    name: str
    does: str  # one sentence
    first: str  # the first version of ns-3 that needs it
    last: str | None  # the last one; None if the newest version still needs it
    needs: str = ""  # another correction, without which it has no effect

    def is_needed(self, version: str) -> bool:
        """Whether a version of ns-3 needs it; a version without a number counts as the newest."""
        return is_between(version, self.first, self.last)


CORRECTIONS = {
    correction.name: correction
    for correction in (
        Correction(
            "bbr",
            "BBR works as in Linux, with its bursts, round-trip times, losses and policer detection.",
            first="3.37",
            last=None,
        ),
        Correction(
            "cubic",
            "CUBIC follows RFC 9438, and HyStart works as in Linux; ns-3's CUBIC counts pauses as time to grow, and "
            "keeps its last window after a timeout.",
            first="3.37",
            last=None,
        ),
        Correction(
            "dsack",
            "Receivers report segments that arrive twice (RFC 2883), and senders use it, as in Linux; needs rack_tlp.",
            first="3.37",
            last=None,
            needs="rack_tlp",
        ),
        Correction(
            "f_rto",
            "After a timeout, F-RTO (RFC 5682) recognises that nothing was lost, as in Linux; needs rack_tlp.",
            first="3.37",
            last=None,
            needs="rack_tlp",
        ),
        Correction(
            "prr",
            "Proportional rate reduction follows RFC 9937; ns-3 counts data twice that SACK reported.",
            first="3.37",
            last="3.48",
        ),
        Correction(
            "quick_ack",
            "Receivers acknowledge the first segments at once, as in Linux; ns-3's delay these ACKs too, so that slow "
            "start is slower.",
            first="3.37",
            last=None,
        ),
        Correction(
            "rack_tlp",
            "Losses are detected by time, as in RFC 8985 and Linux, also losses of retransmissions; ns-3 counts "
            "duplicate ACKs, and waits for a timeout when a retransmission is lost.",
            first="3.37",
            last=None,
        ),
        Correction(
            "rate_sample",
            "Each ACK begins a new rate sample, as in Linux; ns-3 keeps the last one, so that BBR overestimates its "
            "bandwidth.",
            first="3.41",
            last=None,
        ),
        Correction(
            "receive_window",
            "A receiver's window begins with 64 KiB and grows by two segments for each that arrives, as in Linux; ns-3 "
            "offers its whole buffer from the beginning.",
            first="3.37",
            last=None,
        ),
        Correction(
            "recovery_exit",
            "The ACK that ends a recovery grows the window for the data that it newly reports, as in Linux; in ns-3, "
            "also for all data that SACK reported during the recovery.",
            first="3.37",
            last=None,
        ),
        Correction(
            "reno",
            "LinuxReno counts acknowledged segments from zero after a reduction, as in Linux; ns-3's count goes "
            "on, so that the window grows too early.",
            first="3.37",
            last=None,
        ),
        Correction(
            "sack_compression",
            "A receiver that misses a segment answers further ones with one ACK in a millisecond, as in Linux since "
            "4.18; ns-3's answers each at once.",
            first="3.37",
            last=None,
        ),
        Correction(
            "syn_timeouts",
            "A SYN without answer is sent again five times at equal intervals, as in Linux since 6.5; ns-3 doubles "
            "the wait from the first.",
            first="3.37",
            last=None,
        ),
        Correction(
            "undo",
            "A recovery or a timeout that was not necessary is undone, as in Linux; needs rack_tlp, and timestamps or "
            "dsack.",
            first="3.37",
            last=None,
            needs="rack_tlp",
        ),
        Correction(
            "window_after_recovery",
            "BBR restores its window when a recovery or a timeout ends, as in Linux; ns-3 sets it to 2^32 - 1 bytes, "
            "which overflows to four segments.",
            first="3.37",
            last=None,
        ),
    )
}


_ALL_NAMES = [ALL, NONE, *CORRECTIONS]


def normal(value: Any) -> str:
    """A value of the key ``corrections`` in its normal form: ``all``, ``none``, or names joined by ``+``.

    Raises `ValueError` with the nearest name.
    """
    if isinstance(value, str):
        names: list[Any] = value.split(JOINT)
    else:
        names = value if isinstance(value, list) else [value]
    if names in ([ALL], [NONE], [BY_TCP]):
        return str(names[0])
    for name in names:
        if name in (ALL, NONE):
            raise ValueError(f"{name} cannot be combined with other corrections")
        if not isinstance(name, str) or name not in CORRECTIONS:
            message = f"expected {ALL}, {NONE}, or some of {', '.join(CORRECTIONS)}; got {name!r}"
            raise ValueError(message + (_NOT_DEFAULT if name == "default" else spelling.did_you_mean(name, _ALL_NAMES)))
    for name in names:
        if (needed := CORRECTIONS[name].needs) and needed not in names:
            raise ValueError(f"{name} has no effect without {needed}: write {JOINT.join(sorted({*names, needed}))}")
    return JOINT.join(sorted(set(names))) or NONE


def in_version(value: str, version: str) -> list[str]:
    """The corrections that a value in its normal form selects in a version of ns-3."""
    names_by_word = {ALL: list(CORRECTIONS), NONE: []}
    return [name for name in names_by_word.get(value, value.split(JOINT)) if CORRECTIONS[name].is_needed(version)]


def is_between(version: str, first: str, last: str | None) -> bool:
    """Whether a version of ns-3 is from ``first`` to ``last``; without a number, it counts as the newest."""
    number = _number(version)
    if not number:
        return last is None
    return _number(first) <= number and (last is None or number <= _number(last))


@functools.cache  # called for each combination
def _number(version: str) -> tuple[int, ...]:
    """A version as comparable numbers, such as 3.44; empty for a version such as 3-dev."""
    match = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?", version)
    return tuple(int(part) for part in match.groups(default="0")) if match else ()
