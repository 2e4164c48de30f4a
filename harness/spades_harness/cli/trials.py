"""By which other rules a bot that was checked can play, too: a table of each kind, and what came of it in words. Pure.

Whoever asks for a check of one game alone is not told of others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from spades_harness.game.rules import PRESETS, Rules, make_rules
from spades_harness.table.match import Gone

from .checking import Sitting
from .faults import cure
from .quoting import quoted


class Trial(NamedTuple):
    """Rules to try a bot by: the words that name them on a command line, and the seat that it gets."""

    words: tuple[str, ...]
    seat: int
    rules: Rules

    @property
    def shown(self) -> str:
        """The rules in a list."""
        preset, *changes = self.words
        return preset if not changes else f"{preset} with {' and '.join(changes)}"


class Tried(NamedTuple):
    """What happened; `named` is the bot as the command line has it."""

    named: str
    trial: Trial
    sitting: Sitting


def _preset(name: str, seat: int) -> Trial:
    return Trial((name,), seat, PRESETS[name])


# What no classic hand has: a draw, a table without partners, cards above the ace, bids in words, bids that are no free
# choice. One seat each, since all seats were tried before.
TRIALS: Final = (
    _preset("two_player", 0),
    _preset("cutthroat", 1),
    _preset("jokers_deuces", 2),
    Trial(("classic", "zero=bonus", "blind_number=6"), 3, make_rules(zero="bonus", blind_number=6)),
    _preset("whiz", 0),
    _preset("suicide", 1),
)


DECLINE: Final = 'decline such a match with {"type":"error",...} (with spades_bot: raise CannotPlay in start)'
"""What a bot may do that is made for some rules only."""


def said_of(tried: Sequence[Tried]) -> Iterator[str]:
    """What it plays, and what it says that it does not play."""
    played = [each.trial.shown for each in tried if not each.sitting.cases]
    if played:
        yield f"also      a few hands each, without a fault: {', '.join(played)}"
    for each in tried:
        if refusal := _refusal(each.sitting):
            yield f"declines  {each.trial.shown}: {refusal}"


def _refusal(sitting: Sitting) -> str:
    """The bot's own word that it cannot play this; empty if it didn't say so."""
    how = sitting.started.how if isinstance(sitting.started, Gone) else ""
    return how.removeprefix("gave up: ").removesuffix(" before it was ready") if how.startswith("gave up: ") else ""


def warned_of(tried: Sequence[Tried]) -> Iterator[str]:
    """Rules by which it made faults, each with its first cure and the call that shows them in full."""
    for each in tried:
        if each.sitting.cases and not _refusal(each.sitting):
            told = f"warning: by the rules {each.trial.shown} {_first_fault(each)}"
            yield f"{told}, or {DECLINE}; {_call(each)} shows more"


def _first_fault(tried: Tried) -> str:
    case = tried.sitting.cases[0]
    fault = case.fault
    asked = f"hand {fault.hand_no}, {fault.asked}" if fault.hand_no else "at the start"
    return f"it made a fault ({fault.kind.value}, {asked}: {fault.what}); cure: {cure(case)}"


def _call(tried: Tried) -> str:
    preset, *changes = tried.trial.words
    options = [word for change in changes for word in ("--set", change)]
    return quoted(["spades", "check", tried.named, "--rules", preset, *options])
