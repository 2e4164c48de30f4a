"""Lines of bots, and what each of them is: an answer, a fault of which kind in which words, or nothing."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_harness.game.hand import Bidding, Kind, deal_hand, no_points
from spades_harness.game.rules import Rules
from spades_harness.game.view import view
from spades_harness.table.judge import Ruling, judge
from spades_harness.table.match import Answer, FaultKind, Garbled, Gone, Request
from spades_harness.table.wire import (
    LINE_CAP,
    NOTE_CAP,
    SHOWN,
    Hello,
    Ignored,
    Line,
    LineBuffer,
    Ready,
    TooLong,
    decode,
    decode_hello,
    decode_ready,
    storable,
    storable_text,
)

MALFORMED, PROTOCOL = FaultKind.MALFORMED, FaultKind.PROTOCOL


def read(line: str | bytes, number: int = 7, kind: Kind = "play") -> Answer | Garbled | Gone | Ignored:
    """What a line is while request `number` is open."""
    return decode(line.encode() if isinstance(line, str) else line, number, kind, 0.25)


def bid(value: str) -> Answer | Garbled | Gone | Ignored:
    """What a bid is that stands on the line in this spelling."""
    return read(f'{{"id":1,"bid":{value}}}', 1, "bid")


def fault(found: object) -> Garbled:
    """The line, which must be a fault."""
    assert isinstance(found, Garbled), found
    return found


def lines(*chunks: bytes, cap: int = LINE_CAP) -> list[Line]:
    """The lines in bytes that come in these chunks."""
    buffer = LineBuffer(cap)
    return [line for chunk in chunks for line in buffer.feed(chunk)]


# ---------------------------------------------------------------------------------------------------- honest answers


@pytest.mark.parametrize(
    ("kind", "line", "written"),
    [
        ("blind", '{"id":7,"bid":null}', None),
        ("blind", '{"id":7,"bid":"blind_nil"}', "blind_nil"),
        ("bid", '{"id":7,"bid":4}', 4),
        ("exchange", '{"id":7,"cards":["2C","3D","4H"]}', ("2C", "3D", "4H")),
        ("exchange", '{"id":7,"cards":[]}', ()),
        ("draw", '{"id":7,"draw":"keep"}', "keep"),
        ("draw", '{"id":7,"draw":"throw it away"}', "throw it away"),
        ("play", '{"id":7,"card":"QH"}', "QH"),
        ("play", ' { "card" : "QH" , "id" : 7 , "type" : "answer" , "mood" : {"x":[1,2]} } ', "QH"),
    ],
)
def test_an_answer_is_read_whatever_else_stands_beside_it(kind: Kind, line: str, written: object) -> None:
    assert read(line, kind=kind) == Answer(written, 0.25)  # type: ignore[arg-type]


def test_a_note_and_numbers_come_along() -> None:
    answer = read('{"id":7,"card":"QH","note":"safe","stats":{"nodes":120,"value":-0.5}}')
    assert answer == Answer("QH", 0.25, "safe", (("nodes", 120.0), ("value", -0.5)))


def test_notes_and_numbers_are_cut_and_never_cost_a_match() -> None:
    many = {f"{n:02}" + "x" * 50: n for n in range(40)}
    answer = read(json.dumps({"id": 7, "card": "QH", "note": "n" * 5000, "stats": many}))
    assert isinstance(answer, Answer)
    assert len(answer.note) == NOTE_CAP
    assert answer.note.endswith("n…")
    assert [(len(name), number) for name, number in answer.stats] == [(40, float(n)) for n in range(16)]
    for odd in (
        '"note":7',
        '"note":null',
        '"stats":[1]',
        '"stats":{"a":"b","c":true}',
        f'"stats":{{"a":{"9" * 4000}}}',
    ):
        assert read(f'{{"id":7,"card":"QH",{odd}}}') == Answer("QH", 0.25)


# ------------------------------------------------------------------------------------------------ lines and their ends


def test_cr_lf_ends_a_line_exactly_like_lf() -> None:
    """PF-04."""
    assert lines(b'{"id":1,"bid":3}\r\n{"id":2,"bid":4}\n') == [b'{"id":1,"bid":3}', b'{"id":2,"bid":4}']


def test_a_lone_cr_ends_no_line_and_two_objects_around_it_are_malformed() -> None:
    """PF-04."""
    (line,) = lines(b'{"id":1,"bid":3}\r{"id":2,"bid":4}\n')
    assert fault(decode(line, 1, "bid", 0)).kind is MALFORMED
    assert fault(decode(line, 2, "bid", 0)).kind is MALFORMED


def test_only_lf_ends_a_line_and_odd_line_ends_within_a_text_are_text() -> None:
    """PF-05."""
    (line,) = lines('{"id":7,"card":"AS","note":"nice\u2028try\u0085"}\n'.encode())
    assert decode(line, 7, "play", 0) == Answer("AS", 0, "nice\\u2028try\\x85")


def test_a_raw_form_feed_in_a_text_is_one_malformed_line() -> None:
    """PF-05."""
    (line,) = lines(b'{"id":7,"card":"AS","note":"a\x0cb"}\n')
    assert fault(decode(line, 7, "play", 0)).kind is MALFORMED


def test_a_line_may_come_in_any_pieces() -> None:
    whole = b'{"id":1,"bid":3}\r\n\n{"id":2,"bid":4}\n{"id"'
    assert lines(*(whole[n : n + 1] for n in range(len(whole)))) == lines(whole)


@given(st.binary(max_size=300), st.lists(st.integers(0, 300)), st.integers(1, 40))
def test_lines_do_not_depend_on_how_the_bytes_are_cut(data: bytes, cuts: list[int], cap: int) -> None:
    bounds = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    pieces = [data[a:b] for a, b in pairwise(bounds)]

    def without_heads(found: list[Line]) -> list[bytes | None]:
        return [None if isinstance(line, TooLong) else line for line in found]

    assert without_heads(lines(*pieces, cap=cap)) == without_heads(lines(data, cap=cap))


def test_an_endless_line_is_malformed_as_soon_as_it_passes_the_cap_and_is_held_no_longer() -> None:
    """PF-07."""
    buffer = LineBuffer()
    assert buffer.feed(b"x" * LINE_CAP) == []
    (long,) = buffer.feed(b"x")
    assert buffer.partial == b""
    assert buffer.feed(b"x" * 10 * LINE_CAP) == []
    assert buffer.partial == b""
    garbled = fault(decode(long, 7, "play", 0))
    assert (garbled.kind, garbled.problem) == (MALFORMED, f"the line is longer than {LINE_CAP} bytes")
    assert len(garbled.line) == SHOWN


def test_after_an_endless_line_the_next_one_counts() -> None:
    assert lines(b"x" * 20 + b"y\nok\n", cap=9)[1:] == [b"ok"]


@pytest.mark.parametrize("line", ["", " ", "\t \t", "   \r", "\r"])
def test_a_blank_line_is_nothing(line: str) -> None:
    """PF-17."""
    assert read(line) is Ignored.BLANK


# ------------------------------------------------------------------------------------------------- what is no answer


def test_thinking_aloud_is_one_malformed_line_shown_cut() -> None:
    """PF-01: outcome (a)."""
    garbled = fault(read("thinking about play " + "…" * 500))
    assert garbled.kind is MALFORMED
    assert garbled.line.startswith("thinking about play …")
    assert len(garbled.line) == SHOWN
    assert "standard error" in garbled.problem


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "3",
        '"AS"',
        "null",
        "{}",
        '{"id":7}',
        '{"id":7,"card":{"n":3}}',
        '{"id":7,"bid":3,"card":"AS"}',
        "true",
        '{"a"',
    ],
)
def test_json_of_the_wrong_shape_is_malformed(line: str) -> None:
    """PF-22."""
    assert fault(read(line)).kind is MALFORMED


@pytest.mark.parametrize(
    "line", ['{"id":7,"card":"AS"}{"id":8,"card":"KS"}', '{"id":7,"card":"AS"} # safe', '{"id":7,"card":"AS"} {}']
)
def test_of_two_things_on_a_line_neither_is_used(line: str) -> None:
    """PF-23."""
    assert fault(read(line)).kind is MALFORMED
    assert fault(read(line, number=8)).kind is MALFORMED


def test_of_doubled_keys_the_last_counts() -> None:
    """PF-12: documented as last-wins; what counts is what is kept."""
    assert read('{"id":1,"bid":3,"bid":13}', 1, "bid") == Answer(13, 0.25)
    assert read('{"id":6,"id":7,"card":"AS"}') == Answer("AS", 0.25)


@pytest.mark.parametrize("value", ["true", "false", "3.0", "3e0", "[3]", "{}"])
def test_a_bid_is_a_whole_number_a_text_or_null_and_nothing_that_looks_like_it(value: str) -> None:
    """PF-11."""
    assert fault(bid(value)).problem == '"bid" must be a whole number, a text or null'


@pytest.mark.parametrize(("value", "written"), [('"3"', "3"), ('"٣"', "٣"), ("null", None), ("-0", 0), ("-1", -1)])
def test_a_bid_of_the_right_form_is_for_the_rules_to_judge(value: str, written: object) -> None:
    """PF-11: a digit in quotes stays a text, which no rule takes for a bid; -0 is the number 0."""
    found = bid(value)
    assert isinstance(found, Answer)
    assert found.written == written
    assert type(found.written) is type(written)


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("play", '{"id":7,"card":null}'),
        ("play", '{"id":7,"card":3}'),
        ("draw", '{"id":7,"draw":true}'),
        ("draw", '{"id":7,"draw":null}'),
        ("draw", '{"id":7,"draw":["keep"]}'),
        ("exchange", '{"id":7,"cards":"2C 3D 4H"}'),
        ("exchange", '{"id":7,"cards":["2C",3,"4H"]}'),
        ("exchange", '{"id":7,"cards":{"2C":1}}'),
        ("play", '{"id":7,"bid":3}'),
        ("bid", '{"id":7,"card":"AS"}'),
        ("play", '{"id":7,"ready":true}'),
        ("play", '{"id":7,"draw":1}'),
    ],
)
def test_an_answer_of_another_kind_or_form_is_malformed(kind: Kind, line: str) -> None:
    """PF-22."""
    assert fault(read(line, kind=kind)).kind is MALFORMED


def test_an_integer_of_5000_digits_is_malformed_and_not_kept() -> None:
    """PF-09."""
    garbled = fault(bid("9" * 5000))
    assert garbled.kind is MALFORMED
    assert len(garbled.line) + len(garbled.problem) < 500


def test_what_is_wrong_deep_in_a_line_is_told_without_the_way_there() -> None:
    garbled = fault(read('{"id":7,"card":"AS","x":' + "[" * 90 + "1e999" + "]" * 90 + "}"))
    assert garbled.problem.startswith("the line is no JSON object: number out of range; only messages")


@pytest.mark.parametrize(
    "line",
    [
        b'{"id":7,"card":"AS","n":"\xe9"}',
        b'{"id":7,"card":"AS","\xe9":1}',
        '{"id":7,"card":"AS"}'.encode("utf-16-le"),
        '{"id":7,"card":"AS"}'.encode("utf-16"),
        '{"id":7,"card":"AS"}'.encode("utf-32"),
        b'\xef\xbb\xbf{"id":7,"card":"AS"}',
        b'{"id":7,"card":"AS","n":"\xed\xa0\x80"}',
    ],
)
def test_only_utf_8_is_read(line: bytes) -> None:
    """PF-20."""
    assert fault(read(line)).kind is MALFORMED


def nested(levels: int) -> str:
    """An answer with an unknown key that makes so many levels, the answer's own included."""
    return '{"id":7,"card":"AS","x":' + "[" * (levels - 1) + "]" * (levels - 1) + "}"


@pytest.mark.parametrize("line", ["[" * 60_000, "[{" * 30_000, nested(20_000), nested(101)])
def test_deep_nesting_is_malformed_on_every_python(line: str) -> None:
    assert fault(read(line)).problem == "the line is nested deeper than 100 levels"


def test_brackets_side_by_side_or_in_a_text_are_no_nesting() -> None:
    assert isinstance(read(nested(100)), Answer)
    assert isinstance(read('{"id":7,"card":"AS","x":[' + "[]," * 200 + "[]]}"), Answer)
    text = '[{"' * 200
    assert isinstance(read(json.dumps({"id": 7, "card": "AS", "note": text})), Answer)


@pytest.mark.parametrize("half", [r"\ud800", r"\udc00", r"\ud83d", r"\ud800\ud800", r"\\\ud800"])
def test_half_a_surrogate_pair_is_stored_as_a_mark(half: str) -> None:
    """PF-13."""
    answer = read(f'{{"id":7,"card":"AS","note":"{half} oops"}}')
    assert isinstance(answer, Answer)
    assert "\ufffd" in answer.note
    assert answer.note.encode().endswith(b" oops")


def test_a_whole_surrogate_pair_and_an_escaped_backslash_stay_what_they_are() -> None:
    """PF-13."""
    answer = read(r'{"id":7,"card":"AS","note":"\ud83d\ude00 \\ud800 \ud800"}')
    assert isinstance(answer, Answer)
    assert answer.note == "\U0001f600 \\ud800 \ufffd"


def test_control_characters_of_a_note_cannot_reach_a_terminal() -> None:
    answer = read(r'{"id":7,"card":"AS","note":"\u001b[31mred\u0000\n"}')
    assert isinstance(answer, Answer)
    assert answer.note == "\\x1b[31mred\\x00\\n"


# ------------------------------------------------------------------------------------------------------------ numbers


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ('{"id":"7","card":"AS"}', '"7"'),
        ('{"id":7.0,"card":"AS"}', "7.0"),
        ('{"card":"AS"}', "no id"),
        ('{"id":null,"card":"AS"}', "null"),
        ('{"id":true,"card":"AS"}', "true"),
        ('{"id":[7],"card":"AS"}', "a list"),
        ('{"id":8,"card":"AS"}', "8"),
        ('{"id":0,"card":"AS"}', "0"),
        ('{"id":-1,"card":"AS"}', "-1"),
        ('{"id":' + "9" * 4000 + ',"card":"AS"}', "99"),
    ],
)
def test_a_wrong_number_is_a_protocol_fault_at_once(line: str, shown: str) -> None:
    """PF-16; PF-15: nor does a number count that is not given out yet."""
    garbled = fault(read(line))
    assert garbled.kind is PROTOCOL
    assert shown in garbled.problem
    assert len(garbled.problem) < 100


@pytest.mark.parametrize("line", ['{"id":6,"card":"AS"}', '{"id":1,"bid":3}', '{"id":6}', '{"id":6,"ready":true}'])
def test_whatever_answers_an_earlier_request_is_outdated(line: str) -> None:
    """PF-16, TM-01."""
    assert read(line) is Ignored.OLD


# ---------------------------------------------------------------------------------------------------------- the start


def hello(**changes: Any) -> object:
    """What a hello with these keys changed is."""
    said = {"type": "hello", "protocol": 1, "name": "beta", "version": "2.1", "answers": ["blind", "exchange"]}
    return decode_hello(json.dumps({**said, **changes}).encode(), 0.5)


def test_hello_says_name_version_and_the_optional_requests_that_are_wanted() -> None:
    assert hello() == Hello("beta", "2.1", frozenset({"blind", "exchange"}))
    assert decode_hello(b'{"type":"hello","protocol":1}', 0) == Hello("", "", frozenset())


@pytest.mark.parametrize("name", [None, [], {}, "\x1b[31m", "n" * 5000, 7])
def test_the_name_is_a_note_and_never_costs_a_match(name: object) -> None:
    """PF-25: a name is nothing but shown."""
    found = hello(name=name, version=name)
    assert isinstance(found, Hello)
    assert len(found.name) <= 80
    assert found.name.isprintable()


@pytest.mark.parametrize(
    ("changes", "kind", "words"),
    [
        ({"protocol": 2}, PROTOCOL, "it speaks protocol 2, this harness speaks 1"),
        ({"protocol": True}, MALFORMED, '"protocol" in hello must be the number 1'),
        ({"protocol": "1"}, MALFORMED, '"protocol" in hello must be the number 1'),
        ({"answers": "blind"}, MALFORMED, '"answers" in hello must be a list'),
        ({"answers": [1]}, MALFORMED, '"answers" in hello must be a list'),
        ({"type": "hallo"}, PROTOCOL, 'the first message must be {"type":"hello",...}'),
    ],
)
def test_a_hello_that_is_none_says_what_is_wrong(changes: dict[str, Any], kind: FaultKind, words: str) -> None:
    garbled = fault(hello(**changes))
    assert garbled.kind is kind
    assert words in garbled.problem


def test_a_blank_line_before_hello_is_nothing_and_chatter_is_malformed() -> None:
    assert decode_hello(b"", 0) is Ignored.BLANK
    assert fault(decode_hello(b"loading weights...", 0)).kind is MALFORMED


def test_ready_is_true_and_nothing_else() -> None:
    assert decode_ready(b'{"id":1,"ready":true}', 1, 0) == Ready()
    for line in (b'{"id":1,"ready":1}', b'{"id":1,"ready":false}', b'{"id":1,"bid":3}', b'{"id":1}'):
        assert fault(decode_ready(line, 1, 0)).kind is MALFORMED


@pytest.mark.parametrize(
    ("line", "how"),
    [
        (b'{"type":"error","message":"only two players, please"}', "gave up: only two players, please"),
        (b'{"type":"error","id":7,"message":3}', "gave up: no reason given"),
    ],
)
def test_a_bot_may_give_up_in_words(line: bytes, how: str) -> None:
    assert decode_ready(line, 1, 0.5) == Gone(how, 0.5)
    assert decode_hello(line, 0.5) == Gone(how, 0.5)
    assert decode(line, 7, "play", 0.5) == Gone(how, 0.5)


# ------------------------------------------------------------------------------------------------------ nothing escapes

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["id", "bid", "card", "cards", "type", "x"]), inner)
    ),
    max_leaves=8,
)


@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()), st.sampled_from(["bid", "play"]))
def test_no_line_whatsoever_raises_and_each_outcome_can_be_stored(line: bytes, kind: Kind) -> None:
    for found in (decode(line, 7, kind, 0.1), decode_ready(line, 7, 0.1), decode_hello(line, 0.1)):
        if isinstance(found, Garbled):
            assert found.line.isprintable()
            assert len(found.line) <= SHOWN
            assert (found.line + found.problem).encode()


def test_what_is_escaped_is_no_longer_than_what_is_not() -> None:
    """PF-09: the caps are of what is kept, and an escape takes four to ten characters."""
    for odd in ("\x00", "\U0001f600\u200b", "\ud800"):
        assert len(storable(odd * 500, SHOWN)) == SHOWN
    assert storable("\x00", 4) == "\\x00"
    assert storable("\x00", 3) == "\\x…"


def test_standard_error_keeps_its_lines_and_loses_what_a_terminal_would_obey() -> None:
    assert storable_text(b"a\tb\r\nc\x1b[2J\xff\x00\n") == "a\tb\nc\\x1b[2J\ufffd\\x00\n"


def test_an_illegal_answer_is_kept_cut() -> None:
    """PF-09: 4000 digits are a number, but no bid."""
    hand = deal_hand(Rules(blind_nil=False), bytes(32), 0, 0, no_points(Rules()))
    assert isinstance(hand, Bidding)
    ruling = judge(hand, Request(view(hand), 1, 60), bid("9" * 4000))  # type: ignore[arg-type]
    assert isinstance(ruling, Ruling)
    assert ruling.kind is FaultKind.ILLEGAL
    assert len(ruling.what) < 300
    assert len(ruling.answer) == SHOWN
