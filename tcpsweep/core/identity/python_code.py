# SPDX-License-Identifier: MIT
"""The identity of Python code: a hash that changes when the code's results could change.

An import that cannot be resolved raises `Unplaced`. If an identity missed a module, stale results would count as
current.
"""

import ast
import contextlib
import functools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

import msgspec

from tcpsweep.core.identity import hashing, source_folders
from tcpsweep.core.store import compiled_programs, kept_texts

_KnownModule: TypeAlias = tuple[str, str, list[str]]  # a hash of a module's text, its code's identity, what it imports
_MOST_FILES = 8


class Unplaced(Exception):
    """An import that names no module of the package, or that is known only at run time."""


def strip_python(text: str) -> str:
    """Python code as its syntax tree, without comments, layout, docstrings, function annotations, and error texts.

    A step that raises an error has no result, so the error's wording does not matter. Class annotations stay because
    they define the fields of records.
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
    """An argument of an exception, with an empty text instead of a text."""
    is_text = isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
    return ast.Constant("") if is_text else node


def _dump(node: object) -> str:
    """A syntax tree as text. It omits empty fields, which newer versions of Python add, so that versions agree."""
    if isinstance(node, ast.AST):
        fields = ((name, value) for name, value in ast.iter_fields(node) if value not in (None, []))
        return f"{type(node).__name__}({', '.join(f'{name}={_dump(value)}' for name, value in fields)})"
    if isinstance(node, list):
        return f"[{', '.join(map(_dump, node))}]"
    return repr(node)


def python_sources(*modules: str, package: Path | None = None) -> dict[str, str]:
    """The modules of a step: the named ones, their imports from the package, and the packages that contain them.

    Parameters
    ----------
    modules : str
        Names below the package, such as ``core.parse`` or ``core.measure.audit``.
    package : Path, optional
        The package's folder. Default: this package.

    Returns
    -------
    dict
        The sorted names of the modules, each with the identity of its own code.

    Raises
    ------
    Unplaced
        A module, or an import of one, does not exist.
    """
    package = package or source_folders.PACKAGE
    known, identities, waiting = _read_cache(_cache_file(package)), {}, list(modules)
    known_before, existing = dict(known), set(_modules(package))
    while waiting:
        name = waiting.pop()
        if name in identities:
            continue
        path = _file_of_module(package, name)
        if path is None:
            raise Unplaced(f"there is no module {package.name}.{name}")
        # The package's own `__init__` has names only for users: no module may import them (`_module_of_import`).
        text = path.read_text(encoding="utf-8") if name else ""
        text_hash = hashing.short_hash(text)
        if name not in known or known[name][0] != text_hash or not existing.issuperset(known[name][2]):
            known[name] = (text_hash, hashing.short_hash(strip_python(text)), sorted(_imported(package, name, text)))
        _, identities[name], imported = known[name]
        waiting += imported
    if known != known_before and package == source_folders.PACKAGE:
        _write_cache(known, _cache_file(package))
    return dict(sorted(identities.items()))


def _file_of_module(package: Path, name: str) -> Path | None:
    """The file of a module or subpackage, None if there is none. The name of the package itself is ``""``."""
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
def _read_cache(file: Path) -> dict[str, _KnownModule]:
    """Cached results about modules, with a hash of their text, because parsing all modules takes a second."""
    text = kept_texts.read(file)
    return msgspec.json.decode(text, type=dict[str, _KnownModule]) if text else {}


def _write_cache(known: dict[str, _KnownModule], file: Path) -> None:
    """Write the cache, and remove the oldest caches of other sets of modules."""
    kept_texts.write(file, json.dumps(known))
    with contextlib.suppress(OSError):  # the folder may be read-only
        caches = sorted(file.parent.glob("modules-*.kept"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for old in caches[_MOST_FILES:]:
            old.unlink(missing_ok=True)


def _cache_file(package: Path) -> Path:
    """The cache file, which all copies of the package with the same set of modules share.

    The set matters because it decides whether an imported name is a module or a name in a module.
    """
    modules_id = hashing.short_hash(_own_text(), package.name, *_modules(package))
    return compiled_programs.folder() / f"modules-{modules_id}.kept"


def _imported(package: Path, module: str, text: str) -> set[str]:
    """The modules that a module imports from the package, and the packages that contain it or its imports."""
    imported, existing = set(), set(_modules(package))
    for node in ast.walk(ast.parse(text)):
        place = f"{package.name}.{module}, line {getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level:
            raise Unplaced(f"{place}: a relative import; write it as an absolute import from {package.name}")
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Name | ast.Attribute) and _last_name(node) in ("import_module", "__import__"):
            raise Unplaced(f"{place}: an import by a name that is known only at run time")
        else:
            continue
        for name in names:
            top, _, rest = name.partition(".")
            if top == package.name:
                imported.add(_module_of_import(rest, existing, isinstance(node, ast.ImportFrom), place, name))
    inside = {module, *imported} - {""}
    return imported | {".".join(name.split(".")[:depth]) for name in inside for depth in range(name.count(".") + 1)}


def _last_name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def _module_of_import(name: str, existing: set[str], may_be_inside: bool, importing: str, full_name: str) -> str:
    """The module that an import refers to: the name itself, or the module that holds it."""
    if not name:
        raise Unplaced(f"{importing}: {full_name} itself is only for users; import one of its modules")
    if name in existing:
        return name
    holder = name.rpartition(".")[0]
    if may_be_inside and holder and holder in existing:
        return holder
    raise Unplaced(f"{importing}: there is no module {full_name}")


@functools.cache
def python_id(*modules: str, files: Iterable[Path] = (), package: Path | None = None) -> str:
    """The identity of a step: its modules, their imports from the package, and other files that it reads."""
    texts = [item for module in python_sources(*modules, package=package).items() for item in module]
    texts += [file.name for file in map(Path, files)]
    return hashing.short_hash(*texts, *(Path(file).read_text(encoding="utf-8") for file in files))
