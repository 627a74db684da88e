# SPDX-License-Identifier: MIT
"""A made-up table `traffic` of a sweep: arriving flows, the slowest of which do not finish, and incast rounds."""

import polars as pl

from tcpsweep.core.words import metrics, size_classes

KINDS = {"short": "arrivals", "answers": "incast"}


def table(combinations, factor=lambda number: 1.0):
    """The table; ``factor`` is the ratio of a combination's values to the first combination's."""
    rows = []
    for number in range(combinations):
        values = {"slowdown_mean": 2.0, "slowdown_p50": 1.5, "slowdown_p99": None, "unfinished_share": 0.02}
        for place, size in enumerate(size_classes.BYTES):
            values |= {f"slowdown_p50_{size}": 1.0 + place, f"slowdown_p95_{size}": 4.0 + place}
            values[f"slowdown_p99_{size}"] = None if size == "above_1MB" else 9.0 + place
        rows += [_row(number, "short", name, value, factor(number)) for name, value in values.items()]
        rounds = {"round_goodput_bps": 400e6, "round_time_p50_s": 0.2, "round_time_p99_s": 0.4, "transfers": 40.0}
        rows += [_row(number, "answers", name, value, factor(number)) for name, value in rounds.items()]
    return pl.DataFrame(rows)


def _row(combination, traffic, name, value, factor):
    metric = metrics.METRICS[name]
    ends = {"mean": value, "sd": 0.1, "low": value, "high": value}
    ends = {end: None if value is None else value * factor for end in ends}
    if value is not None:
        ends |= {"low": value * factor * 0.9, "high": value * factor * 1.1}
    return {
        **{"combination": combination, "traffic": traffic, "flow_variant": "TcpCubic", "metric": name},
        **{"runs": 3, "distinct_runs": 3, "infinite_runs": 2 if value is None else 0},
        **ends,
        **{"unit": metric.unit, "interval": metric.interval},
    }


def effects():
    """The table `traffic_effects` of two variants in two networks, the second's values half the first's."""
    rows = []
    for traffic, name in (("short", "slowdown_mean"), ("answers", "round_goodput_bps")):
        for number in (2, 3):
            rows.append(
                {"traffic": traffic, "combination": number, "reference_combination": number - 2, "mix": None}
                | {"variant": "TcpDctcp", "reference": "TcpCubic", "metric": name, "finding": "lower"}
                | {"mean": 1.0, "reference_mean": 2.0, "difference": -1.0, "effect": -0.5}
                | {"smallest_share": 0.02, "smallest_value": 0.0, "smallest_origin": 0.0}
            )
    return pl.DataFrame(rows, schema_overrides={"mix": pl.String})
