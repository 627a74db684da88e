# SPDX-License-Identifier: MIT
"""Compare the speed of an ns-3 built from its source with ns-3's wheel and with Debian's package.

The unit is events per second of user CPU time, for a dumbbell with all default traces. NS3_SOURCE names the source, a
folder or a tarball. The first time, it is built, which takes 10 to 20 minutes.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import harness

# The least ratios of 3.44 or later to the wheel, and of earlier versions to the wheel or Debian's package.
LEAST = {True: {"the wheel's": 4.0}, False: {"the wheel's": 3.3, "Debian's": 1.9}}
DEBIAN = Path("/usr")
NETWORK = ["--variant=TcpNewReno", "--bandwidth=20Mbps", "--flows=4"]
# A simulation without tcpsweep's changes: it uses ns-3's own event queue and the C library's allocator.
PLAIN = ["--SchedulerType=ns3::MapScheduler"]


@dataclass(frozen=True)
class Size:
    """The simulated time and the number of rounds."""

    duration_s: int
    rounds: int


SIZES = {"full": Size(100, 9), "quick": Size(40, 5), "tiny": Size(2, 1)}


def minutes(size):
    """The approximate duration without the build. The wheel's dumbbell simulates 16 seconds in one second."""
    return size.rounds * 3 * (size.duration_s / 16 + 0.2) / 60 if os.environ.get("NS3_SOURCE") else 0


def measure(size, scratch):
    """Yield the ratios of events per second."""
    source = os.environ.get("NS3_SOURCE")
    if not source:
        harness.say("  skipped: NS3_SOURCE names no source of ns-3")
        return []
    version, program = harness.program_of(f"engine.of_source({str(Path(source).expanduser().absolute())!r})")
    programs = {"native": [*_preloading(), program], "the wheel's": [harness.program(), *PLAIN]}
    if (DEBIAN / "include" / "ns3" / "core-config.h").is_file():
        of_debian, other = harness.program_of(f"engine.find({str(DEBIAN)!r})")
        if of_debian == version:
            programs["Debian's"] = [other, *PLAIN]
    commands, outs = {}, {}
    for number, (name, command) in enumerate(programs.items()):
        outs[name] = scratch / str(number)
        outs[name].mkdir()
        commands[name] = [[*command, *NETWORK, f"--duration={size.duration_s}s", f"--out={outs[name]}"]]
    costs = harness.interleaved(commands, size.rounds)
    events = {name: json.loads((out / "run.json").read_text())["events"] for name, out in outs.items()}
    rows, least = [], LEAST[tuple(map(int, version.split(".")[:2])) >= (3, 44)]
    for name in list(programs)[1:]:
        more = events["native"] / events[name]
        values = [more * ratio for ratio in harness.ratios(costs[name], costs["native"], "user_s")]
        rows.append(harness.judged(f"native: events/s of {version} / {name}", values, least=least.get(name)))
    return rows


def _preloading():
    """The first words of a command that preloads the same allocator as a sweep's programs."""
    code = "from tcpsweep.core.ns3.simulator_environment import environment;print(environment().get('LD_PRELOAD', ''))"
    done = subprocess.run([sys.executable, "-c", code], cwd=harness.ROOT, stdout=subprocess.PIPE, text=True, check=True)
    preloaded = done.stdout.strip()
    return ["env", f"LD_PRELOAD={preloaded}"] if preloaded else []


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
