# SPDX-License-Identifier: MIT
"""Read the two sweeps of a comparison, A and B, and match their combinations; B is compared with A.

Both are read from their own folders, which may lie in different result folders; no cell is read.
"""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import polars as pl

from tcpsweep.core.frames import finding
from tcpsweep.core.sweep import ns3_tcp, sweep_record, sweep_tables
from tcpsweep.core.sweep.sweep_record import UNSET, PlannedSweep
from tcpsweep.core.sweepfile.asked.repetitions import PRECISION
from tcpsweep.core.words import metrics, units
from tcpsweep.core.words.user_error import UserError


@dataclass(frozen=True)
class Side:
    """A sweep to compare: how the user named it, its record, and its table `runs`."""

    given: str
    sweep: PlannedSweep
    runs: pl.DataFrame
    is_whole: bool = False  # whether flows that are not in steady state count

    @functools.cached_property
    def values(self) -> list[dict[str, str]]:
        """Each combination's parameters and attributes as text."""
        return [{name: units.value_text(value) for name, value in row.items()} for row in self.sweep.combinations]


@dataclass(frozen=True)
class Match:
    """Which combinations of two sweeps belong together."""

    both: list[tuple[int, int]]  # pairs of a combination's numbers in A and in B
    # The combinations that the other sweep lacks.
    only_a: list[int]
    only_b: list[int]
    names: list[str]  # the parameters and attributes that combinations are matched by
    # What has one value in all of A and another in all of B: its name to both values.
    differs: dict[str, tuple[str, str]]


def read_side(given: str, *, whole: bool = False) -> Side:
    """Read a finished sweep, given by its name in `results/sweeps`, its folder, or its sweep file.

    With ``whole``, verdicts are about means over the whole time after the warm-up, so flows need not be in steady
    state. Raises `UserError` and `yaml_document.Mistakes`.
    """
    folder = finding.folder(given)
    try:
        sweep = sweep_record.read(folder)
    except sweep_record.Unreadable as error:
        raise UserError(f"{given}: {error}") from None
    sweep = sweep.up_to(sweep.swept)
    needed_files = [folder / name for name in (sweep_tables.COVERED, "runs.parquet")]
    if not all(path.is_file() for path in needed_files):
        raise UserError(f"{given}: its tables are missing or of another version; run the sweep again")
    covered = sweep_tables.covered(folder)
    missing = [run for run in sweep.cells if run not in covered]
    if missing:
        raise UserError(f"{given}: not finished: {len(missing)} of {len(sweep.cells)} runs are not in its tables")
    runs = sweep_tables.read(folder, "runs")
    return Side(given, sweep, runs.with_columns(counts=True, steady_shown=True) if whole else runs, whole)


def match(a: Side, b: Side) -> Match:
    """Match the combinations of two sweeps by all parameters and attributes that vary within either.

    Raises `UserError` if they have no combination in common, are of different scenarios, or have metrics of different
    versions.
    """
    if a.sweep.metrics_code != b.sweep.metrics_code:
        raise UserError(
            f"{a.given} and {b.given} are measured by different versions of the metrics; run the older one again"
        )
    if a.sweep.scenario != b.sweep.scenario:
        raise UserError(f"{a.given} sweeps {a.sweep.scenario}, {b.given} {b.sweep.scenario}; expected one scenario")
    names = list(dict.fromkeys(name for side in (a, b) for row in side.values for name in row))
    values = {name: [{row.get(name, UNSET) for row in side.values} for side in (a, b)] for name in names}
    differs = {
        name: (min(first), min(second))
        for name, (first, second) in values.items()
        if len(first) == len(second) == 1 and first != second
    }
    varying = [name for name in names if max(map(len, values[name])) > 1]
    numbers = [{tuple(row.get(name, UNSET) for name in varying): n for n, row in enumerate(s.values)} for s in (a, b)]
    both = [(number, numbers[1][key]) for key, number in numbers[0].items() if key in numbers[1]]
    if not both:
        disjoint = [name for name in varying if not values[name][0] & values[name][1]]
        why = "; ".join(f"{name} is {_listed(values[name][0])} and {_listed(values[name][1])}" for name in disjoint)
        raise UserError(f"{a.given} and {b.given} have no combination in common{': ' if why else ''}{why}")
    only_a, only_b = ([n for key, n in numbers[i].items() if key not in numbers[1 - i]] for i in (0, 1))
    return Match(both, only_a, only_b, varying, _surroundings(a.sweep, b.sweep) | differs)


def _listed(values: Iterable[str]) -> str:
    return ", ".join(sorted(values))


def _runs_in_words(sweep: PlannedSweep) -> str:
    return sweep.runs_in_words() if PRECISION in sweep.questions else ", ".join(map(str, sweep.runs))


def _surroundings(a: PlannedSweep, b: PlannedSweep) -> dict[str, tuple[str, str]]:
    """What differs between two sweeps apart from their combinations, with its value in A and in B."""
    describe_by_name: dict[str, Callable[[PlannedSweep], str]] = {
        "ns-3": lambda sweep: sweep.ns3_version,
        "corrections": lambda sweep: ns3_tcp.corrections_in_words(sweep.corrections),
        "ns-3's libraries": lambda sweep: sweep.ns3_libraries,
        "the scenario's code": lambda sweep: sweep.scenario_code,
        "our variants' code": lambda sweep: _listed(f"{name} {code}" for name, code in sweep.variants.items()),
        "seed": lambda sweep: str(sweep.seed),
        "runs": _runs_in_words,
    }
    return {
        name: (describe(a), describe(b)) for name, describe in describe_by_name.items() if describe(a) != describe(b)
    }


def is_paired(a: Side, b: Side) -> bool:
    """Whether runs of A and B with the same number are pairs: the sweeps have the same seed and run numbers."""
    have_same_runs = sorted(a.sweep.runs) == sorted(b.sweep.runs) and a.sweep.counts == b.sweep.counts
    return a.sweep.seed == b.sweep.seed and have_same_runs


def identical(a: Side, b: Side, matched: Match) -> tuple[int, int]:
    """How many cells are identical to the byte in A and in B, and how many both have."""
    first, second = (runs.select("place", "run", "digest").unique() for runs in placed(a, b, matched))
    joined = first.join(second, on=["place", "run"])
    return joined.filter(pl.col("digest") == pl.col("digest_right")).height, joined.height


def placed(a: Side, b: Side, matched: Match) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The runs of matched combinations, A's and B's, with ``place``, the pair's number in `Match.both`."""

    def of_side(side: Side, position: int) -> pl.DataFrame:
        places = pl.DataFrame(
            {"place": range(len(matched.both)), "combination": [pair[position] for pair in matched.both]},
            schema={"place": pl.Int64, "combination": pl.Int64},
        )
        values = side.runs.drop_nulls("value").filter(pl.col("metric").is_in(metrics.compared()))
        return values.join(places, on="combination", maintain_order="left")

    return of_side(a, 0), of_side(b, 1)
