# SPDX-License-Identifier: MIT
"""The library that draws a page's charts."""

from tcpsweep.figures import vega_library
from tcpsweep.report import page_libraries


def test_the_library_is_bundled_once_for_all_pages(monkeypatch, tmp_path):
    bundled = []
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(vega_library, "script", lambda: bundled.append(1) or "vegaEmbed")
    assert [page_libraries.chart_library(), page_libraries.chart_library()] == ["vegaEmbed"] * 2
    assert bundled == [1]


def test_where_nothing_can_be_kept_the_library_is_bundled_again(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "file"))
    monkeypatch.setattr(vega_library, "script", lambda: "vegaEmbed")
    assert page_libraries.chart_library() == "vegaEmbed"
