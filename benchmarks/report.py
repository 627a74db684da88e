# SPDX-License-Identifier: MIT
"""Measure the tables, figures and page of many cells with four flows, made from the cells' Parquet files.

One cell of each variant is simulated; the others are made up, by `made_up_cells.py`.
The page is written together with the static figures. The cells' own pages are a different job and not measured.
"""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

import harness
import scale

VARIANTS, RUNS = ["TcpNewReno", "TcpLinuxReno", "TcpCubic", "TcpNewReno+TcpCubic"], 5
SWEEP = """\
sweep: many
scenario: dumbbell
grid: {{variant: [{variants}], delay: [{delays}]}}
repetitions: {runs}
fixed: {{flows: 4, duration: 20s, warmup: 5s}}
"""


@dataclass(frozen=True)
class Part:
    """A sweep: its cells, the limits for its tables and page in Snakemake's starts, and the number of rounds."""

    cells: int
    most: float
    page: bool
    rounds: int


SIZES = {
    "full": (Part(1_000, 10, True, 3), Part(10_000, 25, False, 3)),
    "quick": (Part(1_000, 10, True, 1),),
    "tiny": (Part(20, 10, True, 1),),
}
MOST_MIB, MOST_MB = 2048, 10
MOST_PAINT = 3  # of Snakemake's starts
PAINT = """<script nonce="{nonce}">
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.name === "first-contentful-paint") document.title = entry.startTime;
}).observe({ type: "paint", buffered: true });
</script>"""


def minutes(parts):
    """The approximate duration."""
    return sum(part.cells * (0.01 + 0.01 * part.rounds) + 30 for part in parts) / 60


def sweep(cells):
    """A sweep file with this number of cells."""
    delays = ", ".join(f"{i + 1}ms" for i in range(cells // (len(VARIANTS) * RUNS)))
    return SWEEP.format(variants=", ".join(VARIANTS), delays=delays, runs=RUNS)


def prepared(scratch, cells):
    """A project with this number of finished cells and no tables."""
    project = harness.Project(scratch / f"{cells}")
    (project / "sweep.yaml").write_text(SWEEP.format(variants=", ".join(VARIANTS), delays="1ms", runs=1), "utf-8")
    harness.cost(*project.snakemake("--until", "simulate"))
    (project / "sweep.yaml").write_text(sweep(cells), encoding="utf-8")
    harness.cost(*project.snakemake("-n"))
    scale.make_up(project, "many")
    harness.cost(*project.snakemake("-n"))
    return project


def first_paint_s(page):
    """The first paint of a page in an offline browser, in s, as the browser reports it."""
    text = page.read_text(encoding="utf-8")
    end = text.rindex("</body>")
    probe = page.with_name("probe.html")
    nonce = re.search(r"'nonce-(\w+)'", text)
    if not nonce:
        raise harness.Failed(f"{page}: its policy allows no script")
    probe.write_text(text[:end] + PAINT.replace("{nonce}", nonce[1]) + text[end:], encoding="utf-8")
    flags = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking "
    flags += "--run-all-compositor-stages-before-draw"
    command = [harness.tool("chromium", "chromium"), *flags.split(), "--virtual-time-budget=10000", "--dump-dom"]
    profile = f"--user-data-dir={page.parent / 'profile'}"
    # The browser makes a socket in TMPDIR, and the path of scratch may be too long for a socket.
    short = {name: value for name, value in harness.environment().items() if name != "TMPDIR"}
    done = subprocess.run([*command, profile, probe.as_uri()], env=short, capture_output=True, text=True, check=False)
    found = re.search(r"<title>([0-9.]+)</title>", done.stdout)
    if not found:
        raise harness.Failed(f"{page}: the browser painted nothing: {done.stderr.strip()[-1000:]}")
    return float(found[1]) / 1000


def measure(parts, scratch):
    """Yield the time and memory for the tables and the page, and the time until a browser shows the page."""
    harness.program()
    start_s = harness.yardstick_s()
    for part in parts:
        project, folder = prepared(scratch, part.cells), "results/sweeps/many"
        commands = {"tables": [[sys.executable, "-m", "tcpsweep", "aggregate", folder], project.folder]}
        if part.page:
            page = [sys.executable, "-m", "tcpsweep", "report", folder, "reports/many.html"]
            commands["figures and page"] = [page, project.folder]
        costs = harness.interleaved(commands, part.rounds)
        walls = [sum(one.wall_s for one in together) for together in zip(*costs.values(), strict=True)]
        memory = [max(one.peak_mib for one in together) for together in zip(*costs.values(), strict=True)]
        what = f"report: {part.cells:,} cells, {' and '.join(costs)}"
        yield harness.judged(f"{what}, wall time", walls, unit=" s", digits=1)
        starts = [wall / start_s for wall in walls]
        yield harness.judged(f"{what} / {harness.YARDSTICK}, wall time", starts, part.most, digits=1)
        yield harness.judged(f"{what}, memory", memory, MOST_MIB, unit=" MiB", digits=0)
        if part.page:
            size = (project / "reports/many.html").stat().st_size / 1e6
            yield harness.judged(f"report: {part.cells:,} cells, the page", [size], MOST_MB, unit=" MB", digits=1)
            paints = [first_paint_s((project / "reports/many.html").resolve()) for _ in range(part.rounds)]
            what = f"report: {part.cells:,} cells, first paint"
            yield harness.judged(what, paints, unit=" s")
            yield harness.judged(f"{what} / {harness.YARDSTICK}", [paint / start_s for paint in paints], MOST_PAINT)
        shutil.rmtree(project.folder)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
