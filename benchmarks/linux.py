# SPDX-License-Identifier: MIT
"""Compare the means of flows with Linux' TCP on a busy machine with the means on an idle one.

The same cells run twice. The second time, two other processes use all cores. Simulations that lag too far behind real
time are refused and tried again; the refused ones count in no mean. For each variant, network and metric, Welch's
interval of the difference of the two means has to include 0, with Bonferroni's correction. Run it on an idle machine:
the idle half is only idle if nothing else runs.
"""

import json
import statistics
import subprocess
import sys
from dataclasses import dataclass

import harness

UNASKED = True  # runs only on request: not every machine allows the hosts, or is idle
SWEEP = """\
sweep: beside
scenario: dumbbell
grid:
  variant: [TcpLinuxReno, TcpCubic, TcpBbr]
  stack: [linux]
  bandwidth: {bandwidth}
repetitions: {repetitions}
fixed: {{queue: 2bdp, delay: 20ms, duration: {duration}s, warmup: {warmup}s, start_jitter: 100ms}}
pages: false
"""
METRICS = ("goodput_bps", "queueing_delay_mean_s", "congestion_loss")
BUSY = 2  # processes
ALPHA = 0.05
LAGS = {"mean": "mean", "p999": "99.9 %", "max": "largest"}


@dataclass(frozen=True)
class Size:
    """A sweep's rates and repetitions, and the simulated seconds of its duration and warm-up."""

    bandwidth: str
    repetitions: int
    warmup_s: int
    duration_s: int


SIZES = {
    "full": Size("[2Mbps, 5Mbps]", 8, 3, 18),
    "quick": Size("[2Mbps]", 5, 2, 10),
    "tiny": Size("[2Mbps]", 2, 1, 2),
}


def minutes(size):
    """The approximate duration. About seven simulations run at a time on two cores."""
    return 2 * (3 * (size.bandwidth.count(",") + 1) * size.repetitions * (size.duration_s + 1) / 7 + 25) / 60


def measure(size, scratch):
    """Yield means, lags and refusals on an idle machine and on a machine with two busy processes."""
    harness.program()
    project = harness.Project(scratch / "project")
    text = SWEEP.format(
        bandwidth=size.bandwidth, repetitions=size.repetitions, warmup=size.warmup_s, duration=size.duration_s
    )
    (project / "sweep.yaml").write_text(text, encoding="utf-8")
    found = {}
    for name, count in (("idle", 0), (f"beside {BUSY} busy processes", BUSY)):
        others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
        try:
            taken = harness.cost(*project.sweep())
        finally:
            for other in others:
                other.kill()
                other.wait()
        harness.say(f"  {name:36} {taken.wall_s:9.2f} s wall {taken.cpu_s:9.2f} s CPU")
        found[name] = _values(project.folder), _records(project.folder)
        project.forget()
    (_, (idle, _)), (_, (busy, _)) = found.items()
    for name, (_, records) in found.items():
        yield from _honest(name, records)
    yield from _compared(idle, busy)


def _values(folder):
    """The values of the runs, by metric, variant and network."""
    import polars as pl

    from tcpsweep.sweep import sweep_record

    tables = folder / "results" / "sweeps" / "beside"
    rates = [row["bandwidth"] for row in sweep_record.read(tables).combinations]
    rows = pl.read_parquet(tables / "runs.parquet").filter(
        pl.col("metric").cast(pl.String).is_in(METRICS), pl.col("flow_variant").is_not_null()
    )
    found = {}
    for row in rows.select("combination", "flow_variant", "metric", "value").iter_rows():
        found.setdefault((row[2], row[1], rates[row[0]]), []).append(row[3])
    return found


def _records(folder):
    """The ``real_time`` entries in the runs' records."""
    paths = (folder / "results" / "cells").glob("*/*/run.json")
    return [json.loads(path.read_text(encoding="utf-8"))["real_time"] for path in paths]


def _honest(name, records):
    """The rows for the lag and the refusals of one half."""
    for key, said in LAGS.items():
        lags = [1e3 * record[f"lag_{key}_s"] for record in records]
        bound = min(1e3 * record[f"bound_{key}_s"] for record in records)
        yield harness.Row(f"linux: {name}, {said} lag, of {bound:.2g} ms", harness.spread(lags, " ms", 3))
    refused = sum(len(record["refused"]) for record in records)
    yield harness.Row(f"linux: {name}, simulations refused and tried again", f"{refused} of {refused + len(records)}")


def _compared(idle, busy):
    """The rows for the means, and for the number of means that differ."""
    from scipy import stats

    differing = 0
    for key, values in sorted(idle.items()):
        metric, variant, rate = key
        others = busy[key]
        test = stats.ttest_ind(values, others, equal_var=False)
        ends = test.confidence_interval(1 - ALPHA / len(idle))
        differs = not ends.low <= 0 <= ends.high  # a constant metric has no interval to compare
        differs = differs and statistics.fmean(values) != statistics.fmean(others)
        differing += differs
        words = " and ".join(_mean(part) for part in (values, others)) + (" (differ)" if differs else "")
        yield harness.Row(f"linux: {variant}, {rate}, {metric}, idle and busy", words)
    yield harness.Row(f"linux: means that differ, of {len(idle)}", str(differing), "0", differing == 0)


def _mean(values):
    """A mean with its 95 % interval."""
    from scipy import stats

    half = stats.t.ppf(0.975, len(values) - 1) * statistics.stdev(values) / len(values) ** 0.5
    return f"{statistics.fmean(values):.4g} ± {half:.2g}"


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
