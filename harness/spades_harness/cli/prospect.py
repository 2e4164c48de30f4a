"""What `plan` found out, for people and machines. Formats; measures nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from spades_harness.tournament.forecast import BotTimes
from spades_harness.tournament.statistics.interval import FEWEST_PAIRS
from spades_harness.tournament.statistics.resolution import MOST

from .console import say
from .planning import Plan
from .progress import duration
from .tables import put, table_of


def as_json(plan: Plan) -> str:
    """One object with the fields of `Plan`; what is unknown is null."""
    return json.dumps(asdict(plan), indent=2, allow_nan=False)


def show(plan: Plan) -> None:
    """A few lines, and a table of the bots."""
    for line in lines(plan):
        say(line)
    say()
    put(table_of(("bot", "start", "an answer", "measured"), map(_cells, plan.bots)))
    for times in plan.bots:
        if times.fault:
            say(f"{times.bot} made a fault: {times.fault}")


def lines(plan: Plan) -> Iterator[str]:
    """What is to be said of the whole."""
    least = "at least " if plan.at_least else ""
    time = "at least" if plan.at_least or plan.unmeasured else "about"
    about = "" if plan.hands_measured else ", which is a guess: no game of the sample came to its end"
    yield f"{plan.name}: {plan.entrants} entrants, {least}{plan.matches:,} matches, {plan.hands:,} hands{about}"
    yield f"time        {time} {_span(plan.seconds)} in {_lanes(plan.lanes)} here; {_match(plan)}"
    if plan.unmeasured:
        yield f"            without the time of {', '.join(plan.unmeasured)}, which could not be measured"
    if plan.at_least:
        yield f"            what comes after these matches hangs on their results{_if_even(plan)}"
    if plan.may_stop:
        yield "            the file's rule to stop may end it sooner"
    yield f"tells apart {_resolution(plan)}"
    yield from plan.notes


def _lanes(count: int) -> str:
    return "one lane" if count == 1 else f"{count} lanes"


def _match(plan: Plan) -> str:
    return f"{_seconds(plan.seconds_per_match)} a match, {_seconds(plan.overhead_per_match)} of it the harness itself"


def _if_even(plan: Plan) -> str:
    if plan.matches_if_even is None or plan.seconds_if_even is None:
        return ""
    about = "at least" if plan.unmeasured else "about"
    each = f", {_seconds(plan.seconds_per_match_if_even)} a match"
    return f"; were all of them even, {plan.matches_if_even:,} matches in {about} {_span(plan.seconds_if_even)}{each}"


def _span(seconds: float) -> str:
    """A short time to a tenth, since a rounded `0 s` would say nothing of it."""
    return duration(seconds) if seconds >= 10 else f"{seconds:.1f} s"


def _resolution(plan: Plan) -> str:
    meetings = f"{plan.fewest_pairs:,} meetings of each"
    if plan.fewest_pairs < FEWEST_PAIRS:
        return f"nothing: too few matches ({meetings}; an interval takes {FEWEST_PAIRS})"
    if plan.elo_resolution is None:
        return f"what is not computed for more than {MOST:,} entrants ({meetings})"
    return f"entrants who differ by {plan.elo_resolution:.0f} Elo or more (95 %, by {meetings}; equals differ by less)"


def _cells(times: BotTimes) -> tuple[str, ...]:
    answers = f"{times.answers:,} answers" if times.answers else "–"
    return times.bot, _seconds(times.start), _seconds(times.answer), answers


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    return f"{1000 * seconds:.2f} ms" if seconds < 0.1 else f"{seconds:.2f} s"
