# SPDX-License-Identifier: MIT
import os
import subprocess
import sys

import pytest

from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.document.yaml_document import Mistakes
from tcpsweep.core.words import control_characters
from tests.support import sweep_texts


def told(text):
    try:
        return sweep_texts.mistakes(text)
    except Mistakes as error:  # reading refuses the text itself
        return str(error).splitlines()


def listed(count, unit):
    return "[" + ", ".join(f"{number}{unit}" for number in range(1, count + 1)) + "]"


def attribute_axes(count):
    values = ", ".join(map(str, range(count)))
    return ", ".join(f'"ns3::TcpSocket::{name}": [{values}]' for name in ("InitialCwnd", "DelAckCount", "ConnCount"))


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        (
            f"grid: {{delay: {listed(1000, 'us')}, bandwidth: {listed(1000, 'kbps')}, queue: {listed(1000, 'p')}}}",
            "3:7: grid",
            "make 1,000,000,000 combinations; the limit is 100,000",
        ),
        (f"attributes: {{{attribute_axes(100)}}}", "3:13: attributes", "make 1,000,000 combinations"),
        (
            f"grid: {{delay: {listed(1000, 'us')}}}\nrepetitions: 100000",
            "4:14: repetitions",
            "1,000 combinations of 100,000 repetitions make 100,000,000 simulations; the limit is 1,000,000",
        ),
        (f"grid: {{delay: {listed(30_000, 'us')}}}", "3:15: grid.delay", "at most 10,000 entries, got 30,000"),
        ("grid:\n" + "- {delay: [1ms]}\n" * 3000, "4:1: grid", "at most 1,000 entries, got 3,000"),
        (f"runs: {listed(100_001, '')}", "3:7: runs", "at most 100,000 entries, got 100,001"),
        (
            f"grid: {{delay: {listed(100, 'us')}, bandwidth: {listed(1000, 'kbps')}}}\n"
            "exclude:\n" + "- {delay: 1us, bandwidth: 1kbps}\n" * 500,
            "5:1: exclude",
            "1,000 values in conditions for each of up to 100,000 combinations are 100,000,000 comparisons",
        ),
        (f"fixed: {{delay: {'9' * 200_000}ms}}", "3:16: fixed.delay", "at most 2,000 characters, got 200,002"),
        (f"fixed: {{? {'k' * 200_000} : 1}}", "3:11: fixed.kkk", "at most 2,000 characters, got 200,000"),
    ],
)
def test_what_asks_too_much_is_told_with_the_number_before_it_is_multiplied_out(text, place, words):
    (line,) = told(text)
    assert line.startswith(f"my.yaml:{place}")
    assert words in line
    assert len(line) < 300


def test_of_very_many_mistakes_the_first_are_told_and_the_others_counted():
    lines = told("fixed:\n" + "".join(f"  k{number}: 1\n" for number in range(2000)))
    assert len(lines) == yaml_document.MOST_MESSAGES + 1
    assert lines[-1] == "my.yaml: and 1,950 more mistakes"
    lines = told("fixed:\n" + "  delay: 1ms\n" * 5000)
    assert lines[-1] == "my.yaml: and 4,949 more mistakes"


@pytest.mark.parametrize("entries", [listed(5000, "")[:-1] + ", x]", "[1, 1.0]"])
def test_whether_runs_stand_twice_is_found_however_they_are_mixed(entries):
    assert told(f"runs: {entries}")


def test_what_is_no_file_of_a_sweeps_size_is_refused_unread(tmp_path):
    pipe, large = tmp_path / "pipe.yaml", tmp_path / "large.yaml"
    os.mkfifo(pipe)
    large.write_text("# " + "x" * yaml_document.MOST_BYTES)
    for path, words in {
        pipe: "a device or a pipe",
        "/dev/zero": "a device or a pipe",
        tmp_path: "cannot be read: Is a directory",
        large: "expected a sweep file of at most 1 MB",
    }.items():
        with pytest.raises(Mistakes, match=words):
            yaml_document.read(path)


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"sweep: s\ntitle: a\x1b[31m\n", ":2:9: the character U+001B "),
        ("sweep: s\ntitle: a\u202eb\n".encode(), ":2:9: the character U+202E (RIGHT-TO-LEFT OVERRIDE) "),
        (b'sweep: s\ntitle: "a\\x1b"\n', ":2:8: title: the character U+001B "),
        (b'sweep: s\n"a\\u2066": 1\n', ":2:1: a\\u2066: the character U+2066 (LEFT-TO-RIGHT ISOLATE) "),
        ("sweep: s\n".encode("utf-16"), "; it looks like UTF-16"),
    ],
)
def test_characters_that_a_terminal_or_a_page_obeys_are_refused_with_their_place(tmp_path, content, place):
    (tmp_path / "my.yaml").write_bytes(content)
    with pytest.raises(Mistakes) as caught:
        yaml_document.read(tmp_path / "my.yaml")
    assert place in str(caught.value)
    assert control_characters.first_place(str(caught.value)) is None


def test_letters_of_any_script_and_of_several_lines_are_text():
    data = yaml_document.parse("a: نص عربي 👩‍💻\nb: |\n  one\n  two\tthree\n", "f").data
    assert data == {"a": "نص عربي 👩‍💻", "b": "one\ntwo\tthree\n"}


def test_a_path_cannot_speak_to_the_terminal(tmp_path):
    path = tmp_path / "a\x1b[2J\u202eb.yaml"
    path.write_text("sweep: s\nscenario: none\n")
    command = [sys.executable, "-m", "tcpsweep", "check", "--without-ns3", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode
    assert "a\\x1b[2J\\u202eb.yaml:2:11: scenario" in done.stderr
    assert control_characters.first_place(done.stderr) is None
