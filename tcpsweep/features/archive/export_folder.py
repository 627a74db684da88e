# SPDX-License-Identifier: MIT
"""`tcpsweep export`: a sweep's tables as CSV with a data dictionary, for people without tcpsweep."""

from collections.abc import Sequence
from pathlib import Path

from tcpsweep.core.frames import opened_sweep
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.words.rounding import bytes_text
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.archive import exported_columns, exported_tables


def write(sweep_name: str, export_folder: Path | None, table_names: Sequence[str], licence: str) -> str:
    """Write the tables of a sweep into a folder; return a message with the folder.

    ``sweep_name`` is any form of a sweep that `finding.folder` takes. The default folder is the name with ``-data``.
    ``table_names`` are some of `exported_columns.TABLES`; none means all. ``licence`` is the address of the data's
    licence. Raises `finding.NoSweep` and `UserError`.
    """
    sweep = opened_sweep.read(sweep_name)
    folder = export_folder or Path(f"{sweep.record.name}-data")
    _check_place(folder, exported_tables.first_words(sweep.record))
    frame_by_name = dict(exported_tables.tables(sweep, list(table_names or exported_columns.TABLES)))
    if list(frame_by_name) == ["metrics"]:
        raise UserError(
            f"{sweep.record.name} has no rows yet in {', '.join(table_names) or 'its tables'}: run the sweep first"
        )
    csv_by_name = {name: exported_tables.csv(frame) for name, frame in frame_by_name.items()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in csv_by_name.items():
        write_whole(folder / f"{name}.csv", data.decode())
    write_whole(folder / exported_tables.README, exported_tables.readme(sweep.record, frame_by_name, licence))
    size = bytes_text(sum(map(len, csv_by_name.values())))
    return f"{folder}: {', '.join(f'{name}.csv' for name in csv_by_name)}, {size}; README.md explains each column"


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
