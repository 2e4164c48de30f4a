"""What each two entrants came to between them: pairs of legs counted whole, and points a hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest

from spades_harness.game.score import Boards, Format, Game
from spades_harness.tournament.outcome import Leg, Outcome, Tally
from spades_harness.tournament.standings import standings
from spades_harness.tournament.statistics.meeting import results_of
from spades_harness.tournament.statistics.pairings import Pairing, pairings, scale

BOARDS, GAME = Boards(4), Game()
PENTANOMIAL = ("0", "0.5", "1", "1.5", "2")


class Results:
    """Outcomes as a tournament would number them; each call is one meeting on the next board stream."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []

    def meet(self, names: str, *legs: Sequence[int], stream: int = 0, forfeits: Sequence[str] = ()) -> Results:
        lost = forfeits or [""] * len(legs)
        for number, scores in enumerate(legs):
            self.outcomes.append(
                Outcome(
                    ordinal=len(self.outcomes) + 1,
                    leg=Leg(tuple(names), stream, number, stream + 1),
                    scores=tuple(scores),
                    forfeited=tuple(name in lost[number] for name in names),
                    hands=4,
                    tallies=(Tally(),) * len(names),
                    faults=((),) * len(names),
                )
            )
        return self

    def pairings(self, game: Format = GAME) -> dict[str, Pairing]:
        names = sorted({name for outcome in self.outcomes for name in outcome.leg.entrants})
        found = pairings(names, game, results_of(game, self.outcomes))
        return {f"{each.entrant}{each.opponent}": each for each in found}


WON, DRAWN, LOST = (9, 0), (4, 4), (0, 9)


def counts(pairing: Pairing) -> str:
    return " ".join(f"{worth}:{number}" for worth, number in pairing.pairs.items() if number)


@pytest.mark.parametrize(
    ("legs", "worth", "to_the_other"),
    [
        ((LOST, LOST), "0", "2"),
        ((LOST, DRAWN), "0.5", "1.5"),
        ((WON, LOST), "1", "1"),
        ((DRAWN, DRAWN), "1", "1"),
        ((DRAWN, WON), "1.5", "0.5"),
        ((WON, WON), "2", "0"),
    ],
)
def test_a_pair_of_games_is_one_of_five_things(legs: Sequence[Sequence[int]], worth: str, to_the_other: str) -> None:
    found = Results().meet("ab", *legs).pairings()
    assert tuple(found["ab"].pairs) == PENTANOMIAL
    assert (counts(found["ab"]), counts(found["ba"])) == (f"{worth}:1", f"{to_the_other}:1")


def test_on_boards_a_pair_is_one_result_and_so_one_of_three_things() -> None:
    results = Results().meet("ab", WON, LOST).meet("ab", WON, DRAWN, stream=1).meet("ab", WON, WON, stream=2)
    found = results.pairings(BOARDS)
    assert found["ab"].pairs == {"0": 0, "0.5": 1, "1": 2}
    assert found["ba"].pairs == {"0": 2, "0.5": 1, "1": 0}
    assert (found["ab"].wins, found["ab"].draws, found["ab"].losses) == (2, 1, 0)


def test_a_leg_alone_is_a_result_but_no_pair() -> None:
    found = Results().meet("ab", WON).pairings()
    assert (found["ab"].wins, sum(found["ab"].pairs.values())) == (1, 0)
    assert Results().meet("ab", WON).pairings(BOARDS) == {}


def test_forfeits_count_as_what_they_are_worth_and_leave_the_points_out() -> None:
    results = Results().meet("ab", WON, WON, forfeits=("b", "")).meet("ab", WON, LOST, forfeits=("ab", "ab"), stream=1)
    found = results.meet("ab", (12, 0), (0, 4), stream=2).pairings()
    assert counts(found["ab"]) == "1:2 2:1"
    assert (found["ab"].wins, found["ab"].losses, found["ba"].losses) == (3, 3, 5)
    assert (found["ab"].points_per_hand, found["ab"].points_error) == (1.0, None)


def test_at_a_table_of_four_all_four_legs_are_counted_whole_and_points_are_between_the_two() -> None:
    legs = [(40, 20, 30, 10)] * 3 + [(20, 20, 30, 10)]
    found = Results().meet("abcd", *legs).pairings()
    assert tuple(found["ab"].pairs) == ("0", "0.5", "1", "1.5", "2", "2.5", "3", "3.5", "4")
    assert (counts(found["ab"]), counts(found["ba"]), counts(found["da"])) == ("3.5:1", "0.5:1", "0:1")
    assert (found["ab"].points_per_hand, found["bd"].points_per_hand) == (3.75, 2.5)
    assert counts(Results().meet("abcd", *legs).pairings(BOARDS)["ca"]) == "0:1"


def test_between_two_who_played_on_while_others_forfeited_no_whole_is_counted() -> None:
    found = Results().meet("abcd", *[(4, 3, 2, 1)] * 4, forfeits=("d", "", "", "")).pairings()
    assert (found["ab"].wins, counts(found["ab"]), counts(found["ad"])) == (3, "", "4:1")


def test_each_copy_s_pairs_with_each_copy_of_the_other_are_counted() -> None:
    found = Results().meet("aabb", *[(4, 3, 2, 1)] * 4).pairings()
    assert [*found] == ["ab", "ba"]
    assert (counts(found["ab"]), found["ab"].wins) == ("4:4", 16)
    assert found["ab"].points_per_hand == 0.5


def test_who_never_met_is_no_pairing_and_an_order_of_entrants_is_kept() -> None:
    results = results_of(GAME, Results().meet("ab", WON, WON).meet("bc", WON, WON, stream=1).outcomes)
    for order in permutations("abcx"):
        found = [(each.entrant, each.opponent) for each in pairings(order, GAME, results)]
        assert sorted(found) == [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")]
        assert found == sorted(found, key=lambda two: [order.index(name) for name in two])


def test_the_counts_of_an_entrant_are_the_sums_of_its_pairings() -> None:
    results = Results().meet("ab", WON, WON).meet("ac", DRAWN, LOST, stream=1).meet("cb", WON, LOST, stream=1)
    for game in (GAME, BOARDS):
        found = results.pairings(game).values()
        for row in standings("abcx", results.outcomes, game, {}).entrants:
            own = [each.pairs for each in found if each.entrant == row.entrant]
            assert row.pairs == {worth: sum(each[worth] for each in own) for worth in row.pairs}
            assert tuple(row.pairs) == scale(game, results_of(game, results.outcomes))


def test_before_anything_is_played_the_scale_is_known() -> None:
    assert scale(GAME, []) == PENTANOMIAL
    assert scale(BOARDS, []) == ("0", "0.5", "1")
