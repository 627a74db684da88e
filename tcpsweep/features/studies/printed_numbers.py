# SPDX-License-Identifier: MIT
"""Read the printed numbers and the claims of a sweep file's published study.

A study's numbers are in a CSV file next to the sweep file, a row each. Its columns are ``metric``, ``printed`` and
``unit``; ``of``, the flows' variant; ``over``, "mean" or "sum" over its flows; and ``remark``. There is also a column
for each parameter or attribute that distinguishes the networks. Lines that begin with # are comments.
"""

import csv
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import cast

from tcpsweep.core.sweep.matching import Combination, Value
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.sweepfile.combinations import limits
from tcpsweep.core.sweepfile.document import bounded_file, yaml_document
from tcpsweep.core.sweepfile.document.yaml_document import Problem
from tcpsweep.core.sweepfile.keys import conditions, schema
from tcpsweep.core.words import metric_names, metrics, normal_forms, quantity_forms, spelling, units
from tcpsweep.core.words.mixes import Mix
from tcpsweep.features.studies import study_fields
from tcpsweep.features.studies.study_fields import PublishedKey
from tcpsweep.features.studies.study_record import KEY, Claim, PrintedNumber

OVER = ("mean", "sum")
_REQUIRED_COLUMNS = ("metric", "printed", "unit")
_KNOWN_COLUMNS = (*_REQUIRED_COLUMNS, "of", "over", "remark")
_KEY_PATH = (KEY, "numbers")
MOST_NUMBERS_BYTES = 10_000_000


class _Bad(Exception):
    """A line's problem."""


def numbers(study: PublishedKey, folder: Path, sweep: Sweep) -> tuple[list[PrintedNumber], list[Problem]]:
    """The printed numbers of a study for a sweep's own combinations, and their problems.

    Numbers of other combinations, which only ``part: true`` allows, are left out. Problems name lines of the numbers'
    file.
    """
    if study.numbers is None:
        return [], []
    path, combinations = folder / study.numbers, sweep.own
    try:
        content = _csv_rows(path)
    except bounded_file.Unfit as error:
        return [], [Problem(_KEY_PATH, str(error))]
    except (OSError, ValueError, csv.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        return [], [Problem(_KEY_PATH, f"{path} cannot be read: {why}")]
    if not content:
        return [], [Problem(_KEY_PATH, f"{path} holds no numbers")]
    (line, columns), *rows = content
    if too_many := _too_many(len(rows), len(combinations)):
        return [], [Problem(_KEY_PATH, f"{path}: {too_many}")]
    problems = [Problem(_KEY_PATH, f"{path}:{line}: {text}") for text in _column_problems(columns, sweep.scenario)]
    printed_numbers: list[PrintedNumber] = []
    line_of_number: dict[tuple[int, str | None, str, str], int] = {}
    for line, fields in rows if not problems else ():
        try:
            if (longest := max(map(len, fields))) > yaml_document.MOST_CHARACTERS:
                raise _Bad(f"expected fields of at most {yaml_document.MOST_CHARACTERS:,} characters, got {longest:,}")
            if len(fields) != len(columns):
                raise _Bad(f"expected {len(columns)} fields, got {len(fields)}")
            for number in _numbers_of_line(
                line, dict(zip(columns, fields, strict=True)), sweep.scenario, combinations, study.part
            ):
                first = line_of_number.setdefault((number.combination, number.of, number.metric, number.over), line)
                if first != line:
                    raise _Bad(f"repeats line {first}; a number has its own combination, metric, `of` and `over`")
                printed_numbers.append(number)
        except _Bad as error:
            problems.append(Problem(_KEY_PATH, f"{path}:{line}: {error}"))
    if not printed_numbers and not problems:
        problems.append(Problem(_KEY_PATH, f"{path}: no number belongs to a combination of the sweep"))
    return printed_numbers, problems


def _too_many(lines: int, combinations: int) -> str | None:
    """Why a study has too many printed numbers, each compared with every combination; None if it does not."""
    if lines * combinations <= limits.MOST_COMPARISONS:
        return None
    size = f"{lines:,} lines for each of {combinations:,} combinations are {lines * combinations:,} comparisons"
    return f"{size}; the limit is {limits.MOST_COMPARISONS:,}"


def _csv_rows(path: Path) -> list[tuple[int, list[str]]]:
    """The rows of a CSV file with the numbers of their last lines, without comments and empty lines."""
    reader = csv.reader(bounded_file.read(path, MOST_NUMBERS_BYTES, "a study's numbers").splitlines(True), strict=True)
    rows = [(reader.line_num, row) for row in reader]
    return [(place, row) for place, row in rows if "".join(row).strip() and not row[0].lstrip().startswith("#")]


def _column_problems(heads: list[str], scenario: str) -> Iterator[str]:
    """Problems with the names of the columns, in words."""
    parameters = list(schema.parameters(scenario))
    if len(set(heads)) < len(heads):
        yield "two columns have the same name; remove one"
    for name in _REQUIRED_COLUMNS:
        if name not in heads:
            yield f"the column {name!r} is missing"
    for name in heads:
        if name not in _KNOWN_COLUMNS and name not in parameters and not name.startswith("ns3::"):
            yield f"unknown column {name[:60]!r}{spelling.did_you_mean(name, [*_KNOWN_COLUMNS, *parameters])}"


def _numbers_of_line(
    line: int, fields: dict[str, str], scenario: str, combinations: Sequence[Combination], may_be_part: bool
) -> list[PrintedNumber]:
    """The number of a line, in a list; an empty list if it matches no combination and ``may_be_part`` allows that."""
    metric, unit, own, over = (fields.get(key) or None for key in ("metric", "unit", "of", "over"))
    if metric is None or metric not in metrics.METRICS:
        raise _Bad(f"unknown metric {metric!r}{metric_names.did_you_mean(metric or '', metrics.METRICS)}")
    factors = units.PRINTED.get(metrics.METRICS[metric].unit, {})
    if unit is None or unit not in factors:
        expected = f"expected one of {', '.join(factors)} for {metric}"
        raise _Bad(f"{expected}, got {unit!r}{spelling.did_you_mean(unit, factors)}")
    if (over or "mean") not in OVER:
        raise _Bad(f"expected mean or sum under `over`, got {over!r}")
    try:
        printed = float(fields["printed"])
    except ValueError:
        printed = math.nan
    if not math.isfinite(printed):
        raise _Bad(f"expected a number under `printed`, got {fields['printed']!r}")
    settings = {key: text for key, text in fields.items() if key not in _KNOWN_COLUMNS and text}
    values = {key: _normal_value(key, text, scenario) for key, text in settings.items()}
    matches = [
        number for number, row in enumerate(combinations) if all(row.get(key) == value for key, value in values.items())
    ]
    if len(matches) > 1:
        raise _Bad(f"matches {len(matches)} combinations; add columns that distinguish them")
    if not matches:
        if may_be_part:
            return []
        raise _Bad(
            f"matches no combination of the sweep: {', '.join(f'{key} {text}' for key, text in settings.items())}"
        )
    variants = Mix.parse(str(combinations[matches[0]]["variant"])).turns
    is_of_flows = metrics.METRICS[metric].by_variant
    own = own or (variants[0] if is_of_flows and len(variants) == 1 else None)
    if is_of_flows and own not in variants:
        hint = spelling.did_you_mean(own or "", variants)
        raise _Bad(f"expected one of {', '.join(variants)} under `of`, got {own!r}{hint}")
    if not is_of_flows and own:
        raise _Bad(f"{metric} describes the whole network, not {own}")
    return [PrintedNumber(line, matches[0], own, metric, over or "mean", printed, unit, fields.get("remark") or "")]


def _normal_value(name: str, text: str, scenario: str) -> Value:
    """A field of a parameter or attribute in normal form, to compare it with combinations. Raises `_Bad`."""
    if name.startswith("ns3::"):
        return normal_forms.normal_attribute(_scalar(text))
    parameter = schema.parameters(scenario)[name]
    form = parameter.get("format")
    try:
        return cast(Value, normal_forms.normal(text if form else _scalar(text), form))
    except quantity_forms.NoQuantity as error:
        raise _Bad(f"{name}: {error.said(schema.usual(parameter))}") from None
    except ValueError as error:
        raise _Bad(f"{name}: {error}") from None


def _scalar(text: str) -> str | float:
    """A field in the sweep file's form: a number if possible, else text."""
    readers: tuple[Callable[[str], float], ...] = (int, float)
    for read in readers:
        try:
            return read(text)
        except ValueError:
            continue
    return text


def claim_of(claim: study_fields.Claim, scenario: str) -> Claim:
    """A claim as a record, with its conditions in normal form."""
    return Claim(
        says=claim.says,
        metric=claim.metric,
        of=claim.of,
        than=claim.than,
        where=conditions.wanted_several(scenario, {} if claim.where is None else claim.where),
        more=conditions.wanted_values(scenario, claim.more or {}),
        less=conditions.wanted_values(scenario, claim.less or {}),
        outlier=conditions.wanted_values(scenario, claim.outlier or {}),
        rises_with=conditions.listed(claim.rises_with or []),
        falls_with=conditions.listed(claim.falls_with or []),
        level_with=conditions.listed(claim.level_with or []),
    )
