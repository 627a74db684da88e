# SPDX-License-Identifier: MIT
"""The sweep as one record, from planning to report."""

import json
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.store import layout


@dataclass(frozen=True)
class Published:
    """Combinations in the setting of a published study.

    From the number ``first`` on there is one for each of the combinations ``of``, simulated in the run ``run`` alone.
    """

    first: int
    of: list
    run: int


@dataclass(frozen=True)
class Sweep:
    """A sweep, written out.

    ``axes`` maps each swept parameter or attribute to its values in the file's order. A combination is a dict of
    every parameter's normal form, of the scenario's constants, and of the attributes that are set, by name; each is run
    once per run number.
    The first ``swept`` of the combinations are the file's. Then come those that `harm` adds, for its table alone, and
    those in the setting of a published study, likewise, which ``published`` tells of.
    ``baseline`` is the variant that others are compared with, None where every variant is a mix. ``pages`` says whether
    each cell gets a page.
    """

    name: str
    title: str
    scenario: str
    seed: int
    runs: tuple
    capture: dict
    axes: dict
    combinations: list
    baseline: str | None
    pages: bool
    swept: int
    published: Published

    def runs_of(self, combination):
        """The run numbers of a combination, by its number."""
        return self.runs if combination < self.published.first else (self.published.run,)

    def counted(self):
        """How many combinations there are, and what for, in words."""
        more = {"for harm": self.published.first - self.swept, "as published": len(self.published.of)}
        words = [f"{count} {what}" for what, count in more.items() if count]
        return " and ".join([f"{self.swept} combinations", *words])


def read_sweep(folder):
    """The sweep's table, as `plan` wrote it: a dict."""
    return json.loads((Path(folder) / "sweep.json").read_text(encoding="utf-8"))


def finished(sweep):
    """Those of the sweep's runs that have their metrics: a list of (cell, combination, run)."""
    runs = [tuple(run) for run in sweep["cells"]]
    return layout.finished(runs, sweep["parser"], sweep["measures"])
