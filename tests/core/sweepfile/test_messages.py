# SPDX-License-Identifier: MIT
"""The messages about sweep files, as the files in `messages/` list them.

A section begins with `==` and one of `SETTINGS`. A case is some lines, and the messages about them, each after an
arrow; there, `…` stands for any text. A line `old => new` replaces text of the setting's file, `NAME holds 1 | 2` makes
a file of two lines beside it, and another line is added.
"""

import re
from pathlib import Path

import pytest

from tcpsweep.core.ns3 import engine
from tcpsweep.core.plan import checked_sweep, too_little
from tcpsweep.core.sweepfile.checks import clashes, ns3_check, start_times
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tests.support.networks import LINE, PRESET, network

DUMBBELL = "sweep: s\nscenario: dumbbell\n"
REFINE = "axis: bandwidth, between: 1Mbps and 100Mbps, where: goodput_bps of bbr - TcpCubic changes sign, to: 5%"
OVER = "bandwidth: 1Mbps to 50Mbps, delay: 5ms to 200ms, queue: 0.2bdp to 8bdp, loss: 0 to 0.02"


def without_ns3(text, folder):
    document = yaml_document.parse(text, f"{folder}/my.yaml")
    return document.mistakes(checked_sweep.expanded(document)[1])


def in_ns3(text, folder):
    document = yaml_document.parse(text, f"{folder}/my.yaml")
    return document.mistakes(ns3_check.problems(document.data, engine.find()))


def warnings(text, folder):
    sweep, problems = grid.expand(SweepFile(yaml_document.parse(text, f"{folder}/my.yaml").data))
    (row,) = sweep.combinations
    assert problems == []
    return "\n".join([*clashes.warnings(row), *start_times.warnings(row)])


def of_plan(text, folder):
    sweep, problems = checked_sweep.expanded(yaml_document.parse(text, f"{folder}/my.yaml"))
    assert problems == []
    return "\n".join(too_little.warnings(sweep))


def in_preset(text, folder, ask_ns3=False):
    (folder / "my-net.yaml").write_text(text)
    (folder / "my.yaml").write_text("sweep: s\nscenario: ./my-net.yaml\n")
    checked_sweep.read(folder / "my.yaml", ask_ns3)


def in_preset_and_ns3(text, folder):
    in_preset(text, folder, ask_ns3=True)


TWO = DUMBBELL + "grid: {variant: [TcpCubic, TcpBbr]}\n"
# For each, the file that the lines change, and the function that tells what is wrong with it.
SETTINGS = {
    "a whole file": ("", without_ns3),
    "a dumbbell": (DUMBBELL, without_ns3),
    "a dumbbell, asked of ns-3": (DUMBBELL, in_ns3),
    "warnings of a dumbbell": (DUMBBELL, warnings),
    "too little in a dumbbell": (DUMBBELL, of_plan),
    "too little in a network": ("", of_plan),
    "two variants": (TWO, without_ns3),
    "a refinement": (TWO.replace("]}", "], delay: [5ms, 50ms]}") + f"refine: {{{REFINE}}}\n", without_ns3),
    "a search": (
        f"{TWO}search: {{worst: goodput_bps of bbr - TcpCubic, over: {{{OVER}}}, cells: 200}}\n",
        without_ns3,
    ),
    "a network": (LINE, without_ns3),
    "a network, asked of ns-3": (LINE, in_ns3),
    "a network of one link": (network("hop: {between: [a, b]}"), without_ns3),
    "a preset": (PRESET, in_preset),
    "a preset, asked of ns-3": (PRESET, in_preset_and_ns3),
}


def cases():
    for file in sorted(Path(__file__).with_name("messages").glob("*.txt")):
        text = re.sub(r"^#.*\n", "", file.read_text(), flags=re.M)
        for section in re.split(r"^== ", text, flags=re.M)[1:]:
            setting, _, body = section.partition("\n")
            for lines, told in re.findall(r"((?:^(?!→).+\n)+)((?:^→.+\n)+)", body, re.M):
                messages = [] if told == "→ nothing\n" else re.findall("→ (.+)", told)
                yield pytest.param(setting, lines.splitlines(), messages, id=f"{setting}: {lines.strip()}")


@pytest.mark.parametrize(("setting", "lines", "messages"), [*cases()])
def test_a_file_gets_the_messages_that_are_listed(setting, lines, messages, tmp_path):
    text, look = SETTINGS[setting]
    for name, content in (line.split(" holds") for line in lines if " holds" in line):
        (tmp_path / name).write_text("\n".join(part.strip() for part in content.split("|")))
    for line in (line for line in lines if " holds" not in line):
        old, is_replaced, new = line.partition(" => ")
        assert old in text or not is_replaced
        text = text.replace(old, new, 1) if is_replaced else f"{text}{line}\n"
    try:
        said = str(look(text, tmp_path) or "")
    except yaml_document.Mistakes as error:
        said = str(error)
    told = [re.sub(r"^\S*my(-net)?\.yaml:", "", line).lstrip() for line in said.splitlines()]
    wanted = [".*".join(map(re.escape, message.split("…"))) for message in messages]
    assert len(told) == len(wanted), told
    assert all(map(re.fullmatch, wanted, told)), told
