# SPDX-License-Identifier: MIT
"""Functions that all pages share: fill templates, and put data, drawings and links into a page."""

import functools
import json
import re
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup, escape

from tcpsweep.core.identity import source_folders
from tcpsweep.core.report import page_policy, page_scripts
from tcpsweep.core.sweep.sweep_record import Sweep

_CODE = re.compile(r"`([^`]*)`")
_SVG_TAG = re.compile(r"<[^>]*>")
_SVG_ROLE = re.compile(r' (?:role|aria-roledescription|aria-label)="[^"]*"')
_SVG_ID = re.compile(r'(\bid="|url\(#|href="#)')


def folder_of_cells(sweep: Sweep) -> str | None:
    """The prefix of a cell's id in the link from a sweep's report to its page; None if cells have no pages."""
    return f"{quote(sweep.name)}_files/" if sweep.pages else None


def link_to_cell(sweep: Sweep, cell: str) -> str | None:
    """The link from a sweep's report to a cell's page; None if cells have no pages."""
    folder = folder_of_cells(sweep)
    return None if folder is None else f"{folder}{quote(cell)}.html"


def render(template: str, contents: dict[str, Any]) -> str:
    """A template filled with contents; a name that the contents lack is an error.

    ``template`` is its path below ``page/``, or below the package, as in ``features/dossier/page/dossier.html.jinja``.
    """
    return page_policy.with_policy(functools.partial(_environment().get_template(template).render, contents))


@functools.cache  # reads each template once
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([page_scripts.PAGE, source_folders.PACKAGE]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals["script"] = page_scripts.script
    environment.filters["coded"] = coded
    return environment


def coded(text: str) -> Markup:
    """A text whose parts between backticks become code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def as_json(data: Any) -> Markup:
    """Data as JSON that is safe in a page's script."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def inline(svg: str, name: str) -> Markup:
    """An SVG that can share a page with others: its ids begin with its name, and its parts have no roles."""
    svg = _SVG_TAG.sub(lambda tag: _SVG_ROLE.sub("", tag[0]), svg)
    return Markup(_SVG_ID.sub(lambda match: f"{match[1]}{name}-", svg))
