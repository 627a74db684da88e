# SPDX-License-Identifier: MIT
"""Count the faults of a congestion control that `tcpsweep gate` finds, and the faultless versions that it suspects.

The control is CUBIC as the correction ``cubic`` has it (RFC 9438), written into a variant file. Each fault changes one
of its rules. The faultless versions begin each curve with another fraction of a segment, so that no simulation has the
same bytes. Prints a row for each version; all take an hour and a half on two idle cores.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from harness import ROOT, environment

NAME = "TcpTried"
PARTS = ("cubic-curve", "hybrid-slow-start", "cubic")
RENAMED = {
    r"\bnamespace tcpsweep\b": "namespace ns3",
    r"\btcpsweep::Cubic\b": f"ns3::{NAME}",
    r"\bpublic AckObserver\b": "public tcpsweep::AckObserver",
    r"\bIsWindowLimited\b": "tcpsweep::IsWindowLimited",
    r"\bCubic\b": NAME,
    r"\bCubicCurve\b": "TriedCurve",
    r"\bHybridSlowStart\b": "TriedSlowStart",
}
UNCHANGED = 20
ANSWERS = {0: "nothing changed", 3: "not decided", 4: "changed"}


@dataclass(frozen=True)
class Fault:
    """A fault: the text of the sources that it replaces."""

    name: str
    right: str
    wrong: str


FAULTS = (
    Fault(
        "a loss halves the window, instead of 0.7",
        'm_decrease = Read<ns3::DoubleValue>(*this, "Beta");',
        "m_decrease = 0.5;",
    ),
    Fault(
        "no fast convergence",
        'm_converges = Read<ns3::BooleanValue>(*this, "FastConvergence");',
        "m_converges = false;",
    ),
    Fault("twice the constant C", 'Read<ns3::DoubleValue>(*this, "C")', '2 * Read<ns3::DoubleValue>(*this, "C")'),
    Fault("never as fast as Reno", "m_isFriendly = isFriendly.Get();", "m_isFriendly = false;"),
    Fault("no HyStart", 'm_hasHyStart = Read<ns3::BooleanValue>(*this, "HyStart");', "m_hasHyStart = false;"),
    Fault("the curve has no plateau", "std::cbrt((m_origin - window) / m_scale)", "0"),
    Fault("Reno's slope is 1", "3 * (1 - m_decrease) / (1 + m_decrease)", "1"),
    Fault("the fraction of a segment is lost", "m_stage.rest += growth - whole;", "m_stage.rest = 0;"),
    Fault(
        "a loss does not begin a new curve",
        "m_stage.curve.Reduce(window, m_converges);\n    m_stage.begin.reset();",
        "",
    ),
    Fault(
        "slow start grows by half a segment",
        "tcb->m_cWnd += growth * tcb->m_segmentSize;",
        "tcb->m_cWnd += growth * tcb->m_segmentSize / 2;",
    ),
)


def control():
    """The control's sources in one text."""
    folder = ROOT / "ns3-scenarios" / "lib" / "corrections"
    text = "\n".join((folder / f"{part}{end}").read_text("utf-8") for part in PARTS for end in (".h", ".cc"))
    text = re.sub(rf'#include "corrections/({"|".join(PARTS)})\.h"\n', "", text)
    for pattern, name in RENAMED.items():
        text = re.sub(pattern, name, text)
    return text


def changed(text, right, wrong):
    """The sources with another text in one place."""
    assert text.count(right) == 1, right
    return text.replace(right, wrong)


def versions():
    """All versions by their names: faults, and faultless ones."""
    text = control()
    found = {fault.name: changed(text, fault.right, fault.wrong) for fault in FAULTS}
    for number in range(1, UNCHANGED + 1):
        rest = f"m_stage.rest = {number} / {UNCHANGED + 1}.0;"
        found[f"faultless {number}"] = changed(text, "m_stage.rest = 0;", rest)
    return found


def gated(folder, name, text, sweep):
    """Run the gate; return its exit status and its answer's sentence."""
    for place, source in (("base", control()), ("head", text)):
        (folder / place).mkdir(exist_ok=True)
        (folder / place / f"{NAME}.cc").write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "tcpsweep", "gate", f"base/{NAME}.cc", f"head/{NAME}.cc", "--sweep", sweep]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode not in ANSWERS:
        sys.exit(f"{name}: the gate ended with status {done.returncode}\n{done.stderr}")
    return done.returncode, re.search(r"\*\*(.*)\*\*", done.stdout)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="keep the simulations here, and continue there")
    parser.add_argument("--sweep", type=Path, default=ROOT / "config" / "gate-cubic.yaml")
    parser.add_argument("--only", default="", help="only versions whose names contain this text")
    args = parser.parse_args()
    counts = dict.fromkeys(((is_fault, status) for is_fault in (True, False) for status in ANSWERS), 0)
    with tempfile.TemporaryDirectory() as made:
        folder = args.folder or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        print("| version | status | answer |\n|---|---|---|", flush=True)
        for name, text in versions().items():
            if args.only in name:
                status, answer = gated(folder, name, text, args.sweep.resolve())
                counts[not name.startswith("faultless"), status] += 1
                print(f"| {name} | {status} | {answer} |", flush=True)
    for is_fault, words in ((True, "faults"), (False, "faultless versions")):
        print(f"{words}: " + ", ".join(f"{counts[is_fault, status]} {said}" for status, said in ANSWERS.items()))


if __name__ == "__main__":
    main()
