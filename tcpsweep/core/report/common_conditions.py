# SPDX-License-Identifier: MIT
"""The network conditions that all variants have: means over other conditions cannot be compared."""

from __future__ import annotations

import polars as pl

from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import Sweep


def in_common(sweep: Sweep, means: pl.DataFrame, variant: str = "flow_variant") -> pl.DataFrame:
    """The rows of one metric's means in network conditions in which every variant of the rows has a mean.

    ``means`` has ``combination``, ``mean`` and the column named ``variant``.
    """
    measured = means.drop_nulls("mean")
    networks = dict(enumerate(axes.network_keys(sweep)))
    network = pl.col("combination").replace_strict(networks, return_dtype=pl.String)
    variant_count = measured[variant].n_unique()
    with_network = measured.with_columns(network=network)
    return with_network.filter(pl.col(variant).n_unique().over("network") == variant_count).drop("network")
