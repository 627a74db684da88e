# SPDX-License-Identifier: MIT
"""A dry run plans, and leaves the record of a finished sweep as it is."""

from pathlib import Path

from tcpsweep.core.plan import plan
from tcpsweep.core.store import completion_record
from tests.support.project import SMALL


def test_a_dry_run_leaves_a_finished_sweep_its_record_and_lists_the_rules_that_would_change_it(here):
    sweep = Path("sweep.yaml")
    sweep.write_text(SMALL)
    folder = plan.prepare(sweep).folder
    record = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    completion_record.write(folder, {step: [folder / "sweep.json"] for step in completion_record.STEPS}, [])
    steps = [folder / "code" / step for step in ("aggregate", "report", "pages")]
    planned = [path.stat().st_mtime_ns for path in steps]
    Path("other.yaml").write_text(SMALL.replace("5ms, 10ms", "15ms"))
    dry = plan.prepare("other.yaml", runs=False)
    assert sum(map(len, dry.work.values())) == 4
    assert {path: path.read_bytes() for path in record} == record
    assert all(path.stat().st_mtime_ns > before for path, before in zip(steps, planned, strict=True))
    assert plan.prepare("other.yaml").replaces == sweep
    assert all(path.read_bytes() != record[path] for path in (folder / "sweep.json", folder / "sweep.yaml"))
