# SPDX-License-Identifier: MIT
"""The numbers of results in README and docs stand in marks, from which `make shown` makes them."""

import pytest

from docs import shown

PLANNED = "demo simulations"
MEAN = "demo goodput_bps of TcpBbr where queue == 1bdp"


def test_every_mark_can_be_read_and_no_result_is_typed_in():
    assert list(shown.mistakes()) == []


def test_numbers_of_a_sweep_file_are_filled_in_without_results():
    page = f"It has <!--shown: {PLANNED}-->7<!--/--> simulations, and <!--shown: {MEAN}-->9 Mbit/s<!--/-->.\n"
    new = shown.filled(page, (), every=False)
    assert new == page.replace(">7<", f">{shown.value(PLANNED)}<")
    assert shown.filled(new, (), every=False) == new


def test_a_block_is_filled_in_again_and_again():
    page = f"<!-- shown: text\n![{{{PLANNED}}} of them](x.svg)\n-->\nold\n<!-- /shown -->\n"
    new = shown.filled(page, (), every=False)
    assert f"-->\n![{shown.value(PLANNED)} of them](x.svg)\n<!-- /shown -->" in new
    assert shown.filled(new, (), every=False) == new


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("dema simulations", "no sweep file"),
        ("demo goodput of TcpBbr", "did you mean 'goodput_bps'"),
        ("demo goodput_bps of TcpBbr where queue == 3bdp", "no combination has queue == 3bdp"),
        (f"{MEAN} as letters", "unknown form 'letters'"),
    ],
)
def test_a_wrong_mark_is_told(query, told):
    with pytest.raises(shown.Wrong, match=told):
        shown.parsed(query)


def test_numbers_of_results_outside_of_marks_are_found():
    page = "BBR loses 7.5 % and <!--shown: x-->3 ms<!--/-->, `5 ms`.\n\n```sh\nsleep 5 s\n```\n"
    assert [each for each in shown.typed(page)] == ["BBR loses 7.5 % and , ."]
