# SPDX-License-Identifier: MIT
"""The site of these pages, which `make docs` builds with Sphinx.

The pages are plain Markdown, as code hosts show them: no page has a directive for Sphinx. The order in the site's
margin is that of the list in index.md.
"""

import re
import shutil
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.highlighting import lexers

lexers["mermaid"] = TextLexer()  # code hosts draw it
project = "tcpsweep"
extensions = ["myst_parser"]
root_doc = "docs/index"
# From the root, so that links to the README and to files beside the docs lead on. What is no page is not looked into.
include_patterns = ["*.md", "docs/**.md", "config/README.md", "config/*/README.md", "ns3-*/README.md"]
_ROOT = Path(__file__).resolve().parents[1]
_LOOKED_INTO = ("docs", "config", "ns3-scenarios")
exclude_patterns = [path.name for path in _ROOT.iterdir() if path.is_dir() and path.name not in _LOOKED_INTO]

myst_heading_anchors = 4  # as code hosts make them; what leads to none is an error (-W)
myst_linkify_fuzzy_links = False
html_theme = "furo"
html_title = "tcpsweep"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_show_copyright = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}


# Finished reports that the site shows, if their sweeps have run: their pages in reports/.
_EXAMPLES = ["quick-look", "parking-lot", "pairs", "dossier-TcpCubic"]
_MOST_BYTES = 5_000_000  # of one page


def _example_links(text):
    """Turn the names of example reports that have been made, `examples/NAME.html`, into links."""

    def link(match):
        made = (_ROOT / "reports" / match[1]).is_file()
        return f'<a href="../examples/{match[1]}">examples/{match[1]}</a>' if made else match[0]

    return re.sub(r"`examples/([\w-]+\.html)`", link, text)


def _with_examples(app, error):
    """Copy the example reports into the site."""
    if error or app.builder.name != "html":
        return
    to = Path(app.outdir, "examples")
    for name in _EXAMPLES:
        page = _ROOT / "reports" / f"{name}.html"
        if not page.is_file():
            print(f"docs: no example report {name}; docs/example-reports.md says how to make it")
            continue
        if page.stat().st_size > _MOST_BYTES:
            raise ValueError(f"{page} has more than {_MOST_BYTES:,} bytes")
        to.mkdir(exist_ok=True)
        shutil.copy(page, to)
        if (folder := page.with_name(f"{name}_files")).is_dir():
            shutil.copytree(folder, to / folder.name, dirs_exist_ok=True)


def _as_site(app, name, source):
    """Let links that show a file's name show its title, and give the list in index.md to Sphinx as its contents."""
    source[0] = _example_links(source[0])
    text = re.sub(r"\[[\w./-]+\.md\](\([\w./-]+\.md(?:#[\w-]+)?\))", r"[]\1", source[0])
    if name == root_doc:
        for heading, items in re.findall(r"^## (.+?)\n\n((?:- .*\n)+)", text, re.MULTILINE):
            pages = re.findall(r"\[([^]]+)\]\(([\w./-]+)\.md\)", items)
            entries = "\n".join(f"{title} <{page}>" for title, page in pages)
            text += f"\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{entries}\n```\n"
    # Pages of docs/ have to be in a list; others may be.
    source[0] = text if name.startswith("docs/") else f"---\norphan: true\n---\n{text}"


def _front_door(app, error):
    """Let the folder itself lead to the first page."""
    if not error and app.builder.name == "html":
        to = f"{root_doc}.html"
        text = f'<!doctype html><meta http-equiv="refresh" content="0; url={to}"><a href="{to}">tcpsweep</a>\n'
        Path(app.outdir, "index.html").write_text(text)


def setup(app):
    """Take part in the build."""
    app.connect("source-read", _as_site)
    app.connect("build-finished", _front_door)
    app.connect("build-finished", _with_examples)
