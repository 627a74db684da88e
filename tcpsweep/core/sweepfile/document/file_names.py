# SPDX-License-Identifier: MIT
"""Sweep files with a name similar to a missing one. `envs/setup.sh` uses it with the standard library only."""

import difflib
import itertools
from pathlib import Path

_ENDINGS = (".yaml", ".yml")


def nearest_sweep_file(path: Path | str) -> str:
    """``; did you mean x.yaml?`` for a missing file, or a few of the folder's sweep files, or nothing."""
    path = Path(path)
    folders = [path.parent, path.parent / "config", Path(), Path("config")]
    files = list(dict.fromkeys(file for place in folders for file in _sweep_files(place)))
    # Without the ending, so that only the name counts.
    file_by_stem = {file.stem.lower(): file for file in reversed(files)}
    near = difflib.get_close_matches(path.stem.lower(), file_by_stem, n=1)
    if near:
        return f"; did you mean {file_by_stem[near[0]]}?"
    return f"; sweep files there are {', '.join(map(str, files[:5]))}" if files else ""


def _sweep_files(folder: Path) -> list[Path]:
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix in _ENDINGS and not file.name.startswith("."))
    except OSError:
        return []
    return [file for file in files if _is_sweep_file(file)]


def _is_sweep_file(file: Path) -> bool:
    """Whether a line near the top of a file begins with the key `sweep`."""
    try:
        with file.open(encoding="utf-8") as text:
            return any(line.startswith("sweep:") for line in itertools.islice(text, 100))
    except (OSError, UnicodeDecodeError):
        return False
