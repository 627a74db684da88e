# SPDX-License-Identifier: MIT
"""Whether flows with Linux' TCP come to the same means beside other work as on a machine that does nothing else.

The same cells run twice, the second time beside two processes that never wait. What is refused, as it was too late for
real time, is tried again and in no mean. For each variant, network and metric the two means are held against each
other: Welch's interval of their difference, corrected for the number of comparisons (Bonferroni), has to hold 0. It
takes an idle machine, as the half that is called idle is only that if nothing else runs.
"""

import json
import statistics
import subprocess
import sys
from dataclasses import dataclass

import harness

UNASKED = True  # not every machine allows the hosts, or is idle
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
    """A sweep's rates, repetitions, and seconds simulated, without and with the warm-up."""

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
    """About how long it takes; some seven simulations go beside each other on two cores."""
    return 2 * (3 * (size.bandwidth.count(",") + 1) * size.repetitions * (size.duration_s + 1) / 7 + 25) / 60


def measure(size, scratch):
    """The means, the lag and the refusals on an idle machine and beside two busy processes."""
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
    """By metric, variant and network the values of the runs."""
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
    """What the runs tell of real time."""
    paths = (folder / "results" / "cells").glob("*/*/run.json")
    return [json.loads(path.read_text(encoding="utf-8"))["real_time"] for path in paths]


def _honest(name, records):
    """The rows of a half's lag and refusals."""
    for key, said in LAGS.items():
        lags = [1e3 * record[f"lag_{key}_s"] for record in records]
        bound = min(1e3 * record[f"bound_{key}_s"] for record in records)
        yield harness.Row(f"linux: {name}, {said} lag, of {bound:.2g} ms", harness.spread(lags, " ms", 3))
    refused = sum(len(record["refused"]) for record in records)
    yield harness.Row(f"linux: {name}, simulations refused and tried again", f"{refused} of {refused + len(records)}")


def _compared(idle, busy):
    """The rows of the means, and of how many of them differ."""
    from scipy import stats

    differing = 0
    for key, values in sorted(idle.items()):
        metric, variant, rate = key
        others = busy[key]
        test = stats.ttest_ind(values, others, equal_var=False)
        ends = test.confidence_interval(1 - ALPHA / len(idle))
        differs = not ends.low <= 0 <= ends.high  # a metric that never varies has no interval, and nothing to compare
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
