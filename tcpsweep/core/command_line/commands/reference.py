# SPDX-License-Identifier: MIT
"""The reference pages of the documentation, made from the program's own definitions."""

from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any

from tcpsweep.core.command_line.commands import interface_pages
from tcpsweep.core.measure import audit_checks, counters
from tcpsweep.core.sweepfile.keys import network_fields, presets, schema, sweep_keys
from tcpsweep.core.words import column_meanings, markup, metrics, table_columns, units

# Names for people of formats with unclear names.
_WORDS_BY_FORMAT = {
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


_MOST_LISTED = 10  # values of a list's entries


def _units(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def allowed(parameter: Mapping[str, Any]) -> str:
    """A parameter's allowed values, in short."""
    if "enum" in parameter:
        return ", ".join(map(str, parameter["enum"]))
    words = {"integer": "whole number", "number": "number"}.get(str(parameter["type"]), parameter.get("format", ""))
    words = words or str(parameter["type"])
    words = _WORDS_BY_FORMAT.get(words, words)
    limits = [f"{word} {parameter[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in parameter]
    per_flow = "; a list gives one per flow, in turn" if parameter.get("per_flow") else ""
    per_flow += "; a list gives one per member, in turn" if parameter.get("per_member") else ""
    return " ".join([words.replace("-", " "), *limits]) + per_flow


def _keys_under(section: str) -> list[str]:
    """A heading, and the table of a section's keys, or of its entries' keys if the section is a list."""
    listed = sweep_keys.properties()[section]
    return [
        f"## Under `{section}`",
        markup.markdown(
            ["key", "meaning", "default", "values"],
            [
                (
                    f"`{key}`",
                    about["description"],
                    "all" if key == "traces" else _default_text(about),
                    _allowed_text(about),
                )
                for key, about in (listed if "properties" in listed else listed["items"])["properties"].items()
            ],
        ),
    ]


def _default_text(about: Mapping[str, Any]) -> str:
    value = about.get("default", "")
    text = "" if value in ({}, []) else units.value_text(value)
    return f"`{text}`" if text else ""


def _allowed_text(about: Mapping[str, Any]) -> str:
    """A key's allowed values, if they are words or numbers."""
    if "then" in about:
        return ", or ".join(filter(None, (_allowed_text(about["else"]), _allowed_text(about["then"]))))
    if about.get("type") == "array":
        items = about.get("items", {}).get("enum", ())
        return f"a list of {', '.join(items)}" if 0 < len(items) <= _MOST_LISTED else ""
    if about.get("type") == "boolean":
        return _WORDS_BY_FORMAT["boolean"]
    if "enum" in about or "minimum" in about:
        return allowed({"type": "integer", **about})
    return f"up to {about['maxLength']:,} characters" if "maxLength" in about else ""


def _smallest_effect(metric: metrics.Metric) -> str:
    if not metric.compared:
        return ""
    if metric.smallest is None:
        return str(sweep_keys.default("smallest_effect"))
    value = units.number_text(metric.smallest)
    of_distance = f" of {metric.smallest_origin:g} − x" if metric.smallest_origin else ""
    return f"{value} or {metric.smallest_share:.0%}{of_distance}" if metric.smallest_share else value


def _networks() -> list[str]:
    """Tables of the fields of a network's links, flows and traffic, and of the parameters of network presets."""
    parts = [
        "# Reference: fields of a network",
        "Links, flows and traffic of a [custom topology](network.md) have these fields. Each field is a parameter, "
        "such as `network.links.NAME.delay`.",
    ]
    for kind in network_fields.KINDS:
        fields = network_fields.fields(kind)
        rows = [
            (f"`{name}`", about["description"], about.get("unit", ""), _default_by_kind(about), allowed(about))
            for name, about in fields.items()
            if "." not in name
        ]
        parts += [f"## `{kind}`", markup.markdown(["field", "meaning", "unit", "default", "values"], rows)]
        if any("." in name for name in fields):
            back_fields = {name.partition(".")[2] for name in fields if "." in name}
            lacking = ", ".join(f"`{name}`" for name in fields if "." not in name and name not in back_fields)
            parts.append(
                f"`back`, the direction from the second node to the first, may have all these fields except {lacking}."
            )
    for scenario in schema.scenarios():
        if preset := schema.preset(scenario):
            parameters = schema.parameters(scenario).items()
            of_preset = [
                _parameter_row(name, about)
                for name, about in parameters
                if name in preset.parameters or name in preset.defaults
            ]
            parts += [
                f"## Parameters of `{scenario}`",
                f"{preset.description}. It also has the parameters of [`network`](reference-parameters.md).",
                markup.markdown(["parameter", "meaning", "unit", "default", "values"], of_preset),
            ]
    return parts


def _default_by_kind(about: Mapping[str, Any]) -> str:
    """A field's default; for traffic, the default of each kind that takes the field."""
    kinds = about.get("kinds", ())
    if isinstance(kinds, dict):
        return ", ".join(f"{kind} `{units.value_text(value)}`" for kind, value in kinds.items())
    return " ".join(filter(None, [_default_text(about), f"(for {', '.join(kinds)})" if kinds else ""]))


def _parameter_row(name: str, about: Mapping[str, Any]) -> tuple[str, ...]:
    return f"`{name}`", about["description"], about.get("unit", ""), _default_text(about), allowed(about)


def _keys() -> list[str]:
    """The keys of a sweep file."""
    rows = [
        (f"`{key}`", value.get("description", ""), _default_text(value), _allowed_text(value))
        for key, value in sweep_keys.properties().items()
    ]
    parts = [
        "# Reference: keys of a sweep file",
        "[The sweep file](sweep-file.md) explains them with examples.",
        markup.markdown(["key", "meaning", "default", "values"], rows),
    ]
    for section in ("refine", "search", "capture", "figures", "tables", "published", "ns3"):
        parts += _keys_under(section)
    return parts


def _parameters() -> list[str]:
    """All scenarios' parameters in one table, with the scenarios that take each."""
    by_scenario = {scenario: schema.parameters(scenario) for scenario in schema.programs()}
    rows = []
    for name in dict.fromkeys(name for parameters in by_scenario.values() for name in parameters):
        takers = {scenario: parameters[name] for scenario, parameters in by_scenario.items() if name in parameters}
        without = [scenario for scenario in by_scenario if scenario not in takers]
        takers_in_words = ", ".join(takers)
        if len(without) < 2:
            takers_in_words = f"all but {without[0]}" if without else "all"
        first, meaning, unit, default, values = _parameter_row(name, next(iter(takers.values())))
        for other_default in dict.fromkeys(map(_default_text, takers.values())):
            if other_default != default.partition(";")[0]:
                others = " and ".join(
                    scenario for scenario in takers if _default_text(takers[scenario]) == other_default
                )
                default += f"; {other_default} in {others}"
        rows.append((first, meaning, unit, default, values, takers_in_words))
    return [
        "# Reference: parameters",
        "Parameters go into `fixed`, `grid` or `zip` of a sweep file. [Scenarios](scenarios.md) describes scenarios. "
        "`tcpsweep list parameters dumbbell` prints the parameters of one scenario.",
        markup.markdown(
            ["value", "units"],
            [
                (
                    "rate",
                    "`bps`, `b/s`, `Bps`, `B/s`, with a prefix k, M or G; also Ki, Mi or Gi before `b/s` and `B/s`",
                ),
                ("time", _units(units.TIMES)),
                ("size", _units(units.SIZES)),
            ],
        ),
        markup.markdown(["parameter", "meaning", "unit", "default", "values", "scenarios"], rows),
        "[Custom topologies](reference-networks.md) have the parameters of `network`, and the fields of their links, "
        "flows and traffic.",
    ]


def _presets() -> list[str]:
    """The attributes that presets set."""
    parts = [
        "# Reference: presets",
        "The parameter [`preset`](sweep-file.md#presets) sets these attributes of ns-3. The sweep file's own "
        "attributes override them.",
    ]
    for name in presets.preset_names():
        about = presets.preset(name)
        rows = [
            (f"`{attribute}`", f"`{setting.value}`", setting.source) for attribute, setting in about.settings.items()
        ]
        parts += [f"## `{name}`", about.description, markup.markdown(["attribute", "value", "source"], rows)]
    return parts


def _tables() -> list[str]:
    """The columns of a simulation's tables, and its traces."""
    parts = [
        "# Reference: tables of a simulation",
        "Each finished simulation has its tables as Parquet files in `results/cells/<cell>/<parser>/`. `packets`, "
        "`events` and `nodes` are there if they are captured, and `transfers` if the network has traffic. `measures`, "
        "`fairness` and `audit` are in `measured-<id>/` below. [Results](results.md) has all folders, and "
        "[recipes](recipes.md) read the files.",
        "To distinguish simulations in polars, use `include_file_paths`. Decimal columns are seconds with all "
        "nanoseconds; `cast(pl.Float64)` makes them floats, which altair and most tools expect. `SHA256SUMS` in each "
        "folder has the digests of its files, for `sha256sum -c`.",
    ]
    for table, columns in table_columns.COLUMNS.items():
        meanings = column_meanings.COLUMNS[table]
        rows = [(f"`{name}`", str(kind).partition("(")[0], meanings[name]) for name, kind in columns.items()]
        parts += [f"## `{table}.parquet`", markup.markdown(["column", "type", "meaning"], rows)]
    traces = [(f"`{name}`", meaning) for name, meaning in column_meanings.TRACES.items()]
    return [*parts, "## The traces", markup.markdown(["metric", "meaning"], traces)]


def _metrics() -> list[str]:
    """The metrics, a table for each family."""
    parts = [
        "# Reference: metrics",
        _body(metrics.__doc__),
        "*Interval* is the kind of the 95 % interval of a mean over runs: Student's t or the bootstrap "
        "([formulas](statistics.md#means-and-intervals)). A run is one repetition.",
        "*Smallest effect* is the default of the "
        "[smallest effect of interest](sweep-file.md#smallest-effect-of-interest): a percentage of the reference's "
        "mean, a value in the metric's unit, or the larger of two. Metrics without one are not compared.",
        "*Of each* says which objects have a value. `flow`: each flow. A variant's value in a run is the mean over its "
        "forward flows. `variant`: all forward flows of a variant together. `network`: all flows together, or the "
        "bottleneck. `link` and `traffic`: each link in each direction, and each group of traffic.",
        "If flows have several [bottlenecks](network.md#what-is-measured), a variant's values and the metrics of "
        "fairness and completion cover only the flows that the reference link limits.",
        "*No value:* A flow that is absent from the measured time has no value, and the mean over flows leaves it out. "
        "The same holds for delays and loss of a flow without packets. A flow that receives nothing has goodput 0.",
        "A flow is [steady](validity.md#metrics-count-after-the-warm-up) if its means do not depend on the end of the "
        "simulation.",
    ]
    heads = ["metric", "title", "unit", "of each", "formula", "interval", "smallest effect", "source"]
    for family, members in metrics.FAMILIES.items():
        rows = [
            (f"`{n}`", m.title, m.unit, m.scope, m.formula, m.interval, _smallest_effect(m), m.source)
            for n, m in members.items()
        ]
        parts += [f"## {family.capitalize()}", markup.markdown(heads, rows)]
    limits = [(*row[:4], ", ".join(f"`{check}`" for check in row.checks) or "–") for row in counters.COUNTERS]
    heads = ["counter", "metrics", "where it is not what its name says", "what metrics do there", "checks"]
    parts += [
        "## Counters and their limits",
        "A number that cannot be checked has no value, or comes from a counter that is valid where it is used. "
        "[Consistency checks](reference-checks.md) compare counters with others.",
        markup.markdown(heads, limits),
    ]
    return parts


def _checks() -> list[str]:
    """The consistency checks."""
    rows = [(f"`{name}`", *formula.split("; ")) for name, formula in audit_checks.CHECKS.items()]
    return [
        "# Reference: consistency checks",
        "Every simulation has these checks; the table `audit` has their results. "
        "[Every count is cross-checked](validity.md#every-count-is-cross-checked) explains why.",
        _body(audit_checks.__doc__),
        markup.markdown(["check", "what is found", "what it may be"], rows),
    ]


def _body(docstring: str | None) -> str:
    """A module's docstring without its first line."""
    return (docstring or "").partition("\n\n")[2].strip()


PARTS = {
    "keys": _keys,
    "parameters": _parameters,
    "networks": _networks,
    "presets": _presets,
    "tables": _tables,
    "metrics": _metrics,
    "checks": _checks,
}
# The first page: its headings, to which other pages link, and the text below each.
OVERVIEW = {
    "A sweep file's keys": "[All keys](reference-keys.md) with their defaults.",
    "Parameters": "[All parameters](reference-parameters.md) of scenarios, with units, defaults and values.",
    "Fields of a `network`": "[Links, flows and traffic](reference-networks.md) of custom topologies.",
    "Presets": "[The attributes](reference-presets.md) that `preset: linux` and `preset: datacentre` set.",
    "Parquet": "[The columns](reference-tables.md) of a simulation's tables.",
    "The traces": "[The traces](reference-tables.md#the-traces) that `capture` chooses from.",
    "Metrics": "[All metrics](reference-metrics.md) with formulas, intervals and sources.",
    "Metrics of imports": "[The metrics](reference-metrics.md#metrics-of-imports) of imported captures.",
    "The audit": "[The consistency checks](reference-checks.md) of every simulation.",
    "Python": "[Functions and frames](reference-python.md) of the package `tcpsweep`.",
}


def pages(package: ModuleType, of_features: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The pages as Markdown, by their names' suffixes: empty for the first page, such as "-metrics" for others.

    ``package`` is `tcpsweep`, ``of_features`` what features add at the end of pages.
    """
    first = [
        "# Reference",
        "`tcpsweep reference docs/reference.md` writes these pages from the definitions that the program itself uses: "
        "`config/schema.yaml`, `tcpsweep/core/words/` and `tcpsweep/core/measure/audit_checks.py`.",
        *(text for heading, about in OVERVIEW.items() for text in (f"## {heading}", about)),
    ]
    parts_by_page = {name: part() for name, part in PARTS.items()} | {"python": interface_pages.python_page(package)}
    parts_by_suffix = {"": first}
    parts_by_suffix |= {f"-{name}": [*parts, *of_features.get(name, ())] for name, parts in parts_by_page.items()}
    note = "<!-- SPDX-License-Identifier: MIT -->"
    return {
        name: "\n\n".join(part.strip() for part in (note, *parts)) + "\n" for name, parts in parts_by_suffix.items()
    }
