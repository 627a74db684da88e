# SPDX-License-Identifier: MIT
"""Find the folder of a sweep that a user names."""

from pathlib import Path

from tcpsweep.core.store import layout
from tcpsweep.core.sweep import sweep_record
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.words import spelling
from tcpsweep.core.words.user_error import UserError


class NoSweep(UserError):
    """There is no such sweep. The user reads the message."""


def sweep_name(given: str | Path) -> str:
    """The name of a sweep, given by its name, its folder or its sweep file.

    Raises `yaml_document.Mistakes` if the sweep file is no valid YAML.
    """
    path = Path(given)
    if (path / sweep_record.FILE).is_file():
        return path.absolute().name
    if path.is_file():
        data = yaml_document.read(path).data
        return str(data.get("sweep")) if isinstance(data, dict) else path.stem
    return str(given)


def folder(given: str | Path, root: Path = Path()) -> Path:
    """The folder of a planned sweep, given by its name, its folder or its sweep file.

    ``root`` is the folder that holds ``results/``. Raises `NoSweep`, and `yaml_document.Mistakes` if the sweep file is
    no valid YAML.
    """
    path = Path(given)
    if (path / sweep_record.FILE).is_file():
        return path
    name = sweep_name(given)
    sweep_folder = root / layout.SWEEPS / name
    if name and (sweep_folder / sweep_record.FILE).is_file():
        return sweep_folder
    names = sorted(record.parent.name for record in (root / layout.SWEEPS).glob(f"*/{sweep_record.FILE}"))
    existing = f"{root / layout.SWEEPS} has {', '.join(names) or 'none'}"
    hint = spelling.did_you_mean(Path(name).name, names)
    if name and (root / layout.IMPORTED / name).is_dir():
        hint = "; it is an import: `tcpsweep.open_import` opens it"
    raise NoSweep(f"{given}: expected a sweep that has run: its name, its folder or its file; {existing}{hint}")
