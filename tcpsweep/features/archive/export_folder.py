# SPDX-License-Identifier: MIT
"""`tcpsweep export`: a sweep's tables as CSV with a data dictionary, for people without tcpsweep."""

from collections.abc import Sequence
from pathlib import Path

from tcpsweep.core.frames import opened_sweep
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.words.sizes_and_times import bytes_text
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.archive import exported_columns, exported_tables


def write(given: str, to: Path | None, chosen: Sequence[str], licence: str) -> str:
    """Write the tables of a sweep into a folder; return a message with the folder.

    ``given`` is a sweep in a form that `finding.folder` takes. The default folder is the sweep's name with ``-data``.
    The chosen tables are names of `exported_columns.TABLES`; none means all. ``licence`` is the address of the data's
    licence. Raises `finding.NoSweep` and `UserError`.
    """
    sweep = opened_sweep.read(given)
    place = to or Path(f"{sweep.record.name}-data")
    _check_place(place, exported_tables.first_words(sweep.record))
    frames = dict(exported_tables.tables(sweep, list(chosen or exported_columns.TABLES)))
    if list(frames) == ["metrics"]:
        raise UserError(
            f"{sweep.record.name} has no rows yet in {', '.join(chosen) or 'its tables'}: run the sweep first"
        )
    files = {name: exported_tables.csv(frame) for name, frame in frames.items()}
    place.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        write_whole(place / f"{name}.csv", data.decode())
    write_whole(place / exported_tables.README, exported_tables.readme(sweep.record, frames, licence))
    size = bytes_text(sum(map(len, files.values())))
    return f"{place}: {', '.join(f'{name}.csv' for name in files)}, {size}; README.md explains each column"


def _check_place(place: Path, first_words: str) -> None:
    """Refuse a folder with other content than an earlier export of the same sweep, whose README has ``first_words``."""
    if not place.exists() or (place.is_dir() and not any(place.iterdir())):
        return
    try:
        is_earlier_export = first_words in (place / exported_tables.README).read_text(encoding="utf-8")
    except (OSError, ValueError):
        is_earlier_export = False
    if not is_earlier_export:
        raise UserError(f"{place} already exists; write another folder with --to, or move it away")
