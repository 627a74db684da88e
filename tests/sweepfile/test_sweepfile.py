# SPDX-License-Identifier: MIT
from pathlib import Path

import pytest

from tcpsweep.plan import checked_sweep
from tcpsweep.sweepfile.document import yaml_document
from tcpsweep.sweepfile.keys import schema_check

GOOD = """\
sweep: small
scenario: dumbbell
grid:
  variant: [TcpCubic, TcpBbr]
"""


def mistakes(text):
    """The messages about a sweep file, a line each."""
    with pytest.raises(yaml_document.Mistakes) as caught:
        document = yaml_document.parse(text, "my.yaml")
        raise document.mistakes(schema_check.problems(document.data))
    return str(caught.value).splitlines()


def test_numbers_and_words_are_those_of_yaml_1_2():
    text = "[1e-3, 1E5, .5, 0o17, 0x1F, 012, 1_000, on, yes, true, 1:30, '5', ~]"
    values = [0.001, 1e5, 0.5, "0o17", "0x1F", 12, "1_000", "on", "yes", True, "1:30", "5", None]
    assert yaml_document.parse(text, "f").data == values


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: !!python/object/apply:os.system ['touch x']", "my.yaml:1:4", "the tag"),
        ("a: !x 1", "my.yaml:1:4", "the tag"),
        ("a: &x 1\nb: *x", "my.yaml:2:4", "aliases"),
        ("a: 1\nb: 2\na: 3", "my.yaml:1:1", "'a' is set twice, on lines 1 and 3"),
        ("a: [1", "my.yaml:1:4", "is not closed"),
        ("a: {b: 1, b: 2}", "my.yaml:1:5", "'b' is set twice"),
        ('a: "\\ud800"', "my.yaml:1:4", "surrogate"),
        ("a: 1e999", "my.yaml:1:4", "too large"),
        ("a: " + "9" * 400, "my.yaml:1:4", "the number 99999999999999999999… of 400 digits is too large"),
        ("? [1]\n: 2", "my.yaml:1:1", "keys must be plain text"),
        ("", "my.yaml", "the file is empty"),
        ("a: 1\n---\nb: 2", "my.yaml", "expected one YAML document, found 2"),
        ("[" * 200_000, "my.yaml:1:21", "nested too deeply"),
    ],
)
def test_what_is_no_plain_data_is_refused_with_its_place(text, place, words):
    told = mistakes(text)
    assert any(line.startswith(place) and words in line for line in told), told


def test_a_file_that_is_not_there_or_not_text_is_named(tmp_path):
    with pytest.raises(yaml_document.Mistakes, match="cannot be read: No such file"):
        yaml_document.read(tmp_path / "none.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(yaml_document.Mistakes, match="not UTF-8"):
        yaml_document.read(tmp_path / "binary.yaml")


def test_all_mistakes_are_told_together_each_with_place_expectation_and_nearest_spelling():
    told = mistakes(
        'sweep: "a;b"\n'
        "scenario: dumbell\n"
        "grid:\n"
        "  bandwith: [10Mbps]\n"
        "  bandwidth: [10mbps, 10]\n"
        "  delay: 20ms\n"
        "fixed: {loss: 2, flows: two, loss_on: ack}\n"
        "atributes: {}\n"
        "repetitions: 0\n"
        "runs: [1, 1]\n"
        "capture: {traces: [cwnd]}\n"
    )
    expected = [
        ("my.yaml:1:8: sweep:", "letters, digits"),
        ("my.yaml:2:11: scenario:", "did you mean 'dumbbell'?"),
        ("my.yaml:4:3: grid.bandwith:", "did you mean 'bandwidth'?"),
        ("my.yaml:5:15: grid.bandwidth[0]:", "did you mean '10Mbps'?"),
        ("my.yaml:5:23: grid.bandwidth[1]:", "a unit is missing"),
        ("my.yaml:6:10: grid.delay:", "expected a list"),
        ("my.yaml:7:15: fixed.loss:", "from 0 to 1"),
        ("my.yaml:7:25: fixed.flows:", "a whole number"),
        ("my.yaml:7:39: fixed.loss_on:", "did you mean 'acks'?"),
        ("my.yaml:8:1: atributes:", "did you mean 'attributes'?"),
        ("my.yaml:9:14: repetitions:", "at least 1"),
        ("my.yaml:10:1: runs:", "not both"),
        ("my.yaml:10:7: runs:", "twice"),
        ("my.yaml:11:20: capture.traces[0]:", "did you mean 'cwnd_bytes'?"),
    ]
    assert len(told) == len(expected), "\n".join(told)
    for line, (place, words) in zip(told, expected, strict=True):
        assert line.startswith(place), line
        assert words in line


def test_a_parameter_beside_the_sections_is_told_its_place():
    (told,) = mistakes(GOOD + "preset: linux\n")
    assert told == "my.yaml:5:1: preset: this is a parameter: write it under `fixed` or `grid`"


@pytest.mark.parametrize("text", ["- 1", "5", "sweep: x", "null", "scenario: [dumbbell]\nsweep: {}"])
def test_a_file_of_another_shape_is_told_so_without_a_traceback(text):
    assert mistakes(text)


@pytest.mark.parametrize(
    "value",
    [
        "{delay: null}",
        "{delay: [1ms, 2ms]}",
        "{delay: {a: 1}}",
        "{queue_disc: [none]}",
        "{access_delay: [[1ms, 2ms], [3ms]]}",
        "{access_delay: [[[1ms]]]}",
    ],
)
def test_a_list_is_refused_where_one_value_is_wanted(value):
    for told in mistakes(f"{GOOD}fixed: {value}\n"):
        assert told.startswith("my.yaml:5:")
        assert ", got " in told


@pytest.mark.parametrize("value", ["null", "{a: 1}", "[[1]]", '"1\\n2"'])
def test_an_attributes_value_is_one_scalar(value):
    assert mistakes(f'{GOOD}attributes: {{"ns3::TcpSocket::InitialCwnd": {value}}}\n')


@pytest.mark.parametrize("key", ["$(touch x)", "x; rm -rf /", "ns3::A::B; touch x", "../../etc/passwd", "a b"])
def test_hostile_keys_are_unknown_keys(key):
    assert mistakes(f"{GOOD}attributes: {{{key!r}: 1}}\n")
    assert mistakes(f"{GOOD}  {key!r}: [1]\n")


@pytest.mark.parametrize("name", ["../x", "a/b", "-rf", ".hidden", "$(id)", "a b", "a\\nb", "a\\n", "x" * 81, ""])
def test_a_sweep_cannot_be_named_like_a_path_an_option_or_a_command(name):
    assert mistakes(GOOD.replace("small", repr(name).replace("'", '"')))


def test_no_sweep_is_named_like_the_page_of_an_import(here):
    Path("my.yaml").write_text(GOOD.replace("small", "import-lab"))
    with pytest.raises(yaml_document.Mistakes, match=r"^my\.yaml:1:8: sweep: the pages of `tcpsweep import` begin"):
        checked_sweep.without_ns3("my.yaml")
    Path("my.yaml").write_text(GOOD.replace("small", "importlab"))
    assert checked_sweep.without_ns3("my.yaml").name == "importlab"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("queue: 1e18p", "expected at most 4294967295p, the most that ns-3 counts, got '1e18p'"),
        ("ecn_threshold: 5GB", "expected at most 4294967295B"),
        ("socket_buffer: 4294967296", "expected auto, or a whole number of bytes from 1 to 4294967295, got 4294967296"),
        ("socket_buffer: 5GB", "from 1 to 4294967295, got '5GB'"),
        ("socket_buffer: 1.5B", "from 1 to 4294967295, got '1.5B'"),
    ],
)
def test_a_size_that_ns3_cannot_count_is_refused(value, words):
    (told,) = mistakes(GOOD + f"fixed: {{{value}}}")
    assert words in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("grid:\n\tdelay: [1ms]", "my.yaml:2:1: indent with spaces, not with tabs"),
        ("grid:\n  delay: [1ms]\n\tloss: [0]", "my.yaml:3:1: indent with spaces, not with tabs"),
        ("sweep: \t[1", "my.yaml:1:8: write a space instead of this tab"),
        ("grid:\n  delay: [1ms, 2ms\n  loss: [0]\nseed: 2", "my.yaml:2:10: this '[' is not closed by a ']'"),
        ("fixed: {delay: 1ms\nseed: 3\n", "my.yaml:1:8: this '{' is not closed by a '}'"),
        ("grid: {delay: [1ms, 2ms}\n", "my.yaml:1:15: this '[' is not closed by a ']', but by '}' on line 1"),
        ("title: 'x\nseed: 2", "my.yaml:1:8: this quote is not closed"),
        ("title: %x", "my.yaml:1:8: put text that begins with % in quotes"),
        ("seed: 1\n grid: 2", "my.yaml:2:6: a key cannot be here: correct the indentation"),
        (
            "fixed:\n  delay: 1ms\n loss: 2",
            "my.yaml:3:2: the indentation of this line differs from the lines around it",
        ),
        ("- a\nseed: 1", "my.yaml:2:1: expected the list's next item, which begins with '- '"),
        ("# π\ngrid: {delay: [1ms", "my.yaml:2:15: this '[' is not closed by a ']'"),
        ("grid:\r\n  delay: [1ms\r\n  loss: [0]", "my.yaml:2:10: this '[' is not closed by a ']'"),
    ],
)
def test_what_is_no_yaml_is_told_where_it_begins_to_be_wrong(text, told):
    (line,) = mistakes(text)
    assert line.startswith(told), line
