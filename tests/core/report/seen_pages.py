# SPDX-License-Identifier: MIT
"""Pages in a browser when they are drawn, their controls, and what is looked up in them."""

import contextlib
from pathlib import Path

from tests.support.chromium import opened, wait_until

_LOOKS = Path(__file__).with_name("looks.js").read_text(encoding="utf-8")


def look(tab, name):
    """What a function of `looks.js` returns in a page."""
    return tab.evaluate(f"({_LOOKS}).{name}()")


def wait(tab):
    """Until all figures are drawn and the open tables have their tools."""
    wait_until(tab, f"({_LOOKS}).drawn()")


def opener(browser, folder, page, ready=wait, width=1440):
    """Opens a page of a folder, this one unless another is named, and waits until it is ready."""

    @contextlib.contextmanager
    def shown(fragment="", page=page, width=width, **how):
        with opened(browser, folder / page, fragment, width, **how) as tab:
            ready(tab)
            yield tab

    return shown


def choose(tab, control, value, figure):
    """Choose a control's value, and wait until the figure is drawn again; both are given as selectors."""
    drawn = f"Number(document.querySelector({figure!r}).dataset.drawn ?? 0)"
    before = tab.evaluate(drawn)
    tab.locator(control).select_option(value)
    wait_until(tab, f"{drawn} > {before}")
