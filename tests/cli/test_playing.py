"""Playing a match for real, when the harness itself fails: void, told in words, no secret among them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from spades_harness.cli import playing
from spades_harness.table.match import Plugin
from table.scripted import a_spec


def test_an_exception_of_the_harness_voids_the_match_and_tells_no_value_of_a_bot_s_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """CL-11."""
    spec = a_spec()
    secretive = replace(spec.players[0], launch=replace(spec.players[0].launch, env=(("API_KEY", "s3cret"),)))
    spec = replace(spec, players=(secretive, *spec.players[1:]))

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError(f"cannot use {secretive.launch.env}")

    monkeypatch.setattr(playing, "open_table", broken)
    record = playing.play(spec)
    assert record.result is None
    assert record.void.startswith("RuntimeError: cannot use (('API_KEY', '***'),)\n")
    assert "s3cret" not in record.void
    assert record.started.endswith("+00:00")


def test_a_plugin_file_that_is_gone_when_a_match_begins_voids_it(tmp_path: Path) -> None:
    spec = a_spec()
    bot = replace(spec.players[0], launch=Plugin("gone", in_process=True))
    record = playing.play(replace(spec, players=(bot,) * 4), (str(tmp_path / "gone.py"),))
    assert record.result is None
    assert "no such file" in record.void
