# SPDX-License-Identifier: MIT
"""A page's scripts: put together from modules, the charts' library, and nothing that got into the page as text."""

import re

import pytest
from markupsafe import Markup

from tcpsweep.core.figures import vega_library
from tcpsweep.core.report import page_libraries, page_policy, page_scripts

INTRUDERS = """
<script>document.title = "run"</script>
<script nonce="">document.title = "run"</script>
<script src="data:text/javascript,document.title='run'"></script>
<img src="x:" onerror="document.title = 'run'">
<iframe srcdoc="<script>parent.document.title = 'run'</script>"></iframe>
<base href="https://example.org">
"""
OWN = "document.body.dataset.own = 'run'; try { Function('return 1')(); document.title = 'run' } catch {}"


def made(intruders="", own=OWN):
    return page_policy.with_policy(
        lambda nonce, policy: (
            f"<!doctype html><html><head>{policy}<title>none</title></head><body>{intruders}"
            f'<script nonce="{nonce}">{own}</script></body></html>'
        )
    )


def test_equal_pages_have_equal_bytes_and_others_another_nonce():
    assert made() == made()
    nonces = [re.search(r'nonce="(\w+)"', page)[1] for page in (made(), made(own="other()"))]
    assert nonces[0] != nonces[1]


@pytest.fixture
def tab(browser):
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.mark.browser
def test_only_a_pages_own_scripts_run(tab, tmp_path):
    page = tmp_path / "page.html"
    page.write_text(made(INTRUDERS))
    tab.goto(page.as_uri())
    assert tab.evaluate("() => document.body.dataset.own") == "run"
    assert tab.title() == "none"


def test_the_library_in_a_page_brings_its_licences():
    text = vega_library.script()
    assert isinstance(text, Markup)
    for words in ("University of Washington Interactive Data Lab", "SpryMedia", "Mike Bostock", "WITHOUT WARRANTY"):
        assert words in text[:8000]


def test_the_library_is_bundled_once_for_all_pages_and_again_with_other_licences(monkeypatch, tmp_path):
    bundled = []
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(vega_library, "script", lambda: bundled.append(1) or "vegaEmbed")
    assert [page_libraries.chart_library(), page_libraries.chart_library()] == ["vegaEmbed"] * 2
    assert bundled == [1]
    monkeypatch.setattr(vega_library, "licences", lambda: "others")
    assert page_libraries.chart_library() == "vegaEmbed"
    assert bundled == [1, 1]
    # Where nothing can be kept, it is bundled again, too.
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "file"))
    assert page_libraries.chart_library() == "vegaEmbed"
    assert bundled == [1, 1, 1]


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


@pytest.fixture
def modules(tmp_path, monkeypatch):
    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.js").write_text(text)

    monkeypatch.setattr(page_scripts, "PAGE", tmp_path)
    return write


@pytest.mark.browser
def test_a_module_stands_once_before_all_that_import_it_and_constants_before_the_modules(modules, tab):
    modules(
        main='import { one } from "./a.js";\nimport { two } from "./b.js";\n'
        "document.title = `${one()} ${two} ${given.name}`;\n",
        a='import { two } from "./b.js";\nconst own = 1;\nexport function one() {\n  return own + two;\n}\n',
        b="const own = 2;\nexport const two = own;\n",
    )
    script = page_scripts.script("main.js", given='{"name": "known"}')
    assert script.count("const own = 2;") == 1
    tab.set_content(f"<script>{script}</script>")
    assert tab.title() == "3 2 known"
    assert tab.evaluate("['own', 'one', 'two'].some((name) => name in window)") is False


def test_a_module_that_is_not_there_is_an_error(modules):
    modules(main='import { one } from "./nowhere.js";\n')
    with pytest.raises(FileNotFoundError, match=r"nowhere\.js"):
        page_scripts.script("main.js")
