# SPDX-License-Identifier: MIT
"""Pages in Debian's Chromium, driven by Playwright: with a scheme, a size, keys, paper, and axe-core."""

import contextlib
import time
from pathlib import Path

from tests.support.tools import PATIENCE_S, tool

FLAGS = ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"]


@contextlib.contextmanager
def chromium():
    """A headless Chromium without a network."""
    from playwright.sync_api import sync_playwright  # which `make test` lacks

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=tool("chromium"), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def opened(browser, page, fragment="", width=1440, height=900, scheme="light"):
    """A page from its file; fails the test on an error or a warning in the console, and on a request elsewhere."""
    said = []
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    context.set_default_timeout(PATIENCE_S * 1000)
    tab = context.new_page()
    tab.on("console", lambda message: message.type in {"error", "warning"} and said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("request", lambda request: request.url.split(":")[0] in {"http", "https"} and said.append(request.url))
    try:
        tab.goto(Path(page).resolve().as_uri() + fragment)
        yield tab
        assert not said, said
    finally:
        context.close()


def expect(locator):
    """Playwright's assertions on a locator, which wait until they hold."""
    from playwright.sync_api import expect

    return expect(locator)


def wait_until(tab, condition, arg=None):
    """Wait until an expression of JavaScript, or a function of ``arg``, is true.

    Playwright's own would evaluate it as the page, whose policy forbids that.
    """
    end = time.monotonic() + PATIENCE_S
    while not tab.evaluate(condition, arg):
        assert time.monotonic() < end, f"never: {condition}"
        tab.wait_for_timeout(20)


def violations(tab):
    """What axe-core finds on a page: each rule with the first element that breaks it."""
    from axe_playwright_python.sync_playwright import Axe

    # Preloading would fetch the style sheet, which a page from a file may not.
    found = Axe().run(tab, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
    return [(rule["id"], rule["nodes"][0]["html"]) for rule in found]
