# SPDX-License-Identifier: MIT
"""The pictures in README and docs, from pages and figures of sweeps that have run: `make gallery`."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tests.support.chromium import chromium, opened  # noqa: E402 (not installed with the package)

REPORT = ROOT / "reports" / "quick-look.html"
GALLERY = ROOT / "docs" / "gallery"
CELL = "TcpCubic+TcpBbr"  # of the mix, whose two windows differ
README = ("lossy-link-figure-2.svg", "lossy-link-readme.svg")  # a figure of the gallery, and README's, which is larger
LARGER = 1.75


def enlarge():
    """Write the figure that README begins with: that of the gallery, shown larger."""
    source, name = README
    head, rest = (GALLERY / source).read_text(encoding="utf-8").split(">", 1)
    head = re.sub(r'\b(width|height)="(\d+)"', lambda size: f'{size[1]}="{round(LARGER * int(size[2]))}"', head)
    (GALLERY / name).write_text(f"{head}>{rest}", encoding="utf-8")


def main():
    """Enlarge README's figure; take the report's first screen and the page of a simulation."""
    enlarge()
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
