# SPDX-License-Identifier: MIT
"""The faults: each is a function of the place, the command's process and a random generator.

A fault without a target returns False and does not count.
"""

import contextlib
import os
import random
import signal
import subprocess
import time
from itertools import chain

PATIENCE_S = 5
MOST_S = 2.5  # the longest duration of a temporary state


def _hit(place, process, word, chance):
    """Kill one of the processes whose command contains a word, as soon as there is one."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and process.poll() is None:
        if found := place.processes(word):
            with contextlib.suppress(ProcessLookupError):
                os.kill(chance.choice(found), signal.SIGKILL)
                return True
        time.sleep(0.01)
    return False


def _signalled(send, number):
    """A fault that ends the command, by a signal to it or to its process group."""

    def signalled(place, process, chance):
        send(process.pid, number)
        return True

    return signalled


kill_snakemake = _signalled(os.kill, signal.SIGKILL)
kill_group = _signalled(os.killpg, signal.SIGKILL)
interrupt = _signalled(os.killpg, signal.SIGINT)  # as Ctrl-C does
terminate = _signalled(os.kill, signal.SIGTERM)


def kill_job(place, process, chance):
    return _hit(place, process, b"tcpsweep\0cells\0", chance)


def kill_simulator(place, process, chance):
    return _hit(place, process, b"/dumbbell\0", chance)


def full_disk(place, process, chance):
    ballast = place.temporary.parent / "ballast"
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(1 << 16))
    time.sleep(chance.uniform(0.2, MOST_S))
    ballast.unlink()
    return True


def read_only_folder(place, process, chance):
    results = place.folder / "results"
    if not results.is_dir():
        return False
    folder = chance.choice([results, *(path for path in results.glob("*") if path.is_dir()), *results.glob("sweeps/*")])
    folder.chmod(0o555)
    time.sleep(chance.uniform(0.2, MOST_S))
    folder.chmod(0o755)
    return True


def clock_jumps(place, process, chance):
    """If a clock goes back, all files are from the future; if it goes forward, they are old."""
    then = time.time() + chance.choice([3600, -10 * 365 * 86400])
    walks = (os.walk(place.folder / name) for name in ("results", "reports"))  # they go on if a folder vanishes
    below = (f"{folder}/{name}" for walk in walks for folder, *inside in walk for name in chain(*inside))
    for path in chain([place.folder / "sweep.yaml"], below):
        with contextlib.suppress(OSError):
            os.utime(path, (then, then))
    return True


def cancel(place, process, chance):
    """Cancel a SLURM job, as a user may do."""
    end = time.monotonic() + 4 * PATIENCE_S
    while time.monotonic() < end and process.poll() is None:
        if jobs := _slurm("squeue", "--me", "--noheader", "--states=RUNNING", "--format=%i").split():
            _slurm("scancel", chance.choice(jobs))
            return True
        time.sleep(0.2)
    return False


def node_down_and_up(place, process, chance):
    node = chance.choice(_slurm("sinfo", "--noheader", "--Node", "--format=%N").split())
    _slurm("scontrol", "update", f"nodename={node}", "state=down", "reason=torture")
    time.sleep(chance.uniform(0.2, MOST_S))
    end = time.monotonic() + 12 * PATIENCE_S
    while time.monotonic() < end:  # its daemon may take it down again for jobs that were slow to end
        _slurm("scontrol", "update", f"nodename={node}", "state=resume")
        time.sleep(1)
        if not _slurm("sinfo", "--noheader", "--list-reasons"):
            break
    return True


def kill_scheduler(cluster):
    def kill_scheduler(place, process, chance):
        cluster("kill", "slurmctld")
        time.sleep(chance.uniform(0.2, MOST_S))
        cluster("daemon", "slurmctld")
        return True

    return kill_scheduler


def _slurm(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout


HERE = {
    "kill -9 of Snakemake": kill_snakemake,
    "kill -9 of a job": kill_job,
    "kill -9 of a simulator": kill_simulator,
    "kill -9 of all": kill_group,
    "SIGINT": interrupt,
    "SIGTERM": terminate,
    "full disk": full_disk,
    "read-only folder": read_only_folder,
    "clock jumps": clock_jumps,
}
ENDING = {kill_snakemake, kill_group, interrupt, terminate}


def on_slurm(cluster):
    """The faults of a cluster."""
    return {
        "kill -9 of Snakemake": kill_snakemake,
        "kill -9 of a job": kill_job,
        "SIGINT": interrupt,
        "scancel of a job": cancel,
        "node down and up": node_down_and_up,
        "kill of slurmctld": kill_scheduler(cluster),
    }


def in_turn(kinds, chance: random.Random):
    """Yield names of faults endlessly, all equally often."""
    while True:
        names = sorted(kinds)
        chance.shuffle(names)
        yield from names
