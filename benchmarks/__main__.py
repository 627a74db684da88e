# SPDX-License-Identifier: MIT
"""Run all or some benchmarks: `make bench`, `make bench BENCH="packets tracing"`."""

import busy
import harness
import million
import native
import overhead
import packets
import planning
import report
import scale
import sem
import start
import tracing
import windows

import rules

if __name__ == "__main__":
    harness.main(packets, tracing, planning, report, overhead, start, rules, busy, sem, scale, native, million, windows)
