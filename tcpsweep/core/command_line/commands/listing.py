# SPDX-License-Identifier: MIT
"""Names for sweep files: the schema's scenarios and parameters, metrics, and an ns-3's variants and queue discs.

`tcpsweep list` prints them, and `config/sweep.schema.json` offers them in editors.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from tcpsweep.core.command_line.commands import reference
from tcpsweep.core.identity import source_folders
from tcpsweep.core.ns3 import catalogue, engine, variants
from tcpsweep.core.sweepfile.keys import editor_schema, network_fields, network_presets, schema
from tcpsweep.core.words import dotted_names, metrics, spelling, units
from tcpsweep.core.words.aligned import aligned, terminal_width
from tcpsweep.core.words.user_error import UserError

_ABOUT = re.compile(r"^ \* @file\n((?: \* .+\n)+)", re.MULTILINE)  # the first paragraph of a source's file comment

# The TypeIds whose attributes are offered, and their descendants: sweeps usually set these. Others work too.
_OFFERED = ("ns3::TcpSocket", "ns3::TcpL4Protocol", "ns3::TcpSocketState", "ns3::TcpRecoveryOps", variants.OPS)


def scenarios(scenario: str | None = None, prefix: str | None = None) -> list[tuple[str, str]]:
    """Each scenario, with the first sentence of its source's comment."""
    programs = [(name, _first_sentence(source_folders.SCENARIOS / f"{name}.cc")) for name in schema.programs()]
    return programs + [(name, network_presets.preset(name).description) for name in network_presets.preset_names()]


def _first_sentence(source: Path) -> str:
    match = _ABOUT.search(source.read_text(encoding="utf-8"))
    words = " ".join(line.removeprefix(" * ").strip() for line in match[1].splitlines()) if match else ""
    return re.split(r"\. |:|\.$", words)[0]


def parameters(scenario: str | None = None, prefix: str | None = None) -> list[tuple[str, str]]:
    """The parameters of one scenario or of all, with default, meaning and allowed values. Raises `UserError`."""
    all_scenarios = schema.scenarios()
    if scenario is not None and scenario not in all_scenarios:
        listed = f"{', '.join(all_scenarios)}{spelling.did_you_mean(scenario, all_scenarios)}"
        raise UserError(f"there is no scenario {scenario!r}; expected {listed}")
    chosen = [scenario] if scenario else all_scenarios
    by_scenario = {name: schema.parameters(name) for name in chosen}
    names = dict.fromkeys(parameter for of_one in by_scenario.values() for parameter in of_one)
    rows = []
    for name in names:
        takers = [choice for choice in chosen if name in by_scenario[choice]]
        about = by_scenario[takers[0]][name]
        defaults = dict.fromkeys(units.value_text(by_scenario[choice][name]["default"]) for choice in takers)
        only_in = "" if len(takers) == len(chosen) else f" Only in {', '.join(takers)}."
        allowed = reference.allowed(about)
        rows.append((f"{name} ({' or '.join(defaults)})", f"{about['description']} ({allowed}).{only_in}"))
    return rows + (_network_fields() if scenario is not None and schema.has_dotted_names(scenario) else [])


def _network_fields() -> list[tuple[str, str]]:
    """The fields of a network's links, flows and traffic by dotted names, in the form of parameters."""
    rows = []
    for kind in network_fields.KINDS:
        for field, about in network_fields.fields(kind).items():
            if field.startswith(dotted_names.BACK):
                continue
            default = f" ({units.value_text(about['default'])})" if "default" in about else ""
            of_kinds = f" Of {', '.join(about['kinds'])}." if "kinds" in about else ""
            name = dotted_names.dotted_name(kind, "NAME", field)
            rows.append((name + default, f"{about['description']} ({reference.allowed(about)}).{of_kinds}"))
    return rows


def metrics_of_all(scenario: str | None = None, prefix: str | None = None) -> list[tuple[str, str]]:
    """Each metric with its title, its unit and its scope, flow or network."""
    return [
        (name, f"{metric.title}{f' [{metric.unit}]' if metric.unit else ''}, of each {metric.scope}")
        for name, metric in metrics.METRICS.items()
    ]


def congestion_controls(scenario: str | None = None, prefix: str | None = None) -> list[tuple[str, str]]:
    """The congestion controls of an ns-3, each with its own attributes, and our own variants."""
    return _types_with_ours(variants.OPS, prefix)


def discs(scenario: str | None = None, prefix: str | None = None) -> list[tuple[str, str]]:
    """The queue discs of an ns-3, each with its own attributes, and our own."""
    return _types_with_ours(variants.DISC, prefix)


def _types_with_ours(ancestor: str, prefix: str | None) -> list[tuple[str, str]]:
    folder = variants.FOLDER.relative_to(source_folders.ROOT)
    ours = {name: f"ours, {folder}/{name}.cc" for name in variants.of_kind(ancestor)}
    return sorted((ours | dict(_types_of_ns3(ancestor, prefix))).items())


def _types_of_ns3(ancestor: str, prefix: str | None) -> Iterable[tuple[str, str]]:
    types = catalogue.types(engine.find(prefix))
    for name in catalogue.descendants(types, ancestor):
        yield name.removeprefix("ns3::"), ", ".join(types[name]["attributes"])


KINDS: dict[str, Callable[[str | None, str | None], list[tuple[str, str]]]] = {
    "variants": congestion_controls,
    "metrics": metrics_of_all,
    "parameters": parameters,
    "discs": discs,
    "scenarios": scenarios,
}


def list_of_names(kind: str, scenario: str | None = None, prefix: str | None = None) -> str:
    """The list of a kind, one of `KINDS`, in lines that fit the terminal; elsewhere, a name is a line.

    A scenario chooses among parameters, a prefix the ns-3 whose variants or discs are listed; other kinds ignore them.
    Raises `UserError` if there is no such scenario, `EngineError` if there is no such ns-3.
    """
    return aligned(KINDS[kind](scenario, prefix), terminal_width(sys.stdout))


def schema_text() -> str:
    """The JSON Schema of sweep files, with the variants, queue discs and attributes of ns-3, a definition a line.

    The ns-3 is the Python environment's. Raises `EngineError` if there is none.
    """
    types = catalogue.types(engine.find())
    names = {"variant": _type_names(types, variants.OPS), "queue-disc": ["none", *_type_names(types, variants.DISC)]}
    schema_of_sweeps = editor_schema.editor_schema(names, dict(_attributes(types)))
    definitions = schema_of_sweeps.pop("definitions")
    head = json.dumps(schema_of_sweeps, indent=1, ensure_ascii=False).removesuffix("\n}")
    lines = [f"  {json.dumps(name)}: {json.dumps(about, ensure_ascii=False)}" for name, about in definitions.items()]
    return head + ',\n "definitions": {\n' + ",\n".join(lines) + "\n }\n}\n"


def _type_names(types: catalogue.Types, ancestor: str) -> list[str]:
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
