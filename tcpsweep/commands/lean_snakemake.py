# SPDX-License-Identifier: MIT
"""Snakemake's command line without libraries that it loads and does not use here, which take half of its start.

Snakemake keeps its records in files unless an option asks for a database. It imports SQLModel, with SQLAlchemy, in
either case, and makes of it what pydantic alone makes as well. Two libraries that it builds on import more if it is
there, and know what to do if not: yte NumPy, for values that a profile cannot have, and smart_open requests, for
addresses of the web.
"""

import importlib
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

_DATABASE = "snakemake.persistence.db"
_OPTION = "--persistence"
_UNUSED = {"yte": "numpy", "smart_open": "requests"}


def asks_for_database(options: Sequence[str]) -> bool:
    """Whether Snakemake's options may ask for records in a database."""
    return any(option.startswith(_OPTION) for option in options)


def cli(has_database: bool) -> Any:
    """The module of Snakemake's command line, which can keep records in a database or only in files."""
    if not has_database:
        _import_without_unused()
        there = set(sys.modules)
        stands_in = _instead()
        sys.modules |= stands_in
        try:
            return importlib.import_module("snakemake.cli")
        except (ImportError, AttributeError, TypeError):  # another Snakemake, which needs more of them
            for name in set(sys.modules) - there:
                if name.partition(".")[0] == "snakemake":
                    del sys.modules[name]
        finally:
            for name in stands_in:
                sys.modules.pop(name, None)
    return importlib.import_module("snakemake.cli")


def _import_without_unused() -> None:
    """Import libraries as where what they can do without is not installed."""
    for name, unused in _UNUSED.items():
        if unused not in sys.modules:
            sys.modules[unused] = None  # type: ignore[assignment]
            try:
                importlib.import_module(name)
            except ImportError:  # another Snakemake, which does not build on it, or another version, which needs more
                sys.modules.pop(name, None)
            finally:
                del sys.modules[unused]


def _instead() -> dict[str, ModuleType]:
    """What stands in for modules, by their names, unless one of them is there already."""
    if "sqlmodel" in sys.modules or "sqlalchemy" in sys.modules:
        return {}
    import pydantic

    def field(*values: Any, sa_column: object = None, **settings: Any) -> Any:
        return pydantic.Field(*values, **settings)

    def nothing(*_: object) -> None:
        """Stand for a column, or for its type."""

    contents: dict[str, dict[str, object]] = {
        "sqlmodel": {"SQLModel": pydantic.BaseModel, "Field": field},
        "sqlalchemy": {"Column": nothing, "JSON": nothing},
        _DATABASE: {"DbPersistence": None},
    }
    made = {name: ModuleType(name) for name in contents}
    for name, content in contents.items():
        vars(made[name]).update(content)
    return made
