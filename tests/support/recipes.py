# SPDX-License-Identifier: MIT
"""The blocks of docs/recipes.md."""

import re

from tests.support.tools import ROOT


def blocks(language):
    """The page's blocks in a language, in its order."""
    text = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
