# SPDX-License-Identifier: MIT
"""A marimo notebook: a sweep's metrics over its axes, its findings, and one run over time. See docs/notebooks.md."""

import marimo

app = marimo.App(width="medium", app_title="A sweep")


@app.cell
def _():
    import altair as alt
    import marimo as mo
    import polars as pl

    import tcpsweep

    sweep = tcpsweep.open("quick-look", mo.notebook_dir().parent)  # to open another sweep, write its name
    return alt, mo, pl, sweep


@app.cell
def _(mo, sweep):
    mo.md(f"# {sweep.record.title}\n\n`{sweep}`")
    return


@app.cell
def _(mo, pl, sweep):
    has_mean = pl.col("mean").is_not_null()
    names = sweep.summary.filter(has_mean).select("metric").unique().collect()["metric"].sort().to_list()
    axes = [axis for axis in sweep.axes if axis != "variant"]
    metric = mo.ui.dropdown(names, value="goodput_bps", label="metric")
    axis = mo.ui.dropdown(axes, value=axes[-1], label="over")
    mo.hstack([metric, axis], justify="start")
    return axes, axis, metric


@app.cell
def _(alt, axes, axis, metric, pl, sweep):
    means = (
        sweep.summary.filter(pl.col("metric") == metric.value)
        .with_columns(name=pl.coalesce("flow_variant", "variant"), mix=pl.col("variant").str.contains(r"\+"))
        .collect()
    )
    base = alt.Chart(means).encode(x=f"{axis.value}:O", color="name", strokeDash="mix")
    lines = base.mark_line(point=True).encode(y=alt.Y("mean", title=f"{metric.value} [{means['unit'][0]}]"))
    bars = base.mark_rule().encode(y="low", y2="high")
    panels = [other for other in axes if other != axis.value]
    chart = (lines + bars).properties(width=280, height=220)
    chart.facet(column=f"{panels[0]}:N") if panels else chart
    return


@app.cell
def _(mo, pl, metric, sweep):
    shown = sweep.table("effects").filter(pl.col("metric") == metric.value).collect()
    mo.vstack(
        [
            mo.md("## Compared with the baseline, in each network condition"),
            shown.drop("combination", "reference_combination", "metric", "unit").select(
                *(name for name in sweep.axes if name in shown.columns and name != "variant"),
                *("variant", "reference", "mix", "ratio", "ratio_low", "ratio_high", "finding"),
            ),
        ]
    )
    return


@app.cell
def _(mo, sweep):
    done = sweep.cells.filter(sweep.cells["state"] == "finished")
    cell = mo.ui.dropdown(done["cell"].to_list(), value=done["cell"][0], label="one run")
    cell
    return (cell,)


@app.cell
def _(alt, cell, pl, sweep):
    one = sweep.where(pl.col("cell") == cell.value)  # reads only this cell's files
    windows = (
        one.traces.filter(pl.col("metric") == "cwnd_bytes", pl.col("value") < 2**31)
        .group_by("flow", "flow_variant", time_s=(pl.col("time_s") / 0.1).floor() * 0.1)
        .agg(segments=pl.col("value").last() / 1448)
        .sort("flow", "time_s")
        .with_columns(name=pl.format("{} {}", "flow", "flow_variant"))
        .collect()
    )
    alt.Chart(windows).mark_line(interpolate="step-after").encode(x="time_s", y="segments", color="name").properties(
        width=600, height=200
    )
    return


if __name__ == "__main__":
    app.run()
