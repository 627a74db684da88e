# SPDX-License-Identifier: MIT
from pathlib import Path

import pytest

from tcpsweep.commands import reference
from tcpsweep.plan import plan
from tests.support.tools import ROOT


def test_the_reference_page_is_what_the_code_goes_by():
    assert (ROOT / "docs" / "reference.md").read_text() == reference.page(), (
        "run `tcpsweep reference docs/reference.md`"
    )


@pytest.mark.parametrize(
    "path", [*Path(ROOT / "config").glob("[!s]*.yaml"), *Path(ROOT / "tests" / "sweeps").glob("*.yaml")]
)
def test_the_sweep_files_that_come_along_are_right(path):
    _, sweep, _ = plan.read(path)
    assert sweep.combinations


def test_the_sweep_file_in_the_readme_is_right(tmp_path):
    (_, rest) = (ROOT / "README.md").read_text().split("```yaml\n", 1)
    (tmp_path / "readme.yaml").write_text(rest.partition("```")[0])
    _, sweep, _ = plan.read(tmp_path / "readme.yaml")
    assert len(sweep.combinations) == 12
