# SPDX-License-Identifier: MIT
"""The documentation's page of the Python interface, made from its docstrings."""

import inspect
import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

import tcpsweep
from tcpsweep.applications.captures.opened_import import OpenedImport
from tcpsweep.frames.opened_sweep import OpenedSweep


def page() -> list[str]:
    """The page's parts: the functions of `tcpsweep`, and the classes that they return."""
    parts = [
        "# Reference: Python",
        "`import tcpsweep` works in every program and notebook that runs in `.venv`. Frames are "
        "[polars](https://docs.pola.rs) frames. [Recipes](recipes.md) shows how to use them, and "
        "[Import captures](import.md) does for imports.",
    ]
    for name in tcpsweep.__all__:
        parts += _function(f"tcpsweep.{name}", getattr(tcpsweep, name))
    for kind, made_by in ((OpenedSweep, "tcpsweep.open"), (OpenedImport, "tcpsweep.open_import")):
        parts += [f"## {kind.__name__}", f"`{made_by}` returns it.", *_text(kind.__doc__)]
        for name, member in vars(kind).items():
            if not name.startswith("_"):
                parts += _member(name, member)
    return parts


def _member(name: str, member: object) -> list[str]:
    if isinstance(member, property | cached_property):
        found = member.fget if isinstance(member, property) else member.func
        return [f"### `{name}`", *_text(found.__doc__ if found else "")]
    return _function(name, member, "###") if inspect.isfunction(member) else []


def _function(name: str, function: Callable[..., Any], level: str = "##") -> list[str]:
    return [f"{level} `{name}`", f"`{name}{_signature(function)}`", *_text(function.__doc__)]


def _signature(function: Callable[..., Any]) -> str:
    """A function's call: its parameters with their defaults, without types."""
    taken = [each for each in inspect.signature(function).parameters.values() if each.name != "self"]
    return str(inspect.Signature([each.replace(annotation=inspect.Parameter.empty) for each in taken]))


def _text(docstring: str | None) -> list[str]:
    """A docstring as Markdown, with its parameters and errors as lists."""
    text = inspect.cleandoc(docstring or "").replace("``", "`")
    plain, *sections = re.split(r"^(Parameters|Returns|Raises)\n-+\n", text, flags=re.MULTILINE)
    parts = [plain]
    for title, entries in zip(sections[::2], sections[1::2], strict=True):
        rows = re.findall(r"^(\S.*)\n((?: +.*\n?)+)", entries, re.MULTILINE)
        parts += [f"{title}:", "\n".join(f"- {_entry(head)}: {' '.join(about.split())}" for head, about in rows)]
    return parts


def _entry(head: str) -> str:
    """The head of a docstring's entry: a parameter with its type, or an error's name."""
    names, _, kind = head.partition(" : ")
    shown = ", ".join(f"`{name.rpartition('.')[2]}`" for name in names.split(", "))
    return f"{shown} ({kind})" if kind else shown
