"""How much a bot is worth to a partner: known cases, symmetries, and how often the interval holds the truth."""

from __future__ import annotations

import os
from random import Random

import pytest

from spades_harness.tournament.schedules.balance import balanced
from spades_harness.tournament.statistics.partnership import UNTOLD, Effect, Lead, partner_effects, told

DEEP = bool(os.environ.get("SPADES_DEEP"))
WORTH = {"a": 9.0, "b": 3.0, "c": -4.0, "d": -8.0}


def exact(tables: list[str]) -> list[Lead]:
    """Leads as the worth of who sat there says, without any chance."""
    return [
        Lead(at, tuple(each[:2]), tuple(each[2:]), sum(WORTH[x] for x in each[:2]) - sum(WORTH[x] for x in each[2:]))
        for at, each in enumerate(tables)
    ]


def test_it_is_what_partners_lead_by_more_than_beside_the_rest() -> None:
    """Beside a partners have 9 more; beside the other two of three, in the mean, what is left: 4/3 times 9."""
    found = partner_effects(exact(["abcd", "acbd", "adbc"] * 3))
    assert {name: each.points for name, each in found.items()} == pytest.approx(
        {name: worth * 4 / 3 for name, worth in WORTH.items()}
    )
    assert all(each.high is not None and each.high - each.points < 1e-6 for each in found.values())


def test_strong_partners_and_weak_opponents_are_allowed_for() -> None:
    """a sat with b mostly, and d against them."""
    found = partner_effects(exact(["abcd"] * 9 + ["acbd", "adbc"] * 2))
    assert found["a"].points == pytest.approx(12)
    assert found["b"].points == pytest.approx(4)


def test_nothing_is_said_of_too_little() -> None:
    assert partner_effects([]) == {}
    assert partner_effects(exact(["abcd"] * 20)) == {}
    assert {each.low for each in partner_effects(exact(["abcd", "acbd", "adbc"])).values()} == {None}


def test_neither_the_order_of_tables_nor_of_sides_nor_of_partners_matters() -> None:
    dice = Random(1)
    leads = [Lead(at // 2, ("a", "b"), ("c", "d"), dice.gauss(0, 9)) for at in range(12)]
    leads += [Lead(at // 2, ("a", "c"), ("b", "d"), dice.gauss(0, 9)) for at in range(12)]
    leads += [Lead(at // 2, ("d", "a"), ("b", "c"), dice.gauss(0, 9)) for at in range(12)]
    turned = [Lead(-at.boards, at.second[::-1], at.first, -at.points) for at in leads]  # type: ignore[operator]
    dice.shuffle(turned)
    before, after = partner_effects(leads), partner_effects(turned)
    assert {name: pytest.approx(each, abs=1e-9) for name, each in before.items()} == after


@pytest.mark.parametrize(("players", "rounds"), [(5, 20), (8, 14), (10, 18)])
def test_the_interval_holds_in_95_of_100_whatever_partners_think_of_each_other(players: int, rounds: int) -> None:
    """Chance of a table, of the cards that all tables of a round share, and of two who suit each other or don't."""
    dice, held, seen = Random(players), 0, 0
    for _ in range(400 if DEEP else 60):
        worth = [dice.gauss(0, 15) for _ in range(players)]
        mean = sum(worth) / players
        suits = {(a, b): dice.gauss(0, 3) for a in range(players) for b in range(a)}
        found = partner_effects([*played(players, rounds, worth, suits, dice)])
        for name, each in found.items():
            assert each.low is not None
            assert each.high is not None
            true = (worth[int(name)] - mean) * players / (players - 1)
            held, seen = held + (each.low <= true <= each.high), seen + 1
    assert 0.93 - 0.03 * (not DEEP) <= held / seen <= 0.985


def played(
    players: int, rounds: int, worth: list[float], suits: dict[tuple[int, int], float], dice: Random
) -> list[Lead]:
    leads = []
    for stream, tables in enumerate(balanced(players, rounds)):
        cards = dice.gauss(0, 5)  # luck of the seats, which both legs share only in part
        for a, b, c, d in tables:
            more = suits[max(a, b), min(a, b)] - suits[max(c, d), min(c, d)]
            lead = worth[a] + worth[b] - worth[c] - worth[d] + more + cards + dice.gauss(0, 20)
            leads.append(Lead(stream, (str(a), str(b)), (str(c), str(d)), lead))
    return leads


def test_the_line_names_the_best_and_who_may_be_as_good() -> None:
    sure, open_ = Effect(10.0, 6.0, 14.0), Effect(5.0, 1.0, 9.0)
    low = Effect(-15.0, -17.0, -13.0)
    assert told({"x": sure, "z": low}) == (
        "The best partner is x: others lead by 10.0 ± 4.0 points a hand more beside it than beside the rest"
    )
    assert str(told({"z": low, "x": sure, "y": open_})).startswith("The best partner is x, or perhaps y: others lead")
    assert told({"x": Effect(3.0, None, None), "y": low}) == (
        "The best partner so far is x, but too little was played to say how surely"
    )
    assert told({"x": sure}) == told({}) == UNTOLD


def test_the_line_names_some_who_may_be_as_good_and_says_where_all_may_be() -> None:
    best, rival, low = Effect(10.0, 6.0, 14.0), Effect(5.0, 1.0, 9.0), Effect(-15.0, -17.0, -13.0)
    others = {f"y{number}": rival for number in range(6)}
    beside = "others lead by 10.0 ± 4.0 points a hand more beside it than beside the rest"
    few, many = {"x": best, "y": rival, "y2": rival, "z": low}, {"x": best, **others, "z": low}
    assert told(few) == f"The best partner is x, or perhaps y or y2: {beside}"
    assert told(many) == f"The best partner is x, or perhaps y0, y1, y2, y3 or 2 more: {beside}"
    assert told({"x": best, **others}) == (
        f"The best partner so far is x, but each of the others may be as good: {beside}"
    )
