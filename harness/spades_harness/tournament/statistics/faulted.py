"""What a fault does to figures in points: it may lower those of who made it, and never raises one. Pure.

A meeting at which somebody was at fault counts in nobody else's points. Left out of its own as well, a fault would
choose what counts: who crashes wherever it is behind would have led by much. Counted, it would do for a weak bot what
the substitute is better at. So a figure of who was at fault is the lower of the two, without these meetings and with
them as they were played on; and where one of the two is not known there is none.

That closes it. What the substitute plays, the bot could have played itself, since it goes by what the bot sees
(`game.substitute`): the figure with these meetings is one that could be had without a fault, and a loss less.

A meeting with faults of several is in nobody's points: it would be in nobody's without those of any one of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import inf
from statistics import fmean
from typing import Final, NamedTuple, TypeAlias

from spades_harness.game.score import Format
from spades_harness.tournament.outcome import forfeiting

from .clustered import mean_and_error
from .meeting import Meeting, Results, deciding, points_per_hand

Seen: TypeAlias = tuple[Hashable, float]
"""The boards of a meeting, and what it was won by, a hand."""


class Points(NamedTuple):
    """What a figure of somebody may be made of."""

    clean: Sequence[Seen]
    """Of meetings without a fault."""
    faulted: Sequence[Seen]
    """Of those at which it alone was at fault, as they were played on."""
    cut_short: bool = False
    """Whether a forfeit of its own ended one, so that nobody knows how that would have come out."""

    @property
    def counting(self) -> Sequence[Seen]:
        """Those that the figure is made of; none where there is no figure."""
        if self.cut_short or not self.clean:
            return ()
        both = (self.clean, (*self.clean, *self.faulted))
        return min(both, key=lambda seen: fmean(points for _, points in seen))


def is_in(meeting: Meeting, entrant: str) -> bool:
    """Whether a meeting may be in the points of one who sat there: not if another was at fault, or a leg is missing."""
    return meeting.complete and meeting.culprits <= {entrant}


def points_of(pairs: Sequence[tuple[Meeting, float | None]]) -> Points:
    """Sorted from meetings that may be in somebody's points, with what they were won by, if that is known."""
    known = [(meeting, points) for meeting, points in pairs if points is not None]
    return Points(
        clean=[(meeting.boards, points) for meeting, points in known if not meeting.culprits],
        faulted=[(meeting.boards, points) for meeting, points in known if meeting.culprits],
        cut_short=any(points is None and meeting.culprits for meeting, points in pairs),
    )


def own_points(results: Results, entrant: str, opponent: str | None = None) -> Points:
    """Those of one, or of one against another, who sat at all of these."""
    own = [meeting for meeting, _ in results if is_in(meeting, entrant) and not meeting.has_own_partner]
    return points_of([(meeting, points_per_hand(meeting, entrant, opponent)) for meeting in own])


def mean_of(points: Points) -> tuple[float | None, float | None]:
    """The figure and its standard error, clustered by board stream; None where there is none."""
    return mean_and_error(points.counting)


# --- What others miss -------------------------------------------------------------------------------------------------


def missed_wins(game: Format, own: Mapping[str, Results]) -> Mapping[str, float]:
    """How many wins another may miss at most, since the faults of each of these undid results between others.

    Beside partners it is one a result, that of the other side; of four for themselves two, those of one of the others
    against the two others. Where wins rank, they are taken off its own, so that it comes no nearer to anybody.
    """
    return {name: float(count) for name, results in own.items() if (count := _undone(game, results, name))}


def _undone(game: Format, results: Results, entrant: str) -> int:
    return sum(
        1 if meeting.mates > 1 else len(meeting.entrants) - 2
        for meeting, _ in results
        if entrant in meeting.culprits and not meeting.has_own_partner
        for legs in deciding(game, meeting)
        if any(entrant in forfeiting(leg) for leg in legs)
    )


def missed_points(own: Mapping[str, Results]) -> Mapping[str, float]:
    """How many points a hand another misses at most, since meetings at which each of these was at fault are not in its.

    Where points rank, they are taken off, as wins are; all, if another has no points by it.
    """
    found: dict[str, float] = {}
    for name, results in own.items():
        points = own_points(results, name)
        (shown, _), spoilt = mean_of(points), _spoilt(results, name)
        for culprit, seen in spoilt.items():
            whole, _ = mean_of(points._replace(clean=(*points.clean, *seen)))
            missed = 0.0 if whole is None else inf if shown is None else whole - shown
            if missed > found.get(culprit, 0.0):
                found[culprit] = missed
    return found


def _spoilt(results: Results, entrant: str) -> Mapping[str, Sequence[Seen]]:
    """What one led by where another alone was at fault, by that one, as it was played on."""
    found: dict[str, list[Seen]] = {}
    for meeting, _ in results:
        others = len(meeting.culprits) == 1 and entrant not in meeting.culprits
        if others and (points := points_per_hand(meeting, entrant)) is not None:
            found.setdefault(min(meeting.culprits), []).append((meeting.boards, points))
    return found


# --- In words ---------------------------------------------------------------------------------------------------------

_SHOWN: Final = 4
"""Names that a line lists."""


def told_untold(names: Sequence[str]) -> str | None:
    """Of whom no points are told, in a line; None where there is nobody."""
    if not names:
        return None
    return (
        f"No points a hand are told of {_listed(names)}: nobody knows what a match would have come to that was"
        " forfeited, and to leave it out might be a gain"
    )


def told_missed(missed: Mapping[str, float], what: str) -> str | None:
    """That not all of somebody's wins, or points, rank, in a line; None where all do."""
    if not missed:
        return None
    listed = _listed([f"{name} {'all' if count == inf else f'{count:,.3g}'}" for name, count in sorted(missed.items())])
    return f"Ranked by {what} less those that one's faults may have kept others from: {listed}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"
