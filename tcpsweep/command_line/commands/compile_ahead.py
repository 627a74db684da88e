# SPDX-License-Identifier: MIT
"""Compile what a sweep will need while the set-up still loads what else it takes."""

import signal
from pathlib import Path

from tcpsweep.ns3 import catalogue, programs
from tcpsweep.plan import checked_sweep
from tcpsweep.store import run_lock
from tcpsweep.sweepfile.keys import schema


def run(path: Path) -> None:
    """Compile the program that asks ns-3 what it has, and the scenario's, where ns-3 is there and need not be built.

    If the sweep begins meanwhile, it waits for the same programs. Raises `BuildError`, `EngineError` and
    `yaml_document.Mistakes`.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets what it starts beside itself ignore Ctrl-C
    document, sweep, ns3 = checked_sweep.read(path)
    if document.data.get("ns3") or ns3.source:
        return
    with run_lock.programs():
        catalogue.types(ns3)
        programs.compile_program(ns3, schema.program(sweep.scenario))
