# SPDX-License-Identifier: MIT
"""The report's section on a search."""

from tcpsweep.core.sweep import contrast_words
from tcpsweep.core.sweep.contrast import Contrast
from tcpsweep.features.search import search_section
from tests.support import synthetic
from tests.support.searched import at_hole


def test_first_looks_stand_beside_fresh_runs_and_what_was_found_is_marked():
    sweep, table = at_hole()
    section = search_section.section(synthetic.results(sweep, search=table))
    found, *others = section.rows
    assert {row.role for row in others} == {"confirmed"}
    assert (found.role, found.is_found, found.runs) == ("found and confirmed", True, 5)
    assert found.looked.startswith("−6")
    assert found.mean.endswith(" %")
    assert found.interval.startswith("[−6")
    assert found.against.endswith(" Mbit/s")
    assert [each.x for each in section.scatters] == ["bandwidth", "delay", "loss"]
    assert [mark.kind for _, mark in section.scatters[0].marks][-2:] == ["tried", "found"]
    assert len(section.climb.marks) == section.looks == 30
    assert all(46 <= mark.x <= 334 and 12 <= y <= 180 for y, mark in section.climb.marks)


def test_a_value_has_its_unit_and_a_difference_its_sign():
    share = Contrast("goodput_bps", "TcpBbr", "TcpCubic")
    assert contrast_words.title(share) == "Goodput per flow of TcpBbr against TcpCubic"
    assert [contrast_words.value(share, value) for value in (0.5, -0.667, None)] == ["+50 %", "−66.7 %", "–"]
    assert contrast_words.value(Contrast("goodput_bps", "TcpBbr"), 2.34e6) == "2.34 Mbit/s"
    of_losses = Contrast("congestion_loss", "TcpBbr", "TcpCubic")
    assert contrast_words.value(of_losses, 0.01) == "+1 percentage points"
    assert contrast_words.interval(share, -1.2, float("inf")) == ""
