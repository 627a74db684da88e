# SPDX-License-Identifier: MIT
"""What tracing costs: a dumbbell with a cell's default traces and its packets' headers, against one without.

The figure is user CPU time, because the files go to the page cache and the machine may do other things.
"""

import sys
from dataclasses import dataclass

import harness

MOST = 1.15
NOTHING = ["--traces=none", "--queue_trace=false", "--flow_monitor=false"]
# The sets of traces that are compared with none. Where there is no FlowMonitor, the simulator counts flows by itself.
PARTS = {
    "all": ["--traces=all", "--queue_trace=true", "--flow_monitor=true", "--pcap=bottleneck"],
    "all but FlowMonitor": ["--traces=all", "--queue_trace=true", "--pcap=bottleneck"],
    "FlowMonitor alone": ["--flow_monitor=true"],
    "traces and queue alone": ["--traces=all", "--queue_trace=true"],
    "packets' headers alone": ["--pcap=bottleneck"],
}


@dataclass(frozen=True)
class Size:
    """How much simulated time, how often."""

    duration_s: int
    rounds: int


SIZES = {"full": Size(100, 9), "quick": Size(40, 5), "tiny": Size(2, 1)}


def minutes(size):
    """About how long it takes: a default dumbbell simulates 40 seconds in one second."""
    return size.rounds * (len(PARTS) + 1) * (size.duration_s / 40 + 0.2) / 60


def measure(size, scratch):
    """The ratio of the user time with each of `PARTS` traced to that with nothing traced."""
    binary = harness.program()

    def command(options):
        return [[binary, f"--duration={size.duration_s}s", *NOTHING, *options, f"--out={scratch}"]]

    commands = {"nothing": command([])} | {name: command(options) for name, options in PARTS.items()}
    costs = harness.interleaved(commands, size.rounds)
    for name in PARTS:
        values = harness.ratios(costs[name], costs["nothing"], "user_s")
        most = MOST if name.startswith("all") else None
        yield harness.judged(f"tracing: user time with {name} / with nothing", values, most=most)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
