# SPDX-License-Identifier: MIT
"""Kinds of damage: each takes a random generator and a content, and returns a changed content."""

import re
import shutil

HUGE = [b"1e308", b"-1e999", b"9" * 400, b"18446744073709551616", b"-1", b"0", b"1e-400", b"NaN", b"Infinity"]
TYPES = b"[1, 2] | {a: 1} | null | true | '' | 5ms | x | [[[]]] | ~ | 1:30 | !!int 5 | *a | &a 1".split(b" | ")
# Control characters, characters that look like others, and bytes that are no UTF-8.
CONTROL = [b"\0", b"\x1b[31m", b"\x7f", b"\r", b"\t", b"\xff", b"\xed\xa0\x80"]
CONTROL += ["\u202e".encode(), "\x85".encode(), "\ufeff".encode()]
EXECUTED = [
    b"!!python/object/apply:os.system ['touch executed']",
    b"__import__('os').system('touch executed')",
    b"$(touch executed)",
    b"`touch executed`",
    b"{{ open('executed', 'w') }}",
]
_NUMBER = re.compile(rb"[0-9]+(?:\.[0-9]+)?")
_VALUE = re.compile(rb"(?<=[:,\[] )[^\s,\[\]{}]+|(?<=,)[^\s,]+")


def a_bit(rng, content):
    if not content:
        return b"\1"
    at = rng.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]


def some_bytes(rng, content):
    at, length = rng.randrange(len(content) + 1), rng.choice([1, 4, 16, 512])
    return content[:at] + rng.randbytes(length) + content[at + length :]


def truncated(rng, content):
    return content[: rng.randrange(len(content) + 1)]


def cut_out(rng, content):
    at = rng.randrange(len(content) + 1)
    return content[:at] + content[at + rng.choice([1, 2, 8, 64, 4096]) :]


def doubled(rng, content):
    at, length = rng.randrange(len(content) + 1), rng.choice([1, 8, 64, 4096])
    return content[: at + length] + content[at:]


def zeroed(rng, content):
    """A block of zeros, as a file system leaves after a crash."""
    at, length = rng.randrange(len(content) + 1), rng.choice([16, 512, 4096])
    return content[:at] + bytes(len(content[at : at + length])) + content[at + length :]


def emptied(rng, content):
    return b""


def garbage(rng, content):
    return rng.choice([b"{", b"[]", b"null", b"5", b"\xff", b'{"a": 1}', b"PAR1", rng.randbytes(100), b"[" * 100_000])


def _lines(change):
    def changed(rng, content):
        lines = content.splitlines(keepends=True) or [b""]
        return b"".join(change(rng, lines, rng.randrange(len(lines))))

    return changed


def _swap(rng, lines, at):
    other = rng.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]
    return lines


def _indent(rng, lines, at):
    lines[at] = rng.choice([b"  ", b"\t", b"- ", b"x: ", b"? "]) + lines[at]
    return lines


line_removed = _lines(lambda rng, lines, at: lines[:at] + lines[at + 1 :])
line_doubled = _lines(lambda rng, lines, at: [*lines[: at + 1], *lines[at:]])
lines_swapped = _lines(_swap)
line_indented = _lines(_indent)


def _matches(pattern, new):
    def changed(rng, content):
        found = list(pattern.finditer(content))
        if not found:
            return a_bit(rng, content)
        match = rng.choice(found)
        return content[: match.start()] + new(rng, match[0]) + content[match.end() :]

    return changed


def _other_digit(rng, number):
    at = rng.choice([at for at, digit in enumerate(number) if digit != ord(".")])
    return number[:at] + str(rng.randrange(10)).encode() + number[at + 1 :]


a_digit = _matches(_NUMBER, _other_digit)
huge_number = _matches(_NUMBER, lambda rng, _: rng.choice(HUGE))
other_type = _matches(_VALUE, lambda rng, _: rng.choice(TYPES))
executed = _matches(_VALUE, lambda rng, _: rng.choice(EXECUTED))


def control(rng, content):
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(CONTROL) + content[at:]


BINARY = (a_bit, some_bytes, truncated, cut_out, doubled, zeroed, emptied, garbage)
TEXT = (
    *(a_bit, truncated, cut_out, doubled, line_removed, line_doubled, lines_swapped, line_indented),
    *(a_digit, huge_number, other_type, executed, control, garbage),
)
KINDS = ("damaged", "damaged", "damaged", "of another", "removed", "a folder")


def damaged(rng, content, kinds, times=1):
    """Damage a content in this number of ways; returns a description, and the changed content."""
    done, new = [], content
    while new == content or len(done) < times:
        kind = rng.choice(kinds)
        new = kind(rng, new)
        done.append(kind.__name__ if kind.__name__ != "changed" else "text")
    return done, new


def spoil(rng, victim, others):
    """Damage a file in some way, or put one of another cell in its place; say how."""
    kind, content = rng.choice(KINDS), victim.read_bytes()
    done: object = kind
    victim.unlink()
    if kind == "damaged":
        done, new = damaged(rng, content, rng.choice([BINARY, TEXT]), rng.choice([1, 3]))
        victim.write_bytes(new)
    elif kind == "of another" and (alike := [each for each in others if each.name == victim.name and each.is_file()]):
        shutil.copy(rng.choice(alike), victim)
    elif kind == "a folder" and not victim.name.startswith("."):  # in place of a lock, it is named and stays
        victim.mkdir()
    return f"{victim}: {done}"
