# SPDX-License-Identifier: MIT
"""The list of installed versions in an archive, compared with the versions here."""

import numpy
import scipy

from tcpsweep.features.archive import installed


def test_only_versions_that_differ_are_named(tmp_path):
    assert installed.others(tmp_path) == []
    file = tmp_path / installed.FILE
    file.parent.mkdir()
    file.write_text(installed.text())
    assert installed.others(tmp_path) == []
    changed = installed.text().replace(f"scipy=={scipy.__version__}", "scipy==0.9").replace("# Python 3", "# Python 2")
    file.write_text(f"{changed}evil==1\n\n==\n")
    python, of_scipy = installed.others(tmp_path)
    assert python.startswith("Python 2.")
    assert of_scipy == f"scipy 0.9 (here {scipy.__version__})"
    assert f"numpy=={numpy.__version__}" in changed
    file.write_text("numpy==1\x1b[31m\n")
    assert installed.others(tmp_path) == []
    file.write_bytes(b"\xff")
    assert installed.others(tmp_path) == []
