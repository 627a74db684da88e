# SPDX-License-Identifier: MIT
"""Compile a sweep's programs while the set-up still loads other packages."""

import signal
from pathlib import Path

from tcpsweep.ns3 import catalogue, programs
from tcpsweep.plan import checked_sweep
from tcpsweep.store import run_lock
from tcpsweep.sweepfile.keys import schema


def run(path: Path) -> None:
    """Compile the program that reads ns-3's catalogue, and the scenario's program, if ns-3 needs no building.

    If the sweep starts meanwhile, it waits for these programs. Raises `BuildError`, `EngineError` and
    `yaml_document.Mistakes`.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells make background processes ignore Ctrl-C
    document, sweep, ns3 = checked_sweep.read(path)
    if document.data.get("ns3") or ns3.source:
        return
    with run_lock.programs():
        catalogue.types(ns3)
        programs.compile_program(ns3, schema.program(sweep.scenario))
