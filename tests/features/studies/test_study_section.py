# SPDX-License-Identifier: MIT
"""The picture of a study's printed numbers."""

from tcpsweep.features.studies import study_section, study_words


def number(title="Goodput per flow", at=1.0, mean=None, interval=(None, None), span=(None, None)):
    fields = dict.fromkeys(study_words.Number._fields, "") | {"title": title, "unit": "kbit/s"}
    return study_words.Number(**fields)._replace(to_printed=study_words.Ratios(at, mean, *interval, *span))


def test_numbers_are_dots_around_one_by_metric_and_the_band_is_five_percent():
    found = study_section.picture(
        [number(at=0.97), number("Loss", at=1.2), number(at=1.04, mean=1.02, interval=(0.9, 1.1))]
    )
    axis = found.axis
    assert found.band == (axis.x(0.95), axis.x(1.05))
    assert [row.head for row in found.seen] == [("Goodput per flow", "kbit/s"), None, ("Loss", "kbit/s")]
    assert [row.strip.dot for row in found.seen] == [axis.x(0.97), axis.x(1.04), axis.x(1.2)]
    assert found.seen[1].strip.whisker == (axis.x(0.9), axis.x(1.1))
    assert found.others == []
    # Dots, and not wide intervals, set the axis.
    wide = study_section.picture([number(at=1.1, mean=1.1, interval=(-40, 60))])
    assert wide.axis.high < 2
    assert wide.seen[0].strip.cut == ("low", "high")


def test_many_numbers_are_in_part_folded_and_none_is_lost():
    found = study_section.picture([number(at=1 + place / 100) for place in range(60)])
    assert len(found.seen) == study_section.MOST_ROWS
    assert len(found.seen) + len(found.others) == len(found.all) == 60
    assert found.others[0].head == ("Goodput per flow", "kbit/s")
    assert study_section.picture([number("Loss")._replace(to_printed=None)]) is None  # no ratio
