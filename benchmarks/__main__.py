# SPDX-License-Identifier: MIT
"""All benchmarks, or some: `make bench`, `make bench BENCH="packets tracing"`."""

import harness
import native
import overhead
import packets
import planning
import report
import tracing

if __name__ == "__main__":
    harness.main(packets, tracing, planning, report, overhead, native)
