"""`spades deal`: any hand of any board stream, dealt from a seed or a secret alone. Asks no run and no ledger."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from .chosen import Preset, Set
from .console import command, say
from .numbers import number_in

STREAMS: Final = range(2**64)
"""Board streams: the derivation has 8 bytes for the number of one."""
HANDS: Final = range(1, 2**64 + 1)
"""Hands as people count them; the derivation counts from 0, in 8 bytes."""
LEGS: Final = range(4)
"""A table of four has as many; the first is dealt as it is."""


def _number(typed: str, among: range, what: str) -> int:
    """A number in plain digits that is one of these."""
    digits = len(str(among[-1]))
    if typed.isascii() and typed.isdigit() and len(typed) <= digits and int(typed) in among:
        return int(typed)
    raise typer.BadParameter(f"{what} count from {among[0]} to {among[-1]}, so there is no {typed[: digits + 4]!a}")


def _stream(typed: str) -> int:
    return _number(typed, STREAMS, "board streams")


def _hand(typed: str) -> int:
    return _number(typed, HANDS, "hands")


@command
def deal(
    stream: Annotated[
        int, typer.Option(metavar="N", parser=_stream, help="The board stream, from 0 as `spades replay` names it.")
    ],
    hand: Annotated[
        int, typer.Option(metavar="H", parser=_hand, help="The hand in it; hands count from 1, as in a replay.")
    ],
    seed: Annotated[str | None, typer.Option(metavar="SEED", help="The public seed of the tournament.")] = None,
    secret: Annotated[
        str | None, typer.Option(metavar="HEX", help="Or its secret, 64 hex digits: a run without a seed ends with it.")
    ] = None,
    salt: Annotated[str | None, typer.Option(metavar="TEXT", help="The salt that the run mixed in, if it did.")] = None,
    leg: Annotated[
        int,
        typer.Option(
            metavar="N", parser=number_in(LEGS), help="As in this leg of a run with disguise: true; legs count from 0."
        ),
    ] = 0,
    rules: Preset = "classic",
    changes: Set = None,
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    plugin: Annotated[list[Path] | None, typer.Option(help="A plugin file to load first; may be repeated.")] = None,
) -> None:
    """Deal any hand once more: the cards of each seat and the dealer, as protocol/DEALS.md derives them.

    For instance: spades deal --seed 2026 --stream 0 --hand 1

    Of all the rules only the deck and the number of players matter to a deal. Where two players draw their cards, it
    is the stock in the order in which it is drawn.
    """
    from json import dumps

    from . import dealing
    from .chosen import chosen_rules
    from .opening import registered

    source = dealing.read_source(seed, secret, salt)
    chosen = chosen_rules(rules, changes or (), registered(plugin or [], kinds=("rules",)).rules)
    dealt = dealing.deal(chosen, source, stream, hand, leg)
    if json:
        say(dumps(dealing.as_tree(dealt), indent=2))
        return
    for line in dealing.as_lines(dealt):
        say(line)
