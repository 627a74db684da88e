# SPDX-License-Identifier: MIT
"""Whole rankings with real simulations in real sandboxes, by the command line and from Python."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import tcpsweep
from tcpsweep.core.identity import source_folders
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.rank import confinement, rank_interface, rank_sweeps, ranking
from tcpsweep.features.rank.look import Bench

HOSTILE = Path(__file__).parent / "hostile"
SUBMISSIONS = source_folders.ROOT / "ns3-scenarios" / "rank" / "submissions"
NETWORKS = """
sweep: {name}
scenario: dumbbell
grid: {{variant: [TcpCubic]}}
zip:
  bandwidth: [2Mbps, 3Mbps, 2Mbps, 3Mbps, 2Mbps, 3Mbps, 2Mbps, 3Mbps]
  delay: [10ms, 10ms, 20ms, 20ms, 30ms, 30ms, 40ms, 40ms]
  loss: [0.01, 0.02, 0.01, 0.02, 0.01, 0.02, 0, 0]
fixed: {{flows: 2, duration: 8s, warmup: 2s, start_jitter: 200ms}}
seed: {seed}
"""

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(confinement.hindrance() is not None, reason=f"no sandbox: {confinement.hindrance()}"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ranking")
    for name, seed in (("training", 1), ("hidden", 2)):
        (folder / f"{name}.yaml").write_text(NETWORKS.format(name=name, seed=seed))
    return folder


def ranked(folder, *options, candidates=(SUBMISSIONS,)):
    command = [sys.executable, "-m", "tcpsweep", "rank", *candidates, "--on", "training.yaml", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def first(folder):
    done = ranked(folder, "--hidden", "hidden.yaml", "--questions", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def table(folder):
    return pl.read_parquet(folder / "results/rankings/training-TcpCubic/rank.parquet")


def test_the_answer_comes_first_and_every_candidate_has_a_place_or_a_reason(folder, first):
    rows = table(folder)
    assert first.stdout.startswith(f"{rows['candidate'][0]} is first of 5 candidates, with a score of ")
    assert rows.filter(pl.col("state") == "ranked").height == 4
    peeking = rows.row(by_predicate=pl.col("candidate") == "TcpPeeking", named=True)
    assert peeking["place"] is None and "ns3::NodeList" in peeking["words"]
    assert rows["candidate"][3] == "TcpGreedy" and rows["verdict"][3] == "worse" and rows["harm"][3] < 0.7
    assert rows["audit"].drop_nulls().unique().to_list() == [""]
    page = (folder / "reports/rank-training-TcpCubic.html").read_text()
    assert all(name in page for name in (*rows["candidate"], "RFC 9743"))


def test_hidden_networks_answer_about_the_first_alone_and_show_no_scores(folder, first):
    rows = table(folder)
    assert rows["hidden"].is_not_null().to_list() == [True, False, False, False, False]
    assert "The hidden networks answer 1 more question" in first.stdout
    networks = pl.read_parquet(folder / "results/rankings/training-TcpCubic/networks.parquet")
    assert networks["network"].n_unique() == 8 and networks.height == 4 * 8


def test_a_second_call_simulates_nothing_and_asks_nothing_new(folder, first):
    cells = folder / "results/rankings/training-TcpCubic/results/cells"
    before = {path: path.stat().st_mtime_ns for path in cells.iterdir()}
    again = ranked(folder, "--hidden", "hidden.yaml", "--questions", "2")
    assert again.stdout == first.stdout
    assert {path: path.stat().st_mtime_ns for path in cells.iterdir()} == before


def test_spent_questions_leave_the_places(folder, first):
    done = ranked(folder, "--hidden", "hidden.yaml", "--ask", "4")
    assert done.returncode == 0
    assert "has answered its 2 questions" in done.stderr
    assert table(folder)["hidden"].is_not_null().sum() == 2


def test_python_gets_the_same_table(folder, first, monkeypatch):
    monkeypatch.chdir(folder)
    rows = tcpsweep.rank([SUBMISSIONS / "TcpPlain.cc", SUBMISSIONS / "TcpGreedy.cc"], on="training.yaml", race=True)
    assert rows["candidate"].to_list() == ["TcpPlain", "TcpGreedy"]
    assert rows["mean"][0] > rows["mean"][1]
    with pytest.raises(UserError, match=r"did you mean 'TcpPlain\.cc'"):
        tcpsweep.rank([SUBMISSIONS / "TcpPlan.cc"], on="training.yaml")


def test_the_pages_python_runs_in_a_process_of_its_own(folder):
    page = (source_folders.ROOT / "docs" / "features" / "rank.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    for name in ("TcpMine", "TcpOther"):
        text = (SUBMISSIONS / "TcpPlain.cc").read_text().replace("TcpPlain", name)
        (folder / f"{name}.cc").write_text(text.replace("0.5 *", "0.4 *") if name == "TcpOther" else text)
    shutil.copy(rank_interface.FOLDER / "weights.yaml", folder)
    module = "tcpsweep.features.rank.rank_interface"
    smaller = f"import pathlib, {module} as own\nown.FOLDER = pathlib.Path({str(folder)!r})  # with smaller networks\n"
    done = subprocess.run(
        [sys.executable, "-c", smaller + code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert "TcpMine" in done.stdout, done.stderr


def test_what_does_not_compile_or_crashes_is_said_with_the_compilers_words(folder):
    plain = (SUBMISSIONS / "TcpPlain.cc").read_text()
    loop = plain.replace("const double segment", "for (volatile int i = 0; i < 1; i = 0)\n{\n}\nconst double segment")
    texts = {"TcpTypo": plain.replace("std::max(", "std::maxx("), "TcpLoop": loop, "TcpPlain": plain}
    for name, text in texts.items():
        (folder / f"{name}.cc").write_text(text.replace("TcpPlain", name))
    done = ranked(folder, candidates=[f"{name}.cc" for name in texts])
    assert done.returncode == 0
    words = dict(table(folder).select("candidate", "words").rows())
    assert re.search(r"TcpTypo.cc:\d+:\d+: error: .*maxx", words["TcpTypo"])
    assert "an endless loop?" in words["TcpLoop"]
    assert words["TcpPlain"] == ""


def test_without_a_sandbox_nothing_runs_unless_it_is_trusted(folder, monkeypatch):
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    done = ranked(folder)
    assert done.returncode == 1 and "bubblewrap is not installed" in done.stderr and "--trust" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_record_of_questions_has_the_budget_and_no_hidden_networks(folder, first):
    (record,) = (folder / "results/rankings/hidden").glob("hidden/*.json")
    content = json.loads(record.read_text())["record"]
    assert content["budget"] == 2 and len(content["answers"]) == 2


def test_a_candidate_that_cheats_has_no_place_and_the_next_one_is_audited(folder, first):
    done = ranked(
        folder, "--race", "--audit", "2", candidates=(SUBMISSIONS / "TcpPlain.cc", HOSTILE / "TcpFakesAcks.cc")
    )
    assert done.returncode == 0, done.stderr
    rows = table(folder)
    assert rows["candidate"].to_list() == ["TcpPlain", "TcpFakesAcks"]
    assert rows["state"].to_list() == ["ranked", "cheats"] and rows["place"].to_list() == [1, None]
    assert "which only the socket may do" in rows["words"][1] and rows["audit"][0] == ""
    assert "TcpPlain is first" in done.stdout and "No other one has a place." in done.stdout


def test_who_left_a_race_against_a_cheat_races_again():
    states = {"A": ranking.LEFT, "B": ranking.CHEATS, "C": ranking.REFUSED, "D": ranking.FAILED}
    files = {name: Path(name) for name in "ABDE"}
    state = ranking._Race({"E": Path("E")}, state=states, words=dict.fromkeys(states, "why"))
    again = state.without_unplaced(files)
    assert [*again.running] == ["A", "D", "E"]
    assert again.state == {"B": ranking.CHEATS, "C": ranking.REFUSED} and again.words.keys() == again.state.keys()


def test_long_messages_of_a_candidate_are_cut(folder):
    loud = (SUBMISSIONS / "TcpPlain.cc").read_text().replace("TcpPlain", "TcpLoud")
    loud += 'static const bool LOUD = [] { printf("%0900000d<script>", 0); std::terminate(); return true; }();\n'
    (folder / "TcpLoud.cc").write_text(f"#include <cstdio>\n#include <exception>\n{loud}")
    done = ranked(folder, candidates=("TcpLoud.cc",))
    assert done.returncode == 0 and len(done.stdout) < 2000
    page = (folder / "reports/rank-training-TcpCubic.html").read_text()
    assert "000000" in page and "0" * 5000 not in page and "0<script>" not in page


def test_other_rankings_have_the_same_questions(folder, first):
    (folder / "other.yaml").write_text(NETWORKS.format(name="other", seed=1))
    hidden = ("--on", "other.yaml", "--hidden", "hidden.yaml", "--questions", "50")
    done = ranked(folder, *hidden, candidates=(SUBMISSIONS / "TcpShy.cc",))
    assert done.returncode == 0, done.stderr
    assert re.search("has answered its 2 questions|answer 0 more questions", done.stdout + done.stderr)


def test_an_earlier_calls_plan_is_not_taken_for_that_of_a_sweep_that_cannot_be_planned(folder, first):
    place = folder / "copy"
    shutil.copytree(folder / "results/rankings/training-TcpCubic/results", place / "results")
    networks = rank_sweeps.networks(folder / "training.yaml")
    with pytest.raises(UserError, match="was not planned"):
        Bench(place, "TcpCubic", {}, 1, is_confined=True).scores(
            "look-1", networks, [0], {"TcpGone": place / "TcpGone.cc"}
        )


@pytest.mark.parametrize("baseline", ["TcpCubik", "TcpCubic+TcpVegas", "../x", "linux:cubic", ""])
def test_a_baseline_that_is_no_congestion_control_is_told_at_once(folder, baseline):
    done = ranked(folder, "--baseline", baseline)
    assert done.returncode == 1 and "--baseline: there is no congestion control" in done.stderr
    assert "compiled, looked at" not in done.stderr


def test_a_folder_that_no_simulator_can_load_from_is_told(folder):
    place = folder / "c++"
    place.mkdir()
    shutil.copy(folder / "training.yaml", place)
    done = ranked(place)
    assert done.returncode == 1 and "a path with a comma or a plus" in done.stderr


def test_candidates_that_are_trusted_are_audited_without_a_sandbox(folder, tmp_path, monkeypatch):
    programs = tmp_path / "bin"
    programs.mkdir()
    for place in map(Path, os.environ["PATH"].split(":")):
        for program in place.glob("*"):
            if program.name != "bwrap" and not (programs / program.name).is_symlink():
                (programs / program.name).symlink_to(program)
    monkeypatch.setenv("PATH", str(programs))
    done = ranked(folder, "--trust", candidates=(SUBMISSIONS / "TcpPlain.cc",))
    assert done.returncode == 0, done.stderr
    assert table(folder).select("state", "audit").rows() == [("ranked", "")]
