"""The tree of a knockout: who meets whom stage by stage, single or double, with byes where a place is empty. Pure.

Knows names in the order of their seeds, and asks who won a tie; of matches, boards and results it knows nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeAlias

Slot: TypeAlias = str | None
"""A place in the tree: None is nobody, so who meets it goes on."""


_WINNERS: Final = "winners, round {}"
_LOSERS: Final = "losers, round {}"
"""With the number of those before it that are called so."""


@dataclass(frozen=True, slots=True)
class Tie:
    """Two who meet, of whom one goes on; the better seed first."""

    stage: int
    """From 1."""
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Stage:
    """Ties that are played at the same time, under a name, and those who went on without one."""

    number: int
    """From 1."""
    title: str
    ties: tuple[Tie, ...]
    byes: tuple[str, ...] = ()


class Winner(Protocol):
    """Who won a tie; None: nobody knows yet."""

    def __call__(self, tie: Tie, /) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Bracket:
    """A tree as far as it is decided."""

    stages: tuple[Stage, ...]
    """Of the last one, some ties may be undecided: what follows on them is not known."""
    winner: str | None


def seeded(names: Sequence[str]) -> tuple[Slot, ...]:
    """The names in the order of the tree: the first two can meet in the final alone, the first four in the semi-finals.

    The places of a power of two that are left over are nobody's, and stand against the best.
    """
    order = [0]
    while len(order) < len(names):
        order = [seed for each in order for seed in (each, 2 * len(order) - 1 - each)]
    return tuple(names[seed] if seed < len(names) else None for seed in order)


def single(names: Sequence[str], winner: Winner) -> Bracket:
    """A single elimination: who loses is out."""
    tree = _Tree(names, winner)
    slots: tuple[Slot, ...] | None = seeded(names)
    while slots and len(slots) > 1:
        slots, _ = tree.stage(_title(len(slots)), _pairs(slots))
    return tree.bracket(slots[0] if slots else None)


def double(names: Sequence[str], winner: Winner) -> Bracket:
    """A double elimination: who loses twice is out.

    Losers go on among themselves: in turn against each other, and against those who lost a round later. They are met in
    the reverse order every other time: so of four or more, nobody's next tie is against whom it has just lost to; two
    or three have nobody else. In the end the last of them meets the undefeated; if that one loses for the first time,
    they meet once more at once.
    """
    tree = _Tree(names, winner)
    champion, challenger = _two_left(tree, seeded(names))
    if champion is None or challenger is None:
        return tree.bracket(None)
    first = tree.stage("grand final", ((champion, challenger),))[0]
    if first == (champion,):
        return tree.bracket(champion)
    last = tree.stage("decider", ((champion, challenger),))[0] if first else None
    return tree.bracket(last[0] if last else None)


def _two_left(tree: _Tree, slots: tuple[Slot, ...]) -> tuple[Slot, Slot]:
    """The undefeated, and the last of those who lost once; nobody where that isn't decided."""
    rounds = 1
    upper, dropped = tree.stage(_WINNERS, _pairs(slots))
    lower: tuple[Slot, ...] | None = dropped
    while upper and lower:
        if len(lower) > 1:
            lower, _ = tree.stage(_LOSERS, _pairs(lower))
        if lower and len(upper) == 1:
            return upper[0], lower[0]
        if lower:
            rounds += 1
            upper, dropped = tree.stage(_WINNERS, _pairs(upper))
        if lower and upper:
            met = zip(lower, dropped[::-1] if rounds % 2 == 0 else dropped, strict=True)
            lower, _ = tree.stage(_LOSERS, tuple(met))
    return None, None


def _pairs(slots: Sequence[Slot]) -> tuple[tuple[Slot, Slot], ...]:
    return tuple(zip(slots[::2], slots[1::2], strict=True))


def _title(left: int) -> str:
    return {2: "final", 4: "semi-finals", 8: "quarter-finals"}.get(left, f"round of {left}")


class _Tree:
    """The stages so far."""

    def __init__(self, names: Sequence[str], winner: Winner) -> None:
        self._seed = {name: number for number, name in enumerate(names)}
        self._winner = winner
        self._stages: list[Stage] = []

    def bracket(self, winner: str | None) -> Bracket:
        """What it has come to; stages in which nobody had to play are left out, and not counted in titles."""
        played = [stage for stage in self._stages if stage.ties]
        alike = [
            [each.title for each in played[: number + 1]].count(stage.title) for number, stage in enumerate(played)
        ]
        titled = (replace(stage, title=stage.title.format(nth)) for stage, nth in zip(played, alike, strict=True))
        return Bracket(tuple(titled), winner)

    def stage(self, title: str, pairs: Sequence[tuple[Slot, Slot]]) -> tuple[tuple[Slot, ...] | None, tuple[Slot, ...]]:
        """Play a stage: who goes on and who lost, in the order of the pairs; None if it isn't decided."""
        number = len(self._stages) + 1
        ties = {pair: self._tie(number, pair) for pair in pairs}
        byes = tuple(name for pair, tie in ties.items() if not tie for name in pair if name)
        self._stages.append(Stage(number, title, tuple(tie for tie in ties.values() if tie), byes))
        won = {pair: self._winner(tie) if tie else next(filter(None, pair), None) for pair, tie in ties.items()}
        if any(tie and won[pair] is None for pair, tie in ties.items()):
            return None, ()
        return tuple(won[pair] for pair in pairs), tuple(_other(pair, won[pair]) for pair in pairs)

    def _tie(self, number: int, pair: tuple[Slot, Slot]) -> Tie | None:
        names = sorted((name for name in pair if name), key=self._seed.__getitem__)
        return Tie(number, *names) if len(names) == 2 else None


def _other(pair: tuple[Slot, Slot], won: Slot) -> Slot:
    one, other = pair
    return other if won == one else one


def out(bracket: Bracket, winner: Winner, losses: int) -> Iterator[tuple[Stage, tuple[str, ...]]]:
    """Stage by stage, who is out: whoever has lost so many times."""
    lost: dict[str, int] = {}
    for stage in bracket.stages:
        beaten = [tie.other if won == tie.one else tie.one for tie in stage.ties if (won := winner(tie))]
        for name in beaten:
            lost[name] = lost.get(name, 0) + 1
        yield stage, tuple(name for name in beaten if lost[name] == losses)
