# SPDX-License-Identifier: MIT
"""The metadata of an archive as an RO-Crate 1.1, which Zenodo and others read (https://w3id.org/ro/crate/1.1)."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, TypeAlias

from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics
from tcpsweep.features.archive.contents import METADATA, README, Contents

Entity: TypeAlias = dict[str, Any]
_SPECIFICATION = "https://w3id.org/ro/crate/1.1"
_FORMATS = {
    ".csv": "text/csv",
    ".html": "text/html",
    ".json": "application/json",
    ".md": "text/markdown",
    ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".tex": "application/x-tex",
    ".yaml": "application/yaml",
}


@dataclass(frozen=True)
class About:
    """The facts about an archive that only its authors know."""

    licence: str  # the address of the licence that they give
    authors: list[str]  # names, or ORCID addresses
    date: str  # the day on which it is published, as in 2026-01-31


def metadata_json(sweep: PlannedSweep, contents: Contents, sizes: Mapping[str, int], about: About, version: str) -> str:
    """The file ``ro-crate-metadata.json``; ``sizes`` has each path in the archive with its bytes."""
    root_paths = [path for path in sizes if not any(path.startswith(folder) for folder in contents.folders)]
    files = [
        *_files({path: sizes[path] for path in root_paths}),
        *_files({contents.sweep_file: sizes[contents.sweep_file]}),
    ]
    folders = [
        {"@id": folder, "@type": "Dataset", "name": PurePosixPath(folder).name, "description": description}
        for folder, description in contents.folders.items()
    ]
    parts = [*files, *folders]
    tools = [
        _tool("#tcpsweep", "tcpsweep", version, "Sweeps of TCP congestion control over grids of simulated networks"),
        _tool("#ns-3", "ns-3", sweep.ns3_version, "A discrete-event network simulator", "https://www.nsnam.org"),
    ]
    authors = [_author(name) for name in about.authors]
    licence = {"@id": about.licence, "@type": "CreativeWork", "name": f"Licence of this data: {about.licence}"}
    dataset = _dataset(sweep, about, parts) | ({"author": _references(authors)} if authors else {})
    run = _run(sweep) | {
        "instrument": _references(tools),
        "object": [{"@id": contents.sweep_file}],
        "result": _references(folders),
    }
    descriptor = {
        "@id": METADATA,
        "@type": "CreativeWork",
        "conformsTo": {"@id": _SPECIFICATION},
        "about": {"@id": "./"},
    }
    graph = [descriptor, dataset, *parts, *tools, *authors, licence, run]
    return json.dumps({"@context": f"{_SPECIFICATION}/context", "@graph": graph}, indent=1, ensure_ascii=False) + "\n"


def _dataset(sweep: PlannedSweep, about: About, parts: Iterable[Entity]) -> Entity:
    """The archive itself, which has ``parts``."""
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": sweep.title,
        "description": _description(sweep),
        "datePublished": about.date,
        "license": {"@id": about.licence},
        "keywords": [
            "TCP",
            "congestion control",
            "network simulation",
            "ns-3",
            *map(str, sweep.axes.get("variant", [])),
        ],
        "hasPart": _references(parts),
        "mentions": [{"@id": "#run"}],
        "variableMeasured": list(_variables(sweep)),
    }


def _run(sweep: PlannedSweep) -> Entity:
    """What made the results."""
    return {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"The sweep {sweep.name}",
        "description": f"{simulations(sweep)} of the scenario {sweep.scenario} (code {sweep.scenario_code}) with ns-3 "
        f"{sweep.ns3_version} (libraries {sweep.ns3_libraries}); tables by code {sweep.parser}, {sweep.metrics_code}.",
    }


def simulations(sweep: PlannedSweep) -> str:
    """The number of simulations of a sweep, in words."""
    count = len(sweep.cells)
    return f"{count:,} simulation{'s' * (count != 1)}"


def _references(entities: Iterable[Entity]) -> list[Entity]:
    return [{"@id": entity["@id"]} for entity in entities]


def _files(sizes: Mapping[str, int]) -> Iterator[Entity]:
    for path, size in sizes.items():
        path_in_archive = PurePosixPath(path)
        description = {"description": "How to read this archive, and run it again."} if path == README else {}
        yield {
            "@id": path,
            "@type": "File",
            "name": path_in_archive.name,
            "contentSize": str(size),
            "encodingFormat": _FORMATS.get(path_in_archive.suffix, "text/plain"),
        } | description


def _tool(name: str, title: str, version: str, description: str, address: str = "") -> Entity:
    entity = {
        "@id": name,
        "@type": "SoftwareApplication",
        "name": title,
        "version": version,
        "description": description,
    }
    return entity | ({"url": address} if address else {})


def _author(name: str) -> Entity:
    if name.startswith("https://"):
        return {"@id": name, "@type": "Person", "name": name}
    return {"@id": "#" + name.replace(" ", "-"), "@type": "Person", "name": name}


def _variables(sweep: PlannedSweep) -> Iterator[str]:
    for name in sweep.headline or [key for key, metric in metrics.METRICS.items() if metric.headline]:
        metric = metrics.METRICS[name]
        yield f"{metric.title} ({name}{f', {metric.unit}' if metric.unit not in ('', '1') else ''})"


def _description(sweep: PlannedSweep) -> str:
    axes = "; ".join(f"{name}: {', '.join(map(str, values))}" for name, values in sweep.axes.items())
    return (
        f"TCP congestion control simulated in ns-3 {sweep.ns3_version} by tcpsweep: scenario {sweep.scenario}, "
        f"{simulations(sweep)}. Axes: {axes}."
    )
