# SPDX-License-Identifier: MIT
"""The programs of docs/ns3-bugs.md show what the page says."""

import subprocess


def printed(program):
    return [
        float(word) for word in subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    ]


def test_bbr_fills_the_queue(variant_program):
    (rtt_ms,) = printed(variant_program("ns3-rate-sample"))
    assert rtt_ms > 75  # of 41 ms without a queue


def test_the_window_exceeds_the_threshold_after_a_recovery(variant_program):
    threshold, window = printed(variant_program("ns3-recovery-exit"))
    assert window >= threshold + 1
