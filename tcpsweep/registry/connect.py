# SPDX-License-Identifier: MIT
"""Let the core find the features in this process: the command line, Snakemake's process and tests call it first."""

from types import ModuleType

from tcpsweep.core.contact import features


def connect() -> None:
    """Connect the core with the registry, whose modules are loaded when they are first needed."""
    features.connect(_planning, _running, _closing)


def _planning() -> ModuleType:
    from tcpsweep.registry import planning

    return planning


def _running() -> ModuleType:
    from tcpsweep.registry import running

    return running


def _closing() -> ModuleType:
    from tcpsweep.registry import closing

    return closing
