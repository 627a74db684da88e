# SPDX-License-Identifier: MIT
"""Edits of the project, each with the identities that it changes: only these steps rerun."""

import functools
import shutil

import pytest

from tcpsweep.identity import cpp_code, python_code, source_folders, steps

MEASURED = {"measure", "metrics"}
TABLES = {"aggregate", "report"}
PAGES = {"report", "pages"}
PARSED = {"parse", "captures", "metrics"}
PROGRAMS = ("chain", "dumbbell", "lrwpan-dumbbell", "single-link", "wifi-dumbbell", "inspect")
SCENARIOS = set(PROGRAMS) - {"inspect"}
VARIANTS = ("variants/TcpAdaptiveReno", "variants/TcpWestwood")


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the code that can be edited."""
    root = tmp_path_factory.mktemp("tree")
    for folder in ("tcpsweep", "ns3-scenarios", "config"):
        shutil.copytree(source_folders.ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return root


@pytest.fixture(scope="module")
def identities():
    """Every identity of a copy of the code, by name."""
    strip = functools.cache(cpp_code.strip_cpp)  # most files stay the same

    def identities(root):
        for cache in (python_code.python_id, python_code._modules, cpp_code.cpp_id):
            cache.cache_clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cpp_code, "strip_cpp", strip)
            scenarios = {name: cpp_code.cpp_id(name, root / "ns3-scenarios") for name in (*PROGRAMS, *VARIANTS)}
            decoder = cpp_code.cpp_id("packets", root / "tcpsweep" / "parse" / "native")
        of_steps = {step: steps.code_id(step, root / "tcpsweep") for step in steps.MODULES}
        return of_steps | scenarios | {"decoder": decoder}

    yield identities
    for cache in (python_code.python_id, python_code._modules, cpp_code.cpp_id):
        cache.cache_clear()


@pytest.fixture(scope="module")
def before(tree, identities):
    return identities(tree)


# A file, the text to replace in it (None: the file is new or longer), the new text, and the changed identities.
EDITS = {
    "the lock's message": ("tcpsweep/store/run_lock.py", "is in use by {owners}", "is taken by {owners}", set()),
    "a docstring in the store": ("tcpsweep/store/layout.py", "The folder of the cell's", "Folder of a cell's", set()),
    "the store's code": ("tcpsweep/store/layout.py", '"raw"', '"RAW"', TABLES | PAGES),
    "a style of all pages": ("tcpsweep/report/page/shared/style.css", None, "p { margin: 0 }", PAGES),
    "a script of the report": ("tcpsweep/report/page/report/explorer.js", None, "// new", {"report"}),
    "a script of cells' pages": ("tcpsweep/report/page/cell/timeline.js", None, "// new", {"pages"}),
    "a style of cells' pages": ("tcpsweep/report/page/cell/cell.css", None, "p { margin: 0 }", {"pages"}),
    "what a cell's page tells": ("tcpsweep/report/cell_story.py", "STARVED = 0.1", "STARVED = 0.2", {"pages"}),
    "the charts of cells' pages": ("tcpsweep/figures/cell_timeline_chart.py", None, "NEW = 1", {"pages"}),
    "a new file of the report": ("tcpsweep/report/page/report/new.css", None, "p {}", {"report"}),
    "a new file of the comparison": ("tcpsweep/report/page/compare/new.css", None, "p {}", set()),
    "the certificate in short": ("config/certificate-shares.yaml", None, "# new", {"report"}),
    "the licences in pages": ("tcpsweep/figures/library_licences.txt", None, "new", PAGES),
    "a progress text": ("tcpsweep/command_line/terminal/progress.py", None, 'WORDS = "new"', set()),
    "a message while ns-3 is built": ("tcpsweep/ns3/ns3_build.py", "% built", "% made", set()),
    "a message about clashes": (
        "tcpsweep/sweepfile/checks/clashes.py",
        "packets may queue",
        "packets might queue",
        set(),
    ),
    "a message about units": ("tcpsweep/words/unit_hints.py", "a unit is missing", "it lacks a unit", {"report"}),
    "the text of an error about units": ("tcpsweep/words/quantity_forms.py", "reasonable size", "fair size", set()),
    "a unit's factor": ("tcpsweep/words/unit_factors.py", "2**30", "2**31", {"captures", "measure"} | TABLES | PAGES),
    "the schema of sweep files": ("config/schema.yaml", "type: object", "type: array", set()),
    "a metric's title": ("tcpsweep/words/rate_metrics.py", "Goodput per flow", "Goodput of a flow", TABLES | PAGES),
    "a metric's formula": ("tcpsweep/measure/fairness.py", "values.sum()) ** 2", "values.sum()) ** 3", MEASURED),
    "what a metric of traffic is": ("tcpsweep/words/traffic_metrics.py", "ITU-T G.1030", "a book", TABLES | PAGES),
    "a class of sizes": ("tcpsweep/words/size_classes.py", "10_000", "20_000", MEASURED | TABLES | PAGES),
    "how transfers are parsed": ("tcpsweep/parse/transfers.py", None, "NEW = 1", PARSED),
    "how traffic is measured": ("tcpsweep/measure/traffic.py", None, "NEW = 1", MEASURED),
    "a threshold": ("tcpsweep/words/thresholds.py", "FAIR = 0.95", "FAIR = 0.8", MEASURED | TABLES | PAGES),
    "what a column means": ("tcpsweep/words/column_meanings.py", "Simulated time", "ns-3's time", set()),
    "a column's type": (
        "tcpsweep/words/table_columns.py",
        '"flow": pl.Int32',
        '"flow": pl.Int64',
        PARSED | MEASURED | {"aggregate", "pages", "report"},
    ),
    "the decoder's code": ("tcpsweep/parse/native/wifi.cc", "0x20000", "0x40000", {"decoder"}),
    "the parser": ("tcpsweep/parse/raw_files.py", None, "NEW = 1", PARSED),
    "the parser of captures": ("tcpsweep/parse/captures.py", None, "NEW = 1", {"captures"}),
    "a scenario's code": ("ns3-scenarios/chain.cc", None, "int added;", {"chain"}),
    "what programs are built with": ("ns3-scenarios/CMakeLists.txt", None, "set(NEW 1)", {*PROGRAMS, *VARIANTS}),
    "a variant": ("ns3-scenarios/variants/TcpWestwood.cc", None, "int added;", {"variants/TcpWestwood"}),
    "what variants share": ("ns3-scenarios/variants/bandwidth-estimator.h", None, "int added;", set(VARIANTS)),
    "a formula of statistics": (
        "tcpsweep/statistics/means.py",
        'pl.col("mean") - half',
        'pl.col("mean") - 2 * half',
        TABLES,
    ),
    "a chart": ("tcpsweep/figures/chart_look.py", None, "NEW = 1", PAGES),
    "the plan": ("tcpsweep/plan/plan.py", None, "NEW = 1", set()),
    "the commands": ("tcpsweep/command_line/for_people.py", None, "NEW = 1", set()),
    "the frames": ("tcpsweep/frames/opened_sweep.py", None, "NEW = 1", set()),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_changes_these_identities_and_no_others(edit, tree, identities, before):
    file, old, new, expected = EDITS[edit]
    path = tree / file
    text = path.read_text(encoding="utf-8") if path.is_file() else None
    assert old is None or old in text, "the edit has nothing to replace"
    try:
        path.write_text(f"{text or ''}\n{new}\n" if old is None else text.replace(old, new), encoding="utf-8")
        after = identities(tree)
    finally:
        if text is None:
            path.unlink()
        else:
            path.write_text(text, encoding="utf-8")
    assert {name for name in before if after[name] != before[name]} == expected


def test_a_header_of_the_scenarios_is_of_those_that_include_it(tree, identities, before):
    header = next((tree / "ns3-scenarios" / "lib").rglob("link-channel.h"))
    text = header.read_text(encoding="utf-8")
    header.write_text(text + "int added;\n", encoding="utf-8")
    try:
        after = identities(tree)
    finally:
        header.write_text(text, encoding="utf-8")
    changed = {name for name in before if after[name] != before[name]}
    assert changed == {name for name in SCENARIOS if "link-channel" in "".join(cpp_code.cpp_sources(name))}
    assert "chain" in changed
