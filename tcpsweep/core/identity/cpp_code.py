# SPDX-License-Identifier: MIT
"""The identity of C++ code: a hash that changes when the results could change, but not when a comment changes."""

import functools
import os
import re
from pathlib import Path

from tcpsweep.core.identity import hashing, source_folders
from tcpsweep.core.words.user_error import UserError

# Matches comments, literals that may contain a comment's delimiters (strings, raw strings, characters), and white space
# other than a single space or line end.
_COMMENT_OR_LITERAL = re.compile(
    r"""//(?:\\\n|[^\n])*|/\*.*?\*/"""
    r"""|R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'"""
    r"""|(?P<blank>\s{2,}|[^\S \n])""",
    re.DOTALL,
)
_MOST_BYTES = 10_000_000  # of a source
_CMAKE_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|#[^\n]*')
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


class UnknownInclude(UserError):
    """An include with quotes names no file. The user reads the message."""


class UnreadableCode(UserError):
    """A source file cannot be read, or is not in UTF-8. The user reads the message."""


@functools.cache  # programs share most of their sources
def strip_cpp(text: str) -> str:
    """C++ without comments. White space becomes one space, or one line end if it contains a line end."""

    def replace(match: re.Match[str]) -> str:
        if match["blank"]:
            return "\n" if "\n" in match["blank"] else " "
        return " " if match[0].startswith(("//", "/*")) else match[0]

    # A comment becomes a space next to other white space: the second pass joins them.
    return _COMMENT_OR_LITERAL.sub(replace, _COMMENT_OR_LITERAL.sub(replace, text)).strip()


def cpp_sources(program: str, root: Path = source_folders.SCENARIOS) -> dict[str, str]:
    """Our source files of a program: ``<program>.cc``, its headers at any depth, and the headers' ``.cc`` files.

    ``program`` is a path from the folder ``root`` on, or an absolute one.

    Raises `UnknownInclude` and `UnreadableCode`.
    """
    texts: dict[Path, str] = {}
    seen: set[Path] = set()
    waiting, library = [root / f"{program}.cc"], root.resolve() / "lib"
    while waiting:
        file = waiting.pop()
        # A compiler looks for a link's includes next to the link, not next to the file that it leads to.
        file = file.parent.resolve() / file.name
        if file in seen:
            continue
        seen.add(file)
        path = file.resolve()
        if not path.is_file():
            continue
        texts[path] = texts.get(path) or _text(path)
        headers = (_included_file(file, name, root, library) for name in _INCLUDE.findall(texts[path]))
        waiting += [header for header in headers if header]
        if file.suffix == ".h":
            waiting.append(file.with_suffix(".cc"))
    home = (root / program).resolve().parent
    return dict(sorted((_path_in_identity(path, root.resolve(), home), text) for path, text in texts.items()))


def _text(path: Path) -> str:
    """A source file's text. Raises `UnreadableCode`."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UnreadableCode(f"{path}: {path.stat().st_size:,} B; expected a source of at most {_MOST_BYTES:,} B")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UnreadableCode(f"{path}:{line}: a character is not in UTF-8; save the file as UTF-8") from None
    except OSError as error:
        raise UnreadableCode(f"{path} cannot be read: {error.strerror}") from None


def _path_in_identity(path: Path, root: Path, home: Path) -> str:
    """A source's path in an identity, from our own folder on; of a file elsewhere as if it were in ``variants/``.

    So a file keeps its identity wherever it lies.
    """
    return str(path.relative_to(root)) if path.is_relative_to(root) else f"variants/{os.path.relpath(path, home)}"


def _included_file(source: Path, name: str, root: Path, library: Path) -> Path | None:
    """The file that ``source`` includes as ``"name"``, found as the compiler finds it; None for ns-3's files."""
    folders = [source.parent, library]
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    if name.startswith("ns3/"):
        return None
    home = root.resolve().parent
    shown = (source, *folders)
    file, *places = (path.relative_to(home) if path.is_relative_to(home) else path for path in shown)
    raise UnknownInclude(
        f'{file} includes "{name}", which is not in {places[0]}/ or {places[1]}/; if it is not our file, write <{name}>'
    )


def own_modules(program: str, root: Path = source_folders.SCENARIOS) -> tuple[str, ...]:
    """The ns-3 modules that only this program links, in addition to all programs' modules: ``<program>.modules``."""
    path = root / f"{program}.modules"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return tuple(line for line in lines if line and not line.startswith("#"))


@functools.cache
def corrections_id() -> str:
    """The identity of the code of all corrections, without comments."""
    folder = source_folders.SCENARIOS / "lib" / "corrections"
    files = sorted(path for path in folder.iterdir() if path.suffix in (".h", ".cc"))
    texts = [item for path in files for item in (path.name, strip_cpp(path.read_text(encoding="utf-8")))]
    return hashing.short_hash(*texts)


@functools.cache
def cpp_id(program: str, root: Path = source_folders.SCENARIOS) -> str:
    """The identity of a C++ program: its sources without comments, its modules, and the build file with its flags."""
    build = (root / "CMakeLists.txt").read_text(encoding="utf-8")
    build = re.sub(r"\s*\n\s*", "\n", _CMAKE_COMMENT.sub(lambda match: match[1] or "", build)).strip()
    sources = cpp_sources(program, root)
    texts = [item for name, text in sources.items() for item in (name, strip_cpp(text))]
    return hashing.short_hash(build, *own_modules(program, root), *texts)
