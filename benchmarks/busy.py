# SPDX-License-Identifier: MIT
"""Measure how busy a sweep of uneven cells keeps two cores, from its start to its report.

The share is the CPU time of `tcpsweep sweep` and its child processes, relative to its wall time on two cores. It is
correct only on an idle machine, because the CPU time of other processes counts as idle.
"""

import sys
from dataclasses import dataclass

import harness

# From 1 Mbit/s to 24 Mbit/s, a cell takes 1 to 24 times as long.
SWEEP = """\
sweep: busy
scenario: dumbbell
grid:
  variant: [TcpNewReno, TcpCubic]
  bandwidth: [1Mbps, 2Mbps, 3Mbps, 5Mbps, 8Mbps, 12Mbps, 18Mbps, 24Mbps]
repetitions: {repetitions}
fixed: {{duration: {duration}s, warmup: 0s, start_jitter: 100ms}}
"""
CELLS = 16  # in one repetition


@dataclass(frozen=True)
class Size:
    """A sweep's repetitions and simulated seconds, and the number of times that it runs."""

    repetitions: int
    duration_s: int
    rounds: int


SIZES = {"full": Size(3, 300, 2), "quick": Size(3, 60, 1), "tiny": Size(1, 2, 1)}


def minutes(size):
    """The approximate duration. Simulating a second of these networks takes 0.025 s of CPU time."""
    return size.rounds * (size.repetitions * CELLS * size.duration_s * 0.025 / 2 + 20) / 60


def measure(size, scratch):
    """Yield the share of two cores that is busy."""
    harness.program()
    project = harness.Project(scratch / "project")
    text = SWEEP.format(repetitions=size.repetitions, duration=size.duration_s)
    (project / "sweep.yaml").write_text(text, encoding="utf-8")
    cells = size.repetitions * CELLS
    costs = harness.interleaved({f"{cells} uneven cells": project.sweep()}, size.rounds, project.forget)
    shares = [one.cpu_s / (2 * one.wall_s) for found in costs.values() for one in found]
    yield harness.judged(f"busy: {cells} uneven cells, share of two cores", shares, least=0.95)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
