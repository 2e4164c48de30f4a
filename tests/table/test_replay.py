"""A recorded match refereed again gives the same record, whatever happened in it; a changed one is found out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_harness.game.rules import PRESETS, Rules, make_rules
from spades_harness.table.bounds import GRACE, Limits
from spades_harness.table.match import (
    Answer,
    Failure,
    FaultKind,
    FaultPolicy,
    Forfeit,
    Garbled,
    Gone,
    MatchRecord,
    MatchSpec,
    Reply,
    Silent,
    Started,
    Substitute,
)
from spades_harness.table.referee import play_match, with_reports
from spades_harness.table.replay import replay_table
from spades_harness.table.seats import run_unsuspended

from .scripted import ALL, a_spec, play

REPLIES: list[Reply] = [
    Gone("exited with code 1", 0.2),
    Silent(0.05, '{"id'),
    Garbled(FaultKind.MALFORMED, "no JSON", "[]", 0.1),
    Garbled(FaultKind.PROTOCOL, "wrong number", "{}", 1.0),
    Answer("1X", 0.1),
    Answer(99, 0.1),
    Answer(3, 1.5),
    Answer(None, 1 + GRACE / 2),
    Answer("blind_nil", 0.3, "a note", (("depth", 3.0),)),
    Answer("blind6", 0.2),
    Answer("discard", 0.2),
]
"""Replies of every kind, some of which are answers to some requests."""
STARTS: list[Started | Failure] = [
    Started(0.1, answers=frozenset()),
    Started(0.1, answers=ALL),
    Started(99.0),
    Gone("exited with code 1 before it was ready", 0.1),
    Silent(10.0),
]


def again(spec: MatchSpec, record: MatchRecord) -> MatchRecord:
    """The match refereed from its record."""
    table = replay_table(record, len(spec.players))
    return with_reports(run_unsuspended(play_match(spec, table)), table)


@given(
    st.dictionaries(st.sampled_from("NESW"), st.dictionaries(st.integers(1, 60), st.sampled_from(REPLIES), max_size=4)),
    st.dictionaries(st.sampled_from("NESW"), st.sampled_from(STARTS)),
    st.sampled_from([Forfeit(), Substitute(2), Substitute(100)]),
    st.sampled_from([Limits(), Limits(bank=0.5), Limits(move=0.05, bank=0.1)]),
    st.sampled_from([Rules(blind_nil=False), make_rules(blind_number=6, zero="bonus"), *PRESETS.values()]),
)
def test_a_record_refereed_again_is_the_same_record(
    scripts: dict[str, dict[int, Reply]],
    starts: dict[str, Started | Failure],
    faults: FaultPolicy,
    limits: Limits,
    rules: Rules,
) -> None:
    spec = a_spec(faults=faults, limits=limits, rules=rules)
    record, _, _ = play(spec, scripts, starts)
    assert again(spec, record) == record


def test_a_record_that_was_changed_is_found_out() -> None:
    spec = a_spec()
    record, _, _ = play(spec)
    first = record.decisions[1]
    changed = replace(record, decisions=(record.decisions[0], first._replace(written=5), *record.decisions[2:]))
    assert again(spec, changed) != changed
    cut = replace(record, decisions=record.decisions[:-1])
    with pytest.raises(ValueError, match="the record has no play of seat"):
        again(spec, cut)
