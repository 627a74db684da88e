# SPDX-License-Identifier: MIT
"""The identity of Python code: a hash that changes when it could compute something else.

An import that cannot be followed raises `Unplaced`: an identity without one of its modules would take stale results
for fresh ones.
"""

import ast
import contextlib
import functools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

import msgspec

from tcpsweep.identity import hashing, source_folders
from tcpsweep.store import compiled_programs, kept_texts

_Found: TypeAlias = tuple[str, str, list[str]]  # a hash of a module's text, its code's identity, what it imports
_MOST_FILES = 8


class Unplaced(Exception):
    """An import that names no module of the package, or that no reader of the code can follow."""


def strip_python(text: str) -> str:
    """Python as its syntax tree, without comments, layout, docstrings, functions' annotations, and the texts of errors.

    A step that raises leaves no result, so the wording of its message affects none. A class's annotations stay: they
    make the fields of records.
    """
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
        if (
            isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
            and ast.get_docstring(node, clean=False) is not None
        ):
            node.body = node.body[1:]
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            node.exc.args = [_without_text(argument) for argument in node.exc.args]
    return _dump(tree)


def _without_text(node: ast.expr) -> ast.expr:
    """An argument of an exception, or an empty text in its place."""
    is_text = isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
    return ast.Constant("") if is_text else node


def _dump(node: object) -> str:
    """A syntax tree as text, the same from every Python: fields that are empty, as newer ones add, are left out."""
    if isinstance(node, ast.AST):
        fields = ((name, value) for name, value in ast.iter_fields(node) if value not in (None, []))
        return f"{type(node).__name__}({', '.join(f'{name}={_dump(value)}' for name, value in fields)})"
    if isinstance(node, list):
        return f"[{', '.join(map(_dump, node))}]"
    return repr(node)


def python_sources(*modules: str, package: Path | None = None) -> dict[str, str]:
    """The modules that make up a step: these, all that they import from the package, and the folders that hold them.

    Parameters
    ----------
    modules : str
        Their names below the package, such as ``parse`` or ``measure.audit``.
    package : Path, optional
        The package's folder; this one unless given.

    Returns
    -------
    dict
        Their names, sorted, to the identity of each one's own code.

    Raises
    ------
    Unplaced
        A module, or what one imports, is not there.
    """
    package = package or source_folders.PACKAGE
    kept, found, waiting = _kept(_kept_file(package)), {}, list(modules)
    before, there = dict(kept), set(_modules(package))
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        path = _file_of(package, name)
        if path is None:
            raise Unplaced(f"there is no module {package.name}.{name}")
        # The package's own `__init__` has names for people alone: no module can import them (`_placed`).
        text = path.read_text(encoding="utf-8") if name else ""
        key = hashing.short_hash(text)
        if name not in kept or kept[name][0] != key or not there.issuperset(kept[name][2]):
            kept[name] = (key, hashing.short_hash(strip_python(text)), sorted(_imported(package, name, text)))
        _, found[name], imported = kept[name]
        waiting += imported
    if kept != before and package == source_folders.PACKAGE:
        _keep(kept, _kept_file(package))
    return dict(sorted(found.items()))


def _file_of(package: Path, name: str) -> Path | None:
    """The file of a module or of a folder of modules, None where there is none; the package itself is ``""``."""
    place = package.joinpath(*name.split(".")) if name else package
    files = [place / "__init__.py"] + ([place.with_suffix(".py")] if name else [])
    return next((file for file in files if file.is_file()), None)


@functools.cache
def _modules(package: Path) -> tuple[str, ...]:
    """The names of all modules below a package."""
    paths = (path.relative_to(package).with_suffix("") for path in package.rglob("*.py"))
    return tuple(sorted(".".join(path.parts).removesuffix("__init__").rstrip(".") for path in paths))


@functools.cache
def _own_text() -> str:
    return Path(__file__).read_text(encoding="utf-8")


@functools.cache
def _kept(file: Path) -> dict[str, _Found]:
    """Earlier findings about modules, by a hash of their text: to parse all modules anew takes a second."""
    text = kept_texts.read(file)
    return msgspec.json.decode(text, type=dict[str, _Found]) if text else {}


def _keep(kept: dict[str, _Found], file: Path) -> None:
    """Write findings down, and remove the oldest ones about other sets of modules."""
    kept_texts.write(file, json.dumps(kept))
    with contextlib.suppress(OSError):  # the folder may be read-only
        others = sorted(file.parent.glob("modules-*.kept"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for old in others[_MOST_FILES:]:
            old.unlink(missing_ok=True)


def _kept_file(package: Path) -> Path:
    """The file of these findings, one for all copies of the package that have the same modules.

    What a name is, a module or something in one, depends on the files that are there.
    """
    known = hashing.short_hash(_own_text(), package.name, *_modules(package))
    return compiled_programs.folder() / f"modules-{known}.kept"


def _imported(package: Path, module: str, text: str) -> set[str]:
    """The names of the modules that a module imports from the package, and of the folders that hold these and it."""
    found, there = set(), set(_modules(package))
    for node in ast.walk(ast.parse(text)):
        place = f"{package.name}.{module}, line {getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level:
            raise Unplaced(f"{place}: a relative import; write it from {package.name} on")
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Name | ast.Attribute) and _last_name(node) in ("import_module", "__import__"):
            raise Unplaced(f"{place}: an import by a name that is known only at run time")
        else:
            continue
        for name in names:
            top, _, rest = name.partition(".")
            if top == package.name:
                found.add(_placed(rest, there, isinstance(node, ast.ImportFrom), place, name))
    inside = {module, *found} - {""}
    return found | {".".join(name.split(".")[:depth]) for name in inside for depth in range(name.count(".") + 1)}


def _last_name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def _placed(name: str, there: set[str], may_be_inside: bool, place: str, whole: str) -> str:
    """The module that an import refers to: the name itself, or the module that holds it."""
    if not name:
        raise Unplaced(f"{place}: {whole} itself is for people; import one of its modules")
    if name in there:
        return name
    holder = name.rpartition(".")[0]
    if may_be_inside and holder and holder in there:
        return holder
    raise Unplaced(f"{place}: there is no module {whole}")


@functools.cache
def python_id(*modules: str, files: Iterable[Path] = (), package: Path | None = None) -> str:
    """The identity of a step: its modules, those of the package that they import, and other files that it reads."""
    texts = [item for module in python_sources(*modules, package=package).items() for item in module]
    texts += [file.name for file in map(Path, files)]
    return hashing.short_hash(*texts, *(Path(file).read_text(encoding="utf-8") for file in files))
