# SPDX-License-Identifier: MIT
"""What the report and the cells' pages share: their templates, style and scripts, and how these are filled."""

import functools
import json
from pathlib import Path
from urllib.parse import quote

import jinja2
from markupsafe import Markup

PAGE = Path(__file__).parent / "page"


def of_cell(sweep, cell):
    """The link from a sweep's report to a cell's page, none where there is no such page."""
    return f"{quote(sweep.name)}_files/{quote(cell)}.html" if sweep.pages else None


def render(template, contents):
    """A template of ``page/`` filled with contents; what it names and they lack is an error."""
    return _environment().get_template(template).render(contents)


@functools.cache  # with the templates, which take longer to read than to fill
def _environment():
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(PAGE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


def as_json(data):
    """Data to stand within a page's script."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))
