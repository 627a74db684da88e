# SPDX-License-Identifier: MIT
"""Make up results for a planned sweep: run ``made_up_cells.py SWEEP`` in the parent of ``results/``.

One cell of each variant was simulated. From each of these cells, `SETS` versions with other numbers are made. All other
cells get folders with the files of a version; two runs of a combination never get the same one. The files that
later steps read are copies, so that each is opened and read. The others are hard links.
"""

import os
import random
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tcpsweep.core.store import digests, layout
from tcpsweep.core.sweep import sweep_record

MADE_UP = layout.RESULTS / "made-up"
SETS = 100
READ = ("run.json", "flow_monitor.parquet", "measures.parquet", "audit.parquet", "fairness.parquet")


@dataclass(frozen=True)
class Folder:
    """A version's folder: its files, and the text of its digests with the place that they were written for."""

    files: list[tuple[str, str, bytes]]  # name, path, and content for copies
    sums: str
    place: str

    def put(self, place):
        """Fill an existing folder."""
        for name, path, content in self.files:
            if name not in READ:
                os.link(path, f"{place}/{name}")
            else:
                Path(place, name).write_bytes(content)
        Path(place, digests.FILE).write_text(self.sums.replace(self.place, _name(place)), encoding="ascii")


def _name(place):
    return str(place).removeprefix(f"{layout.RESULTS}/")


def _folder(place):
    digests.write(Path(place))
    files = [path for path in Path(place).iterdir() if path.is_file() and path.name != digests.FILE]
    content = [(path.name, str(path), path.read_bytes() if path.name in READ else b"") for path in files]
    return Folder(content, Path(place, digests.FILE).read_text(encoding="ascii"), _name(place))


def versions(cell, parser, numbers):
    """The versions of a simulated cell, each with a folder of Parquet files and a folder of metrics."""
    source = layout.parquet(cell, parser)
    found = []
    for each in range(SETS):
        place = MADE_UP / f"{each}-{cell}" / parser
        shutil.copytree(source, place)
        (measured,) = place.glob("measured-*")
        columns = {place / "flow_monitor.parquet": "mean_delay_s", measured / "measures.parquet": "value"}
        for path, column in columns.items():
            table, factor = pl.read_parquet(path), 1 + numbers.gauss(0, 0.02)
            table.with_columns(pl.col(column) * factor).write_parquet(path)
        found.append((_folder(place), _folder(measured)))
    return found


def main(name):
    """Make the folders of the sweep's other cells."""
    sweep, numbers = sweep_record.read(layout.SWEEPS / name), random.Random(1)
    variants = [row["variant"] for row in sweep.combinations]
    models = {}
    for run in sweep.finished():
        models.setdefault(variants[run.combination], versions(run.cell, sweep.parser, numbers))
    for cell, combination, run in sweep.cells:
        place = layout.path_text(cell, sweep.parser)
        if Path(place).is_dir():
            continue
        measured = layout.path_text(cell, sweep.parser, sweep.measures[combination])
        Path(measured).mkdir(parents=True)
        like = models[variants[combination]]
        # A run's metrics are independent of the same run's metrics in other combinations.
        like[run % SETS][0].put(place)
        like[numbers.randrange(SETS)][1].put(measured)
    shutil.rmtree(MADE_UP)


if __name__ == "__main__":
    main(sys.argv[1])
