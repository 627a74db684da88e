# SPDX-License-Identifier: MIT
"""The steps of docs/variants.md work: the code, the test and the sweep are taken from the page."""

import os
import shutil
import subprocess
import sys

import polars as pl
import pytest

from tests.support.recipes import blocks
from tests.support.tools import ROOT


@pytest.mark.long
def test_the_variant_on_the_page_is_built_tested_and_swept(project, build_folder):
    (variant,), (test,), (_, sweep) = (blocks(language, "variants") for language in ("cpp", "python", "yaml"))
    (project / "ns3-scenarios" / "variants" / "TcpTahoe.cc").write_text(variant)
    tests = ("tests/conftest.py", "tests/support", "tests/programs")
    for part in (*tests, "benchmarks/harness.py", "benchmarks/__main__.py"):
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        (project / part).parent.mkdir(exist_ok=True)
        copy(ROOT / part, project / part)
    shutil.copy(ROOT / "pyproject.toml", project.folder)
    (project / "tests" / "test_tahoe.py").write_text(test)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_tahoe.py"]
    environment = os.environ | {"TCPSWEEP_TESTS_BUILD": str(build_folder)}  # which has all but the new variant
    tested = subprocess.run(command, cwd=project.folder, env=environment, capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stdout
    assert "1 passed" in tested.stdout

    ran = project.run(project.tables("tahoe"), sweep=sweep)
    assert (ran.status, len(ran.simulated)) == (0, 2), ran.text
    flows = pl.read_parquet(project / "results" / "sweeps" / "tahoe" / "flows.parquet")
    goodput = dict(flows.select("variant", "goodput_bps").iter_rows())
    assert 0.5 * goodput["TcpNewReno"] < goodput["TcpTahoe"] < goodput["TcpNewReno"]
