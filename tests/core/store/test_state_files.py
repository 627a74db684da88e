# SPDX-License-Identifier: MIT
"""Files that tcpsweep keeps for its own use: damaged ones are made again or reported, and who may read them."""

import errno
import os
from pathlib import Path

import pytest

from tcpsweep.core.identity import python_code
from tcpsweep.core.ns3 import catalogue, engine, ns3_build
from tcpsweep.core.ns3.installation import EngineError
from tcpsweep.core.plan import expected_costs, plan, step_costs
from tcpsweep.core.store import compiled_programs, kept_texts, layout, locks, state_files, whole_files
from tcpsweep.core.sweep import sweep_record, sweep_tables
from tcpsweep.core.words.user_error import UserError

DAMAGED = [b"", b"{", b"\xff", b"[]", b"5", b'{"a": 1}', b'"\\ud800"', b"[" * 100_000, b'{"a": NaN}', b"null"]


@pytest.fixture(params=DAMAGED, ids=lambda content: repr(content[:8]))
def damaged(request, tmp_path):
    """Damage a file, whose folder is made."""

    def damage(*parts):
        path = tmp_path.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(request.param)
        return path

    return damage


def test_a_damaged_file_is_none(damaged, tmp_path):
    assert state_files.read(damaged("x.json"), dict[str, list[str]]) is None
    assert state_files.read(tmp_path / "none.json", dict[str, str]) is None
    assert state_files.read(tmp_path, dict[str, str]) is None


def test_a_files_hash_of_ns3s_libraries_is_computed_again(damaged, tmp_path, monkeypatch):
    monkeypatch.setenv(compiled_programs.ELSEWHERE, str(tmp_path))
    library = tmp_path / "libns3.44-core.so"
    library.write_text("library")
    (tmp_path / "include" / "ns3").mkdir(parents=True)
    right = engine._libraries_id(library, tmp_path)
    damaged("libraries.kept")
    assert engine._libraries_id(library, tmp_path) == right
    assert engine._libraries_id(library, tmp_path) == right


@pytest.mark.usefixtures("build_folder")
def test_a_catalogue_is_asked_for_again(damaged):
    found = catalogue.kept_types(damaged("catalogue.kept"), engine.find(), [])
    assert "ns3::TcpCubic" in found
    assert catalogue.kept_types(damaged("catalogue.kept"), engine.find(), []) == found


def test_a_sweeps_record_is_named_and_tables_cover_nothing_that_nobody_knows(damaged, tmp_path):
    assert sweep_tables.covered(damaged(sweep_tables.COVERED).parent) == set()
    damaged("sweep.json")
    with pytest.raises(sweep_record.Unreadable, match=r"sweep\.json is damaged, or was written by another version"):
        sweep_record.read(tmp_path)
    with pytest.raises(sweep_record.Unreadable):
        sweep_record.read("a\0b")


def test_costs_and_times_are_not_known(damaged, here):
    assert expected_costs.read(damaged("cell", "run.json").parent) is None
    damaged("results", "sweeps", "s", "logs", step_costs.EXPECTED)
    damaged("results", "sweeps", "s", "logs", "report.tsv")
    assert step_costs._ratio() == 1
    assert compiled_programs.record(damaged("program", compiled_programs.RECORD).parent) is None
    assert compiled_programs.expected_seconds(here / "program-0" / "program") > 0


@pytest.mark.parametrize("cost", ["0", "-1", '"1"', "NaN", "1e999"])
def test_a_cost_that_cannot_be_is_not_known(tmp_path, cost):
    good = '{"seconds": 1, "memory": 1, "raw_bytes": 1, "parquet_bytes": 1}'
    text = '{"cost": {"kind": ["k"], "estimated": %s, "taken": %s}}'
    (tmp_path / "run.json").write_text(text % (good, good))
    assert expected_costs.read(tmp_path)
    (tmp_path / "run.json").write_text(text % (good.replace("1", cost, 1), good))
    assert expected_costs.read(tmp_path) is None


def test_a_native_build_is_named(damaged, tmp_path):
    damaged(ns3_build.RECORD)
    with pytest.raises(EngineError, match=r"native\.json is damaged; remove"):
        ns3_build.find(tmp_path)


def test_what_modules_import_is_found_again(damaged, tmp_path, monkeypatch):
    right = python_code.python_sources("core.words.mixes")
    monkeypatch.setattr(python_code, "_cache_file", lambda package: damaged("modules.json"))
    python_code._read_cache.cache_clear()
    assert python_code.python_sources("core.words.mixes") == right
    python_code._read_cache.cache_clear()


@pytest.mark.parametrize("place", [layout.RESULTS, layout.CELLS, layout.CLAIMS, layout.REPORTS])
@pytest.mark.parametrize(
    "make", [Path.touch, lambda path: path.symlink_to("nowhere"), lambda path: path.symlink_to(path.name)]
)
def test_a_place_that_is_no_folder_is_named(here, place, make):
    place.parent.mkdir(exist_ok=True)
    make(place)
    for ask in (plan.prepare, plan.unchanged, plan.without_work):
        with pytest.raises(UserError, match=f"{here / place} is a (file|link to nothing); expected a folder"):
            ask("sweep.yaml")
    if place == layout.RESULTS:
        with pytest.raises(locks.Busy, match="has to be a folder, or a link to one, in which you may write"):
            locks.store()


def test_where_planning_cannot_write_is_named(monkeypatch):
    def refuse(path):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), "results/sweeps/x.json")

    monkeypatch.setattr(plan, "with_cells", refuse)
    with pytest.raises(UserError, match=r"^results/sweeps/x\.json: Read-only file system; results/ has to be"):
        plan.prepare("sweep.yaml")


def test_a_text_comes_back_as_it_was_or_not_at_all(tmp_path):
    place = tmp_path / "x.kept"
    assert kept_texts.read(place) is None
    kept_texts.write(place, "a\r\nü\n")
    assert kept_texts.read(place) == "a\r\nü\n"
    right = place.read_bytes()
    for content in (b"", b"\n", right[:-1], right + b"b", right.partition(b"\n")[2], right.replace(b"a\r", b"b\r")):
        place.write_bytes(content)
        assert kept_texts.read(place) is None


@pytest.mark.parametrize("umask", [0o022, 0o002, 0o077])
def test_the_umask_says_who_may_read_and_write_a_file_and_a_folder(tmp_path, umask):
    before = os.umask(umask)
    try:
        whole_files.write_whole(tmp_path / "below" / "file", "text")
        with whole_files.written_whole(tmp_path / "other") as place:
            place.write_text("text")
        with whole_files.made_whole(tmp_path / "folder"):
            pass
    finally:
        os.umask(before)
    found = {str(path.relative_to(tmp_path)): path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}
    files, folders = ("below/file", "other"), ("below", "folder")
    assert found == dict.fromkeys(files, 0o666 & ~umask) | dict.fromkeys(folders, 0o777 & ~umask)
