# SPDX-License-Identifier: MIT
"""Examples of the docs as parameters of tests."""

import re

import pytest

from tests.support.tools import ROOT

VARIANTS = (path.stem for path in (ROOT / "ns3-scenarios" / "variants").glob("[A-Z]*.cc"))
LONG = re.compile("|".join([*VARIANTS, "quic:", "_program:"]))


def marked(examples):
    """The places and texts of examples. Those that need a program, our variant or a QUIC stack are long."""
    return [
        pytest.param(place, text, id=place, marks=[pytest.mark.long] if LONG.search(text) else [])
        for place, text in examples
    ]
