# SPDX-License-Identifier: MIT
"""The reference page of the documentation, made from the definitions that the program itself uses."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tcpsweep.applications.captures import import_metrics
from tcpsweep.measure import audit_checks
from tcpsweep.sweepfile.keys import network_fields, presets, schema
from tcpsweep.words import column_meanings, metrics, quantities, table_columns, unit_factors


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as Markdown."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


# What formats that say little by their names are called.
_KINDS = {
    "share": "number from 0 to 1, or a percentage",
    "bytes": "bytes, plain or as 64kB,",
    "boolean": "true or false",
    "ends": "two nodes, such as [a, b]",
    "route": "links, such as [first, second]",
    "node": "node",
    "nodes": "a node, or a list of nodes",
    "count": "whole number, or such as 4 * 8,",
    "element": "name",
    "times": "time, or exponential:MEAN",
    "flows-or-rate": "number, rate or max",
    "objects": "whole number, or 3gpp",
    "ack-thinning": "none, all or a whole number",
    "trace-file": "none or a file",
    "schedule-file": "none or a file",
    "sizes-file": "file or distribution",
}


def _units(known: Iterable[str]) -> str:
    return ", ".join(f"`{unit}`" for unit in known)


def allowed(parameter: Mapping[str, Any]) -> str:
    """A parameter's allowed values, in few words."""
    if "enum" in parameter:
        return ", ".join(parameter["enum"])
    kind = {"integer": "whole number", "number": "number"}.get(str(parameter["type"]), parameter.get("format", ""))
    kind = kind or str(parameter["type"])
    kind = _KINDS.get(kind, kind)
    ends = [f"{word} {parameter[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in parameter]
    per_flow = "; a list gives one per flow, in turn" if parameter.get("per_flow") else ""
    per_flow += "; a list gives one per member, in turn" if parameter.get("per_member") else ""
    return " ".join([kind.replace("-", " "), *ends]) + per_flow


def _keys_under(section: str) -> list[str]:
    """A heading, and the table of a section's keys, or of its entries' keys if the section is a list."""
    about = schema.raw()["properties"][section]
    return [
        f"### Under `{section}`",
        markdown_table(
            ["key", "meaning", "default"],
            [
                (f"`{key}`", value["description"], "all" if key == "traces" else _default(value))
                for key, value in about.get("items", about)["properties"].items()
            ],
        ),
    ]


def _default(about: Mapping[str, Any]) -> str:
    return f"`{quantities.value_text(about['default'])}`" if "default" in about else ""


def _smallest(metric: metrics.Metric) -> str:
    if not metric.compared:
        return ""
    if metric.smallest is None:
        return str(schema.default("smallest_effect"))
    value = quantities.number_text(metric.smallest)
    return f"{value} or {metric.smallest_share:.0%}" if metric.smallest_share else value


def _networks() -> list[str]:
    """The fields of a network's links, flows and traffic."""
    parts = [
        "## Fields of a `network`",
        "What links, flows and traffic of the scenario `network` and of network presets may say; "
        "[network.md](network.md) says how. `network.links.NAME.FIELD` and the like are parameters.",
    ]
    for kind in network_fields.KINDS:
        fields = network_fields.fields(kind)
        rows = [
            (f"`{name}`", about["description"], about.get("unit", ""), _default_by_kind(about), allowed(about))
            for name, about in fields.items()
            if "." not in name
        ]
        parts += [f"### `{kind}`", markdown_table(["field", "meaning", "unit", "default", "values"], rows)]
        if any("." in name for name in fields):
            back = ", ".join(f"`{name.partition('.')[2]}`" for name in fields if "." in name)
            parts.append(f"Under `back`, the direction from the second node to the first, may stand {back}.")
    return parts


def _default_by_kind(about: Mapping[str, Any]) -> str:
    """A field's default, or of traffic that of each kind which takes it."""
    kinds = about.get("kinds", ())
    if isinstance(kinds, dict):
        return ", ".join(f"{kind} `{quantities.value_text(value)}`" for kind, value in kinds.items())
    return " ".join(filter(None, [_default(about), f"(for {', '.join(kinds)})" if kinds else ""]))


def page() -> str:
    """The page as Markdown: the sweep file's keys, each scenario's parameters, the tables and the metrics."""
    parts = [
        "<!-- SPDX-License-Identifier: MIT -->",
        "# Reference",
        "Made by `tcpsweep reference docs/reference.md` from `config/schema.yaml`, "
        "`tcpsweep/words/column_meanings.py`, `tcpsweep/words/metrics.py` "
        "and `tcpsweep/measure/audit_checks.py`, which the program itself uses.",
        "## A sweep file's keys",
        markdown_table(
            ["key", "meaning", "default"],
            [
                (f"`{key}`", value.get("description", ""), f"`{value['default']}`" if value.get("default") else "")
                for key, value in schema.raw()["properties"].items()
            ],
        ),
        *_keys_under("ns3"),
        *_keys_under("capture"),
        *_keys_under("figures"),
        *_keys_under("tables"),
    ]
    for scenario in schema.scenarios():
        own = schema.preset(scenario)
        parts.append(f"## Parameters of `{scenario}`")
        if own:
            others = "Its other parameters are those of [`network`](#parameters-of-network)."
            parts.append(f"{own.description}. {others}")
        parts += [
            markdown_table(
                ["parameter", "meaning", "unit", "default", "values"],
                [
                    (
                        f"`{name}`",
                        p["description"],
                        p.get("unit", ""),
                        f"`{quantities.value_text(p['default'])}`",
                        allowed(p),
                    )
                    for name, p in schema.parameters(scenario).items()
                    if not own or name in own.parameters or name in own.defaults
                ],
            ),
        ]
    parts += _networks()
    parts += [
        "## Presets",
        "What a value of the parameter `preset` sets, for all that the sweep file leaves open.",
    ]
    for name in presets.preset_names():
        about = presets.preset(name)
        rows = [(f"`{each}`", f"`{found.value}`", found.source) for each, found in about.settings.items()]
        parts += [f"### `{name}`", about.description, markdown_table(["attribute", "value", "source"], rows)]
    parts += [
        "Rates are written with `bps`, `b/s`, `Bps`, `B/s` and a prefix k, M, G (or Ki, Mi, Gi before `b/s`, `B/s`); "
        f"times with {_units(unit_factors.TIMES)}; sizes with {_units(unit_factors.SIZES)}.",
        "## Parquet",
        "Each finished cell has its tables in `results/cells/<cell>/<parser>/`, `packets`, `events` and `nodes` where "
        "they are captured, `measures`, `fairness` and `audit` in `measured-<id>/`. In polars, `include_file_paths` "
        "tells cells apart. Decimal columns are seconds with all their nanoseconds, `cast(pl.Float64)` makes them "
        "floats. `SHA256SUMS` in each folder has the digests of its files, in the form of `sha256sum -c`; whatever "
        "reads a file compares it first, and `tcpsweep verify` compares all of a sweep.",
    ]
    for table, columns in table_columns.COLUMNS.items():
        meanings = column_meanings.COLUMNS[table]
        rows = [(f"`{name}`", str(kind).partition("(")[0], meanings[name]) for name, kind in columns.items()]
        parts += [f"### `{table}.parquet`", markdown_table(["column", "type", "meaning"], rows)]
    parts += [
        "### The traces",
        markdown_table(
            ["metric", "meaning"], [(f"`{name}`", meaning) for name, meaning in column_meanings.TRACES.items()]
        ),
        "## Metrics",
        metrics.__doc__.partition("\n\n")[2].strip(),
        markdown_table(
            ["metric", "title", "unit", "of each", "formula", "interval", "smallest effect", "source"],
            [
                (f"`{n}`", m.title, m.unit, m.scope, m.formula, m.interval, _smallest(m), m.source)
                for n, m in metrics.METRICS.items()
            ],
        ),
        "A mean over runs has a 95 % interval, Student's t or the bootstrap's: [statistics.md](statistics.md) has the "
        "formulas. Simulations that are equal to the byte count as one run.",
        "The smallest effect is that worth naming, of the reference's mean or in the metric's unit, the larger of two, "
        "unless the sweep file gives [another](sweep-file.md#smallest-effect-of-interest); metrics without one "
        "are not compared.",
        "[validity.md](validity.md) says which flows are *steady*.",
        "## Metrics of imports",
        "What `tcpsweep import` finds in captures of others; [import.md](import.md) says more. "
        + import_metrics.__doc__.partition("\n\n")[2].strip().replace("\n", " "),
        markdown_table(
            ["metric", "title", "unit", "of each", "formula", "source"],
            [(f"`{n}`", m.title, m.unit, m.scope, m.formula, m.source) for n, m in import_metrics.METRICS.items()],
        ),
        "## The audit",
        audit_checks.__doc__.partition("\n\n")[2].strip(),
        markdown_table(
            ["check", "what is found", "what it may be"],
            [(f"`{name}`", *formula.split("; ")) for name, formula in audit_checks.CHECKS.items()],
        ),
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"
