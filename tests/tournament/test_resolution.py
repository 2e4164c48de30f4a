"""Which differences a plan can tell: the known formula, and tournaments of equals that hold it to its word."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random

import pytest

from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards, Format, Game
from spades_harness.tournament.outcome import MeetingKey
from spades_harness.tournament.schedule import Batch, Entrant, Options, OptionValue
from spades_harness.tournament.schedules.mixer import mixer
from spades_harness.tournament.schedules.round_robin import round_robin
from spades_harness.tournament.statistics.rating import PairResult, Rated, elo
from spades_harness.tournament.statistics.resolution import MOST, Z95, fewest, resolution
from spades_harness.tournament.statistics.strength import ELO

TOURNAMENTS = 2_000 if os.environ.get("SPADES_DEEP") else 150
CLASSIC, CUTTHROAT = Rules(), Rules(preset="cutthroat", cutthroat=True)


def plan(count: int, rounds: int, rules: Rules = CLASSIC) -> Batch:
    field = [Entrant(f"bot {number}", ()) for number in range(count)]
    return round_robin(field, Options({"rounds": rounds}, rules=rules), ())


@pytest.mark.parametrize(("count", "rounds"), [(2, 50), (4, 30), (9, 40), (40, 10)])
@pytest.mark.parametrize(("game", "results"), [(Boards(8), 1), (Game(), 2)])
def test_where_all_meet_it_is_the_formula(count: int, rounds: int, game: Format, results: int) -> None:
    """But for the prior, which knows beforehand that nobody is a thousand Elo off."""
    found = resolution(plan(count, rounds), game)
    assert found == pytest.approx(Z95 * ELO * (8 / (count * rounds * results)) ** 0.5, rel=0.01)


def mixed(count: int, **values: OptionValue) -> Batch:
    field = [Entrant(f"bot {number}", ()) for number in range(count)]
    return mixer(field, Options(values), ())


def test_a_table_at_which_bots_are_their_own_partners_is_no_meeting_and_tells_nothing() -> None:
    own, plain = mixed(5, rounds=12, self_play=True), mixed(5, rounds=10)
    assert len(own) > len(plain)
    assert fewest(own) == fewest(plain) == 8
    assert resolution(own, Boards(4)) == resolution(plain, Boards(4))
    assert fewest(mixed(5, rounds=1, self_play=True)) == 0
    assert resolution(mixed(5, rounds=1, self_play=True), Boards(4)) is None


def meetings(legs: Batch) -> list[MeetingKey]:
    return list(dict.fromkeys((leg.entrants, leg.stream) for leg in legs))


def by_chance(key: int, seated: tuple[str, ...], dice: Random) -> Iterator[PairResult]:
    """A table of equals: its places at the end by lot."""
    places = dice.sample(range(len(seated)), len(seated))
    for (one, first), (other, second) in combinations(zip(seated, places, strict=True), 2):
        yield PairResult(one, other, (float(first < second),), 1 / (len(seated) - 1), key if len(seated) > 2 else None)


def tournament(keys: list[MeetingKey], names: list[str], dice: Random) -> Mapping[str, Rated]:
    return elo(names, [each for key, (seated, _) in enumerate(keys) for each in by_chance(key, seated, dice)])


@pytest.mark.parametrize(("count", "rounds", "rules"), [(2, 40, CLASSIC), (5, 20, CLASSIC), (6, 4, CUTTHROAT)])
def test_equals_differ_by_no_more_in_nineteen_tournaments_of_twenty(count: int, rounds: int, rules: Rules) -> None:
    """Of two results in a hundred more or fewer, and four standard errors of so many tournaments, nothing is said."""
    legs = plan(count, rounds, rules)
    wide, keys, dice = resolution(legs, Boards(4)), meetings(legs), Random(5)
    names = sorted({name for seated, _ in keys for name in seated})
    assert wide is not None
    found = [tournament(keys, names, dice) for _ in range(TOURNAMENTS)]
    inside = [abs(rated[names[0]].elo - rated[names[-1]].elo) <= wide for rated in found]
    assert sum(inside) / TOURNAMENTS == pytest.approx(0.95, abs=0.02 + 4 * (0.95 * 0.05 / TOURNAMENTS) ** 0.5)


def test_copies_at_a_table_tell_as_much_as_others() -> None:
    legs = plan(2, 30, CUTTHROAT)
    assert all(sorted(leg.entrants) == ["bot 0", "bot 0", "bot 1", "bot 1"] for leg in legs)
    # Places 1 to 4 by lot: the sum of two has the variance 5/3, four duels of 1/3 each the information 1/3 a table.
    assert resolution(legs, Boards(4)) == pytest.approx(Z95 * ELO * (5 / 27 / (1 / 3) ** 2 / 30) ** 0.5, rel=0.02)


def test_few_pairs_tell_nothing_and_very_many_entrants_are_not_computed() -> None:
    assert fewest(plan(5, 1)) == 4
    assert resolution(plan(5, 1), Boards(4)) is None
    assert resolution(plan(6, 1), Boards(4)) is not None
    assert resolution((), Boards(4)) is None
    ring = [leg._replace(entrants=(f"a{number}", f"a{number + 1}")) for number in range(MOST) for leg in plan(2, 5)]
    assert resolution(ring, Boards(4)) is None


def test_who_met_through_others_only_is_told_apart_less_well() -> None:
    """A gauntlet: the challengers meet one champion and never each other."""
    gauntlet = [leg for leg in plan(6, 20) if "bot 0" in leg.entrants]
    through, direct = resolution(gauntlet, Boards(4)), resolution(plan(2, 20), Boards(4))
    assert through is not None
    assert direct is not None
    assert through == pytest.approx(direct * 2**0.5, rel=0.05)
