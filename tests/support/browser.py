# SPDX-License-Identifier: MIT
"""Run a script in a page, in a real browser without a network."""

from tests.support.chromium import opened
from tests.support.tools import PATIENCE_S


def look(browser, page, script):
    """Open a page and return the result of a script's promise, as JSON; fails the test on a console message.

    ``script`` is the body of an asynchronous function, in which ``until(ready)`` waits.
    """
    with opened(browser, page, width=1200) as tab:
        return tab.evaluate(_PROBE % (PATIENCE_S, script))


_PROBE = """
async () => {
  const until = async (ready) => {
    const last = Date.now() + 1000 * %d;
    while (!ready()) {
      if (Date.now() > last) throw new Error(`never: ${ready}`);
      await new Promise((next) => setTimeout(next, 20));
    }
  };
  %s
}
"""
