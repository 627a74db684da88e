# SPDX-License-Identifier: MIT
"""A sweep in several versions of ns-3: which conclusions change, named versions, and a real sweep in two."""

import os
import random
import re
from pathlib import Path

import pytest

from tcpsweep.__main__ import run as run_command
from tcpsweep.core.ns3 import engine
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.store import locks
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.versions import (
    bisect_run,
    change_words,
    changes,
    conclusions,
    named_versions,
    sweep_files,
    versions_run,
)
from tests.support import synthetic
from tests.support.tools import lacking

SWEEP = """\
sweep: NAME
scenario: dumbbell
grid: {variant: [TcpCubic, TcpNewReno], bandwidth: [2Mbps, 4Mbps]}
repetitions: 14
fixed: {duration: 40s, warmup: 10s}
expect:
- goodput_bps >= 0.9Mbps where variant == TcpNewReno
"""


def made(folder, shifts):
    """The conclusions of a sweep whose NewReno has goodputs that differ from CUBIC's by a shift at each bandwidth."""
    folder.mkdir()
    os.chdir(folder)  # the simulations of both have the same names

    def goodput(row, run):
        noise = random.Random(f"{row['variant']} {row['bandwidth']} {run}")
        shift = shifts[row["bandwidth"]] if row["variant"] == "TcpNewReno" else 0
        return [noise.gauss(1e6 + shift, 1e4) for _ in range(row["flows"])]

    return conclusions.of_sweep(synthetic.sweep(SWEEP.replace("NAME", "s"), goodput))


def of(found, about):
    """The changes of conclusions about the goodput, by their place."""
    own = [change for change in found if change.conclusion.metric == "goodput_bps"]
    return {change.conclusion.where: change for change in own if change.conclusion.about == about}


def test_a_verdict_that_turns_round_is_reversed_and_one_that_does_not_stays(here):
    old = made(here / "old", {"2Mbps": 2e5, "4Mbps": 1e5})
    new = made(here / "new", {"2Mbps": -2e5, "4Mbps": 1e5})
    found = changes.changes([old, new])
    goodput = of(found, conclusions.FINDING)
    kinds = {where: change.kind for where, change in goodput.items()}
    assert kinds == {"bandwidth 2Mbps": changes.REVERSED, "bandwidth 4Mbps": changes.STAYS}
    assert goodput["bandwidth 2Mbps"].is_apart
    assert [each.finding for each in goodput["bandwidth 2Mbps"].outcomes] == ["higher", "lower"]
    assert found[0].kind == changes.REVERSED  # the strongest first
    expected = of(found, conclusions.EXPECTATION)
    assert expected["TcpNewReno, bandwidth 2Mbps"].kind == changes.FLIPS
    assert expected["TcpNewReno, bandwidth 4Mbps"].kind == changes.STAYS
    said = change_words.answer(found, ["3.37", "3.44"])
    assert "Goodput per flow, TcpNewReno − TcpCubic, bandwidth 2Mbps" in said
    assert re.search(r"ns-3 3\.37 +higher, \+(19|20|21)% .*\n +ns-3 3\.44 +lower, −(19|20|21)% ", said)


KINDS = {
    "higher, higher": changes.STAYS,
    "higher, same": changes.FLIPS,
    "holds, fails": changes.FLIPS,
    "higher, undecided, lower": changes.REVERSED,
    "higher, undecided": changes.IN_SOME,
    "same, no result": changes.IN_SOME,
    "undecided, not steady": changes.OPEN,
}


def test_the_kind_of_a_change():
    assert {words: changes.kind(words.split(", ")) for words in KINDS} == KINDS


def test_versions_are_named_by_number_folder_and_commit(here):
    wheel = engine.find().version
    assert named_versions.entry(float(wheel), here) == named_versions.entry(wheel, here) == {}
    (here / "ns-3-dev").mkdir()
    source = {"source": str(here / "ns-3-dev")}
    assert named_versions.entry("ns-3-dev", here) == source
    assert named_versions.entry("ns-3-dev@ns-3.48", here) == source | {"commit": "ns-3.48"}
    assert named_versions.entry({"source": "ns-3-dev", "build": "plain"}, here) == source | {"build": "plain"}
    said = r"^ns-3 3\.40 is not installed here \(installed: .*\); write one of these, {prefix: DIR}"
    with pytest.raises(UserError, match=said):
        named_versions.entry(3.4, here)  # YAML's 3.40


def test_a_version_that_is_not_installed_is_named_with_its_place_in_the_file(here):
    (here / "sweep.yaml").write_text(SWEEP.replace("NAME", "n") + "ns3: [3.44, 3.98, 3.99]\n")
    with pytest.raises(UserError) as raised:
        versions_run.sweep_and_versions(Path("sweep.yaml"), ())
    lines = str(raised.value).splitlines()
    told = [f"sweep.yaml:8:{column}: ns3[{place}]: ns-3 3.9{place + 7}" for place, column in ((1, 13), (2, 19))]
    assert [line.partition(" is not")[0] for line in lines] == told
    with pytest.raises(UserError, match=r"^ns-3 3\.99 is not installed here"):
        versions_run.sweep_and_versions(Path("sweep.yaml"), ("3.44", "3.99"))


@pytest.mark.parametrize("command", ["check", "sweep"])
def test_a_sweep_file_with_a_list_of_versions_is_checked_and_run_in_each(here, command):
    (here / "sweep.yaml").write_text(SWEEP.replace("NAME", "n") + "ns3: [3.44, 3.99]\n")
    with pytest.raises(SystemExit) as ended:
        run_command([command, "sweep.yaml"])
    assert str(ended.value.code).startswith("sweep.yaml:8:13: ns3[1]: ns-3 3.99 is not installed here")


def test_a_sweep_file_of_a_version_keeps_the_paths_of_files_and_long_texts(here):
    (here / "TcpMine.cc").touch()
    says = "Sentences of a study. " * 20
    text = SWEEP.replace("NAME", "n").replace("TcpNewReno]", "TcpCubic+./TcpMine.cc]").partition("expect")[0]
    (here / "sweep.yaml").write_text(f"{text}ns3: [3.37, 3.44]\ndescription: {says}\n")
    document = checked_sweep.opened("sweep.yaml")
    file = sweep_files.write(document, "3.37", {"ns3": {"prefix": "/usr"}})
    again = checked_sweep.opened(file)
    assert (again.data["sweep"], again.data["ns3"]) == ("n-3.37", {"prefix": "/usr"})
    assert again.data["grid"] == document.data["grid"]
    assert again.data["description"] == says.strip()
    assert [path.resolve() for path in again.files.values()] == [here / "TcpMine.cc"]


@pytest.mark.parametrize("kind", ["dumbbell", "TcpCubic"])
def test_a_name_that_is_too_long_for_a_file_is_told(here, kind):
    name, place = {"dumbbell": (".yaml", "scenario"), "TcpCubic": (".cc", r"grid\.variant\[0\]")}[kind]
    (here / "sweep.yaml").write_text(SWEEP.replace("NAME", "n").replace(kind, f"./Tcp{'A' * 300}{name}"))
    with pytest.raises(UserError, match=f"{place}: there is no file"):
        checked_sweep.opened("sweep.yaml")


def test_commands_that_need_one_ns3_or_several_say_so(here, capsys):
    (here / "sweep.yaml").write_text(SWEEP.replace("NAME", "n") + "ns3: [3.37, 3.44]\n")
    assert checked_sweep.asks_for_several_ns3("sweep.yaml")
    with pytest.raises(UserError, match=r"sweep.yaml:8:\d+: ns3: several versions of ns-3 have a sweep each"):
        checked_sweep.read("sweep.yaml")
    # One version is too few.
    (here / "sweep.yaml").write_text(SWEEP.replace("NAME", "n"))
    with pytest.raises(SystemExit) as ended:
        run_command(["versions", "sweep.yaml", "--ns3", "3.44"])
    assert "name at least two versions" in str(ended.value.code) + capsys.readouterr().err


@pytest.mark.long
def test_a_real_sweep_runs_in_two_versions_and_a_name_that_one_lacks_is_told_first(here, capfd):
    if not Path("/usr/include/ns3/core-config.h").exists():
        lacking("libns3-dev")
    # Without ns-3's TcpFriendliness, which came with 3.41, CUBIC differs at this rate.
    text = SWEEP.replace("NAME", "two").replace("40s, warmup: 10s", "4s, warmup: 1s, start_jitter: 100ms")
    text = text.replace("repetitions: 14", "repetitions: 5")
    (here / "two.yaml").write_text(f"{text}ns3: [3.37, 3.44]\n")
    run_command(["versions", "two.yaml"])
    said = capfd.readouterr().out
    assert re.search(r"^\d+ conclusions in ns-3 3\.37, 3\.44: ", said, re.M)
    header, _ = Path("results/versions/two/conclusions.csv").read_text().split("\n", 1)
    assert {"finding_3.37", "value_3.44"} <= set(header.split(","))
    assert 'href="two-3.37.html"' in Path("reports/versions-two.html").read_text()
    assert Path("reports/compare-two-3.37-two-3.44.html").is_file()
    # A name that one version lacks is told before anything runs.
    before = sorted(here.glob("results/**"))
    text = SWEEP.replace("NAME", "n").replace("TcpNewReno", "TcpWestwoodPlus")
    (here / "sweep.yaml").write_text(f"{text}ns3: [3.44, 3.37]\n")
    with pytest.raises(UserError, match=r"sweep.yaml:3:\d+: grid.variant.*ns-3 3.37 has no congestion control 'TcpWes"):
        named_versions.labelled(checked_sweep.opened("sweep.yaml"), [3.44, 3.37], here)
    assert sorted(here.glob("results/**")) == before


def test_versions_and_bisect_of_one_sweep_do_not_run_at_the_same_time(here, monkeypatch):
    (here / "sweep.yaml").write_text(SWEEP.replace("NAME", "n") + "ns3: [3.37, 3.44]\n")
    monkeypatch.setattr(versions_run, "sweep_and_versions", lambda file, given: (checked_sweep.opened(file), []))
    commits = [bisect_run.Commit(number * 40, "2024-01-01", "Fix") for number in "12"]
    monkeypatch.setattr(bisect_run.history, "commits", lambda *_: commits)
    with locks.derived(sweep_files.folder("n"), "`tcpsweep versions`"):
        told = r"^results/versions/n is in use by `tcpsweep versions`, process"
        with pytest.raises(locks.Busy, match=told):
            versions_run.run(Path("sweep.yaml"))
        with pytest.raises(locks.Busy, match=told):
            bisect_run.run(Path("sweep.yaml"), here, "1", "2", None, None)
