# SPDX-License-Identifier: MIT
"""The progress of a run: cells by state and the remaining time, on a terminal and in a log."""

import errno
import fcntl
import io
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcpsweep.command_line.terminal import progress, watch
from tcpsweep.command_line.terminal.progress import Progress, Seen
from tcpsweep.command_line.watching import watcher
from tcpsweep.store import layout
from tcpsweep.words import sizes_and_times
from tests.support.processes import ran
from tests.support.project import SMALL, programs
from tests.support.tools import PATIENCE_S

pytestmark = pytest.mark.slow

PARSER = "parser00"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, and a function that makes files and folders in it; names that end in a slash are folders."""

    def make(*paths):
        for path in paths:
            place = tmp_path / path
            (place if path.endswith("/") else place.parent).mkdir(parents=True, exist_ok=True)
            if not path.endswith("/"):
                place.touch()

    monkeypatch.chdir(tmp_path)
    return make


def seen(done=(), running=(), failed=()):
    return Seen(frozenset(done), frozenset(running), frozenset(failed))


def results(*names):
    """The files that each of these cells leaves when it is done."""
    return {name: [layout.measured(name, PARSER, "m")] for name in names}


def cells(count, seconds=10.0):
    return {f"c{i}": seconds for i in range(count)}


def test_a_cells_state_is_read_from_the_stores_folders(here):
    here(
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


def test_a_failure_of_an_earlier_run_counts_once_the_cell_fails_again(here):
    here("results/failed/cell/log.txt")
    log = layout.FAILED / "cell" / "log.txt"
    old = progress.failures({"cell"})
    assert progress.look(results("cell"), PARSER, old) == seen()
    os.utime(log, (1, 1))  # another clock wrote it: later or earlier says nothing
    assert progress.look(results("cell"), PARSER, old).failed == {"cell"}


def test_the_time_left_is_at_first_the_estimates_shared_by_the_cores():
    assert progress.time_left(Progress(cells(6), cores=2)) == 30


def test_no_cell_is_shared_by_cores():
    assert progress.time_left(Progress({"long": 100.0, "short": 1.0}, cores=8)) == 100


def test_cells_that_take_twice_their_estimate_double_what_is_left():
    # 40 cells of 10 s on 2 cores, in pairs of 20 s each; after 15 pairs 10 cells are left: 5 pairs, 100 s.
    state = Progress(cells(40), cores=2)
    for now in range(0, 301):
        ended, names = now // 20 * 2, list(state.seconds)
        state = progress.advanced(state, seen(names[:ended], names[ended : ended + 2]), float(now))
    assert len(state.done) == 30
    assert progress.time_left(state) == pytest.approx(100, rel=0.05)


def test_long_cells_that_run_first_do_not_mislead():
    # Two of 100 s, then 100 of 1 s, exactly as estimated, on 2 cores. After the long ones 50 s are left, of 150 s.
    state = Progress({"a": 100.0, "b": 100.0} | cells(100, 1.0), cores=2)
    for now in range(0, 100):
        state = progress.advanced(state, seen((), ("a", "b")), float(now))
    assert progress.time_left(state) == pytest.approx(51, rel=0.01)
    state = progress.advanced(state, seen(("a", "b"), ("c0", "c1")), 100.0)
    assert progress.time_left(state) == pytest.approx(50, rel=0.01)


def test_a_watcher_that_comes_late_judges_the_pace_by_the_cells_that_are_left(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    late = watcher.Watcher("small")
    late._sweep, late._seconds, late._left = object(), cells(4), {"c3": []}
    assert late._begun(seen(done=["c0", "c1", "c2"])).seconds.keys() == {"c3"}


def test_many_nodes_share_what_is_left():
    state = progress.advanced(Progress(cells(100), cores=1), seen((), list(cells(50))), 0.0)
    assert progress.time_left(state) == pytest.approx(20)


def test_a_cell_that_takes_longer_than_expected_is_not_about_to_end():
    state = progress.advanced(Progress(cells(1), cores=1), seen((), ("c0",)), 0.0)
    state = progress.advanced(state, seen((), ("c0",)), 1000.0)  # 990 s longer
    assert progress.time_left(state) == pytest.approx(99)


def test_the_time_before_the_first_cell_is_not_the_cells():
    state = Progress(cells(4), cores=2)
    for now in (0.0, 60.0):  # compiling
        state = progress.advanced(state, seen(), now)
    state = progress.advanced(state, seen((), ("c0", "c1")), 61.0)
    assert progress.time_left(state) == pytest.approx(20)


def test_what_has_to_be_compiled_first_takes_its_time():
    state, left = Progress(cells(4), cores=2, compiling_s=60.0), []
    for now in (5.0, 25.0, 65.0, 165.0):  # it is 100 s late in the end
        state = progress.advanced(state, seen(), now)
        left.append(progress.time_left(state))
    assert left == pytest.approx([80, 60, 20, 20 + 10])
    assert progress.in_one_line(state, "s", 4, "compiling") == "s: 0/4 simulations · compiling · about 30 s left"
    state = progress.advanced(state, seen((), ("c0", "c1")), 166.0)
    assert progress.time_left(state) == pytest.approx(20)


def test_what_follows_the_cells_takes_its_time():
    state, left = Progress(cells(2), cores=2, after_s=30.0), []
    state = progress.advanced(state, seen((), ("c0", "c1")), 0.0)
    left.append(progress.time_left(state))
    for now in (10.0, 25.0, 50.0):  # it is 10 s late in the end
        state = progress.advanced(state, seen(("c0", "c1")), now)
        left.append(progress.time_left(state))
    assert left == pytest.approx([10 + 30, 30, 15, 1])
    assert (
        progress.in_one_line(state, "s", 2, "drawing figures")
        == "s: 2/2 simulations · drawing figures · about 1 s left"
    )


def test_where_no_cell_is_left_the_clock_begins_at_the_first_look():
    state = Progress({}, cores=2, after_s=30.0)
    left = []
    for now in (86400.0, 86410.0, 86500.0):  # a clock that began long before
        state = progress.advanced(state, seen(), now)
        left.append(progress.time_left(state))
    assert left[:2] == [30, 20]
    assert 0 < left[2] < 30


def test_the_line_counts_what_was_finished_before():
    state = replace(
        Progress(cells(4), cores=2), done=frozenset({"c0"}), failed=frozenset({"c1"}), since={"c2": 5.0}, at=5.0
    )
    assert progress.in_one_line(state, "s", 100).startswith("s: 97/100 simulations · 1 running · 1 failed · about ")
    ended = replace(state, done=frozenset({"c0", "c2", "c3"}), since={})
    assert progress.in_one_line(ended, "s", 100, "making tables") == "s: 99/100 simulations · 1 failed · making tables"


def test_a_narrow_line_leaves_out_what_matters_least():
    state = progress.advanced(Progress(cells(4), cores=2), seen((), ("c0", "c1")), 0.0)
    said = [progress.in_one_line(state, "s", 4, width=width) for width in (60, 42, 35, 25, 5)]
    assert said == [
        "s: 0/4 simulations · 2 running · about 20 s left",
        "0/4 · 2 running · about 20 s left",
        "0/4 · 2 running · about 20 s left",
        "0/4 · about 20 s left",
        "0/4",
    ]


@given(st.integers(1, 120), st.integers(0, 9), st.integers(0, 9))
def test_the_line_never_wraps(width, done, failed):
    names = list(cells(20))
    state = replace(Progress(cells(20), 2), done=frozenset(names[:done]), failed=frozenset(names[done : done + failed]))
    line = progress.in_one_line(state, "a-sweep", 10_000, "compiling", width)
    assert 0 < len(line) <= width
    assert line.isprintable()


def test_times_are_said_in_two_or_three_digits():
    said = [sizes_and_times.time_text(seconds) for seconds in (0.4, 59.6, 89.4, 90, 3600, 5300, 5400, 36060)]
    assert said == ["0 s", "60 s", "89 s", "2 min", "60 min", "88 min", "1 h 30 min", "10 h 01 min"]


def lines_of_a_log(seconds):
    """When a log of a run that goes on steadily gets its lines."""
    times, last = [], (0.0, 0.0)
    for now in range(seconds):
        if watch.due(now, now / seconds, *last):
            last = (now, now / seconds)
            times.append(now)
    return times


def test_a_log_has_a_line_a_tenth_and_not_too_many_or_too_few():
    assert lines_of_a_log(10) == []
    assert lines_of_a_log(200) == [20, 40, 60, 80, 100, 120, 140, 160, 180]
    assert max(b - a for a, b in zip(lines_of_a_log(600), lines_of_a_log(600)[1:], strict=False)) <= 30
    assert 20 < len(lines_of_a_log(36_000)) < 150


def a_plan(count):
    made = cells(count)
    return SimpleNamespace(
        seconds=made,
        compiling_s=0.0,
        after_s=0.0,
        parser=PARSER,
        cells=[SimpleNamespace(id=cell) for cell in made],
        sweep=SimpleNamespace(name="s"),
        results=lambda: results(*made),
    )


def waited_for(condition):
    end = time.monotonic() + PATIENCE_S
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return condition()


def test_a_log_gets_whole_lines_and_names_the_first_failures(here, monkeypatch):
    monkeypatch.setattr(watch, "LEAST_PAUSE_S", 0.005)
    monkeypatch.setattr(watch, "LEAST_BETWEEN_S", 0)
    here("results/raw/.c0.host.1/")
    out = io.StringIO()
    follower = watch.Watch(a_plan(12), 2, out)
    follower.start()
    try:
        here(*(f"results/cells/c{i}/{PARSER}/measured-m/" for i in range(2, 5)))
        assert waited_for(lambda: "s: 3/12 simulations · 1 running · about" in out.getvalue())
        here(*(f"results/failed/c{i}/log.txt" for i in range(5, 12)))
        assert waited_for(lambda: "· 7 failed" in out.getvalue())  # of the line: "c7 failed" comes sooner
    finally:
        follower.stop()
    assert "\x1b" not in out.getvalue()
    assert all(line.startswith("tcpsweep: ") for line in out.getvalue().splitlines())
    assert 1 <= out.getvalue().count("failed; its log: results/failed/c") <= watch.MOST_NAMED
    assert out.getvalue().count("more simulations failed") == 1


def test_a_message_that_is_half_written_is_not_broken(here, monkeypatch):
    monkeypatch.setattr(watch, "LEAST_PAUSE_S", 0.005)
    monkeypatch.setattr(watch, "LEAST_BETWEEN_S", 0)
    here("results/raw/.c0.host.1/", f"results/cells/c1/{PARSER}/measured-m/", "results/failed/c2/")
    out = io.StringIO()
    follower = watch.Watch(a_plan(3), 2, out)
    follower.write("half ")
    follower.start()
    here("results/failed/c2/log.txt", f"results/cells/c0/{PARSER}/measured-m/")
    time.sleep(0.1)
    assert out.getvalue() == "half "
    follower.write("a message\n")
    assert waited_for(lambda: "c2 failed" in out.getvalue())
    follower.stop()
    assert out.getvalue().startswith("half a message\ntcpsweep: c2 failed; ")


def test_a_display_that_breaks_says_so_once_and_stops(here, monkeypatch):
    def broken(*_):
        raise RuntimeError("broken")

    monkeypatch.setattr(progress, "look", broken)
    out = io.StringIO()
    follower = watch.Watch(a_plan(2), 2, out)
    follower.start()
    follower._thread.join(timeout=PATIENCE_S)
    follower.stop()
    assert out.getvalue() == "tcpsweep: no more progress is shown (RuntimeError: broken)\n"


def test_only_a_terminal_that_can_clear_a_line_gets_a_live_one(monkeypatch):
    terminal = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert watch.is_live(terminal)
    assert not watch.is_live(io.StringIO())
    for name in ("dumb", ""):
        monkeypatch.setenv("TERM", name)
        assert not watch.is_live(terminal)
    monkeypatch.delenv("TERM")
    assert not watch.is_live(terminal)


# Real runs.

SLOWER = SMALL.replace("duration: 3s", "duration: 100s")
CLEAR = "\r\x1b[K"


class Terminal:
    """Snakemake on a pseudo-terminal, and its output there."""

    def __init__(self, project, *arguments, columns, **environment):
        self.output, self._end = pty.openpty()
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        command, own = project.command(*arguments, "--configfile", "sweep.yaml")
        self.process = subprocess.Popen(
            command,
            cwd=project.folder,
            env=own | {"TERM": "xterm"} | environment,
            stdin=self._end,
            stdout=self._end,
            stderr=self._end,
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


def drawn(text):
    """What was on the line each time that it was drawn."""
    return [part.partition("\r")[0].partition("\n")[0] for part in text.split(CLEAR)[1:]]


def screen(text):
    """The lines that are left on a terminal, as if it were wide enough, without colours."""
    lines, column = [""], 0
    for part in re.split(r"(\r\n|\r|\x1b\[K|\x1b\[[0-9;]*m)", text):
        if part == "\r\n":
            lines.append("")
        if part in ("\r\n", "\r"):
            column = 0
        elif part == "\x1b[K":
            lines[-1] = lines[-1][:column]
        elif not part.startswith("\x1b"):
            lines[-1] = lines[-1][:column] + part + lines[-1][column + len(part) :]
            column += len(part)
    return lines


def test_a_terminal_shows_cells_as_they_end_and_then_the_summary_alone(project, dumbbell):
    (project / "sweep.yaml").write_text(SLOWER)
    project.refuse("TcpCubic*--delay=10ms*RngRun=2")
    terminal = Terminal(project, columns=60, NO_COLOR="1")
    text = terminal.read()
    assert terminal.ended() == 1
    assert "Traceback" not in text
    assert "\x1b[3" not in text  # colours
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
    assert any(line.startswith("  Tcp") and "█" in line for line in left)
    assert "1 of 8 simulations have no result" in left
    assert left.index("report: reports/small.html") > left.index("1 of 8 simulations have no result")
    assert len(left) < 40


def test_ctrl_c_clears_the_line_and_says_what_is_left(project, dumbbell):
    (project / "sweep.yaml").write_text(SLOWER.replace("100s", "2000s"))
    terminal = Terminal(project, columns=100)
    terminal.read(until="2 running")
    terminal.press(b"\x03")
    text = terminal.read()
    assert terminal.ended() != 0
    assert "Traceback" not in text
    left = screen(text)
    assert not any("/8 simulations" in line for line in left)
    assert "Terminating processes on user request, this might take some time." in left
    assert "8 of 8 simulations have no result; 8 were not simulated; the next run simulates them" in left
    assert not programs(project.folder)


def test_a_pipe_gets_no_escape_codes_and_little_more_than_plan_and_summary(project):
    (project / "sweep.yaml").write_text(SMALL)
    process = project.start(project.tables())
    text, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, text
    assert "\x1b" not in text
    assert "\r" not in text
    assert "8 simulations, 8 left: " in text
    assert "small: means ± 95 % confidence" in text
    assert len(text.splitlines()) < 25
    (log,) = (project / ".snakemake" / "log").glob("*.log")
    assert "Job stats:" in log.read_text()
    assert "rule simulate:" in log.read_text()


def test_options_that_ask_for_more_or_less_get_it(copy_of_finished):
    more, less = (
        copy_of_finished.start("-R", "finish", option).communicate(timeout=PATIENCE_S)[0] for option in ("-p", "-q")
    )
    assert "Job stats:" in more
    assert "rule finish:" in more
    assert "report: reports/small.html" in less
    assert len(less.splitlines()) < 25


def test_a_mistake_in_the_rules_is_told(copy_of_finished):
    rules = copy_of_finished / "rules" / "report.smk"
    rules.write_text(rules.read_text().replace("tcpsweep finish", "tcpsweep {params.nosuch} finish"))
    process = copy_of_finished.start("-R", "finish")
    text, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode != 0
    assert "'Params' object has no attribute 'nosuch'" in text


def test_standard_error_may_be_closed(copy_of_finished):
    command, environment = copy_of_finished.command("--configfile", "sweep.yaml", "-R", "finish")
    (copy_of_finished / "results" / "sweeps" / "small" / "complete").unlink()
    done = ran("sh", "-c", 'exec "$@" 2>&-', "sh", *command, cwd=copy_of_finished.folder, env=environment)
    assert done.returncode == 0
    assert (copy_of_finished / "results" / "sweeps" / "small" / "complete").is_file()
