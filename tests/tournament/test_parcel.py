"""A bot's folder that travels is the same folder where it arrives, by its content hash, or none."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from spades_harness.errors import UserError
from spades_harness.table.match import Command, Player, Plugin
from spades_harness.tournament.execution.kits import Kit
from spades_harness.tournament.execution.parcel import folders, has_arrived, home_of, moved, pack, unpack
from spades_harness.tournament.file.content import content_of_folder

STEPS = (("cc", "bot.c"),)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SPADES_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    """A bot with a program, a file in a folder, what belongs to nobody, and links of each kind."""
    folder = tmp_path / "bot"
    (folder / "weights" / "deep").mkdir(parents=True)
    (folder / "weights" / "deep" / "net.bin").write_bytes(bytes(range(256)) * 100)
    (folder / "run.sh").write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / "run.sh").chmod(0o755)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"x")
    if sys.platform != "win32":
        (tmp_path / "far.txt").write_text("far", encoding="utf-8")
        (folder / "far").symlink_to(tmp_path / "far.txt")
        (folder / "nowhere").symlink_to("not/there")
        (folder / "weights" / "round").symlink_to("..", target_is_directory=True)
    command = Command(("./run.sh",), str(folder))
    return Kit(Player("bot", command, content=content_of_folder(folder, command.argv, STEPS)), STEPS)


def test_a_folder_arrives_as_it_was_and_is_known_again(kit: Kit) -> None:
    assert not has_arrived(kit)
    unpack(kit, pack(kit))
    assert has_arrived(kit)
    there = moved(kit).player.launch
    assert isinstance(there, Command)
    assert there.folder == str(home_of(kit))
    assert content_of_folder(Path(there.folder), there.argv, STEPS) == kit.player.content
    assert not (home_of(kit) / "__pycache__").exists()
    if sys.platform != "win32":
        assert os.access(home_of(kit) / "run.sh", os.X_OK)
        assert (home_of(kit) / "far").read_text(encoding="utf-8") == "far"
        assert not (home_of(kit) / "far").is_symlink()


def test_a_folder_that_arrives_twice_at_once_is_there_once(kit: Kit, cache: Path) -> None:
    parcel = pack(kit)
    for _ in range(2):
        unpack(kit, parcel)
    assert [*(cache / "bots").iterdir()] == [home_of(kit)]


def test_what_was_changed_on_the_way_is_refused_and_leaves_nothing(kit: Kit, cache: Path) -> None:
    other = replace(kit, player=replace(kit.player, content="0" * 64))
    with pytest.raises(UserError, match="what arrived is not what its content hash says"):
        unpack(other, pack(kit))
    assert not [*(cache / "bots").iterdir()]


def test_half_a_parcel_is_refused_in_one_line(kit: Kit, cache: Path) -> None:
    with pytest.raises(UserError, match="bot: cannot be unpacked in"):
        unpack(kit, pack(kit)[:300])
    assert not [*(cache / "bots").iterdir()]


def test_what_was_changed_where_it_is_kept_is_not_there_any_more(kit: Kit) -> None:
    unpack(kit, pack(kit))
    (home_of(kit) / "run.sh").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    assert not has_arrived(kit)
    unpack(kit, pack(kit))
    assert has_arrived(kit)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
def test_a_pipe_cannot_travel_and_is_named(kit: Kit, tmp_path: Path) -> None:
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "bot" / "pipe")
    with pytest.raises(UserError, match="pipe: neither a file nor a folder: it can't be taken elsewhere"):
        pack(kit)


def test_equal_contents_travel_once_and_bots_of_plugins_do_not(kit: Kit) -> None:
    twin = replace(kit, player=replace(kit.player, name="twin"))
    plugged = Kit(Player("plugged", Plugin("threes"), content="1" * 64))
    assert [each.player.content for each in folders((kit, twin, plugged))] == [kit.player.content]
    assert moved(plugged) == plugged
