# SPDX-License-Identifier: MIT
"""`tcpsweep gate BASE HEAD`: run a sweep with two versions of a variant, a stack or a kernel, and say what changed."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from tcpsweep.core.campaigns import comparison_page, comparison_words, sweep_process, two_sweeps
from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.identity import source_folders
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.store import locks
from tcpsweep.core.sweep import axes
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.gate import gate_answer, gate_sweeps, gated_versions, overall_change
from tcpsweep.features.gate.gate_answer import Gate
from tcpsweep.features.gate.gated_versions import Version


def run(base: str, head: str, sweep: Path | None = None) -> tuple[str, int]:
    """Run the gate's sweep with both versions; return the answer as Markdown, and the exit status.

    ``sweep`` is another sweep file than the gate's own. Raises `UserError`, and `SystemExit` if a sweep fails.
    """
    versions = gated_versions.read(base, head)
    document = checked_sweep.opened(sweep or gate_sweeps.DEFAULT)
    checked_sweep.at_points(document, ())  # its name becomes a folder's
    with locks.derived(gate_sweeps.folder(document, versions[0]), "a gate"):
        files = [gate_sweeps.write(document, version) for version in versions]
        for version, file in zip(versions, files, strict=True):
            with _quic_stack_of(version):
                try:
                    checked_sweep.read(file, ask_ns3=True)
                except UserError as error:
                    raise UserError(f"{version.argument} {version.given!r}: {error}") from None
        for version, file in zip(versions, files, strict=True):
            say(f"tcpsweep: {version.argument}, {version.given}", file=sys.stderr, flush=True)
            with _quic_stack_of(version):
                _sweep(version, file)
        return _answer(versions, [file.stem for file in files])


@contextlib.contextmanager
def _quic_stack_of(version: Version) -> Iterator[None]:
    """In the block, and in processes that it starts, a version's QUIC stack replaces the project's."""
    former = os.environ.get(source_folders.STACKS_ELSEWHERE)
    if version.stack:
        os.environ[source_folders.STACKS_ELSEWHERE] = str(version.stack.parent)
    try:
        yield
    finally:
        if version.stack:
            os.environ.pop(source_folders.STACKS_ELSEWHERE)
            os.environ |= {source_folders.STACKS_ELSEWHERE: former} if former else {}


def _sweep(version: Version, file: Path) -> None:
    """Run one version's sweep; its output is printed as errors, so that the output is the answer only."""
    if sweep_process.run(file, [], stdout=sys.stderr):
        sys.exit(f"{version.argument} {version.given!r}: its sweep failed; see the messages above")


def _answer(versions: Sequence[Version], names: Sequence[str]) -> tuple[str, int]:
    page, table, identical, simulations = comparison_page.write(*names, whole=True)
    base_side, head_side = (two_sweeps.read_side(name, whole=True) for name in names)
    matching = two_sweeps.match(base_side, head_side)
    overall = overall_change.overall(
        *two_sweeps.placed(base_side, head_side, matching), head_side.sweep.smallest_effects
    )
    gate = Gate(versions, identical, simulations, overall, table)
    goodput = table.filter(pl.col("metric") == overall_change.METRIC)
    sentences = comparison_words.verdicts(table)
    return gate_answer.markdown(gate, _labels(goodput, matching.names), sentences, str(page)), gate.status


def _labels(goodput: pl.DataFrame, names: Sequence[str]) -> list[str]:
    """The network condition of each row; with its variant only if there are several."""
    rows = goodput.iter_rows(named=True)
    if goodput["flow_variant"].n_unique() > 1 or goodput["link"].n_unique() > 1:
        return [comparison_words.case(row, names) for row in rows]
    return [axes.axes_in_words({name: row[name] for name in names}) or "all" for row in rows]
