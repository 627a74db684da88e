# SPDX-License-Identifier: MIT
"""Draw figures from tables and traces.

`chart_kinds` has all kinds of charts, as charts of altair in the look of `chart_theme`. `charts` fills them. On paper,
`paper_chart` and `time_panels` make the values for that; in pages, scripts do. Data and caption of each kind of figure
are in files of one prefix: `metric` against an axis, or on a `metric_plane` over another metric, `requested` over time,
`example_cell` of each variant. The `cell_timeline` is on a cell's page, with `flow_colours` and `packed_numbers`.
`cell_traces` reads what is drawn over time. `static_figures` lists the figures and writes them, with
`requested_tables`.
"""
