# SPDX-License-Identifier: MIT
"""What a command is."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Command:
    """A command: its name, one line on what it does, its function, and its arguments, made by `argument`."""

    name: str
    does: str
    run: Callable[[argparse.Namespace], None]
    arguments: tuple[tuple[str, dict[str, Any]], ...] = ()


def argument(name: str, text: str, **options: Any) -> tuple[str, dict[str, Any]]:
    """An argument of a command: its name, or an option's, its help, and other options of argparse."""
    return name, {"help": text, **options}
