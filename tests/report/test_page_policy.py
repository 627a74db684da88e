# SPDX-License-Identifier: MIT
"""A page runs its own scripts and nothing that got into it as text."""

import re

from markupsafe import Markup

from tcpsweep.figures import vega_library
from tcpsweep.report import page_policy

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
    return page_policy.page(
        lambda nonce, policy: (
            f"<!doctype html><html><head>{policy}<title>none</title></head><body>{intruders}"
            f'<script nonce="{nonce}">{own}</script></body></html>'
        )
    )


def test_equal_pages_have_equal_bytes_and_others_another_nonce():
    assert made() == made()
    nonces = [re.search(r'nonce="(\w+)"', page)[1] for page in (made(), made(own="other()"))]
    assert nonces[0] != nonces[1]


def test_only_a_pages_own_scripts_run(browser, tmp_path):
    page = tmp_path / "page.html"
    page.write_text(made(INTRUDERS))
    context = browser.new_context()
    try:
        tab = context.new_page()
        tab.goto(page.as_uri())
        assert tab.evaluate("() => document.body.dataset.own") == "run"
        assert tab.title() == "none"
    finally:
        context.close()


def test_the_library_in_a_page_brings_its_licences():
    text = vega_library.script()
    assert isinstance(text, Markup)
    for words in ("University of Washington Interactive Data Lab", "SpryMedia", "Mike Bostock", "WITHOUT WARRANTY"):
        assert words in text[:8000]
