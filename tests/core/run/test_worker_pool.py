# SPDX-License-Identifier: MIT
"""A pool does each piece of work once, survives kills, ends with its parent, and stops on request."""

import os
import signal
import subprocess
import sys
import time

import pytest

from tcpsweep.core.run import worker_pool
from tests.support.processes import ends_soon, is_alive


def by(work, pieces, workers=2, may_begin=lambda: True, was_at=lambda piece: True):
    """The results of pieces, and those that were lost."""
    done, lost = worker_pool.run(pieces, workers, work, may_begin, was_at)
    return dict(done), lost


def test_each_piece_is_done_once_and_by_the_process_that_is_free():
    reader, writer = os.pipe()

    def work(piece):
        if piece:
            os.write(writer, b".")
        else:  # as long as all the others together
            for _ in range(11):
                os.read(reader, 1)
        return os.getpid()

    done, lost = by(work_of(work), range(12))
    assert sorted(done) == list(range(12))
    assert list(done.values()).count(done[0]) == 1
    assert lost == []


def work_of(function):
    """A function that a forked process has, too, by a name that the executor can send."""
    global _work
    _work = function
    return _called


def _called(piece):
    return _work(piece)


def test_a_killed_process_loses_its_own_piece_and_what_others_were_at_is_begun_again(tmp_path):
    def work(piece):
        (tmp_path / str(piece)).touch()  # as a claim
        if piece == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        try:
            time.sleep(0.2)
            return piece
        finally:
            (tmp_path / str(piece)).unlink()

    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    try:
        done, lost = by(work_of(work), range(6), was_at=lambda piece: (tmp_path / str(piece)).exists())
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    assert lost == [1]
    assert sorted(done) == [0, 2, 3, 4, 5]


def test_a_pool_that_breaks_before_it_does_anything_is_not_made_for_ever():
    done, lost = by(work_of(lambda piece: os._exit(1)), range(3), workers=1, was_at=lambda piece: False)
    assert (done, lost) == ({}, [0, 1, 2])


def test_no_more_pieces_are_begun_once_they_are_to_stop_or_the_process_above_has_ended(tmp_path):
    stop = tmp_path / "stop"
    work = work_of(lambda piece: stop.touch() if piece == 2 else None)
    done, lost = by(work, range(9), workers=1, may_begin=worker_pool.until(stop))
    assert (list(done), lost) == ([0, 1, 2], [])
    above = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    may_begin = worker_pool.until(tmp_path / "none", above.pid)
    assert may_begin()
    above.communicate()
    assert not may_begin()
    assert not worker_pool.until(tmp_path / "none", above.pid)()


PROGRAM = """
import os, signal, sys, time
from tcpsweep.core.run import worker_pool

def work(piece):
    os.write(1, b"%d\\n" % os.getpid())
    time.sleep(60)

signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(7))
worker_pool.run(range(4), 2, work, lambda: True, lambda piece: True)
"""


@pytest.mark.parametrize(("number", "status"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 7)])
def test_processes_end_with_the_one_that_runs_the_pool(number, status):
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    workers = [int(process.stdout.readline()) for _ in range(2)]
    process.send_signal(number)
    assert process.wait() == status
    ends_soon(lambda: any(is_alive(worker) for worker in workers))


# The signal arrives while a hook of the fork runs: Python ignores exceptions there.
DURING_A_FORK = """
import os, signal, sys, time
from tcpsweep.core.run import simulator_process, worker_pool

signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(7))
os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGTERM))
"""
POOL = "worker_pool.run(range(2), 2, time.sleep, lambda: True, lambda piece: True)"
SIMULATOR = "simulator_process.start(['sleep', '60'], sys.stdout.buffer).wait()"
SERVER = "simulator_process.Server('cat').run(['--version'], '/dev/null')"


@pytest.mark.parametrize("fork", [POOL, SIMULATOR, SERVER], ids=["pool", "simulator", "server"])
def test_no_signal_is_lost_during_a_fork(fork):
    assert subprocess.run([sys.executable, "-c", DURING_A_FORK + fork], check=False).returncode == 7


def test_the_process_that_forks_workers_has_no_other_threads():
    code = "import os; from tcpsweep.core.run import cell_jobs; print(len(os.listdir('/proc/self/task')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"
