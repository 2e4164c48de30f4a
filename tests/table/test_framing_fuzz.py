"""Mutated byte streams into the line buffer and every decoder: nothing raises, nothing grows, all can be stored.

`SPADES_DEEP` plays a million streams, in five to ten minutes of one core; on every change it is a thousand.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from spades_harness.game.hand import Kind
from spades_harness.table.match import Answer, FaultKind, Garbled, Gone
from spades_harness.table.wire import (
    LABEL_CAP,
    LINE_CAP,
    NOTE_CAP,
    RAW_CAP,
    SHOWN,
    STATS_CAP,
    Hello,
    Ignored,
    Line,
    LineBuffer,
    Ready,
    TooLong,
    decode,
    decode_hello,
    decode_ready,
    show,
)
from zoo.zoo import hellos, odd_lines

STREAMS: Final = 500 if os.environ.get("SPADES_DEEP") else 25
"""Streams an example: with 2,000 examples of the deep profile a million. What Hypothesis adds to each example costs
more than all that a stream does."""
KINDS: Final[tuple[Kind, ...]] = ("blind", "draw", "bid", "exchange", "play")
MODELS: Final = (
    {"id": 7, "type": "bid", "legal": [3]},
    {"id": 7, "type": "play", "legal": ["QH"]},
    {"id": 7, "type": "draw", "legal": ["keep"]},
    {"id": 7, "type": "exchange", "hand": ["2C", "3D", "4H"], "min": 3},
)
HONEST: Final = (
    b'{"type":"hello","protocol":1,"name":"zoo","version":"1","answers":["blind","exchange"]}',
    b'{"id":1,"ready":true}',
    b'{"id":7,"card":"QH","note":"safe","stats":{"nodes":120,"value":-0.5}}',
    b'{"type":"error","message":"no more"}',
)
CORPUS: Final = (
    *HONEST,
    *(line for model in MODELS for line in odd_lines(model).values()),
    *(text.encode() for text in hellos().values()),
)
"""What is mutated; the long ones seldom, since each takes as long as a hundred short ones."""
SHORT: Final = tuple(line for line in CORPUS if len(line) < 500)
TOKENS: Final = (
    *(b"\n", b"\r\n", b"\r", b"\x00", b"\xef\xbb\xbf", b"\xff\xfe", b"\xe9", b"\xed\xa0\x80"),
    *(b"\xe2\x80\xa8", b"\xc2\x85"),
    *(b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b"\\ud800", b"\\udc00", b"\\u0000", b"\\u", b"\\ud83d\\ude00"),
    *(b"NaN", b"Infinity", b"-0", b"1e999", b"1e-999", b"9" * 400, b"true", b"null", b"7", b"-", b"0.1"),
    *(b'"id":7', b'"id":6', b'"bid"', b'"card"', b'"type":"error"', b'"type":"hello"', b'"note"'),
    *(b'"stats":{"a":1e308}',),
    *(b"[" * 120, b"]" * 120, b'{"a":' * 120, b" " * 300, b"\n" * 150),
)  # fmt: skip
Mutation: TypeAlias = Callable[[random.Random, bytes], bytes]


# -------------------------------------------------------------------------------------------------------- the mutations


def insert(dice: random.Random, data: bytes) -> bytes:
    at = dice.randint(0, len(data))
    return data[:at] + dice.choice(TOKENS) + data[at:]


def overwrite(dice: random.Random, data: bytes) -> bytes:
    at = dice.randint(0, len(data))
    return data[:at] + dice.randbytes(dice.randint(1, 4)) + data[at + 1 :]


def cut(dice: random.Random, data: bytes) -> bytes:
    start, end = sorted((dice.randint(0, len(data)), dice.randint(0, len(data))))
    return data[:start] + data[end:]


def double(dice: random.Random, data: bytes) -> bytes:
    start = dice.randint(0, len(data))
    piece = data[start : start + dice.randint(1, 60)]
    return data[:start] + piece * dice.randint(2, 9) + data[start:]


def splice(dice: random.Random, data: bytes) -> bytes:
    other = dice.choice(SHORT)
    return data[: dice.randint(0, len(data))] + other[dice.randint(0, len(other)) :]


MUTATIONS: Final[tuple[Mutation, ...]] = (insert, insert, overwrite, cut, double, splice)


def mutated(dice: random.Random) -> bytes:
    """A few lines, some of them spoilt, as a bot might write them."""
    lines = dice.choices(CORPUS if dice.random() < 0.02 else SHORT, k=dice.randint(1, 4))
    data = dice.choice((b"\n", b"\n", b"\r\n")).join(lines) + b"\n"
    for _ in range(dice.randint(0, 6)):
        data = dice.choice(MUTATIONS)(dice, data)
    return data


def chunks(dice: random.Random, data: bytes) -> Sequence[bytes]:
    """As a pipe might give it."""
    cuts = sorted({0, len(data), *(dice.randint(0, len(data)) for _ in range(dice.randint(0, 3)))})
    return [data[a:b] for a, b in pairwise(cuts)]


# --------------------------------------------------------------------------------------------------- what holds of each


def check_stream(pieces: Sequence[bytes], cap: int, kind: Kind) -> None:
    """All that must hold of a stream, whatever is in it."""
    buffer = LineBuffer(cap)
    for piece in pieces:
        for line in buffer.feed(piece):
            check_line(line, cap, kind)
        assert len(buffer.partial) <= cap
        assert b"\n" not in buffer.partial


def check_line(line: Line, cap: int, kind: Kind) -> None:
    if isinstance(line, TooLong):
        assert len(line.head) <= 2 * RAW_CAP
    else:
        assert len(line) <= cap
        assert b"\n" not in line
    assert_shown(show(line))
    check_answer(decode(line, 7, kind, 0.1))
    check_start(decode_ready(line, 1, 0.1))
    check_start(decode_hello(line, 0.1))


def check_answer(found: Answer | Garbled | Gone | Ignored) -> None:
    match found:
        case Answer(written=written, note=note, stats=stats):
            assert isinstance(written, int | str | tuple | None)
            assert not isinstance(written, bool)
            assert_storable(note, NOTE_CAP)
            assert len(stats) <= STATS_CAP
            assert all(type(number) is float and name.isprintable() for name, number in stats)
        case _:
            check_failure(found)


def check_start(found: Hello | Ready | Garbled | Gone | Ignored) -> None:
    match found:
        case Hello(name=name, version=version):
            assert_storable(name, LABEL_CAP)
            assert_storable(version, LABEL_CAP)
        case Ready():
            pass
        case _:
            check_failure(found)


def check_failure(found: Garbled | Gone | Ignored) -> None:
    match found:
        case Garbled(kind=kind, problem=problem, line=line):
            assert kind in {FaultKind.MALFORMED, FaultKind.PROTOCOL}
            assert_shown(line)
            assert 0 < len(problem) <= 300
            assert problem.encode()
        case Gone(how=how):
            assert_storable(how.removeprefix("gave up: "), NOTE_CAP)
        case ignored:
            assert isinstance(ignored, Ignored)


def assert_shown(text: str) -> None:
    assert_storable(text, SHOWN)


def assert_storable(text: str, cap: int) -> None:
    assert len(text) <= cap
    assert text.isprintable()
    assert text.encode() is not None


# ------------------------------------------------------------------------------------------------------------ the tests


@given(st.integers(0, 2**64 - 1))
def test_no_mutated_stream_raises_or_grows_the_buffer(seed: int) -> None:
    """PF-07, PF-09, PF-13, PF-20, PF-22."""
    dice = random.Random(seed)
    for number in range(STREAMS):
        data = mutated(dice)
        pieces, cap, kind = chunks(dice, data), dice.choice((16, 64, LINE_CAP, LINE_CAP)), dice.choice(KINDS)
        try:
            check_stream(pieces, cap, kind)
        except BaseException as error:
            error.add_note(f"stream {number}: {pieces!r}, cap {cap}, {kind}")
            raise


PIECES = st.lists(st.sampled_from((*SHORT, *TOKENS)) | st.binary(max_size=20), max_size=12)


@given(PIECES, st.sampled_from((16, 64, LINE_CAP)), st.sampled_from(KINDS))
def test_no_stream_of_pieces_raises_or_grows_the_buffer(pieces: list[bytes], cap: int, kind: Kind) -> None:
    """The same with pieces that can be made smaller when one of them fails."""
    check_stream(pieces, cap, kind)
    check_stream([b"".join(pieces)], cap, kind)


def test_the_streams_meet_every_outcome() -> None:
    """A fuzz that finds nothing is worth something only if it comes everywhere."""
    dice = random.Random(1)
    seen: set[object] = set()
    for _ in range(3000):
        for line in LineBuffer().feed(mutated(dice)):
            for found in (decode(line, 7, "play", 0), decode_ready(line, 1, 0), decode_hello(line, 0)):
                seen.add(found if isinstance(found, Ignored) else type(found))
                seen |= {found.kind} if isinstance(found, Garbled) else set()
    assert seen == {Answer, Garbled, Gone, Ready, Hello, *Ignored, FaultKind.MALFORMED, FaultKind.PROTOCOL}
