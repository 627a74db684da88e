# SPDX-License-Identifier: MIT
"""The programs for ns-3's developers show the defects, and the patches of docs/ns3-patches apply to ns-3."""

import io
import os
import re
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.support.printed import printed

PATCHES = sorted((Path(__file__).parents[2] / "docs" / "ns3-patches").glob("*.patch"))
COMMITS = ["ns-3.44", "HEAD"]
NEWER = {"dctcp-loss"}  # the patch changes code that is younger than 3.44


@pytest.fixture
def numbers(variant_program):
    """What one of the programs prints."""
    return lambda name: [float(word) for word in printed(variant_program(f"ns3-{name}")).split()]


def test_bbr_fills_the_queue(numbers):
    (rtt_ms,) = numbers("rate-sample")
    assert rtt_ms > 75  # of 41 ms without a queue


def test_the_window_exceeds_the_threshold_after_a_recovery(numbers):
    threshold, window = numbers("recovery-exit")
    assert window >= threshold + 1


def test_an_ack_with_news_of_sack_does_not_grow_the_window(numbers):
    acknowledged, before, after = numbers("disorder-growth")
    assert acknowledged == 1
    assert after == before  # RFC 5681, section 3.1: in slow start, at least a segment more


def test_an_application_that_limits_the_rate_is_not_noticed(numbers):
    samples, limited = numbers("application-limit")
    assert samples > 900
    assert limited <= 2  # those of the connection's begin


def test_renos_count_goes_on_after_a_loss(numbers):
    assert numbers("linux-reno") == [1]  # in Linux, it is the window, 10


def test_the_time_of_a_retransmission_grows_with_the_square_of_the_segments(numbers):
    # Times of a processor, so other processes do not count. Four times as many segments would take four times as long.
    few_us, many_us = numbers("send-buffer")
    assert many_us > 8 * few_us


def test_bbrs_window_is_not_as_before_after_a_recovery(numbers):
    before, after, least, later_before, later_after, _ = numbers("bbr-recovery")
    assert after == (2**32 - 1) // 1448 > before  # the initial threshold, in segments
    assert least == 4
    assert later_after <= 0.6 * later_before


def test_bbr_does_not_notice_that_acks_arrive_together(numbers):
    # Linux' bbr_update_ack_aggregation() gives 1 or 2, and 10 or 11. Less than 4096 bytes have two segments.
    assert numbers("bbr-ack-epochs") == [2, 2]


def test_dctcp_does_not_reduce_its_window_after_a_loss(numbers):
    window, threshold, timeout_window, timeout_threshold = numbers("dctcp-loss")
    assert threshold == window  # RFC 8257, section 3.5: half
    assert timeout_threshold == timeout_window


def test_a_loss_after_a_mark_starts_no_recovery(numbers):
    rows = zip(*[iter(numbers("loss-after-mark"))] * 3, strict=True)
    plain, marked, with_sack, with_sack_marked = rows
    assert plain == with_sack == (20, 1, 0)  # ms after the loss: half a round trip; one recovery and no timeout
    assert marked[0] > 1000  # ns-3's least timeout, in ms
    assert marked[1:] == (0, 1)
    assert with_sack_marked == (20, 0, 0)


def test_a_loss_after_a_mark_can_abort_ns3(variant_program):
    command = [variant_program("ns3-loss-after-mark"), "assert"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "From OPEN->DISORDER but with 39 dup ACKs" in ended.stderr  # the wheel has asserts


def applied(patch, folder, *options):
    """Git's message about a patch, outside of any repository."""
    environment = os.environ | {"GIT_CEILING_DIRECTORIES": str(folder.parent), "LC_ALL": "C"}
    command = ["git", "apply", *options, patch]
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.stem)
def test_a_patch_is_whole(patch, tmp_path):
    """Git refuses a patch whose hunks have other numbers of lines than they say."""
    assert applied(patch, tmp_path, "--numstat").count("\tsrc/internet/model/tcp-")


@pytest.mark.long
@pytest.mark.skipif(not os.environ.get("NS3_GIT"), reason="NS3_GIT names no repository of ns-3")
@pytest.mark.parametrize("commit", COMMITS)
@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.stem)
def test_a_patch_applies_to_ns3(patch, commit, tmp_path):
    if patch.stem in NEWER and commit != "HEAD":
        pytest.skip("the patch is for newer commits only")
    files = re.findall(r"^\+\+\+ b/(.*)", patch.read_text(), re.M)
    command = ["git", "-C", Path(os.environ["NS3_GIT"]).expanduser(), "archive", commit, *files]
    archive = subprocess.run(command, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(tmp_path, filter="data")
    applied(patch, tmp_path, "--check")
