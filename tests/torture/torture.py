# SPDX-License-Identifier: MIT
"""Apply faults to a sweep, and run the same command again after each, until it is finished; then start over."""

import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

from tcpsweep.core.words.aligned import aligned
from tests.torture import faults

SWEEP = """\
sweep: tortured
scenario: dumbbell
grid:
  variant: [TcpNewReno, TcpCubic, TcpVegas, TcpWestwoodPlus]
  delay: [5ms, 10ms, 20ms, 40ms]
repetitions: {repetitions}
capture: {{pcap: bottleneck}}
fixed: {{bandwidth: 5Mbps, duration: {seconds}s, warmup: 1s, start_jitter: 100ms}}
"""
END_S = 180  # a command that was asked to end has ended by then
MOST_WRONG = 2
LAST_LINES = 60  # lines of the commands' output to show if something is wrong
RUN_S = 1200  # a command that was not asked has ended by then


@dataclass
class Hit:
    """A fault: its kind, its beginning and end, and the cells that were finished when it began."""

    kind: str
    begun: float
    ended: float
    finished: frozenset


@dataclass
class Found:
    """The results: the faults, the costs of each, and the problems."""

    hits: list = field(default_factory=list)
    lost: Counter = field(default_factory=Counter)
    repeated: Counter = field(default_factory=Counter)
    seconds: dict = field(default_factory=dict)
    wrong: list = field(default_factory=list)
    rounds: int = 0


class _Seen:
    """The times when a watching thread saw each cell finished, and when it no longer saw it."""

    def __init__(self, place):
        self.times, self.gone = {}, []
        self._place, self._over = place, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self):
        while not self._over.wait(0.1):
            now, there = time.time(), self._place.finished()
            self.gone += [(now, cell) for cell in self.times.keys() - there]
            for cell in there - self.times.keys():
                self.times[cell] = now
            for _, cell in self.gone:
                self.times.pop(cell, None)

    def stop(self):
        self._over.set()
        self._thread.join()


def undisturbed(place):
    """Run the sweep to its end; returns its duration in s, and its results."""
    began = time.monotonic()
    process = place.start()
    if process.wait(RUN_S):
        raise SystemExit(f"the sweep fails even without faults:\n{place.output.read_text()}")
    return time.monotonic() - began, place.digests()


def torture(new_place, kinds, count, seconds, seed, say=print):
    """Torture a sweep in new places, round after round, until there were enough faults or the time is over."""
    chance, found = random.Random(seed), Found()
    place = new_place()
    wall_s, right = undisturbed(place)
    cells = len(place.finished())
    say(f"undisturbed: {cells} cells in {wall_s:.0f} s, {len(right)} files to compare")
    if left := place.left():
        found.wrong.append(f"undisturbed, {left} is left")
    names, until = faults.in_turn(kinds, chance), time.monotonic() + seconds

    def may_go_on():
        return len(found.hits) < count and time.monotonic() < until

    while may_go_on():
        _round(new_place(), kinds, names, chance, wall_s, cells, right, may_go_on, found)
        found.rounds += 1
        say(f"round {found.rounds}: {len(found.hits)} faults so far, {sum(found.repeated.values())} cells repeated")
    return found


def _round(place, kinds, names, chance, wall_s, cells, right, may_go_on, found):
    """A sweep from its beginning to its end."""
    seen, hits, process, began, size = _Seen(place), [], None, 0.0, 0
    while True:
        if process is None or process.poll() is not None:
            if process is not None and process.returncode == 0:
                is_hit = any(hit.ended >= began for hit in hits)
                if len(place.finished()) == cells and (place.is_to_the_end or not is_hit):
                    break  # the next command cleans up if a fault prevented it before
                if place.is_to_the_end:  # without its last step, a run does not check for failed cells
                    found.wrong.append("a command succeeded without results of all cells")
                    break
            began, size = time.time(), place.output.stat().st_size
            process = place.start()
        if may_go_on():
            _wait(process, chance.uniform(0, 0.3 * wall_s))
            if process.poll() is None:
                _hit(place, process, next(names), kinds, chance, hits, found)
        elif not _wait(process, RUN_S):
            found.wrong.append("a command does not end")
            process.kill()
        if process.poll() and not any(hit.ended >= began for hit in hits):
            said = place.output.read_text(errors="replace")[size:]
            found.wrong.append(f"undisturbed, a command failed:\n{said}")
            if len(found.wrong) > MOST_WRONG:
                break
    ended = time.time()
    seen.stop()
    found.hits += hits
    _judge(place, seen, hits, ended, wall_s / cells, found)
    if place.digests() != right:
        now = place.digests()
        unlike = sorted(name for name in now.keys() | right.keys() if now.get(name) != right.get(name))
        there = f"{len(place.finished())} of {cells} cells are finished"
        said = "\n".join(place.output.read_text(errors="replace").splitlines()[-LAST_LINES:])
        found.wrong.append(
            f"{len(unlike)} files differ from those of an undisturbed run: {unlike[:3]}; {there}; it ended with\n{said}"
        )
    end = time.monotonic() + END_S
    while place.processes() and time.monotonic() < end:  # jobs of finished cells check for remaining work, and end
        time.sleep(0.2)
    if left := place.left():
        found.wrong.append(f"{len(left)} things are left: {left[:5]}")


def _wait(process, seconds):
    """Wait for a command's end. Returns whether it ended."""
    end = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    return process.poll() is not None


def _hit(place, process, kind, kinds, chance, hits, found):
    hit = Hit(kind, time.time(), 0, frozenset(place.finished()))
    if not kinds[kind](place, process, chance):
        return
    hit.ended = time.time()
    hits.append(hit)
    if kinds[kind] in faults.ENDING and not _wait(process, END_S):
        found.wrong.append(f"{kind}: the command did not end")
        process.kill()


def _judge(place, seen, hits, ended, usual_s, found):
    """Count the costs of a round's faults, and find costs that no fault explains."""
    begins = {}
    for when, cell in place.begun():
        begins.setdefault(cell, []).append(when)
    for cell, times in begins.items():
        for before, after in pairwise(times):
            blamed = [hit for hit in hits if before <= hit.ended and hit.begun <= after and cell not in hit.finished]
            if blamed:
                found.repeated[blamed[-1].kind] += 1
            else:
                found.wrong.append(f"{cell} was simulated again without need")
        if cell in seen.times and times[-1] > seen.times[cell]:
            found.wrong.append(f"{cell} was simulated though it was finished")
    for when, cell in seen.gone:
        kind = next((hit.kind for hit in reversed(hits) if hit.begun <= when), "nothing")
        found.lost[kind] += 1
        found.wrong.append(f"{cell} was finished and is lost")
    for hit in hits:
        after = min((when for when in seen.times.values() if when > hit.ended), default=ended)
        found.seconds.setdefault(hit.kind, []).append(max(0.0, after - hit.begun - usual_s))


def table(found, kinds):
    """The results as a table."""

    def mean(values):
        return f"{sum(values) / len(values):.1f}" if values else "–"

    heads = ["fault", "times", "cells lost", "cells repeated", "seconds lost a fault"]
    rows = []
    for kind in kinds:
        times = sum(hit.kind == kind for hit in found.hits)
        rows.append([kind, times, found.lost[kind], found.repeated[kind], mean(found.seconds.get(kind, []))])
    every = [each for some in found.seconds.values() for each in some]
    rows.append(["all", len(found.hits), sum(found.lost.values()), sum(found.repeated.values()), mean(every)])
    return aligned([heads, *([str(value) for value in row] for row in rows)])
