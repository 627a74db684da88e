# SPDX-License-Identifier: MIT
"""Draw figures from tables and traces.

Data, chart and caption of each kind of figure are in files of one prefix: `metric` against an axis, or on a
`metric_plane` over another metric, `requested` over time, `wireless_map`, `example_cell` of each variant. The
`cell_timeline` is on a cell's page, with `flow_colours` and `packed_numbers`; the `explorer` with its heat map is on
the report. `static_figures` lists the others and writes them, with `requested_tables`. Static figures are drawn as SVG
by `panel_layout`, `time_panels`, `plot_scales`, `text_sizes` and `svg_parts`; maps are Vega-Lite.
"""
