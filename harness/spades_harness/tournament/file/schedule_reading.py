"""`schedule` of the tournament file: which one, and what is said to it. What its options may be, the schedule knows."""

from __future__ import annotations

from collections.abc import Iterator

from spades_harness.tournament.registry import Registry
from spades_harness.tournament.schedule import OptionValue

from .entries import ScheduleChoice
from .reading import MAX_ARGUMENTS, MAX_BOTS, At, each, only_pair, pairs, scalar, text, word
from .yaml_nodes import Fields, Items, Place


def read_schedule(at: At, registry: Registry) -> ScheduleChoice:
    """A schedule's name, or `{name: {options}}`; what the options may be is the schedule's own business."""
    pair = only_pair(at)
    if pair is None and isinstance(at.node, Fields) and at.node.fields:
        raise at.error("names several schedules; take one of them")
    if pair is None and isinstance(at.node, Fields | Items):
        raise at.must_be("a schedule's name, or a mapping of it to its options, as in {round_robin: {rounds: 8}}")
    key = text(at) if pair is None else pair[0]
    if key not in registry.schedules:
        raise at.error(f"no schedule {key!r}{registry.missing(key, list(registry.schedules))}")
    given = () if pair is None or word(pair[1]) == "" else pairs(_option, MAX_ARGUMENTS)(pair[1])
    if dotted := next((name for name, _ in given if "." in name), None):
        raise at.error(f"{dotted!r} can't name an option of a schedule: leave out the dot")
    return ScheduleChoice(key, given, at.place, () if pair is None else tuple(_places(at, pair[1])))


def _places(at: At, options: At) -> Iterator[tuple[str, Place]]:
    """Where each option stands, as something wrong with the schedule."""
    for field in options.node.fields if isinstance(options.node, Fields) else ():
        yield field.key, Place(at.file, *field.mark, at.path)


def _option(at: At) -> OptionValue:
    """A scalar, a list of them, or a mapping with free keys."""
    match at.node:
        case Items():
            return each(scalar, MAX_BOTS)(at)
        case Fields():
            return dict(pairs(scalar, MAX_BOTS)(at))
        case _:
            return scalar(at)
