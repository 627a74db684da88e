# SPDX-License-Identifier: MIT
"""The sweep file that runs only the network that a search found."""

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from tcpsweep.core.sweep.matching import Value
from tcpsweep.core.sweepfile.document import absolute_paths, sections
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile

_KEPT = ("scenario", "network", "grid", "zip", "exclude", "only", "fixed", "attributes")
_KEPT_TOO = (*sections.PARAMETERS, "baseline", "seed", "ns3", "capture")


def skeleton(file: SweepFile) -> dict[str, Any]:
    """The part of a searching sweep file that describes each network, with absolute paths, for a file elsewhere."""
    kept = {key: file.data[key] for key in (*_KEPT, *_KEPT_TOO) if file.has(key)}
    return absolute_paths.with_absolute_paths(kept, file.folder)


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
    head = {"sweep": name, "title": title, "scenario": skeleton["scenario"]}
    runs_key = {"repetitions": len(runs)} if list(runs) == [*range(1, len(runs) + 1)] else {"runs": list(runs)}
    data = {**head, **rest, "fixed": fixed, **runs_key, **({"expect": list(expected)} if expected else {})}
    lines = "".join(f"# {line}\n" for line in comments)
    return lines + yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=120)
