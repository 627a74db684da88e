# SPDX-License-Identifier: MIT
"""A dossier: its sweep files, its findings and its report, from made-up tables."""

import dataclasses
import random
import re
from pathlib import Path

import msgspec
import pytest

from tcpsweep.__main__ import run as run_command
from tcpsweep.core.command_line.commands import new_sweep
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweep import sweep_record, sweep_tables
from tcpsweep.core.sweep.sweep_parts import ShareOrValue
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.dossier import (
    chapter_findings,
    chapters,
    dossier_page,
    dossier_run,
    dossier_summary,
    sweep_files,
)
from tests.support import synthetic

COUNTS = {"5.1": 5, "5.2": 3, "5.3": 2, "6": 4, "7": 11}
SECTIONS = [*(f"{part}.{number}" for part, count in COUNTS.items() for number in range(1, count + 1)), "8"]


def test_each_section_of_the_rfc_is_asked_or_said_to_be_left_out():
    asked, _ = chapters.read()
    assert [chapter.section for chapter in asked] == SECTIONS
    for chapter in asked:
        texts = (chapter.question, chapter.networks, chapter.full_networks)
        assert all(texts) if chapter.is_covered else chapter.left_out, chapter.section
    named = {f"{name}.yaml" for name in chapters.sweeps(asked)}
    assert named == {path.name for path in chapters.FOLDER.glob("*.yaml")} - {"chapters.yaml"}


@pytest.mark.parametrize(("candidate", "form"), [("TcpBbr", "short"), ("TcpBbr", "full"), ("TcpCubic", "short")])
def test_every_sweep_of_a_dossier_is_right(here, candidate, form):
    asked, common = chapters.read()
    files = sweep_files.write(candidate, form, chapters.sweeps(asked), common, chapters.FOLDER)
    for chapter in asked:
        for number, each in enumerate(chapter.findings):
            sweep = checked_sweep.without_ns3(files[each.sweep])
            assert len(sweep.runs) == (20 if form == "full" else 10)
            compared = chapter_findings.pairs(each, number, candidate, sweep)
            references = set(chapters.REFERENCES) - {candidate}
            assert set(compared["reference"]) == references, (chapter.section, each.what)
            assert compared.height % len(references) == 0


def test_a_candidate_in_a_file_of_ones_own_is_named_by_its_path(here, monkeypatch):
    Path("code").mkdir()
    new_sweep.write(Path("code/TcpMine.cc"), None, ())
    file = dossier_run.own_file("./code/TcpMine.cc")
    asked, common = chapters.read()
    files = sweep_files.write("TcpMine", "short", chapters.sweeps(asked), common, chapters.FOLDER, file)
    assert {path.parent for path in files.values()} == {Path("results/dossiers/TcpMine")}
    for path in files.values():
        assert str(here) not in path.read_text()
        sweep = checked_sweep.without_ns3(path)
        assert {Path(source).resolve() for source in sweep.variant_files.values()} == {here / "code" / "TcpMine"}
        assert any("TcpMine" in row["variant"] for row in sweep.own)
    assert dossier_run.own_file("TcpMine") is None
    monkeypatch.setenv(checked_sweep.IGNORE_NS3, "1")  # as where an archive of others runs again
    with pytest.raises(UserError, match="code of a variant is not run here"):
        dossier_run.own_file("./code/TcpMine.cc")


def test_the_candidate_takes_its_place_and_nobody_stands_twice():
    template = {
        "grid": {"variant": ["TcpCubic", "TcpLinuxReno+CANDIDATE", "TcpCubic+TcpLinuxReno", "CANDIDATE"]},
        "fixed": {"flows": 2, "queue": "1bdp"},
        "figures": [{"metric": "jain", "axis": "variant"}],
        "full": {"grid": {"queue": ["1bdp", "4bdp"]}, "fixed": {"flows": 4}},
    }
    common = {"repetitions": 5, "full": {"repetitions": 20}}
    short = sweep_files.sweep_data(template, "TcpBbr", "short", common)
    assert short["grid"] == {"variant": ["TcpCubic", "TcpLinuxReno+TcpBbr", "TcpCubic+TcpLinuxReno", "TcpBbr"]}
    assert "full" not in short
    full = sweep_files.sweep_data(template, "TcpCubic", "full", common)
    assert full["grid"] == {"variant": ["TcpCubic", "TcpLinuxReno+TcpCubic"], "queue": ["1bdp", "4bdp"]}
    assert full["fixed"] == {"flows": 4}  # the queue is an axis now, and the figure shows its first value
    assert full["figures"][0]["where"] == {"queue": "1bdp"}
    assert full["repetitions"] == 20


SWEEP = Path(__file__).parent.joinpath("sweeps", "dossier.yaml").read_text()


def of_flows(row):
    """The variants of both flows."""
    return (2 * row["variant"].split("+"))[:2]


def goodput(row, variant, run):
    """Homogeneous, BBR gets 50 % more at 1bdp, and the same as the others at 2bdp. Next to it, CUBIC gets a tenth."""
    rate = 1e6
    if row["queue"] == "1bdp":
        rate *= {"TcpBbr": 1.5, "TcpCubic+TcpBbr": 0.1 if variant == "TcpCubic" else 1.9}.get(row["variant"], 1)
    return rate * (1 + 0.01 * random.Random(f"{row['variant']} {row['queue']} {run}").random())


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder of a sweep that has its record and its table of runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("dossier"))
        folder = synthetic.sweep(SWEEP, lambda row, run: [goodput(row, variant, run) for variant in of_flows(row)])
        yield folder.absolute()


def chapter(*findings, section="5.2.1"):
    return chapters.Chapter(section, "Others", "Does it harm others?", "Two flows.", findings, "")


ALONE = chapters.Asked("Goodput", "made", "goodput_bps", ShareOrValue(share=0.1), "higher", whole=True)
BESIDE = dataclasses.replace(ALONE, what="Goodput of CUBIC beside it", beside="TcpCubic")


def verdict(row):
    return chapter_findings.verdict((ALONE, BESIDE)[row["asked"]], row)


def test_a_finding_is_what_its_threshold_makes_of_it(made):
    folders = {"made": (sweep_record.read(made), made)}
    one = dataclasses.replace(ALONE, where={"queue": "2bdp"})
    rows = chapter_findings.findings_of_chapter(chapter(one), "TcpBbr", folders)
    assert {row["network"] for row in rows} == {"queue 2bdp"}
    rows = chapter_findings.findings_of_chapter(chapter(ALONE, BESIDE), "TcpBbr", folders)
    said = {(row["asked"], row["reference"], row["network"]): verdict(row) for row in rows}
    at_1bdp = {0: "better", 1: "worse"}
    assert said == {
        (asked, reference, network): at_1bdp[asked] if network == "queue 1bdp" else "equivalent"
        for asked in at_1bdp
        for reference in chapters.REFERENCES
        for network in ("queue 1bdp", "queue 2bdp")
    }
    # In competition with CUBIC, CUBIC is measured: next to the candidate, and next to another CUBIC.
    row = next(row for row in rows if row["asked"] == 1 and row["reference"] == "TcpCubic")
    assert (row["own"], row["reference_own"]) == ("TcpCubic", "TcpCubic")
    assert row["mean"] == pytest.approx(0.1e6, rel=0.02)
    assert row["effect"] == pytest.approx(-0.9, abs=0.01)
    assert row["effect_low"] < -0.9 < row["effect_high"] < -0.1


def test_what_is_neither_shown_is_not_decided_and_may_be_no_worse():
    row = {"finding": "undecided", "effect": 0.05, "effect_low": -0.02, "effect_high": 0.2}
    assert chapter_findings.verdict(ALONE, row) == "undecided"
    assert chapter_findings.is_no_worse(ALONE, row)
    assert not chapter_findings.is_no_worse(ALONE, row | {"effect_low": -0.11})
    assert chapter_findings.verdict(ALONE, row | {"finding": "not steady"}) == "undecided"


def test_the_report_names_verdicts_intervals_and_what_failed(made, monkeypatch):
    monkeypatch.chdir(made.parents[2])
    others = chapters.Asked("Jain's index", "lost", "jain", ShareOrValue(absolute=0.05), "higher")
    asked = [chapter(ALONE, BESIDE), chapter(others, section="6.1")]
    asked.append(chapters.Chapter("7.10", "Multipath transport", "", "", (), "ns-3 has none."))
    names = {"made": "dossier-TcpBbr-made", "lost": "dossier-TcpBbr-lost"}
    page = Path("reports/dossier-TcpBbr.html").absolute()
    page.parent.mkdir(exist_ok=True)
    told = dossier_page.write("TcpBbr", "short", asked, names, page, ["lost"])
    text = page.read_text()
    first, second = told["covered"]
    assert first["verdicts"]["TcpCubic"] == "1 worse, 1 better, 2 equivalent"
    assert first["largest"]["TcpCubic"] == "goodput of CUBIC beside it −90 %"
    assert second["verdicts"]["TcpCubic"] == "no result"
    for said in ("threshold 10 %", "Incomplete", "<code>lost</code> did not run", "ns-3 has none."):
        assert said in text
    assert not re.search("https?:", text.replace("http://www.w3.org", ""))
    written = dossier_summary.write(told, Path("docs")).read_text()
    assert "| 5.2.1 Others | " in written
    assert "Not covered: 7.10 Multipath transport." in written


def test_tables_of_an_earlier_plan_are_no_result(made, monkeypatch):
    monkeypatch.chdir(made.parents[2])
    names = {"made": made.name}
    assert list(dossier_page.folders_of(names)) == ["made"]
    covered = (made / sweep_tables.COVERED).read_bytes()
    other = [*msgspec.json.decode(covered)[1:], ["another-cell", 0, 1]]
    (made / sweep_tables.COVERED).write_bytes(msgspec.json.encode(other))
    assert dossier_page.folders_of(names) == {}
    (made / sweep_tables.COVERED).write_bytes(covered)


def test_a_sweep_that_fails_is_named_and_the_others_run(here, monkeypatch):
    ran = []

    def run(file, options):
        ran.append(file.stem.removeprefix("dossier-TcpVegas-"))
        return -9 * (ran[-1] == "wifi")  # as where memory ran out

    monkeypatch.setattr(dossier_run.sweep_process, "run", run)
    monkeypatch.setattr(dossier_run, "candidate", lambda given, file: given)
    monkeypatch.setattr(dossier_run, "_plan_in_words", lambda *_: "planned")
    with pytest.raises(SystemExit, match=r"these sweeps of the dossier did not finish: wifi"):
        dossier_run.run("TcpVegas", "short")
    assert ran == chapters.sweeps(chapters.read()[0])
    assert Path("reports/dossier-TcpVegas.html").is_file()


REFUSED = {
    "TcpCubik": "VARIANT 'TcpCubik': ns-3 3.44 has no congestion control 'TcpCubik'; did you mean 'TcpCubic'?",
    "TcpCubic+TcpBbr": "VARIANT 'TcpCubic+TcpBbr': expected one congestion control",
    "./TcpMin.cc": "VARIANT './TcpMin.cc': there is no file ",
    "./mine.cc": "VARIANT './mine.cc': ./mine.cc: expected a file named as its class, such as ./TcpMine.cc",
    "reno": "VARIANT 'reno': ns-3 has two; write TcpLinuxReno",
    "--form ful TcpBbr": "FORM 'ful': expected short or full; did you mean 'full'?",
}


def test_bad_input_is_one_message(here):
    for arguments, said in REFUSED.items():
        with pytest.raises(SystemExit) as stop:
            run_command(["dossier", *arguments.split()])
        assert str(stop.value).startswith(said)
    assert not list(here.iterdir())
