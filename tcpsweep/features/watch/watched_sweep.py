# SPDX-License-Identifier: MIT
"""Watch a sweep that runs in another terminal or on another machine, only by reading its files."""

import math
import os
import sys
import time
from pathlib import Path

from rich.console import Console

from tcpsweep.core.command_line.terminal import watch
from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.store import layout
from tcpsweep.core.sweep import sweep_record
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.watch import seen_words
from tcpsweep.features.watch.watcher import Watcher


def run(sweep: str, every_s: float, once: bool) -> int:
    """Show a sweep until it is finished, and return the exit status.

    On a terminal, the text is updated in place; otherwise there is a line a minute, with the time. ``sweep`` is the
    sweep's name, folder or file; it need not have begun. ``every_s`` is the interval between looks; it becomes longer
    if a look takes more than a twentieth of it. With ``once``, look once and show everything; the status is 1 if the
    sweep has not started. Raises `UserError`, and `yaml_document.Mistakes` if the sweep file has problems.
    """
    name, root = sweep_to_watch(sweep)
    os.chdir(root)
    watcher = Watcher(name)
    shown_s = -math.inf  # when the log got its last line
    is_live = watch.is_live(sys.stdout) and not once
    while True:
        now_s = time.monotonic()
        seen = watcher.look()
        ended = once or seen.is_over
        if is_live:
            Console(file=sys.stdout).clear()
        if is_live or ended:
            say(seen_words.state_lines(seen), flush=True)
        elif now_s - shown_s >= watch.BETWEEN_S:
            say(watch.log_line(seen_words.state_line(seen)), flush=True)
            shown_s = now_s
        if ended:
            return int(seen.state == "missing")
        time.sleep(max(every_s, (time.monotonic() - now_s) / watch.MOST_LOAD))


def sweep_to_watch(sweep: str) -> tuple[str, Path]:
    """The name of a sweep that need not have begun, and the folder that contains its ``results/``.

    Raises `UserError` and `yaml_document.Mistakes`.
    """
    path = Path(sweep)
    if path.is_dir() and path.absolute().parent.parts[-2:] == layout.SWEEPS.parts:
        return path.absolute().name, path.absolute().parents[2]
    if path.is_file():
        data = yaml_document.read(path).data
        name = data.get("sweep") if isinstance(data, dict) else None
        if not isinstance(name, str):
            raise UserError(f"{sweep}: expected a sweep file, with a line `sweep: NAME`")
        checked_sweep.without_ns3(path)
        return name, Path()
    if "/" in sweep or sweep.endswith((".yaml", ".yml")) or not sweep:
        raise UserError(
            f"{sweep}: no such file or folder; expected a sweep file, a sweep's name, or its folder results/sweeps/NAME"
        )
    if not (layout.SWEEPS / sweep / sweep_record.FILE).is_file() and (known := layout.names_in(layout.SWEEPS)):
        say(f"tcpsweep: {layout.SWEEPS} has {', '.join(sorted(known))}, not {sweep}", file=sys.stderr)
    return sweep, Path()
