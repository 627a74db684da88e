# SPDX-License-Identifier: MIT
import re

import pytest

from tcpsweep.commands import reference
from tcpsweep.plan import checked_sweep
from tests.support.tools import ROOT


def test_the_reference_page_is_what_the_code_goes_by():
    assert (ROOT / "docs" / "reference.md").read_text() == reference.page(), (
        "run `tcpsweep reference docs/reference.md`"
    )


SWEEPS = [path for path in (ROOT / "config").glob("*.yaml") if path.stem != "schema"]


@pytest.mark.parametrize("path", [*SWEEPS, *(ROOT / "tests" / "sweeps").glob("*.yaml")], ids=lambda path: path.stem)
def test_the_sweep_files_that_come_along_are_right(path):
    _, sweep, _ = checked_sweep.read(path)
    assert sweep.combinations


def test_the_sweep_file_in_the_readme_is_right(tmp_path):
    (_, rest) = (ROOT / "README.md").read_text().split("```yaml\n", 1)
    (tmp_path / "readme.yaml").write_text(rest.partition("```")[0])
    _, sweep, _ = checked_sweep.read(tmp_path / "readme.yaml")
    assert len(sweep.combinations) == 12


def test_results_lie_where_the_readme_says(finished):
    _, rest = (ROOT / "README.md").read_text().split("## Where the results are\n", 1)
    rows = dict(re.findall(r"^\| `(.*?)` \| (.*) \|$", rest.partition("\n## ")[0], re.MULTILINE))
    assert len(rows) == 4
    named = 0
    for path, told in rows.items():
        pattern = re.sub("<.*?>", "*", path)
        places = list(finished.folder.glob(pattern))
        assert places, path
        inside = {entry.name for place in places if place.is_dir() for entry in place.iterdir()}
        for name in re.findall(r"`([a-z_]+(?:\.[a-z]+|-<code>)?/?)`", told):
            if name not in ("packets", "events", "nodes", "links", "traffic", "transfers"):  # of captures and networks
                wanted = re.escape(name.rstrip("/")).replace("<code>", ".*")
                assert any(re.fullmatch(rf"{wanted}(\..*)?", entry) for entry in inside), (path, name)
                named += 1
    assert named >= 13
