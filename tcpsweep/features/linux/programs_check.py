# SPDX-License-Identifier: MIT
"""Whether programs can be the flows of a combination."""

import re
from collections.abc import Container, Iterator
from pathlib import Path

from tcpsweep.core.sweep import assignment, host_programs, network_graph
from tcpsweep.core.sweep.host_programs import NONE, SENDER
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words.mixes import NOBODY, Mix

_OWN_DECISIONS = ("bytes", "packet_rate")  # what a program decides by itself
_PLAIN_NAME = re.compile(r"[\w.+-]+")
_SHELL_WORDS = ("cd", "exec", "export", "for", "if", "set", "trap", "ulimit", "umask", "until", "while")


def problems(row: Combination, files: Container[str]) -> Iterator[tuple[str, str]]:
    """Why a combination cannot have its programs: the name of the parameter at fault, and the message.

    ``files`` are the words of commands that name files next to the sweep file.
    """
    for name, command in host_programs.commands(row):
        prefix = name.rpartition(".")[0]
        prefix += "." if prefix else ""
        if not _have_linux_tcp(row, str(row.get(f"{prefix}variant", row["variant"]))):
            yield name, "programs run only at hosts with Linux' TCP: write `stack: linux`"
            return
        if row.get(prefix + SENDER, NONE) == NONE:
            yield name, f"write {SENDER} too, the program at the other end"
        for field in _OWN_DECISIONS:
            if row.get(prefix + field, 0):
                yield prefix + field, f"the program decides what it sends: remove {field}"
        yield from ((name, message) for message in _command_problems(command, files))
    if any(host_programs.commands(row)):
        yield from _shared_host_problems(row)


def _have_linux_tcp(row: Combination, variants: str) -> bool:
    """Whether all variants of a mix use Linux' TCP; `NOBODY` is none."""
    turns = [turn for turn in Mix.parse(variants).turns if turn != NOBODY]
    return all(assignment.is_kernel_asked({"stack": row.get("stack"), "variant": turn}) for turn in turns)


def _command_problems(command: str, files: Container[str]) -> Iterator[str]:
    try:
        words = host_programs.words(command)
    except ValueError as error:
        yield f"not a command of the shell: {error}; got {command!r}"
        return
    if above_folder := [word for word in words if ".." in Path(word).parts and not word.startswith("/")]:
        yield f"programs see the sweep file's folder and those below; write the whole path of {above_folder[0]}"
    elif missing_files := [word for word in words if word.startswith("./") and word not in files]:
        yield f"there is no file {missing_files[0]} next to the sweep file"
    program = words[0] if words else ""
    if not program or (
        _PLAIN_NAME.fullmatch(program) and program not in _SHELL_WORDS and not host_programs.program_path(program)
    ):
        yield f"this machine has no program {program!r}; install it, or write its path"


def _shared_host_problems(row: Combination) -> Iterator[tuple[str, str]]:
    """Nodes at which programs and other flows or traffic begin or end, or two programs with the same ends."""
    program_by_host: dict[str, str] = {}
    other_by_host: dict[str, str] = {}
    program_ends = set()
    prefixes = {group.name: group.prefix for group in network_graph.groups(row)}
    for flow in network_views.network_of(row).flows:
        parameter, ends = prefixes[flow.group] + SENDER, (flow.source, flow.target)
        if row.get(parameter, NONE) == NONE:
            other_by_host |= dict.fromkeys(ends, flow.group)
            continue
        program_by_host |= dict.fromkeys(ends, parameter)
        if ends in program_ends:
            yield parameter, f"two flows of programs go from {ends[0]} to {ends[1]}; give each a node of its own"
        program_ends.add(ends)
    for group in network_graph.things(row, "traffic"):
        number = network_graph.value(row, "traffic", group, "hosts", 1)
        for field in ("from", "to"):
            hosts = network_graph.hosts(str(network_graph.value(row, "traffic", group, field)), number)
            other_by_host |= dict.fromkeys(hosts, group)
    for host in sorted(program_by_host.keys() & other_by_host.keys()):
        yield (
            program_by_host[host],
            f"at {host}, {other_by_host[host]} begins or ends too; give the program nodes of its own",
        )
