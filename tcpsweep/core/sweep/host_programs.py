# SPDX-License-Identifier: MIT
"""Programs of the machine that are flows: their commands in combinations, and the files that the commands name."""

import functools
import hashlib
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_parts import InputFile

FOLDER = "--program_folder="  # the simulator's option for the folder in which programs run
SENDER, RECEIVER, NONE = "sender_program", "receiver_program", "none"
# Where programs are looked up, in `ns3-scenarios/lib/kernel/host-program.cc` too.
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@functools.cache  # called for each name in each combination
def is_program(name: str) -> bool:
    """Whether a parameter has a command of a program as its value."""
    return name.rpartition(".")[2] in (SENDER, RECEIVER)


def commands(row: Combination) -> Iterator[tuple[str, str]]:
    """The commands of a combination's programs, by their parameters' names."""
    return ((name, str(value)) for name, value in row.items() if is_program(name) and value != NONE)


def words(command: str) -> list[str]:
    """A command's words, as the shell splits them. Raises `ValueError` if a quote is missing."""
    return shlex.split(command)


def program_path(word: str) -> str | None:
    """The path of the program that a command names by this word; None if there is none."""
    return shutil.which(word, path=_PATH)


def files(command: str, folder: Path) -> dict[str, InputFile]:
    """The files that a command names relative to a folder, by the words for them."""
    named = (word for word in words(command) if not Path(word).is_absolute())
    paths = {word: folder / word for word in named if "/" in word or not program_path(word)}
    return {word: InputFile(str(path.absolute()), content(path)) for word, path in paths.items() if path.is_file()}


def identity(command: str, inputs: Mapping[str, InputFile]) -> list[tuple[str, str]]:
    """The words of a command that name files or programs of the machine, with hashes of these files' contents."""
    hashes = {word: inputs[word].content for word in words(command) if word in inputs}
    paths = ((word, program_path(word) or word) for word in words(command) if word not in hashes)
    hashes |= {word: content(Path(path)) for word, path in paths if Path(path).is_absolute() and Path(path).is_file()}
    return sorted(hashes.items())


def folder_argument(commands: Iterable[str], inputs: Mapping[str, InputFile]) -> list[str]:
    """The simulator's argument for the folder that the commands' files are relative to; none if they name no file."""
    file_words = (word for command in commands for word in words(command) if word in inputs)
    folders = (Path(inputs[word].path).parents[len(Path(word).parts) - 1] for word in file_words)
    return [f"{FOLDER}{folder}" for folder in list(folders)[:1]]


def commands_among(arguments: Iterable[str]) -> list[str]:
    """The commands among a simulator's arguments."""
    pairs = (argument.removeprefix("--").partition("=") for argument in arguments)
    return [value for name, _, value in pairs if is_program(name) and value != NONE]


def content(path: Path) -> str:
    """A hash of a file's content, which is read again if its size or time has changed."""
    stat = path.stat()
    return _content(path, stat.st_size, stat.st_mtime_ns)


@functools.lru_cache(maxsize=1000)
def _content(path: Path, size: int, changed_ns: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:32]
