"""How strong each bot is by itself, where entrants are made of different ones. Pure.

A side is taken to be as strong as its members in the mean (additive effects, the "plus-minus" of team sports), so a bot
has the Elo of an entrant that is this bot twice. The model is that of `rating`, each member with its share of the side
(`fitting.Observation`); the prior, the intervals and what they count, pairs of legs, are the same. That partners suit
each other well or badly is no part of it: such a pair scores better or worse than its members' Elo says.

Two that were always each other's partner can't be told from each other: their difference is known from the prior alone
(`strength.PRIOR_DEVIATION`), and their intervals are as wide as that. A bot that always sat on both sides of its tables
had no part in any difference, and is not rated.

In simulated tournaments (1,000 of each of nine kinds: pairs in a round robin, strangers at tables) the 95 % interval of
a bot holds its true strength in 95 to 97 % of cases, and two copies of one bot are called different in 3 to 5 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from spades_harness.tournament.anchor import Anchor

from .fitting import Observation, fitted
from .rating import PairResult, rated
from .rounding import ELO_DIGITS, rounded


@dataclass(frozen=True, slots=True)
class Individual:
    """One bot. The fields, in this order, are the keys of its JSON object."""

    bot: str
    elo: float
    elo_low: float | None
    """The 95 % interval's ends; None for fewer than `interval.FEWEST_PAIRS` pairs of legs."""
    elo_high: float | None
    pairs: int
    """Pairs of legs in which it had a part, or tables on the same cards."""
    group: int
    """Which of the groups that never met, from 1, the largest first; each has the mean 0, but for that of an anchor."""


def individuals(observations: tuple[Observation, ...], anchor: Anchor | None = None) -> tuple[Individual, ...]:
    """All who had a part in a difference of two sides, group by group, by Elo, then by name.

    Sides may have any members, and other ones at each table. The anchor is a bot: what it does, `rating.elo` tells.
    """
    found = (
        Individual(
            bot=name,
            elo=round(each.elo, ELO_DIGITS) + 0.0,
            elo_low=rounded(each.low, ELO_DIGITS),
            elo_high=rounded(each.high, ELO_DIGITS),
            pairs=round(clusters),
            group=number,
        )
        for number, group in enumerate(fitted(observations), 1)
        for (name, each), clusters in zip(rated(group, anchor), group.doubt.clusters, strict=True)
    )
    return tuple(sorted(found, key=lambda each: (each.group, -each.elo, each.bot)))


def anchor_of(bots: Mapping[str, Sequence[str]], anchor: Anchor | None) -> Anchor | None:
    """The bot that an entrant is made of, as an anchor; None for an entrant of different ones, which fixes no bot."""
    if anchor is None or len({*(members := bots.get(anchor.entrant, ()))}) != 1:
        return None
    return Anchor(members[0], anchor.elo)


def of_partners(bots: Mapping[str, Sequence[str]], pairs: Iterable[PairResult]) -> tuple[Observation, ...]:
    """Results between entrants as those of the bots that they are made of; nothing where each is a single one."""
    if all(len({*members}) == 1 for members in bots.values()):
        return ()
    return tuple(
        Observation((tuple(bots[pair.a]), tuple(bots[pair.b])), pair.scores, pair.weight, pair.cluster)
        for pair in pairs
    )
