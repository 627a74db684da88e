# SPDX-License-Identifier: MIT
"""What identifies code: hashes that change when it could compute something else, and not when a comment does."""

import ast
import contextlib
import functools
import hashlib
import json
import re
from pathlib import Path

from tcpsweep import store

ROOT = Path(__file__).parent.parent
SCENARIOS = ROOT / "ns3-scenarios"
PAGE = ROOT / "reports" / "page"
# The files that pages are made of, by the step that makes them.
PAGE_FILES = {
    "report": [
        PAGE / name
        for name in (
            "report.html.jinja",
            "study.html.jinja",
            "totals.html.jinja",
            "style.css",
            "tables.js",
            "explorer.js",
        )
    ],
    "pages": [
        PAGE / name for name in ("cell.html.jinja", "totals.html.jinja", "style.css", "tables.js", "timeline.js")
    ],
}
PACKAGE = Path(__file__).parent
_KEPT = ROOT / "build" / "modules.json"
DIGITS = 12

# Comments, and what may hold something that looks like one: string, raw string and character literals.
_CPP = re.compile(
    r"""//(?:\\\n|[^\n])*|/\*.*?\*/"""
    r"""|R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'"""
    r"""|(?P<blank>\s+)""",
    re.DOTALL,
)
_CMAKE_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|#[^\n]*')
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


class UnknownInclude(Exception):
    """An include with quotes that names no file; the user reads it."""


def short_hash(*parts):
    """The first 12 hex digits of a hash over texts; no two different sequences of parts read alike."""
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode()
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()[:DIGITS]


def strip_cpp(text):
    """C++ without comments, each run of blanks one blank or, where lines end in it, one line end."""

    def replace(match):
        if match["blank"]:
            return "\n" if "\n" in match["blank"] else " "
        return " " if match[0].startswith(("//", "/*")) else match[0]

    # A comment leaves a blank beside others: the second pass joins them.
    return _CPP.sub(replace, _CPP.sub(replace, text)).strip()


def cpp_sources(program, root=SCENARIOS):
    """The files of ours that ``<program>.cc`` is made of: what it includes with quotes, and their ``.cc`` files.

    Raises
    ------
    UnknownInclude
    """
    found, waiting = {}, [root / f"{program}.cc"]
    while waiting:
        path = waiting.pop().resolve()
        if path in found or not path.is_file():
            continue
        found[path] = path.read_text(encoding="utf-8")
        headers = (_header(path, name, root) for name in _INCLUDE.findall(found[path]))
        waiting += [header for header in headers if header]
        if path.suffix == ".h":
            waiting.append(path.with_suffix(".cc"))
    return {str(path.relative_to(root.resolve())): text for path, text in sorted(found.items())}


def _header(source, name, root):
    """The file that ``source`` includes as ``"name"``, looked for where the compiler does; None for one of ns-3's."""
    folders = [source.parent, root.resolve() / "lib"]
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    if name.startswith("ns3/"):
        return None
    file, *places = (path.relative_to(root.resolve().parent) for path in (source, *folders))
    raise UnknownInclude(
        f'{file} includes "{name}", which is not in {places[0]}/ or {places[1]}/; write <{name}> where it is not ours'
    )


def own_modules(program, root=SCENARIOS):
    """The modules of ns-3 that a program links beside those that all link, as ``<program>.modules`` lists them."""
    path = root / f"{program}.modules"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return tuple(line for line in lines if line and not line.startswith("#"))


@functools.cache
def cpp_id(program, root=SCENARIOS):
    """The identity of a C++ program: its comment-stripped sources, its modules, and the build file with its flags."""
    build = (root / "CMakeLists.txt").read_text(encoding="utf-8")
    build = re.sub(r"\s*\n\s*", "\n", _CMAKE_COMMENT.sub(lambda match: match[1] or "", build)).strip()
    sources = cpp_sources(program, root)
    texts = [item for name, text in sources.items() for item in (name, strip_cpp(text))]
    return short_hash(build, *own_modules(program, root), *texts)


def strip_python(text):
    """Python as its syntax tree, without comments, layout and docstrings."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if (
            isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
            and ast.get_docstring(node, clean=False) is not None
        ):
            node.body = body[1:]
    return _dump(tree)


def _dump(node):
    """A syntax tree as text, the same from every Python: fields that are empty, as newer ones add, are left out."""
    if isinstance(node, ast.AST):
        fields = ((name, value) for name, value in ast.iter_fields(node) if value not in (None, []))
        return f"{type(node).__name__}({', '.join(f'{name}={_dump(value)}' for name, value in fields)})"
    if isinstance(node, list):
        return f"[{', '.join(map(_dump, node))}]"
    return repr(node)


def python_sources(*modules):
    """The modules of the package that modules consist of: themselves and what they import of it, at any depth.

    Returns
    -------
    dict
        Their names, sorted, to the identity of each one's own code.
    """
    kept, found, waiting = _kept(), {}, list(modules)
    before = dict(kept)
    while waiting:
        name = waiting.pop()
        path = PACKAGE / f"{name}.py"
        if name in found or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        key = short_hash(_own_text(), text)
        if kept.get(name, [""])[0] != key:
            kept[name] = [key, short_hash(strip_python(text)), sorted(_imported(text))]
        _, found[name], imported = kept[name]
        waiting += imported
    if kept != before:
        with contextlib.suppress(OSError):  # the folder may be read-only
            _KEPT.parent.mkdir(exist_ok=True)
            with store.written_whole(_KEPT) as scratch:
                scratch.write_text(json.dumps(kept), encoding="utf-8")
    return dict(sorted(found.items()))


@functools.cache
def _own_text():
    return Path(__file__).read_text(encoding="utf-8")


@functools.cache
def _kept():
    """What was found of modules before, by a hash of their text: to take all of them apart anew takes a second."""
    try:
        kept = json.loads(_KEPT.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _imported(text):
    """The names that a module imports of the package."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module == "tcpsweep":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tcpsweep."):
            found.add(node.module.split(".")[1])
    return found


@functools.cache
def python_id(*modules, files=()):
    """The identity of a step: its modules, those of the package that they import, and other files it reads."""
    texts = [item for module in python_sources(*modules).items() for item in module]
    return short_hash(*texts, *(Path(file).read_text(encoding="utf-8") for file in files))
