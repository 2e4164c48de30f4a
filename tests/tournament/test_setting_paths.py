"""Names have whatever characters they like: no run is taken for another because one of them has a dot."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_harness.game.score import Boards
from spades_harness.table.match import Player, Plugin
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.execution.room import room
from spades_harness.tournament.identity import Key
from spades_harness.tournament.records.acts import Act
from spades_harness.tournament.records.amender import amend
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import FILE, open_run, open_to_amend, read_ledger
from spades_harness.tournament.records.ledger_file import LedgerError
from spades_harness.tournament.records.setting_paths import rows_of, understood, written
from spades_harness.tournament.records.verifying import verify
from spades_harness.tournament.runner import play_out
from spades_harness.tournament.schedule import Entrant, OptionValue
from tournament.playing import play, setup, tournament
from tournament.test_lanes import Heard, HereLane

ODD = ("mybot", "mybot.old", "a", "a.params", "a.params.style", "b=c:d/e", "[0] x", "7", "bots", ".", "é.py", '{"x"}')


def bot(name: str, **params: int | str) -> Player:
    return Player(name, Plugin("mannequin", env=(("A.B", "1"),)), tuple(params.items()), content="1")


def entrant(name: str, **params: int | str) -> Entrant:
    """One of mannequins, with an environment and parameters of dotted names."""
    player = bot(name, **{"style": "dull", "x.y": 1, **params})
    return Entrant(name, (player, player))


def field(*names: str) -> Setup:
    return replace(setup(*map(entrant, names), game=Boards(4)), options={"rounds": 1})


def go_on(folder: Path, base: Setup, *new: str) -> str:
    with open_run(folder, base, new) as run, Lanes(play, room(1), HereLane) as lanes:
        heard = Heard()
        assert not play_out(tournament(base, run), run, lanes, heard)
    return heard.lines[-1]


def test_a_run_of_names_with_dots_goes_on_and_nothing_in_it_differs(tmp_path: Path) -> None:
    base = field(*ODD[:4])
    assert go_on(tmp_path, base) == "played 12: 12/12"
    assert go_on(tmp_path, base) == "planned 12/12"
    with read_ledger(tmp_path) as ledger:
        assert ledger.settings() == base.settings
        found = verify(ledger)
        assert (found.differences, found.unknown) == ((), ODD[:4])  # its bots have an environment
        assert [ledger.player(name).params for name in ODD[:4]] == [(("style", "dull"), ("x.y", 1))] * 4


def test_an_untouched_run_of_a_bot_that_is_called_like_anothers_parameters_verifies(tmp_path: Path) -> None:
    base = field("a", "a.params")
    plain = [Entrant(e.name, (replace(e.players[0], launch=Plugin("mannequin")),) * 2) for e in base.entrants]
    go_on(tmp_path, replace(base, entrants=tuple(plain)))
    with read_ledger(tmp_path) as ledger:
        assert (verify(ledger).differences, verify(ledger).unknown) == ((), ())


def test_who_was_withdrawn_may_leave_the_file_though_its_name_goes_on_from_anothers(tmp_path: Path) -> None:
    go_on(tmp_path, field("mybot", "mybot.old", "c"))
    with open_to_amend(tmp_path) as run:
        amend(run, Act.WITHDRAW, ["mybot.old"], "its author asked", "me")
    with open_run(tmp_path, field("mybot", "c")) as run:
        assert run.progress().done == 6
    with pytest.raises(LedgerError, match=r"\n  bots\.mybot\.params\.style: "):
        open_run(tmp_path, replace(field("mybot", "c"), entrants=(entrant("mybot", style="dice"), entrant("c"))))


def test_who_joins_or_was_dropped_is_told_from_who_has_its_name_and_more(tmp_path: Path) -> None:
    with open_run(tmp_path, field("a", "b", "a.params")) as run:
        run.drop("a", "it died")
    mended = replace(field("b", "a.params"), entrants=(*field("b", "a.params").entrants, entrant("a", style="dice")))
    with open_run(tmp_path, mended, ["a"]) as run:
        assert run.settings() == mended.settings
        assert [each.name for each in run.entrants()] == ["b", "a.params", "a"]


@given(st.lists(st.one_of(st.sampled_from(ODD), st.text(min_size=1)), min_size=1, max_size=5).map(tuple))
def test_every_key_is_read_as_it_was_written(key: Key) -> None:
    full = ("bots", key[0], *key[1:3])
    (found,) = understood(rows_of({full: "1"}), [key[0]])
    assert found == full
    assert written(("rules", *(name.replace(".", "") or "x" for name in key))).startswith("rules.")


def test_no_two_keys_are_written_alike() -> None:
    keys = [("bots", name, *rest) for name in ODD for rest in (("params",), ("params", "style"), ("name",))]
    assert len({written(key) for key in keys}) == len(keys)


def test_where_no_name_has_a_dot_a_key_is_written_as_it_always_was() -> None:
    assert written(("bots", "b=c:d/e [0]", "params", "x")) == "bots.b=c:d/e [0].params.x"
    assert written(("schedule", "gauntlet", "points", "a b")) == "schedule.gauntlet.points.a b"


def as_earlier_versions_wrote(folder: Path) -> None:
    """All names joined by dots."""
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        for (path,) in db.execute("SELECT path FROM setting WHERE path LIKE '[%'").fetchall():
            db.execute("UPDATE setting SET path = ? WHERE path = ?", (".".join(json.loads(path)), path))
        assert not db.execute("SELECT * FROM setting WHERE path LIKE '[%'").fetchall()


def test_a_run_of_an_earlier_version_with_dots_in_its_names_goes_on_and_is_joined(tmp_path: Path) -> None:
    options: dict[str, OptionValue] = {"rounds": 1, "points": {"gpt-4.1": 2}}
    base, grown = (replace(field(*names), options=options) for names in (["gpt-4.1", "b"], ["gpt-4.1", "b", "b.2"]))
    open_run(tmp_path, base).close()
    as_earlier_versions_wrote(tmp_path)
    with read_ledger(tmp_path) as ledger:
        assert ledger.settings() == base.settings
    open_run(tmp_path, base).close()
    with open_run(tmp_path, grown, ["b.2"]) as run:
        assert run.settings() == grown.settings
        assert run.schedule()[1].values == options


@pytest.mark.parametrize("path", ["[", "[]", "[1]", "", "bots", "bots.", "schedule"])
def test_what_is_no_key_differs_from_each(tmp_path: Path, path: str) -> None:
    open_run(tmp_path, field("a", "b")).close()
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
        db.execute("INSERT INTO setting (path, value) VALUES (?, '1')", (path,))
    with pytest.raises(LedgerError, match="holds another run"):
        open_run(tmp_path, field("a", "b"))
