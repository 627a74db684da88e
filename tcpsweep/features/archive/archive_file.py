# SPDX-License-Identifier: MIT
"""`tcpsweep archive`: pack a finished sweep into one file, to keep, publish and run again elsewhere."""

import datetime
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

from tcpsweep.core.frames import finding
from tcpsweep.core.identity import release
from tcpsweep.core.sweep import sweep_digests, sweep_record
from tcpsweep.core.words.rounding import bytes_text
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.archive import contents, installed, readme_text, ro_crate, verify_sweep

LICENCE = "https://creativecommons.org/licenses/by/4.0/"
_COMPRESSED_ENDINGS = (".parquet", ".png", ".pdf")  # already compressed
_FIRST_DATE = (1980, 1, 1, 0, 0, 0)  # so that equal contents make equal files


def write(sweep_name: str, archive_file: Path | None, licence: str, authors: Sequence[str]) -> str:
    """Write the archive of a sweep; return its path and a summary of its content.

    ``sweep_name`` is any form of a sweep that `finding.folder` takes. The default file is the name with ``.zip``.
    ``licence`` is the address of the data's licence; authors are names or ORCID addresses. Raises `finding.NoSweep` and
    `UserError`.
    """
    folder = Path(os.path.abspath(finding.folder(sweep_name)))  # noqa: PTH100 (a link that leads elsewhere keeps its name)
    sweep = sweep_record.read(folder)
    file = archive_file or Path(f"{sweep.name}.zip")
    if file.suffix != ".zip":
        raise UserError(f"{file}: expected a name that ends in .zip, such as {file.name}.zip")
    if os.path.lexists(file):
        raise UserError(f"{file} already exists; write another name, or move it away")
    if (verified := verify_sweep.sweep(str(folder))).wrong:
        raise UserError("\n".join([*verified.wrong, verified.words]))
    is_sweep_file = Path(sweep_name).is_file()
    archived = contents.archive_contents(sweep, folder, Path(sweep_name) if is_sweep_file else None)
    shown_digests = sweep_digests.shown_digests(folder)
    assert shown_digests  # they were read above
    version = release.version()
    readme = readme_text.archive_readme(sweep, archived, shown_digests, version, licence)
    texts = {contents.README: readme, installed.FILE: installed.text()}
    sizes = {name: len(text.encode()) for name, text in texts.items()}
    sizes |= {name: path.stat().st_size for name, path in archived.files.items()}
    facts = ro_crate.About(licence, list(authors), datetime.date.today().isoformat())
    texts = {contents.METADATA: ro_crate.metadata_json(sweep, archived, sizes, facts, version), **texts}
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        unfinished.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(unfinished, "w") as packed:
            for name, text in texts.items():
                packed.writestr(_zip_entry(name), text)
            for name, path in archived.files.items():
                packed.writestr(_zip_entry(name), path.read_bytes())
        unfinished.rename(file)
    finally:
        unfinished.unlink(missing_ok=True)
    summary = (
        f"{len(sweep.cells):,} simulations, {len(archived.files) + len(texts):,} files, "
        f"{bytes_text(file.stat().st_size)}"
    )
    return f"{file}: {summary}; licence of the data {licence} (--licence names another)"


def _zip_entry(name: str) -> zipfile.ZipInfo:
    """The entry of a file, whose date and rights are always the same."""
    entry = zipfile.ZipInfo(name, _FIRST_DATE)
    is_compressed = name.endswith(_COMPRESSED_ENDINGS)
    entry.compress_type = zipfile.ZIP_STORED if is_compressed else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry
