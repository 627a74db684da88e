# SPDX-License-Identifier: MIT
"""`tcpsweep new`: a commented sweep file to start from, with a line that names its schema for editors.

`tcpsweep demo` copies the demo's sweep file into the working folder instead.
"""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tcpsweep.command_line.commands import new_variant
from tcpsweep.identity import source_folders
from tcpsweep.plan import checked_sweep
from tcpsweep.store import whole_files
from tcpsweep.sweepfile.keys import schema
from tcpsweep.words import spelling
from tcpsweep.words.user_error import UserError

SCHEMA = source_folders.ROOT / "config" / "sweep.schema.json"
VARIANTS = ("TcpLinuxReno", "TcpCubic", "TcpBbr")
_WIRELESS = ("wifi-dumbbell", "lrwpan-dumbbell")
_KEYS = """\
# More keys to try: remove the # before a line. docs/sweep-file.md explains them. Editors that read the first line
# complete all other keys.
#
# baseline: TcpCubic                              # the variant that the others are compared with
# exclude: {delay: 50ms, loss: 0.1%}              # removes combinations with all of these values
# attributes: {"ns3::TcpSocket::InitialCwnd": 4}  # any ns-3 attribute; a list of values makes an axis
# precision: {goodput_bps: 5%}                    # instead of repetitions: repeat until means are this precise
# expect: jain >= 0.9 where loss == 0             # the sweep fails if this does not hold
# capture: {pcap: bottleneck}                     # packets at the bottleneck, as Parquet
# figures:
# - {metric: goodput_bps, axis: delay, panels: loss, where: {bandwidth: 5Mbps}}
# - {show: [cwnd, rtt, queue], title: The first 20 s, where: {bandwidth: 5Mbps, loss: 0, delay: 10ms}, to: 20s}
"""

_DEMO = source_folders.ROOT / "config" / "demo.yaml"
_SCHEMA_LINE = "# yaml-language-server:"


def schema_line(file: Path) -> str:
    """The comment that leads YAML language servers to the schema, with a path relative to the file's folder."""
    home, root = file.absolute().parent, source_folders.ROOT
    near = home.is_relative_to(root)
    place = os.path.relpath(SCHEMA, home) if near else SCHEMA.as_uri()
    return f"# yaml-language-server: $schema={place}"


def write(file: Path, scenario: str | None, variants: Sequence[str]) -> str:
    """Write a sweep file that is ready to run; on a terminal, ask for missing values. Return the next step.

    For a name that ends in ``.cc``, write a variant instead. The sweep takes its name from the file. The scenario is
    of `schema.programs()`. Raises `UserError`, and `yaml_document.Mistakes` if a variant's name is wrong; then there is
    no file.
    """
    known = list(schema.programs())
    if os.path.lexists(file):
        raise UserError(f"{file} already exists; write another name, or move it away")
    if file.suffix == ".cc":
        return new_variant.write(file)
    if file.suffix not in (".yaml", ".yml"):
        raise UserError(f"{file}: expected a name that ends in .yaml, such as {file.with_suffix('.yaml')}")
    asks = scenario is None and not variants and sys.stdin.isatty()
    if asks:
        scenario = _asked(f"Topology ({', '.join(known)})", known[0])
        variants = (
            _asked("Congestion controls, by ns-3's names or the field's", " ".join(VARIANTS)).replace(",", " ").split()
        )
    scenario = scenario or known[0]
    if scenario not in known:
        expected = f"expected {', '.join(known)}{spelling.did_you_mean(scenario, known)}"
        raise UserError(f"there is no scenario {scenario!r} to begin with; {expected}")
    text = _text(file, scenario, variants or VARIANTS)
    whole_files.write_whole(file, text)
    try:
        checked_sweep.read(file, ask_ns3=True)
    except Exception:
        file.unlink()
        raise
    return f"{file} is written. Edit it, then run: tcpsweep sweep {file}"


def _asked(what: str, usual: str, ask: Callable[[str], str] = input) -> str:
    return ask(f"{what} [{usual}]: ").strip() or usual


def _text(file: Path, scenario: str, variants: Sequence[str]) -> str:
    name = (
        "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in file.stem).lstrip("._-")
        or "my-sweep"
    )
    if schema.is_described(scenario):
        return _network_text(file, name, variants)
    of_network = "delay: [10ms, 50ms]               # one way, across the bottleneck"
    keys = _KEYS
    if scenario in _WIRELESS:
        of_network = "stations: [4, 8]"
        keys = keys.replace("delay", "stations").replace("10ms", "4").replace("50ms", "8")
    flows = "flows: 2, " if "flows" in schema.parameters(scenario) else ""
    return f"""\
{_head(file, name, scenario)}
grid:                                 # every combination is simulated
  variant: [{", ".join(variants)}]
  bandwidth: [5Mbps, 20Mbps]
  {of_network}
  loss: [0, 0.1%]                     # of packets, at random
repetitions: 14                       # runs with different random numbers: fewer show no equivalence
fixed: {{{flows}duration: 60s, warmup: 15s}}

{keys}"""


def _head(file: Path, name: str, scenario: str) -> str:
    return f"""\
{schema_line(file)}
sweep: {name}
title: {name.replace("-", " ").replace("_", " ").capitalize()}
scenario: {scenario}"""


def _network_text(file: Path, name: str, variants: Sequence[str]) -> str:
    return f"""\
{_head(file, name, "network")}
network:                              # docs/network.md explains links, flows and traffic
  links:                              # a node exists because a link names it
    wifi: {{between: [laptop, router], bandwidth: 50Mbps, delay: 2ms, queue: 100p}}
    uplink: {{between: [router, server], bandwidth: 10Mbps, delay: 10ms, queue: 1bdp}}
  flows:
    upload: {{from: laptop, to: server}}
    download: {{from: server, to: laptop}}
grid:                                 # every combination is simulated
  variant: [{", ".join(variants)}]
  network.links.uplink.queue: [1bdp, 4bdp]   # every field of the network has such a name
repetitions: 14                       # runs with different random numbers: fewer show no equivalence
fixed: {{duration: 60s, warmup: 15s}}
"""


def demo_file() -> Path:
    """The demo's sweep file in the working folder, written if it is missing; in a clone, the clone's own file."""
    if Path.cwd() == source_folders.ROOT:
        return _DEMO.relative_to(source_folders.ROOT)
    found = Path("demo.yaml")
    if not found.exists():
        lines = _DEMO.read_text(encoding="utf-8").splitlines()
        lines = [schema_line(found) if line.startswith(_SCHEMA_LINE) else line for line in lines]
        whole_files.write_whole(found, "\n".join([*lines, ""]))
    return found
