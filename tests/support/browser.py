# SPDX-License-Identifier: MIT
"""Run a script in a page, in a real browser without a network."""

from tests.support.chromium import opened
from tests.support.tools import PATIENCE_S


def look(browser, page, script, width=1200, hash="", dark=False):
    """Open a page and return the result of a script's promise, as JSON; fails the test on a console message.

    Parameters
    ----------
    browser : Browser
        The fixture.
    page : Path
    script : str
        The body of an asynchronous function; ``choose(name, value)`` changes a control and waits for its figure.
    width : int
        The window's, in pixels.
    hash : str
        What follows the page's address, with its "#".
    dark : bool
        Whether the system's colours are dark.
    """
    scheme = "dark" if dark else "light"
    with opened(browser, page, hash, width=width, scheme=scheme) as tab:
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
  const explorer = document.getElementById("explorer"), plot = explorer?.querySelector(".chart");
  const choose = async (name, value) => {
    const control = [...explorer.querySelectorAll("select")].find((select) => select.name === name);
    const before = plot.dataset.drawn;
    control.value = value;
    control.dispatchEvent(new Event("change"));
    await until(() => plot.dataset.drawn !== before);
  };
  if (explorer) await until(() => plot.dataset.drawn);
  %s
}
"""
