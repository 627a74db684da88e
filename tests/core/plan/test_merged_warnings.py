# SPDX-License-Identifier: MIT
"""Warnings that are merged over swept ranges."""

from tcpsweep.core.plan import plan_record


def test_warnings_that_differ_in_numbers_are_one_with_their_range():
    found = plan_record.merged_warnings(
        {
            "a base round trip of 18ms is short: timeouts come after 1s, 56 times that; write `preset: linux`": 20,
            "a base round trip of 4.5ms is short: timeouts come after 1s, 222 times that; write `preset: linux`": 3,
            "TcpBbr does not pace": 2,
        }
    )
    assert found == {
        "a base round trip of 4.5ms to 18ms is short: timeouts come after 1s, 56 to 222 times that; "
        "write `preset: linux`": 23,
        "TcpBbr does not pace": 2,
    }


def test_what_is_to_be_written_stays_as_it_is():
    apart = {"too short: write `duration: 10s`": 1, "too short: write `duration: 20s`": 1}
    assert plan_record.merged_warnings(apart) == apart


def test_numbers_of_other_units_stay_apart():
    apart = {"after 900ms": 1, "after 1s": 1}
    assert plan_record.merged_warnings(apart) == apart
