# SPDX-License-Identifier: MIT
"""Measure the cost of tracing: compare a dumbbell with default traces and packet headers with one without traces.

It measures user CPU time, because the files stay in the page cache and the machine may run other programs.
"""

import sys
from dataclasses import dataclass

import harness

MOST = 1.15
NOTHING = ["--traces=none", "--queue_trace=false", "--flow_monitor=false"]
# The sets of traces to compare with no traces. Without FlowMonitor, the simulator has its own counters for flows.
PARTS = {
    "all": ["--traces=all", "--queue_trace=true", "--flow_monitor=true", "--pcap=bottleneck"],
    "all but FlowMonitor": ["--traces=all", "--queue_trace=true", "--pcap=bottleneck"],
    "FlowMonitor alone": ["--flow_monitor=true"],
    "traces and queue alone": ["--traces=all", "--queue_trace=true"],
    "packets' headers alone": ["--pcap=bottleneck"],
}


@dataclass(frozen=True)
class Size:
    """The simulated time and the number of rounds."""

    duration_s: int
    rounds: int


SIZES = {"full": Size(100, 9), "quick": Size(40, 5), "tiny": Size(2, 1)}


def minutes(size):
    """The approximate duration. A default dumbbell simulates 40 seconds in one second."""
    return size.rounds * (len(PARTS) + 1) * (size.duration_s / 40 + 0.2) / 60


def measure(size, scratch):
    """Yield the ratio of user times with each of `PARTS` and without traces."""
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
