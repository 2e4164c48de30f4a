"""Places in a run that was amended: they go by what the schedule sees, so that they agree with what is played on."""

from __future__ import annotations

from pathlib import Path

from spades_harness.tournament.records.amender import amend
from spades_harness.tournament.records.amending import Act
from spades_harness.tournament.records.ledger import open_run

from .test_formats import SCHEDULES, founded, go_on


def test_who_is_disqualified_in_a_knockout_forfeits_its_ties_and_the_others_go_on(tmp_path: Path) -> None:
    base = founded("knockout")
    names = [each.name for each in base.entrants]
    with open_run(tmp_path, base) as run:
        go_on(run, base)
        places = SCHEDULES["knockout"].places  # type: ignore[attr-defined]
        before = places(names, run.schedule()[1], run.seen(run.outcomes()))
        assert run.seen(run.outcomes()) == run.outcomes()
        gone = before.places[0].entrant
        amend(run, Act.DISQUALIFY, [gone], "it peeked", "the referee")
        seen = run.seen(run.outcomes())
        assert [each.ordinal for each in seen] == [each.ordinal for each in run.planned()]
        go_on(run, base)
        after = places(names, run.schedule()[1], run.seen(run.outcomes()))
    assert after.places[0].said == "winner"
    assert after.places[0].entrant != gone
    assert after.lines[-1] == f"Winner: {after.places[0].entrant}"
