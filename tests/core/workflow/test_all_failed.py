# SPDX-License-Identifier: MIT
"""Runs of which all simulations failed say so, also where the rule that reports failures is left out."""

from pathlib import Path

import pytest

from tcpsweep.core.command_line.commands import start_snakemake
from tcpsweep.core.plan import plan
from tcpsweep.core.store import layout
from tcpsweep.core.sweep import sweep_record
from tcpsweep.features.archive import compared_with_archive, verify_archive
from tests.support.project import SMALL


@pytest.mark.parametrize(("options", "status"), [(["--until", "summarise"], 1), (["-n"], 0), (["--touch"], 0)])
def test_a_part_of_a_sweep_of_which_all_simulations_failed_has_failed(here, monkeypatch, options, status):
    monkeypatch.setattr(start_snakemake, "_in_rounds", lambda *_: start_snakemake.Ended(0, False))
    Path("sweep.yaml").write_text(SMALL)
    planned = plan.prepare("sweep.yaml")
    first, *others = planned.cells
    (layout.FAILED / first.id).mkdir(parents=True)
    assert start_snakemake.run(Path("sweep.yaml"), options) == 0
    for cell in others:
        (layout.FAILED / cell.id).mkdir()
    assert start_snakemake.run(Path("sweep.yaml"), options) == status


@pytest.mark.parametrize(
    ("equal", "failed", "told"), [(0, 8, "0 of 8"), (7, 1, "7 of 8"), (0, 3, "other code"), (8, 0, "")]
)
def test_simulations_that_failed_in_a_run_for_comparison_are_counted(here, equal, failed, told):
    Path("sweep.yaml").write_text(SMALL)
    sweep = sweep_record.read(plan.prepare("sweep.yaml").folder)
    again = compared_with_archive.Part("simulations", equal, [], "" if equal == 8 else "some")
    words = "\n".join(verify_archive._cells_in_words(sweep, again, False, failed))
    assert told in words
    assert (f"small: {failed} of 8 simulations failed here" in words) == bool(failed)
    assert ("other code or another ns-3" in words) == (told == "other code")
    assert ("--run-code" in words) == (told == "other code")
