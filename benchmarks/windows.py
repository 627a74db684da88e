# SPDX-License-Identifier: MIT
"""Measure the CPU time of simulations whose congestion window has thousands of segments."""

import sys
from dataclasses import dataclass

import harness

# Bandwidth, one-way delay, simulated time, and the most CPU seconds. A queue holds a bandwidth-delay product.
WINDOWS = {
    "720 Mbit/s, 40 ms": ("720Mbps", "40ms", 3, 30),
    "1 Gbit/s, 50 ms": ("1Gbps", "50ms", 10, 180),
    "1 Gbit/s, 100 ms": ("1Gbps", "100ms", 10, 180),
    "100 Mbit/s, 239 ms": ("100Mbps", "239ms", 20, 30),
}


@dataclass(frozen=True)
class Size:
    """The simulated time as a share of that in `WINDOWS`, and the number of rounds."""

    share: float
    rounds: int


SIZES = {"full": Size(1, 3), "quick": Size(1, 1), "tiny": Size(0.1, 1)}


def minutes(size):
    """The approximate duration: 60 s for one round of all windows."""
    return size.rounds * size.share


def measure(size, scratch):
    """Yield the CPU time of each window: one flow of CUBIC with ns-3's wheel, and the default traces."""
    program = harness.program()
    for window, (bandwidth, delay, duration_s, most_s) in WINDOWS.items():
        options = [f"--bandwidth={bandwidth}", f"--delay={delay}", f"--duration={size.share * duration_s}s"]
        command = [[program, "--variant=TcpCubic", "--corrections=prr", *options, f"--out={scratch}"]]
        costs = harness.interleaved({window: command}, size.rounds)[window]
        times_s = [cost.cpu_s for cost in costs]
        yield harness.judged(f"windows: CPU seconds of {duration_s} s at {window}", times_s, most=most_s, digits=1)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
