# SPDX-License-Identifier: MIT
"""Simulators that are forked from one process of their program: the same results, and the same ends."""

import os
import re
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from tcpsweep.core.run.simulator_process import Server, start
from tests.support.processes import ends_soon, is_alive

QUICK = ["--duration=2s", "--start_jitter=100ms", "--pcap=all", "--RngRun=3"]
OTHER = ["--duration=2s", "--variant=TcpBbr", "--flows=3", "--loss=0.01", "--ns3::TcpSocket::InitialCwnd=4"]
ENDLESS = ["--duration=1000000s"]
COST = re.compile(r'"(?:wall_s|cpu_s|peak_rss_bytes)": ?[0-9.e+-]+|--out=[^"]*|"out": ?"[^"]*"')


@pytest.fixture
def server(dumbbell):
    made = Server(str(dumbbell))
    yield made
    made.end()


def left(folder):
    """The files of a simulation, without its cost and its path."""
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "checksums.txt"}
    return found | {"run.json": COST.sub("", found["run.json"].decode())}


def children(process):
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def test_forked_simulators_leave_the_same_files_in_any_order(dumbbell, server, tmp_path):
    for number, arguments in enumerate([QUICK, OTHER, QUICK]):
        folders = [tmp_path / f"{number}-{how}" for how in ("own", "forked")]
        commands = [[str(dumbbell), *arguments, f"--out={folder}"] for folder in folders]
        for folder in folders:
            folder.mkdir()
        with (folders[0] / "log.txt").open("wb") as log:
            assert start(commands[0], log).wait() == 0
        assert server.run(commands[1], folders[1] / "log.txt") == 0
        own, forked = map(left, folders)
        assert own.keys() == forked.keys()
        assert own == forked


def test_what_a_simulator_refuses_is_in_its_log_and_the_next_is_simulated(dumbbell, server, tmp_path):
    log = tmp_path / "log.txt"
    for wrong, words in {"--nonsense=1": "no such option", "--ns3::TcpSocket::InitialCwnd=x": "InitialCwnd"}.items():
        assert server.run([str(dumbbell), *QUICK, wrong, f"--out={tmp_path}"], log) == 2
        assert words in log.read_text()
    assert server.run([str(dumbbell), *QUICK, f"--out={tmp_path}"], log) == 0
    assert log.read_bytes() == b""
    assert (tmp_path / "checksums.txt").is_file()


def simulators(server):
    """The processes that were forked from a server, as soon as there are any."""
    ends_soon(lambda: not (server._process and children(server._process.pid)))
    return children(server._process.pid)


@pytest.mark.parametrize("victim", ["server", "simulator"])
def test_a_kill_ends_the_simulator_and_the_next_is_simulated(dumbbell, server, tmp_path, victim):
    log, found = tmp_path / "log.txt", []

    def kill():
        found.extend(simulators(server))
        os.kill(server._process.pid if victim == "server" else found[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    assert server.run([str(dumbbell), *ENDLESS, f"--out={tmp_path}"], log) == -signal.SIGKILL
    killer.join()
    ends_soon(lambda: is_alive(found[0]))
    assert server.run([str(dumbbell), *QUICK, f"--out={tmp_path}"], log) == 0


def test_no_simulator_lives_longer_than_an_interrupted_parent(dumbbell, server, tmp_path, monkeypatch):
    log, found = tmp_path / "log.txt", []

    def interrupt():
        found.extend(simulators(server))
        raise KeyboardInterrupt

    assert server.run([str(dumbbell), *QUICK, f"--out={tmp_path}"], log) == 0
    monkeypatch.setattr(server, "_answer", interrupt)
    with pytest.raises(KeyboardInterrupt):
        server.run([str(dumbbell), *ENDLESS, f"--out={tmp_path}"], log)
    ends_soon(lambda: is_alive(found[0]))


def test_a_server_that_is_killed_between_two_cells_costs_none(dumbbell, server, tmp_path):
    for _ in range(2):
        assert server.run([str(dumbbell), *QUICK, f"--out={tmp_path}"], tmp_path / "log.txt") == 0
        os.kill(server._process.pid, signal.SIGKILL)
        os.waitid(os.P_PID, server._process.pid, os.WEXITED | os.WNOWAIT)


def test_a_program_that_does_not_serve_is_started_for_each_command(tmp_path):
    program = subprocess.run(["sh", "-c", "command -v true"], capture_output=True, text=True, check=True).stdout.strip()
    assert Server(program).run([program, "--out=x"], tmp_path / "log.txt") is None
