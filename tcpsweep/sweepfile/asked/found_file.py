# SPDX-License-Identifier: MIT
"""The sweep file that runs only the network that a search found."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from tcpsweep.sweep.matching import Value
from tcpsweep.sweepfile.document import sections, variant_files
from tcpsweep.words.mixes import JOINT

_KEPT = ("scenario", "network", "grid", "zip", "exclude", "only", "fixed", "attributes")
_KEPT_TOO = (*sections.PARAMETERS, "baseline", "seed", "ns3", "capture")
_PATHS = (("scenario",), ("ns3", "prefix"), ("ns3", "source"))


def skeleton(data: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The part of a searching sweep file that describes each network, with absolute paths, for a file elsewhere."""
    kept = {key: data[key] for key in (*_KEPT, *_KEPT_TOO) if key in data}
    return with_absolute_paths(kept, folder)


def with_absolute_paths(data: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A sweep file's data with absolute paths, for a file elsewhere; ``folder`` is the sweep file's.

    A network preset's path is relative to the working folder.
    """
    found: dict[str, Any] = _absolute(data, folder.absolute(), ())
    return found


def _absolute(node: Any, folder: Path, path: tuple[str, ...]) -> Any:
    if isinstance(node, dict):
        return {key: _absolute(value, folder, (*path, str(key))) for key, value in node.items()}
    if isinstance(node, list):
        return [_absolute(value, folder, path) for value in node]
    if not isinstance(node, str):
        return node
    if path == ("scenario",):
        return str(Path(node).absolute()) if "/" in node else node  # is already relative to the working folder
    if JOINT in node and path not in _PATHS:  # a mix may name the files of variants
        return JOINT.join(_absolute(part, folder, path) for part in node.split(JOINT))
    named = folder / Path(node).expanduser() if node.startswith("~") or path in _PATHS or "." in node else None
    return str(named) if named and (path in _PATHS or variant_files.exists(named)) else node


def found_file_text(
    skeleton: Mapping[str, Any],
    name: str,
    title: str,
    network: Mapping[str, Value],
    runs: Sequence[int],
    expected: Sequence[str],
    comments: Sequence[str],
) -> str:
    """The text of a sweep file for a found network: comments, the `skeleton`, and the values of its axes."""
    fixed = {**skeleton.get("fixed", {}), **network}
    rest = {key: value for key, value in skeleton.items() if key not in ("scenario", "fixed")}
    first = {"sweep": name, "title": title, "scenario": skeleton["scenario"]}
    counted = {"repetitions": len(runs)} if list(runs) == [*range(1, len(runs) + 1)] else {"runs": list(runs)}
    data = {**first, **rest, "fixed": fixed, **counted, **({"expect": list(expected)} if expected else {})}
    lines = "".join(f"# {line}\n" for line in comments)
    return lines + yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=120)
