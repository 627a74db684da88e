# SPDX-License-Identifier: MIT
"""The code prints the messages in docs/troubleshooting.md."""

import ast
import re

import pytest

from tests.support.tools import ROOT

QUOTED = re.findall(r"^> `(.*)`$", (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8"), re.MULTILINE)
VALUE = "\0"  # where a message has a value


def texts(tree):
    """The texts in Python code; f-strings have `VALUE` for each value."""
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else VALUE for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
            yield node.value


@pytest.fixture
def printed():
    """All texts of the code, the set-up's with `VALUE` for each of the shell's variables."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "tcpsweep").rglob("*.py")]
    code = "\n".join(dict.fromkeys(text for tree in trees for text in texts(tree) if " " in text or text.isalpha()))
    set_up = "".join(each.read_text() for each in sorted((ROOT / "envs").glob("*.sh")))
    shell = re.sub(r"\$\{[^}]*\}|\$\(.*?\)\)?|\$\w+", VALUE, set_up)
    return code + "\n" + shell


def test_messages_to_look_up_are_printed_somewhere(printed):
    assert len(set(QUOTED)) == len(QUOTED) >= 30
    for message in QUOTED:
        parts = [re.escape(part) for part in message.strip("…").split("…")]
        assert max(map(len, parts)) >= len("undecided")
        assert re.search(".{0,200}?".join(parts), printed), message
