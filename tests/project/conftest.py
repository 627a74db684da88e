# SPDX-License-Identifier: MIT
"""Examples of the docs as parameters of tests."""

import re

import pytest

from tests.support.tools import ROOT

VARIANTS = (path.stem for path in (ROOT / "ns3-scenarios" / "variants").glob("[A-Z]*.cc"))
COMPILED = re.compile("|".join([*VARIANTS, "quic:"]))


def marked(examples):
    """The places and texts of examples, those as long that a check compiles a variant of ours or a QUIC stack for."""
    return [
        pytest.param(place, text, id=place, marks=[pytest.mark.long] if COMPILED.search(text) else [])
        for place, text in examples
    ]
