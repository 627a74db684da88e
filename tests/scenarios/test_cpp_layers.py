# SPDX-License-Identifier: MIT
"""The folders of the scenarios' C++ are layers, in the order in ``ns3-scenarios/README.md``."""

import graphlib
import re

from tests.support.tools import ROOT

SCENARIOS = ROOT / "ns3-scenarios"
LIB = SCENARIOS / "lib"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
# From bottom to top.
FOLDERS = re.findall(r"^\| `lib/(\w+)/` \|", (SCENARIOS / "README.md").read_text(), re.MULTILINE)


def sources(folder):
    return {
        path.relative_to(folder).as_posix(): INCLUDE.findall(path.read_text())
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".cc", ".h")
    }


def upward(includes):
    """The includes that lead to a folder above the file's own."""
    level = {folder: number for number, folder in enumerate(FOLDERS)}
    return [
        f"{file} includes {name}"
        for file, names in includes.items()
        for name in names
        if level[name.split("/")[0]] > level[file.split("/")[0]]
    ]


def circle(includes):
    """The files of a circle of includes, a header and its ``.cc`` file taken as one; None if there is none."""
    graph = {}
    for file, names in includes.items():
        unit = file.rpartition(".")[0]
        graph.setdefault(unit, set()).update({name.rpartition(".")[0] for name in names} - {unit})
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return None


def test_every_file_is_in_a_folder_and_every_folder_in_the_table():
    assert {file.rpartition("/")[0] for file in sources(LIB)} == set(FOLDERS)


def test_includes_in_lib_are_written_from_lib_on_and_lead_neither_up_nor_in_a_circle():
    includes = sources(LIB)
    assert [(file, name) for file, names in includes.items() for name in names if name not in includes] == []
    assert upward(includes) == []
    assert circle(includes) is None


def test_no_include_leads_out_of_its_folder_by_dots():
    for folder in (SCENARIOS, ROOT / "tests", ROOT / "tcpsweep"):
        dotted = [(file, name) for file, names in sources(folder).items() for name in names if name.startswith(".")]
        assert [(file, name) for file, name in dotted if "hostile/" not in str(file)] == []


def test_includes_of_upper_layers_and_cycles_are_found():
    low, high = (f"{folder}/a" for folder in (FOLDERS[0], FOLDERS[-1]))
    wrong = {f"{low}.h": [], f"{low}.cc": [f"{low}.h", f"{high}.h"], f"{high}.h": [f"{low}.h"]}
    assert upward(wrong) == [f"{low}.cc includes {high}.h"]
    assert set(circle(wrong)) == {low, high}


# As clang-format leaves them: a file's own namespace, and what it defines there.
OWN = re.compile(r"^namespace\n\{\n(.*?)^\} // namespace$", re.MULTILINE | re.DOTALL)
DEFINED = re.compile(r"^(?:class|struct|enum class|using|constexpr [\w:]+|const [\w:<>]+) (\w+)|^(\w+)\(", re.MULTILINE)


def test_files_that_are_compiled_together_have_no_name_twice():
    files = {}
    for path in LIB.rglob("*.cc"):
        for text in OWN.findall(path.read_text()):
            for name in {one or other for one, other in DEFINED.findall(text)}:
                files.setdefault(name, []).append(path.name)
    assert len(files) > 50
    assert {name: found for name, found in files.items() if len(found) > 1} == {}
