"""Runs with `disguise: true`: the later legs of a meeting are the same hands in other suits, and nobody is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from spades_harness.game.bids import LOOK, Bid, BidKind
from spades_harness.game.cards import SUIT_OF, Card, Suit, iterate, strength
from spades_harness.game.deal import disguises
from spades_harness.game.notation import write_action
from spades_harness.game.rules import PRESETS
from spades_harness.game.score import Boards
from spades_harness.game.view import View
from spades_harness.table.match import (
    Answer,
    Gone,
    MatchRecord,
    MatchSpec,
    MatchStart,
    Notice,
    Player,
    Reply,
    Request,
    Started,
)
from spades_harness.table.referee import play_match
from spades_harness.table.seats import run_unsuspended
from spades_harness.tournament.identity import make_spec, tree_of
from spades_harness.tournament.outcome import Outcome
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import open_run, read_ledger
from spades_harness.tournament.records.verifying import verify
from spades_harness.tournament.runner import next_batch

from .playing import Mannequin, entrant, play, setup, tournament

PLAIN = replace(setup(entrant("a"), entrant("b", "dull"), game=Boards(4), seed=3), options={"rounds": 1})
DISGUISED = replace(PLAIN, disguise=True)
FOUR = replace(
    setup(*(entrant(name, seats=1) for name in "abcd"), game=Boards(4), rules=PRESETS["cutthroat"]),
    options={"rounds": 1},
    disguise=True,
)


def specs_of(folder: Path, base: Setup) -> list[MatchSpec]:
    """The matches of its plan."""
    with open_run(folder, base) as run:
        entrants = {each.name: each for each in base.entrants}
        plan = next_batch(tournament(base, run), (), ())
        run.plan(plan)
        return [make_spec(run.run.terms, entrants, each.leg) for each in plan]


def outcomes_of(folder: Path, base: Setup, how: Callable[[MatchSpec], MatchRecord]) -> tuple[Outcome, ...]:
    """What all its matches come to."""
    specs = specs_of(folder, base)
    with open_run(folder, base) as run:
        for spec in specs:
            run.record(how(spec))
        run.finish()
        return run.outcomes()


def in_other_suits(hands: tuple[int, ...], becomes: tuple[int, ...]) -> tuple[int, ...]:
    """The hands with other plain suits."""
    suits = (*becomes, 3)
    return tuple(sum(1 << 13 * suits[card // 13] + card % 13 for card in iterate(held)) for held in hands)


def test_the_later_legs_are_dealt_the_hands_of_the_first_in_other_suits(tmp_path: Path) -> None:
    """DS-09: each leg in its own way, two to a pair and four to a table."""
    for base in (DISGUISED, FOUR):
        first, *others = specs_of(tmp_path / str(len(base.entrants)), base)
        dealt = [hand.dealt for hand in play(first).hands]
        for leg, spec in enumerate(others, 1):
            for number, hand in enumerate(play(spec).hands):
                becomes = disguises(spec.secret, spec.stream, number)[leg - 1]
                assert hand.dealt == in_other_suits(dealt[number], becomes) != dealt[number]


def test_the_option_is_part_of_a_match_only_where_it_is_on(tmp_path: Path) -> None:
    plain, other = specs_of(tmp_path / "plain", PLAIN), specs_of(tmp_path / "other", DISGUISED)
    assert {each.identity for each in plain}.isdisjoint(each.identity for each in other)
    with read_ledger(tmp_path / "plain") as ledger:
        assert tree_of(ledger.run.terms)["disguise"] is False
        assert not ledger.run.terms.disguise
    with read_ledger(tmp_path / "other") as ledger:
        assert ledger.run.terms.disguise


def test_a_disguised_run_is_refereed_once_more_from_its_ledger(tmp_path: Path) -> None:
    outcomes = outcomes_of(tmp_path, DISGUISED, play)
    with read_ledger(tmp_path) as ledger:
        found = verify(ledger)
    assert (found.differences, found.outcomes) == ((), outcomes)


class Listening(Mannequin):
    """A seat that keeps all that it is told."""

    def __init__(self, player: Player) -> None:
        super().__init__(player)
        self.heard: list[object] = []

    async def start(self, start: MatchStart) -> Started | Gone:
        self.heard.append(replace(start, match="", random_seed="", params=()))
        return await super().start(start)

    async def tell(self, notice: Notice) -> None:
        self.heard.append(type(notice))


def test_no_bot_is_told_which_leg_it_plays(tmp_path: Path) -> None:
    """DS-07: but for tag and dice, which say nothing, both legs begin alike for every seat."""
    told = []
    for spec in specs_of(tmp_path, DISGUISED):
        table = [Listening(spec.players[0]) for _ in spec.players]
        run_unsuspended(play_match(spec, table))
        told.append([seat.heard[0] for seat in table])
    assert told[0] == told[1]
    assert "disguise" not in repr(told)


class Fair(Mannequin):
    """Plays by a fixed rule to which all plain suits are alike; raises where two of them are for all that it knows."""

    async def ask(self, request: Request) -> Reply:
        view = request.view
        return Answer(write_action(view.kind, self._pick(view)), 0.001)

    def _pick(self, view: View) -> Bid | Card:
        match view.kind:
            case "blind":
                return LOOK  # type: ignore[return-value]
            case "bid":
                spades = sum(SUIT_OF[card] == Suit.SPADES for card in iterate(view.hand or 0))
                return Bid(BidKind.NUMBER, max(spades, 1))
            case _:
                keys = {self._key(view, card): card for card in view.legal if isinstance(card, int)}
                assert len(keys) == len(view.legal), "two suits are alike for all that it knows"
                return keys[min(keys)]

    def _key(self, view: View, card: Card) -> tuple[object, ...]:
        """What it goes by: the rank, and all that it knows of the suit by its ranks alone."""
        suit = SUIT_OF[card]
        own = tuple(strength(each) for each in iterate(view.hand or 0) if SUIT_OF[each] is suit)
        tricks = [*(trick.cards for trick in view.tricks), view.trick]
        seen = tuple(
            (number, place, strength(each), SUIT_OF[trick[0]] is suit)
            for number, trick in enumerate(tricks)
            for place, each in enumerate(trick)
            if SUIT_OF[each] is suit
        )
        return strength(card), suit is Suit.SPADES, own, seen


def play_fairly(spec: MatchSpec) -> MatchRecord:
    """The match, played by copies of one bot to which suits are alike."""
    record = run_unsuspended(play_match(spec, [Fair(player) for player in spec.players]))
    return replace(record, bots=play(spec).bots)


def test_two_copies_of_a_bot_to_which_suits_are_alike_get_nothing_from_each_other(tmp_path: Path) -> None:
    """DS-09: what one is ahead in the first leg, the other is in the second."""
    one, other = outcomes_of(tmp_path / "two", DISGUISED, play_fairly)
    assert one.scores == other.scores[::-1]
    assert one.scores[0] != one.scores[1]
    tables = outcomes_of(tmp_path / "four", FOUR, play_fairly)
    assert len({sum(leg.scores[place] for leg in tables) for place in range(4)}) == 1


def play_by_letter(spec: MatchSpec) -> MatchRecord:
    """The match, played by copies of one bot that prefers clubs to diamonds and hearts."""
    players = [replace(player, params=(("style", "dull"),)) for player in spec.players]
    return play(replace(spec, players=tuple(players)))


def test_copies_of_a_bot_that_prefers_a_suit_may_get_something_from_each_other(tmp_path: Path) -> None:
    """As DEALS.md says: without the disguise they get nothing, with it they may."""
    base = replace(PLAIN, options={"rounds": 4})
    for disguise in (False, True):
        outcomes = outcomes_of(tmp_path / str(disguise), replace(base, disguise=disguise), play_by_letter)
        ahead = [one.scores != other.scores[::-1] for one, other in zip(outcomes[::2], outcomes[1::2], strict=True)]
        assert any(ahead) is disguise
