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


def test_the_library_is_bundled_again_with_other_licences(monkeypatch, tmp_path):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path))
    monkeypatch.setattr(vega_library, "script", lambda: vega_library.licences())
    for licences in ("one", "two"):
        monkeypatch.setattr(vega_library, "licences", lambda licences=licences: licences)
        assert page_libraries.chart_library() == licences


def test_a_library_that_was_kept_and_damaged_since_is_bundled_again(monkeypatch, tmp_path):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path))
    monkeypatch.setattr(vega_library, "script", lambda: "vegaEmbed")
    page_libraries.chart_library()
    [kept] = tmp_path.glob("vega-lite-*")
    right = kept.read_bytes()
    for content in (b"", right[:-1], right + b"alert(1)", b"\xff", right.replace(b"vega", b"Vega")):
        kept.write_bytes(content)
        assert page_libraries.chart_library() == "vegaEmbed"
        assert kept.read_bytes() == right


def test_where_nothing_can_be_kept_the_library_is_bundled_again(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "file"))
    monkeypatch.setattr(vega_library, "script", lambda: "vegaEmbed")
    assert page_libraries.chart_library() == "vegaEmbed"
