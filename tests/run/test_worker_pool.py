# SPDX-License-Identifier: MIT
"""Workers take each piece of work once, end with whoever started them, and stop when they are told to."""

import itertools
import os
import signal
import subprocess
import sys
import time

from tcpsweep.run import worker_pool
from tcpsweep.run.worker_pool import Going
from tests.support.processes import ends_soon, is_alive


def by(work, count, tmp_path, workers=2, going=None):
    """The pieces that each worker did, in the order in which it did them, and those that were lost."""

    def noted(pieces):
        for piece in pieces:
            work(piece)
            with (tmp_path / str(os.getpid())).open("a") as file:
                file.write(f"{piece}\n")

    lost = worker_pool.run(count, workers, noted, going or Going())
    return [list(map(int, path.read_text().split())) for path in tmp_path.iterdir()], lost


def test_each_piece_is_done_once_and_a_worker_with_short_pieces_does_more_of_them(tmp_path):
    reader, writer = os.pipe()

    def work(piece):
        if piece:
            os.write(writer, b".")
        else:  # as long as all the others together
            for _ in range(11):
                os.read(reader, 1)

    done, lost = by(work, 12, tmp_path)
    assert sorted(itertools.chain(*done)) == list(range(12))
    assert sorted(map(len, done)) == [1, 11]
    assert lost == []


def test_a_killed_worker_loses_its_piece_alone_and_another_takes_its_place(tmp_path):
    def work(piece):
        if piece == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.02)

    done, lost = by(work, 6, tmp_path)
    assert lost == [1]
    assert sorted(itertools.chain(*done)) == [0, 2, 3, 4, 5]
    assert len(done) <= 3


def test_workers_begin_nothing_once_they_are_told_to_stop_or_the_process_above_has_ended(tmp_path):
    stop = tmp_path / "stop"
    done, lost = by(lambda piece: stop.touch() if piece == 2 else None, 9, tmp_path, workers=1, going=Going.of(stop))
    assert ([0, 1, 2] in done, lost) == (True, [])
    above = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    going = Going.of(process=above.pid)
    assert going
    above.communicate()
    assert not going
    assert not Going.of(process=above.pid)


def test_workers_end_with_the_process_that_started_them(tmp_path):
    program = (
        "import os, time; from tcpsweep.run import worker_pool as w;"
        r"w.run(2, 2, lambda pieces: (os.write(1, b'%d\n' % os.getpid()), time.sleep(60)), w.Going())"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    workers = [int(process.stdout.readline()) for _ in range(2)]
    process.kill()
    ends_soon(lambda: any(is_alive(worker) for worker in workers))
