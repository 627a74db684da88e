# SPDX-License-Identifier: MIT
"""The pictures of the report in README and docs, from the page of a sweep that has run: `make pictures`."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tests.support.chromium import chromium, opened  # noqa: E402 (not installed with the package)

REPORT = ROOT / "reports" / "quick-look.html"
GALLERY = ROOT / "docs" / "gallery"
CELL = "TcpCubic+TcpBbr"  # of the mix, whose two windows differ


def main():
    """Take the report's first screen and a cell's page."""
    cells = REPORT.with_name(f"{REPORT.stem}_files")
    page = next(path for path in sorted(cells.glob("*.html")) if re.search(re.escape(CELL), path.name))
    with chromium() as browser:
        for source, name, height in ((REPORT, "report", 810), (page, "cell", 740)):
            with opened(browser, source, width=1400, height=height) as tab:
                tab.wait_for_load_state("networkidle")
                tab.wait_for_timeout(2000)  # charts draw after the page is there
                tab.screenshot(path=GALLERY / f"quick-look-{name}.png")


if __name__ == "__main__":
    main()
