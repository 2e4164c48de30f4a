"""What a match is, in the terms of a tournament: entrants, board streams, and the run that keeps it. Pure.

A match on the command line is a small tournament of its two sides, or of those who play there alone. So its deals, its
record and its figures are those of any tournament, and whatever reads a run reads it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spades_harness.errors import UserError
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards, Format, Game
from spades_harness.game.shape import Shape
from spades_harness.table.bounds import Limits
from spades_harness.table.match import Forfeit, Player
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.schedule import Entrant

from .numbers import BOARDS, GAMES, must_be

TITLE: Final = "match"
"""The name of the run; `MARK` stands at the head of its text, and tells it from a tournament of the same name."""
MARK: Final = "# played by `spades match`\n"
STREAM: Final = 4
"""Boards of a stream: each seat deals once, and the more streams, the surer the error."""
ENOUGH: Final = 16
"""Streams that make an error trustworthy; where there are more, longer streams save the bots some starts."""
UNTIMED: Final = Limits(start=86_400.0, move=86_400.0, bank=604_800.0)
"""A day for each answer: without a clock, as far as anybody at a keyboard can tell."""


def streams_of(boards: int) -> tuple[int, Boards]:
    """How many board streams make so many boards, and the format of one. Raises UserError.

    Streams of four boards; longer ones where at least 16 of them remain.
    """
    if boards not in BOARDS:
        raise UserError(f"--boards {must_be(BOARDS, boards)}")
    fitting = [size for size in range(STREAM, 1_001, STREAM) if boards % size == 0 and boards // size >= ENOUGH]
    size = max(fitting, default=STREAM)
    return boards // size, Boards(size)


def format_of(boards: int | None, games: int | None, default: int) -> tuple[int, Format]:
    """Board streams and format as the command line wants them. Raises UserError."""
    if boards is not None and games is not None:
        raise UserError("--boards and --games exclude each other: a match is of boards, or of games to the target")
    if games is None:
        return streams_of(default if boards is None else boards)
    if games not in GAMES:
        raise UserError(f"--games {must_be(GAMES, games)}")
    return games, Game()


def entrants_of(players: Sequence[Player], shape: Shape) -> tuple[Entrant, ...]:
    """The two sides: two bots on both seats of a side each, or four on N E S W. Raises UserError for other numbers.

    Where each plays for himself every bot is an entrant; two of them fill a table of four with two copies each.
    """
    if all(len(side.seats) == 1 for side in shape.sides):
        return _alone(distinct(players), len(shape.sides))
    match distinct(players):
        case [one, other]:
            return Entrant(one.name, (one, one)), Entrant(other.name, (other, other))
        case [north, east, south, west]:
            return Entrant(_pair(north, south), (north, south)), Entrant(_pair(east, west), (east, west))
        case _:
            raise UserError(f"a match is between two bots, or four (N E S W), not {len(players)}")


def _alone(players: Sequence[Player], seats: int) -> tuple[Entrant, ...]:
    if len(players) not in (2, seats):
        how_many = "two bots" if seats == 2 else f"two bots, or {seats}"
        raise UserError(f"a match by these rules is between {how_many}, not {len(players)}")
    return tuple(Entrant(player.name, (player,)) for player in players)


def distinct(players: Sequence[Player]) -> list[Player]:
    """The players under names that tell them apart: the second of a name becomes `name#2`."""
    found: list[Player] = []
    for player in players:
        taken = {other.name for other in found}
        names = (player.name, *(f"{player.name}#{number}" for number in range(2, len(players) + 1)))
        found.append(replace(player, name=next(name for name in names if name not in taken)))
    return found


def _pair(one: Player, other: Player) -> str:
    return f"{one.name}+{other.name}"


def setup_of(
    entrants: Sequence[Entrant], rules: Rules, streams: int, game: Format, limits: Limits, seed: int | str, text: str
) -> Setup:
    """The run that keeps the match; `text` is the call, for whoever reads the ledger."""
    return Setup(
        name=TITLE,
        text=f"{MARK}# {text}\n",
        rules=rules,
        format=game,
        limits=limits,
        faults=Forfeit(),
        seed=seed,
        schedule="round_robin",
        entrants=tuple(entrants),
        options={"rounds": streams},
    )
