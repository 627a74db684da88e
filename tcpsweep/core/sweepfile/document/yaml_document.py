# SPDX-License-Identifier: MIT
"""Read a sweep file as plain data with YAML 1.2's core schema, and keep the place of every value.

PyYAML follows YAML 1.1, where ``1e-3`` is text and ``on`` is true. Its parser makes the node tree, and this module
resolves the scalars. Tags, anchors and aliases are refused: a sweep file is data that states each value once.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from tcpsweep.core.sweepfile.document import bounded_file, file_names, yaml_mistakes
from tcpsweep.core.words import control_characters, spelling
from tcpsweep.core.words.user_error import UserError

KeyPath: TypeAlias = tuple[str | int, ...]
"""The keys and indices that lead to a value of a document."""
Marks: TypeAlias = dict[KeyPath, tuple[int, int]]
"""Lines and columns."""

_INT = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_VALUE_OF_WORD: dict[str, bool | None] = {
    word: value for value in (True, False) for word in (str(value).lower(), str(value), str(value).upper())
}
_VALUE_OF_WORD |= dict.fromkeys(("", "~", "null", "Null", "NULL"))
TEMPLATE_KEY = "__use_yte__"  # with this key, Snakemake treats a file as a template that contains Python
MOST_BYTES = 1_000_000
_SWEEP_LINE = re.compile(r"^sweep:", re.MULTILINE)
MOST_CHARACTERS = 2000  # of a key or a value
MOST_DEPTH = 20
_MOST_DIGITS = 40  # of a whole number: more than ns-3's largest
MOST_MESSAGES = 50  # of one file
_MOST_EXPLAINED = 50_000  # characters that PyYAML's slow parser (80 kB/s) reads for a better message


@dataclass(frozen=True)
class Problem:
    """A mistake in a sweep file."""

    path: KeyPath  # the path in the document
    message: str  # the problem in words
    at_key: bool = False  # whether the problem is with the key, not its value
    # Allowed values, which may be many: only the first problem in a file with these choices lists them
    choices: str = ""
    nearest: str = ""  # a suggestion, placed before the choices


class Mistakes(UserError):
    """All problems with a sweep file, as a text for the user."""


@dataclass(frozen=True)
class Document:
    """A sweep file."""

    name: str  # its name in messages: the path
    data: Any
    # The line and column of each value and of each key, by its path
    values: Marks
    keys: Marks
    text: str = ""  # the file's text
    files: dict[str, Path] = field(default_factory=dict)  # the C++ files of variants, by what it calls them

    def place(self, problem: Problem) -> tuple[int, int]:
        """The line and column of a problem, or of the nearest enclosing value with a known place."""
        marks = self.keys if problem.at_key else self.values
        path = problem.path
        while path and path not in marks:
            path = path[:-1]
        return marks.get(path, (1, 1))

    def mistakes(self, problems: Iterable[Problem]) -> Mistakes:
        """The problems as one exception, in the order of the file, limited to a readable number."""
        distinct = {(problem.path, problem.message): problem for problem in problems}.values()
        lines, listed_choices = [], {""}
        for problem in sorted(distinct, key=self.place)[:MOST_MESSAGES]:
            line, column = self.place(problem)
            choices = "" if problem.choices in listed_choices else problem.choices
            listed_choices.add(problem.choices)
            message = spelling.message_with_hint(problem.message, choices, problem.nearest)
            lines.append(f"{self.name}:{line}:{column}: {path_text(problem.path)}{message}")
        if len(distinct) > MOST_MESSAGES:
            lines.append(f"{self.name}: and {len(distinct) - MOST_MESSAGES:,} more mistakes")
        return Mistakes("\n".join(lines))


def path_text(path: KeyPath) -> str:
    """A path as text: ``grid.delay[1]: ``; empty for the whole document."""
    parts: list[str] = []
    for part in path:
        if isinstance(part, int):
            parts.append(f"[{part}]")
        else:
            parts.append(f".{part}" if parts else str(part))
    return "".join(parts) + ": " if parts else ""


def read(path: Path | str) -> Document:
    """Read a sweep file.

    Raises
    ------
    Mistakes
        The file cannot be read, is not YAML, or uses tags, anchors, aliases or too deep nesting.
    """
    path = Path(path)
    try:
        text = bounded_file.read(path, MOST_BYTES, "a sweep file")
    except OSError as error:
        near = file_names.nearest_sweep_file(path) if isinstance(error, FileNotFoundError) else ""
        raise Mistakes(f"{path}: cannot be read: {error.strerror}{near}") from None
    except bounded_file.Unfit as error:
        raise Mistakes(str(error)) from None
    return parse(text, str(path))


def parse(text: str, name: str) -> Document:
    """`read` for a string; messages call it ``name``."""
    values: Marks = {}
    keys: Marks = {}
    problems: list[Problem] = []
    try:
        nodes = _document_nodes(text, name)
        if len(nodes) != 1 or nodes[0] is None:
            roots = [node for node in nodes if node is not None]
            if not roots:
                raise Mistakes(f"{name}:1:1: the file is empty; `tcpsweep new FILE` writes a sweep file to start from")
            place = f"{roots[1].start_mark.line + 1}:{roots[1].start_mark.column + 1}" if len(roots) > 1 else "1:1"
            raise Mistakes(f"{name}:{place}: expected one YAML document, found {len(roots)}")
        data = _plain_data(nodes[0], (), values, keys, problems)
    except yaml.MarkedYAMLError as error:
        line, column, words = yaml_mistakes.place_and_words(error, text)
        doubt = "" if _SWEEP_LINE.search(text) else "; no line begins with `sweep:`: is this a sweep file?"
        raise Mistakes(f"{name}:{line}:{column}: {words}{doubt}") from None
    except yaml.reader.ReaderError as error:
        line, column = _line_and_column(text, error.position)
        raise Mistakes(f"{name}:{line}:{column}: {bounded_file.refused(chr(error.character))}") from None
    document = Document(name, data, values, keys, text)
    if isinstance(data, dict) and TEMPLATE_KEY in data:
        message = "remove this key: a sweep file is data, but Snakemake alone would execute Python in a file with it"
        raise document.mistakes([*problems, Problem((TEMPLATE_KEY,), message, at_key=True)])
    if problems:
        raise document.mistakes(problems)
    return document


def _document_nodes(text: str, name: str) -> list[Any]:
    """The document nodes of a text. libyaml is ten times as fast; PyYAML's parser gives better messages on errors."""
    try:
        _refuse_more_than_data(text, name, yaml.CSafeLoader)
        return list(yaml.compose_all(text, Loader=yaml.CSafeLoader))
    except yaml.YAMLError:
        if len(text) > _MOST_EXPLAINED:
            raise
    _refuse_more_than_data(text, name, yaml.SafeLoader)
    return list(yaml.compose_all(text, Loader=yaml.SafeLoader))


def _line_and_column(text: str, position: int) -> tuple[int, int]:
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def _refuse_more_than_data(text: str, name: str, loader: Any) -> None:
    """Refuse tags (they turn text into objects), aliases (they turn a small file into gigabytes) and great depth.

    PyYAML's time grows with the square of the depth.
    """
    refused: list[str] = []
    depth = 0
    for event in yaml.parse(text, Loader=loader):
        mark = event.start_mark
        place = f"{name}:{mark.line + 1}:{mark.column + 1}" if mark else name
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MOST_DEPTH:
            raise Mistakes(f"{place}: nested too deeply; a sweep file needs only a few levels")
        if getattr(event, "anchor", None):
            refused.append(f"{place}: anchors (&) and aliases (*) are not allowed; write the value where it belongs")
        if tag := getattr(event, "tag", None):
            refused.append(f"{place}: the tag {tag[:60]!r} is not allowed; write plain values")
        if len(refused) >= MOST_MESSAGES:
            break
    if refused:
        raise Mistakes("\n".join(refused))


def _plain_data(node: yaml.Node, path: KeyPath, values: Marks, keys: Marks, problems: list[Problem]) -> Any:
    """The data of a node; adds the places of its ``values`` and ``keys``, and its ``problems``."""
    values[path] = (node.start_mark.line + 1, node.start_mark.column + 1)
    if isinstance(node, yaml.ScalarNode):
        return _scalar_value(node, path, problems)
    if isinstance(node, yaml.SequenceNode):
        return [_plain_data(item, (*path, i), values, keys, problems) for i, item in enumerate(node.value)]
    mapping: dict[str, Any] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            problems.append(Problem(path, "keys must be plain text"))
            continue
        key = key_node.value
        reason = _unreadable_reason(key)
        key_path = (*path, control_characters.escaped(key[:40]) if reason else key)
        mark = (key_node.start_mark.line + 1, key_node.start_mark.column + 1)
        if reason:
            keys.setdefault(key_path, mark)
            problems.append(Problem(key_path, reason, at_key=True))
            continue
        if key in mapping:
            message = f"the key {key!r} is set twice, on lines {keys[key_path][0]} and {mark[0]}; remove one"
            problems.append(Problem(key_path, message, at_key=True))
            continue
        keys[key_path] = mark
        mapping[key] = _plain_data(value_node, key_path, values, keys, problems)
    return mapping


def _unreadable_reason(text: str) -> str | None:
    """The problem with a key or a value that messages must not quote; None if there is none."""
    if len(text) > MOST_CHARACTERS:
        return f"expected at most {MOST_CHARACTERS:,} characters, got {len(text):,}"
    if (at := control_characters.first_place(text)) is None:
        return None
    if "\ud800" <= text[at] <= "\udfff":
        return "half of a surrogate pair is not a character; remove it"
    return bounded_file.refused(text[at])


def _scalar_value(node: yaml.ScalarNode, path: KeyPath, problems: list[Problem]) -> str | int | float | bool | None:
    text: str = node.value
    if reason := _unreadable_reason(text):
        problems.append(Problem(path, reason))
        return ""
    if node.style:  # None (PyYAML) or empty (libyaml) for plain text
        return text
    if text in _VALUE_OF_WORD:
        return _VALUE_OF_WORD[text]
    if _INT.fullmatch(text):
        if len(text) <= _MOST_DIGITS:
            return int(text)
        problems.append(Problem(path, f"the number {text[:20]}… of {len(text):,} digits is too large"))
        return 0
    if _FLOAT.fullmatch(text):
        number = float(text)
        if number in (float("inf"), float("-inf")):
            problems.append(Problem(path, f"the number {text[:40]}{'…' * (len(text) > 40)} is too large"))
        return number
    return text
