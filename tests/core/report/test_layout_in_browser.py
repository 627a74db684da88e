# SPDX-License-Identifier: MIT
"""The first screen of sweeps at the corners: few and many variants, networks and metrics, and long names."""

import contextlib
import dataclasses
from pathlib import Path

import polars as pl
import pytest
import yaml

from tcpsweep.core.analysis import sweep_results
from tcpsweep.core.report import page_parts, sweep_page
from tcpsweep.core.report.sections import score_card
from tcpsweep.core.sweep import sweep_record, sweep_tables
from tcpsweep.core.words import metrics
from tcpsweep.registry import report
from tests.core.report.made_pages import swept
from tests.core.report.seen_pages import wait
from tests.support.chromium import opened
from tests.support.tools import ROOT

LAYOUT = (ROOT / "tests" / "support" / "layout.js").read_text(encoding="utf-8")
CORNERS = yaml.safe_load(Path(__file__).with_name("corners.yaml").read_text())
EIGHT = [
    *("goodput_bps", "throughput_bps", "utilisation", "jain", "congestion_loss", "owd_mean_s", "owd_p95_s"),
    "queueing_delay_mean_s",
]
FINDINGS = ["higher", "lower", "same", "undecided", "not steady"]
VALUES = ("mean", "low", "high", "reference_mean", "difference")

pytestmark = pytest.mark.browser


def part(name):
    """A variant's share, from its name, so that variants differ."""
    return 0.2 + sum(map(ord, name)) % 17 / 20


def rates(row, run):
    names = row["variant"].split("+")
    return [
        1e6 * part(names[flow % len(names)]) * (1 + (run * 7 + flow * 3) % 11 / 400) for flow in range(row["flows"])
    ]


def sweep_file(variants, bandwidths, delays, runs):
    return (
        f"sweep: corner\nscenario: dumbbell\ngrid:\n  variant: [{', '.join(variants)}]\n"
        f"  bandwidth: [{', '.join(f'{number + 4}Mbps' for number in range(bandwidths))}]\n"
        f"  delay: [{', '.join(f'{number + 5}ms' for number in range(delays))}]\n"
        f"repetitions: {runs}\n"
        f"fixed: {{flows: 3, duration: {12 if runs < 6 else 40}s, warmup: {2 if runs < 6 else 10}s}}\n"
    )


def with_metrics(folder, told, count, networks=1):
    """The page with a score card of this number of metrics, which are copies of goodput under other names.

    For several ``networks``, each comparison is repeated with all findings in turn.
    """
    sweep = sweep_record.read(folder)
    summary, effects = (sweep_tables.read(folder, name) for name in ("summary", "effects"))

    def renamed(table):
        own = table.filter(pl.col("metric").cast(pl.String) == "goodput_bps")
        values = [name for name in VALUES if name in own.columns]
        scales = {name: metrics.METRICS["goodput_bps"].scale / metrics.METRICS[name].scale for name in EIGHT[:count]}
        return pl.concat(
            own.with_columns(pl.col(values) * scale, metric=pl.lit(name)) for name, scale in scales.items()
        )

    if networks > 1:
        every = pl.concat([effects] * networks).with_row_index("row")
        kind = pl.col("row").floordiv(effects.height).mod(len(FINDINGS)).replace_strict(dict(enumerate(FINDINGS)))
        effects = every.with_columns(finding=kind, effect=(pl.col("row") % 90) / 100.0).drop("row")
    card = score_card.card(sweep, renamed(summary), renamed(effects) if effects.height else effects, EIGHT[:count])
    return told | {"overview": dataclasses.replace(told["overview"], card=card)}


@pytest.fixture(scope="module", params=CORNERS)
def page(request, tmp_path_factory):
    axes = dict(CORNERS[request.param])
    count, networks = axes.pop("count"), axes.pop("networks", 1)
    with contextlib.chdir(tmp_path_factory.mktemp("corner")):
        made = Path("corner.html").absolute()
        folder = swept(sweep_file(**axes), rates)
        told = with_metrics(folder, sweep_page.contents(sweep_results.read(folder, made), report), count, networks)
        made.write_text(page_parts.render("report/report.html.jinja", told))
    return made


@pytest.mark.parametrize("width", [1440, 1024, 400])
def test_no_text_over_another_nothing_cut_no_stretched_row_and_no_empty_half(page, browser, width):
    with opened(browser, page, width=width) as tab:
        wait(tab)
        assert tab.evaluate(LAYOUT) == []
