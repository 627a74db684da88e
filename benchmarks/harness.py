# SPDX-License-Identifier: MIT
"""Shared code of the benchmarks: measure commands in turn, copy the project, and print the table of results.

A benchmark is a module with three names. ``SIZES`` maps each size's name to the argument of ``measure``.
``minutes(size)`` is the approximate duration. ``measure(size, scratch)`` yields a `Row` for each result. This process
imports no large modules: on Linux, the peak memory of a new process begins with its parent's.
"""

import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARTS = [
    *("Snakefile", "rules", "tcpsweep", "snakemake_logger_plugin_tcpsweep"),
    *("config", "envs", "ns3-scenarios", "profiles"),
]
PATIENCE_S = 10
# Times with a target are multiples of the time of this process, which runs on the same machine and loads the same
# modules as a sweep.
YARDSTICK = "Snakemake's start"
START_SNAKEMAKE = [[sys.executable, "-m", "snakemake", "--version"]]
MIB = 1024  # in KiB, Linux's unit for memory


class Failed(Exception):
    """A command to measure failed or is missing. The user reads the message."""


@dataclass(frozen=True)
class Cost:
    """The cost of a command and its child processes: seconds, and the largest memory of a single process."""

    wall_s: float
    user_s: float
    system_s: float
    peak_mib: float

    @property
    def cpu_s(self):
        """CPU seconds, summed over all cores."""
        return self.user_s + self.system_s


@dataclass(frozen=True)
class Row:
    """A result: its name, its value, and its target, if there is one."""

    name: str
    measured: str
    target: str = ""
    reached: bool | None = None


def tool(name, package):
    """The path of a program that the set-up does not install."""
    path = shutil.which(name)
    if not path:
        raise Failed(f"{name} is not installed; `apt-get install {package}`")
    return path


def environment(folder=ROOT):
    """The environment for measured commands: the package in ``folder`` instead of the installed one, no ns-3 variables.

    Python keeps compiled modules there, as in a user's folder. Otherwise each process would compile them again.
    """
    left_out = ("NS_", "PYTHONDONTWRITEBYTECODE")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(left_out)}
    return kept | {"PYTHONPATH": str(folder)}


def cost(command, folder=ROOT):
    """Run a command to its end, and return its cost.

    Parameters
    ----------
    command : list
    folder : Path
        The working folder.

    Returns
    -------
    Cost

    Raises
    ------
    Failed
        The message has the end of the command's output.
    """
    with tempfile.TemporaryFile() as words:
        started = time.perf_counter()
        process = subprocess.Popen(
            list(map(str, command)),
            cwd=folder,
            env=environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=words,
            stderr=subprocess.STDOUT,
            process_group=0,
        )
        try:
            status, usage = os.wait4(process.pid, 0)[1:]
            wall_s = time.perf_counter() - started
        except BaseException:
            _end(process.pid)
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            words.seek(0)
            text = words.read().decode(errors="replace").strip()
            raise Failed(f"{' '.join(map(str, command))}\nended with {process.returncode}:\n{text[-3000:]}")
    return Cost(wall_s, usage.ru_utime, usage.ru_stime, usage.ru_maxrss / MIB)


def _end(pid):
    """End a process and its children, first with SIGTERM, then with SIGKILL."""
    ended = 0
    try:
        for number in (signal.SIGTERM, signal.SIGKILL):
            os.killpg(pid, number)
            patience = time.monotonic() + PATIENCE_S
            while not ended and time.monotonic() < patience:
                ended, _, _ = os.wait4(pid, os.WNOHANG)
                time.sleep(0.01)
    except (ProcessLookupError, ChildProcessError):
        pass


def interleaved(commands, rounds, clean=None):
    """Run commands in turn, and reverse the order each round, so that other load on the machine affects all of them.

    Parameters
    ----------
    commands : dict
        The arguments of `cost` for each command, by name.
    rounds : int
    clean : callable, optional
        Called after each command.

    Returns
    -------
    dict
        The costs of each command, by name, one for each round.
    """
    costs = {name: [] for name in commands}
    for number in range(rounds):
        for name in list(commands)[:: -1 if number % 2 else 1]:
            found = cost(*commands[name])
            costs[name].append(found)
            say(f"  {name:36} {found.wall_s:9.2f} s wall {found.cpu_s:9.2f} s CPU {found.peak_mib:6.0f} MiB")
            if clean:
                clean()
    return costs


def ratios(over, under, what="wall_s"):
    """The ratio of two commands' costs in each round."""
    return [getattr(one, what) / getattr(other, what) for one, other in zip(over, under, strict=True)]


def yardstick_s(rounds=3):
    """The median wall time of Snakemake's start, in seconds."""
    (found,) = interleaved({YARDSTICK: START_SNAKEMAKE}, rounds).values()
    return statistics.median(one.wall_s for one in found)


def spread(values, unit="", digits=2):
    """The median and the range of values, as text."""
    low, high = (f"{value:.{digits}f}" for value in (min(values), max(values)))
    middle = f"{statistics.median(values):.{digits}f}{unit}"
    return f"{middle} ({low} to {high})" if len(values) > 1 else middle


def judged(name, values, most=None, least=None, unit="", digits=2):
    """The row of values whose median has a target: ``most`` or ``least``."""
    middle = statistics.median(values)
    if most is not None:
        return Row(name, spread(values, unit, digits), f"≤ {most}{unit}", middle <= most)
    if least is not None:
        return Row(name, spread(values, unit, digits), f"≥ {least}{unit}", middle >= least)
    return Row(name, spread(values, unit, digits))


def described(name, costs):
    """The row for a single command's cost."""
    wall, cpu = (spread([getattr(one, what) for one in costs], " s") for what in ("wall_s", "cpu_s"))
    return Row(name, f"{wall} wall, {cpu} CPU, {max(one.peak_mib for one in costs):.0f} MiB")


def table(rows):
    """Rows in Markdown."""
    words = {True: "yes", False: "**no**", None: ""}
    lines = ["| benchmark | measured: median (range) | target | reached |", "|---|---|---|---|"]
    lines += [f"| {row.name} | {row.measured} | {row.target} | {words[row.reached]} |" for row in rows]
    return "\n".join(lines)


def say(text):
    """Print a line on the terminal at once."""
    print(text, flush=True)


class Project:
    """A copy of the project in a separate folder."""

    def __init__(self, folder):
        self.folder = folder
        for part in PARTS:
            source, place = ROOT / part, folder / part
            if source.is_dir():
                shutil.copytree(source, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, place)

    def __truediv__(self, path):
        return self.folder / path

    def snakemake(self, *arguments):
        """The command line of Snakemake on ``sweep.yaml``, as arguments of `cost`."""
        command = [sys.executable, "-m", "snakemake", "--cores", "2", "--configfile", "sweep.yaml", *arguments]
        return command, self.folder

    def sweep(self, *options):
        """`tcpsweep sweep` on ``sweep.yaml``, as users run it, with options of Snakemake."""
        return [
            Path(sys.executable).with_name("tcpsweep"),
            "sweep",
            "sweep.yaml",
            "--cores",
            "2",
            *options,
        ], self.folder

    def forget(self):
        """Remove all results."""
        for path in ("results", "by-hand", ".snakemake"):
            shutil.rmtree(self.folder / path, ignore_errors=True)


def program(name="dumbbell"):
    """The path of a scenario's program. Compile it if it does not exist."""
    return program_of("engine.find()", name)[1]


def program_of(ns3, name="dumbbell"):
    """The version of an ns-3 and the path of a scenario's program for it. ``ns3`` is Python code that finds it."""
    code = (
        f"import sys; from tcpsweep.core.ns3 import engine, programs; ns3 = {ns3};"
        "print(ns3.version, programs.compile_program(ns3, sys.argv[1]))"
    )
    command = [sys.executable, "-c", code, name]
    done = subprocess.run(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise Failed(f"the program {name} cannot be compiled")
    version, _, path = done.stdout.strip().partition(" ")
    return version, Path(path)


def main(*benchmarks):
    """Run the benchmarks that the command line names, and print their table."""
    parser = argparse.ArgumentParser(description="Measure commands in turn, and print the ratios of their costs.")
    known = {Path(module.__file__).stem: module for module in benchmarks}
    if len(known) > 1:
        parser.add_argument(
            "names", nargs="*", metavar="NAME", help=f"some of {', '.join(known)} (default: all but the last)"
        )
    parser.add_argument("--size", choices=["full", "quick", "tiny"], default="full", help="(default: full)")
    parser.add_argument("--quick", dest="size", action="store_const", const="quick", help="--size quick")
    args = parser.parse_args()
    asked = [name for name in known if len(known) == 1 or not getattr(known[name], "UNASKED", False)]
    chosen = getattr(args, "names", []) or asked
    if unknown := set(chosen) - set(known):
        parser.error(f"unknown benchmark {', '.join(sorted(unknown))}; expected one or more of {', '.join(known)}")
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        rows = _measure({name: known[name] for name in chosen}, args.size)
    except Failed as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
    missed = [row.name for row in rows if row.reached is False]
    sys.exit(f"missed: {'; '.join(missed)}" if missed else 0)


def _measure(benchmarks, size):
    """Run benchmarks one after the other, and print and return their rows."""
    minutes = {name: module.minutes(module.SIZES[size]) for name, module in benchmarks.items()}
    what = ", ".join(f"{name} {_rounded(needed)}" for name, needed in minutes.items())
    say(f"benchmarks: {what}; {_rounded(sum(minutes.values()))} in all, on an idle machine")
    rows = []
    for name, module in benchmarks.items():
        say(f"{name}:")
        with tempfile.TemporaryDirectory(prefix="tcpsweep-bench-", ignore_cleanup_errors=True) as scratch:
            os.environ["TMPDIR"] = scratch  # if Snakemake is ended early, it leaves files there
            rows += module.measure(module.SIZES[size], Path(scratch))
    note = ""
    if size != "full":
        note = f", size {size}; the targets are only for the full size"
        rows = [replace(row, target="", reached=None) for row in rows]
    say(f"\n{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores{note}\n\n{table(rows)}")
    return rows


def _rounded(minutes):
    return f"{minutes:.0f} min" if minutes >= 1 else "less than a minute"
