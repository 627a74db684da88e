# SPDX-License-Identifier: MIT
"""The code of each step: the modules that it begins with, and the files of its pages.

What a module imports belongs to it (`python_code`). ``store`` and ``words`` are imported like any other.
"""

from pathlib import Path

from tcpsweep.identity import python_code, source_folders

# Each step to the modules that make its results.
MODULES = {
    "parse": ("parse.raw_files",),
    "captures": ("parse.raw_files", "parse.captures"),  # parse, where something is captured
    "measure": ("measure.cell_metrics", "measure.audit"),
    "metrics": ("parse.raw_files", "measure.cell_metrics"),  # what the numbers of two sweeps must share
    "aggregate": ("analysis.aggregate",),
    "report": ("figures.static_figures", "report.sweep_page"),
    "pages": ("report.cell_page",),
}
# Each step to the folders below `report/page/` that hold the files of its pages.
PAGES = {"report": ("shared", "frame", "report"), "pages": ("shared", "cell")}


def code_id(step: str, package: Path = source_folders.PACKAGE) -> str:
    """The identity of a step's code, one of `MODULES`, as it stands in the package's folder."""
    folders = (package / "report" / "page" / folder for folder in PAGES.get(step, ()))
    files = (file for folder in folders for file in sorted(folder.iterdir()))
    return python_code.python_id(*MODULES[step], files=tuple(files), package=package)
