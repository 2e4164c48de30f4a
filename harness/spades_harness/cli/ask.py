"""`spades score` and `spades legal`: questions to the rules, answered by the functions that the referee asks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .chosen import Preset, Set
from .console import command, say

Plugins = Annotated[list[Path] | None, typer.Option(help="A plugin file to load first; may be repeated.")]
Json = Annotated[bool, typer.Option("--json", help="As JSON.")]


@command
def score(
    bids: Annotated[
        str,
        typer.Option(
            metavar="SEAT=BID,...",
            help="Each seat's bid: a number, nil, blind_nil, zero, blind6 ...; 0 is what the rules make of it.",
        ),
    ],
    won: Annotated[str, typer.Option(metavar="SEAT=N,...", help="The tricks that each of these seats took.")],
    before: Annotated[
        str | None,
        typer.Option(
            metavar="SIDE=POINTS/BAGS,...", help="What the sides had before the hand, such as NS=337/7.  [default: 0/0]"
        ),
    ] = None,
    rules: Preset = "classic",
    changes: Set = None,
    json: Json = False,
    plugin: Plugins = None,
) -> None:
    """What a hand is worth: each part of the score with the number of its rule.

    For instance: spades score --bids N=4,S=nil,E=3,W=2 --won N=4,S=2,E=4,W=3 --before NS=337/7,EW=0/0

    The seats are N, E, S, W with the sides NS and EW; each seat is its own side under cutthroat (N, E, S, W) and
    two_player (N, S). One side alone may be given, all its seats in --bids and --won. That the cards allow a bid
    (whiz, mirror) is taken on trust, and so is a deficit for Double Nil unless --before has every side.
    """
    from json import dumps

    from . import scoring
    from .chosen import chosen_rules
    from .opening import registered

    chosen = chosen_rules(rules, changes or (), registered(plugin or [], kinds=("rules",)).rules)
    question = scoring.read_question(chosen, bids, won, before)
    scored = scoring.score(question)
    if json:
        say(dumps(scoring.as_tree(scored), indent=2))
        return
    for line in scoring.as_lines(scored):
        say(line)
    if (said := scoring.outlook(question, scored)) is not None:
        say(said)


@command
def legal(
    hand: Annotated[str, typer.Option(metavar="CARDS", help='The cards held: rank then suit, such as "AS KS 5H".')],
    trick: Annotated[
        str,
        typer.Option(
            metavar="SEAT:CARD ...",
            help='The cards of the trick so far, each with its seat, such as "E:QH S:2H"; the next seat is asked.',
        ),
    ] = "",
    broken: Annotated[bool, typer.Option("--broken", help="Spades are broken.")] = False,
    first: Annotated[
        bool, typer.Option("--first", help="It is the first trick, though fewer than 13 cards are named.")
    ] = False,
    rules: Preset = "classic",
    changes: Set = None,
    json: Json = False,
    plugin: Plugins = None,
) -> None:
    """Which cards may be played, and for each other card why not.

    For instance: spades legal --hand "AS KS 5H" --trick "E:QH S:2H"

    A hand of 13 cards is at its first trick; one of fewer cards is not, unless --first says so. Without --trick the
    hand leads.
    """
    from json import dumps

    from . import playable
    from .chosen import chosen_rules
    from .opening import registered

    chosen = chosen_rules(rules, changes or (), registered(plugin or [], kinds=("rules",)).rules)
    playing = playable.read_playing(chosen, hand, trick, broken=broken, first=first)
    if json:
        say(dumps(playable.as_tree(playing), indent=2))
        return
    for line in playable.as_lines(playing):
        say(line)
