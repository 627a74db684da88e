# SPDX-License-Identifier: MIT
"""The two versions that a gate compares: of a variant's C++ file, of a QUIC stack, or of a Linux kernel."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tcpsweep.core.contact import features
from tcpsweep.core.identity import source_folders
from tcpsweep.core.sweepfile.document import variant_files
from tcpsweep.core.sweepfile.document.yaml_document import Problem
from tcpsweep.core.words.user_error import UserError

ARGUMENTS = ("BASE", "HEAD")


@dataclass(frozen=True)
class Version:
    """One version: its argument, the text that the user gave, and its C++ file or the folder of its QUIC stack."""

    argument: str  # of `ARGUMENTS`
    given: str
    file: Path | None = None
    stack: Path | None = None

    @property
    def name(self) -> str:
        """The variant's or the stack's name; "kernel" for a kernel."""
        if self.file:
            return self.file.stem
        return self.stack.name if self.stack else "kernel"

    @property
    def label(self) -> str:
        """The argument in names of sweeps."""
        return self.argument.lower()


def read(base: str, head: str) -> tuple[Version, Version]:
    """The two versions. Raises `UserError` if one does not exist, or if they are of different things."""
    one, other = (_version(*argument_and_text) for argument_and_text in zip(ARGUMENTS, (base, head), strict=True))
    if (one.file is None, one.stack is None) != (other.file is None, other.stack is None):
        raise UserError(f"BASE {base!r} and HEAD {head!r}: expected two C++ files, two QUIC stacks or two kernels")
    if one.stack and other.stack and one.name != other.name:
        raise UserError(
            f"BASE is the QUIC stack {one.name} and HEAD is {other.name}: expected two versions of one stack"
        )
    if one.name != other.name:
        raise UserError(
            f"BASE is {one.name} and HEAD is {other.name}: expected two versions of one class; put the files into two "
            f"folders, as in `tcpsweep gate ../base/{other.name}.cc {head}`"
        )
    return one, other


def _version(argument: str, given: str) -> Version:
    if given.endswith(variant_files.ENDING):
        files: dict[str, Path] = {}
        problems: list[Problem] = []
        variant_files.variant_name(given, (), Path(), files, problems)
        if problems:
            raise UserError(f"{argument} {given!r}: {problems[0].message}")
        return Version(argument, given, next(iter(files.values())).resolve())
    if Path(given).is_dir():
        return Version(argument, given, stack=_stack(argument, Path(given).resolve()))
    if hindrance := next(filter(None, (build.hindrance(given) for build in features.builds())), None):
        raise UserError(f"{argument} {given!r}: expected a C++ file, such as ./TcpMine.cc, or a kernel: {hindrance}")
    return Version(argument, given)


def _stack(argument: str, folder: Path) -> Path:
    """The folder of a QUIC stack. Raises `UserError` if it is another folder."""
    stacks = sorted(path.name for path in (source_folders.ROOT / "quic-stacks").iterdir())
    if folder.name not in stacks or not (folder / "src").is_dir():
        names = " or ".join(stacks)
        raise UserError(
            f"{argument} {str(folder)!r}: expected the folder of a QUIC stack, named {names}, with a folder src"
        )
    return folder
