"""Entrants without processes, and ways to play a match with them: for real, or not at all."""

from __future__ import annotations

import random
from dataclasses import replace

from spades_harness.game.cards import cards_of, iterate
from spades_harness.game.notation import write_action
from spades_harness.game.rules import Rules
from spades_harness.game.score import Format, Game
from spades_harness.game.substitute import substitute
from spades_harness.table.match import (
    Answer,
    BotReport,
    FaultKind,
    Forfeit,
    Garbled,
    Gone,
    Limits,
    MatchRecord,
    MatchSpec,
    MatchStart,
    Notice,
    Player,
    Plugin,
    Reply,
    Request,
    Started,
)
from spades_harness.table.referee import play_match, with_reports
from spades_harness.table.seats import run_unsuspended
from spades_harness.tournament.ledger import Setup
from spades_harness.tournament.schedule import Entrant


class Mannequin:
    """A seat that plays in the style that its player's params name: `dull`, `dice`, `broken` or `babbling`."""

    def __init__(self, player: Player) -> None:
        self.style = str(dict(player.params).get("style", "dull"))
        self.dice = random.Random()
        self.asked = 0

    async def start(self, start: MatchStart) -> Started | Gone:
        self.dice.seed(start.random_seed)
        if self.style == "broken":
            return Gone("it does not start", 0.01)
        return Started(0.01, name="mannequin", version="1", answers=frozenset({"blind", "exchange"}))

    async def ask(self, request: Request) -> Reply:
        self.asked += 1
        if self.style == "babbling" and self.asked > 20:
            return Garbled(FaultKind.MALFORMED, "not JSON", "la la la", 0.001)
        return Answer(self._choose(request), 0.001, note="so there", stats=(("nodes", 3.0),))

    def _choose(self, request: Request):  # type: ignore[no-untyped-def]
        view = request.view
        if self.style != "dice":
            return write_action(view.kind, substitute(view))
        if view.kind == "exchange":
            return write_action(view.kind, cards_of(self.dice.sample(iterate(view.hand or 0), view.exchange)))
        return write_action(view.kind, self.dice.choice(view.legal))

    async def tell(self, notice: Notice) -> None:
        pass

    def sent(self) -> str:
        return f'{{"id":{self.asked}}}'

    def report(self) -> BotReport:
        return BotReport("mannequin", "1", 0.01, self.asked / 1000, 0, "last words")


def play(spec: MatchSpec) -> MatchRecord:
    """The match, played by mannequins in this process."""
    table = [Mannequin(player) for player in spec.players]
    record = with_reports(run_unsuspended(play_match(spec, table)), table)
    return replace(record, started="2026-03-01T12:00:00.000+00:00", duration=0.25)


def entrant(name: str, style: str = "dice", **params: int) -> Entrant:
    """An entrant that plays both seats of its side with one kind of mannequin."""
    player = Player(name, Plugin("mannequin"), (("style", style), *params.items()), content="1")
    return Entrant(name, (player, player))


def setup(*entrants: Entrant, game: Format | None = None, seed: int | None = 5, rules: Rules | None = None) -> Setup:
    """A tournament of these entrants; short, unless told otherwise."""
    return Setup(
        name="a tournament",
        text="name: a tournament\n",
        rules=rules or Rules(target=100),
        format=game or Game(),
        limits=Limits(),
        faults=Forfeit(),
        seed=seed,
        schedule="round_robin",
        entrants=entrants or (entrant("a"), entrant("b"), entrant("c", "dull")),
        options={"rounds": 2},
    )
