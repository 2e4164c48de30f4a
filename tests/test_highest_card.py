"""Another game on the same floors: what is not Spades is refereed, told, kept, replayed and rated all the same."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path

import pytest

from cli.calling import spades
from highest_card import HIGHEST_CARD
from spades_harness.cli.playing import play
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.score import Boards, Game
from spades_harness.table.bounds import Limits
from spades_harness.table.match import SPADES_GAME, Command, FaultKind, Forfeit, MatchRecord, MatchSpec, Player
from spades_harness.table.referee import play_match, with_reports
from spades_harness.table.replay import replay_table
from spades_harness.table.seats import run_unsuspended
from spades_harness.table.story import tell_match
from spades_harness.tournament.execution.lanes import Lanes, Play
from spades_harness.tournament.identity import make_spec
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import Planned, RunLedger, open_run
from spades_harness.tournament.runner import Tournament, play_out
from spades_harness.tournament.schedule import Entrant, Options
from spades_harness.tournament.schedules.round_robin import round_robin
from spades_harness.tournament.standings import standings
from spades_harness.tournament.statistics.rating import elo

RULES = Rules(target=5)
HIGH = "max(request.legal, key=rank)"
SHARP = """min(
            (card for card in request.legal if all(rank(card) > rank(other) for other in request.trick)),
            key=rank,
            default=min(request.legal, key=rank),
        )"""
PATIENT = Limits(start=60, move=60, bank=600)
BOT = """
from spades_bot import Bot, rank, run

class Player(Bot):
    def bid(self, request):
        raise AssertionError("nobody bids in this game")

    def play(self, request):
        assert not request.bids
        return {choice}

run(Player)
"""


class Here:
    """A lane that plays at once, in this process; the bots have theirs."""

    def submit(self, play: Play, spec: MatchSpec, /) -> Future[MatchRecord]:
        future: Future[MatchRecord] = Future()
        future.set_result(play(spec))
        return future

    def cut(self) -> None:
        pass

    def close(self) -> None:
        pass


class Quiet:
    """Nobody who wants to know."""

    def planned(self, done: int, total: int) -> None:
        pass

    def played(self, planned: Planned, record: MatchRecord, done: int, total: int) -> None:
        pass

    def stopped(self, why: str, done: int, total: int) -> None:
        pass


def entrant(folder: Path, name: str, choice: str) -> Entrant:
    """Two copies of a bot that puts down the card of this expression."""
    own = folder / name
    own.mkdir()
    (own / "bot.py").write_text(BOT.format(choice=choice))
    player = Player(name, Command(("{python}", "bot.py"), str(own)), content=choice)
    return Entrant(name, (player, player))


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> tuple[Entrant, ...]:
    bots = tmp_path_factory.mktemp("bots")
    return entrant(bots, "sharp", SHARP), entrant(bots, "high", HIGH)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, field: tuple[Entrant, ...]) -> Iterator[RunLedger]:
    options = {"rounds": 5}
    setup = Setup("cards", "", RULES, Boards(4), PATIENT, Forfeit(), 1, "round_robin", field, options, HIGHEST_CARD)
    with open_run(tmp_path_factory.mktemp("cards") / "run", setup) as ledger:
        terms = replace(ledger.run.terms, game=HIGHEST_CARD)  # a ledger keeps its name
        game = Tournament(round_robin, field, Options(options, terms.format, terms.rules), terms)
        with Lanes(play, 1, Here) as lanes:
            assert not play_out(game, ledger, lanes, Quiet())
        yield ledger


def spec_of(run: RunLedger, field: tuple[Entrant, ...], planned: Planned) -> MatchSpec:
    terms = replace(run.run.terms, game=HIGHEST_CARD)
    return make_spec(terms, {each.name: each for each in field}, planned.leg)


def test_real_bots_play_it_and_the_ledger_keeps_it_and_both_legs_have_the_same_cards(
    run: RunLedger, field: tuple[Entrant, ...]
) -> None:
    records = {planned: run.match(planned.ordinal) for planned in run.planned()}
    assert len(records) == 10
    for planned, record in records.items():
        assert record.identity == spec_of(run, field, planned).identity
        assert not record.faults
        assert [sum(side.delta for side in hand.sides) for hand in record.hands] == [3] * 4
        assert {hand.bids for hand in record.hands} == {(None,) * 4}
    for _, legs in groupby(records, key=lambda planned: planned.leg.stream):
        one, two = ([hand.dealt for hand in records[planned].hands] for planned in legs)
        assert one == two


def test_a_record_from_the_ledger_is_refereed_again_and_told(run: RunLedger, field: tuple[Entrant, ...]) -> None:
    planned, record = run.planned()[0], run.match(1)
    spec = spec_of(run, field, planned)
    table = replay_table(record, len(spec.players))
    again = with_reports(run_unsuspended(play_match(spec, table)), table)
    assert replace(again, started=record.started, duration=record.duration) == record
    told = list(
        tell_match(RULES, ["sharp", "high"] * 2, record, partial(spec.game.deal, RULES, spec.secret, spec.stream))
    )
    assert sum("won by" in line for line in told) == 12


def test_who_spares_his_high_cards_is_rated_higher(run: RunLedger) -> None:
    rows = standings(["sharp", "high"], run.outcomes(), Boards(4), {"elo": elo}).entrants
    assert [row.entrant for row in rows] == ["sharp", "high"]
    assert rows[0].points_per_hand is not None
    assert rows[0].points_per_hand > 0
    assert rows[0].elo_low is not None


@pytest.mark.parametrize("preset", ["classic", "cutthroat", "two_player", "jokers"])
def test_it_is_played_with_other_seats_and_decks_and_to_a_target(tmp_path: Path, preset: str) -> None:
    rules = replace(PRESETS[preset], target=5)
    player = entrant(tmp_path, "high", HIGH).players[0]
    players = (player,) * len(rules.shape.seats)
    spec = MatchSpec("id", 1, rules, Game(), bytes(32), 0, 0, players, PATIENT, game=HIGHEST_CARD)
    record = play(spec)
    assert record.result
    assert record.result.ending
    assert not record.faults


def test_a_card_of_somebody_else_is_a_fault_in_the_words_of_the_game(tmp_path: Path) -> None:
    ace_of_spades = entrant(tmp_path, "cheat", "'AS'").players
    spec = MatchSpec("id", 1, RULES, Boards(4), bytes(32), 0, 0, ace_of_spades * 2, PATIENT, game=HIGHEST_CARD)
    (fault,) = play(spec).faults
    assert (fault.kind, fault.what) == (FaultKind.ILLEGAL, "AS is not in your hand")


def test_a_program_that_does_not_know_the_game_says_so(run: RunLedger) -> None:
    call = spades("replay", str(run.path.parent), "1", cwd=run.path.parent)
    assert (call.returncode, call.stderr) == (
        2,
        "spades: this run is of the game 'highest_card', whose cards cannot be dealt here: only its own program can\n",
    )
    assert spades("standings", str(run.path.parent), cwd=run.path.parent).returncode == 0


def test_the_same_cards_in_another_game_are_another_match(run: RunLedger, field: tuple[Entrant, ...]) -> None:
    (first, *_), entrants = run.planned(), {each.name: each for each in field}
    names = {
        make_spec(replace(run.run.terms, game=game), entrants, first.leg).identity
        for game in (HIGHEST_CARD, SPADES_GAME)
    }
    assert len(names) == 2
    assert first.identity in names
