# SPDX-License-Identifier: MIT
"""The sweep files of a dossier, each made from a template in ``config/dossier`` by inserting the candidate."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from tcpsweep.core.campaigns import derived_sweeps
from tcpsweep.core.store import layout
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.words.mixes import Mix

CANDIDATE = "CANDIDATE"
FULL = "full"
PLACE = layout.RESULTS / "dossiers"


def name(candidate: str, form: str, sweep: str = "") -> str:
    """The name of a dossier or, with ``sweep``, the name of one of its sweeps."""
    return "-".join(filter(None, ("dossier", candidate, FULL if form == FULL else "", sweep)))


def folder(candidate: str, form: str) -> Path:
    """The folder of a dossier's sweep files."""
    return PLACE / name(candidate, form).removeprefix("dossier-")


def write(
    candidate: str,
    form: str,
    sweeps: list[str],
    common: dict[str, Any],
    templates: Path,
    file: Path | None = None,
) -> dict[str, Path]:
    """Write a dossier's sweep files, with the files that they name next to them; return each sweep's file.

    ``sweeps`` are names of files in the folder ``templates``; ``common`` is the common part of every sweep.
    ``file`` is the C++ file of a candidate of one's own, which the sweep files name by its path from their folder.
    """
    place = folder(candidate, form)
    place.mkdir(parents=True, exist_ok=True)
    named = os.path.relpath(file, place) if file else candidate
    written = {}
    for sweep in sweeps:
        data = sweep_data(yaml_document.read(templates / f"{sweep}.yaml").data, named, form, common)
        data = {"sweep": name(candidate, form, sweep)} | _with_files(data, templates, place)
        made = f"config/dossier/{sweep}.yaml by `tcpsweep dossier {candidate}`"
        written[sweep] = derived_sweeps.write(place, data, made)
    return written


def sweep_data(template: dict[str, Any], candidate: str, form: str, common: dict[str, Any]) -> dict[str, Any]:
    """A sweep file's data with the candidate inserted, in the short or the full form."""
    data: dict[str, Any] = {}
    for said in (template, common):
        data = _merged(data, {key: value for key, value in said.items() if key != FULL})
    for said in (template, common):
        data = _merged(data, said.get(FULL, {})) if form == FULL else data
    axes = {**data.get("grid", {}), **data.get("zip", {})}
    data["fixed"] = {name: value for name, value in data.get("fixed", {}).items() if name not in axes}
    data["figures"] = [_drawable(figure, data, axes) for figure in data.get("figures", [])]
    replaced = _replaced(data, candidate)
    assert isinstance(replaced, dict)
    return replaced


def _drawable(figure: dict[str, Any], data: dict[str, Any], axes: dict[str, list[Any]]) -> dict[str, Any]:
    """A figure restricted to the first value of each axis that it cannot show. The full form may have such axes."""
    panels = figure.get("panels", [])
    placed = {figure.get("axis"), *([panels] if isinstance(panels, str) else panels), *figure.get("where", {})}
    zipped = set(data.get("zip", {}))
    if placed & zipped:
        placed |= zipped
    where = {
        name: values[0]
        for name, values in axes.items()
        if name not in placed and name.rpartition(".")[2] != "variant" and len(values) > 1
    }
    return figure | ({"where": figure.get("where", {}) | where} if where else {})


def _merged(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Two dicts merged, with the dicts within them; for other values, the second dict takes precedence."""
    merged = dict(first)
    for key, value in second.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merged(merged[key], value) if both else value
    return merged


def _replaced(value: Any, candidate: str) -> Any:
    """A value with the candidate inserted; in a list, mixes of the same variants occur once."""
    if isinstance(value, dict):
        return {key: _replaced(item, candidate) for key, item in value.items()}
    if isinstance(value, list):
        several = [_replaced(item, candidate) for item in value]
        if not any(isinstance(item, str) and CANDIDATE in item for item in value):
            return several
        once: dict[frozenset[str], Any] = {}
        for item in several:
            once.setdefault(frozenset(Mix.parse(str(item)).turns), item)
        return list(once.values())
    if isinstance(value, str) and CANDIDATE in value:
        turns = dict.fromkeys(value.replace(CANDIDATE, candidate).split("+"))
        return "+".join(turns)
    return value


def _with_files(value: Any, templates: Path, place: Path) -> Any:
    """A value in which the names of files are replaced by their copies, which are made in ``place``."""
    if isinstance(value, dict):
        return {key: _with_files(item, templates, place) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_files(item, templates, place) for item in value]
    if isinstance(value, str) and "." in value and (templates / value).is_file():
        shutil.copyfile(templates / value, place / Path(value).name)
        return Path(value).name
    return value
