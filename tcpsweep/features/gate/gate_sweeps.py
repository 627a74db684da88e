# SPDX-License-Identifier: MIT
"""The sweep files of a gate: one for each version, which differ in nothing else."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from tcpsweep.core.campaigns import derived_sweeps
from tcpsweep.core.identity import source_folders
from tcpsweep.core.store import layout
from tcpsweep.core.sweepfile.document.yaml_document import Document
from tcpsweep.core.words import field_names
from tcpsweep.core.words.mixes import Mix
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.gate.gated_versions import Version

DEFAULT = source_folders.ROOT / "config" / "gate.yaml"
_QUIC = "quic"
PLACE = layout.RESULTS / "gates"
# What the sweep simulates and how effects are judged. Its other keys are about its own report.
_KEPT_KEYS = ("network", "grid", "zip", "exclude", "only", "fixed", "attributes", "tcp", "corrections")
_OTHER_KEPT_KEYS = ("repetitions", "runs", "seed", "ns3", "smallest_effect")
_ADAPTIVE_KEYS = ("precision", "refine", "search")  # give the two versions different repetitions or networks


def folder(document: Document, version: Version) -> Path:
    """The folder of the sweep files of a gate."""
    return PLACE / f"{document.data['sweep']}-{version.name}"


def write(document: Document, version: Version) -> Path:
    """Write the sweep file of one version, and return its path; ``document`` is from `checked_sweep.opened`.

    Raises `UserError` if the sweep cannot be that of a gate.
    """
    data = derived_sweeps.data_elsewhere(document)
    if adaptive := [key for key in _ADAPTIVE_KEYS if key in data]:
        raise UserError(f"--sweep {document.name}: a gate cannot use `{adaptive[0]}`; write `repetitions` instead")
    if isinstance(data.get("ns3"), list):
        raise UserError(f"--sweep {document.name}: a gate runs in one ns-3; name one version under `ns3`")
    name = derived_sweeps.name(data["sweep"], f"{version.name}-{version.label}")
    gate_data = {"sweep": name, **sweep_data(data, version), "pages": False}
    origin = f"{Path(document.name).name} by `tcpsweep gate`"
    return derived_sweeps.write(folder(document, version), gate_data, origin)


def sweep_data(data: dict[str, Any], version: Version) -> dict[str, Any]:
    """The data of a sweep file, with absolute paths, in which this version is the only variant or kernel."""
    if version.file:
        fixed = {"variant": str(version.file)}
    elif version.stack:
        fixed = {} if _names_quic(data) else {"variant": f"{_QUIC}:{version.name}/cubic"}
    else:
        fixed = {"kernel": version.given, "stack": "linux"}
    kept_data = {key: data[key] for key in ("scenario", *_KEPT_KEYS, *_OTHER_KEPT_KEYS) if key in data}
    for key in ("grid", "zip"):
        if key in kept_data:
            kept_data[key] = _without_axes(kept_data[key], fixed)
            if not kept_data[key]:
                del kept_data[key]
    return kept_data | {"fixed": kept_data.get("fixed", {}) | fixed}


def _names_quic(data: dict[str, Any]) -> bool:
    """Whether a sweep names a QUIC stack already, alone or in a mix."""
    blocks = [data.get("fixed", {}), *_as_list(data.get("grid", {})), *_as_list(data.get("zip", {}))]
    variants = [name for block in blocks for name in _as_list(block.get("variant", []))]
    return any(field_names.implementation(turn) == _QUIC for name in variants for turn in Mix.parse(str(name)).turns)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _without_axes(blocks: Any, axis_names: Collection[str]) -> Any:
    """A block of axes, or a list of blocks, without these axes; empty blocks of a list are left out."""
    if isinstance(blocks, list):
        return [remaining for block in blocks if (remaining := _without_axes(block, axis_names))]
    return {name: values for name, values in blocks.items() if name not in axis_names}
