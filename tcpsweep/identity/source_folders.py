# SPDX-License-Identifier: MIT
"""Where the project's own sources lie."""

import os
from pathlib import Path

ELSEWHERE = "TCPSWEEP_SCENARIOS"  # the environment variable that names another folder of programs in C++

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = Path(os.environ.get(ELSEWHERE) or ROOT / "ns3-scenarios").resolve()
PACKAGE = ROOT / "tcpsweep"
