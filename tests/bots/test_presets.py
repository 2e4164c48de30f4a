"""Each bot that ships plays by whatever rules it is told of: every preset, and options in any combination."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from bots_support import class_of, play_boards
from game.rules_by_chance import any_rules
from spades_bot import Bot, Message
from spades_harness.bundled import shipped_bots
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.score import Boards
from spades_harness.table.bounds import Limits
from spades_harness.table.match import MatchRecord, MatchSpec, Player
from spades_harness.table.referee import play_match
from spades_harness.table.seating import open_table
from spades_harness.tournament.file.bots import folder_bot, player

PYTHON_BOTS = ("threes", "counter", "steady")
BOTS = ("random", *PYTHON_BOTS)
PATIENT = Limits(start=60, move=60, bank=3600)
"""No busy machine may come near a bot that answers."""


class Whimsical(Bot):
    """Does anything that the rules allow, so that others see all that may happen."""

    NAME = "whimsical"

    def blind(self, request: Message) -> Any:
        return self.random.choice(request.legal)

    def draw(self, request: Message) -> str:
        return str(self.random.choice(request.legal))

    def bid(self, request: Message) -> Any:
        """Any bid; where Nil is legal, Nil half of the time."""
        return self.random.choice([request.legal[0], self.random.choice(request.legal)])

    def exchange(self, request: Message) -> list[str]:
        return self.random.sample(request.hand, self.random.randint(request.min, request.max))

    def play(self, request: Message) -> str:
        return str(self.random.choice(request.legal))


CLASSES: list[type[Any]] = [*map(class_of, PYTHON_BOTS), Whimsical]


@pytest.mark.parametrize("bot", PYTHON_BOTS)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_bot_plays_each_preset_without_a_fault(preset: str, bot: str) -> None:
    rules = PRESETS[preset]
    for stream, other in enumerate(CLASSES):
        seated: list[type[Any]] = [class_of(bot), other, class_of(bot), Whimsical]
        record = play_boards(seated[: len(rules.shape.seats)], stream, hands=8, rules=rules)
        assert record.faults == ()
        assert record.result
        assert len(record.hands) == 8


@given(any_rules(), st.lists(st.sampled_from(CLASSES), min_size=4, max_size=4), st.integers(0, 10_000))
def test_no_rules_that_may_be_asked_for_and_no_whim_of_others_bring_a_fault(
    rules: Rules, bots: list[type[Any]], stream: int
) -> None:
    assert play_boards(bots[: len(rules.shape.seats)], stream, rules=rules).faults == ()


def as_processes(rules: Rules, bots: tuple[Player, ...], stream: int) -> MatchRecord:
    """A match of four hands between real processes."""
    spec = MatchSpec(f"presets {stream}", 1, rules, Boards(4), secret_of_seed("presets"), stream, 0, bots, PATIENT)

    async def play() -> MatchRecord:
        async with open_table(spec) as table:
            return await play_match(spec, table)

    return trio.run(play)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_bots_play_each_preset_as_processes_too(preset: str) -> None:
    rules = PRESETS[preset]
    players = tuple(player(folder_bot(shipped_bots()[bot])) for bot in BOTS)
    tables = [players] if len(rules.shape.seats) == 4 else [*pairwise(players)]
    for stream, table in enumerate(tables):
        record = as_processes(rules, table, stream)
        assert record.faults == ()
        assert [hand.hand_no for hand in record.hands] == [1, 2, 3, 4]
