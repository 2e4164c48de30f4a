"""Matches by every kind of rules in the ledger: recorded, read, refereed again and told, they stay what they were."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from spades_harness.game.hand import deal_hand
from spades_harness.game.rules import PRESETS, Rules, make_rules
from spades_harness.game.score import Boards
from spades_harness.table.match import MatchRecord, MatchSpec
from spades_harness.table.referee import play_match, with_reports
from spades_harness.table.replay import replay_table
from spades_harness.table.seats import run_unsuspended
from spades_harness.table.story import tell_match
from spades_harness.tournament.identity import make_spec
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import open_run, read_ledger
from spades_harness.tournament.runner import next_batch

from .playing import entrant, play, setup, tournament

WORDS = make_rules(zero="bonus", blind_number=6, behind=500, target=None)
EVERY_KIND = [*PRESETS.values(), WORDS]


def field(rules: Rules, last: str) -> Setup:
    """As many as a table takes, who play at random; the last of them in a style of its own."""
    sides = rules.shape.sides
    styles = ["dice"] * (len(sides) - 1) + [last]
    entrants = (
        entrant("abcd"[n], style, len(side.seats)) for n, (side, style) in enumerate(zip(sides, styles, strict=True))
    )
    return setup(*entrants, rules=rules, game=Boards(4))


def again(spec: MatchSpec, record: MatchRecord) -> MatchRecord:
    """The match refereed from its record."""
    table = replay_table(record, len(spec.players))
    return with_reports(run_unsuspended(play_match(spec, table)), table)


@pytest.mark.parametrize("rules", EVERY_KIND, ids=lambda rules: rules.preset)
@pytest.mark.parametrize("faulty", [True, False], ids=["faulty", "honest"])
def test_a_match_is_recorded_read_refereed_again_and_told_as_it_was(rules: Rules, faulty: bool, tmp_path: Path) -> None:
    """PR-01: what the ledger holds is enough to play the match once more, card by card."""
    base = field(rules, "babbling" if faulty else "dice")
    with open_run(tmp_path, base) as run:
        plan = next_batch(tournament(base, run), (), ())
        run.plan(plan)
        spec = make_spec(run.run.terms, {each.name: each for each in base.entrants}, plan[0].leg)
        record = play(spec)
        run.record(record)
    with read_ledger(tmp_path) as kept:
        found = kept.match(1)
        terms = kept.run.terms
    assert found == record
    assert terms.rules == rules
    assert bool(record.faults) is faulty
    assert again(spec, found) == replace(record, started="", duration=0.0)
    names = [player.name for player in spec.players]
    lines = list(tell_match(rules, names, found, partial(deal_hand, rules, spec.secret, spec.stream)))
    assert lines[-1].startswith("Forfeited by " if faulty else "End after 4 hands (boards).")
