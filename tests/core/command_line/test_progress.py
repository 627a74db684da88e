# SPDX-License-Identifier: MIT
"""The progress of a run: cells by state and the remaining time, on a terminal and in a log."""

import errno
import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcpsweep.core.command_line.terminal import progress, watch
from tcpsweep.core.command_line.terminal.progress import Progress, Seen
from tcpsweep.core.store import layout
from tcpsweep.core.words import rounding
from tcpsweep.features.watch import watcher
from tests.support.processes import ends_soon, ran
from tests.support.project import SMALL, edit, programs
from tests.support.tools import PATIENCE_S

PARSER = "parser00"


@pytest.fixture
def make(here):
    """Makes files and folders; names that end in a slash are folders."""

    def make(*paths):
        for path in paths:
            place = here / path
            (place if path.endswith("/") else place.parent).mkdir(parents=True, exist_ok=True)
            if not path.endswith("/"):
                place.touch()

    return make


def seen(done=(), running=(), failed=()):
    return Seen(frozenset(done), frozenset(running), frozenset(failed))


def results(*names):
    """The files that each of these cells leaves when it is done."""
    return {name: [layout.measured(name, PARSER, "m")] for name in names}


def cells(count, seconds=10.0):
    return {f"c{i}": seconds for i in range(count)}


def test_a_cells_state_is_read_from_the_stores_folders(make):
    make(
        f"results/cells/done/{PARSER}/measured-m/",
        f"results/cells/measured-otherwise/{PARSER}/measured-n/",
        f"results/cells/measured/{PARSER}/",
        "results/cells/measured/.measured-m.some_host.17/",
        "results/cells/of-another-parser/parser99/",
        "results/raw/.simulated.some_host.17/",
        f"results/cells/parsed/.{PARSER}.some_host.17/",
        "results/raw/parsed/",
        "results/raw/waits-for-the-parser/",
        "results/failed/failed/log.txt",
        f"results/cells/somebody-elses/{PARSER}/",
        "results/raw/.somebody-elses.some_host.18/",
    )
    wanted = results(
        *("done", "of-another-parser", "measured-otherwise", "simulated", "parsed", "measured"),
        *("waits-for-the-parser", "failed", "not-begun"),
    )
    assert progress.look(wanted, PARSER, {}) == seen({"done"}, {"simulated", "parsed", "measured"}, {"failed"})


def test_a_failure_of_an_earlier_run_counts_once_the_cell_fails_again(make):
    make("results/failed/cell/log.txt")
    log = layout.FAILED / "cell" / "log.txt"
    old = progress.failures({"cell"})
    assert progress.look(results("cell"), PARSER, old) == seen()
    os.utime(log, (1, 1))  # another clock wrote it: later or earlier says nothing
    assert progress.look(results("cell"), PARSER, old).failed == {"cell"}


def looked(state, looks):
    """The state after looks, each its time, the cells that are done, and those that run; and the time left after each.

    Without a look, it is the time left of the state.
    """
    left = [] if looks else [progress.time_left(state)]
    for now, *cells_by_state in looks:
        state = progress.advanced(state, seen(*cells_by_state), float(now))
        left.append(progress.time_left(state))
    return state, left


ONE = ("c0",)
PAIR = ("c0", "c1")
LONG = ("a", "b")
COMPILING = Progress(cells(4), 2, compiling_s=60.0), [(5,), (25,), (65,), (165,)]  # it is 100 s late in the end
FOLLOWED = Progress(cells(2), 2, after_s=30.0), [(0, (), PAIR), (10, PAIR), (25, PAIR), (50, PAIR)]  # 10 s late
NONE = Progress({}, 2, after_s=30.0)
# For each case: the state, the looks, and the times left after the last of them. What is late takes a tenth longer.
TIMES_LEFT = {
    "at first, the cores share the estimates": (Progress(cells(6), 2), [], [30]),
    "no cell is shared by cores": (Progress({"long": 100.0, "short": 1.0}, 8), [], [100]),
    # 40 cells of 10 s on 2 cores, in pairs of 20 s each; after 15 pairs 10 cells are left: 5 pairs, 100 s.
    "cells that take twice their estimate double what is left": (
        Progress(cells(40), 2),
        [(now, list(cells(now // 20 * 2)), [f"c{now // 20 * 2 + i}" for i in range(2)]) for now in range(301)],
        [pytest.approx(100, rel=0.05)],
    ),
    # Two of 100 s, then 100 of 1 s, exactly as estimated, on 2 cores. After the long ones 50 s are left, of 150 s.
    "long cells that run first do not mislead": (
        Progress({"a": 100.0, "b": 100.0} | cells(100, 1.0), 2),
        [*((now, (), LONG) for now in range(100)), (100, LONG, PAIR)],
        [pytest.approx(51, rel=0.01), pytest.approx(50, rel=0.01)],
    ),
    "many nodes share what is left": (Progress(cells(100), 1), [(0, (), cells(50))], [20]),
    "a cell that is 990 s late is not about to end": (Progress(cells(1), 1), [(0, (), ONE), (1000, (), ONE)], [99]),
    "the time before the first cell is not the cells'": (Progress(cells(4), 2), [(0,), (60,), (61, (), PAIR)], [20]),
    "what is compiled first takes its time": (COMPILING[0], [*COMPILING[1], (166, (), PAIR)], [80, 60, 20, 30, 20]),
    "what follows the cells takes its time": (*FOLLOWED, [40, 30, 15, 1]),
    # Its clock began long before.
    "without cells, the clock begins at the first look": (NONE, [(86400,), (86410,), (86500,)], [30, 20, 7]),
}


@pytest.mark.parametrize("case", TIMES_LEFT)
def test_the_time_left_follows_from_estimates_and_looks(case):
    state, looks, expected = TIMES_LEFT[case]
    left = looked(state, looks)[1]
    assert left[-len(expected) :] == [pytest.approx(each) if isinstance(each, int) else each for each in expected]


def test_the_first_finished_cells_of_a_kind_correct_the_expected_times(make):
    """The CPU time counts, not the clock: the pace is the clock's time for it."""
    kinds = {"c0": ("a",), "c1": ("a",), "c2": ("b",), "c3": ("b",)}
    state = progress.advanced(Progress(cells(5), 1, kinds=kinds), seen((), ONE), 0.0)
    cost = '{"seconds": %d, "memory": 1, "raw_bytes": 1, "parquet_bytes": 1}'
    make(f"results/cells/c0/{PARSER}/run.json")
    costs = f'"estimated": {cost % 5}, "taken": {cost % 30}'
    (layout.parquet("c0", PARSER) / "run.json").write_text(f'{{"cost": {{"kind": ["a"], {costs}}}}}')
    state = progress.learnt(progress.advanced(state, seen(ONE), 30.0), PARSER, ONE)
    assert state.seconds == {"c0": 30, "c1": 30, "c2": 10, "c3": 10, "c4": 10}
    assert progress.time_left(state) == pytest.approx(60)
    assert progress.learnt(state, PARSER, PAIR) == state  # nothing to read


def test_a_step_that_compiles_or_draws_is_in_the_line():
    for step, looks, line in (
        ("compiling", COMPILING, "s: 0/4 simulations · compiling · about 30 s left"),
        ("drawing figures", FOLLOWED, "s: 2/2 simulations · drawing figures · about 1 s left"),
    ):
        state, _ = looked(*looks)
        assert progress.in_one_line(state, "s", len(state.seconds), step) == line


def test_a_watcher_that_comes_late_judges_the_pace_by_the_cells_that_are_left(here):
    late = watcher.Watcher("small")
    planned = {name: SimpleNamespace(id=name, seconds=10.0, kind=()) for name in cells(4)}
    late._sweep, late._planned_cells, late._unfinished = object(), planned, {"c3": []}
    assert late._first_progress(seen(done=["c0", "c1", "c2"])).seconds.keys() == {"c3"}


def test_the_line_counts_what_was_finished_before():
    begun = {"done": frozenset({"c0"}), "failed": frozenset({"c1"}), "since": {"c2": 5.0}, "at": 5.0}
    state = replace(Progress(cells(4), cores=2), **begun)
    assert progress.in_one_line(state, "s", 100).startswith("s: 97/100 simulations · 1 running · 1 failed · about ")
    ended = replace(state, done=frozenset({"c0", "c2", "c3"}), since={})
    assert progress.in_one_line(ended, "s", 100, "making tables") == "s: 99/100 simulations · 1 failed · making tables"


def test_a_narrow_line_leaves_out_what_matters_least():
    state = progress.advanced(Progress(cells(4), cores=2), seen((), ("c0", "c1")), 0.0)
    said = [progress.in_one_line(state, "s", 4, width=width) for width in (60, 42, 35, 25, 5)]
    named, unnamed = "s: 0/4 simulations · 2 running · about 20 s left", "0/4 · 2 running · about 20 s left"
    assert said == [named, unnamed, unnamed, "0/4 · about 20 s left", "0/4"]


@given(st.integers(1, 120), st.integers(0, 9), st.integers(0, 9))
def test_the_line_never_wraps(width, done, failed):
    names = list(cells(20))
    state = replace(Progress(cells(20), 2), done=frozenset(names[:done]), failed=frozenset(names[done : done + failed]))
    line = progress.in_one_line(state, "a-sweep", 10_000, "compiling", width)
    assert 0 < len(line) <= width
    assert line.isprintable()


def test_times_are_said_in_two_or_three_digits():
    said = [rounding.time_text(seconds) for seconds in (0.4, 59.6, 89.4, 90, 3600, 5300, 5400, 36060)]
    assert said == ["0 s", "60 s", "89 s", "2 min", "60 min", "88 min", "1 h 30 min", "10 h 01 min"]


def test_a_log_gets_a_line_a_minute_with_the_time(here, follow, monkeypatch):
    monkeypatch.setattr(watch, "BETWEEN_S", 60)
    follower, out = follow(2)
    for elapsed in range(200):
        follower._look(float(elapsed))
        follower._show(float(elapsed))
    lines = out.getvalue().splitlines()
    assert len(lines) == 3
    assert all(re.fullmatch(r"tcpsweep: [0-2]\d:[0-5]\d s: 0/2 simulations · about .+ left", line) for line in lines)


def a_plan(count):
    made = cells(count)
    about = {"seconds": made, "compiling_s": 0.0, "after_s": 0.0, "parser": PARSER, "sweep": SimpleNamespace(name="s")}
    about |= {"kinds": {}, "slower": 1.0}
    named = [SimpleNamespace(id=cell) for cell in made]
    return SimpleNamespace(**about, cells=named, results=lambda: results(*made))


@pytest.fixture
def follow(make, monkeypatch):
    """Makes a watch of so many cells, which looks without a pause, and its output."""
    monkeypatch.setattr(watch, "LEAST_PAUSE_S", 0.005)
    monkeypatch.setattr(watch, "BETWEEN_S", 0)
    out = io.StringIO()
    return lambda count: (watch.Watch(a_plan(count), 2, out), out)


def test_a_log_gets_whole_lines_and_names_the_first_failures(make, follow):
    make("results/raw/.c0.host.1/")
    follower, out = follow(12)
    follower.start()
    try:
        make(*(f"results/cells/c{i}/{PARSER}/measured-m/" for i in range(2, 5)))
        ends_soon(lambda: "s: 3/12 simulations · 1 running · about" not in out.getvalue())
        make(*(f"results/failed/c{i}/log.txt" for i in range(5, 12)))
        ends_soon(lambda: "· 7 failed" not in out.getvalue())  # of the line: "c7 failed" comes sooner
    finally:
        follower.stop()
    text = out.getvalue()
    assert "\x1b" not in text
    assert all(line.startswith("tcpsweep: ") for line in text.splitlines())
    assert 1 <= text.count("failed; its log: results/failed/c") <= watch.MOST_NAMED
    assert text.count("more simulations failed") == 1


def test_a_message_that_is_half_written_is_not_broken(make, follow):
    make("results/raw/.c0.host.1/", f"results/cells/c1/{PARSER}/measured-m/", "results/failed/c2/")
    follower, out = follow(3)
    follower.write("half ")
    follower.start()
    make("results/failed/c2/log.txt", f"results/cells/c0/{PARSER}/measured-m/")
    time.sleep(0.1)
    assert out.getvalue() == "half "
    follower.write("a message\n")
    ends_soon(lambda: "c2 failed" not in out.getvalue())
    follower.stop()
    assert out.getvalue().startswith("half a message\ntcpsweep: c2 failed; ")


def test_a_display_that_breaks_says_so_once_and_stops(follow, monkeypatch):
    def broken(*_):
        raise RuntimeError("broken")

    monkeypatch.setattr(progress, "look", broken)
    follower, out = follow(2)
    follower.start()
    follower._thread.join(timeout=PATIENCE_S)
    follower.stop()
    assert out.getvalue() == "tcpsweep: no more progress is shown (RuntimeError: broken)\n"


def test_only_a_terminal_that_can_clear_a_line_gets_a_live_one(monkeypatch):
    terminal = SimpleNamespace(isatty=lambda: True)
    for name in ("xterm", "dumb", ""):
        monkeypatch.setenv("TERM", name)
        assert watch.is_live(terminal) == (name == "xterm")
        assert not watch.is_live(io.StringIO())
    monkeypatch.delenv("TERM")
    assert not watch.is_live(terminal)


CODE, CLEAR, HIDDEN = r"\x1b\[[0-9;?]*[A-Za-z]", r"\r\x1b\[2K", "\x1b[?25l"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def drawn(text):
    """What was on the line each time that it was drawn, without its bar."""
    parts = [re.sub(CODE, "", part) for part in re.split(CLEAR, text)]
    return [re.split("[\r\n]", part)[-1].rstrip("━╺╸- ") for part in parts]


def screen(text):
    """The lines that are left on a terminal, as if it were wide enough, without colours."""
    lines, row, column = [""], 0, 0
    for part in re.split(f"(\r?\n|\r|{CODE})", text):
        if part.endswith("\n"):
            row += 1
            lines += [""] * (row == len(lines))
        if part.endswith(("\n", "\r")):
            column = 0
        elif part == "\x1b[2K":
            lines[row] = ""
        elif not part.startswith("\x1b"):
            lines[row] = lines[row][:column] + part + lines[row][column + len(part) :]
            column += len(part)
    return lines


def test_a_terminal_has_a_line_with_a_bar_below_the_messages_and_none_at_the_end(make, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    follower = watch.Watch(a_plan(4), 2, terminal)
    make(f"results/cells/c0/{PARSER}/measured-m/")
    follower._look(0.0)
    follower._show(0.0)
    line = screen(terminal.getvalue())[-1]
    assert re.fullmatch(r"s: 1/4 simulations · about \d+ s left +[━╺╸]{2,3} *", line)
    assert len(line) < 80
    follower.write("a message\n")
    assert "".join(screen(terminal.getvalue())) == "a message"
    follower._show(1.0)
    assert screen(terminal.getvalue()) == ["a message", line]
    follower.stop()
    assert "".join(screen(terminal.getvalue())) == "a message"
    assert not COLOUR.search(terminal.getvalue())
    assert HIDDEN not in terminal.getvalue()  # a killed process could not show the cursor again
    assert terminal.getvalue().endswith("\x1b[2K")


# Real runs.

SLOWER = SMALL.replace("duration: 3s", "duration: 100s")


class Terminal:
    """Snakemake on a pseudo-terminal, and its output there."""

    def __init__(self, project, *arguments, columns, **environment):
        self.output, self._end = pty.openpty()
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        command, own = project.command(*arguments, "--configfile", "sweep.yaml")
        own = {name: value for name, value in own.items() if name not in ("COLUMNS", "LINES")}  # which xdist sets
        self.process = subprocess.Popen(
            command,
            cwd=project.folder,
            env=own | {"TERM": "xterm"} | environment,
            **dict.fromkeys(("stdin", "stdout", "stderr"), self._end),
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C reaches all that runs on it
        )
        os.close(self._end)
        self.text = ""

    def read(self, until=None):
        """What is written until a text comes, or to the end."""
        end = time.monotonic() + PATIENCE_S
        while not (until and until in self.text):
            assert time.monotonic() < end, self.text
            if not select.select([self.output], [], [], 0.2)[0]:
                continue
            try:
                data = os.read(self.output, 65536)
            except OSError as error:  # Linux' end of a terminal
                assert error.errno == errno.EIO
                data = b""
            if not data:
                break
            self.text += data.decode()
        return self.text

    def press(self, key):
        """Write a key's bytes."""
        os.write(self.output, key)

    def ended(self):
        """The exit status, once everything has been read."""
        self.read()
        os.close(self.output)
        return self.process.wait(timeout=PATIENCE_S)


@pytest.mark.long
def test_a_terminal_shows_cells_as_they_end_and_then_the_summary_alone(project, dumbbell):
    (project / "sweep.yaml").write_text(SLOWER)
    project.refuse("TcpCubic*--delay=10ms*RngRun=2")
    terminal = Terminal(project, columns=60, NO_COLOR="1")
    text = terminal.read()
    assert terminal.ended() == 1
    assert "Traceback" not in text
    assert not COLOUR.search(text)
    assert HIDDEN not in text
    live = [line for line in drawn(text) if re.match("small: [0-9]+/8 simulations|[0-9]+/8", line)]
    assert max(map(len, live)) < 60
    counts = [int(re.search("[0-9]+", line)[0]) for line in live]
    assert counts == sorted(counts)
    assert len(set(counts)) > 2
    assert counts[-1] == 7
    assert any("2 running" in line for line in live)
    assert any("s left" in line for line in live)
    assert "1 failed" in live[-1]
    left = screen(text)
    assert not any(re.search("/8 |left$", line) for line in left)
    (named,) = (line for line in left if line.startswith("tcpsweep: dumbbell-"))
    assert re.fullmatch(r"tcpsweep: (\S+) failed; its log: results/failed/\1/log.txt", named)
    assert "tcpsweep: rule finish failed; its log: results/sweeps/small/logs/finish.log" in left
    assert "small: means ± 95 % confidence" in left
    assert any(line.startswith(("  CUBIC", "  NewReno")) and "█" in line for line in left)
    assert "1 of 8 simulations have no result" in left
    assert left.index("report: reports/small.html") > left.index("1 of 8 simulations have no result")
    assert len(left) < 50  # the plan wraps, and says if other programs use the cores


@pytest.mark.long
def test_ctrl_c_clears_the_line_and_says_in_two_lines_what_is_left(project, dumbbell):
    (project / "sweep.yaml").write_text(SLOWER.replace("100s", "2000s"))
    terminal = Terminal(project, columns=100)
    terminal.read(until="2 running")
    terminal.press(b"\x03")
    text = terminal.read()
    assert terminal.ended() != 0
    assert "Traceback" not in text
    left = [line for line in screen(text) if line]
    assert left[left.index("Terminating processes on user request, this might take some time.") :] == [
        "Terminating processes on user request, this might take some time.",
        "8 of 8 simulations have no result; 8 were not simulated; the next run simulates them",
    ]
    assert HIDDEN not in text
    assert not programs(project.folder)


@pytest.mark.long
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_run_leaves_the_cursor_visible(project, dumbbell, told):
    (project / "sweep.yaml").write_text(SLOWER)
    terminal = Terminal(project, columns=80)
    terminal.read(until="2 running")
    terminal.process.send_signal(told)
    text = terminal.read()
    assert terminal.ended() != 0
    assert "left" in text
    assert HIDDEN not in text
    assert "did not finish" not in text


@pytest.mark.long
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_gets_no_colours_where_the_environment_says_so(project, environment):
    (project / "sweep.yaml").write_text(SMALL)
    terminal = Terminal(project, project.tables(), columns=80, **environment)
    text = terminal.read()
    assert terminal.ended() == 0
    assert "small: means ± 95 % confidence" in text
    assert not COLOUR.search(text)
    assert "\x1b" not in text or "NO_COLOR" in environment


@pytest.mark.long
def test_a_pipe_gets_no_escape_codes_and_little_more_than_plan_and_summary_unless_options_ask(project):
    (project / "sweep.yaml").write_text(SMALL)

    def said(*arguments):
        process = project.start(*arguments)
        text, _ = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, text
        return text

    text = said(project.tables())
    assert "\x1b" not in text
    assert "\r" not in text
    assert "8 simulations, 8 left: " in text
    assert "small: means ± 95 % confidence" in text
    assert len(text.splitlines()) < 25
    (log,) = (project / ".snakemake" / "log").glob("*.log")
    assert "Job stats:" in log.read_text()
    assert ": simulate 8 of 8 simulations: " in log.read_text()
    more, less = (said(project.tables(), "-R", "summarise", option) for option in ("-p", "-q"))
    assert "Job stats:" in more
    assert ": summarise 8 simulations in tables" in more
    assert "small: means ± 95 % confidence" in less
    assert len(less.splitlines()) < 25


@pytest.mark.long
def test_standard_error_may_be_closed_and_a_mistake_in_the_rules_is_told(copy_of_finished):
    command, environment = copy_of_finished.command("--configfile", "sweep.yaml", "-R", "finish")
    complete = copy_of_finished / "results" / "sweeps" / "small" / "complete"
    complete.unlink()
    done = ran("sh", "-c", 'exec "$@" 2>&-', "sh", *command, cwd=copy_of_finished.folder, env=environment)
    assert done.returncode == 0
    assert complete.is_file()
    edit(copy_of_finished / "rules" / "report.smk", "{params.tcpsweep} finish", "{params.nosuch} finish")
    process = copy_of_finished.start("-R", "finish")
    text, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode != 0
    assert "'Params' object has no attribute 'nosuch'" in text
