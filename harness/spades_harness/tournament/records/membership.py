"""Who belongs to a run: who is new in it, who stays, who has left, and in which order; found once. Pure.

What a run is, fresh or founded, goes by what its ledger holds and never by whether there is a file: a founding that
failed leaves one with nothing in it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from spades_harness.tournament.identity import Settings
from spades_harness.tournament.schedule import Entrant
from spades_harness.tournament.schedules.growing import as_they_came, changed, in_order, joining, without

from .ledger_items import Listed


@dataclass(frozen=True, slots=True)
class Standing:
    """What a ledger says of those who are in its run."""

    settings: Settings
    listed: tuple[Listed, ...]
    """In the order in which they came."""
    withdrawn: Mapping[str, Entrant]
    """Those that play no more, by name, as the ledger recalls them: they may have left the file."""

    @property
    def dropped(self) -> frozenset[str]:
        """Those of whom nothing was ever planned, since their bots didn't come up."""
        return frozenset(each.name for each in self.listed if each.dropped)


@dataclass(frozen=True, slots=True)
class Membership:
    """Who belongs to a run, by its ledger and by a file."""

    new: tuple[Entrant, ...]
    """Who is in the file and not in the run yet; all of them, where it is to be founded."""
    stay: tuple[Entrant, ...]
    """All others of the file, in the order in which they came; whether they are those of the run isn't known yet."""
    known: tuple[Entrant, ...]
    """Of whom the schedule is asked: in the order in which they came, the new ones last, and with those who play no
    more and have left the file, since it still knows them."""
    left: frozenset[str] = frozenset()
    """Who was dropped, and has left the file."""
    anew: frozenset[str] = frozenset()
    """Those of the new who had been dropped, and come with a bot that has changed."""
    stored: Settings | None = None
    """What the settings of those who stay have to be; None where the run is to be founded."""


def membership(
    run: Standing | None, entrants: Sequence[Entrant], settings: Settings, admitted: Collection[str] | None = None
) -> Membership:
    """Who belongs to this run by a file of these entrants and settings; None: it is to be founded.

    `admitted` are those that may be new in it, None for all.
    """
    if run is None:
        return Membership(tuple(entrants), (), tuple(entrants))
    given = {each.name: each for each in entrants}
    left = (run.withdrawn.keys() | run.dropped) - given.keys()
    mended = {name for name in run.dropped & given.keys() if changed(run.settings, settings, name)}
    joined = joining(without(run.settings, left | mended), entrants)
    new = tuple(each for each in joined if admitted is None or each.name in admitted)
    anew = mended.intersection(each.name for each in new)
    stored = without(run.settings, left | anew)
    stay = as_they_came(stored, [each for each in entrants if each not in new])
    return Membership(new, stay, _known(run, given, new), run.dropped - given.keys(), frozenset(anew), stored)


def _known(run: Standing, given: Mapping[str, Entrant], new: Sequence[Entrant]) -> tuple[Entrant, ...]:
    known = {**run.withdrawn, **given}
    joins = {each.name for each in new}
    came = [each.name for each in run.listed if each.name in known and each.name not in joins]
    return tuple(known[name] for name in in_order(came, given))
