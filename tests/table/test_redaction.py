"""SE-01: what a bot was passed stands in no record, whatever it prints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from spades_harness.table.keeping import Excerpt
from spades_harness.table.match import BotReport, Command, Decision, Fault, FaultKind, MatchRecord, Player
from spades_harness.table.redaction import SHORTEST, hide, redacted, values_of
from spades_harness.table.wire import show

KEY = "s3cret-value"
PLAYER = Player("one", Command(("x",), "/"), pass_env=("API_KEY", "LANGUAGE"))
VALUES = values_of([PLAYER], {"API_KEY": KEY, "LANGUAGE": "de", "OTHER": "o" * SHORTEST})


def test_a_value_is_replaced_by_its_name_wherever_a_bot_may_have_printed_it() -> None:
    fault = Fault(FaultKind.MALFORMED, 0, 1, 0, "bid", f"no: {KEY}", f"<{KEY}>", 1.0, "request", KEY.encode() + b"\xff")
    decision = Decision(1, 0, "bid", 3, 0.1, note=KEY, stats=((KEY, 1.0),))
    record = MatchRecord("id", 1, None, (), (decision,), (fault,), (BotReport(KEY, KEY, stderr=KEY, ended=KEY),))
    clean = redacted(record, VALUES)
    assert KEY not in repr(clean)
    (found,) = clean.faults
    assert (found.what, found.answer, found.raw) == ("no: [API_KEY]", "<[API_KEY]>", b"[API_KEY]\xff")
    assert clean.decisions == (decision._replace(note="[API_KEY]", stats=(("[API_KEY]", 1.0),)),)
    assert clean.bots[0].stderr == "[API_KEY]"
    assert replace(clean, decisions=(), faults=(), bots=()) == replace(record, decisions=(), faults=(), bots=())


def test_short_values_and_those_that_nobody_is_passed_are_left() -> None:
    assert hide("de " + "o" * SHORTEST, VALUES) == "de " + "o" * SHORTEST
    assert values_of([replace(PLAYER, pass_env=())], {"API_KEY": KEY}) == ()
    assert values_of([PLAYER], {}) == ()
    record = MatchRecord("id", 1, None, (), (), (), ())
    assert redacted(record, ()) is record


@pytest.mark.parametrize("form", [str, lambda text: text.replace("\n", "\\n"), lambda text: text.replace('"', '\\"')])
def test_a_value_of_several_lines_is_found_as_it_is_and_in_json(form: Callable[[str], str]) -> None:
    key = 'begin "key" end' if '"' in form('"') and form('"') != '"' else "begin\nkey\nend"
    values = values_of([PLAYER], {"API_KEY": key})
    assert hide(f"<{form(key)}>", values) == "<[API_KEY]>"


@pytest.mark.parametrize("before", range(14))
def test_no_piece_of_a_value_is_left_where_standard_error_or_an_answer_was_cut(before: int) -> None:
    excerpt = Excerpt(20, 20)
    excerpt.feed(b"." * (10 + before) + KEY.encode() + b"." * 20 + KEY.encode() + b"." * (8 + before % 12))
    kept = hide(excerpt.text(), VALUES)
    assert not any(KEY[at : at + 4] in kept for at in range(len(KEY) - 3))
    line = show(b"." * (290 + before) + KEY.encode() * 40)
    assert not any(KEY[at : at + 4] in hide(line, VALUES) for at in range(len(KEY) - 3))
