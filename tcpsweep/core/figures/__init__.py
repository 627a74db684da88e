# SPDX-License-Identifier: MIT
"""Draw figures from tables and traces.

Data, chart and caption of each kind of figure are in files of one prefix: `metric` against an axis, or on a
`metric_plane` over another metric, `requested` over time, `wireless_map`, `example_cell` of each variant. The
`cell_timeline` is on a cell's page, with `flow_colours` and `packed_numbers`; `explorer_charts` are on the report.
`static_figures` lists the others and writes them, with `requested_tables`. All charts are Vega-Lite: `metric_marks` and
`plane_marks` are the same on paper and on a page, `paper_chart` and `time_panels` give charts their width on paper.
"""
