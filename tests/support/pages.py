# SPDX-License-Identifier: MIT
"""The pages of the documentation and their content."""

import re

from tests.support.tools import ROOT

PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
# A fence of backticks, its language, its text.
_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


def examples(*languages):
    """Each block of the pages in one of the languages: its place, as file and line, and its text, not indented."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for found in _FENCE.finditer(text):
            if found[2] in languages:
                line = text.count("\n", 0, found.start()) + 1
                yield f"{page.relative_to(ROOT)}:{line}", re.sub(rf"^{found[1]}", "", found[3], flags=re.MULTILINE)


def links(page):
    """The targets of a page's links and pictures, as written."""
    text = re.sub(r"`[^`\n]*`", "", _FENCE.sub("", page.read_text(encoding="utf-8")))
    return re.findall(r"\]\(([^()\s]+)\)", text)


def anchors(page):
    """The anchors that a code host gives a page's headings: small letters, hyphens for blanks, no other signs."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    found = []
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        again = re.compile(rf"{re.escape(name)}(-\d+)?")
        count = sum(again.fullmatch(each) is not None for each in found)
        found.append(f"{name}-{count}" if count else name)
    return set(found)
