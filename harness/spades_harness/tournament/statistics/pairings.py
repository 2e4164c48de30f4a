"""What each two entrants came to between them: results, pairs of legs by what they were worth, points a hand. Pure.

The pair of legs is the unit of every statistic, so it is counted whole. In the format `game` its two legs are worth 0,
0.5, 1, 1.5 or 2 together: the five counts, called pentanomial, tell more than wins and draws do, since two legs on the
same cards hang together. In `boards` the pair is one result, worth 0, 0.5 or 1: three counts, trinomial. At a table of
four in `game` four legs are counted whole, from 0 to 4. Only what is complete is counted: a leg that is missing, or in
which others forfeited so that nothing was decided, leaves the whole out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from spades_harness.game.score import Boards, Format

from .faulted import mean_of, own_points
from .meeting import Duel, Meeting, Results, Verdict
from .rounding import POINT_DIGITS, rounded


@dataclass(frozen=True, slots=True)
class Pairing:
    """What an entrant came to against one other. The fields, in this order, are JSON keys and CSV columns."""

    entrant: str
    opponent: str
    wins: int
    draws: int
    losses: int
    pairs: Mapping[str, int]
    """Counts by what a pair of legs was worth to the entrant, as in its row of the standings."""
    points_per_hand: float | None
    """Own points less this opponent's, over the board streams that they met on, without those that were forfeited, or
    with those that it forfeited itself if that is less; see `faulted`."""
    points_error: float | None


def scale(game: Format, results: Results) -> tuple[str, ...]:
    """What a pair of legs can be worth, from a loss to a win of all, in words that sort as numbers do."""
    legs = 1 if isinstance(game, Boards) else max((meeting.whole for meeting, _ in results), default=2)
    return tuple(f"{half / 2:g}" for half in range(2 * legs + 1))


def verdict_counts(entrant: str, results: Results) -> Counter[Verdict]:
    """How often an entrant won, drew and lost in these results."""
    return Counter(
        each for meeting, duels in results for duel in duels for own in _own(entrant, meeting, duel) for each in own
    )


def pair_counts(entrant: str, results: Results, among: Sequence[str]) -> Mapping[str, int]:
    """How many pairs of legs were worth how much to an entrant, by the words of the scale; zeros are counted, too."""
    found = Counter(
        f"{sum(each.worth for each in own):g}"
        for meeting, duels in results
        for duel in duels
        if len(duel.results) == _whole(meeting, among)
        for own in _own(entrant, meeting, duel)
    )
    return {worth: found[worth] for worth in among}


def _whole(meeting: Meeting, among: Sequence[str]) -> int:
    """How many results a complete duel has; 0 where the meeting isn't complete."""
    return min(meeting.whole, len(among) // 2) if meeting.complete else 0


def _own(entrant: str, meeting: Meeting, duel: Duel) -> Iterator[tuple[Verdict, ...]]:
    """The results of a duel as the entrant had them; none if it is not its."""
    for at, names in enumerate(meeting.of(duel)):
        if entrant in names:
            yield tuple(verdicts[at] for verdicts in duel.results)


# ------------------------------------------------------------------------------------------------------- two by two


def pairings(entrants: Sequence[str], game: Format, results: Results) -> Iterator[Pairing]:
    """Each of these entrants, in their order, with each other that it has a result with, in the same order."""
    among, met = scale(game, results), _by_pair(results)
    for entrant in entrants:
        for opponent in entrants:
            found = met.get(frozenset((entrant, opponent)), ())
            if any(duels for _, duels in found):
                yield _pairing(entrant, opponent, found, among)


def _by_pair(results: Results) -> Mapping[frozenset[str], Results]:
    """The meetings of each two entrants, with their own duels alone."""
    met: dict[frozenset[str], list[tuple[Meeting, list[Duel]]]] = {}
    for meeting, duels in results:
        own: dict[frozenset[str], list[Duel]] = {frozenset(two): [] for two in meeting.opposed()}
        for duel in duels:
            for two in dict.fromkeys(frozenset(two) for two in product(*meeting.of(duel))):
                own[two].append(duel)
        for two, between in own.items():
            met.setdefault(two, []).append((meeting, between))
    return met


def _pairing(entrant: str, opponent: str, results: Results, among: Sequence[str]) -> Pairing:
    verdict = verdict_counts(entrant, results)
    points, error = mean_of(own_points(results, entrant, opponent))
    return Pairing(
        entrant=entrant,
        opponent=opponent,
        wins=verdict[Verdict.WIN],
        draws=verdict[Verdict.DRAW],
        losses=verdict[Verdict.LOSS] + verdict[Verdict.LOST_BY_BOTH],
        pairs=pair_counts(entrant, results, among),
        points_per_hand=rounded(points, POINT_DIGITS),
        points_error=rounded(error, POINT_DIGITS),
    )
