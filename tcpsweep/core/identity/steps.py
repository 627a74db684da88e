# SPDX-License-Identifier: MIT
"""The code of each step: its main modules, the files of its pages, and the data that they show for every sweep.

A module's imports are part of its code (`python_code`), including imports from ``store`` and ``words``.
"""

from pathlib import Path

from tcpsweep.core.identity import python_code, source_folders

# For each step, the modules that make its results.
MODULES = {
    "parse": ("core.parse.raw_files",),
    "captures": ("core.parse.raw_files", "core.parse.captures"),  # parse, for cells with captures
    "measure": ("core.measure.cell_metrics", "core.measure.audit"),
    "metrics": (
        "core.parse.raw_files",
        "core.measure.cell_metrics",
    ),  # two sweeps whose numbers are compared must share this code
    "aggregate": ("core.analysis.aggregate", "registry.tables"),
    "report": ("core.figures.static_figures", "core.report.sweep_page", "registry.report"),
    "pages": ("core.report.cell_page",),
}
# For each step, the files of its pages, below the package.
_PAGE = "core/report/page"
PAGES = {
    "report": (f"{_PAGE}/shared/*", f"{_PAGE}/frame/*", f"{_PAGE}/report/*", "features/*/report/*"),
    "pages": (f"{_PAGE}/shared/*", f"{_PAGE}/cell/*"),
}
# For each step, other files that its pages show: below the package, and next to it.
_LICENCES = "core/figures/library_licences.txt"
SHOWN = {"report": ((_LICENCES,), ("config/certificate-shares.yaml",)), "pages": ((_LICENCES,), ())}


def code_id(step: str, package: Path = source_folders.PACKAGE) -> str:
    """The identity of the current code of a step, one of `MODULES`, in the package's folder."""
    files = [file for pattern in PAGES.get(step, ()) for file in sorted(package.glob(pattern))]
    inside, beside = SHOWN.get(step, ((), ()))
    files += [package / file for file in inside]
    files += [(package.parent if source_folders.IS_CLONE else source_folders.ROOT) / file for file in beside]
    return python_code.python_id(*MODULES[step], files=tuple(files), package=package)
