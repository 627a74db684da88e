# SPDX-License-Identifier: MIT
"""Pages that several files of tests only read."""

import contextlib

import pytest

from tests.core.report.made_pages import KNOWN, shares, written


@pytest.fixture(scope="session")
def known(once):
    """The folder of a sweep of known effects and of its page, reports/known.html."""

    def make(folder):
        with contextlib.chdir(folder):
            written(KNOWN, "reports/known.html", shares)

    return once("known", make)
