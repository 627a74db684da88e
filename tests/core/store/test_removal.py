# SPDX-License-Identifier: MIT
"""What is removed is below the folders of results, whatever links a folder from others contains."""

import contextlib
import re
import shutil
from pathlib import Path

import pytest

from tcpsweep.core.command_line.commands import prune
from tcpsweep.core.plan import plan
from tcpsweep.core.report import cell_page
from tcpsweep.core.run import run_cell
from tcpsweep.core.store import cell_files, claims, layout, links, locks, removal, snakemake_files
from tcpsweep.core.words.user_error import UserError
from tests.support.project import CELL
from tests.support.tools import ROOT

SWEEP = layout.SWEEPS / "small"


@pytest.fixture
def victim(here, tmp_path_factory):
    """A folder elsewhere, in which everything must stay."""
    folder = tmp_path_factory.mktemp("victim")
    for name in ("Documents/letter", ".ssh/key", "h", "logs/.hidden", "a.log", "page.html", "x.tmp.1/file"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("Dear all")

    def content():
        return {path: path.read_text() if path.is_file() else None for path in folder.rglob("*")}

    before = content()
    yield folder
    assert content() == before


def put(*files):
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()


def lead(place, folder):
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(folder)


def test_damaged_files_behind_a_link_stay(victim):
    lead(layout.CELLS / "h", victim)
    put(layout.CLAIMS / "h", layout.DAMAGED / "h.Documents", layout.DAMAGED / "...Documents")
    with pytest.raises(links.Outside, match=r"^results/cells/h is a link, which may lead anywhere; remove it"):
        cell_files.clear_damaged()


@pytest.mark.parametrize("place", ["cells/h", "cells", "raw", "claims"])
def test_unfinished_files_behind_a_link_stay(victim, place):
    lead(layout.RESULTS / place, victim)
    if place != "claims":
        put(layout.CLAIMS / "h")
    for nobody_works in (False, True):
        with contextlib.suppress(links.Outside):
            claims.clear(nobody_works=nobody_works)


@pytest.mark.parametrize("place", [SWEEP, SWEEP / "logs", SWEEP / "code", layout.REPORTS / "small_files"])
def test_what_a_killed_run_left_behind_a_link_stays(victim, place):
    SWEEP.parent.mkdir(parents=True)
    lead(place, victim)
    SWEEP.mkdir(exist_ok=True)
    with pytest.raises(links.Outside):
        locks.await_steps("small")
    (victim / ".steps").unlink(missing_ok=True)


def test_old_pages_behind_a_link_stay(victim, monkeypatch):
    monkeypatch.setattr(cell_page.sweep_record, "read", lambda folder: type("Sweep", (), {"pages": False}))
    lead(layout.REPORTS / "small_files", victim)
    with pytest.raises(links.Outside):
        cell_page.write(SWEEP, layout.REPORTS / "small_files")


@pytest.mark.parametrize("place", [".snakemake", ".snakemake/log"])
def test_logs_behind_a_link_stay(victim, monkeypatch, place):
    monkeypatch.setattr(snakemake_files, "MOST_LOGS", 0)
    if place == ".snakemake":
        (victim / "log").symlink_to(".")
    lead(Path(place), victim)
    with contextlib.suppress(links.Outside):
        snakemake_files.clear("small", is_only_run=True)
    if place == ".snakemake":
        (victim / "log").unlink()


def test_prune_and_clean_remove_links_and_nothing_behind_them(victim, capsys):
    lead(layout.CELLS / "h", victim)
    lead(layout.RAW / "h", victim)
    lead(layout.REPORTS / "small_files", victim)
    for what in ("results", "reports"):
        assert prune.remove(lambda what=what: prune.cleaned(what), "yes")
    assert not layout.names_in(layout.REPORTS)


def test_a_sweep_whose_folder_contains_links_is_refused(victim):
    Path("sweep.yaml").write_text(CELL)
    for place in (SWEEP / "logs" / "report.log", SWEEP, layout.REPORTS / "small_files", layout.CELLS, layout.DAMAGED):
        lead(place, victim)
        with pytest.raises(UserError, match=f"^{place} is a link, which may lead anywhere; remove it"):
            plan.prepare("sweep.yaml")
        for folder in (layout.RESULTS, layout.REPORTS):
            shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("place", [layout.RAW, layout.CELLS, layout.CELLS / "h"])
def test_a_simulation_writes_nothing_behind_a_link(victim, place):
    lead(place, victim)
    with pytest.raises(run_cell.CellFailed, match=f"^{place} is a link"):
        run_cell.run_cell(run_cell.CellTask("h", ["true"], "parser", None, {}))


LOCKS = {
    layout.LOCK: (locks.Busy, lambda: locks.store(alone=True, holder="a test")),
    SWEEP / layout.SWEEP_LOCK: (locks.Busy, lambda: locks.sweep("small")),
}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_is_not_written_behind_a_link(victim, lock):
    error, locked = LOCKS[lock]
    lead(lock, victim / "Documents" / "letter")
    with pytest.raises(error, match=f"{lock} is a link"), locked():
        pass


def test_results_and_reports_may_be_links(here, tmp_path_factory):
    other = tmp_path_factory.mktemp("disk")
    Path("results").symlink_to(other)
    put(layout.RAW / "h" / "a", layout.RAW / "g")
    for name in "hgf":
        removal.remove(layout.RAW / name)
    assert layout.names_in(layout.RAW) == []
    with pytest.raises(links.Outside, match=r"^other/h is not below results or reports"):
        removal.remove(Path("other/h"))
    with pytest.raises(links.Outside, match=r"^results/cells/\.\./raw is not below results"):
        removal.remove(Path("results/cells/../raw"))


# These remove only what they have just made, or what is in the folder of compiled programs.
OWN = {
    "features/archive/archive_file.py",
    "core/command_line/commands/new_sweep.py",
    "core/identity/python_code.py",
    "core/store/compiled_programs.py",
    "core/store/removal.py",
    "core/store/table_files.py",
    "core/store/whole_files.py",
}


def test_nothing_else_removes_files():
    calls = re.compile(r"\b(rmtree|unlink|rmdir|removedirs)\(|\bos\.remove\(")
    package = ROOT / "tcpsweep"
    found = {str(path.relative_to(package)) for path in package.rglob("*.py") if calls.search(path.read_text())}
    assert {path for path in found if not path.startswith(("core/ns3/", "features/linux/", "features/quic/"))} == OWN
