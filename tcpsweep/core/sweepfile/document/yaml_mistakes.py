# SPDX-License-Identifier: MIT
"""Turn PyYAML's errors into messages for the file's author: the place of the mistake, and the correction."""

import re

import yaml

_UNCLOSED = re.compile(r"expected ',' or '(.)', but got '?(.*?)'?$")

_NAME_BEFORE_BRACE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*$")  # the name before a brace that begins no mapping


def place_and_words(error: yaml.MarkedYAMLError, text: str) -> tuple[int, int, str]:
    """The line and the column of a mistake, from 1, and a message; ``error`` comes from PyYAML's own parser."""
    mark, problem = error.problem_mark or error.context_mark, str(error.problem)
    if mark is None:
        return 1, 1, f"not valid YAML: {problem}"
    opening_mark = error.context_mark
    if opening_mark and (unclosed := _UNCLOSED.match(problem)):
        line = text[mark.index - mark.column :].partition("\n")[0]
        name_match = _NAME_BEFORE_BRACE.search(line[: mark.column]) if unclosed[2] == "{" else None
        if name_match:
            braced_name = name_match[0] + line[mark.column :].partition("}")[0] + "}"
            return mark.line + 1, name_match.start() + 1, f'put a name with braces in quotes: "{braced_name}"'
        bracket = text[opening_mark.index : opening_mark.index + 1]
        if bracket in ("[", "{"):
            wrong_bracket = f", but by '{unclosed[2]}' on line {mark.line + 1}" if unclosed[2] in ("]", "}") else ""
            message = f"this '{bracket}' is not closed by a '{unclosed[1]}'{wrong_bracket}"
            return opening_mark.line + 1, opening_mark.column + 1, message
    if problem.endswith("but found '<stream end>'") and (open_bracket := _open_bracket(text)):
        return open_bracket.line + 1, open_bracket.column + 1, f"this '{text[open_bracket.index]}' is not closed"
    if opening_mark and problem.startswith("found unexpected end of stream"):
        return opening_mark.line + 1, opening_mark.column + 1, "this quote is not closed"
    line_before = text[mark.index - mark.column : mark.index]
    return mark.line + 1, mark.column + 1, _message(problem, str(error.context), line_before)


def _open_bracket(text: str) -> yaml.Mark | None:
    """The last bracket that a text leaves open."""
    marks = []
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        if isinstance(token, yaml.FlowSequenceStartToken | yaml.FlowMappingStartToken):
            marks.append(token.start_mark)
        elif isinstance(token, yaml.FlowSequenceEndToken | yaml.FlowMappingEndToken):
            marks.pop()
    return marks[-1] if marks else None


def _message(problem: str, context: str, before: str) -> str:
    """The message; ``before`` is the line up to the mistake."""
    if problem.startswith("found character '\\t'"):
        return "indent with spaces, not with tabs" if not before.strip() else "write a space instead of this tab"
    if begins := re.fullmatch(r"found character '(.)' that cannot start any token", problem):
        return f"put text that begins with {begins[1]} in quotes"
    if problem.startswith("mapping values are not allowed"):
        return "a key cannot be here: correct the indentation of this line or the line above, or remove a second ':'"
    if problem.startswith("expected <block end>"):
        if key := re.match(r"\s*(\w+):[\[{]", before):
            return f"write a space after `{key[1]}:`"
        if "collection" in context:
            return "expected the list's next item, which begins with '- '; or correct the indentation"
        return "the indentation of this line differs from the lines around it"
    return f"not valid YAML: {problem}"
