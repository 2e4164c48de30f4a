"""The mean of points a hand and its error: known numbers, and how often it is as sure as it says."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from spades_harness.game.score import Boards
from spades_harness.tournament.outcome import Leg, Outcome, Tally
from spades_harness.tournament.standings import standings
from spades_harness.tournament.statistics.clustered import error_of_difference, mean_and_error

TRIALS = 20_000 if os.environ.get("SPADES_DEEP") else 1_000
"""The standard error of a coverage of 95 % is 0.7 % of this many trials."""
STREAMS = 12
T_11 = 2.201
"""The 97.5 % quantile of Student's t with 11 degrees of freedom."""
Observed = list[tuple[int, float]]


def test_one_observation_a_cluster_has_the_usual_standard_error() -> None:
    values = [3.0, -1.0, 4.0, 1.0, 5.0]
    mean, error = mean_and_error(enumerate(values))
    assert mean == fmean(values)
    assert error == pytest.approx(stdev(values) / 5**0.5)


def test_clusters_of_one_size_have_the_error_of_their_means() -> None:
    _, error = mean_and_error([(1, 9.0), (1, 1.0), (2, 4.0), (2, 2.0), (3, 0.0), (3, 8.0)])
    assert error == pytest.approx(stdev([5.0, 3.0, 4.0]) / 3**0.5)


def test_clusters_of_other_sizes_count_by_what_they_hold() -> None:
    """Worked out by hand: the mean is 3, the clusters are off by 1 + 2 and by -3; 2 · (9 + 9) / 3² = 4."""
    assert mean_and_error([(1, 4.0), (1, 5.0), (2, 0.0)]) == (3.0, 2.0)


def test_of_one_cluster_no_error_is_known_and_of_none_no_mean() -> None:
    assert mean_and_error([(7, 1.0), (7, 2.0)]) == (1.5, None)
    assert mean_and_error([]) == (None, None)


def test_what_all_saw_alike_is_exact() -> None:
    assert mean_and_error([(stream, 0.0) for stream in range(4)]) == (0.0, 0.0)


FIRST: Observed = [(1, 4.0), (1, 5.0), (2, 0.0)]
"""Its clusters move the mean by 2 ** 0.5 each, up and down."""


def test_what_two_means_share_on_a_cluster_cancels_out_of_their_difference() -> None:
    assert error_of_difference(FIRST, FIRST) == 0.0
    assert error_of_difference(FIRST, FIRST, 2) == pytest.approx(2.0)
    assert error_of_difference(FIRST, [(cluster, -value) for cluster, value in FIRST]) == pytest.approx(4.0)


def test_means_without_a_cluster_in_common_are_independent() -> None:
    """By hand: 2² + 3² · 1², for 0 and 2 on two clusters have the error 1."""
    assert error_of_difference(FIRST, [(7, 0.0), (8, 2.0)], 3) == pytest.approx(13**0.5)


def test_where_they_share_some_clusters_those_alone_are_taken_together() -> None:
    """By hand: 2 ** 0.5 - 0.5 ** 0.5 on cluster 1, -(2 ** 0.5) on cluster 2, 0.5 ** 0.5 on cluster 3; 0.5 + 2 + 0.5."""
    assert error_of_difference(FIRST, [(1, 2.0), (3, 0.0)]) == pytest.approx(3**0.5)


def test_a_difference_is_not_sure_where_one_of_the_two_is_not() -> None:
    assert error_of_difference(FIRST, [(1, 3.0), (1, 9.0)]) is None
    assert error_of_difference([], FIRST) is None


# ---------------------------------------------------------------------------------------------------------- simulation

LEADS = (30.0, 12.0, 0.0, -9.0, -21.0)
"""How far an entrant is ahead of each of its opponents, in points a hand."""


def meetings_by_chance(dice: Random, shared: float, met: Callable[[int], int]) -> Observed:
    """Points against the first `met(stream)` opponents on each stream: the stream's luck is shared by all of them."""
    observed = []
    for stream in range(STREAMS):
        luck = dice.gauss(0, shared)
        observed += [(stream, lead + luck + dice.gauss(0, 6)) for lead in LEADS[: met(stream)]]
    return observed


def coverage(
    error_of: Callable[[Observed], float], shared: float, met: Callable[[int], int] = lambda stream: len(LEADS)
) -> float:
    """How often the mean, give or take t times its error, holds what it would be without luck."""
    dice, held = Random(11), 0
    truth = fmean(lead for stream in range(STREAMS) for lead in LEADS[: met(stream)])
    for _ in range(TRIALS):
        observed = meetings_by_chance(dice, shared, met)
        held += abs(fmean(value for _, value in observed) - truth) <= T_11 * error_of(observed)
    return held / TRIALS


def clustered(observed: Observed) -> float:
    error = mean_and_error(observed)[1]
    assert error is not None
    return error


def by_meeting(observed: Observed) -> float:
    """As if every meeting were a witness of its own."""
    return stdev([value for _, value in observed]) / sqrt(len(observed))


@pytest.mark.parametrize("shared", [0.0, 3.0, 30.0])
def test_the_error_is_as_sure_as_it_says_whatever_opponents_share_and_however_they_differ(shared: float) -> None:
    assert 0.93 <= coverage(clustered, shared) <= 0.97


def test_meetings_taken_for_witnesses_of_their_own_are_far_too_sure_or_far_too_unsure() -> None:
    """Why it is clustered: streams that all share are counted five times, and differences of opponents as luck."""
    assert coverage(by_meeting, 30.0) < 0.85
    assert coverage(by_meeting, 0.0) > 0.99


def test_where_the_last_stream_is_not_over_the_error_is_rather_too_large() -> None:
    assert coverage(clustered, 3.0, lambda stream: 2 if stream == STREAMS - 1 else len(LEADS)) >= 0.93


# --------------------------------------------------------------------------------------------------------- in the table


def meetings_on(streams: Sequence[int], leads: Sequence[int]) -> list[Outcome]:
    """`a` meets another on each of these streams, and leads by so much in both legs of one hand."""
    return [
        Outcome(
            2 * number + leg,
            Leg(("a", f"b{number}"), stream, leg, 1),
            scores=(lead, 0),
            forfeited=(False, False),
            hands=1,
            tallies=(Tally(),) * 2,
            faults=((), ()),
        )
        for number, (stream, lead) in enumerate(zip(streams, leads, strict=True))
        for leg in (0, 1)
    ]


def test_meetings_on_one_board_stream_are_one_witness_in_the_standings() -> None:
    """RS-11."""
    outcomes = meetings_on((0, 0, 1, 1), (9, 1, 4, 2))
    (row,) = standings(["a"], outcomes, Boards(4), {}).entrants
    assert (row.points_per_hand, row.points_error) == (4.0, 1.0)
    (alone,) = standings(["a"], outcomes[:4], Boards(4), {}).entrants
    assert (alone.points_per_hand, alone.points_error) == (5.0, None)
