# SPDX-License-Identifier: MIT
"""`config/sweep.schema.json`, with which editors complete, explain and check sweep files."""

import json
from collections.abc import Iterator

from tcpsweep.ns3 import catalogue, engine, variants
from tcpsweep.sweepfile.keys import editor_schema

# The TypeIds whose attributes are offered, and their descendants: sweeps usually set these. Others work too.
_OFFERED = ("ns3::TcpSocket", "ns3::TcpL4Protocol", "ns3::TcpSocketState", "ns3::TcpRecoveryOps", variants.OPS)


def schema_text() -> str:
    """The JSON Schema of sweep files, with the variants, queue discs and attributes of ns-3, a definition a line.

    The ns-3 is the Python environment's. Raises `EngineError` if there is none.
    """
    types = catalogue.types(engine.find())
    names = {"variant": _names(types, variants.OPS), "queue-disc": ["none", *_names(types, variants.DISC)]}
    whole = editor_schema.editor_schema(names, dict(_attributes(types)))
    definitions = whole.pop("definitions")
    head = json.dumps(whole, indent=1, ensure_ascii=False).removesuffix("\n}")
    lines = [f"  {json.dumps(name)}: {json.dumps(about, ensure_ascii=False)}" for name, about in definitions.items()]
    return head + ',\n "definitions": {\n' + ",\n".join(lines) + "\n }\n}\n"


def _names(types: catalogue.Types, ancestor: str) -> list[str]:
    of_ns3 = {name.removeprefix("ns3::") for name in catalogue.descendants(types, ancestor)}
    return sorted(of_ns3 | variants.of_kind(ancestor))


def _attributes(types: catalogue.Types) -> Iterator[tuple[str, str]]:
    """The full names of the offered attributes, with ns-3's description and default of each."""
    for name in sorted(types):
        if not {*_OFFERED, variants.DISC}.intersection(catalogue.line_of(types, name)):
            continue
        for attribute, about in sorted(types[name]["attributes"].items()):
            default = f" Default in ns-3: {about['default']}." if about["default"] else ""
            yield f"{name}::{attribute}", f"{about['help'].strip().rstrip('.')}.{default}"
