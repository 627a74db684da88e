# SPDX-License-Identifier: MIT
"""Run all or some benchmarks: `make bench`, `make bench BENCH="packets windows"`."""

import harness
import native
import overhead
import packets
import scale
import sem
import windows

if __name__ == "__main__":
    harness.main(packets, overhead, sem, scale, native, windows)
