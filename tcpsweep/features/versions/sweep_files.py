# SPDX-License-Identifier: MIT
"""The sweep files that run a sweep in one ns-3 each; they share all simulations with equal sweeps elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tcpsweep.core.campaigns import derived_sweeps
from tcpsweep.core.store import layout
from tcpsweep.core.sweepfile.document.yaml_document import Document

PLACE = layout.RESULTS / "versions"


def folder(name: str) -> Path:
    """The folder of a sweep's files and tables over versions."""
    return PLACE / name


def write(document: Document, label: str, changes: Mapping[str, Any], fixed: Mapping[str, Any] | None = None) -> Path:
    """Write the sweep file of one version, and return its path.

    ``document`` is from `checked_sweep.opened`. ``changes`` take precedence over its keys, and None removes one;
    ``fixed`` takes precedence over its fixed values, and None removes one, too.
    """
    data = derived_sweeps.data_elsewhere(document)
    name = data["sweep"]
    own_name, title = derived_sweeps.name(name, label), f"{data.get('title', name)}, ns-3 {label}"
    data |= {"sweep": own_name, "title": title, **changes}
    if fixed:
        all_fixed = {**data.get("fixed", {}), **fixed}
        data["fixed"] = {name: value for name, value in all_fixed.items() if value is not None}
    kept = {key: value for key, value in data.items() if value is not None}
    origin = f"{Path(document.name).name} by `tcpsweep versions` or `tcpsweep bisect`"
    return derived_sweeps.write(folder(name), kept, origin)
