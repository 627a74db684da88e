# SPDX-License-Identifier: MIT
"""Fixtures of the sandboxes."""

import pytest

from tcpsweep.features.rank import confinement
from tests.support.programs import found_ns3
from tests.support.tools import forbidden, lacking


@pytest.fixture
def sandbox():
    """The sandboxes of bubblewrap; a test of them fails in CI without bubblewrap, and is skipped elsewhere."""
    why = confinement.hindrance()
    if why and "bubblewrap is not installed" in why:
        lacking("bubblewrap")
    if why:
        forbidden(why)


@pytest.fixture
def ns3(build_folder, monkeypatch):
    """The ns-3 of the tests, with their folder of compiled programs."""
    monkeypatch.setenv("TCPSWEEP_BUILD", str(build_folder))
    return found_ns3(build_folder)
