"""The table of odd lines in PROTOCOL.md: each row is what the wire makes of its examples, and nothing else is said."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from spades_harness.table.match import Answer, Garbled, Gone
from spades_harness.table.wire import LINE_CAP, NESTING_CAP, Ignored, LineBuffer, decode

PROTOCOL = (Path(__file__).resolve().parents[2] / "protocol" / "PROTOCOL.md").read_text(encoding="utf-8")
GOOD = b'{"id":7,"card":"AS"}'


class Row(NamedTuple):
    """What a bot writes, in words and as bytes while request 7 is open; what it is, in words and by its outcome."""

    writes: str
    streams: tuple[bytes, ...]
    said: str
    outcome: tuple[str, ...]


def beside(more: bytes) -> bytes:
    """The answer with another key."""
    return GOOD[:-1] + b"," + more + b"}\n"


def numbered(number: bytes) -> bytes:
    """The answer under this number."""
    return GOOD.replace(b"7", number) + b"\n"


READ, IGNORED, MALFORMED, WRONG_NUMBER, NOTHING = ("read",), ("ignored",), ("malformed",), ("protocol",), ()
ROWS: Final = (
    Row("a line that ends with CR LF", (GOOD + b"\r\n",), "the same as one that ends with LF", READ),
    Row(
        "a lone CR between two objects",
        (GOOD + b"\r" + GOOD + b"\n",),
        "`malformed`: CR ends no line, so these are two objects on one",
        MALFORMED,
    ),
    Row(
        "U+2028, U+2029 or U+0085 in a text",
        tuple(beside(f'"note":"a{odd}b"'.encode()) for odd in "\u2028\u2029\u0085"),
        "part of the text: only LF ends a line",
        READ,
    ),
    Row(
        "a control character in a text, NUL among them",
        tuple(beside(b'"note":"a%sb"' % odd) for odd in (b"\x00", b"\x0c", b"\t", b"\x1b")),
        "`malformed`: JSON wants it as `\\u0000`",
        MALFORMED,
    ),
    Row("a NUL byte anywhere else", (b"\x00" + GOOD + b"\n", GOOD + b"\x00\n", b"\x00\n"), "`malformed`", MALFORMED),
    Row(
        "an empty line, or one with spaces, tabs and CR alone",
        (b"\n", b"  \n", b"\t\r\n", b"\r\r\n"),
        "ignored, up to 100 for one request",
        IGNORED,
    ),
    Row(
        "two objects on one line, or an object and a comment",
        (GOOD + GOOD + b"\n", GOOD + b" " + GOOD + b"\n", GOOD + b" # safe\n"),
        "`malformed`, and none of them counts",
        MALFORMED,
    ),
    Row(
        "JSON that is no object",
        (b"[]\n", b"null\n", b"7\n", b'"AS"\n', b"true\n"),
        "`malformed`",
        MALFORMED,
    ),
    Row(
        "the numbers `NaN` and `Infinity`",
        (beside(b'"x":NaN'), beside(b'"x":Infinity'), beside(b'"x":-Infinity')),
        "`malformed`: JSON has no such numbers",
        MALFORMED,
    ),
    Row(
        "a whole number of more than 4,300 digits",
        (beside(b'"x":' + b"9" * 5000), numbered(b"9" * 5000)),
        "`malformed`",
        MALFORMED,
    ),
    Row(
        "brackets nested deeper than 100 levels",
        (beside(b'"x":' + b"[" * NESTING_CAP + b"]" * NESTING_CAP), b"[" * 60_000 + b"\n"),
        "`malformed`",
        MALFORMED,
    ),
    Row(
        "bytes that are not UTF-8: Latin-1, UTF-16",
        (beside(b'"note":"\xe9"'), GOOD.decode().encode("utf-16-le") + b"\n", GOOD.decode().encode("utf-16") + b"\n"),
        "`malformed`",
        MALFORMED,
    ),
    Row("a byte-order mark", (b"\xef\xbb\xbf" + GOOD + b"\n",), "`malformed`", MALFORMED),
    Row(
        "half a surrogate pair, such as `\\ud800`",
        (beside(b'"note":"\\ud800"'), beside(b'"\\udc00":1')),
        "read, and kept as U+FFFD",
        READ,
    ),
    Row("a key that stands twice", (beside(b'"card":"KS"'), beside(b'"id":7')), "the last one counts", READ),
    Row(
        "a key that isn't listed here",
        (beside(b'"mood":[1,{"x":null}]'),),
        "ignored; the rest of the line counts",
        READ,
    ),
    Row(
        "a line longer than 65,536 bytes, be it ended or not",
        (b"x" * (LINE_CAP + 1), beside(b'"note":"' + b"n" * LINE_CAP + b'"')),
        "`malformed` as soon as it is too long; the rest of it is thrown away unread",
        MALFORMED,
    ),
    Row(
        "an `id` that is missing, a text, `7.0`, 0, negative, or of a request to come",
        (b'{"card":"AS"}\n', *map(numbered, (b'"7"', b"7.0", b"0", b"-1", b"8", b"null"))),
        "`protocol`, at once",
        WRONG_NUMBER,
    ),
    Row(
        "the answer to an earlier request",
        (numbered(b"6"), numbered(b"1"), b'{"id":6}\n'),
        "ignored, blank lines and these together up to 100 for one request",
        IGNORED,
    ),
    Row(
        "an answer before its request, whatever its `id`",
        (),
        "thrown away unread when the request is made; more than 10,000 lines of this kind are `malformed`",
        NOTHING,
    ),
    Row("two answers in one write, each on its line", (), "the first counts, the second is thrown away", NOTHING),
    Row(
        "a line without its end",
        (GOOD, b'{"id":7,"ca'),
        "waited for until the limit, then `timeout`; if the bot ends in the middle of it, `crash`",
        NOTHING,
    ),
)


def outcome(found: Answer | Garbled | Gone | Ignored) -> str:
    match found:
        case Answer():
            return "read"
        case Garbled(kind=kind):
            return kind.value
        case Ignored():
            return "ignored"
        case Gone():
            return "crash"


def outcomes(stream: bytes) -> tuple[str, ...]:
    """What each line of a stream is."""
    return tuple(outcome(decode(line, 7, "play", 0.1)) for line in LineBuffer().feed(stream))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.writes)
def test_each_odd_line_has_the_one_outcome_that_is_documented(row: Row) -> None:
    """PF-04, PF-05, PF-07, PF-09, PF-12, PF-13, PF-16, PF-17, PF-18, PF-20, PF-22, PF-23."""
    assert [outcomes(stream) for stream in row.streams] == [row.outcome] * len(row.streams)
    assert f"| {row.writes} | {row.said} |\n" in PROTOCOL


def test_no_row_of_the_table_is_left_untested() -> None:
    table = PROTOCOL.split("### Odd lines", 1)[1].split("\n#", 1)[0]
    rows = re.findall(r"^\| (?!you|--)(.*?) \| ", table, re.MULTILINE)
    assert rows == [row.writes for row in ROWS]


def test_the_same_bytes_have_the_same_outcome_one_at_a_time() -> None:
    for row in ROWS:
        for stream in row.streams:
            if len(stream) < 1000:
                buffer = LineBuffer()
                lines = [line for byte in stream for line in buffer.feed(bytes([byte]))]
                assert tuple(outcome(decode(line, 7, "play", 0.1)) for line in lines) == row.outcome
