# SPDX-License-Identifier: MIT
"""One TCP flow, segment by segment: what `tests/programs/recovery.cc` prints."""

import subprocess
from dataclasses import dataclass

DISORDER, CWR, RECOVERY, LOSS = 1, 2, 3, 4  # congestion states
SEGMENT = 1000  # bytes
RTT_MS = 41  # 20 ms each way, and a packet's time


@dataclass(frozen=True)
class Transfer:
    """What happened to a flow; times in ms, and events in the order in which they happened."""

    rows: list[tuple[str, int, int]]  # event, time, value

    def of(self, event):
        """The times and values of an event."""
        return [(time, value) for what, time, value in self.rows if what == event]

    @property
    def sent(self):
        """Each segment, to the times at which it was sent."""
        found = {}
        for time, segment in self.of("s"):
            found.setdefault(segment, []).append(time)
        return found

    @property
    def repeated(self):
        """The segments that were sent more than once."""
        return {segment for segment, times in self.sent.items() if len(times) > 1}

    @property
    def states(self):
        return [value for _, value in self.of("c")]

    @property
    def around_timeout(self):
        """The rows before the first timeout, and those from it on."""
        at = next(index for index, (event, _, value) in enumerate(self.rows) if (event, value) == ("c", LOSS))
        return self.rows[:at], self.rows[at:]

    @property
    def done(self):
        return self.of("d")[0][0]


def run(program, corrections, lose=None, late=None, **options):
    """Send segments with corrections.

    ``lose`` is a segment to how many of its first transmissions are lost, ``late`` is a segment to by how many ms its
    first transmission arrives late.
    """
    for name, pairs in (("lose", lose), ("late", late)):
        if pairs:
            options[name] = ",".join(f"{segment}:{number}" for segment, number in pairs.items())
    command = [program, f"--corrections={corrections}", *(f"--{name}={value}" for name, value in options.items())]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return Transfer([(event, int(time), int(value)) for event, time, value in map(str.split, out.splitlines())])
