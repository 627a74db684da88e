# SPDX-License-Identifier: MIT
"""`tcpsweep new`: a commented sweep file to start from, with a line that names its schema for editors.

`tcpsweep demo` copies the demo's sweep file into the working folder instead. `tcpsweep new TcpMine.cc` writes a
congestion control in C++ to start from, which compiles as it is.
"""

import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tcpsweep.core.identity import source_folders
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.store import whole_files
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.words import spelling
from tcpsweep.core.words.user_error import UserError

SCHEMA = source_folders.ROOT / "config" / "sweep.schema.json"
VARIANTS = ("TcpLinuxReno", "TcpCubic", "TcpBbr")
_WIRELESS = ("wifi-dumbbell", "lrwpan-dumbbell")
_MORE_KEYS = """\
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

_CLASS_NAME = re.compile(r"[A-Z]\w*")
_VARIANT_TEMPLATE = """\
// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/double.h>
#include <ns3/tcp-congestion-ops.h>

#include <algorithm>

namespace ns3
{

/**
 * Reno with other steps: each round trip adds Increase segments, and a loss leaves the share Beta of the
 * window. With 1 and 0.5 it grows as TcpLinuxReno. ns-3's TcpNewReno adds half a segment with delayed ACKs.
 * Change this to your algorithm, and cite it here with its equations.
 */
class @CLASS@ : public TcpNewReno
{
  public:
    /// @return the type's id
    static TypeId GetTypeId();

    std::string GetName() const override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;
    Ptr<TcpCongestionOps> Fork() override;

  protected:
    void CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;

  private:
    double m_increase; //!< segments that a round trip adds in congestion avoidance
    double m_beta;     //!< share of the bytes in flight that a loss leaves
    double m_rest{0};  //!< bytes of the next addition, less than one
};

NS_OBJECT_ENSURE_REGISTERED(@CLASS@);

TypeId
@CLASS@::GetTypeId()
{
    // A sweep file sets attributes, or makes an axis of them: "ns3::@CLASS@::Beta": [0.5, 0.7]
    static const TypeId tid =
        TypeId("ns3::@CLASS@")
            .SetParent<TcpNewReno>()
            .SetGroupName("Internet")
            .AddConstructor<@CLASS@>()
            .AddAttribute("Increase",
                          "Segments that a round trip adds in congestion avoidance",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&@CLASS@::m_increase),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("Beta",
                          "Share of the bytes in flight that a loss leaves",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&@CLASS@::m_beta),
                          MakeDoubleChecker<double>(0.0, 1.0));
    return tid;
}

std::string
@CLASS@::GetName() const
{
    return "@CLASS@";
}

// After a loss: the slow start threshold in bytes.
uint32_t
@CLASS@::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    return std::max(static_cast<uint32_t>(m_beta * bytesInFlight), 2 * tcb->m_segmentSize);
}

// For each ACK above the slow start threshold: the window in bytes.
void
@CLASS@::CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    const double segment = tcb->m_segmentSize;
    m_rest += m_increase * segmentsAcked * segment * segment / tcb->m_cWnd.Get();
    const auto whole = static_cast<uint32_t>(m_rest);
    m_rest -= whole;
    tcb->m_cWnd += whole;
}

// Each connection has an object of its own.
Ptr<TcpCongestionOps>
@CLASS@::Fork()
{
    return CopyObject<@CLASS@>(this);
}

} // namespace ns3
"""


def schema_line(file: Path) -> str:
    """The comment that leads YAML language servers to the schema, with a path relative to the file's folder."""
    folder, root = file.absolute().parent, source_folders.ROOT
    is_inside = folder.is_relative_to(root)
    address = os.path.relpath(SCHEMA, folder) if is_inside else SCHEMA.as_uri()
    return f"# yaml-language-server: $schema={address}"


def write(file: Path, scenario: str | None, variants: Sequence[str]) -> str:
    """Write a sweep file that is ready to run; on a terminal, ask for missing values. Return the next step.

    For a name that ends in ``.cc``, write a variant instead. The sweep takes its name from the file. The scenario is
    of `schema.programs()`. Raises `UserError`, and `yaml_document.Mistakes` if a variant's name is wrong; then there is
    no file.
    """
    scenarios = list(schema.programs())
    if os.path.lexists(file):
        raise UserError(f"{file} already exists; write another name, or move it away")
    if file.suffix == ".cc":
        return _write_variant(file)
    if file.suffix not in (".yaml", ".yml"):
        raise UserError(f"{file}: expected a name that ends in .yaml, such as {file.with_suffix('.yaml')}")
    asks_user = scenario is None and not variants and sys.stdin.isatty()
    if asks_user:
        scenario = _answer(f"Topology ({', '.join(scenarios)})", scenarios[0])
        variants = (
            _answer("Congestion controls, by ns-3's names or the field's", " ".join(VARIANTS)).replace(",", " ").split()
        )
    scenario = scenario or scenarios[0]
    if scenario not in scenarios:
        expected = f"expected {', '.join(scenarios)}{spelling.did_you_mean(scenario, scenarios)}"
        raise UserError(f"there is no scenario {scenario!r} to begin with; {expected}")
    text = _sweep_text(file, scenario, variants or VARIANTS)
    whole_files.write_whole(file, text)
    try:
        checked_sweep.read(file, ask_ns3=True)
    except Exception:
        file.unlink()
        raise
    return f"{file} is written. Edit it, then run: tcpsweep sweep {file}"


def _answer(question: str, default: str, read_line: Callable[[str], str] = input) -> str:
    return read_line(f"{question} [{default}]: ").strip() or default


def _sweep_text(file: Path, scenario: str, variants: Sequence[str]) -> str:
    name = (
        "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in file.stem).lstrip("._-")
        or "my-sweep"
    )
    if schema.has_dotted_names(scenario):
        return _network_text(file, name, variants)
    axis_line = "delay: [10ms, 50ms]               # one way, across the bottleneck"
    keys = _MORE_KEYS
    if scenario in _WIRELESS:
        axis_line = "stations: [4, 8]"
        keys = keys.replace("delay", "stations").replace("10ms", "4").replace("50ms", "8")
    flows = "flows: 2, " if "flows" in schema.parameters(scenario) else ""
    return f"""\
{_head(file, name, scenario)}
grid:                                 # every combination is simulated
  variant: [{", ".join(variants)}]
  bandwidth: [5Mbps, 20Mbps]
  {axis_line}
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
    file = Path("demo.yaml")
    if not file.exists():
        lines = _DEMO.read_text(encoding="utf-8").splitlines()
        lines = [schema_line(file) if line.startswith(_SCHEMA_LINE) else line for line in lines]
        whole_files.write_whole(file, "\n".join([*lines, ""]))
    return file


def _write_variant(file: Path) -> str:
    """Write the C++ file; return what to do next. Raises `UserError`."""
    name = file.stem
    if not _CLASS_NAME.fullmatch(name):
        raise UserError(f"{file}: expected the name of a C++ class with a capital letter, such as TcpMine.cc")
    whole_files.write_whole(file, _VARIANT_TEMPLATE.replace("@CLASS@", name))
    return f"{file}: change the algorithm, then name it in a sweep file next to it: variant: [./{file.name}, TcpCubic]"
