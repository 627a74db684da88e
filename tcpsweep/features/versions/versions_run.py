# SPDX-License-Identifier: MIT
"""Run a sweep in several versions of ns-3, and show which conclusions change."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from tcpsweep.core.campaigns import comparison_page, sweep_process
from tcpsweep.core.command_line.commands import start_snakemake
from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.store import layout, locks
from tcpsweep.core.sweepfile.document.yaml_document import Document
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.versions import change_words, changes, conclusions, named_versions, sweep_files, versions_page


def run(file: Path, given: Sequence[str] = (), options: Sequence[str] = ()) -> Path | None:
    """Run a sweep in each version, print which conclusions change, and return the page.

    With options such as -n, which make no results, nothing is compared, and there is no page. The versions are
    ``given``, or else the sweep file's list ``ns3``. The options are Snakemake's. Raises `UserError`, and `SystemExit`
    if a sweep fails.
    """
    document, versions = sweep_and_versions(file, given)
    with locks.derived(sweep_files.folder(document.data["sweep"]), "`tcpsweep versions`"):
        return _run(document, versions, options)


def _run(document: Document, versions: Sequence[named_versions.Version], options: Sequence[str]) -> Path | None:
    """As `run`, with the sweep file and its versions."""
    sweeps: dict[str, str] = {}
    for number, version in enumerate(versions, 1):
        sweep_file = sweep_files.write(document, version.label, {"ns3": version.ns3 or None})
        sweeps[version.label] = sweep_file.stem
        say(f"\ntcpsweep: {sweep_file.stem}: version {number} of {len(versions)}, ns-3 {version.label}", flush=True)
        sweep(sweep_file, options)
    if not start_snakemake.is_whole_run(options):
        return None
    outcomes_of_versions = [conclusions.of_sweep(layout.SWEEPS / name) for name in sweeps.values()]
    changed = changes.changes(outcomes_of_versions)
    page = versions_page.write(document.data["sweep"], sweeps, changed, _comparison_pages(sweeps))
    say(f"\n{change_words.answer(changed, list(sweeps))}{_differing_corrections(sweeps)}\nreport: {page}")
    return page


def check(file: Path) -> str:
    """Check a sweep file in each version of its list; returns what is checked, in words."""
    document, versions = sweep_and_versions(file, ())
    return f"{document.name}: ns-3 {', '.join(version.label for version in versions)}: the sweep can run in each"


def sweep_and_versions(file: Path, given: Sequence[str]) -> tuple[Document, list[named_versions.Version]]:
    """A sweep file, and its versions, checked. Raises `UserError`."""
    document = checked_sweep.opened(file)
    listed: Any = document.data.get("ns3") if isinstance(document.data, dict) else None
    entries: list[Any] = list(given) or (listed if isinstance(listed, list) else [])
    if (given and len(given) < 2) or not entries:
        raise UserError(f"{file}: name at least two versions: `ns3: [3.37, 3.44]`, or --ns3 3.37 --ns3 3.44")
    checked_sweep.without_ns3(file)
    return document, named_versions.labelled(document, entries, Path() if given else Path(file).parent)


def sweep(file: Path, options: Sequence[str], output: IO[str] | None = None) -> None:
    """Run a sweep file in a process of its own.

    A sweep whose expectations fail is whole. Raises `SystemExit` if simulations are missing, `KeyboardInterrupt` if the
    user interrupted it.
    """
    status = sweep_process.run(file, options, output, output)
    if status and not conclusions.is_whole(layout.SWEEPS / file.stem):
        sys.exit(f"{file}: the sweep failed; see {output.name if output else 'its messages above'}")


def _differing_corrections(name_by_label: Mapping[str, str]) -> str:
    """A line with the corrections in each version, if they differ; else empty."""
    corrections_by_label = {label: versions_page.corrections_of(sweep) for label, sweep in name_by_label.items()}
    if len(set(corrections_by_label.values())) < 2:
        return ""
    return "\ncorrections: " + "; ".join(
        f"{corrections} in ns-3 {label}" for label, corrections in corrections_by_label.items()
    )


def _comparison_pages(name_by_label: Mapping[str, str]) -> dict[str, Path]:
    """The page that compares each version with the next one, by the two labels."""
    return {
        f"{one} and {other}": comparison_page.write(name_by_label[one], name_by_label[other])[0]
        for one, other in itertools.pairwise(name_by_label)
    }
