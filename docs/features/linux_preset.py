# SPDX-License-Identifier: MIT
"""The table of docs/features/linux.md, *The preset, setting by setting*: how far ns-3 is from Linux with each.

Run the study first, `make sweep SWEEP=config/studies/linux-preset.yaml`, half an hour. A figure is exp(mean over
networks of |ln(Linux' mean / ns-3's)|), the factor by which ns-3 is off; 1 is none. Bold figures are shown to differ
from the preset's by more than 0.01. The interval is a 95 % percentile bootstrap over runs. It draws ns-3's runs with
and without the setting together, because they have common random numbers.
"""

import sys

import numpy as np
import polars as pl

import tcpsweep

NETWORK = ["bandwidth_bps", "delay_s", "queue"]
COLUMNS = [
    ("TcpLinuxReno", "TcpLinuxReno", "queueing_delay_mean_s"),
    ("TcpLinuxReno", "TcpLinuxReno", "congestion_loss"),
    ("TcpCubic", "TcpCubic", "queueing_delay_mean_s"),
    ("TcpCubic", "TcpCubic", "congestion_loss"),
    ("TcpBbr", "TcpBbr", "queueing_delay_mean_s"),
    ("TcpBbr", "TcpBbr", "congestion_loss"),
    ("TcpCubic+TcpBbr", "TcpCubic", "goodput_bps"),
    ("TcpCubic+TcpBbr", "TcpCubic", "congestion_loss"),
]
DRAWS, SHOWN = 4000, 0.01


def runs_of(rows, column):
    """Runs of one column of the table, by network: arrays of values in the order of their run."""
    variant, flows, metric = column
    own = rows.filter(variant=variant, flow_variant=flows, metric=metric).sort("run")
    return {key: part["value"].to_numpy() for key, part in own.partition_by(NETWORK, as_dict=True).items()}


def off(linux, ns3):
    """The factor for each draw: arrays of means by network, a row per draw."""
    with np.errstate(divide="ignore"):  # draws in which nothing is lost
        return np.exp(np.mean([np.abs(np.log(linux[key] / ns3[key])) for key in ns3], axis=0))


def drawn(runs, rng):
    """Which runs each draw takes, by network: as many as there are, with replacement."""
    return {key: rng.integers(0, len(values), (DRAWS, len(values))) for key, values in runs.items()}


def means(runs, picks):
    """The mean of all runs first, then those of the drawn ones, by network."""
    return {key: np.append(values.mean(), values[picks[key]].mean(axis=1)) for key, values in runs.items()}


def figure(linux, whole, part, rng):
    """A cell of the table."""
    linux = {key: linux[key] for key in whole}
    of_linux, picks = means(linux, drawn(linux, rng)), drawn(whole, rng)
    beside, own = off(of_linux, means(whole, picks)), off(of_linux, means(part, picks))
    low, high = np.quantile((own - beside)[1:], [0.025, 0.975])
    text = f"{own[0]:.2f}"
    return f"**{text}**" if low > SHOWN or high < -SHOWN else text


def main(root="."):
    """Print the table from the study's results below a folder's results/."""
    parts = tcpsweep.open("linux-preset", root)
    attributes = [name for name in parts.axes if name.startswith("ns3::")]
    linux = parts.runs.filter(stack="linux").collect()
    every = parts.runs.filter(stack="ns-3").collect()
    settings = every.select("preset", *attributes).unique(maintain_order=True).rows(named=True)
    first = {preset: next(row for row in settings if row["preset"] == preset) for preset in ("linux", "none")}
    whole = of_setting(every, first["linux"])
    print("| | Reno: delay, loss | CUBIC: delay, loss | BBR: delay, loss | CUBIC next to BBR: CUBIC's goodput, loss |")
    print("|---|---|---|---|---|")
    for row in settings:
        own, base = of_setting(every, row), first[row["preset"]]
        differ = [f"{name.rpartition('::')[2]} {row[name]}" for name in attributes if row[name] != base[name]]
        cells = []
        for column in COLUMNS:
            part = runs_of(own, column)
            rng = np.random.default_rng(1)
            cells.append(figure(runs_of(linux, column), runs_of(whole, column), part, rng) if part else "")
        pairs = [", ".join(filter(None, cells[at : at + 2])) for at in range(0, len(cells), 2)]
        print(f"| {row['preset']} {', '.join(differ)} | {' | '.join(pairs)} |")


def of_setting(rows, setting):
    """The runs of one combination of preset and attributes."""
    return rows.filter(*(pl.col(name).eq_missing(pl.lit(value)) for name, value in setting.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
