"""Partners by draw, for a match of four bots: who draws which card, and who sits where by that. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spades_harness.errors import UserError
from spades_harness.game.cards import show_card
from spades_harness.game.partners import draw_cards, pairs_of
from spades_harness.game.rules import Rules
from spades_harness.table.match import Player


class Table(NamedTuple):
    """Who sits where, in the order of the seats, and lines that say why."""

    players: tuple[Player, ...]
    told: tuple[str, ...] = ()


def seat(players: Sequence[Player], rules: Rules, secret: bytes) -> Table:
    """The players as they were named, or partners by draw where the rules say so, who stay so for the whole match.

    The first stays in the first seat, the other two keep their order. Raises UserError where they aren't four.
    """
    if rules.partners == "fixed":
        return Table(tuple(players))
    if len(players) != len(rules.shape.seats):
        raise UserError(
            f"--rules: partners are drawn in a match of four bots, not of {len(players)};"
            " name four, or add --set partners=fixed"
        )
    drawn = draw_cards(rules, secret, 0)
    (north, south), (east, west) = pairs_of(drawn)
    seated = tuple(players[number] for number in (north, east, south, west))
    return Table(seated, tuple(_told(players, drawn, seated)))


def _told(players: Sequence[Player], drawn: Sequence[int], seated: Sequence[Player]) -> Iterator[str]:
    cards = (f"{player.name} {show_card(card)}" for player, card in zip(players, drawn, strict=True))
    north, east, south, west = (player.name for player in seated)
    yield f"Drawn for partners: {', '.join(cards)}"
    yield f"{north} and {south} (N and S) play against {east} and {west} (E and W)"
