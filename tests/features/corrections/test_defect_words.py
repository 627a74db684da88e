# SPDX-License-Identifier: MIT
"""The planner's single warning about ns-3's known defects."""

import pytest

from tcpsweep.core.plan import plan, plan_words

FEW = ", preset: none, corrections: prr+rate_sample+window_after_recovery"
SWEEP = "sweep: s\nscenario: dumbbell\ngrid: {variant: %s}\nfixed: {duration: 9s, loss: %s%s}\n%s\n"


@pytest.fixture
def lines(tmp_path, monkeypatch):
    """The warnings of a sweep that name defects."""
    monkeypatch.chdir(tmp_path)

    def of(variants, loss=0, fixed="", more=""):
        (tmp_path / "s.yaml").write_text(SWEEP % (variants, loss, fixed, more))
        text = plan_words.describe(plan.with_cells("s.yaml")[2])
        return [line for line in text.splitlines() if "known to be wrong" in line]

    return of


def test_defects_are_told_in_one_line_by_variant(lines):
    assert lines("[TcpNewReno, TcpLinuxReno, TcpCubic]", "1%", FEW) == [
        "tcpsweep: warning: ns-3 3.44 is known to be wrong here in 5 ways: all variants: "
        "lost retransmissions, data in flight overcounted in recovery; "
        "all variants but TcpNewReno: the end of a recovery counts data twice; "
        "TcpNewReno: NewReno opens half as fast; "
        "TcpLinuxReno: Reno's count goes on; `tcp: corrected` corrects 4 of them (docs/features/known-defects.md)"
    ]
    (line,) = lines("[TcpBbr, TcpCubic, TcpLinuxReno]", "1%", FEW)
    assert "all variants but TcpBbr: lost retransmissions, data in flight overcounted" in line


def test_a_sweep_of_which_only_timeouts_are_wrong_has_no_such_line(lines):
    assert lines("[TcpCubic, TcpVeno]", fixed=FEW) == []
    (line,) = lines("[TcpCubic, TcpVeno]", fixed=FEW, more='expect: ["timeouts <= 0"]')
    assert "timeouts in full buffers" in line


def test_without_corrections_the_line_names_what_would_cure(lines):
    assert lines("[TcpCubic]", more="tcp: ns-3") == [
        "tcpsweep: warning: ns-3 3.44 is known to be wrong here in 3 ways: TcpCubic: "
        "PRR counts twice, PRR overflows, PRR begins from the pipe; `tcp: corrected` corrects all of them "
        "(docs/features/known-defects.md)"
    ]


def test_by_default_only_what_has_no_correction_is_told(lines):
    assert lines("[TcpCubic, TcpBbr, TcpCubic+TcpBbr]", "1%") == []
    assert lines("[TcpNewReno, TcpCubic]", "1%") == [
        "tcpsweep: warning: ns-3 3.44 is known to be wrong here in 1 way: TcpNewReno: NewReno opens half as fast "
        "(docs/features/known-defects.md)"
    ]
