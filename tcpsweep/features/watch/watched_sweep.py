# SPDX-License-Identifier: MIT
"""Watch a sweep that runs in another terminal or on another machine, only by reading its files."""

import os
import sys
import time
from pathlib import Path

from tcpsweep.core.command_line.terminal import watch
from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.store import layout
from tcpsweep.core.sweep import sweep_record
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.words import control_characters
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.watch import seen_words
from tcpsweep.features.watch.watcher import Watcher

_CLEAR = "\x1b[H\x1b[2J"


def run(given: str, every_s: float, once: bool) -> int:
    """Show a sweep until it is finished, and return the exit status.

    On a terminal, the text is updated in place; otherwise there are occasional lines. ``given`` is the sweep's name,
    folder or file; it need not have begun. ``every_s`` is the interval between looks; it becomes longer if a look
    takes more than a twentieth of it. With ``once``, look once and show everything; the
    status is 1 if the sweep has not started. Raises `UserError`, and `yaml_document.Mistakes` if the sweep file has
    problems.
    """
    name, root = sweep_to_watch(given)
    os.chdir(root)
    watcher = Watcher(name)
    begin = time.monotonic()
    shown: tuple[float, float] = (0.0, 0.0)
    while True:
        now = time.monotonic()
        seen = watcher.look()
        ended = once or seen.is_over
        if watch.is_live(sys.stdout) and not once:
            _print(_CLEAR + seen_words.state_lines(seen))
        elif ended:
            _print(seen_words.state_lines(seen))
        else:
            share = seen.done / seen.total if seen.total else 0.0
            if shown == (0.0, 0.0) or watch.due(now - begin, share, *shown):
                _print(seen_words.state_line(seen))
                shown = (max(now - begin, 1e-9), share)
        if ended:
            return int(seen.state == "missing")
        time.sleep(max(every_s, (time.monotonic() - now) / watch.MOST_LOAD))


def sweep_to_watch(given: str) -> tuple[str, Path]:
    """The name of a sweep that need not have begun, and the folder that contains its ``results/``.

    Raises `UserError` and `yaml_document.Mistakes`.
    """
    path = Path(given)
    if path.is_dir() and path.absolute().parent.parts[-2:] == layout.SWEEPS.parts:
        return path.absolute().name, path.absolute().parents[2]
    if path.is_file():
        data = yaml_document.read(path).data
        name = data.get("sweep") if isinstance(data, dict) else None
        if not isinstance(name, str):
            raise UserError(f"{given}: expected a sweep file, with a line `sweep: NAME`")
        checked_sweep.without_ns3(path)
        return name, Path()
    if "/" in given or given.endswith((".yaml", ".yml")) or not given:
        raise UserError(
            f"{given}: no such file or folder; expected a sweep file, a sweep's name, or its folder results/sweeps/NAME"
        )
    if not (layout.SWEEPS / given / sweep_record.FILE).is_file() and (known := layout.names_in(layout.SWEEPS)):
        say(f"tcpsweep: {layout.SWEEPS} has {', '.join(sorted(known))}, not {given}", file=sys.stderr)
    return given, Path()


def _print(text: str) -> None:
    keep = text.startswith(_CLEAR)
    said = control_characters.escaped(text.removeprefix(_CLEAR))
    print(f"{_CLEAR if keep else ''}{said}", flush=True)
