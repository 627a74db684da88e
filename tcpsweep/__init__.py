# SPDX-License-Identifier: MIT
"""Sweeps of TCP congestion control over grids of simulated networks: a core, and the features on it.

`open` gives a sweep's results as polars frames, and `open_import` those of imported captures; docs/recipes.md and
docs/features/import.md show what to do with them. `rank` ranks congestion controls; see docs/features/rank.md. No
module of the package imports these names, so that they are part of no step's identity, and loading the package loads
nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import polars as pl

    from tcpsweep.core.frames.opened_sweep import OpenedSweep
    from tcpsweep.features.captures.opened_import import OpenedImport

__all__ = ["open", "open_import", "rank", "weighted_mean", "weighted_quantile"]


def open(sweep: str | Path, folder: str | Path = ".") -> OpenedSweep:
    """Open the results of a sweep as polars frames. A sweep that has not finished has the results so far.

    Parameters
    ----------
    sweep : str or path
        Its name in ``results/sweeps/``, its folder there, or its sweep file.
    folder : str or path
        The folder that holds ``results/``. Default: the working folder.

    Raises
    ------
    tcpsweep.core.frames.finding.NoSweep
        There is no such sweep. The text suggests the nearest name.
    tcpsweep.core.sweep.sweep_record.Unreadable
        Another version of tcpsweep planned the sweep.
    """
    from tcpsweep.core.frames import opened_sweep

    return opened_sweep.read(sweep, folder)


def open_import(name: str | Path, folder: str | Path = ".") -> OpenedImport:
    """Open the tables of captures that `tcpsweep import` read, as polars frames.

    Parameters
    ----------
    name : str or path
        Its name in ``results/imported/``, or its folder there.
    folder : str or path
        The folder that holds ``results/``. Default: the working folder.

    Raises
    ------
    tcpsweep.features.captures.opened_import.NoImport
        There is no such import. The text suggests the nearest name.
    """
    from tcpsweep.features.captures import opened_import

    return opened_import.read(name, folder)


def rank(
    candidates: Sequence[str | Path],
    *,
    on: str | Path | None = None,
    hidden: str | Path | None = None,
    baseline: str = "TcpCubic",
    weights: str | Path | None = None,
    ask: int = 1,
    questions: int = 20,
    audit: int | None = None,
    race: bool = False,
    halve: bool = False,
    cores: int | None = None,
    trust: bool = False,
) -> pl.DataFrame:
    """Rank congestion controls against a baseline, as `tcpsweep rank` does, and write its page and tables.

    Parameters
    ----------
    candidates : sequence of str or path
        C++ files, each with a class of the file's name, or folders of them.
    on, hidden : str or path
        The sweep files with the training and the hidden networks. Defaults: tcpsweep's own training networks, and no
        hidden ones.
    baseline : str
        The variant that has the score 0.
    weights : str or path
        The YAML file with the weights of the metrics.
    ask : int
        How many of the first candidates the hidden networks are asked about.
    questions : int
        How many questions these answer in all, if this is the first one.
    audit : int
        How many of the first candidates are audited. Default: all that are left.
    race : bool
        Whether candidates that are clearly worse run in no more networks. This saves time, and tells fewer places.
    halve : bool
        As ``race``, and half of the candidates leave after each look, without a test.
    cores : int
        Default: all.
    trust : bool
        Whether candidates run with the user's rights, without a sandbox.

    Returns
    -------
    DataFrame
        A row for each candidate, the first first: ``candidate``, ``file``, ``state``, ``words`` (why it runs no more),
        ``networks``, the score's ``mean``, ``low`` and ``high``, ``verdict`` against the baseline, ``place``,
        ``first_place``, ``last_place``, the ratios ``goodput``, ``delay``, ``loss``, ``jain`` and ``harm``, ``audit``,
        and ``hidden``, ``hidden_margin`` and ``hidden_verdict``.

    Raises
    ------
    tcpsweep.core.words.user_error.UserError
        A file is wrong, no sandbox is possible, or another ranking runs in the same folder. If the hidden networks
        answer no more questions, a message says so, and the places stay.
    """
    from pathlib import Path

    from tcpsweep.features.rank import rank_interface, rank_page
    from tcpsweep.registry.connect import connect

    connect()
    ranking = rank_interface.ranked(
        list(map(Path, candidates)),
        on=None if on is None else Path(on),
        hidden=None if hidden is None else Path(hidden),
        baseline=baseline,
        weights=None if weights is None else Path(weights),
        ask=ask,
        questions=questions,
        audit=audit,
        race=race,
        halve=halve,
        cores=cores,
        trust=trust,
    )
    rank_page.write(ranking)
    return ranking.table


def weighted_mean(value: str | pl.Expr, weight: str | pl.Expr = "held_s") -> pl.Expr:
    """Make a polars expression of the mean over time: Σ w x / Σ w. It is null without values.

    Parameters
    ----------
    value, weight : str or Expr
        Columns, or expressions over them. The default weight is the time that `OpenedSweep.held` gives.
    """
    import polars as pl

    from tcpsweep.core.measure import percentiles

    value, weight = (pl.col(each) if isinstance(each, str) else each for each in (value, weight))
    return percentiles.weighted_mean(value, weight)


def weighted_quantile(value: str | pl.Expr, share: float, weight: str | pl.Expr = "held_s") -> pl.Expr:
    """Make a polars expression of a quantile over time: the smallest value not exceeded for ``share`` of the time.

    Parameters
    ----------
    value, weight : str or Expr
        As in `weighted_mean`.
    share : float
        From 0 to 1, such as 0.99.
    """
    import polars as pl

    from tcpsweep.core.measure import percentiles

    value, weight = (pl.col(each) if isinstance(each, str) else each for each in (value, weight))
    return percentiles.weighted_quantile(value, weight, share)
