# SPDX-License-Identifier: MIT
"""The versions of Python and of packages that are installed where an archive is made.

They may differ from a clone's locks if tcpsweep was installed from a wheel.
"""

import contextlib
import importlib.metadata
import platform

from tcpsweep.applications.archive.contents import ENVIRONMENT

FILE = f"{ENVIRONMENT}/installed.txt"
# The packages that make numbers and pages. `tests/project/test_release.py` compares them with `pyproject.toml`.
PACKAGES = (
    *("snakemake", "PyYAML", "jsonschema", "msgspec", "polars", "numpy", "pyarrow", "scipy", "vl-convert-python"),
    *("jinja2", "itables", "cmake", "ninja"),
)


def text() -> str:
    """A line for Python and each package, in the form of pip's requirements."""
    lines = [f"# Python {platform.python_version()}"]
    for name in PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):  # cmake may be the system's
            lines.append(f"{name}=={importlib.metadata.version(name)}")
    return "".join(f"{line}\n" for line in lines)
