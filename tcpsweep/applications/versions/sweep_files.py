# SPDX-License-Identifier: MIT
"""The sweep files that run a sweep in one ns-3 each; they share all simulations with equal sweeps elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from tcpsweep.store import layout
from tcpsweep.store.whole_files import write_whole
from tcpsweep.sweepfile.document import absolute_paths, yaml_document
from tcpsweep.sweepfile.document.yaml_document import Document

PLACE = layout.RESULTS / "versions"
_LONGEST = 80  # characters of a sweep's name


def folder(name: str) -> Path:
    """The folder of a sweep's files and tables over versions."""
    return PLACE / name


def sweep_name(name: str, label: str) -> str:
    """The name of a sweep in one version."""
    return f"{name[: _LONGEST - len(label) - 1]}-{label}"


def write(document: Document, label: str, changes: Mapping[str, Any], fixed: Mapping[str, Any] | None = None) -> Path:
    """Write the sweep file of one version, and return its path.

    ``document`` is from `checked_sweep.opened`. ``changes`` take precedence over its keys, and None removes one;
    ``fixed`` takes precedence over its fixed values, and None removes one, too.
    """
    raw = yaml_document.read(document.name).data | {"scenario": document.data["scenario"]}
    data = absolute_paths.with_absolute_paths(raw, Path(document.name).parent)
    name = data["sweep"]
    data |= {"sweep": sweep_name(name, label), "title": f"{data.get('title', name)}, ns-3 {label}", **changes}
    if fixed:
        both = {**data.get("fixed", {}), **fixed}
        data["fixed"] = {name: value for name, value in both.items() if value is not None}
    kept = {key: value for key, value in data.items() if value is not None}
    text = yaml.safe_dump(kept, sort_keys=False, allow_unicode=True, width=120)
    file = folder(name) / f"{data['sweep']}.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, f"# Made from {Path(document.name).name} by `tcpsweep versions` or `tcpsweep bisect`.\n{text}")
    return file
