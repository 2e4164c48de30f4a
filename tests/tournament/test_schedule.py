"""Schedules: who meets whom, how often, in which order, and on which seats; and what makes a match that match."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict, dataclass, replace
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_harness.game.deal import secret_of_seed
from spades_harness.game.rules import Rules, make_rules
from spades_harness.game.score import Boards, Format, Game
from spades_harness.table.bounds import Limits
from spades_harness.table.match import Command, Forfeit, Player, Plugin, Scalar, Substitute
from spades_harness.tournament.identity import (
    Settings,
    Terms,
    canonical,
    differences,
    make_spec,
    match_identity,
    settings,
    terms_from,
    terms_tree,
)
from spades_harness.tournament.outcome import Leg, Outcome, Tally
from spades_harness.tournament.schedule import Batch, Entrant, Options, OptionValue, Schedule, ScheduleError
from spades_harness.tournament.schedules.adaptive import adaptive
from spades_harness.tournament.schedules.gauntlet import gauntlet
from spades_harness.tournament.schedules.mixer import mixer
from spades_harness.tournament.schedules.round_robin import choices, circle, round_robin
from spades_harness.tournament.sealed import Sealed
from spades_harness.tournament.standings import standings
from spades_harness.tournament.statistics.rating import elo

from .playing import entrant

TERMS = Terms(Rules(), Boards(8), Limits(), Forfeit(), (Sealed(secret_of_seed(1)),))
FIELDS = st.integers(2, 40)


def names(count: int) -> list[str]:
    return [f"bot {number}" for number in range(count)]


def plan(count: int, rounds: int = 1) -> Batch:
    return round_robin([entrant(name) for name in names(count)], Options({"rounds": rounds}), ())


def outcome(ordinal: int, leg: Leg) -> Outcome:
    return Outcome(ordinal, leg, (0, 0), (False, False), 1, (Tally(), Tally()), ((), ()))


# --------------------------------------------------------------------------------------------------------- round robin


@pytest.mark.parametrize(("count", "pairings"), [(0, 0), (1, 0), (2, 1), (3, 3), (4, 6), (5, 10), (8, 28)])
def test_everybody_meets_everybody_once_a_round_both_ways_round(count: int, pairings: int) -> None:
    """SC-01."""
    legs = plan(count)
    assert len(legs) == 2 * pairings
    assert Counter(frozenset(leg.entrants) for leg in legs) == {
        frozenset(pair): 2 for pair in combinations(names(count), 2)
    }


@given(FIELDS, st.integers(1, 3))
def test_every_seating_appears_once_on_every_board_stream(count: int, rounds: int) -> None:
    """SC-11."""
    legs = plan(count, rounds)
    assert set(Counter((leg.by_side, leg.stream) for leg in legs).values()) == {1}
    assert {leg.stream for leg in legs} == set(range(rounds))
    assert all(leg.round == leg.stream + 1 for leg in legs)
    assert len(legs) == rounds * count * (count - 1)


@given(FIELDS)
def test_the_legs_of_a_meeting_follow_each_other_on_the_same_boards_with_the_sides_swapped(count: int) -> None:
    legs = plan(count)
    for first, second in zip(legs[::2], legs[1::2], strict=True):
        assert (first.leg, second.leg) == (0, 1)
        assert first.stream == second.stream
        assert first.by_side == first.entrants == second.entrants == second.by_side[::-1]


@given(FIELDS, st.integers(1, 2))
def test_every_prefix_of_the_plan_is_balanced(count: int, rounds: int) -> None:
    apart = 1 if count % 2 == 0 else 2
    seen = Counter(dict.fromkeys(names(count), 0))
    met = Counter({frozenset(pair): 0 for pair in combinations(names(count), 2)})
    for leg in plan(count, rounds)[::2]:
        seen.update(leg.entrants)
        met[frozenset(leg.entrants)] += 1
        assert max(seen.values()) - min(seen.values()) <= apart
    assert set(met.values()) == {rounds}


@given(FIELDS)
def test_in_each_turn_nobody_plays_twice_and_at_most_one_has_a_bye(count: int) -> None:
    turns = list(circle(names(count)))
    assert len(turns) == count - 1 + count % 2
    for turn in turns:
        playing = [name for pairing in turn for name in pairing]
        assert len(playing) == len(set(playing)) == count - count % 2


@given(st.integers(2, 7), st.data())
def test_legs_that_are_played_are_not_named_again(count: int, data: st.DataObject) -> None:
    legs = plan(count)
    done = [leg for leg in legs if data.draw(st.booleans())]
    results = [outcome(number, leg) for number, leg in enumerate(done, 1)]
    rest = round_robin([entrant(name) for name in names(count)], Options({"rounds": 1}), results)
    assert rest == tuple(leg for leg in legs if leg not in done)


@pytest.mark.parametrize("game", [Game(), Boards(16)])
def test_two_entrants_that_meet_by_default_get_an_interval(game: Format) -> None:
    legs = round_robin([entrant("a"), entrant("b")], Options(format=game), ())
    assert len(legs) == 2 * 8
    ended = [replace(outcome(number, leg), scores=(number, 9)) for number, leg in enumerate(legs, 1)]
    rows = standings(["a", "b"], ended, game, {"elo": elo}).entrants
    assert all(row.elo_low is not None and row.elo_high is not None for row in rows)


def test_any_number_of_rounds_has_boards_of_its_own() -> None:
    """SC-03."""
    two = [entrant("a"), entrant("b")]
    assert round_robin(two, Options({"rounds": 300}), ())[-1].stream == 299


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"round": 2}, "schedule: round_robin has no option 'round'; did you mean 'rounds'?"),
        ({"games": 2}, "schedule: round_robin has no option 'games'; it has only 'rounds'"),
        ({"rounds": 0}, "schedule: rounds must be a whole number from 1 to 1000000, not 0"),
        ({"rounds": True}, "schedule: rounds must be a whole number from 1 to 1000000, not true"),
        ({"rounds": 2.0}, "schedule: rounds must be a whole number from 1 to 1000000, not 2.0"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_one_line(options: dict[str, Scalar], complaint: str) -> None:
    with pytest.raises(ScheduleError) as refused:
        round_robin([entrant("a"), entrant("b")], Options(options), ())
    assert str(refused.value) == complaint


# -------------------------------------------------------------------------------------------------------------- tables

CUTTHROAT = make_rules("cutthroat")


def tables(count: int, rounds: int = 1) -> Batch:
    return round_robin([entrant(name) for name in names(count)], Options({"rounds": rounds}, rules=CUTTHROAT), ())


@pytest.mark.parametrize(("count", "sets"), [(4, 1), (5, 5), (6, 15), (7, 35), (8, 70), (9, 126)])
def test_every_four_sit_together_once_a_round_and_each_has_every_seat(count: int, sets: int) -> None:
    """SC-01, SC-11."""
    legs = tables(count, 2)
    assert len(legs) == 2 * sets * 4
    assert Counter((leg.stream, frozenset(leg.entrants)) for leg in legs) == {
        (stream, frozenset(four)): 4 for stream in (0, 1) for four in combinations(names(count), 4)
    }
    assert set(Counter((leg.stream, leg.by_side) for leg in legs).values()) == {1}
    for first in range(0, len(legs), 4):
        meeting = legs[first : first + 4]
        assert [leg.leg for leg in meeting] == [0, 1, 2, 3]
        assert len({(leg.entrants, leg.stream) for leg in meeting}) == 1
        assert all(len({leg.by_side[seat] for leg in meeting}) == 4 for seat in range(4))


@pytest.mark.parametrize("count", range(4, 17))
def test_no_entrant_runs_ahead_of_another_by_many_tables(count: int) -> None:
    """Four at most, two while they are no more than ten; after a round none."""
    seen = Counter(dict.fromkeys(names(count), 0))
    for leg in tables(count)[::4]:
        seen.update(leg.entrants)
        assert max(seen.values()) - min(seen.values()) <= (2 if count <= 10 else 4)
    assert len(set(seen.values())) == 1


@given(st.integers(1, 14), st.integers(1, 5))
def test_choices_are_all_that_there_are_and_each_comes_once(count: int, size: int) -> None:
    found = list(choices(count, size))
    assert len(found) == len(set(found))
    assert set(found) == set(combinations(range(count), size))


def test_over_six_rounds_four_entrants_sit_in_every_order_round_the_table() -> None:
    legs = tables(4, 7)
    first, *others = names(4)
    assert [leg.entrants for leg in legs[::4]][:6] == [(first, *order) for order in permutations(others)]
    assert legs[24].entrants == legs[0].entrants
    assert len({leg.by_side for leg in legs[:24]}) == 24


def test_two_fill_a_table_of_four_with_two_copies_each_and_no_seating_is_played_twice() -> None:
    """Beside each other, or opposite, which leaves two seatings; over six rounds all six."""
    legs = round_robin([entrant("a"), entrant("b")], Options({"rounds": 6}, rules=CUTTHROAT), ())
    by_stream = {stream: ["".join(leg.by_side) for leg in legs if leg.stream == stream] for stream in range(6)}
    assert by_stream[0] == by_stream[1] == ["aabb", "baab", "bbaa", "abba"]
    assert by_stream[2] == by_stream[4] == ["abab", "baba"]
    assert sorted(by_stream[3]) == sorted(by_stream[5]) == sorted(by_stream[0])


def test_who_can_not_fill_a_table_is_told_who_can() -> None:
    with pytest.raises(ScheduleError) as refused:
        tables(3)
    assert str(refused.value) == (
        "schedule: round_robin can't fill tables of 4 with 3 entrants; it takes two, with copies, or 4 and more"
    )
    assert tables(1) == tables(0) == ()


def test_more_tables_than_anybody_can_play_are_refused_before_they_fill_memory() -> None:
    with pytest.raises(ScheduleError) as refused:
        tables(100)
    assert str(refused.value) == (
        "schedule: round_robin comes to 15,684,900 matches, and 1,000,000 are the most that can be planned at a time; "
        "let fewer take part, or play fewer rounds"
    )


@pytest.mark.parametrize(
    ("schedule", "count", "values"),
    [
        (round_robin, 2, {"rounds": 500_001}),
        (gauntlet, 2, {"rounds": 500_001, "field": ["bot 0"]}),
        (adaptive, 2, {"rounds": 1_000_000, "first": 500_001}),
        (mixer, 200, {"rounds": 10_001}),
        (mixer, 12, {"rounds": 500, "full": True}),
    ],
)
def test_so_are_more_matches_than_can_be_planned_at_a_time(
    schedule: Schedule, count: int, values: dict[str, OptionValue]
) -> None:
    with pytest.raises(ScheduleError, match="1,000,000 are the most that can be planned at a time"):
        schedule([entrant(name) for name in names(count)], Options(values), ())


@pytest.mark.parametrize(("count", "pairings"), [(2, 1), (5, 10)])
def test_two_players_meet_like_two_sides(count: int, pairings: int) -> None:
    rules = make_rules("two_player")
    legs = round_robin([entrant(name) for name in names(count)], Options({"rounds": 3}, rules=rules), ())
    assert legs == plan(count, 3)
    assert len(legs) == 2 * 3 * pairings


# --------------------------------------------------------------------------------------------------------------- seats


def bots(*letters: str) -> dict[str, Entrant]:
    """Pairs of two different bots: `a` is a1 and a2."""
    return {
        letter: Entrant(letter, tuple(Player(f"{letter}{n}", Command((letter,), "/")) for n in (1, 2)))
        for letter in letters
    }


@pytest.mark.parametrize(("leg", "seated"), [(0, "a1 b1 a2 b2"), (1, "b1 a1 b2 a2")])
def test_a_pair_keeps_its_order_and_changes_sides_between_the_legs(leg: int, seated: str) -> None:
    spec = make_spec(TERMS, bots("a", "b"), Leg(("a", "b"), 5, leg, 1))
    assert " ".join(player.name for player in spec.players) == seated
    assert (spec.stream, spec.leg, spec.attempt) == (5, leg, 1)
    assert (spec.rules, spec.format, spec.secret) == (TERMS.rules, TERMS.format, TERMS.secrets[0].secret)


def test_an_entrant_with_too_few_players_is_not_seated() -> None:
    short = {**bots("a", "b"), "b": Entrant("b", bots("b")["b"].players[:1])}
    with pytest.raises(ValueError, match="shorter"):
        make_spec(TERMS, short, Leg(("a", "b"), 0, 0, 1))


def test_copies_of_an_entrant_are_players_of_their_own_on_the_seats_of_their_places() -> None:
    alone = {letter: Entrant(letter, both.players[:1]) for letter, both in bots("a", "b").items()}
    terms = replace(TERMS, rules=CUTTHROAT)
    legs = [Leg(("a", "a", "b", "b"), 0, leg, 1) for leg in range(4)]
    specs = [make_spec(terms, alone, leg) for leg in legs]
    seated = ["a1 a1 b1 b1", "b1 a1 a1 b1", "b1 b1 a1 a1", "a1 b1 b1 a1"]
    assert [" ".join(player.name for player in spec.players) for spec in specs] == seated
    apart = make_spec(terms, alone, Leg(("a", "b", "a", "b"), 0, 0, 1))
    assert len({spec.identity for spec in (*specs, apart)}) == 5


@given(st.integers(2, 4), st.integers(0, 3))
def test_an_entrant_goes_round_all_sides_and_no_two_share_one(sides: int, leg: int) -> None:
    table = Leg(tuple(names(sides)), 0, leg % sides, 1)
    assert sorted(table.by_side) == sorted(table.entrants)
    assert all(table.by_side[table.side(place)] == name for place, name in enumerate(table.entrants))


# ------------------------------------------------------------------------------------------------------------ identity

LEG = Leg(("a", "b"), 0, 0, 1)
PLAYER = Player("x", Command(("{python}", "x.py"), "/bots/x", (("KEY", "1"),)), (("depth", 3),), "c0ffee")
LOADED = Player("x", Plugin("threes", ("p.py",)), (("depth", 3),), "c0ffee")


def identity(player: Player = PLAYER, terms: Terms = TERMS, leg: Leg = LEG, name: str = "a") -> str:
    return match_identity(terms, [Entrant(name, (player, player)), Entrant("b", (PLAYER, PLAYER))], leg)


def test_a_description_has_one_spelling_whatever_order_it_was_made_in() -> None:
    tree = {"b": [1, 1.0, True, None, 0.1], "a": {"é": "\ud800", "d": 1e300}}
    assert canonical(tree) == '{"a":{"d":1e+300,"\\u00e9":"\\ud800"},"b":[1,1.0,true,null,0.1]}'
    assert canonical(dict(reversed(tree.items()))) == canonical(tree)


def test_a_match_is_known_by_64_hex_digits() -> None:
    assert re.fullmatch("[0-9a-f]{64}", identity())


CHANGED = {
    "the entrant's name": identity(name="c"),
    "the bot's content": identity(replace(PLAYER, content="decaf")),
    "a param's value": identity(replace(PLAYER, params=(("depth", 4),))),
    "a param's type": identity(replace(PLAYER, params=(("depth", 3.0),))),
    "no params": identity(replace(PLAYER, params=())),
    "the command": identity(replace(PLAYER, launch=Command(("{python}", "y.py"), "/bots/x", (("KEY", "1"),)))),
    "the environment": identity(replace(PLAYER, launch=Command(("{python}", "x.py"), "/bots/x", (("KEY", "2"),)))),
    "a plugin": identity(LOADED),
    "in the same process": identity(replace(LOADED, launch=Plugin("threes", in_process=True))),
    "the rules": identity(terms=replace(TERMS, rules=Rules(nil_value=50))),
    "the value of an option": identity(terms=replace(TERMS, rules=Rules(nil_value=60))),
    "another option of the same value": identity(terms=replace(TERMS, rules=Rules(bag_penalty=50))),
    "the name of the rules, which bots are told": identity(terms=replace(TERMS, rules=Rules(preset="mine"))),
    "the format": identity(terms=replace(TERMS, format=Game())),
    "the number of boards": identity(terms=replace(TERMS, format=Boards(12))),
    "the limits": identity(terms=replace(TERMS, limits=Limits(move=2))),
    "the fault policy": identity(terms=replace(TERMS, faults=Substitute(1))),
    "how many substitutes": identity(terms=replace(TERMS, faults=Substitute(2))),
    "the secret": identity(terms=replace(TERMS, secrets=(Sealed(secret_of_seed(2)),))),
    "the board stream": identity(leg=LEG._replace(stream=1)),
    "the leg": identity(leg=LEG._replace(leg=1)),
}


def test_whatever_a_result_depends_on_changes_the_identity() -> None:
    different = [identity(), *CHANGED.values()]
    assert len(set(different)) == len(different)


def test_what_a_result_does_not_depend_on_leaves_the_identity_as_it_is() -> None:
    moved = replace(PLAYER, launch=Command(("{python}", "x.py"), "/elsewhere", (("KEY", "1"),)))
    assert identity(moved) == identity()
    assert identity(leg=LEG._replace(round=9)) == identity()
    assert identity(terms=replace(TERMS, limits=Limits(10, 1, 60))) == identity()
    assert identity(replace(LOADED, launch=Plugin("threes", ("/elsewhere/p.py",)))) == identity(LOADED)


@dataclass(frozen=True, slots=True)
class RulesOfTomorrow(Rules):
    """The rules of a later version, with an option more."""

    jokers: bool = False


@pytest.mark.parametrize("rules", [Rules(), Rules(preset="short", target=200)])
def test_an_option_that_is_new_changes_no_match_that_it_plays_no_part_in(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = identity(terms=replace(TERMS, rules=rules))
    kept = settings(terms_tree(rules, TERMS.format, TERMS.limits, TERMS.faults), 1, "round_robin", Options(), [])
    plain = {**terms_tree(rules, Game(), Limits(), Forfeit()), "rules": asdict(RulesOfTomorrow())}
    monkeypatch.setattr("spades_harness.tournament.identity._plain", lambda: plain)
    tomorrow = RulesOfTomorrow(**asdict(rules))
    assert identity(terms=replace(TERMS, rules=tomorrow)) == before
    terms = terms_tree(tomorrow, TERMS.format, TERMS.limits, TERMS.faults)
    assert not list(differences(kept, settings(terms, 1, "round_robin", Options(), [])))
    wild = replace(tomorrow, jokers=True)
    assert identity(terms=replace(TERMS, rules=wild)) != before
    terms = terms_tree(wild, TERMS.format, TERMS.limits, TERMS.faults)
    assert list(differences(kept, settings(terms, 1, "round_robin", Options(), []))) == [
        "rules.jokers: false there, true here"
    ]


class Unheard:
    """A policy or a format that nobody taught to this version."""


def test_a_policy_or_a_format_without_a_description_of_its_own_is_never_taken_for_another() -> None:
    unheard: Any = Unheard()
    with pytest.raises(AssertionError, match="Unheard"):
        identity(terms=replace(TERMS, faults=unheard))
    with pytest.raises(AssertionError, match="Unheard"):
        identity(terms=replace(TERMS, format=unheard))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("faults", {"replace": 1}),
        ("faults", "shrug"),
        ("faults", {"substitute": 1, "then": "replace"}),
        ("format", "rubber"),
        ("format", {"boards": 4, "of": 8}),
        ("format", None),
    ],
)
def test_terms_of_a_later_version_are_not_read_as_something_else(key: str, value: object) -> None:
    tree = {**terms_tree(TERMS.rules, TERMS.format, TERMS.limits, TERMS.faults), key: value}
    with pytest.raises(ValueError, match=f"^{key}: "):
        terms_from(tree, TERMS.secrets)


@pytest.mark.parametrize("faults", [Forfeit(), Substitute(3)])
@pytest.mark.parametrize("game", [Game(), Boards(12)])
def test_terms_can_be_written_down_and_read_back(game: Game | Boards, faults: Forfeit | Substitute) -> None:
    terms = Terms(Rules(target=200), game, Limits(1, 2, 3), faults, (Sealed(secret_of_seed(3)),))
    assert terms_from(terms_tree(terms.rules, game, terms.limits, faults), terms.secrets) == terms


def test_two_runs_are_told_apart_by_what_differs() -> None:
    terms = terms_tree(TERMS.rules, TERMS.format, TERMS.limits, TERMS.faults)
    options = Options({"rounds": 2})
    first = settings(terms, 1, "round_robin", options, [Entrant("a", (PLAYER, PLAYER))])
    other = replace(PLAYER, params=(("depth", "x" * 99),), launch=replace(PLAYER.launch, env=(("KEY", "2"),)))
    second = settings(terms, None, "ladder", options, [Entrant("a", (other, other))])
    assert not list(differences(first, dict(first)))
    assert list(differences(first, second)) == [
        "schedule.ladder.rounds: nothing there, 2 here",
        "schedule.round_robin.rounds: 2 there, nothing here",
        "seed: 1 there, null here",
        "bots.x.env.KEY differs",
        f'bots.x.params.depth: 3 there, "{"x" * 56}... here',
    ]


def test_an_entrant_that_is_gone_is_told_first_and_with_its_cure() -> None:
    def of(*names: str) -> Settings:
        terms = terms_tree(TERMS.rules, TERMS.format, TERMS.limits, TERMS.faults)
        return settings(terms, 1, "round_robin", Options(), [Entrant(name, (PLAYER, PLAYER)) for name in names])

    first, *_ = differences(of("a", "b"), of("a", "c"))
    assert first == "b is gone: bring it back, or `spades amend RUN withdraw b`"
