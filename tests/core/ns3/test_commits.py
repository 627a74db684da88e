# SPDX-License-Identifier: MIT
"""A commit of ns-3's repository as a source, plain builds, and the search for a commit that changes a result."""

import functools
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tcpsweep.__main__ import run as run_command
from tcpsweep.core.ns3 import engine, ns3_build, ns3_source, programs
from tcpsweep.core.ns3.installation import EngineError
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.versions import bisect_run, bisection, changes, history
from tcpsweep.features.versions.conclusions import FINDING, Conclusion, Outcome

# Made answers of a tiny ns-3, from commit to commit; None does not compile.
ANSWERS = [42, 42, 42, None, 41, 41, 41]
NONE, AXIS = "tcp: ns-3\n", "grid: {tcp: [ns-3, corrected]}\n"
LISTED, CENTRE = "corrections: [prr]\nfixed: {preset: none}\n", "fixed: {preset: datacentre, tcp: corrected}\n"
NAMES = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.c"}


def run_git(folder, *arguments):
    subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True, env=os.environ | NAMES)


@pytest.fixture
def repository(tiny, tmp_path):
    """A bare repository of the tiny ns-3, whose answer changes. Other commits change a file that no build reads."""
    git = functools.partial(run_git, tiny)
    git("init", "-q")
    for number, answer in enumerate(ANSWERS):
        code = "return forty_two;" if answer is None else f"return {answer};"
        (tiny / "src/core/model/answer.cc").write_text(f'#include "answer.h"\n// {number}\nint Answer() {{ {code} }}\n')
        git("add", "-A")
        git("commit", "-qm", f"answer {number}")
        git("tag", f"v{number}")
        (tiny / "src/lte/model/lte.cc").write_text(f"// {number}\n")
        (tiny / "src/core/test/answer-test.cc").write_text(f"// {number}\n")
        git("commit", "-qam", "no build reads this")
    subprocess.run(["git", "clone", "-q", "--bare", tiny, tmp_path / "bare"], check=True)
    return tmp_path / "bare"


def test_a_commit_has_the_identity_of_the_folder_that_it_is_checked_out_to(tiny, repository, tmp_path):
    last = f"v{len(ANSWERS) - 1}"
    of_commit = ns3_source.find(repository, tmp_path / "unpacked", commit=last)
    assert of_commit.id == ns3_source.find(tiny, tmp_path / "unpacked").id
    assert of_commit.files == ns3_source.find(tiny, tmp_path / "unpacked").files
    assert of_commit.id != ns3_source.find(repository, tmp_path / "unpacked", commit="v0").id
    # A commit that changes only other files is the same ns-3, and no program in the repository's configuration runs.
    run_git(repository, "config", "filter.x.smudge", f"touch {tmp_path}/ran; cat")
    (repository / "info").mkdir(exist_ok=True)
    (repository / "info" / "attributes").write_text("* filter=x\n")
    assert of_commit.id == ns3_source.find(repository, tmp_path / "again", commit="HEAD").id
    assert not (tmp_path / "ran").exists()


def test_a_repository_of_another_owner_is_named_with_what_to_do(repository, tmp_path, monkeypatch):
    if os.geteuid():
        pytest.skip("only root can give a folder to another user")
    monkeypatch.setenv("HOME", str(tmp_path))  # without the user's configuration
    os.chown(repository, 12345, -1)
    told = r"dubious ownership in .*bare'; if .* `git config .*safe\.directory \S+/bare`$"
    with pytest.raises(EngineError, match=told):
        ns3_source.find(repository, tmp_path / "unpacked", commit="v0")


def test_only_commits_that_are_there_and_change_what_a_build_reads_are_tried_and_others_named(repository, tmp_path):
    commits = history.commits(repository, "v0", "HEAD", ns3_source.modules())
    assert [commit.subject for commit in commits] == [f"answer {number}" for number in range(len(ANSWERS))]
    with pytest.raises(UserError, match="v4 does not come before v0"):
        history.commits(repository, "v4", "v0", ns3_source.modules())
    for commit in ("v99", "--all", "HEAD:src"):
        with pytest.raises(EngineError, match=f"bare has no commit '{commit}'"):
            ns3_source.find(repository, tmp_path / "unpacked", commit=commit)
    (tmp_path / "empty").mkdir()
    with pytest.raises(EngineError, match="empty: git rev-parse: not a git repository"):
        ns3_source.find(tmp_path / "empty", tmp_path / "unpacked", commit="v0")
    # A shallow clone has the commits that it has.
    subprocess.run(["git", "clone", "-q", "--depth=4", f"file://{repository}", tmp_path / "shallow"], check=True)
    commits = history.commits(tmp_path / "shallow", "v5", "v6", ns3_source.modules())
    assert [commit.subject for commit in commits] == ["answer 5", "answer 6"]


def test_subjects_may_be_odd_and_no_program_of_a_configuration_runs(repository, tiny, tmp_path, monkeypatch):
    subjects = ["", "two\u2028lines", "red \x1b[31m", "tab\tand more", "three\r four \x85 \x1e"]
    for number, subject in enumerate(subjects):
        (tiny / "src/core/model/answer.cc").write_text(f"// odd {number}\n")
        run_git(tiny, "add", "-A")
        run_git(tiny, "commit", "-q", "--cleanup=verbatim", "--allow-empty-message", "-m", subject)
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    signed = subprocess.run(["git", "-C", tiny, "cat-file", "commit", "HEAD"], check=True, capture_output=True).stdout
    signed = signed.replace(b"\n\n", b"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\n", 1)
    hashed = ["git", "-C", tiny, "hash-object", "-t", "commit", "-w", "--stdin"]
    commit = subprocess.run(hashed, check=True, capture_output=True, input=signed).stdout.decode().strip()
    for name in ("gpg.program", "core.fsmonitor", "core.pager", "pager.log", "diff.external"):
        run_git(tiny, "config", name, program)
    run_git(tiny, "config", "log.showSignature", "true")
    (tmp_path / "own").write_text(f"[log]\nshowSignature = true\n[gpg]\nprogram = {program}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "own"))
    commits = history.commits(tiny, "v6", commit, ns3_source.modules())
    shown = ["", "two\\u2028lines", "red \\x1b[31m", "tab\tand more", "three\\r four \\x85 \\x1e"]
    assert [commit.subject for commit in commits] == ["answer 6", *shown]
    assert not (tmp_path / "ran").exists()


@pytest.mark.long
def test_the_commit_that_changes_a_result_is_found_past_one_that_does_not_compile(repository, capfd):
    commits = history.commits(repository, "v0", "HEAD", ns3_source.modules())
    tried = {}
    conclusion = Conclusion(FINDING, "goodput_bps", "an answer", "")

    def outcomes(point):
        if point not in tried:
            ns3 = engine.find_source(repository, ns3_build.PLAIN, commit=commits[point].id)
            try:
                program = programs.compile_program(ns3, "dumbbell")
                said = subprocess.run([program], capture_output=True, text=True, check=True).stdout.strip()
                tried[point] = {conclusion: Outcome(said, None, None, None, said)}
            except UserError:
                tried[point] = None
        return tried[point]

    found = bisection.search(len(commits), [conclusion], outcomes)
    assert found == {conclusion: [history.Step(2, 4)]}
    assert len(tried) == 5  # both ends, and 3, 2 and 4
    words = bisection.answer(found, commits, tried)
    assert words.splitlines()[0] == "one of 2 commits, of which those in between cannot be tried:"
    assert words.count("answer 3") == words.count("answer 4") == 1
    assert "before   42" in words
    assert "cannot be tried" in bisection.trials([conclusion], commits, tried)
    assert "10 min" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("own", "preset"),
    [
        ("", "linux"),
        ("tcp: corrected\n", "linux"),
        (LISTED, "none"),
        (CENTRE, "datacentre"),
        (NONE, None),
        (AXIS, None),
    ],
)
def test_if_the_ends_need_other_corrections_all_trials_run_without(tiny, tmp_path, monkeypatch, own, preset):
    run_git(tiny, "init", "-q")
    for number in ("3.44", "3.49"):  # prr is needed until 3.48
        (tiny / "VERSION").write_text(f"{number}\n")
        run_git(tiny, "add", "-A")
        run_git(tiny, "commit", "-qm", number)
        run_git(tiny, "tag", number)
    monkeypatch.chdir(tmp_path)
    Path("sweep.yaml").write_text(f"sweep: s\nscenario: dumbbell\n{own}")
    commits = history.commits(tiny, "3.44", "3.49", ns3_source.modules())
    trials = bisect_run.Trials(checked_sweep.opened("sweep.yaml"), tiny, commits)
    (before, *_) = checked_sweep.without_ns3(Path("sweep.yaml")).combinations
    assert bool(bisect_run.same_corrections(trials)) == bool(preset)
    (row, *others) = checked_sweep.without_ns3(trials.file(commits[0])).combinations
    if preset:
        assert (row["corrections"], row["preset"], others) == ("none", preset, [])
    else:
        assert row == before


STEPS = {"aaaa": [], "aaab": [(2, 3)], "abbb": [(0, 1)], "aabbcc": [(1, 2), (3, 4)], "a..b": [(0, 3)], "ab": [(0, 1)]}


@pytest.mark.parametrize(("outcomes", "steps"), STEPS.items())
def test_each_change_is_found(outcomes, steps):
    found = history.steps(len(outcomes), lambda point: None if outcomes[point] == "." else outcomes[point])
    assert [tuple(step) for step in found] == steps


@pytest.mark.parametrize("at", [1, 2, 77, 100, 199])
def test_a_change_among_many_commits_needs_few_trials(at):
    tried = set()

    def outcome(point):
        tried.add(point)
        return "new" if point >= at else "old"

    assert history.steps(200, outcome) == [history.Step(at - 1, at)]
    assert len(tried) <= history.most_trials(200) == 10


def change(about, subject, *findings, apart=True):
    outcomes = tuple(Outcome(finding, 0.0, 0.0, 0.0, finding) for finding in findings)
    return changes.Change(Conclusion(about, "goodput_bps", subject, ""), outcomes, changes.kind(findings), apart)


def test_without_a_name_all_conclusions_that_flip_are_looked_for():
    found = [change(FINDING, "A − B", "higher", "same"), change(FINDING, "C − B", "higher", "lower")]
    found.append(change(FINDING, "D − B", "higher", "same", apart=False))
    found.append(change(FINDING, "TcpVegas − B", "higher", "undecided"))
    assert [each.subject for each in bisection.chosen(found, None, None)] == ["A − B", "C − B"]
    assert [each.subject for each in bisection.chosen(found, None, "goodput vegas")] == ["TcpVegas − B"]
    with pytest.raises(
        UserError, match="no conclusion contains 'cubic'; the first ones are\n  Goodput per flow, A − B"
    ):
        bisection.chosen(found, None, "cubic")
    with pytest.raises(UserError, match="no conclusion flips"):
        bisection.chosen(found[3:], None, None)
    with pytest.raises(UserError, match="A − B: same at both ends"):
        bisection.chosen([change(FINDING, "A − B", "same", "same")], None, "A")


@pytest.mark.native
@pytest.mark.long
@pytest.mark.skipif(not os.environ.get("NS3_GIT"), reason="NS3_GIT names no repository of ns-3")
def test_the_commit_that_mends_ns3s_prr_is_found(tmp_path, monkeypatch, capfd):
    """ns-3's issue 1350: its PRR counts SACKed data twice. The commit's subject names the issue."""
    repository = Path(os.environ["NS3_GIT"]).expanduser().absolute()
    monkeypatch.chdir(tmp_path)
    shutil.copy(Path(__file__).with_name("prr.yaml"), ".")
    run_command(["bisect", "prr.yaml", "--source", str(repository), "--good", "380573ef1", "--bad", "f2ccf2af2"])
    assert re.search("^05c9099bba63  2026-07-19  tcp: .*#1350", capfd.readouterr().out, re.M)
