# SPDX-License-Identifier: MIT
"""The code blocks of documentation pages that tests run."""

import re

from tests.support.tools import ROOT


def blocks(language, page="recipes"):
    """A page's blocks in a language, in its order."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
