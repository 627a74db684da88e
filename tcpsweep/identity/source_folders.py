# SPDX-License-Identifier: MIT
"""Where the project's own sources lie."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "ns3-scenarios"
PACKAGE = ROOT / "tcpsweep"
