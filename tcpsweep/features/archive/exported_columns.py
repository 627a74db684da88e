# SPDX-License-Identifier: MIT
"""The meanings of exported tables' columns, for people who have only the tables."""

from collections.abc import Mapping

from tcpsweep.core.analysis import axis_columns
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.words import metrics

TABLES: dict[str, str] = {
    "summary": "Means over runs with their 95 % confidence intervals; a row for each combination, variant and metric",
    "effects": "Each variant compared with another in one network, run by run; a row for each pair and metric",
    "runs": "The value of each run; a row for each run, variant and metric. A variant's value is the mean of its flows",
    "flows": "Each flow of each run; a row for each, with a column for each metric of flows",
    "groups": "Means over runs for each group of flows; a row for each combination, group, variant and metric",
    "links": "Means over runs for each link; a row for each combination, link, direction and metric",
    "traffic": "Means over runs for each group of traffic; a row for each combination, group and metric",
    "metrics": "The metrics that the other tables name: unit and formula",
}
_COLUMNS_OF_MEANS = {
    "runs": "How many runs have a value, or whole rotations, if variants change flow positions",
    "distinct_runs": "How many of them count: all, or one if all are identical",
    "infinite_runs": "How many of them have an infinite value because a transfer did not finish; then there is no mean",
    "mean": "The mean over the distinct runs, in `unit`",
    "sd": "Their standard deviation",
    "low": "The lower end of the 95 % confidence interval of the mean",
    "high": "Its upper end",
    "unit": "The unit of mean, sd, low and high; 1 for shares and indices",
    "interval": "How the interval is made: Student's t, or bootstrap",
    "traffic": "The name of the group of traffic",
    "direction": "forward, from the link's first node to its second, or reverse",
}
_COMMON_COLUMNS = {
    "combination": "The number of the combination, which is one value of each axis; equal in all tables",
    "variant": "The flows' congestion control, an ns-3 TypeId without ns3::; A+B is a mix, in which they take turns",
    "flow_variant": "The variant that the row is about, one of a mix's; empty for a metric of the whole network",
    "link": "The link that the row is about, or that limits its flows; empty if links have no names",
    "group": "The name of the flows in a custom topology; else empty",
    "bottleneck": "The link that limits the flow in a custom topology; else empty",
    "metric": "The metric's name; the table metrics has its unit and formula",
    "run": "ns-3's run number; runs of one number have common random numbers in all combinations",
    "cell": "The name of the simulation; its last part is a hash of everything that determines its bytes",
    "digest": "A checksum of the simulation's tables; runs that are identical, byte for byte, have the same",
}
MEANINGS: dict[str, dict[str, str]] = {
    "summary": _COLUMNS_OF_MEANS,
    "groups": _COLUMNS_OF_MEANS,
    "links": _COLUMNS_OF_MEANS,
    "traffic": _COLUMNS_OF_MEANS | {"flow_variant": "The group's congestion control"},
    "runs": {
        "value": "The metric's value, in its unit",
        "counts": "Whether verdicts use it: flows are steady and it does not drift, or the metric does not need that",
        "steady_shown": "Whether steady state is shown: a trend above 20 % is excluded",
    },
    "flows": {
        "flow": "The flow's number in its simulation, from 0",
        "direction": "forward, towards the receivers' side, or reverse",
        "flow_variant": "The flow's congestion control",
    },
    "effects": {
        "combination": "The number of the variant's combination",
        "reference_combination": "The number of the reference's combination",
        "variant": "The variant",
        "reference": "The variant that it is compared with",
        "mix": "The mix in which both are; empty if both are homogeneous",
        "family": "primary, corrected together for their number, or exploratory",
        "unit": "The unit of means and differences",
        "runs": "Pairs of runs with a value, or of whole rotations, if variants change flow positions",
        "lost_runs": "Requested runs of the variant that have no value",
        "reference_lost_runs": "Requested runs of the reference that have no value",
        "steady": "Whether the variant's flows are steady",
        "reference_steady": "Whether the reference's flows are steady",
        "distinct_runs": "Pairs that count: all, or one if all runs of a side are identical",
        "mean": "The variant's mean",
        "reference_mean": "The reference's mean",
        "difference": "The variant's mean minus the reference's",
        "sd": "The standard deviation of the differences",
        "low": "The lower end of the difference's 95 % interval",
        "high": "Its upper end",
        "ratio": "The variant's mean over the reference's",
        "ratio_low": "The lower end of its 95 % interval, by Fieller",
        "ratio_high": "Its upper end",
        "correlation": "The correlation of both values over pairs of runs",
        "smallest_share": "The smallest effect of interest, as a share of the reference's mean; 0 if it has none",
        "simulator": "The values of axes of the simulator, such as corrections all; else empty",
        "steady_shown": "Whether steady state of the variant is shown",
        "reference_steady_shown": "Whether steady state of the reference is shown",
        "smallest_origin": "1 if that share is of the distance to 1, as for Jain's index; else 0",
        "smallest_value": "The same in the metric's unit; 0 if it has none. The larger of the two counts",
        "p": "The p-value of the paired t-test of no difference",
        "beyond_p": "The p-value of the test that the effect is larger than the smallest effect of interest",
        "within_p": "The p-value of the test that the effect is smaller than it",
        "beyond_holm": "beyond_p with Holm's correction",
        "within_holm": "within_p with Holm's correction",
        "holm_low": "The lower end of the difference's interval with the correction that the finding has",
        "holm_high": "Its upper end",
        "effect": "The difference as a share of the reference's mean",
        "effect_low": "The lower end of its interval with the correction that the finding has",
        "effect_high": "Its upper end",
        "finding": "higher, lower, same (equivalent), undecided or too few runs (inconclusive); else why not tested",
        "runs_needed": "Runs with which the comparison would be decided with a probability of 90 %",
    },
    "metrics": {
        "metric": "The metric's name",
        "title": "Its title in reports",
        "unit": "Its unit; 1 for shares and indices",
        "of_each": "What the metric is about: flow, variant, network, link or traffic",
        "better": "Whether higher or lower is better; empty if neither",
        "formula": "How it is computed",
        "source": "Where the formula comes from",
    },
}


class Undescribed(Exception):
    """A column without a meaning in this module, which is a defect."""


def meanings(sweep: PlannedSweep, table: str, columns: Mapping[str, object]) -> dict[str, str]:
    """The meaning of each given column of a table, one of `TABLES`. Raises `Undescribed`."""
    known_meanings = _COMMON_COLUMNS | _axis_meanings(sweep) | MEANINGS[table]
    meaning_by_column = {}
    for name in columns:
        if name in known_meanings:
            meaning_by_column[name] = known_meanings[name]
        elif name in metrics.METRICS:
            metric = metrics.METRICS[name]
            meaning_by_column[name] = f"{metric.title}: {metric.formula}"
        else:
            raise Undescribed(f"{table}: {name}")
    return meaning_by_column


def unit(column: str, sweep: PlannedSweep) -> str:
    """A column's unit, if all its rows have one; else empty."""
    if column in metrics.METRICS:
        return metrics.METRICS[column].unit
    names = {axis_columns.column(sweep, name): name for name in sweep.axes}
    if column.endswith("_bps"):
        return "bit/s"
    if column.endswith("_s"):
        return "s"
    return str(schema.described(sweep.scenario, names[column]).get("unit", "")) if column in names else ""


def _axis_meanings(sweep: PlannedSweep) -> dict[str, str]:
    """The meanings of the axes' columns."""
    meaning_by_column = {}
    for name in sweep.axes:
        parameter = schema.described(sweep.scenario, name)
        if name != "variant":
            meaning_by_column[axis_columns.column(sweep, name)] = str(
                parameter.get("description", f"ns-3's attribute {name}")
            )
    return meaning_by_column
