# SPDX-License-Identifier: MIT
"""Sweeps of TCP congestion control over grids of simulated networks: a core, and the features on it.

`open` gives a sweep's results as polars frames, and `open_import` those of imported captures; docs/recipes.md and
docs/features/import.md show what to do with them. No module of the package
imports these names, so that they are part of no step's identity, and loading the package loads nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from tcpsweep.core.frames.opened_sweep import OpenedSweep
    from tcpsweep.features.captures.opened_import import OpenedImport

__all__ = ["open", "open_import", "weighted_mean", "weighted_quantile"]


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
