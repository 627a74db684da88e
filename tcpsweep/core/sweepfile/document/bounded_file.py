# SPDX-License-Identifier: MIT
"""Read a text file that a user names, without trust: it may be a device, a pipe, endless, or binary."""

import os
import stat
from pathlib import Path

from tcpsweep.core.words import control_characters
from tcpsweep.core.words.rounding import bytes_text


class Unfit(Exception):
    """A message on a file that cannot be used; it begins with the file's path."""


def read(path: Path, most_bytes: int, what: str) -> str:
    """The text of a regular file of at most ``most_bytes``; ``what`` names its kind, such as "a sweep file".

    Raises
    ------
    OSError
        The file cannot be opened or read.
    Unfit
    """
    # Without O_NONBLOCK, opening a pipe waits for a writer.
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(mode):
            raise Unfit(
                f"{path}: this is a device or a pipe; write the path of a file, because it is read more than once"
            )
        content = file.read(most_bytes + 1)  # without asking for the size: a file may grow, and files in /proc say 0
        size = max(len(content), os.fstat(file.fileno()).st_size)
    if size > most_bytes:
        raise Unfit(f"{path}: {bytes_text(size)}; expected {what} of at most {bytes_text(most_bytes)}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        line, column = before.count(b"\n") + 1, len(before.rpartition(b"\n")[2].decode("utf-8")) + 1
        is_utf16 = content[:2] in (b"\xff\xfe", b"\xfe\xff")
        near = "; it looks like UTF-16: save it as UTF-8" if is_utf16 else ""
        raise Unfit(f"{path}:{line}:{column}: not UTF-8 text: {error.reason}{near}") from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if (at := control_characters.first_place(text)) is not None:
        line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
        raise Unfit(f"{path}:{line}:{column}: {refused(text[at])}")
    return text


def refused(character: str) -> str:
    """The message on a control character."""
    return f"the character {control_characters.character_name(character)} is not allowed; remove it"
