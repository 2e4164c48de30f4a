"""What a check found, as lines of text: figures, faults with their cures, warnings, and the verdict. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final

from spades_harness.game.rules import Rules
from spades_harness.table.bounds import Limits
from spades_harness.table.judge import spell
from spades_harness.table.match import Answer, Reply, Request, Started

from .checking import Checkup, Restart
from .faults import Case, cure, describe
from .trials import Tried, said_of, warned_of

MEMORY: Final = (
    "decide from the request alone (it holds all that happened in the hand), and take dice from random_seed "
    "(with spades_bot: self.random)"
)
EARLY: Final = "write a line only as the answer to a request, and answer each request once"
LINGER: Final = "end when the input ends (with spades_bot it does), and end the processes that you started first"


def findings(checkup: Checkup, name: str, rules: Rules, limits: Limits, tried: Sequence[Tried] = ()) -> Iterator[str]:
    """Everything that a check found, the verdict last; blank lines stand between its parts."""
    warned = [*warnings(checkup, rules), *warned_of(tried)]
    parts = [
        [*figures(checkup, [rules, *(each.trial.rules for each in tried)], limits), *said_of(tried)],
        *(list(_faults(group, name, rules)) for group in grouped(checkup.cases)),
        [*warned, verdict(name, len(checkup.faults), len(warned))],
    ]
    for number, part in enumerate(filter(None, parts)):
        yield from ["", *part] if number else part


def figures(checkup: Checkup, played: Sequence[Rules], limits: Limits) -> Iterator[str]:
    """How it went: times, and what the bot was asked; `played` are all rules that it was tried by."""
    asked = [pair for sitting in checkup.sittings for pair in sitting.asked]
    yield from _start(checkup, limits)
    yield from _answers(asked, limits)
    yield from _not_asked(checkup, played)
    if checkup.restarts and all(restart.same for restart in checkup.restarts):
        yield f"restarts  {len(checkup.restarts)} requests put again to a fresh process: the same answers"


def verdict(name: str, faults: int, warned: int) -> str:
    """The last line."""
    found = f"{_count(faults, 'fault')}, {_count(warned, 'warning')}" if warned else _count(faults, "fault")
    return f"{name}: {found}" if faults else f"{name}: ok, {found}"


def _start(checkup: Checkup, limits: Limits) -> Iterator[str]:
    started = [sitting.started for sitting in checkup.sittings if isinstance(sitting.started, Started)]
    if started:
        slowest = max(each.elapsed for each in started)
        said = f"{started[0].name} {started[0].version}".strip()
        yield f"bot       it calls itself {said}" if said else "bot       it gives itself no name"
        yield f"start     {_seconds(slowest)} (slowest of {len(started)}; limit {limits.start:g} s)"


def _answers(asked: Sequence[tuple[Request, Reply]], limits: Limits) -> Iterator[str]:
    if not asked:
        return
    kinds = Counter(request.view.kind for request, _ in asked)
    yield f"asked     {', '.join(f'{count} {kind}' for kind, count in kinds.items())}"
    worst, reply = max(asked, key=lambda pair: pair[1].elapsed)
    middle = median(reply.elapsed for _, reply in asked)
    where = f"{worst.view.kind}, hand {worst.view.number + 1}"
    yield f"answers   median {_seconds(middle)}, worst {_seconds(reply.elapsed)} ({where}; limit {limits.move:g} s)"


def _not_asked(checkup: Checkup, played: Sequence[Rules]) -> Iterator[str]:
    started = [sitting.started for sitting in checkup.sittings if isinstance(sitting.started, Started)]
    if not started:
        return
    asked = {kind for rules in played for kind in optional_kinds(rules)}
    if left := [kind for kind in sorted(asked) if kind not in started[0].answers]:
        kinds = ", ".join([*left[:-2], " and ".join(left[-2:])])
        yield f"not asked {kinds}: its hello doesn't list it under answers, so a substitute decides (no fault)"


def optional_kinds(rules: Rules) -> Iterator[str]:
    """The kinds of request that these rules can ask for, of those that a bot may leave to the substitute."""
    if rules.blind_nil or rules.blind_number is not None:
        yield "blind"
    if rules.players == 2:
        yield "draw"
    if rules.exchange and (rules.blind_nil or rules.nil_exchange) and not rules.cutthroat:
        yield "exchange"


def grouped(cases: Sequence[Case]) -> list[list[Case]]:
    """Faults that are the same mistake, most likely: of one kind, and with one cure."""
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        groups.setdefault((case.fault.kind.value, cure(case)), []).append(case)
    return list(groups.values())


def _faults(group: Sequence[Case], name: str, rules: Rules) -> Iterator[str]:
    """The first of a group in full, the others by their number."""
    yield from describe(group[0], f"{name} ({rules.shape.seats[group[0].fault.seat]})")
    if len(group) > 1:
        yield f"  and {len(group) - 1} more of this kind"


def warnings(checkup: Checkup, rules: Rules) -> Iterator[str]:
    """What costs no match, and is better cured all the same, each with its cure."""
    differing = [restart for restart in checkup.restarts if not restart.same]
    if differing:
        yield f"warning: {_restarted(differing[0], rules)}; cure: {MEMORY}"
    unasked = sum(sitting.unasked for sitting in checkup.sittings)
    if unasked:
        yield f"warning: {_count(unasked, 'line')} came that nobody had asked for, and went unread; cure: {EARLY}"
    if any(sitting.lingered for sitting in checkup.sittings):
        yield f"warning: it, or a process that it started, ran on when its input had ended; cure: {LINGER}"


def _restarted(restart: Restart, rules: Rules) -> str:
    view = restart.request.view
    where = f"{view.kind}, hand {view.number + 1}, as {rules.shape.seats[view.seat]}"
    return (
        f"asked again after a restart ({where}) it answered otherwise: {_reply(restart, restart.before)} before,"
        f" {_reply(restart, restart.after)} after"
    )


def _reply(restart: Restart, reply: object) -> str:
    if isinstance(reply, Answer):
        return spell(restart.request.view.kind, reply.written)
    return "no answer"


def _seconds(elapsed: float) -> str:
    """Milliseconds below a second, where bots differ."""
    return f"{elapsed * 1000:.1f} ms" if elapsed < 1 else f"{elapsed:.2f} s"


def _count(number: int, noun: str) -> str:
    words = "no" if number == 0 else str(number)
    return f"{words} {noun}" if number == 1 else f"{words} {noun}s"
