"""What there is to look at: standings and replays of a run, the bots that can be named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spades_harness.tournament.rank_by import RankBy

if TYPE_CHECKING:
    from spades_harness.tournament.outcome import Leg
    from spades_harness.tournament.records.ledger import Ledger

from .console import command, say
from .numbers import MATCHES, number_in

RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder, such as runs/demo.")]
MatchArgument = Annotated[
    int,
    typer.Argument(metavar="MATCH", parser=number_in(MATCHES), help="The match's number, as the run told it."),
]
PluginOption = Annotated[list[Path] | None, typer.Option(help="A plugin file to load; may be repeated.")]


@command
def standings(
    run: RunArgument,
    json: Annotated[bool, typer.Option("--json", help="As a JSON object.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="As CSV.")] = False,
    rank_by: Annotated[
        RankBy | None, typer.Option(help="What ranks: Elo, points a hand, or wins. Otherwise what the run's file says.")
    ] = None,
    anchor: Annotated[
        str | None, typer.Option(metavar="NAME=ELO", help="Whose Elo is this by definition, such as random=1000.")
    ] = None,
    crosstable: Annotated[bool, typer.Option("--crosstable", help="Everybody against everybody instead.")] = False,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Instead, how often a pair of legs was worth how much, two by two as well.")
    ] = False,
    matrix: Annotated[
        bool, typer.Option("--matrix", help="Instead, the probability that each is stronger than each; also in --json.")
    ] = False,
    crossplay: Annotated[
        bool, typer.Option("--crossplay", help="Instead, where partners change, how everybody does beside everybody.")
    ] = False,
    plugin: PluginOption = None,
) -> None:
    """Print the standings of a run, finished or not.

    Every column and every key is explained, with its formula, in tournaments/STANDINGS.md of the project.
    """
    from spades_harness.tournament.anchor import typed_anchor
    from spades_harness.tournament.records.ledger import read_ledger

    from .opening import registered
    from .tables import Look
    from .views import Form, form_of, view, view_of

    form = form_of({Form.JSON: json, Form.CSV: csv})
    chosen = view_of(form, crosstable=crosstable, pairs=pairs, matrix=matrix, crossplay=crossplay)
    with read_ledger(run) as ledger:
        view(
            ledger,
            registered(plugin or []),
            chosen,
            form,
            Look(rank_by, None if anchor is None else typed_anchor(anchor)),
        )


@command
def replay(
    run: RunArgument,
    match: MatchArgument,
    hand: Annotated[
        list[int] | None,
        typer.Option(metavar="H", parser=number_in(MATCHES), help="Only this hand; may be repeated."),
    ] = None,
    attempt: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=number_in(MATCHES), help="Of a match that was played again.", show_default="the last"
        ),
    ] = None,
) -> None:
    """Tell a match hand by hand, as a person would read it; then each fault in full, with its cure."""
    from functools import partial

    from spades_harness.errors import UserError
    from spades_harness.table.story import hands_told, tell_match
    from spades_harness.tournament.records.ledger import read_ledger

    from .faults import cases, describe
    from .seated import Seated

    with read_ledger(run) as ledger:
        record = ledger.match(match, attempt)
        told = hands_told(record)
        if missing := sorted({*(hand or ())} - {*told}):
            raise UserError(f"match {match} has no hand {missing[0]}: it has {_these(told)}")
        _, _, leg, number = ledger.planned()[match - 1]
        rules, names = ledger.run.terms.rules, Seated(ledger).bots(leg)
        sides = " against ".join(
            f"{entrant} ({side.name})" for entrant, side in zip(leg.by_side, rules.shape.sides, strict=True)
        )
        say(f"Match {match} of {ledger.run.name}: {sides}. Round {leg.round}, board stream {leg.stream}.")
        for line in _amended(ledger, leg, match, record.attempt):
            say(line)
        say()
        terms = ledger.run.terms
        source, disguise = terms.secrets[number].source, terms.disguised(leg.leg)
        dealt = partial(terms.game.deal, rules, source, leg.stream, disguise=disguise)
        for line in tell_match(rules, names, record, dealt, hand or ()):
            say(line)
        for case in cases(record):
            if not hand or case.fault.hand_no in hand:
                who = f"{names[case.fault.seat]} ({rules.shape.seats[case.fault.seat]})"
                say("\n" + "\n".join(describe(case, who)))


def _amended(ledger: Ledger, leg: Leg, match: int, attempt: int) -> Iterator[str]:
    """What there is to say of a record that may be another than the one that counts."""
    against = ledger.amended().against(leg, match, attempt)
    yield from (f"It counts for nobody. {each}" for each in ledger.amendments() if each.number == against)
    if len(tried := ledger.tried().get(match, ())) > 1:
        yield f"This is attempt {attempt} of {len(tried)}."


def _these(hands: list[int]) -> str:
    """Hands that follow each other, in words."""
    return "none" if not hands else f"hand {hands[0]}" if not hands[1:] else f"hands {hands[0]} to {hands[-1]}"


@command
def bots(plugin: PluginOption = None) -> None:
    """List the bots that have a name: those that ship, and those of plugins."""
    from rich.cells import cell_len

    from spades_harness.bundled import shipped_bots

    from .cells import padded
    from .opening import registered

    found = {name: f"ships: {folder}" for name, folder in shipped_bots().items()}
    found |= {name: f"plugin: {bot.plugin}" for name, bot in registered(plugin or []).bots.items()}
    width = max(map(cell_len, found))
    for name, where in sorted(found.items()):
        say(f"{padded(name, width)}  {where}")
