# SPDX-License-Identifier: MIT
"""The documentation's links, on a code host and in the site that `make docs` builds."""

import re
import subprocess
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest

from tcpsweep.core.words.terms import TERMS
from tests.support.pages import PAGES, anchors, links
from tests.support.tools import ROOT, made_for_docs


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere_on_a_code_host(page):
    for link in links(page):
        path, _, anchor = link.partition("#")
        if "://" in path:
            continue
        to = (page.parent / path).resolve() if path else page
        assert to.is_relative_to(ROOT), link
        assert to.exists(), link
        assert not anchor or anchor in anchors(to), link


class Read(HTMLParser):
    """A page's links, the files that it loads, and its ids."""

    def __init__(self, path):
        super().__init__()
        self.leads, self.loads, self.ids = set(), set(), set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        had = dict(attributes)
        self.ids.add(had.get("id"))
        if tag in ("a", "area") and had.get("href"):
            self.leads.add(had["href"])
        elif tag == "link" and had.get("rel") in ("stylesheet", "icon", "preload", "preconnect", "dns-prefetch"):
            self.loads.add(had["href"])
        elif had.get("src"):
            self.loads.add(had["src"])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site; a link, an anchor or a picture that Sphinx does not find, or a page that no list names, fails."""
    folder = tmp_path_factory.mktemp("site")
    build = [made_for_docs() / "sphinx-build", "-q", "-n", "-W", "--keep-going", "-c", "docs", "-d", folder / "read"]
    done = subprocess.run([*build, ".", folder / "site"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def read(site):
    return {path: Read(path) for path in site.rglob("*.html")}


@pytest.mark.long
def test_the_site_has_each_page_and_its_links_lead_to_its_files_and_anchors(site, read):
    wanted = [page.relative_to(ROOT).with_suffix(".html") for page in PAGES]
    assert {site / name for name in wanted} <= set(read)
    wrong = []
    for page, about in read.items():
        for link in about.leads:
            path, _, anchor = unquote(link).partition("#")
            if re.match(r"[a-z]+:", path):
                continue
            to = (page.parent / path.partition("?")[0]).resolve() if path else page
            if not to.exists() or (anchor and to in read and anchor not in read[to].ids):
                wrong.append(f"{page.relative_to(site)}: {link}")
    assert not wrong


@pytest.mark.long
def test_the_site_loads_nothing_from_elsewhere(site, read):
    loaded = {address for about in read.values() for address in about.loads}
    assert loaded
    assert not [address for address in loaded if re.match(r"([a-z]+:)?//", address)]
    styles = [path.read_text(encoding="utf-8") for path in site.rglob("*.css")]
    assert styles
    assert not [text for text in styles if re.search(r"(@import|url\()\s*['\"]?(https?:)?//", text)]


def test_what_reads_on_the_site_has_no_marks_of_its_own_on_a_code_host():
    """Directives would show there as they are written."""
    for page in PAGES:
        assert not re.search(r"^(```|:::)\{", page.read_text(encoding="utf-8"), re.MULTILINE), page


def test_the_glossary_has_each_word_that_reports_explain():
    words = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    assert not [term for term in TERMS if f"\n| {term} |" not in words]
