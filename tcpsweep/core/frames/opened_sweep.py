# SPDX-License-Identifier: MIT
"""An opened sweep: the tables of the sweep and of all its cells, with the axes as columns."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tcpsweep.core.analysis import aggregate, axis_columns
from tcpsweep.core.frames import cell_frames, finding
from tcpsweep.core.frames.cell_frames import RUN
from tcpsweep.core.store import layout
from tcpsweep.core.sweep import sweep_record, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run, value_text
from tcpsweep.core.words import spelling, table_columns
from tcpsweep.core.words.user_error import UserError


class NoTable(UserError):
    """A sweep has no such table or trace. The user reads the message."""


@dataclass(frozen=True)
class OpenedSweep:
    """A sweep's results at the time of opening. Open the sweep again to see later results.

    Every frame except those of `table` has ``combination``, a column for each axis in SI units, and ``variant`` (the
    whole name of a mix). `summary`, `links`, `groups` and `traffic` are means over runs; the others have ``run`` and
    ``cell``. In a mix, ``flow_variant`` is the variant of a flow. `cells` and `missing` are DataFrames. All other
    frames are lazy: ``collect()`` makes a DataFrame of them.
    """

    record: PlannedSweep  # the sweep's plan, with everything from its file
    folder: Path  # its folder, ``results/sweeps/<name>``
    root: Path  # the folder that holds ``results/``

    def __repr__(self) -> str:
        """The sweep's name, progress, axes and folder."""
        progress = f"{len(self._finished_runs)} of {len(self._sweep_runs)} runs finished"
        return f"{self.record.name}: {progress}; axes {', '.join(self.axes) or 'none'}; {self.folder}"

    @property
    def axes(self) -> list[str]:
        """The names of the axes' columns, such as ``delay_s``."""
        return [axis_columns.column(self.record, name) for name in self.record.axes]

    @functools.cached_property
    def cells(self) -> pl.DataFrame:
        """All runs, finished or not, with ``state`` and ``place``.

        ``state`` is "finished", "failed" or "missing" (not run yet). ``place`` is the folder of the Parquet files of a
        finished cell, or of the log of a failed one.
        """
        finished_runs = set(self._finished_runs)
        rows: list[tuple[str, int, int, str, str | None]] = []
        for run in self._sweep_runs:
            failure_folder = self.root / layout.FAILED / run.cell
            if run in finished_runs:
                rows.append((*run, "finished", str(self.root / self.record.parquet(run.cell))))
            elif failure_folder.is_dir():
                rows.append((*run, "failed", str(failure_folder)))
            else:
                rows.append((*run, "missing", None))
        schema = {"cell": pl.String, "combination": pl.Int64, "run": pl.Int64, "state": pl.String, "place": pl.String}
        frame = pl.LazyFrame(rows, schema=schema, orient="row").select(*RUN, "state", "place")
        return self._with_axes(frame).collect()

    @property
    def missing(self) -> pl.DataFrame:
        """The rows of `cells` that are not finished."""
        return self.cells.filter(pl.col("state") != "finished")

    def where(self, *conditions: pl.Expr) -> OpenedSweep:
        """Select runs: the same sweep with only the runs that meet all conditions. Other cells are not read.

        Conditions use the columns of `cells`, such as ``pl.col("run") == 1``.
        """
        selected_runs = self.cells.filter(*conditions).select("cell", "combination", "run").rows()
        return OpenedSweep(
            dataclasses.replace(self.record, cells=list(map(Run._make, selected_runs))), self.folder, self.root
        )

    @property
    def summary(self) -> pl.LazyFrame:
        """Means over runs, a row per combination, ``flow_variant`` and ``metric``.

        ``flow_variant`` is null for a metric of the whole network. Other columns: ``link``, the link that the metric is
        about if links have names, ``runs``, ``distinct_runs``, ``mean``, ``sd``, ``low`` and ``high`` of the 95 %
        interval, ``unit`` and ``interval``.
        """
        return self._with_axes(self._sweep_table("summary"))

    @property
    def links(self) -> pl.LazyFrame:
        """Means over runs of each link's metrics, a row per combination, ``link``, ``direction`` and ``metric``.

        The other columns are as in `summary`. Only custom topologies, and other networks with
        several links, have rows.
        """
        return self._with_axes(self._sweep_table("links"))

    @property
    def groups(self) -> pl.LazyFrame:
        """Means over runs of each group of flows, a row per combination, ``group``, ``flow_variant`` and ``metric``.

        ``link`` limits the group's flows. Metrics of the link have no ``flow_variant``. The other columns are as in
        `summary`. Only custom topologies whose groups take different paths have rows.
        """
        return self._with_axes(self._sweep_table("groups"))

    @property
    def traffic(self) -> pl.LazyFrame:
        """Means over runs of each group of traffic's metrics, a row per combination, ``traffic`` and ``metric``.

        ``flow_variant`` is the group's. The other columns are as in `summary`, and ``infinite_runs``: the number of
        ``runs`` with an infinite value, because a transfer did not finish. Then there is no mean. Only networks with
        traffic have rows.
        """
        return self._with_axes(self._sweep_table("traffic"))

    @property
    def transfers(self) -> pl.LazyFrame:
        """All transfers of applications: arriving flows, incast rounds, bursts, web pages, video chunks.

        It has the columns of the table `transfers`. Its ``bytes`` is called ``bytes_to_send`` here, and its
        ``start_s`` is called ``began_s``. Only networks with traffic have rows.
        """
        return self._with_axes(cell_frames.scan(self.record, self._finished_runs, "transfers", self.root))

    @property
    def flows(self) -> pl.LazyFrame:
        """A row per run and flow: ``flow``, ``group``, ``bottleneck``, ``direction``, ``flow_variant``, its metrics.

        ``group`` is the name of the flows in a custom topology, and ``bottleneck`` the link that limits the flow; else
        null. Identical runs have the same ``digest``.
        """
        return self._with_axes(self._sweep_table("flows"))

    @property
    def runs(self) -> pl.LazyFrame:
        """A row per run, ``flow_variant`` and ``metric``, with the ``value``: the mean of the variant's forward flows.

        ``flow_variant`` is null for a metric of the whole network. ``link`` is as in `summary`, and ``counts`` says
        whether verdicts use the run.
        """
        cell_of_run = pl.LazyFrame(
            self._finished_runs, schema={"cell": pl.String, "combination": pl.Int64, "run": pl.Int64}, orient="row"
        )
        value_of_run = self._sweep_table("runs").with_columns(pl.col("metric").cast(pl.String))
        return self._with_axes(value_of_run.join(cell_of_run, on=["combination", "run"], maintain_order="left"))

    @property
    def traces(self) -> pl.LazyFrame:
        """All traces of all flows, a row per event: ``metric``, ``flow``, ``flow_variant``, ``time_s``, ``value``.

        A value lasts until the next row. `held` has this time as a weight.
        """
        return self._with_flow_variants("traces")

    @property
    def queue(self) -> pl.LazyFrame:
        """The links' queues, a row per packet that leaves one or is dropped or marked there.

        It has the columns of the table `queue`, with ``flow_variant``. Its ``delay_s`` is called
        ``queueing_delay_s`` here. Raises `NoTable` if the sweep does not trace the queue.
        """
        if not self.record.capture.queue:
            raise self._not_captured("queue", "queue: true")
        return self._with_flow_variants("queue")

    @property
    def packets(self) -> pl.LazyFrame:
        """The captured packets, with the columns of the table `packets` and ``flow_variant``.

        The table's ``ecn`` is called ``ip_ecn`` here. Raises `NoTable` if the sweep captures no packets.
        """
        if self.record.capture.pcap == "none":
            raise self._not_captured("packets", "pcap: bottleneck")
        return self._with_flow_variants("packets")

    def held(self, metric: str) -> pl.LazyFrame:
        """The values of one trace, such as "cwnd_bytes", with the time that each value lasted.

        It covers the same time as the metrics: from the warm-up, and the flow's own warm-up, until the flow ends.
        `tcpsweep.weighted_mean` and `tcpsweep.weighted_quantile` use its columns: ``flow``, ``flow_variant``,
        ``value``, ``since_s`` and ``held_s``. Raises `NoTable` if the sweep has no such trace.
        """
        traced = self.record.capture.traces
        if metric not in traced:
            problem = f"{self.record.name} has no trace {metric!r}"
            raise NoTable(spelling.none_of_these(problem, "it has", metric, traced))
        warmups = self.runs.filter(pl.col("metric") == "warmup_s").select("combination", "run", found_s="value")
        return self._with_axes(cell_frames.held(self.record, self._finished_runs, metric, warmups, self.root))

    def table(self, name: str) -> pl.LazyFrame:
        """Another table of the sweep from its folder, such as ``effects``, ``pairs`` or ``audit``.

        Raises `NoTable` if there is none: the sweep has no such rows, or it has not run to its end.
        """
        names = sweep_tables.names(self.folder)
        if name not in names:
            problem = f"there is no table {name!r}"
            raise NoTable(spelling.none_of_these(problem, "expected one of", name, names))
        for kind, scan in (("parquet", pl.scan_parquet), ("csv", sweep_tables.scan_csv)):
            path = self.folder / f"{name}.{kind}"
            if path.is_file():
                return scan(sweep_tables.file(self.folder, path.name))
        raise NoTable(
            f"{self.record.name} has no table {name!r}: the sweep has no such rows, or has not run to its end"
        )

    def of_cells(self, name: str) -> pl.LazyFrame:
        """Another table of all cells that have it, such as ``events``, ``fairness`` or ``measures``.

        Columns that could have the name of an axis are renamed. In `flows`, ``variant``, ``bytes``, ``start_s`` and
        ``stop_s`` are called ``flow_variant``, ``bytes_to_send``, ``opened_s`` and ``left_s``. In `measures`,
        ``variant`` is called ``flow_variant``, and in `fairness`, ``flows`` is called ``flows_there``. Raises `NoTable`
        if cells have no table of that name.
        """
        if name not in table_columns.COLUMNS:
            problem = f"cells have no table {name!r}"
            raise NoTable(spelling.none_of_these(problem, "expected one of", name, table_columns.COLUMNS))
        return self._with_axes(cell_frames.scan(self.record, self._finished_runs, name, self.root))

    @functools.cached_property
    def _sweep_runs(self) -> list[Run]:
        """The runs that the sweep file asks for. The other runs are only for tables of their own."""
        return [run for run in self.record.cells if run.combination < self.record.swept]

    @functools.cached_property
    def _finished_runs(self) -> list[Run]:
        """The finished ones of `_sweep_runs`."""
        return [run for run in self.record.finished(self.root) if run.combination < self.record.swept]

    @functools.cached_property
    def _combinations(self) -> pl.DataFrame:
        """``combination``, a column per axis, and ``variant``."""
        combinations = axis_columns.combinations(self.record.up_to(self.record.swept))
        if "variant" in combinations.columns:
            return combinations
        return combinations.with_columns(variant=pl.Series([value_text(row, "variant") for row in self.record.own]))

    def _with_axes(self, frame: pl.LazyFrame) -> pl.LazyFrame:
        """A frame with the columns that all frames begin with: ``combination``, the axes, ``variant``, then `RUN`'s."""
        other_columns = [name for name in frame.collect_schema().names() if name not in self._combinations.columns]
        run_columns = [name for name in RUN if name in other_columns]
        rows = frame.select("combination", *other_columns)
        return rows.join(self._combinations.lazy(), on="combination", maintain_order="left").select(
            *self._combinations.columns, *run_columns, *(name for name in other_columns if name not in run_columns)
        )

    def _with_flow_variants(self, table: str) -> pl.LazyFrame:
        """A table of cells that has ``flow``, with ``flow_variant``, the axes and the run."""
        return self._with_axes(cell_frames.of_flows(self.record, self._finished_runs, table, self.root))

    def _sweep_table(self, table: str) -> pl.LazyFrame:
        """A table of the sweep: its file if that includes all finished runs, or else computed from the metrics."""
        path = self.folder / f"{table}.parquet"
        runs_in_files = {run for run in sweep_tables.covered(self.folder) if run.combination < self.record.swept}
        if runs_in_files == set(self._finished_runs):
            if path.is_file():
                return pl.scan_parquet(sweep_tables.file(self.folder, path.name))
            if table not in sweep_tables.ALWAYS:  # no file is written for a table without rows
                return aggregate.of_runs(dataclasses.replace(self.record, cells=[]), self.root)[table].lazy()
        return self._tables_from_metrics[table].lazy()

    @functools.cached_property
    def _tables_from_metrics(self) -> dict[str, pl.DataFrame]:
        """The tables of the sweep's finished runs by name, computed anew."""
        return aggregate.of_runs(self.record, self.root)

    def _not_captured(self, table: str, setting: str) -> NoTable:
        return NoTable(
            f"{self.record.name} captured no {table}; add `capture: {{{setting}}}` to its file and run it, "
            "or one cell with `tcpsweep cell`"
        )


def read(given: str | Path, folder: str | Path = ".") -> OpenedSweep:
    """Open a sweep, as `tcpsweep.open` does. Raises `finding.NoSweep` and `sweep_record.Unreadable`."""
    sweep_folder = finding.folder(given, Path(folder).expanduser().absolute()).absolute()
    # If a sweep is given by its own folder, its results folder is a parent of that folder.
    root = sweep_folder.parents[len(layout.SWEEPS.parts)]
    return OpenedSweep(sweep_record.read(sweep_folder), sweep_folder, root)
