# SPDX-License-Identifier: MIT
"""The examples of README and docs: each is read by the program that a user would use.

Whole sweep files are checked in test_docs.py, recipes run in tests/frames/, the steps of a network and a variant of
one's own in their own files here.
"""

import contextlib
import io
import re
import shlex
import shutil
from pathlib import Path

import pytest
import snakemake.cli
import yaml

from tcpsweep import pipeline
from tcpsweep.core.command_line import for_people, main
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweepfile.document.yaml_document import Mistakes
from tcpsweep.registry import commands as commands_of_features
from tests.project.conftest import marked
from tests.support.pages import PAGES, examples
from tests.support.recipes import blocks
from tests.support.tools import ROOT

pytestmark = pytest.mark.usefixtures("any_kernel")
ELSEWHERE = ("docs/recipes.md", "docs/network-step-by-step.md", "docs/variants.md", "docs/gallery.md")

# --- Parts of sweep files: by their first key, the rest of a file that makes them complete. ---

TOLD = yaml.safe_load(Path(__file__).with_name("left_to_the_reader.yaml").read_text())
NUMBERS = "variant,queue,bandwidth,metric,printed,unit\nTcpNewReno+TcpHybla,10p,1Mbps,jain,0.9,1\n"


def beside(text):
    """The rest of a sweep file, which makes a part complete."""
    if re.search(r"^grid:", text, re.MULTILINE):
        return ""
    for key, grid in TOLD["grids"].items():
        if re.search(key, text, re.MULTILINE | re.DOTALL):
            return f"grid: {{{grid}}}\n"
    return ""


def whole(text):
    """The sweep files that a part represents: several, if it has a key twice."""
    keys = re.findall(r"^(\w+):", text, re.MULTILINE)
    parts = text.splitlines() if len(set(keys)) < len(keys) else [text]
    for part in parts:
        yield f"sweep: example\nscenario: dumbbell\n{beside(part)}{part}\n"


PARTS = [
    (place, text)
    for place, text in examples("yaml")
    if not place.startswith(ELSEWHERE) and not re.search(r"^sweep:", text, re.MULTILINE) and "ns3:" not in text[:5]
]
SWEEP_PARTS = [(place, text) for place, text in PARTS if not place.startswith("docs/network.md")]


@pytest.mark.parametrize(("place", "text"), marked(SWEEP_PARTS))
def test_a_part_of_a_sweep_file_is_right(place, text, tmp_path):
    (tmp_path / "my-study.csv").write_text(NUMBERS)
    for each in whole(text):
        (tmp_path / "sweep.yaml").write_text(re.sub(r"\bTcp[AB]\b", lambda name: TOLD["variants"][name[0]], each))
        _, sweep, _ = checked_sweep.read(tmp_path / "sweep.yaml", ask_ns3=True)
        assert sweep.combinations


def test_parts_of_networks_and_the_preset_are_right(tmp_path):
    shutil.copytree(ROOT / "config" / "workloads", tmp_path / "workloads")
    found = [text for place, text in PARTS if place.startswith("docs/network.md")]
    (preset,) = (text for text in found if "description:" in text)
    assert len(found) == len(TOLD["networks"]) + 1
    (tmp_path / "two-routers.yaml").write_text(preset)
    sweeps = ["sweep: s\nscenario: ./two-routers.yaml\ngrid: {rate: [2Mbps, 4Mbps]}\n"]
    for text in (text for text in found if text != preset):
        (more,) = (more for begin, more in TOLD["networks"].items() if text.startswith(begin))
        network = yaml.safe_load(text) | more
        if "traffic" in network:  # its hosts have no links of their own there
            network["traffic"]["short"] |= {"from": "sender{i}", "to": ["client{i}"], "hosts": 10}
        file = {"sweep": "example", "scenario": "network", "network": network, "fixed": {"variant": "TcpCubic"}}
        sweeps.append(yaml.safe_dump(file))
    for text in sweeps:
        (tmp_path / "sweep.yaml").write_text(text)
        _, sweep, _ = checked_sweep.read(tmp_path / "sweep.yaml", ask_ns3=True)
        assert len(sweep.combinations) == 1 + (text == sweeps[0])


GALLERY = ("config", "rtt-fairness", "lossy-link")


def test_the_gallerys_figures_and_tables_are_those_of_the_files_that_come_along():
    files = [yaml.safe_load((ROOT / f"config/{name}.yaml").read_text()) for name in GALLERY]
    asked = [each for file in files for each in file.get("figures", []) + file.get("tables", [])]
    shown = [each for text in blocks("yaml", "gallery") for each in yaml.safe_load(text)]
    assert len(shown) >= 8
    assert not [each for each in shown if each not in asked]


def test_the_mistake_in_the_readme_is_told_as_it_says(tmp_path, monkeypatch):
    (text,) = (text for place, text in examples("") if place.startswith("README") and "TcpCubik" in text)
    (file,) = (each for place, each in examples("yaml") if place.startswith("README"))
    file = file.replace("[TcpCubic, TcpBbr, ", "[TcpCubik, TcpBbr, ")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-sweep.yaml").write_text(file)
    with pytest.raises(Mistakes) as told:
        checked_sweep.read("my-sweep.yaml", ask_ns3=True)
    for line in text.splitlines():
        pattern = ".*?".join(map(re.escape, line.split("…")))
        assert re.search(f"^{pattern}", str(told.value), re.MULTILINE), str(told.value)


# --- Commands. ---


def commands():
    """Each line of the pages' shell examples, and each command among their words, that is one of ours."""
    for place, text in examples("sh"):
        for line in re.sub(r"\\\n", "", text).splitlines():
            yield place, line
    for place, text in examples("console"):  # of other people's tools, too, which are not here
        for line in re.findall(r"^\$ ((?:make|tcpsweep|snakemake) .*)$", text, re.MULTILINE):
            yield place, line
    for page in PAGES:
        for line in re.findall(r"`((?:make|tcpsweep|snakemake) [^`\n]*)`", page.read_text(encoding="utf-8")):
            yield str(page.relative_to(ROOT)), line


COMMANDS = sorted({(place, line.partition("  #")[0].strip()) for place, line in commands()})
MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = {name for names in re.findall(r"^([a-z][a-z -]*):", MAKEFILE, re.MULTILINE) for name in names.split()}
VARIABLES = {"PYTHON", "CXX", "NS3", *re.findall(r"\b([A-Z][A-Z0-9_]*)\b", MAKEFILE)}
SHELL = ("tar", "patch", ".", "cp", "sed", "echo", "cd", "mkdir", "NS3=$(.venv/bin/python")
OTHERS = (*SHELL, "git", "sudo", "tshark", "cmake", "ninja", "rsync", "ssh", "unzip")
IN_VENV = ".venv/bin/"  # test_other_tools.py runs these
EVERY_COMMAND = (*for_people.COMMANDS, *pipeline.COMMANDS, *commands_of_features.COMMANDS)
TCPSWEEP = main._parser(EVERY_COMMAND)


def check_arguments(words, parser=TCPSWEEP):
    """Fail if a command does not take these words, but for COMMAND itself."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        try:
            parser.parse_args(["sweep" if word == "COMMAND" else word for word in words])
        except SystemExit as ended:
            assert not ended.code, said.getvalue()


def test_there_are_commands_of_each_kind():
    assert {"make", "tcpsweep", "snakemake"} <= {line.split()[0] for _, line in COMMANDS}
    assert len(COMMANDS) >= 40


@pytest.mark.parametrize("line", sorted({line for _, line in COMMANDS}))
def test_a_command_of_the_pages_is_one_that_there_is(line):
    words = shlex.split(line.replace("[", "").replace("]", "").replace("…", ""))
    if words[0] == "make":
        assert {word for word in words[1:] if "=" not in word and not word.endswith("-")} <= TARGETS
        assert {word.partition("=")[0] for word in words[1:] if "=" in word} <= VARIABLES
    elif len(words) == 2 and words[0] == "tcpsweep" and not words[1].startswith("-"):
        assert words[1] in {command.name for command in EVERY_COMMAND}
    elif words[0] == "tcpsweep":
        check_arguments(words[1:])
    elif words[0] == "snakemake":
        check_arguments(words[1:], snakemake.cli.get_argument_parser())
    else:
        assert words[0] in OTHERS or words[0].endswith("/dumbbell") or words[0].startswith(IN_VENV), line


BY_HAND = [line for _, line in COMMANDS if "/dumbbell --" in line]


@pytest.mark.long
@pytest.mark.parametrize("line", BY_HAND)
def test_a_simulator_that_is_called_by_hand_takes_what_the_page_gives_it(line, run):
    options = [word for word in shlex.split(line) if word.startswith("--")]
    given = [option for option in options if not option.startswith(("--out", "--duration"))]
    assert given
    assert run(*given, "--duration=2s").record


# --- Python. ---


@pytest.mark.long
def test_all_sweeps_of_a_folder_are_read_together_as_the_page_says(recipes, monkeypatch):
    monkeypatch.chdir(recipes.folder)
    names = {}
    exec(compile(blocks("python", "scale")[0], "docs/scale.md", "exec"), names)
    assert set(names["summary"]["sweep"].str.split("/").list.get(2)) == {"recipes"}


def test_no_page_has_python_that_no_test_runs():
    """Other pages have tests of their own; test_module.py runs a module as snakemake.md shows it."""
    names = (
        "recipes network-step-by-step variants network scale features/import features/rank data notebooks first-change "
        "snakemake"
    )
    known = tuple(f"docs/{name}.md" for name in names.split())
    assert not [place for place, _ in examples("python") if not place.startswith(known)]


def test_no_page_has_a_language_that_no_test_reads():
    languages = {found for page in PAGES for found in re.findall(r"^ *```(\w+)$", page.read_text(), re.MULTILINE)}
    assert languages <= {"yaml", "sh", "console", "python", "cpp", "sql", "tex", "diff", "mermaid"}
