# SPDX-License-Identifier: MIT
"""The files that a simulation reads: their paths, and the hashes of their contents, which are part of its id."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tcpsweep.core.sweep import host_programs
from tcpsweep.core.sweep.sweep_parts import InputFile


def named(arguments: Sequence[str], inputs: Mapping[str, InputFile]) -> dict[str, str]:
    """The files that a simulator's arguments name, each path to the hash of its content.

    They are a sweep's ``inputs``, whose hashes are the planned ones, and programs of the machine.
    """
    hash_by_path = {file.path: file.content for file in inputs.values()}
    values = (argument.partition("=")[2] for argument in arguments)
    hashes = {value: hash_by_path[value] for value in values if value in hash_by_path}
    for command in host_programs.commands_among(arguments):
        for word, content in host_programs.identity(command, inputs):
            hashes[inputs[word].path if word in inputs else host_programs.program_path(word) or word] = content
    return hashes


def problem(files: Mapping[str, str]) -> str:
    """A sentence about the first file whose content differs from its hash; empty if there is none.

    A process reads a file again only if its size or time has changed.
    """
    for path, content in files.items():
        try:
            if host_programs.content(Path(path)) != content:
                return f"{path} has changed since the sweep was planned; start the sweep again to use the new file"
        except OSError as error:
            return f"{path} cannot be read: {error.strerror}"
    return ""
