"""As many matches at a time as there are cores, within all bounds; more where bots only wait, else a word of it."""

from __future__ import annotations

import os

import pytest

from spades_harness.table import cores, topology
from spades_harness.tournament.execution import room as rooms
from spades_harness.tournament.execution.room import WAITING, Room, crowded, physical_cores, room


def machine(monkeypatch: pytest.MonkeyPatch, processors: int, a_core: int = 1, share: float | None = None) -> None:
    """A machine with so many processors, so many of them on each core, under a quota."""
    groups = tuple(tuple(range(first, first + a_core)) for first in range(0, processors, a_core))
    monkeypatch.setattr(cores, "EVERYWHERE", frozenset(range(processors)))
    monkeypatch.setattr(topology, "by_core", lambda _: groups)
    monkeypatch.setattr(topology, "quota", lambda: share)


@pytest.mark.parametrize(
    ("processors", "a_core", "share", "lanes"),
    [
        (8, 1, None, 8),
        (8, 2, None, 4),
        (8, 2, 3.0, 3),
        (8, 1, 2.9, 2),
        (8, 1, 0.5, 1),
        (2, 2, 16.0, 1),
        (1, 1, None, 1),
    ],
)
def test_a_lane_a_core_within_the_quota_and_one_at_least(
    monkeypatch: pytest.MonkeyPatch, processors: int, a_core: int, share: float | None, lanes: int
) -> None:
    machine(monkeypatch, processors, a_core, share)
    assert physical_cores() == lanes
    assert room(None) == Room(lanes, WAITING)


@pytest.mark.parametrize(("counted", "lanes"), [(6, 6), (None, 1)])
def test_where_nobody_tells_each_processor_that_the_system_counts_is_a_core(
    monkeypatch: pytest.MonkeyPatch, counted: int | None, lanes: int
) -> None:
    machine(monkeypatch, 0)
    monkeypatch.setattr(os, "cpu_count", lambda: counted)
    assert physical_cores() == lanes


def test_a_large_machine_has_no_less_room_for_matches_that_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, 96)
    assert room(None) == Room(96, 96)


def test_a_number_that_is_asked_for_is_the_number_of_all_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, 2)
    assert room(3) == Room(3, 3)
    assert room(3).matches == 3
    assert room(None).matches == WAITING


def test_more_lanes_than_cores_are_told_unless_all_bots_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, 4, 2)
    assert crowded(room(3), waits=False).startswith("3 matches at a time on 2 cores: ")
    assert crowded(room(3), waits=False).endswith("(--jobs 2 gives each match a core)")
    assert crowded(room(3), waits=True) == crowded(room(2), waits=False) == crowded(room(None), waits=False) == ""
    machine(monkeypatch, 1)
    assert " on 1 core: " in crowded(rooms.room(2), waits=False)
