# SPDX-License-Identifier: MIT
"""`tcpsweep export`: a sweep's tables as CSV with a data dictionary, for people without tcpsweep."""

import json
from collections.abc import Sequence
from pathlib import Path

from tcpsweep.applications.archive import data_package, exported_columns
from tcpsweep.frames import opened_sweep
from tcpsweep.store.whole_files import write_whole
from tcpsweep.words.sizes_and_times import bytes_text
from tcpsweep.words.user_error import UserError


def write(given: str, to: Path | None, chosen: Sequence[str], licence: str) -> str:
    """Write the tables of a sweep into a folder; return a message with the folder.

    ``given`` is a sweep in a form that `finding.folder` takes. The default folder is the sweep's name with ``-data``.
    The chosen tables are names of `exported_columns.TABLES`; none means all. ``licence`` is the address of the data's
    licence. Raises `finding.NoSweep` and `UserError`.
    """
    sweep = opened_sweep.read(given)
    place = to or Path(f"{sweep.record.name}-data")
    _check_place(place, sweep.record.name.lower())
    found = dict(data_package.tables(sweep, list(chosen or exported_columns.TABLES)))
    if list(found) == ["metrics"]:
        raise UserError(
            f"{sweep.record.name} has no rows yet in {', '.join(chosen) or 'its tables'}: run the sweep first"
        )
    files = {name: data_package.csv(frame) for name, frame in found.items()}
    place.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        write_whole(place / f"{name}.csv", data.decode())
    write_whole(place / data_package.README, data_package.readme(sweep.record, found, licence))
    write_whole(place / data_package.FILE, data_package.package_json(sweep.record, found, files, licence))
    size = bytes_text(sum(map(len, files.values())))
    return f"{place}: {', '.join(f'{name}.csv' for name in files)}, {size}; README.md explains each column"


def _check_place(place: Path, name: str) -> None:
    """Refuse a folder with other content than an earlier export of the same sweep."""
    if not place.exists() or (place.is_dir() and not any(place.iterdir())):
        return
    try:
        earlier = json.loads((place / data_package.FILE).read_text()).get("name")
    except (OSError, ValueError):
        earlier = None
    if earlier != name:
        raise UserError(f"{place} already exists; write another folder with --to, or move it away")
