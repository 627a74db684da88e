# SPDX-License-Identifier: MIT
"""``tcpsweep import``: tables and a page from other captures and from FlowMonitor's XML."""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.core.parse import packet_decoder
from tcpsweep.core.store import digests, layout, removal
from tcpsweep.core.sweepfile.checks import clashes
from tcpsweep.core.words.aligned import aligned, terminal_width
from tcpsweep.core.words.rounding import significant
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.captures import (
    connection_metrics,
    import_details,
    import_metrics,
    import_page,
    import_tables,
    imported_files,
)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
MOST_SHOWN = 8
_SHOWN = (
    *("goodput_bps", "throughput_bps", "receive_bitrate_bps", "retransmitted_share", "duplicate_acks"),
    *("path_rtt_s", "rtt_mean_s"),
)


def run(
    paths: Sequence[Path], name: str | None = None, partial: bool = False, path: bool = False
) -> tuple[Path, Path, str]:
    """Import files: write their tables and a page; return the folder, the page, and words for the terminal.

    The paths are captures, at most one FlowMonitor file and at most one ascii trace. The import's default name is the
    first file's. ``partial`` reads a damaged or truncated file up to the damage. ``path``
    says that two captures are of one path (`captured_path`). Raises `UserError`.
    """
    files = import_tables.sorted_out(paths)
    if path and len(files.captures) != 2:
        raise UserError(f"--path: expected two captures, got {len(files.captures)}")
    name = _checked_name(name, paths[0])
    folder, page = layout.IMPORTED / name, layout.REPORTS / f"{clashes.IMPORT_PAGE}{name}.html"
    _refuse_name_of_other_files(folder, files.all)
    decoder = packet_decoder.library() if files.captures else None
    earlier = folder.with_name(f".{name}.earlier")
    try:
        with digests.made_whole(folder) as scratch:
            record = import_tables.write(files, name, scratch, decoder, partial, path)
            removal.remove(earlier)
            if folder.exists():
                folder.rename(earlier)
        removal.remove(earlier)
        import_page.write(folder, page)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise UserError(f"{where}{error.strerror or error}") from None
    return folder, page, _summary(folder, record)


def _checked_name(name: str | None, first: Path) -> str:
    if name is None:
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", imported_files.stem(first)).strip(".-_") or "capture"
    if not _NAME.fullmatch(name):
        near = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-_")[:100] or "capture"
        raise UserError(f"--name: expected letters, digits, dots, dashes and underscores, such as {near}, got {name!r}")
    return name


def _refuse_name_of_other_files(folder: Path, paths: Sequence[Path]) -> None:
    """Raise `UserError` if the folder has an import of other files, which the new import would replace."""
    try:
        record = json.loads((folder / imported_files.RECORD).read_text(encoding="utf-8"))
        earlier_files = [file["file"] for file in record["files"]]
    except FileNotFoundError:
        return
    except (OSError, ValueError, KeyError, TypeError):
        return  # the earlier import is unfinished or damaged
    if set(earlier_files) != {str(path.absolute()) for path in paths}:
        raise UserError(
            f"{folder}: is the import of {', '.join(earlier_files)}; write another --name, or remove that folder"
        )


def _summary(folder: Path, record: dict[str, Any]) -> str:
    """A summary of the import, in lines."""
    count = imported_files.flow_count(record)
    kinds = {"packets": "frames", "events": "lines"}
    count_by_kind = {
        kind: sum(file["rows"] for file in record["files"] if counted in file) for kind, counted in kinds.items()
    }
    counted = "".join(f"{number} {kind}, " for kind, number in count_by_kind.items() if number)
    lines = [f"{record['name']}: {counted}{count} flow{'s' if count != 1 else ''}, {record['length_s']:.4g} s"]
    lines += import_page.remarks(record)
    if count:
        lines.append(_table(folder))
        if sentence := connection_metrics.limit_sentence(_metrics_of_largest_flow(folder)):
            lines.append(sentence.replace("this flow", "flow 0"))
    if count > MOST_SHOWN:
        lines.append(f"  and {count - MOST_SHOWN} more")
    return "\n".join(lines)


def _metrics_of_largest_flow(folder: Path) -> dict[str, float]:
    """The metrics of the largest flow."""
    rows = pl.scan_parquet(folder / "measures.parquet").filter(flow=0, direction="forward").select("metric", "value")
    return dict(rows.collect().iter_rows())


def _table(folder: Path) -> str:
    """The largest flows with their metrics, if there are any."""
    flows = pl.scan_parquet(folder / "flows.parquet").head(MOST_SHOWN).collect()
    measures = pl.scan_parquet(folder / "measures.parquet").filter(pl.col("flow") < MOST_SHOWN, direction="forward")
    rows = measures.select("flow", "metric", "value").collect(engine="streaming")
    values = {(flow, metric): value for flow, metric, value in rows.iter_rows()}
    names = [name for name in _SHOWN if any(metric == name for _, metric in values)]
    metrics = [import_metrics.METRICS[name] for name in names]
    table = [["flow", *(f"{metric.title} [{metric.shown_unit}]" for metric in metrics)]]
    for row in flows.iter_rows(named=True):
        numbers = (values.get((row["flow"], name)) for name in names)
        texts = [
            "–" if number is None else significant(number * column_metric.scale, 4)
            for number, column_metric in zip(numbers, metrics, strict=True)
        ]
        table.append([import_details.label(row), *texts])
    return aligned(table, terminal_width(sys.stdout))
