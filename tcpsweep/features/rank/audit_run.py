# SPDX-License-Identifier: MIT
"""Audit a congestion control: whether its decisions follow from the ACKs and the state of its socket.

A first simulation records all calls of the control with its decisions. Other simulations repeat the calls of one
flow at the same times to a new object, while Reno drives their sockets. They have another network: rate, delay, queue,
number of flows, seed and run. ``ns3-scenarios/rank/decision-log.h`` describes the comparison. One more simulation of
the other network repeats nothing: its packets must be the same.
"""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from tcpsweep.core.identity import source_folders
from tcpsweep.core.ns3 import programs
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.store import removal
from tcpsweep.core.words.user_error import UserError

Run: TypeAlias = Callable[[Sequence[str], Path, float], int]
"""Runs a simulator's command, which writes only to a folder, for at most some seconds.

Returns its status, and puts its messages into ``log.txt`` in the folder. Raises `subprocess.TimeoutExpired`.
"""

_AUDITED = "TcpAudited"
# A network with slow start, recoveries from random and other losses, marks, and at least one timeout for most controls.
NETWORK = (
    *("--bandwidth=6Mbps", "--delay=25ms", "--loss=0.005", "--flows=2", "--start_jitter=500ms", "--duration=20s"),
    *("--queue=0.5bdp", "--queue_disc=RedQueueDisc", "--ecn=true", "--ecn_threshold=0.4bdp"),
    *("--RngSeed=1", "--RngRun=1"),
)
# The other network. Its sockets begin at 0 s, not after the recorded ones.
_OTHER = (
    *("--bandwidth=2500kbps", "--delay=8ms", "--loss=0", "--queue=1.5bdp", "--flows=3"),
    *("--start=0s", "--start_jitter=0s"),
)
_OTHER_SEED = ("--RngSeed=24151", "--RngRun=24151")
_MOST_SENDERS = 2  # whose calls are repeated, each in a simulation of its own
_WORDS = {
    "m_cWnd": "window",
    "m_ssThresh": "slow start threshold",
    "m_pacingRate": "pacing rate",
    "returned": "returned threshold",
}


@dataclass(frozen=True)
class Audit:
    """The result of an audit."""

    finding: str  # empty if the decisions are equal
    is_shown: bool = False  # whether it cheats; otherwise a finding says why this is unknown


@dataclass(frozen=True)
class Audited:
    """A control, and how it is simulated."""

    control: str  # its type, such as ns3::TcpMine
    libraries: Sequence[Path]  # with its code; none for a control of ns-3
    settings: Sequence[str] = ()  # options for all simulations, such as attributes of the control
    # Options of the recorded simulation, with its duration, seed and run, but no variant. A control that reads hidden
    # things only in some networks is found if this is one of them.
    network: Sequence[str] = NETWORK


@dataclass(frozen=True)
class Auditor:
    """Audits controls with programs of ns-3."""

    program: Path  # of the recorded simulation
    dumbbell: Path  # of the others
    library: Path  # the code of `TcpAudited`
    run: Run
    seconds: float  # the most time for a simulation

    def audit(self, audited: Audited, folder: Path) -> Audit:
        """Audit a control. The simulations write to folders in ``folder``, which are replaced.

        Raises `UserError` if the audit's own simulation fails, for example because of an unknown option.
        """
        try:
            return self._audit(audited, folder)
        except subprocess.TimeoutExpired:
            return Audit(f"a simulation of its audit takes more than {self.seconds:g} s")

    def _audit(self, audited: Audited, folder: Path) -> Audit:
        recorded = folder / "recorded"
        options: dict[str, str | Path] = {"Control": audited.control, "Log": recorded / "decisions"}
        if status := self._status(recorded, audited, (str(self.program), *audited.network), options):
            return Audit(f"its simulation ends with status {status}{_message(recorded)}")
        settings = [setting for setting in audited.settings if not setting.startswith(f"--{audited.control}::")]
        nothing = replace(audited, libraries=(), settings=settings)
        if self._status(folder / "undisturbed", nothing, self._other(audited, _OTHER_SEED), {}):
            raise UserError(f"the audit cannot simulate{_message(folder / 'undisturbed')}")
        kind, senders = "", 1
        for sender in range(_MOST_SENDERS):
            if sender < senders:
                kind, *details = report = self._report(folder, audited, sender, _OTHER_SEED)
                if kind not in ("equal", "observes"):
                    words = f"{_in_words(report)}{self._cause(folder, audited, sender, kind)}"
                    return Audit(words, is_shown=kind != "missing")
                senders = int(details[0])
                if _checksums(folder / f"repeated-{sender}") != _checksums(folder / "undisturbed"):
                    words = "other flows differ when its calls are repeated beside them: it changes the network"
                    return Audit(words, is_shown=True)
        return Audit("" if kind == "equal" else "it is an AckObserver, too, and its functions as such were not audited")

    def _cause(self, folder: Path, audited: Audited, sender: int, kind: str) -> str:
        """Why decisions differ, after a colon; empty for other kinds of reports."""
        if kind == "ends":
            return _HIDDEN
        if kind != "differs":
            return ""
        seed = [option for option in audited.network if option.startswith("--Rng")]
        kind = self._report(folder, audited, sender, seed)[0]
        return _RANDOM if kind in ("equal", "observes") else _HIDDEN

    def _report(self, folder: Path, audited: Audited, sender: int, seed: Sequence[str]) -> list[str]:
        """The words of a report as in ``decision-log.h``, or ``ends`` and its status and messages without one."""
        out = folder / f"repeated-{sender}"
        options: dict[str, str | Path] = {"Report": out / "report", "Sender": str(sender)}
        options |= {"Control": audited.control, "Log": folder / "recorded" / "decisions"}
        status = self._status(out, audited, self._other(audited, seed), options)
        if status or not (out / "report").is_file():
            return ["ends", f"{status}{_message(out)}"]
        return (out / "report").read_text().split()

    def _other(self, audited: Audited, seed: Sequence[str]) -> list[str]:
        """The program of the other network with its options, as long as the recorded simulation."""
        duration = [option for option in audited.network if option.startswith("--duration=")]
        return [str(self.dumbbell), *_OTHER, *duration, *seed]

    def _status(self, out: Path, audited: Audited, network: Sequence[str], attributes: Mapping[str, str | Path]) -> int:
        """Simulate a program with its options and some attributes of `TcpAudited`, and return the status."""
        removal.remove(out, within=out.parent)
        out.mkdir(parents=True)
        program, *options = network
        command = [program, *programs.load([self.library, *audited.libraries]), f"--variant={_AUDITED}"]
        command += [*audited.settings, *options, f"--out={out}"]
        command += [f"--ns3::{_AUDITED}::{name}={value}" for name, value in attributes.items()]
        return self.run(command, out, self.seconds)


def auditor(ns3: Engine, run: Run, seconds: float = 300, scenario: str = "dumbbell") -> Auditor:
    """Compile the programs for audits of a scenario, unless that is done. Raises `BuildError` and `EngineError`."""
    library = programs.compile_program(ns3, str(source_folders.SCENARIOS / "rank" / _AUDITED))
    compiled = {name: programs.compile_program(ns3, name) for name in (scenario, "dumbbell")}
    return Auditor(compiled[scenario], compiled["dumbbell"], library, run, seconds)


_HIDDEN = ": it reads what a sender cannot know, such as the network or another flow"
_RANDOM = ": it reads the seed, or draws random numbers without an attribute Stream"


def _in_words(report: Sequence[str]) -> str:
    """A report of a difference as words."""
    kind, *details = report
    if kind == "ends":
        return f"a simulation that repeats its calls ends with status {details[0]}"
    if kind == "missing":
        return "its flows send no data"
    time_ns, call, name, one, other = details
    place, value = f"at {int(time_ns) / 1e9:.3f} s, {call}", _WORDS.get(name, name)
    if kind == "changed":
        return f"{place}: it changes {value} from {one} to {other}, which only the socket may do"
    if kind == "between":
        return f"{place}: an event of its own has changed {value} from {one} to {other}, which no audit covers"
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
