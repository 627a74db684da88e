# SPDX-License-Identifier: MIT
"""Audit a congestion control: whether its decisions follow from what a sender sees.

A first simulation records all calls of the control, and what it decides. Other simulations repeat the calls of one
flow at the same times to a new object, while Reno drives their sockets. They have another network: rate, delay, queue,
number of flows, seed and run. ``ns3-scenarios/rank/decision-log.h`` says what is compared. One more simulation of the
other network repeats nothing: its packets must be the same.
"""

import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from tcpsweep.core.identity import source_folders
from tcpsweep.core.ns3 import programs
from tcpsweep.core.ns3.engine import Engine

Run: TypeAlias = Callable[[Sequence[str], Path, float], int]
"""Runs a simulator's command, which writes only to a folder, for at most some seconds.

Returns its status, and puts its messages into ``log.txt`` in the folder. Raises `subprocess.TimeoutExpired`.
"""

_AUDITED = "TcpAudited"
_SENDERS = 2
# Slow start, recoveries by random and other losses, marks, and at least one timeout for most controls.
_RECORDED = (
    *("--bandwidth=6Mbps", "--delay=25ms", "--loss=0.005", "--queue=0.5bdp", f"--flows={_SENDERS}"),
    *("--start=100ms", "--start_jitter=500ms", "--duration=20s"),
)
# Its sockets begin at 0 s, before the recorded ones.
_OTHER = (
    *("--bandwidth=2500kbps", "--delay=8ms", "--loss=0", "--queue=1.5bdp", "--flows=3"),
    *("--start=0s", "--start_jitter=0s", "--duration=20s"),
)
_SEED, _OTHER_SEED = ("--RngSeed=1", "--RngRun=1"), ("--RngSeed=24151", "--RngRun=7")
_WORDS = {
    "m_cWnd": "window",
    "m_ssThresh": "slow start threshold",
    "m_pacingRate": "pacing rate",
    "returned": "returned threshold",
}


@dataclass(frozen=True)
class Audit:
    """What an audit says of a control: nothing, if its decisions follow from what a sender sees."""

    finding: str


@dataclass(frozen=True)
class Audited:
    """A control, and how it is simulated."""

    control: str  # its type, such as ns3::TcpMine
    libraries: Sequence[Path]  # with its code; none for a control of ns-3
    settings: Sequence[str] = ()  # options of the ranking's simulations, such as attributes of the control


@dataclass(frozen=True)
class _Simulation:
    """A kind of simulation of an audit."""

    name: str  # of its folder
    network: Sequence[str]
    attributes: dict[str, object] = field(default_factory=dict)  # of `TcpAudited`


@dataclass(frozen=True)
class Auditor:
    """Audits controls with a program of ns-3."""

    program: Path
    library: Path  # the code of `TcpAudited`
    run: Run
    seconds: float  # the most time for a simulation

    def audit(self, audited: Audited, folder: Path) -> Audit:
        """Audit a control. The simulations write to folders in ``folder``, which are replaced."""
        try:
            return Audit(self._finding(audited, folder))
        except subprocess.TimeoutExpired:
            return Audit(f"a simulation of its audit takes more than {self.seconds:g} s")

    def _finding(self, audited: Audited, folder: Path) -> str:
        log = folder / "recorded" / "decisions"
        recorded = _Simulation("recorded", (*_RECORDED, *_SEED), {"Control": audited.control, "Log": log})
        if status := self._status(recorded, audited, folder):
            return f"its simulation ends with status {status}{_message(folder / 'recorded')}"
        others = [setting for setting in audited.settings if not setting.startswith(f"--{audited.control}::")]
        self._status(_Simulation("undisturbed", (*_OTHER, *_OTHER_SEED)), Audited("", (), others), folder)
        for sender in range(_SENDERS):
            report = self._report(sender, _OTHER_SEED, audited, folder)
            if report[0] == "differs":
                is_random = self._report(sender, _SEED, audited, folder)[0] == "equal"
                return f"{_in_words(report)}: {_RANDOM if is_random else _HIDDEN}"
            if report[0] != "equal":
                return _in_words(report)
            if _checksums(folder / f"repeated-{sender}") != _checksums(folder / "undisturbed"):
                return "other flows differ when its calls are repeated beside them: it changes the network"
        return ""

    def _report(self, sender: int, seed: Sequence[str], audited: Audited, folder: Path) -> list[str]:
        """The words of a report as in ``decision-log.h``, or ``ends`` and its status and messages without one."""
        out = folder / f"repeated-{sender}"
        attributes = {"Control": audited.control, "Log": folder / "recorded" / "decisions"}
        attributes |= {"Report": out / "report", "Sender": sender}
        status = self._status(_Simulation(out.name, (*_OTHER, *seed), attributes), audited, folder)
        if status or not (out / "report").is_file():
            return ["ends", f"{status}{_message(out)}"]
        return (out / "report").read_text().split()

    def _status(self, simulation: _Simulation, audited: Audited, folder: Path) -> int:
        """Simulate; return the status."""
        out = folder / simulation.name
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        attributes = [f"--ns3::{_AUDITED}::{name}={value}" for name, value in simulation.attributes.items()]
        command = [str(self.program), *programs.load([self.library, *audited.libraries]), f"--variant={_AUDITED}"]
        return self.run(
            [*command, *audited.settings, *simulation.network, *attributes, f"--out={out}"], out, self.seconds
        )


def auditor(ns3: Engine, run: Run, seconds: float = 300) -> Auditor:
    """Compile what audits need, unless that is done. Raises `BuildError` and `EngineError`."""
    library = programs.compile_program(ns3, str(source_folders.SCENARIOS / "rank" / _AUDITED))
    return Auditor(programs.compile_program(ns3, "dumbbell"), library, run, seconds)


_HIDDEN = "it reads what a sender cannot know, such as the network or another flow"
_RANDOM = "it reads the seed, or draws random numbers without an attribute Stream"


def _in_words(report: Sequence[str]) -> str:
    """A report as words, with the cause if it is clear."""
    kind, *details = report
    if kind == "ends":
        return f"a simulation that repeats its calls ends with status {details[0]}: {_HIDDEN}"
    if kind == "missing":
        return f"only {details[0]} of {_SENDERS} flows send data"
    time_ns, call, name, one, other = details
    place, value = f"at {int(time_ns) / 1e9:.3f} s, {call}", _WORDS.get(name, name)
    if kind == "changed":
        return f"{place}: it changes {value} from {one} to {other}, which only the socket may do"
    if kind == "between":
        return (
            f"{place}: an event of its own has changed {value} from {one} to {other}, which no audit covers"
        )
    return f"{place}: {value} {one} in one run and {other} in the other, with the same ACKs"


def _message(out: Path) -> str:
    """The first line of a simulation's messages in brackets, if there is one."""
    log = out / "log.txt"
    lines = log.read_text(errors="replace").splitlines() if log.is_file() else []
    return f" ({lines[0][:200]})" if lines else ""


def _checksums(out: Path) -> list[str]:
    """The checksums of a simulation's traces; its record has the options, which differ."""
    lines = (out / "checksums.txt").read_text().splitlines()
    return [line for line in lines if "run.json" not in line]
