# SPDX-License-Identifier: MIT
"""Read the texts under `expect`, such as ``jain >= 0.9 where flows == 2``.

The form is ``METRIC [of VARIANT] OP VALUE [where NAME OP VALUE [and NAME OP VALUE …]]``. OP is one of `OPERATORS`, NAME
a parameter or an ns-3 attribute. Values contain no spaces. Instead of a variant, ``link NAME``, ``link NAME back`` for
its reverse direction, ``traffic NAME`` or ``group NAME``, a group of flows, are possible.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, TypeVar, cast

from tcpsweep.core.contact.question import Question
from tcpsweep.core.sweep import combination_parts, matching, network_part
from tcpsweep.core.sweep.bounds import EQUALITY, OPERATORS
from tcpsweep.core.sweep.matching import Combination, Value
from tcpsweep.core.sweep.network_part import Part
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.sweepfile.asked import contrasts, in_rounds
from tcpsweep.core.sweepfile.asked.contrasts import Unreadable, Word
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import (
    field_names,
    link_words,
    metric_names,
    metrics,
    normal_forms,
    quantity_forms,
    spelling,
    units,
)
from tcpsweep.features.expectations.expectation import KEY, Condition, Expectation, expectations_of
from tcpsweep.features.expectations.expectation_fields import ExpectationFields, NamedExpectation

_PART_IN_WORDS = {"link": "a link", "traffic": "traffic", "group": "a group of flows"}  # with their words in messages
PER_EXPECTATION = 10  # comparisons of a condition's value in the time of one with an expectation, 2 µs
_TOKEN = re.compile(r"[<>=!]+|[^\s<>=!]+")

About = TypeVar("About")
Read = TypeVar("Read")


def entries(file: SweepFile) -> Iterator[tuple[KeyPath, str, str]]:
    """A sweep file's expectations: path, name (the text if it has none), text."""
    content = file.of(ExpectationFields).expect or []
    listed = content if isinstance(content, list) else [content]
    for number, entry in enumerate(listed):
        path: KeyPath = (KEY, number) if isinstance(content, list) else (KEY,)
        if isinstance(entry, NamedExpectation):
            yield (*path, "that"), entry.name, entry.that
        else:
            yield path, entry, entry


def names_in(combinations: Sequence[Combination]) -> frozenset[str]:
    """The parameters and attributes allowed in conditions of expectations."""
    return frozenset().union(*combinations)


def asked_of_combinations(file: SweepFile, sweep: Sweep) -> tuple[Sweep, list[Problem]]:
    """The sweep with its file's expectations, and problems."""
    expected: list[Expectation] = []
    problems: list[Problem] = []
    used_names: set[str] = set()
    swept_names = names_in(sweep.own)
    for path, name, text in entries(file):
        if name in used_names:
            problems.append(Problem(path, f"two expectations have the name {name!r}; rename one"))
        used_names.add(name)
        try:
            expected.append(parse(text, sweep.scenario, swept_names, name))
            for condition in expected[-1].where:
                if why := in_rounds.why_unknown(file, condition.name):
                    raise Unreadable(why, condition.at)
            _check_applies(expected[-1], sweep.own)
        except Unreadable as error:
            problems.append(Problem(path, str(error)))
    return (sweep.with_question(KEY, expected) if expected and not problems else sweep), problems


def unreadable(data: Any, path: KeyPath, entry: Any) -> Iterator[Problem]:
    """Problems with a single entry of `expect`, in a file whose combinations are unknown."""
    text_path, text = ((*path, "that"), entry.get("that")) if isinstance(entry, dict) else (path, entry)
    if not isinstance(text, str):
        return
    scenario = schema.scenario_of(data)
    names = {*schema.parameters(scenario), *schema.constants(scenario), *(name for _, name, _ in sections.values(data))}
    try:
        parse(text, scenario, names)
    except Unreadable as error:
        yield Problem(text_path, str(error))


def parse(text: str, scenario: str, names: Collection[str], name: str | None = None) -> Expectation:
    """Read an expectation. Its conditions may use ``names``, from `names_in`. Its default name is its text.

    Raises
    ------
    Unreadable
    """
    words = [(match[0], match.start()) for match in _TOKEN.finditer(text)]
    end = ("", len(text))
    metric, position = words.pop(0) if words else end
    variant, part, variant_at = _taken_subject(words, end)
    known_metrics = network_part.known_metrics(part.kind if part else None)
    if metric not in known_metrics:
        raise Unreadable(_unknown_metric_message(metric, part, known_metrics), position)
    if variant is not None and not metrics.METRICS[metric].by_variant:
        raise Unreadable(f"{metric} describes all flows together; write `where variant == …`, not `of`", variant_at)
    operator = _taken_operator(words, end)
    value_word, position = words.pop(0) if words else end
    value = _read_word(quantity_forms.metric_value, value_word, metrics.METRICS[metric].unit, position)
    conditions: list[Condition] = []
    joining_word, word_before = "where", value_word
    while words:
        word, position = words.pop(0)
        if word != joining_word:
            near = spelling.did_you_mean(word, [joining_word])
            if not near and word_before[-1:].isdigit() and word[0].isalpha():
                near = f"; a value has no space: did you mean '{word_before}{word}'?"
            raise Unreadable(f"expected `{joining_word}` or the end, got {contrasts.quoted(word)}{near}", position)
        word_before = words[2][0] if len(words) > 2 else ""
        conditions.append(_taken_condition(words, end, scenario, names))
        joining_word = "and"
    return Expectation(name or text, text, metric, variant, operator, value, tuple(conditions), variant_at, part)


def _taken_subject(words: list[Word], end: Word) -> tuple[str | None, Part | None, int]:
    """Remove the subject after `of` from the words: a variant, or a part of the network; and its position.

    ``end`` is the empty word at the end of the text, for messages.
    """
    if not words or words[0][0] != "of":
        return None, None, 0
    words.pop(0)
    word, position = words.pop(0) if words else end
    if word not in _PART_IN_WORDS:
        return field_names.VARIANTS.get(word, word.removeprefix("ns3::")), None, position
    name, position = words.pop(0) if words else end
    if not name or name in OPERATORS:
        raise Unreadable(f"expected the name of {_PART_IN_WORDS[word]}, got {contrasts.quoted(name)}", position)
    is_reverse = word == "link" and bool(words) and words[0][0] == link_words.BACK
    if is_reverse:
        words.pop(0)
    return None, Part(cast(network_part.Kind, word), name, "reverse" if is_reverse else "forward"), position


def _unknown_metric_message(metric: str, part: Part | None, known_metrics: Collection[str]) -> str:
    """The message that an expectation's subject has no such metric."""
    if part is None:
        scope = metrics.METRICS[metric].scope if metric in metrics.METRICS else ""
        if scope in ("link", "traffic"):
            return f"{metric} is a metric of {'a link' if scope == 'link' else scope}; write `{metric} of {scope} NAME`"
        near = metric_names.did_you_mean(metric, known_metrics)
        return f"expected a metric, such as jain or goodput_bps, got {contrasts.quoted(metric)}{near}"
    example = {"link": "utilisation", "traffic": "slowdown_p99", "group": "goodput_bps"}[part.kind]
    near = metric_names.did_you_mean(metric, known_metrics)
    return f"expected a metric of {_PART_IN_WORDS[part.kind]}, such as {example}, got {contrasts.quoted(metric)}{near}"


def _read_word(
    reader: Callable[[str, About], Read], word: str, reader_argument: About, position: int, usual: str = ""
) -> Read:
    try:
        return reader(word, reader_argument)
    except quantity_forms.NoQuantity as error:
        raise Unreadable(error.said(usual), position) from None
    except ValueError as error:
        raise Unreadable(str(error), position) from None


def _taken_operator(words: list[Word], end: Word) -> str:
    """Remove a comparison from the words, and return it."""
    word, position = words.pop(0) if words else end
    if word not in OPERATORS:
        intended = {"=": "==", "=>": ">=", "=<": "<=", "≥": ">=", "≤": "<=", "<>": "!="}.get(word)
        advice = f"did you mean {intended!r}?" if intended else f"expected one of {', '.join(OPERATORS)}"
        raise Unreadable(f"{contrasts.quoted(word)} is not a comparison; {advice}", position)
    return word


def _taken_condition(words: list[Word], end: Word, scenario: str, names: Collection[str]) -> Condition:
    """Remove a condition from the words, and return it."""
    name, at = words.pop(0) if words else end
    if name not in names:
        near = spelling.did_you_mean(name, names)
        raise Unreadable(f"expected a parameter or an attribute of the sweep, got {contrasts.quoted(name)}{near}", at)
    sign = _taken_operator(words, end)
    word, at = words.pop(0) if words else end
    if not word:
        raise Unreadable("expected a value, got the end", at)
    form = schema.value_form(scenario, name)
    if field_names.is_attribute(name):
        value: Value = normal_forms.normal_attribute(word)
    else:
        usual = schema.usual(schema.described(scenario, name))
        value = _read_word(_normal_value, word, form, at, usual)
    if sign not in EQUALITY and matching.number(value, form) is None:
        raise Unreadable(
            f"{name} {sign} {word} is impossible: only numbers, rates and times have an order; write == or !=", at
        )
    return Condition(name, form, sign, value, at)


def _normal_value(word: str, form: str | None) -> Value:
    """The normal form of a parameter's value; commas join the values of a list, one per flow."""
    values = [normal_forms.normal(part, form) if form else _value_without_format(part) for part in word.split(",")]
    return cast(Value, normal_forms.normal(values if len(values) > 1 else values[0], form))


def _value_without_format(word: str) -> Value:
    """The value of a parameter without a format: a number, true or false, or a word."""
    try:
        return cast(Value, quantity_forms.number(float(word)))
    except ValueError:
        return {"true": True, "false": False}.get(word, word)


def _check_applies(expected: Expectation, combinations: Sequence[Combination]) -> None:
    """Raise `Unreadable` for an expectation that applies to nothing in the sweep."""
    for condition in expected.where:
        if not any(condition.holds(row) for row in combinations):
            values = list(
                dict.fromkeys(units.value_text(row[condition.name]) for row in combinations if condition.name in row)
            )
            near = spelling.did_you_mean(
                matching.nearest_value(condition.name, condition.form, condition.value, combinations), values
            )
            wanted = f"{condition.name} {condition.operator} {units.value_text(condition.value)}"
            near = near if len(values) > 1 else ""
            message = spelling.message_with_hint(
                f"no combination has {wanted}", f"the sweep has {', '.join(values)}", near
            )
            raise Unreadable(message, condition.at)
    if expected.part is not None and (fault := network_part.fault(expected.part, combinations)):
        raise Unreadable(fault, expected.variant_at)
    numbers = expected.select(combinations)
    if not numbers:
        at = expected.where[0].at if expected.where else expected.variant_at
        raise Unreadable("no combination meets all of these conditions; remove or change one", at)
    variants = list(
        dict.fromkeys(
            variant for number in numbers for variant in combination_parts.variants_of_flows(combinations[number])
        )
    )
    if expected.variant is not None and expected.variant not in variants:
        near = spelling.did_you_mean(expected.variant, variants)
        raise Unreadable(
            f"expected a variant of the combinations that meet the conditions, {', '.join(variants)}; "
            f"got {contrasts.quoted(expected.variant)}{near}",
            expected.variant_at,
        )


def _comparisons(file: SweepFile) -> dict[KeyPath, tuple[str, int]]:
    listed = file.of(ExpectationFields).expect or []
    what = f"expectations ({PER_EXPECTATION} each)"
    return {(KEY,): (what, PER_EXPECTATION * len(listed))} if isinstance(listed, list) else {}


QUESTION = Question(
    key=KEY,
    asked_of_combinations=asked_of_combinations,
    entry_problems=unreadable,
    comparisons=_comparisons,
    metrics=lambda sweep: {expected.metric for expected in expectations_of(sweep)},
)
