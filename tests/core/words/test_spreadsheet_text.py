# SPDX-License-Identifier: MIT
"""Text in CSV that a spreadsheet would take for a formula stays text."""

import polars as pl

from tcpsweep.core.sweep import sweep_tables
from tcpsweep.core.words import spreadsheet_text

FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-x", "+1 s"]
TEXTS = ["TcpCubic", "-1.5", "+2e-3", "-inf", ".5", "-", "–", "a=1", "", None, "1"]


def test_formulas_have_an_apostrophe_and_all_else_is_as_it_was(tmp_path):
    frame = pl.DataFrame({"text": FORMULAS + TEXTS, "value": -1.5})
    frame = frame.with_columns(kind=pl.col("text").cast(pl.Categorical), spare=None)
    written = spreadsheet_text.harmless(frame)
    assert written.columns == frame.columns
    for name in ("text", "kind"):
        assert written[name].to_list() == [f"'{text}" for text in FORMULAS] + TEXTS
    assert written["value"].to_list() == frame["value"].to_list()
    written.write_csv(tmp_path / "x.csv")
    read = sweep_tables.scan_csv(tmp_path / "x.csv").collect()["text"]
    assert read.to_list()[: len(FORMULAS)] == FORMULAS


def test_tables_without_text_or_rows_are_as_they_were():
    for frame in (pl.DataFrame({"value": [1]}), pl.DataFrame(), pl.DataFrame(schema={"text": pl.String})):
        assert spreadsheet_text.harmless(frame).equals(frame)
