# SPDX-License-Identifier: MIT
"""The pictures in README and docs, from pages and figures of sweeps that have run: `make shown PARTS=gallery`."""

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
# The parts that docs/read-a-report.md explains by number, in its order.
PARTS = {
    "report": [".brief", ".answer", ".findings", ".card .scroll", "#overview-plane"],
    "cell": ["nav.cells", ".story", "header p:has(code)", "#timeline"],
}
# Puts a number to the left of each part, at its top; the page moves to the right if there is no room.
MARK = """(parts) => {
 const lefts = parts.map((part) => document.querySelector(part).getBoundingClientRect().left);
 if (Math.min(...lefts) < 28) document.body.style.paddingLeft = "44px";
 parts.forEach((part, place) => {
  const box = document.querySelector(part).getBoundingClientRect();
  const mark = document.createElement("span");
  mark.textContent = place + 1;
  Object.assign(mark.style, {
    position: "absolute", left: `${box.left + scrollX - 26}px`, top: `${box.top + scrollY}px`,
    width: "24px", font: "bold 15px/24px sans-serif", textAlign: "center", zIndex: 99,
    borderRadius: "50%", background: "#b3123c", color: "white", boxShadow: "0 0 0 2px white",
  });
  document.body.append(mark);
 });
}"""


def enlarge():
    """Write the figure that README begins with: that of the gallery, shown larger."""
    source, name = README
    head, rest = (GALLERY / source).read_text(encoding="utf-8").split(">", 1)
    head = re.sub(r'\b(width|height)="(\d+)"', lambda size: f'{size[1]}="{round(LARGER * int(size[2]))}"', head)
    (GALLERY / name).write_text(f"{head}>{rest}", encoding="utf-8")


def take(report, gallery):
    """Take the first screen of a report and the page of a simulation, each also with its parts numbered."""
    cells = report.with_name(f"{report.stem}_files")
    page = next(path for path in sorted(cells.glob("*.html")) if re.search(re.escape(CELL), path.name))
    with chromium() as browser:
        for source, name, height in ((report, "report", 810), (page, "cell", 740)):
            with opened(browser, source, width=1400, height=height) as tab:
                tab.wait_for_load_state("networkidle")
                tab.wait_for_timeout(2000)  # charts draw after the page is there
                tab.screenshot(path=gallery / f"quick-look-{name}.png")
                tab.evaluate(MARK, PARTS[name])
                tab.wait_for_timeout(500)  # charts of another width
                tab.screenshot(path=gallery / f"quick-look-{name}-parts.png")


if __name__ == "__main__":
    enlarge()
    take(REPORT, GALLERY)
