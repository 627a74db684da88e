# SPDX-License-Identifier: MIT
"""The sweep file that runs only the network that a search found."""

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from tcpsweep.core.sweep.matching import Value


def found_file_text(
    skeleton: Mapping[str, Any],
    name: str,
    title: str,
    network: Mapping[str, Value],
    runs: Sequence[int],
    expected: Sequence[str],
    comments: Sequence[str],
) -> str:
    """The text of a sweep file for a found network: comments, `Search.file`, and the values of its axes."""
    fixed = {**skeleton.get("fixed", {}), **network}
    rest = {key: value for key, value in skeleton.items() if key not in ("scenario", "fixed")}
    head = {"sweep": name, "title": title, "scenario": skeleton["scenario"]}
    runs_key = {"repetitions": len(runs)} if list(runs) == [*range(1, len(runs) + 1)] else {"runs": list(runs)}
    data = {**head, **rest, "fixed": fixed, **runs_key, **({"expect": list(expected)} if expected else {})}
    lines = "".join(f"# {line}\n" for line in comments)
    return lines + yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=120)
