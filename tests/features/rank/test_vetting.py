# SPDX-License-Identifier: MIT
"""Candidates that do what no congestion control may do, and those that only look unusual."""

import re
import signal
from pathlib import Path

import pytest

from tcpsweep.core.command_line.commands import new_sweep
from tcpsweep.core.ns3 import programs, variants
from tcpsweep.features.rank import confined_run, confinement, vetting
from tests.support.tools import ROOT

HOSTILE = Path(__file__).parent / "hostile"
FORK = "it starts, ends and controls no processes or threads"
FILES = "a congestion control uses no files"
SETTINGS = "a sender does not read or change the simulation's settings"
NETWORK = "a sender does not know the network"
RANDOM = "random numbers follow from the seed, and decisions must follow from what a sender sees"
ONLY_CALLED = "a congestion control may ask for the time, and acts only when it is called"
NO_CALLS = "a congestion control makes no system calls"
# For each file, the step after which it is refused, and words of the reason.
REFUSED = {
    "TcpIncludesPasswords": ("preprocess", "includes passwd, which is not in its own folder"),
    "TcpIncludesAbove": ("preprocess", "includes test_vetting.py, which is not in its own folder"),
    "TcpIncludesByMacro": ("preprocess", "fatal error: /etc/passwd: No such file or directory"),
    "TcpIncludesInText": ("preprocess", 'includes "TcpOther.h", which is not in'),
    "TcpMakesDirective": ("preprocess", "a macro makes a directive"),
    "TcpHidesByFile": ("preprocess", "a name such as __FILE__ is no macro any more"),
    "TcpTakesMark": ("compile", "TcpTakesMark.cc:10:16: error: conflicting declaration"),
    "TcpPretendsSystem": ("compile", "TcpPretendsSystem.cc:9:35: error: narrowing conversion"),
    "TcpMemoryBomb": ("compile", "the compiler needs more than 2 GB of memory"),
    "TcpTimeBomb": ("compile", "the compiler did not end within 15 s of CPU time"),
    "TcpForkBomb": ("symbols", f"calls fork: {FORK}"),
    "TcpRunsCommand": ("symbols", f"calls system: {FORK}"),
    "TcpRenamesCall": ("symbols", f"calls system: {FORK}"),
    "TcpOpensFile": ("symbols", f"calls fopen: {FILES}"),
    "TcpHidesCall": ("symbols", f"calls fopen: {FILES}"),
    "TcpReadsPasswords": ("symbols", FILES),
    "TcpWritesResults": ("symbols", FILES),
    "TcpOpensSocket": ("symbols", "calls socket: it uses no sockets"),
    "TcpLooksUpSymbol": ("symbols", "calls dlsym: it loads no code and looks up no symbols"),
    "TcpSetsDefaults": ("symbols", f"calls ns3::Config::SetDefault: {SETTINGS}"),
    "TcpSetsOthers": ("symbols", f"calls ns3::Config::Set: {SETTINGS}"),
    "TcpChangesTime": ("symbols", f"calls ns3::Time::SetResolution: {SETTINGS}"),
    "TcpLooksByName": ("symbols", SETTINGS),
    "TcpLooksAtQueue": ("symbols", f"calls ns3::NodeList::GetNode: {NETWORK}"),
    "TcpReadsRate": ("symbols", "calls ns3::ObjectBase::GetAttribute: a sender does not look into other objects"),
    "TcpReadsSeed": ("symbols", f"calls ns3::RngSeedManager::GetRun: {RANDOM}"),
    "TcpDrawsNumbers": ("symbols", RANDOM),
    "TcpSchedules": ("symbols", f"calls ns3::Simulator::DoSchedule: {ONLY_CALLED}"),
    "TcpRawCall": ("instructions", 'contains inline assembly, \'asm volatile("syscall"'),
    "TcpIncludesBytes": ("instructions", "contains inline assembly, 'asm(\".incbin"),
    "TcpHiddenCall": ("instructions", "has a section .code: a congestion control places no code or data itself"),
    "TcpNamedCall": ("instructions", f"contains the instruction syscall: {NO_CALLS}"),
    "TcpReadsClock": ("instructions", "contains the instruction rdtsc"),
    "TcpLoopsAtLoad": ("load", "its static objects, or GetTypeId, did not end within 3 s"),
    "TcpCrashesAtLoad": ("load", "loading it fails\ninspect: --load: ns-3 ended the process"),
    "TcpPrintsAtLoad": ("load", "it prints while it is loaded"),
    "TcpNestsAtLoad": ("load", "it prints while it is loaded"),
    "TcpChangesReno": ("load", "changes ns-3's own type ns3::TcpNewReno"),
    "TcpRegistersAnother": ("load", "registers no congestion control ns3::TcpRegistersAnother"),
}
# For each file that vetting accepts: the simulator's status, and words in its log.
STOPPED = {
    "TcpLoopsAtBirth": (-signal.SIGKILL, "stopped: it did not end in time"),
    "TcpLoopsAtAck": (-signal.SIGKILL, "stopped: it did not end in time"),
    "TcpTakesMemory": (None, "bad_alloc"),
    "TcpFillsDisk": (-signal.SIGXFSZ, "xxx"),
    "TcpThrows": (None, "thrown by TcpThrows"),
    "TcpDividesByZero": (-signal.SIGFPE, ""),
    "TcpCrashes": (-signal.SIGSEGV, ""),
}
# They run to their end: what they do is in what they decide, which the audit of decisions replays.
AUDITED = ("TcpFakesAcks", "TcpColludes")
# Variants of the project that a stranger's file may not copy, each with a call of it.
OF_THE_PROJECT = {"TcpPrague": "ns3::NodeList::GetNode", "TcpBbr3": "ns3::UniformRandomVariable::GetValue"}

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("sandbox")]


@pytest.fixture
def vet(ns3, tmp_path):
    """Vets a file; the class has its name."""
    return lambda file: vetting.vetted(file, file.stem, ns3, tmp_path / "flat")


def test_each_hostile_file_is_in_one_table():
    assert {path.stem for path in HOSTILE.glob("*.cc")} == {*REFUSED, *STOPPED, *AUDITED}


@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_candidate_is_refused(name, vet, monkeypatch):
    if name == "TcpTimeBomb":
        monkeypatch.setattr(confinement, "COMPILER_S", 15)
    if name == "TcpLoopsAtLoad":
        monkeypatch.setattr(vetting, "LOAD_S", 3)
    vetted = vet(HOSTILE / f"{name}.cc")
    step, words = REFUSED[name]
    assert (vetted.file, vetted.step) == (None, step), vetted.refusal
    assert words in vetted.refusal
    assert len(vetted.refusal.splitlines()) <= 5


def test_a_compilation_on_a_full_disk_blames_no_candidate(vet, monkeypatch):
    monkeypatch.setattr(vetting, "_LEAST_DISK_BYTES", float("inf"))
    with pytest.raises(OSError, match="No space left on device"):
        vet(HOSTILE / "TcpPretendsSystem.cc")


@pytest.mark.parametrize("name", STOPPED)
def test_a_hostile_candidate_is_stopped_as_it_runs(name, vet, ns3, dumbbell, tmp_path, monkeypatch):
    monkeypatch.setattr(confinement, "MOST_FILE_BYTES", 50_000_000)
    monkeypatch.setattr(confined_run, "MOST_S", 10)
    monkeypatch.setattr(vetting, "_check_trial", lambda *_: None)  # which would refuse it
    status, log, _ = _simulated(vet(HOSTILE / f"{name}.cc"), ns3, dumbbell, tmp_path)
    expected, words = STOPPED[name]
    assert status == expected if expected else status
    assert words in log


@pytest.mark.parametrize(("name", "words"), [("TcpLoopsAtAck", "an endless loop?"), ("TcpCrashes", "by signal 11")])
def test_the_trial_refuses_what_would_be_stopped_later(name, words, vet, monkeypatch):
    monkeypatch.setattr(vetting, "TRIAL_S", 5)
    vetted = vet(HOSTILE / f"{name}.cc")
    assert (vetted.file, vetted.step) == (None, "trial")
    assert words in vetted.refusal


@pytest.mark.parametrize("name", AUDITED)
def test_what_only_the_audit_finds_runs_to_its_end(name, vet, ns3, dumbbell, tmp_path):
    status, log, out = _simulated(vet(HOSTILE / f"{name}.cc"), ns3, dumbbell, tmp_path)
    assert (status, (out / "checksums.txt").is_file()) == (0, True), log


def test_a_variable_that_flows_share_is_reported(vet):
    assert vet(HOSTILE / "TcpColludes.cc").shared == ["ns3::TcpColludes::s_acks"]


def _simulated(vetted, ns3, dumbbell, tmp_path):
    """The status, the log and the folder of a short simulation with a vetted candidate."""
    assert vetted.file, vetted.refusal
    return _run(vetted.file, ns3, dumbbell, tmp_path)


def _run(file, ns3, dumbbell, tmp_path):
    library = programs.compile_program(ns3, str(file.with_suffix("")))
    out = tmp_path / "out"
    out.mkdir()
    options = [f"--variant={file.stem}", "--bandwidth=2Mbps", "--duration=5s", f"--out={out}"]
    status = confined_run.run([str(dumbbell), *programs.load([library]), *options], out, None)
    return status, (out / "log.txt").read_text(errors="replace")[-5000:], out


def test_a_fork_bomb_that_was_not_vetted_is_stopped(ns3, dumbbell, tmp_path):
    file = tmp_path / "TcpForkBomb.cc"
    file.write_text(f"{vetting._MARK}{(HOSTILE / file.name).read_text()}")
    status, log, _ = _run(file, ns3, dumbbell, tmp_path)
    assert status == -signal.SIGKILL
    assert "stopped: it started more than 64 processes" in log


def test_a_simulator_without_a_candidate_runs_elsewhere(ns3, library_of, dumbbell, tmp_path):
    assert confined_run.run([str(dumbbell), "--variant=TcpCubic"], tmp_path, None) is None
    assert confined_run.run([str(dumbbell), *library_of("TcpWestwood")], tmp_path, None) is None


@pytest.mark.parametrize("name", sorted(variants.of_kind(variants.OPS) - OF_THE_PROJECT.keys()))
def test_a_variant_of_the_project_is_accepted(name, vet):
    vetted = vet(variants.FOLDER / f"{name}.cc")
    assert vetted.file, vetted.refusal
    assert "ns3::TypeId::SetParent" in vetted.calls
    assert "#include" not in vetted.file.read_text()


@pytest.mark.parametrize("name", OF_THE_PROJECT)
def test_a_variant_of_the_project_that_does_what_a_candidate_may_not_is_refused(name, vet):
    assert OF_THE_PROJECT[name] in vet(variants.FOLDER / f"{name}.cc").refusal


def test_the_template_and_the_variant_on_the_page_are_accepted(vet, ns3, dumbbell, tmp_path):
    new_sweep.write(tmp_path / "TcpMine.cc", None, [])
    status, log, out = _simulated(vet(tmp_path / "TcpMine.cc"), ns3, dumbbell, tmp_path)
    assert (status, (out / "checksums.txt").is_file()) == (0, True), log
    page = (ROOT / "docs" / "variants.md").read_text(encoding="utf-8")
    (tmp_path / "TcpTahoe.cc").write_text(re.search(r"```cpp\n(.*?)```", page, re.DOTALL)[1])
    assert vet(tmp_path / "TcpTahoe.cc").file


def test_a_mistake_is_shown_with_the_line_of_the_candidates_file(vet, tmp_path):
    new_sweep.write(tmp_path / "TcpMine.cc", None, [])
    text = (tmp_path / "TcpMine.cc").read_text().replace("m_rest -= whole;", "m_remainder -= whole;")
    (tmp_path / "TcpMine.cc").write_text(text)
    line = text[: text.index("m_remainder")].count("\n") + 1
    refusal = vet(tmp_path / "TcpMine.cc").refusal
    assert refusal.startswith(f"TcpMine.cc:{line}:"), refusal
    assert "m_remainder" in refusal


def test_a_text_with_an_include_that_no_search_follows_is_refused(vet, tmp_path):
    new_sweep.write(tmp_path / "TcpMine.cc", None, [])
    text = (tmp_path / "TcpMine.cc").read_text()
    (tmp_path / "TcpMine.cc").write_text(f'{text}const char* const RAW = R"(\n# include <x>\n)";\n')
    assert "looks like an #include" in vet(tmp_path / "TcpMine.cc").refusal


def test_the_same_candidate_in_two_folders_has_one_source(vet, ns3, tmp_path):
    new_sweep.write(tmp_path / "TcpMine.cc", None, [])
    first = vet(tmp_path / "TcpMine.cc").file.read_bytes()
    (tmp_path / "other").mkdir()
    (tmp_path / "TcpMine.cc").rename(tmp_path / "other" / "TcpMine.cc")
    assert vet(tmp_path / "other" / "TcpMine.cc").file.read_bytes() == first
    assert str(ns3.prefix).encode() not in first


def test_a_link_to_a_file_of_another_name_is_refused_and_not_read(vet, tmp_path):
    (tmp_path / "secret").write_text("hidden words")
    (tmp_path / "TcpMine.cc").symlink_to("secret")
    assert vet(tmp_path / "TcpMine.cc").refusal == "TcpMine.cc is a link to secret; expected a file of its own name"
    new_sweep.write(tmp_path / "TcpOther.cc", None, [])
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "TcpOther.cc").symlink_to(tmp_path / "TcpOther.cc")
    assert vet(tmp_path / "links" / "TcpOther.cc").file
