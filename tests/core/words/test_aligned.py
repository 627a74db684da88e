# SPDX-License-Identifier: MIT
"""Tables on a terminal: within its width, with whole numbers; without one, a row is a line."""

import io
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from tcpsweep.core.words.aligned import aligned, terminal_width

WORDS = st.text("abcXY/:- ", max_size=60).map(lambda text: " ".join(text.split()))
MEANS = st.floats(0, 1e9).map(lambda mean: f"{mean:.4g} ± {mean / 7:.2g}")


@st.composite
def tables(draw):
    """A table of words and means, below a row of heads."""
    columns = draw(st.lists(st.sampled_from([WORDS, MEANS]), min_size=1, max_size=9))
    count = draw(st.integers(0, 6))
    return [[draw(WORDS) for _ in columns], *([draw(cells) for cells in columns] for _ in range(count))]


@given(tables(), st.integers(80, 130))
def test_no_line_is_wider_than_the_terminal_and_no_number_is_cut(rows, width):
    text = aligned(rows, width)
    assert all(len(line) <= width for line in text.splitlines())
    assert all(cell in text for row in rows[1:] for cell in row if "±" in cell)


@given(tables())
def test_without_a_width_each_row_is_a_line_of_columns_with_two_spaces_between(rows):
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [" ".join(f" {text:{width}}" for text, width in zip(row, widths, strict=True)) for row in rows]
    assert aligned(rows).split("\n") == [f" {line}".rstrip() for line in lines]


def test_columns_that_follow_below_have_the_names_of_their_rows_whole():
    means = "4.820206 [4.810000, 4.830000]"
    heads = ["variant", "queue", *(f"metric {number}" for number in range(4))]
    rows = [["CUBIC (next to BBR)", queue, *[means] * 4] for queue in ("1bdp", "4bdp")]
    lines = aligned([heads, *rows], 80).splitlines()
    assert len(lines) == 4 * 3
    assert [line.split("  ")[1:3] for line in lines[1::3]] == [["CUBIC (next to BBR)", "1bdp"]] * 4
    assert "".join(lines).count(means) == 2 * 4


def test_a_stream_without_a_terminal_has_no_width():
    assert terminal_width(None) is None
    assert terminal_width(io.StringIO()) is None
    assert terminal_width(SimpleNamespace(isatty=lambda: True, encoding="utf-8")) >= 80
