# SPDX-License-Identifier: MIT
import re

import pytest

import tcpsweep
from tcpsweep.core.command_line import for_people
from tcpsweep.core.command_line.commands import interface_pages, reference
from tcpsweep.core.ns3 import catalogue, engine
from tcpsweep.core.plan import checked_sweep
from tcpsweep.features.corrections import defects_page
from tcpsweep.registry import commands
from tcpsweep.registry import reference as of_features
from tests.project.conftest import marked
from tests.support.pages import examples
from tests.support.tools import ROOT


def test_the_pages_that_a_command_writes_are_what_the_code_goes_by():
    page_of_commands = interface_pages.command_line_page([*for_people.COMMANDS, *commands.COMMANDS])
    pages = reference.pages(tcpsweep, of_features.PARTS)
    written = {f"reference{ending}": text for ending, text in pages.items()}
    written |= {"features/known-defects": defects_page.page(), "command-line": page_of_commands}
    for name, text in written.items():
        page = (ROOT / "docs" / f"{name}.md").read_text()
        assert page == text, f"run `tcpsweep reference`, `defects` or `commands` with docs/{name}.md"


pytestmark = pytest.mark.usefixtures("any_kernel")


SWEEPS = [
    path
    for place in ("config", "config/course")
    for path in (ROOT / place).glob("*.yaml")
    if path.stem not in ("schema", "known-defects", "certificate-shares")
]


# The changes that docs/course.md proposes: the file, the old text, the new text, and the resulting number of cells.
CHANGES = [
    ("throughput-and-delay", "TcpVegas]", "TcpVegas, TcpLinuxReno]", 84 + 28),
    ("throughput-and-delay", "queue: 2bdp", "queue: 0.25bdp", 84),
    ("throughput-and-delay", "DelAckCount: 1", "DelAckCount: 2", 84),
    ("bufferbloat", "[none, codel]", "[none, codel, fq_codel]", 40 + 20),
    ("bufferbloat", "bandwidth: 1500kbps", "bandwidth: 20Mbps", 40),
]


@pytest.mark.parametrize(("name", "old", "new", "cells"), CHANGES)
def test_what_the_course_proposes_to_change_is_right(name, old, new, cells, tmp_path):
    text = (ROOT / "config" / "course" / f"{name}.yaml").read_text()
    assert text.count(old) == 1
    (tmp_path / "changed.yaml").write_text(text.replace(old, new))
    _, sweep, _ = checked_sweep.read(tmp_path / "changed.yaml")
    assert len(sweep.combinations) * len(sweep.runs) == cells


BY_OTHER_TESTS = ("docs/variants", "docs/first-change")  # whose tests compile the variant and apply the changes
WHOLE = [
    (place, text)
    for place, text in examples("yaml")
    if re.search("^sweep:", text, re.MULTILINE) and not place.startswith(BY_OTHER_TESTS)
]


@pytest.mark.parametrize(("place", "text"), marked(WHOLE))
def test_whole_sweep_files_in_the_docs_are_right(place, text, tmp_path):
    (tmp_path / "sweep.yaml").write_text(text)
    _, sweep, _ = checked_sweep.read(tmp_path / "sweep.yaml", ask_ns3=True)
    assert sweep.combinations


def test_the_pages_on_data_centres_and_l4s_name_what_ns3_has():
    """And the features that it lacks: if a later ns-3 has them, docs/data-centre.md has to change."""
    types = catalogue.types(engine.find())
    has = {name for name, about in types.items() if "UseL4s" in about["attributes"]}
    assert {f"ns3::{name}QueueDisc" for name in ("FqCoDel", "FqCobalt", "FqPie", "CoDel", "Cobalt", "Pie")} == has
    assert [name for name, about in types.items() if "UseEct0" in about["attributes"]] == ["ns3::TcpDctcp"]
    missing = ("prague", "dualpi", "dualq", "accecn", "accurateecn")
    names = [name for name in types] + [each for about in types.values() for each in about["attributes"]]
    assert not [name for name in names if any(word in name.lower() for word in missing)]


def test_results_lie_where_the_page_says(finished):
    first = (ROOT / "docs" / "results.md").read_text().partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `(.*?)` \| (.*) \|$", first, re.MULTILINE))
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
