# SPDX-License-Identifier: MIT
"""A certificate from a short real sweep: ns-3's CUBIC with and without corrections, and Linux' in virtual time."""

import json
import re
import subprocess

import pytest

from tcpsweep.command_line import main
from tests.support.project import TCPSWEEP

pytestmark = pytest.mark.kernel
SWEEP = """\
sweep: small
scenario: dumbbell
grid:
- {variant: [TcpCubic], stack: [ns-3], corrections: [none, all]}
- {variant: [TcpCubic], stack: [linux]}
repetitions: 5
pages: false
fixed: {flows: 2, bandwidth: 3Mbps, delay: 10ms, queue: 1bdp, preset: linux, time: virtual, duration: 6s, warmup: 1s}
"""


def test_a_real_sweep_gets_a_certificate(with_kernel, kernel, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.yaml").write_text(SWEEP)
    subprocess.run([TCPSWEEP, "sweep", "small.yaml"], check=True)
    main.main(["certificate", "small.yaml"])
    said = capfd.readouterr().out
    assert re.search(
        r"^Of 5 comparisons, .*: \d+ % with `corrections: all` \(.*\), \d+ % with `corrections: none` \(.*\)\.$",
        said,
        re.M,
    ), said
    written = json.loads((tmp_path / "reports/certificate-small.json").read_text())
    assert written["linux"] == {"release": kernel.built.release, "virtual_time": True}
    assert len(written["comparisons"]) == 10
    goodput = [each for each in written["comparisons"] if each["metric"] == "goodput_bps"]
    # Two flows share 3 Mbit/s less the headers of TCP, IP and PPP: 1448 of 1502 bytes.
    for each in goodput:
        assert each["mean"] == pytest.approx(1.5e6 * 1448 / 1502, rel=0.05)
        assert each["linux_mean"] == pytest.approx(1.5e6 * 1448 / 1502, rel=0.05)
    page = (tmp_path / "reports/certificate-small.html").read_text()
    assert 'href="certificate-small.json"' in page
