# SPDX-License-Identifier: MIT
"""What the benchmarks share: measuring commands side by side, copies of the project, and the table of the figures.

A benchmark is a module with ``SIZES`` (a size's name to whatever ``measure`` needs for it), ``minutes(size)``, about
how long it takes, and ``measure(size, scratch)``, which yields a `Row` for each figure. This process imports nothing
heavy: on Linux, the peak memory of a process begins with that of the process that started it.
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
# Times with a target are multiples of this process, which runs on the same machine and loads what a sweep loads.
YARDSTICK = "Snakemake's start"
START_SNAKEMAKE = [[sys.executable, "-m", "snakemake", "--version"]]
MIB = 1024  # in KiB, which Linux counts memory in


class Failed(Exception):
    """A command to be measured failed, or is not there; the message is for the user."""


@dataclass(frozen=True)
class Cost:
    """What a command and all that it started cost: seconds, and the most memory that a single process had."""

    wall_s: float
    user_s: float
    system_s: float
    peak_mib: float

    @property
    def cpu_s(self):
        """Seconds of all cores."""
        return self.user_s + self.system_s


@dataclass(frozen=True)
class Row:
    """A figure: what was measured, the result, and the target, if there is one."""

    name: str
    measured: str
    target: str = ""
    reached: bool | None = None


def tool(name, package):
    """The path of a program that is not part of the set-up."""
    path = shutil.which(name)
    if not path:
        raise Failed(f"{name} is not installed; `apt-get install {package}`")
    return path


def environment(folder=ROOT):
    """The environment for measured commands: the package in a folder, whichever is installed; no variables of ns-3.

    Python keeps the modules that it has compiled there, as it does for people: else each process compiles them anew.
    """
    left_out = ("NS_", "PYTHONDONTWRITEBYTECODE")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(left_out)}
    return kept | {"PYTHONPATH": str(folder)}


def cost(command, folder=ROOT, until=None):
    """Run a command to its end, or until something happens, and return what it cost.

    Parameters
    ----------
    command : list
    folder : Path
        Where it runs.
    until : callable, optional
        Called again and again; once it returns true, the clock stops and the command is ended.

    Returns
    -------
    Cost

    Raises
    ------
    Failed
        With the command's last words.
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
            status, usage = _wait(process.pid, until)
            wall_s = time.perf_counter() - started
            if status is None:
                usage = _end(process.pid)
        except BaseException:
            _end(process.pid)
            raise
        process.returncode = os.waitstatus_to_exitcode(status or 0)
        if process.returncode or (until and status is not None):
            words.seek(0)
            text = words.read().decode(errors="replace").strip()
            raise Failed(f"{' '.join(map(str, command))}\nended with {process.returncode}:\n{text[-3000:]}")
    return Cost(wall_s, usage.ru_utime, usage.ru_stime, usage.ru_maxrss / MIB)


def _wait(pid, until):
    """A process's status and usage at its end; nothing if the awaited event came first."""
    while until:
        ended, status, usage = os.wait4(pid, os.WNOHANG)
        if ended:
            return status, usage
        if until():
            return None, None
        time.sleep(0.01)
    return os.wait4(pid, 0)[1:]


def _end(pid):
    """End a process and those that it started, first by asking them to; return the process's usage."""
    usage = None
    try:
        for number in (signal.SIGTERM, signal.SIGKILL):
            os.killpg(pid, number)
            patience = time.monotonic() + PATIENCE_S
            while usage is None and time.monotonic() < patience:
                ended, _, found = os.wait4(pid, os.WNOHANG)
                usage = found if ended else None
                time.sleep(0.01)
    except (ProcessLookupError, ChildProcessError):
        pass
    return usage


def interleaved(commands, rounds, clean=None):
    """Run commands in turn, reversing the order each round, so that other load on the machine affects all of them.

    Parameters
    ----------
    commands : dict
        Names to lists of `cost`'s arguments.
    rounds : int
    clean : callable, optional
        Called after each command.

    Returns
    -------
    dict
        Names to lists of Cost, one for each round.
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
    """The ratio of one command's cost to another's, round by round."""
    return [getattr(one, what) / getattr(other, what) for one, other in zip(over, under, strict=True)]


def yardstick_s(rounds=3):
    """The median wall time of Snakemake's start, in seconds."""
    (found,) = interleaved({YARDSTICK: START_SNAKEMAKE}, rounds).values()
    return statistics.median(one.wall_s for one in found)


def spread(values, unit="", digits=2):
    """The median and the range of figures."""
    low, high = (f"{value:.{digits}f}" for value in (min(values), max(values)))
    middle = f"{statistics.median(values):.{digits}f}{unit}"
    return f"{middle} ({low} to {high})" if len(values) > 1 else middle


def judged(name, values, most=None, least=None, unit="", digits=2):
    """The row of figures whose median has a target, at most or at least."""
    middle = statistics.median(values)
    if most is not None:
        return Row(name, spread(values, unit, digits), f"≤ {most}{unit}", middle <= most)
    if least is not None:
        return Row(name, spread(values, unit, digits), f"≥ {least}{unit}", middle >= least)
    return Row(name, spread(values, unit, digits))


def described(name, costs):
    """The row for what a command cost by itself."""
    wall, cpu = (spread([getattr(one, what) for one in costs], " s") for what in ("wall_s", "cpu_s"))
    return Row(name, f"{wall} wall, {cpu} CPU, {max(one.peak_mib for one in costs):.0f} MiB")


def table(rows):
    """Rows in Markdown."""
    words = {True: "yes", False: "**no**", None: ""}
    lines = ["| benchmark | measured: median (range) | target | reached |", "|---|---|---|---|"]
    lines += [f"| {row.name} | {row.measured} | {row.target} | {words[row.reached]} |" for row in rows]
    return "\n".join(lines)


def say(text):
    """Tell whoever waits, at once."""
    print(text, flush=True)


class Project:
    """A copy of the project in a folder of its own."""

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
        """The project's own command line on ``sweep.yaml``, as `cost` wants it."""
        command = [sys.executable, "-m", "snakemake", "--cores", "2", "--configfile", "sweep.yaml", *arguments]
        return command, self.folder

    def sweep(self, *options):
        """`tcpsweep sweep` on ``sweep.yaml``, which is how people run it, with options of Snakemake."""
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
    """The path of a scenario's program, compiled if it is not there yet."""
    return program_of("engine.find()", name)[1]


def program_of(ns3, name="dumbbell"):
    """The version of an ns-3 and the path of a scenario's program for it; ``ns3`` is Python code that finds it."""
    code = (
        f"import sys; from tcpsweep.ns3 import engine, programs; ns3 = {ns3};"
        "print(ns3.version, programs.compile_program(ns3, sys.argv[1]))"
    )
    command = [sys.executable, "-c", code, name]
    done = subprocess.run(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise Failed(f"the program {name} cannot be compiled")
    version, _, path = done.stdout.strip().partition(" ")
    return version, Path(path)


def main(*benchmarks):
    """Run benchmarks as the command line says, and print their table."""
    parser = argparse.ArgumentParser(description="Print ratios that are measured side by side.")
    known = {Path(module.__file__).stem: module for module in benchmarks}
    if len(known) > 1:
        parser.add_argument(
            "names", nargs="*", metavar="NAME", help=f"some of {', '.join(known)}; by default all but the last"
        )
    parser.add_argument("--size", choices=["full", "quick", "tiny"], default="full", help="of what is measured (full)")
    parser.add_argument("--quick", dest="size", action="store_const", const="quick", help="--size quick")
    args = parser.parse_args()
    asked = [name for name in known if len(known) == 1 or not getattr(known[name], "UNASKED", False)]
    chosen = getattr(args, "names", []) or asked
    if unknown := set(chosen) - set(known):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; expected some of {', '.join(known)}")
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
    """Run benchmarks, one after the other, and print their rows; return these, too."""
    minutes = {name: module.minutes(module.SIZES[size]) for name, module in benchmarks.items()}
    what = ", ".join(f"{name} {_rounded(needed)}" for name, needed in minutes.items())
    say(f"benchmarks: {what}; {_rounded(sum(minutes.values()))} in all, on a machine that does nothing else")
    rows = []
    for name, module in benchmarks.items():
        say(f"{name}:")
        with tempfile.TemporaryDirectory(prefix="tcpsweep-bench-", ignore_cleanup_errors=True) as scratch:
            os.environ["TMPDIR"] = scratch  # a Snakemake that is ended early leaves files there
            rows += module.measure(module.SIZES[size], Path(scratch))
    note = ""
    if size != "full":
        note = f", size {size}, which the targets are not meant for"
        rows = [replace(row, target="", reached=None) for row in rows]
    say(f"\n{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores{note}\n\n{table(rows)}")
    return rows


def _rounded(minutes):
    return f"{minutes:.0f} min" if minutes >= 1 else "less than a minute"
