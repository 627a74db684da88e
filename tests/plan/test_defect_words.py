# SPDX-License-Identifier: MIT
"""The planner's single warning about ns-3's known defects."""

import pytest

from tcpsweep.plan import plan, plan_words

SWEEP = "sweep: s\nscenario: dumbbell\ngrid: {variant: %s}\nfixed: {duration: 9s, loss: %s}\n%s\n"


@pytest.fixture
def lines(tmp_path, monkeypatch):
    """The warnings of a sweep that name defects."""
    monkeypatch.chdir(tmp_path)

    def of(variants, loss=0, more=""):
        (tmp_path / "s.yaml").write_text(SWEEP % (variants, loss, more))
        text = plan_words.describe(plan.with_cells("s.yaml")[2])
        return [line for line in text.splitlines() if "known to be wrong" in line]

    return of


def test_defects_are_told_in_one_line_by_variant(lines):
    assert lines("[TcpNewReno, TcpLinuxReno, TcpCubic]", "1%") == [
        "tcpsweep: warning: ns-3 3.44 is known to be wrong here in 5 ways: all variants: "
        "lost retransmissions (corrected by `corrections: rack_tlp`), "
        "pipe too large in recovery (corrected by `corrections: rack_tlp`); "
        "all variants but TcpNewReno: "
        "the end of a recovery counts data twice (corrected by `corrections: recovery_exit`); "
        "TcpNewReno: NewReno opens half as fast; "
        "TcpLinuxReno: Reno's count goes on (corrected by `corrections: reno`) (docs/known-defects.md)"
    ]
    (line,) = lines("[TcpBbr, TcpCubic, TcpLinuxReno]", "1%")
    assert "all variants but TcpBbr: lost retransmissions (corrected by `corrections: rack_tlp`), pipe" in line


def test_a_sweep_of_which_only_timeouts_are_wrong_has_no_such_line(lines):
    assert lines("[TcpCubic, TcpVeno]") == []
    (line,) = lines("[TcpCubic, TcpVeno]", more='expect: ["timeouts <= 0"]')
    assert "timeouts in full buffers" in line


def test_without_corrections_the_line_names_what_would_cure(lines):
    assert lines("[TcpCubic]", more="corrections: none") == [
        "tcpsweep: warning: ns-3 3.44 is known to be wrong here in 3 ways: TcpCubic: "
        "PRR counts twice (corrected by `corrections: prr`), PRR overflows (corrected by `corrections: prr`), "
        "PRR begins from the pipe (corrected by `corrections: prr`) (docs/known-defects.md)"
    ]
