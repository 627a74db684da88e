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
    target = folder(candidate, form)
    target.mkdir(parents=True, exist_ok=True)
    candidate_in_files = os.path.relpath(file, target) if file else candidate
    file_by_sweep = {}
    for sweep in sweeps:
        data = sweep_data(yaml_document.read(templates / f"{sweep}.yaml").data, candidate_in_files, form, common)
        data = {"sweep": name(candidate, form, sweep)} | _with_files(data, templates, target)
        origin = f"config/dossier/{sweep}.yaml by `tcpsweep dossier {candidate}`"
        file_by_sweep[sweep] = derived_sweeps.write(target, data, origin)
    return file_by_sweep


def sweep_data(template: dict[str, Any], candidate: str, form: str, common: dict[str, Any]) -> dict[str, Any]:
    """A sweep file's data with the candidate inserted, in the short or the full form."""
    data: dict[str, Any] = {}
    for layer in (template, common):
        data = _merged(data, {key: value for key, value in layer.items() if key != FULL})
    for layer in (template, common):
        data = _merged(data, layer.get(FULL, {})) if form == FULL else data
    axes = {**data.get("grid", {}), **data.get("zip", {})}
    data["fixed"] = {name: value for name, value in data.get("fixed", {}).items() if name not in axes}
    data["figures"] = [_drawable(figure, data, axes) for figure in data.get("figures", [])]
    with_candidate = _replaced(data, candidate)
    assert isinstance(with_candidate, dict)
    return with_candidate


def _drawable(figure: dict[str, Any], data: dict[str, Any], axes: dict[str, list[Any]]) -> dict[str, Any]:
    """A figure restricted to the first value of each axis that it cannot show. The full form may have such axes."""
    panels = figure.get("panels", [])
    shown_axes = {figure.get("axis"), *([panels] if isinstance(panels, str) else panels), *figure.get("where", {})}
    zipped = set(data.get("zip", {}))
    if shown_axes & zipped:
        shown_axes |= zipped
    where = {
        name: values[0]
        for name, values in axes.items()
        if name not in shown_axes and name.rpartition(".")[2] != "variant" and len(values) > 1
    }
    return figure | ({"where": figure.get("where", {}) | where} if where else {})


def _merged(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Two dicts merged, with the dicts within them; for other values, the second dict takes precedence."""
    merged = dict(first)
    for key, value in second.items():
        are_both_dicts = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merged(merged[key], value) if are_both_dicts else value
    return merged


def _replaced(value: Any, candidate: str) -> Any:
    """A value with the candidate inserted. In a list with it, and in a mix, the same variants occur once."""
    if isinstance(value, dict):
        return {key: _replaced(item, candidate) for key, item in value.items()}
    if isinstance(value, list):
        replaced_items = [_replaced(item, candidate) for item in value]
        if not any(isinstance(item, str) and CANDIDATE in item for item in value):
            return replaced_items
        item_by_variants: dict[frozenset[str], Any] = {}
        for item in replaced_items:
            item_by_variants.setdefault(frozenset(Mix.parse(str(item)).turns), item)
        return list(item_by_variants.values())
    if isinstance(value, str) and CANDIDATE in value:
        turns = dict.fromkeys(value.replace(CANDIDATE, candidate).split("+"))
        return "+".join(turns)
    return value


def _with_files(value: Any, templates: Path, target: Path) -> Any:
    """A value in which the paths of files in ``templates`` are replaced by the names of copies, made in ``target``."""
    if isinstance(value, dict):
        return {key: _with_files(item, templates, target) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_files(item, templates, target) for item in value]
    if isinstance(value, str) and "." in value and (templates / value).is_file():
        shutil.copyfile(templates / value, target / Path(value).name)
        return Path(value).name
    return value
