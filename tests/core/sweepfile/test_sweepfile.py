# SPDX-License-Identifier: MIT
"""Sweep files as YAML 1.2, and texts that no golden file can hold."""

import pytest

from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweepfile.document import yaml_document


def test_numbers_and_words_are_those_of_yaml_1_2():
    text = "[1e-3, 1E5, .5, 0o17, 0x1F, 012, 1_000, on, yes, true, 1:30, '5', ~]"
    values = [0.001, 1e5, 0.5, "0o17", "0x1F", 12, "1_000", "on", "yes", True, "1:30", "5", None]
    assert yaml_document.parse(text, "f").data == values


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "1:1: the file is empty"),
        ("a: " + "9" * 400, "1:4: a: the number 99999999999999999999… of 400 digits is too large"),
        ("[" * 200_000, "1:21: nested too deeply"),
        ("sweep: " + "x" * 81, "1:1: the key 'scenario' is missing"),
        (f"scenario: dumbbell\nsweep: {'x' * 81}", "2:8: sweep: expected up to 80 letters"),
        ("# π\ngrid: {delay: [1ms", "2:15: this '[' is not closed by a ']'"),
        ("grid:\r\n  delay: [1ms\r\n  loss: [0]", "2:10: this '[' is not closed by a ']'"),
    ],
)
def test_a_long_or_an_odd_text_is_told_where_it_begins_to_be_wrong(tmp_path, text, told):
    (tmp_path / "my.yaml").write_bytes(text.encode())
    with pytest.raises(yaml_document.Mistakes) as caught:
        checked_sweep.without_ns3(tmp_path / "my.yaml")
    assert str(caught.value).startswith(f"{tmp_path}/my.yaml:{told}")


def test_a_file_that_is_not_there_or_not_text_is_named(tmp_path):
    with pytest.raises(yaml_document.Mistakes, match="cannot be read: No such file"):
        yaml_document.read(tmp_path / "none.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(yaml_document.Mistakes, match="not UTF-8"):
        yaml_document.read(tmp_path / "binary.yaml")
