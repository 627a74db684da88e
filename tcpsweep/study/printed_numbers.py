# SPDX-License-Identifier: MIT
"""What a sweep file says of a published study: its setting, its printed numbers, its claims.

A study's numbers stand in a CSV file beside the sweep file, a row each: ``metric``, ``printed`` and ``unit``; ``of``,
the flows' variant; ``over``, "mean" or "sum" over its flows; ``remark``; and a column for each parameter or attribute
that tells the networks apart. Lines that begin with # are comments.
"""

import csv
import math
from dataclasses import asdict, dataclass
from pathlib import Path

from tcpsweep.sweepfile import schema
from tcpsweep.sweepfile.yaml_document import Problem
from tcpsweep.words import metrics, spelling, units

OVER = ("mean", "sum")
# What printed units are in metrics' units; a segment's payload is the sweep's segment_size.
UNITS = {
    "bit/s": {"bit/s": 1, "kbit/s": 1e3, "Mbit/s": 1e6, "Kibit/s": 2**10, "Mibit/s": 2**20, "kB/s": 8e3},
    "B": {"B": 1, "kB": 1e3, "MB": 1e6, "segments": None},
    "s": {"s": 1, "ms": 1e-3},
    "1": {"1": 1, "%": 1e-2},
    "packets": {"packets": 1},
    "1/s": {"1/s": 1},
}
_REQUIRED = ("metric", "printed", "unit")
_KNOWN = (*_REQUIRED, "of", "over", "remark")
_PLACE = ("published", "numbers")


@dataclass(frozen=True)
class Number:
    """A printed number: the line it stands in, the sweep's combination that it is of, and what was printed."""

    line: int
    combination: int
    of: str | None
    metric: str
    over: str
    printed: float
    unit: str
    remark: str

    def in_si(self, row):
        """The number in its metric's unit, in the network of a combination."""
        return self.printed * scale(self.metric, self.unit, row)


class _Bad(Exception):
    """What is wrong with a line."""


def scale(metric, unit, row):
    """What one of a printed unit is in the metric's own."""
    known = UNITS[metrics.METRICS[metric].unit][unit]
    return row["segment_size"] if known is None else known


def numbers(document, combinations):
    """The printed numbers of a sweep file's study.

    Parameters
    ----------
    document : sweepfile.Document
    combinations : list of dict
        Those that the sweep file asks for.

    Returns
    -------
    found : list of Number
        Those of the combinations; with ``part: true`` there may be others, which are left out.
    problems : list of Problem
        What is wrong with the file, naming its lines.
    """
    about = document.data.get("published", {})
    if "numbers" not in about:
        return [], []
    path = Path(document.name).parent / about["numbers"]
    try:
        content = _rows(path)
    except OSError as error:
        return [], [Problem(_PLACE, f"{path} cannot be read: {error.strerror}")]
    except (ValueError, csv.Error) as error:
        return [], [Problem(_PLACE, f"{path} cannot be read: {error}")]
    if not content:
        return [], [Problem(_PLACE, f"{path} holds no numbers")]
    scenario, part = document.data["scenario"], about.get("part", False)
    (place, heads), *rows = content
    problems = [Problem(_PLACE, f"{path}:{place}: {text}") for text in _bad_heads(heads, scenario)]
    found, lines = [], {}
    for place, fields in rows if not problems else ():
        try:
            if len(fields) != len(heads):
                raise _Bad(f"expected {len(heads)} fields, got {len(fields)}")
            for number in _numbers(place, dict(zip(heads, fields, strict=True)), scenario, combinations, part):
                first = lines.setdefault((number.combination, number.of, number.metric, number.over), place)
                if first != place:
                    raise _Bad(f"is of what line {first} is of")
                found.append(number)
        except _Bad as error:
            problems.append(Problem(_PLACE, f"{path}:{place}: {error}"))
    if not found and not problems:
        problems.append(Problem(_PLACE, f"{path}: none of the numbers is of a combination of the sweep"))
    return found, problems


def _rows(path):
    """The rows of a CSV file with the lines that they end in, without comments and empty lines."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, strict=True)
        rows = [(reader.line_num, row) for row in reader]
    return [(place, row) for place, row in rows if "".join(row).strip() and not row[0].lstrip().startswith("#")]


def _bad_heads(heads, scenario):
    parameters = list(schema.parameters(scenario))
    if len(set(heads)) < len(heads):
        yield "a column stands twice"
    for name in _REQUIRED:
        if name not in heads:
            yield f"the column {name!r} is missing"
    for name in heads:
        if name not in _KNOWN and name not in parameters and not name.startswith("ns3::"):
            yield f"unknown column {name!r}{spelling.nearest(name, [*_KNOWN, *parameters])}"


def _numbers(line, fields, scenario, combinations, part):
    """The number of a line, in a list; an empty one where it is of no combination and need not be."""
    name, unit, own, over = (fields.get(key) or None for key in ("metric", "unit", "of", "over"))
    if name not in metrics.METRICS:
        raise _Bad(f"unknown metric {name!r}{spelling.nearest(name, metrics.METRICS)}")
    known = UNITS.get(metrics.METRICS[name].unit, {})
    if unit not in known:
        raise _Bad(f"expected one of {', '.join(known)} for {name}, got {unit!r}{spelling.nearest(unit, known)}")
    if (over or "mean") not in OVER:
        raise _Bad(f"expected mean or sum under `over`, got {over!r}")
    try:
        printed = float(fields["printed"])
    except ValueError:
        printed = math.nan
    if not math.isfinite(printed):
        raise _Bad(f"expected a number under `printed`, got {fields['printed']!r}")
    where = {key: text for key, text in fields.items() if key not in _KNOWN and text}
    wanted = {key: _normal(key, text, scenario) for key, text in where.items()}
    matching = [
        number for number, row in enumerate(combinations) if all(row.get(key) == value for key, value in wanted.items())
    ]
    if len(matching) > 1:
        raise _Bad(f"is of {len(matching)} combinations; tell them apart by more columns")
    if not matching:
        if part:
            return []
        raise _Bad(f"is of no combination of the sweep: {', '.join(f'{key} {text}' for key, text in where.items())}")
    variants = combinations[matching[0]]["variant"].split("+")
    flows = metrics.METRICS[name].scope == "flow"
    own = own or (variants[0] if flows and len(variants) == 1 else None)
    if flows and own not in variants:
        near = spelling.nearest(own or "", variants)
        raise _Bad(f"expected one of {', '.join(variants)} under `of`, got {own!r}{near}")
    if not flows and own:
        raise _Bad(f"{name} is of the whole network, not of {own}")
    return [Number(line, matching[0], own, name, over or "mean", printed, unit, fields.get("remark") or "")]


def _normal(name, text, scenario):
    if name.startswith("ns3::"):
        return units.normal_attribute(_scalar(text))
    form = schema.parameters(scenario)[name].get("format")
    try:
        return units.normal(text if form else _scalar(text), form)
    except ValueError as error:
        raise _Bad(f"{name}: {error}") from None


def _scalar(text):
    """A field as the sweep file would hold it: a number where it is one."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def resolved(document, sweep):
    """What later steps need to know of the study, for the sweep's table; None where there is none."""
    about = document.data.get("published")
    if about is None:
        return None
    found, _ = numbers(document, sweep.combinations[: sweep.swept])
    return {key: about.get(key, []) for key in ("corrections", "claims")} | {
        "source": about["source"],
        "setting": {name: units.text(value) for name, value in about.get("setting", {}).items()},
        "numbers": [asdict(number) for number in found],
    }


def of(sweep):
    """The printed numbers of a sweep's table, as `resolved` left them."""
    return [Number(**number) for number in (sweep["study"] or {"numbers": []})["numbers"]]
