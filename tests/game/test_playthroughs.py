"""The golden playthroughs: whole hands that people have read, played again."""

import pytest

from game.playthrough import FOLDER, PLAYTHROUGHS, stored, text_of


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_hand_is_played_as_it_was_written_down(name: str) -> None:
    said = "write them anew with: .venv/bin/python -m tests.game.playthrough --write"
    assert text_of(name).splitlines() == stored(name).splitlines(), said


def test_every_file_is_a_playthrough() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(PLAYTHROUGHS)
