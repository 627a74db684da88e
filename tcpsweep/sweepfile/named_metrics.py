# SPDX-License-Identifier: MIT
"""The metrics that a file's figures and tables name, checked where nothing else about these can be."""

from collections.abc import Iterator
from typing import Any

from tcpsweep.sweepfile import schema, sections, wanted_rows
from tcpsweep.sweepfile.yaml_document import KeyPath, Problem
from tcpsweep.words import metrics, type_names


def problems(data: Any, path: KeyPath, entry: Any) -> Iterator[Problem]:
    """The names in an entry of `figures` or `tables` that are no metrics.

    Parameters
    ----------
    data : object
        A `yaml_document.Document`'s data, which the schema may refuse.
    path : KeyPath
        The entry's.
    entry : object
    """
    known = metrics.averaged()
    match path[0], entry:
        case "figures", {"metric": str(name)} if name not in known:
            yield wanted_rows.unknown_metric((*path, "metric"), name)
        case "tables", {"columns": [*columns]}:
            parameters = schema.raw()["$defs"]["parameters"]
            swept = dict.fromkeys([*(name for _, name, _ in sections.values(data)), "variant"])
            others = {*known, *parameters, *swept}
            for number, name in enumerate(columns):
                if isinstance(name, str) and name not in others and not type_names.is_attribute(name):
                    yield wanted_rows.unknown_metric((*path, "columns", number), name, list(swept))
