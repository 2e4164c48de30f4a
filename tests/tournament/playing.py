"""Entrants without processes, and ways to play a match with them: for real, or not at all."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

from spades_harness.game.cards import cards_of, iterate
from spades_harness.game.notation import Written, write_action
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards, Format, Game
from spades_harness.game.substitute import substitute
from spades_harness.table.bounds import Limits
from spades_harness.table.match import (
    Answer,
    BotReport,
    FaultKind,
    Forfeit,
    Garbled,
    Gone,
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
from spades_harness.tournament.identity import make_spec
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import RunLedger, open_run
from spades_harness.tournament.runner import Tournament, next_batch
from spades_harness.tournament.schedule import Entrant, Options, Schedule
from spades_harness.tournament.schedules.round_robin import round_robin


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
        return Started(0.01, name="mannequin", version="1", answers=frozenset({"blind", "draw", "exchange"}))

    async def ask(self, request: Request) -> Reply:
        self.asked += 1
        if self.style == "babbling" and self.asked > 20:
            return Garbled(FaultKind.MALFORMED, "not JSON", "la la la", 0.001)
        return Answer(self._choose(request), 0.001, note="so there", stats=(("nodes", 3.0),))

    def _choose(self, request: Request) -> Written:
        view = request.view
        if self.style != "dice":
            return write_action(view.kind, substitute(view))
        if view.kind == "exchange":
            return write_action(
                view.kind, cards_of(self.dice.sample(iterate(view.hand or 0), self.dice.randint(*view.give)))
            )
        return write_action(view.kind, self.dice.choice(view.legal))

    async def tell(self, notice: Notice) -> None:
        pass

    def sent(self) -> str:
        return f'{{"id":{self.asked}}}'

    def answered(self) -> bytes:
        return b""

    def report(self) -> BotReport:
        return BotReport("mannequin", "1", 0.01, self.asked / 1000, 0, "last words")


def play(spec: MatchSpec) -> MatchRecord:
    """The match, played by mannequins in this process."""
    table = [Mannequin(player) for player in spec.players]
    record = with_reports(run_unsuspended(play_match(spec, table)), table)
    return replace(record, started="2026-03-01T12:00:00.000+00:00", duration=0.25)


def play_badly_at_first(spec: MatchSpec) -> MatchRecord:
    """A fault of the harness in each match's first attempt, which kills the process that plays it or is raised."""
    if spec.attempt > 1:
        return play(spec)
    if spec.leg:
        os._exit(3)
    raise ArithmeticError(f"seven trumps, {spec.players[0].launch.env}")


def play_never(spec: MatchSpec) -> MatchRecord:
    """A fault of the harness each time."""
    raise ArithmeticError("seven trumps")


def hang(fifo: str, spec: MatchSpec) -> MatchRecord:
    """A match that doesn't end by itself, with a bot; all processes of it hold the fifo open for writing.

    Says `playing` into it when it begins, `ended` when the bot was ended as a table ends its bots.
    """
    with open(fifo, "ab", buffering=0) as said:  # noqa: PTH123
        stubborn = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); signal.pause()"
        bot = subprocess.Popen([sys.executable, "-c", stubborn], pass_fds=[said.fileno()], process_group=0)
        try:
            said.write(b"playing\n")  # from here on the run may be ended: not before the bot is sure to be, too
            threading.Event().wait()
        finally:
            bot.kill()
            bot.wait()
            said.write(b"ended\n")
    return play(spec)


def cannot_prepare() -> None:
    """What a worker does first, gone wrong."""
    raise LookupError("no such plugin")


def entrant(name: str, style: str = "dice", seats: int = 2, **params: int) -> Entrant:
    """An entrant that plays all seats of its side with one kind of mannequin."""
    player = Player(name, Plugin("mannequin"), (("style", style), *params.items()), content="1")
    return Entrant(name, (player,) * seats)


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


FIELD = setup(entrant("a"), entrant("b"), entrant("c", "dull"), game=Boards(4))


def tournament(base: Setup, run: RunLedger, schedule: Schedule = round_robin) -> Tournament:
    return Tournament(schedule, base.entrants, Options(base.options, base.format, base.rules), run.run.terms)


def specs(tmp_path: Path) -> list[MatchSpec]:
    """The matches of the field's plan."""
    with open_run(tmp_path / "plan", FIELD) as run:
        entrants = {each.name: each for each in FIELD.entrants}
        return [make_spec(run.run.terms, entrants, p.leg) for p in next_batch(tournament(FIELD, run), (), ())]
