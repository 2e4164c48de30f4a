"""A bot comes out of the ledger as it went in, but for what may be a secret."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from spades_harness.table.match import Command, Player, Plugin
from spades_harness.tournament.records.ledger import open_run, read_ledger
from spades_harness.tournament.schedule import Entrant, Options, OptionValue

from .playing import entrant, setup

COMMAND = Player("cobol 1.0", Command(("{python}", "bot.py", "--fast"), "/bots/cobol"), (("depth", 3),), "hash")
FREE = replace(COMMAND, waits=True, network=True, pass_env=("TOKEN",), read=("/opt/model",))
PLUGIN = Player("bold", Plugin("bold", ("/plugs/plug.py",), in_process=True), (("a", None), ("b", "x")), "other")


@pytest.mark.parametrize("player", [COMMAND, FREE, PLUGIN])
def test_a_bot_is_recalled_as_the_run_was_founded_on_it(tmp_path: Path, player: Player) -> None:
    founded = setup(Entrant(player.name, (player, player)), entrant("b"))
    with open_run(tmp_path, founded):
        pass
    with read_ledger(tmp_path) as ledger:
        assert ledger.player(player.name) == player


def test_a_schedule_is_recalled_with_all_that_it_was_given(tmp_path: Path) -> None:
    given: dict[str, OptionValue] = {
        "field": ("a", "b 1.0"),
        "points": {"a": 1, "b 1.0": 2.5},
        "rounds": 3,
        "none": {},
        "far": None,
    }
    founded = replace(setup(), schedule="gauntlet", options=given)
    with open_run(tmp_path, founded):
        pass
    with read_ledger(tmp_path) as ledger:
        name, options = ledger.schedule()
    assert (name, options) == ("gauntlet", Options(given, founded.format, founded.rules))


@pytest.mark.parametrize("options", [{}, {"rounds": 2}])
def test_a_schedule_without_options_or_with_one_is_recalled(tmp_path: Path, options: dict[str, int]) -> None:
    with open_run(tmp_path, replace(setup(), options=options)) as ledger:
        name, recalled = ledger.schedule()
    assert (name, recalled.values) == ("round_robin", options)


def test_of_an_environment_the_names_are_recalled_and_no_value(tmp_path: Path) -> None:
    secretive = replace(COMMAND, launch=replace(COMMAND.launch, env=(("KEY", "s3cret"),)))
    with open_run(tmp_path, setup(Entrant("x", (secretive, secretive)), entrant("b"))):
        pass
    with read_ledger(tmp_path) as ledger:
        assert ledger.player(secretive.name).launch == replace(COMMAND.launch, env=(("KEY", ""),))


def test_a_run_that_kept_no_places_recalls_a_bot_without_its_folder(tmp_path: Path) -> None:
    with open_run(tmp_path, setup(Entrant("x", (COMMAND, COMMAND)), entrant("b"))) as run:
        run._db.execute("UPDATE player SET place = '[]'")
        launch = run.player(COMMAND.name).launch
    assert launch == Command(("{python}", "bot.py", "--fast"), "")
