# SPDX-License-Identifier: MIT
"""Sweep files that are derived from another one, or from a template."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweepfile.document import absolute_paths, yaml_document
from tcpsweep.core.sweepfile.document.yaml_document import Document

_LONGEST_NAME = 80  # characters


def name(of_sweep: str, end: str) -> str:
    """A sweep's name with an end that makes it another sweep's; the name itself may be cut."""
    return f"{of_sweep[: _LONGEST_NAME - len(end) - 1]}-{end}"


def data_elsewhere(document: Document) -> dict[str, Any]:
    """A sweep file's data as it is written, with absolute paths; ``document`` is from `checked_sweep.opened`."""
    written = yaml_document.read(document.name).data | {"scenario": document.data["scenario"]}
    return absolute_paths.with_absolute_paths(written, Path(document.name).parent)


def write(folder: Path, data: Mapping[str, Any], made: str) -> Path:
    """Write a sweep file into a folder, under the sweep's name, and return its path; ``made`` says by what."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{data['sweep']}.yaml"
    text = yaml.safe_dump(dict(data), sort_keys=False, allow_unicode=True, width=120)
    write_whole(file, f"# Made from {made}.\n{text}")
    return file
