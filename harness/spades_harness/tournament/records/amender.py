"""An amendment as somebody asked for it, judged against the ledger and put on record: all of it, or none and why not.

What amendments come to is in `amending`; who may be asked, and how it is told, is the command line's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from spades_harness.errors import UserError
from spades_harness.suggestion import near_miss

from .acts import Act
from .amending import Amendment, Subject, in_force
from .ledger import RunLedger


def amend(ledger: RunLedger, act: Act, named: Sequence[str], reason: str, by: str) -> tuple[Amendment, ...]:
    """Do this to the matches, entrants or amendments of these names; returns the entries that were made.

    Raises UserError, in one line, for what cannot be; then nothing was changed.
    """
    reason, by = " ".join(reason.split()), " ".join(by.split())
    if not reason:
        raise UserError("--reason: say why; it stays on record and is shown with the standings")
    if not by:
        raise UserError("--by: say who; it stays on record and is shown with the standings")
    for option, said in (("--reason", reason), ("--by", by)):
        if len(said) > LONGEST:
            raise UserError(f"{option}: must be {LONGEST} characters or fewer, and has {len(said):,}")
    return ledger.amend(act, _Judge(ledger).subjects(act, named), reason, by)


LONGEST: Final = 200
"""Characters of a reason and of a name: they are shown in one line under every table of the run."""
_DIGITS: Final = 18
"""Digits of a number that fits into the ledger."""


class _Judge:
    """What stands in a ledger, and so what may be done to it."""

    def __init__(self, ledger: RunLedger) -> None:
        self.made, self.now = ledger.amendments(), ledger.amended()
        self.entrants = [listed.name for listed in ledger.entrants()]
        self.planned = {each.ordinal: each for each in ledger.planned()}
        self.tried = ledger.tried()

    def subjects(self, act: Act, named: Iterable[str]) -> list[Subject]:
        """What these names stand for; raises UserError."""
        match act:
            case Act.VOID | Act.AGAIN:
                return [self.match(act, number) for number in _numbers("match", named)]
            case Act.WITHDRAW | Act.DISQUALIFY:
                return [self.entrant(act, name) for name in dict.fromkeys(named)]
            case Act.UNDO:
                return [self.amendment(number) for number in _numbers("amendment", named)]
            case _:
                assert_never(act)

    def match(self, act: Act, number: int) -> Subject:
        """A match with a result that counts, or that an entrant's disqualification alone sets aside."""
        if (planned := self.planned.get(number)) is None:
            raise UserError(f"there is no match {number}: the plan has {_up_to(len(self.planned))}")
        if (amendment := self.now.void.get(number)) is not None:
            raise UserError(f"match {number} is void already, by amendment {amendment}")
        result = next((each.attempt for each in reversed(self.tried.get(number, ())) if each.result), None)
        if result is None:
            raise UserError(f"match {number} has no result: it has not been played yet")
        if (amendment := self.now.aside.get((number, result))) is not None:
            way_out = f" (undo {amendment}, then void)" if act is Act.VOID else ""
            raise UserError(f"match {number} is to be played again already, by amendment {amendment}{way_out}")
        if act is Act.AGAIN and (gone := sorted(self.now.gone(planned.leg))):
            amendment = self.now.withdrawn[gone[0]]
            raise UserError(f"match {number} can't be played again: {gone[0]} plays no more, by amendment {amendment}")
        return Subject(match=number, attempt=result)

    def entrant(self, act: Act, name: str) -> Subject:
        """An entrant to whom this wasn't done yet."""
        if name not in self.entrants:
            near = near_miss(name, self.entrants)
            hint = f"did you mean {near!r}?" if near else f"it has {', '.join(self.entrants)}"
            raise UserError(f"the run has no entrant {name!r}; {hint}")
        if (amendment := self.now.disqualified.get(name)) is not None:
            raise UserError(f"{name} is disqualified already, by amendment {amendment}")
        if act is Act.WITHDRAW and (amendment := self.now.withdrawn.get(name)) is not None:
            raise UserError(f"{name} has withdrawn already, by amendment {amendment}")
        return Subject(entrant=name)

    def amendment(self, number: int) -> Subject:
        """An amendment that stands and can be lifted."""
        found = next((each for each in self.made if each.number == number), None)
        if found is None:
            raise UserError(f"there is no amendment {number}: the run has {_up_to(len(self.made))}")
        if found.act is Act.UNDO:
            raise UserError(f"amendment {number} lifts another and can't be lifted itself: amend anew")
        if found not in in_force(self.made):
            raise UserError(f"amendment {number} is lifted already")
        if found.act is Act.AGAIN and self.played_since(found.subject):
            raise UserError(f"amendment {number} can't be lifted: {found.subject} was played again; amend that result")
        return Subject(lifts=number)

    def played_since(self, subject: Subject) -> bool:
        """Whether a match has a result of a later attempt."""
        since = subject.attempt or 0
        return any(each.result and each.attempt > since for each in self.tried.get(subject.match or 0, ()))


def _up_to(count: int) -> str:
    return f"1 to {count}" if count else "none"


def _numbers(what: str, named: Iterable[str]) -> dict[int, None]:
    """The numbers that these texts are, each once; raises UserError for the first that is none."""
    numbers: dict[int, None] = {}
    for text in named:
        if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS):
            raise UserError(f"{text!r} is no {what}'s number")
        numbers[int(text)] = None
    return numbers
