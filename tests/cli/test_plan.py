"""`spades plan`: what it says before a run is what the run comes to, and nothing is left of it."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from cli.calling import python_bot, spades, zoo_bot
from spades_harness.cli.planning import Plan
from spades_harness.cli.prospect import lines
from spades_harness.cli.sampling import PASSES, alone, samples, widened
from spades_harness.tournament.outcome import Leg
from spades_harness.tournament.schedule import Entrant, Options
from spades_harness.tournament.schedules.round_robin import round_robin

HEAD = "name: it\nseed: 3\nformat: {boards: 4}\nlimits: {start: 20, move: 1, bank: 60}\n"
QUICK = "{name: ann, plugin: threes, in_process: true}, {name: bob, plugin: threes, params: {bid: 4}, in_process: true}"
LADDER = """
from spades_harness import hookimpl
from spades_harness.tournament.schedule import Options
from spades_harness.tournament.schedules.round_robin import round_robin


def one_more(entrants, options, results):
    return round_robin(entrants, Options({"rounds": 1 + len(results) // 2}), results) if len(results) < 6 else ()


@hookimpl
def spades_register_schedules():
    return {"one_more": one_more}
"""


def planned(folder: Path, text: str, *words: str) -> dict[str, Any]:
    (folder / "t.yaml").write_text(HEAD + text, encoding="utf-8")
    done = spades("plan", "t.yaml", "--json", "--jobs", "1", *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_plan_has_the_matches_and_hands_of_the_run_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """SC-01: the dry run lists as many."""
    found = planned(tmp_path, f"schedule: {{round_robin: {{rounds: 6}}}}\nbots: [{QUICK}]\n")
    assert list(found) == [each.name for each in fields(Plan)]
    assert (found["entrants"], found["matches"], found["hands"], found["at_least"]) == (2, 12, 48, False)
    assert (found["fewest_pairs"], found["elo_resolution"]) == (6, pytest.approx(274, abs=1))
    assert [bot["bot"] for bot in found["bots"]] == ["ann", "bob"]
    assert all(bot["answer"] > 0 and bot["fault"] == "" for bot in found["bots"])
    assert [path.name for path in tmp_path.iterdir()] == ["t.yaml"]
    assert "12 matches" in spades("run", "t.yaml", "--dry-run", cwd=tmp_path).stdout


def test_a_bot_that_thinks_and_one_that_fails_are_told_apart(tmp_path: Path) -> None:
    """CL-11: people read the same as machines."""
    python_bot(
        tmp_path,
        "slow",
        "def bid(self, request):\n    return 3\n"
        "def play(self, request):\n    __import__('time').sleep(0.02)\n    return request.legal[0]",
    )
    zoo_bot(tmp_path, "broken", "--give-up")
    two = "{name: slow, bot: slow.py}, {name: broken, bot: broken}"
    text = f"schedule: {{round_robin: {{rounds: 1}}}}\nbots: [{QUICK}, {two}]\n"
    found = planned(tmp_path, text)
    bots = {bot["bot"]: bot for bot in found["bots"]}
    assert bots["slow"]["answer"] >= 0.02 / 2  # a sample that is broken off may have a bid for each card
    assert bots["ann"]["answer"] < bots["slow"]["answer"]
    assert bots["broken"]["fault"].startswith("start: ")
    assert bots["broken"]["answer"] is None
    assert found["elo_resolution"] is None
    told = spades("plan", "t.yaml", "--jobs", "2", cwd=tmp_path)
    assert told.returncode == 0
    assert "it: 4 entrants, 12 matches, 48 hands\n" in told.stdout
    assert "in 2 lanes here" in told.stdout
    assert "broken made a fault: start: " in told.stdout
    assert "nothing: too few matches (3 meetings of each; an interval takes 5)" in told.stdout


LEAVER = """
import os
from spades_bot import Bot
from spades_harness import hookimpl


class Leaver(Bot):
    def bid(self, request):
        os._exit(3)

    play = bid


@hookimpl
def spades_register_bots():
    return {"leaver": Leaver}
"""


def test_where_each_match_of_the_sample_comes_to_nothing_there_is_no_plan(tmp_path: Path) -> None:
    (tmp_path / "plug.py").write_text(LEAVER, encoding="utf-8")
    bots = ", ".join(f"{{name: {name}, plugin: leaver, in_process: true}}" for name in "ab")
    text = f"{{name: t, plugins: [plug.py], format: {{boards: 4}}, bots: [{bots}]}}"
    (tmp_path / "t.yaml").write_text(text, encoding="utf-8")
    told = spades("plan", "t.yaml", cwd=tmp_path)
    assert (told.returncode, told.stdout) == (2, "")
    assert "the process that played it died" in told.stderr
    assert "each match of the sample came to nothing, so that there is nothing to measure by" in told.stderr


def test_of_a_schedule_that_looks_at_results_it_says_at_least(tmp_path: Path) -> None:
    (tmp_path / "plug.py").write_text(LADDER, encoding="utf-8")
    found = planned(tmp_path, f"schedule: one_more\nbots: [{QUICK}]\n", "--plugin", "plug.py")
    assert (found["matches"], found["at_least"], found["matches_if_even"]) == (2, True, 6)
    assert found["seconds_if_even"] >= found["seconds"]
    told = spades("plan", "t.yaml", "--plugin", "plug.py", cwd=tmp_path).stdout
    assert "it: 2 entrants, at least 2 matches" in told
    assert "hangs on their results; were all of them even, 6 matches" in told


THREE = QUICK + ", {name: cy, plugin: threes, params: {bid: 2}, in_process: true}"


@pytest.mark.parametrize("schedule", ["ladder: {streams: 1, most: 1}", "knockout: {streams: 1, extra: 0, seeds: [cy]}"])
def test_who_comes_later_or_has_a_bye_is_measured_and_counted_too(tmp_path: Path, schedule: str) -> None:
    found = planned(tmp_path, f"schedule: {{{schedule}}}\nbots: [{THREE}]\n")
    assert (found["matches"], found["matches_if_even"], found["unmeasured"]) == (2, 4, [])
    assert [bot["bot"] for bot in found["bots"]] == ["ann", "bob", "cy"]
    assert all(bot["answers"] > 0 for bot in found["bots"])
    played = found["seconds_per_match_if_even"] * found["matches_if_even"]
    assert played > found["seconds_per_match"] * found["matches"]
    assert found["seconds_if_even"] - found["seconds"] == pytest.approx(
        played - found["seconds_per_match"] * found["matches"], abs=0.11
    )


def test_who_only_meets_one_that_does_not_start_is_measured_alone(tmp_path: Path) -> None:
    zoo_bot(tmp_path, "broken", "--give-up")
    text = "{name: ann, plugin: threes, in_process: true}, {name: broken, bot: broken}"
    found = planned(tmp_path, f"schedule: {{round_robin: {{rounds: 1}}}}\nbots: [{text}]\n")
    assert [bot["answers"] > 0 for bot in found["bots"]] == [True, False]
    assert found["unmeasured"] == []


def test_who_could_not_be_measured_is_named_and_all_times_are_at_least(tmp_path: Path) -> None:
    (tmp_path / "plug.py").write_text(LEAVER, encoding="utf-8")
    bots = f"[{QUICK}, {{name: lea, plugin: leaver, in_process: true}}]"
    ladder = "{ladder: {streams: 1, most: 1}}"
    found = planned(tmp_path, f"schedule: {ladder}\nplugins: [plug.py]\nbots: {bots}\n")
    assert found["unmeasured"] == ["lea"]
    assert found["bots"][2] == {"bot": "lea", "start": None, "answer": None, "answers": 0, "fault": ""}
    plan = Plan(**{**found, "bots": ()})
    told = "\n".join(lines(plan))
    assert "without the time of lea, which could not be measured" in told
    assert "were all of them even, 4 matches in at least " in told
    told = "\n".join(lines(replace(plan, at_least=False)))
    assert re.search("^time +at least ", told, re.MULTILINE)
    assert "it: 3 entrants, 2 matches" in told


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "bots: [" + QUICK + "]\nschedule:\n  round_robin:\n    rounds: 2\n    turns: 3\n",
            "t.yaml:LINE:5: schedule: round_robin has no option 'turns'",
        ),
        (
            "bots: [" + QUICK + "]\nschedule:\n  swiss:\n    streams: 3\n    rounds: never\n",
            "t.yaml:LINE:5: schedule: rounds must be",
        ),
        ("bots: [{name: a, bot: nobody}, {name: b, bot: threes}]\n", "no bot 'nobody'"),
    ],
)
def test_what_a_run_refuses_a_plan_refuses_in_the_same_words(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "t.yaml").write_text(HEAD + text, encoding="utf-8")
    said = [spades(*call, cwd=tmp_path) for call in (["plan", "t.yaml"], ["run", "t.yaml", "--dry-run"])]
    assert [done.returncode for done in said] == [2, 2]
    assert said[0].stderr == said[1].stderr
    assert complaint.replace("LINE", str(HEAD.count("\n") + 5)) in said[0].stderr


def legs_of_field(count: int, rounds: int) -> tuple[Leg, ...]:
    return round_robin([Entrant(f"bot {number}", ()) for number in range(count)], Options({"rounds": rounds}), ())


@pytest.mark.parametrize(("count", "rounds", "jobs"), [(2, 40, 1), (2, 40, 8), (5, 20, 2), (30, 4, 3)])
def test_in_a_sample_everybody_plays_again_and_again_and_no_lane_idles(count: int, rounds: int, jobs: int) -> None:
    parts = list(samples(legs_of_field(count, rounds), jobs))
    assert 1 < len(parts) <= PASSES
    seen: Counter[str] = Counter()
    for number, part in enumerate(parts, 1):
        assert len(part) >= min(jobs, count)
        seen.update(name for leg in part for name in leg.entrants)
        assert min(seen.values()) >= number
        assert len(seen) == count
    every = [leg for part in parts for leg in part]
    assert len(every) == len(set(every))
    assert len({leg.entrants for leg in every}) > 1 or count == 2


def test_of_a_plan_that_is_small_no_match_is_sampled_twice() -> None:
    assert [len(part) for part in samples(legs_of_field(2, 1), 1)] == [1, 1]
    assert list(samples((), 2)) == []


@pytest.mark.parametrize(
    "first", [Leg(("c", "f"), 0, 0, 1), Leg(("a", "b", "c", "d"), 0, 0, 1, 2), Leg(("a", "a"), 0, 0, 1)]
)
def test_a_first_pass_seats_each_of_the_field_whoever_the_plan_names(first: Leg) -> None:
    field = list("abcdefg")
    parts = list(samples(widened([first, first._replace(leg=1)], field), 2))
    assert {name for leg in parts[0] for name in leg.entrants} == set(field)
    assert len(parts[0]) <= len(field)
    assert all(len(leg.entrants) == len(first.entrants) and leg.mates == first.mates for leg in parts[0])
    assert all(len(set(leg.entrants)) == len(set(first.entrants)) for part in parts for leg in part)
    assert len(parts) <= PASSES


def test_a_plan_that_names_all_is_sampled_as_it_is_and_of_none_nothing_is() -> None:
    legs = legs_of_field(5, 1)
    assert widened(legs, [f"bot {number}" for number in range(5)]) == legs
    assert widened((), ["a", "b"]) == ()
    assert alone(Leg(("a", "b"), 3, 1, 2), "c") == Leg(("c", "c"), 0, 0, 2)
