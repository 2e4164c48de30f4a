"""Who belongs to a run, found once from what its ledger holds; and how a run is founded, or gone on with, by that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from spades_harness.game.score import Boards
from spades_harness.tournament.records.acts import Act
from spades_harness.tournament.records.amender import amend
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import FILE, RunFolder, open_run, open_to_amend, read_ledger
from spades_harness.tournament.records.ledger_file import LedgerError
from spades_harness.tournament.records.ledger_items import Listed
from spades_harness.tournament.records.membership import Membership, Standing, membership
from spades_harness.tournament.schedule import Entrant
from tournament.playing import entrant, setup

from .earlier import make_earlier

A, B, C, D = map(entrant, "abcd")
SMALL = setup(A, B, game=Boards(4))
GROWN = replace(SMALL, entrants=(C, B, A))


def standing(entrants: Sequence[Entrant], dropped: str = "", withdrawn: str = "") -> Standing:
    listed = [Listed(e.name, tuple(p.name for p in e.players), e.name if e.name in dropped else "") for e in entrants]
    settings = replace(SMALL, entrants=tuple(entrants)).settings
    return Standing(settings, tuple(listed), {each.name: each for each in entrants if each.name in withdrawn})


def found(run: Standing | None, *given: Entrant, admitted: str | None = None) -> Membership:
    return membership(run, given, replace(SMALL, entrants=given).settings, admitted)


def names(entrants: Sequence[Entrant]) -> str:
    return "".join(each.name for each in entrants)


def test_in_a_run_that_is_to_be_founded_everybody_is_new() -> None:
    fresh = found(None, B, A)
    assert (names(fresh.new), names(fresh.stay), names(fresh.known), fresh.stored) == ("ba", "", "ba", None)


@pytest.mark.parametrize(
    ("run", "given", "new", "stay", "known"),
    [
        (standing([A, B]), [B, A], "", "ab", "ab"),
        (standing([A, B]), [D, B, C, A], "dc", "ab", "abdc"),
        (standing([A, B, C], withdrawn="b"), [D, C, A], "d", "ac", "abcd"),
        (standing([A, B, C], withdrawn="b"), [C, B, A], "", "abc", "abc"),
        (standing([A, B, C], dropped="a"), [C, B], "", "bc", "bc"),
        (standing([A, B, C], dropped="a"), [C, B, A], "", "abc", "abc"),
        (standing([A, B, C], dropped="a"), [entrant("a", "dull"), C, B], "a", "bc", "bca"),
        (standing([A, B, C], dropped="a"), [Entrant("a", B.players), C, B], "a", "bc", "bca"),
        (standing([A, B]), [C, A], "", "ac", "ac"),  # b is gone, and whoever opens the run says so
    ],
)
def test_who_is_new_who_stays_and_in_which_order_they_are_known(
    run: Standing, given: list[Entrant], new: str, stay: str, known: str
) -> None:
    members = found(run, *given)
    assert (names(members.new), names(members.stay), names(members.known)) == (new, stay, known)


def test_those_who_are_not_admitted_stay_and_make_it_another_run() -> None:
    members = found(standing([A, B]), A, B, C, D, admitted="d")
    assert (names(members.new), names(members.stay), names(members.known)) == ("d", "abc", "abcd")


def opened(folder: Path, given: Setup, **dropped: str) -> Membership:
    with RunFolder(folder) as here:
        members = here.members(given)
        here.open(given, members, dropped)
    return members


def test_a_file_that_a_founding_left_with_nothing_in_it_is_a_run_to_be_founded(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    with RunFolder(tmp_path) as here:
        assert here.run is None
        assert here.members(SMALL).new == SMALL.entrants
    assert (tmp_path / FILE).read_bytes() == b""
    assert opened(tmp_path, SMALL).new == SMALL.entrants
    assert opened(tmp_path, SMALL).new == ()


def test_a_folder_is_not_even_made_before_the_run_is_founded(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "runs" / "small") as here:
        here.members(SMALL)
    assert [*tmp_path.iterdir()] == []


def test_a_run_that_another_call_founded_meanwhile_is_left_alone(tmp_path: Path) -> None:
    with RunFolder(tmp_path) as here:
        members = here.members(SMALL)
        open_run(tmp_path, SMALL).close()
        before = (tmp_path / FILE).read_bytes()
        with pytest.raises(LedgerError, match="was founded here meanwhile: make the same call again"):
            here.open(SMALL, members)
    assert (tmp_path / FILE).read_bytes() == before


def test_a_run_is_founded_or_joined_together_with_who_is_dropped_from_it(tmp_path: Path) -> None:
    """Where a call ends in between, the next would take the dropped for one that was looked at."""
    opened(tmp_path, SMALL, b="it died")
    with read_ledger(tmp_path) as ledger:
        assert [(each.name, each.dropped) for each in ledger.entrants()] == [("a", ""), ("b", "it died")]
    assert opened(tmp_path, SMALL).new == ()
    assert opened(tmp_path, GROWN, c="it died, too").new == (C,)
    with read_ledger(tmp_path) as ledger:
        assert [each.dropped for each in ledger.entrants()] == ["", "it died", "it died, too"]
    assert opened(tmp_path, GROWN).new == ()


def test_who_plays_no_more_is_recalled_from_the_ledger(tmp_path: Path) -> None:
    open_run(tmp_path, GROWN).close()
    with open_to_amend(tmp_path) as run:
        amend(run, Act.WITHDRAW, ["b"], "its author asked", "me")
    with RunFolder(tmp_path) as here:
        members = here.members(replace(SMALL, entrants=(A, C)))
        assert members.known == (C, B, A)
        here.open(replace(SMALL, entrants=(A, C)), members)


def test_entrants_join_a_run_of_an_earlier_version_with_the_first_call(tmp_path: Path) -> None:
    with open_run(tmp_path, SMALL) as run:
        make_earlier(run._db, 1)
    assert opened(tmp_path, GROWN).new == (C,)
    with read_ledger(tmp_path) as ledger:
        assert [each.name for each in ledger.entrants()] == ["a", "b", "c"]
