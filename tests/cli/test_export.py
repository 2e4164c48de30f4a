"""`spades export`: every row as the ledger has it, in three forms that say the same, and never half a file."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from cli.calling import PATIENCE, SPADES, Answered, ask
from spades_harness.bundled import bundled
from spades_harness.cli import exporting
from spades_harness.errors import UserError
from spades_harness.game.cards import card_names
from spades_harness.game.notation import read_action
from spades_harness.game.rules import PRESETS
from spades_harness.game.score import Boards
from spades_harness.table.match import MatchRecord
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.records.export import BATCH, TABLES, Column, Kind, Table, export
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import Ledger, open_run, read_ledger
from spades_harness.tournament.runner import play_out
from tournament.playing import FIELD, entrant, play, setup, tournament
from tournament.test_lanes import Heard, HereLane


def run_of(folder: Path, base: Setup = FIELD, stop_after: int = 1_000_000, jobs: int = 1) -> Path:
    """A run of mannequins, played in this process, perhaps not to its end."""
    with open_run(folder, base) as run, Lanes(play, jobs, HereLane) as lanes, suppress(KeyboardInterrupt):
        play_out(tournament(base, run), run, lanes, Heard(stop_after=stop_after))
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that is over: two with dice, one that is dull, and a match that was forfeited."""
    field = setup(entrant("a"), entrant("b", "babbling"), entrant("c", "dull"), game=Boards(4))
    return run_of(tmp_path_factory.mktemp("whole"), field)


def exported(run: Path, *words: str) -> Answered:
    """What the command says; it ends well."""
    done = ask("export", str(run), *words)
    assert done.returncode == 0, done.stderr
    return done


def objects(run: Path, of: str, *words: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in exported(run, "--of", of, "--format", "json", *words).stdout.splitlines()]


# ------------------------------------------------------------------------------------------------------------- columns


def documented(section: str) -> set[str]:
    """The columns of EXPORT.md's tables of a kind, those of all kinds included."""
    page = (bundled("protocol") / "EXPORT.md").read_text(encoding="utf-8")
    general, *sections = re.split(r"^## `(\w+)`$", page, flags=re.MULTILINE)
    texts = dict(zip(sections[::2], sections[1::2], strict=True))
    cells = re.findall(r"^\| (`[^|]*) \| (?:integer|text|number|time|true)", general + texts[section], re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def columns(rules: str, of: str, folder: Path) -> Sequence[Column]:
    field = setup(
        *(entrant(name, seats=len(PRESETS[rules].shape.sides[0].seats)) for name in "abcd"), rules=PRESETS[rules]
    )
    with open_run(folder / rules, field) as run:
        return export(run, of).columns


@pytest.mark.parametrize("of", TABLES)
@pytest.mark.parametrize("rules", ["classic", "cutthroat", "two_player"])
def test_the_page_explains_every_column_and_no_other(tmp_path: Path, rules: str, of: str) -> None:
    found = [column.name for column in columns(rules, of, tmp_path)]
    assert len(set(found)) == len(found)
    sides, seats = {side.name for side in PRESETS[rules].shape.sides}, {*PRESETS[rules].shape.seats}
    page = documented(of)
    named = {name for name in page if not re.search("SIDE|SEAT", name)}
    for word, those in (("SIDE", sides), ("SEAT", seats)):
        named |= {name.replace(word, each) for name in page for each in those if word in name}
    assert {*found} == named


def test_the_page_marks_as_measured_what_is_left_out_without_times(whole: Path) -> None:
    page = (bundled("protocol") / "EXPORT.md").read_text(encoding="utf-8")
    marked = set(re.findall(r"^\| `(\w+)` \| \w+, \*m\* \|", page, re.MULTILINE))
    with read_ledger(whole) as ledger:
        found = {
            re.sub("_[NESW]$", "_SEAT", column.name)
            for of in TABLES
            for column in export(ledger, of).columns
            if column.measured
        }
    assert found == marked


# ---------------------------------------------------------------------------------------------------------------- rows


def records(run: Path) -> Iterator[tuple[int, MatchRecord]]:
    with read_ledger(run) as ledger:
        for planned in ledger.planned():
            yield planned.ordinal, ledger.match(planned.ordinal)


def test_a_row_a_match_holds_what_the_ledger_has_of_it(whole: Path) -> None:
    rows = objects(whole, "matches")
    kept = dict(records(whole))
    assert [row["match"] for row in rows] == [*kept]
    for row in rows:
        record = kept[row["match"]]
        assert record.result
        assert (row["identity"], row["attempt"]) == (record.identity, record.attempt)
        assert (row["score_NS"], row["score_EW"]) == record.result.totals.scores
        assert (row["bags_NS"], row["bags_EW"], row["hands"]) == (*record.result.totals.bags, record.result.hands)
        assert [row["forfeit_NS"], row["forfeit_EW"]] == [side in record.result.forfeits for side in (0, 1)]
        assert row["ending"] == (record.result.ending.value if record.result.ending else "forfeit")
        assert row["fault"] == (record.faults[0].kind.value if record.faults else None)
        assert sum(row[f"faults_{seat}"] for seat in "NESW") == len(record.faults)
        assert [row[f"thinking_{seat}"] for seat in "NESW"] == [round(bot.thinking, 6) for bot in record.bots]
        assert row["memory_N"] is None  # nobody looked
        assert (row["bot_N"], row["bot_S"], row["bot_E"]) == (row["entrant_NS"], row["entrant_NS"], row["entrant_EW"])
    assert {"forfeit", "boards"} == {row["ending"] for row in rows}


def test_the_winner_is_who_scored_more_and_nobody_where_somebody_forfeited(whole: Path) -> None:
    for row in objects(whole, "matches"):
        better = max(("NS", "EW"), key=lambda side: row[f"score_{side}"])
        played = row["ending"] == "boards" and row["score_NS"] != row["score_EW"]
        assert row["winner"] == (row[f"entrant_{better}"] if played else None)


def test_a_row_a_hand_holds_cards_bids_tricks_and_points(whole: Path) -> None:
    rows = objects(whole, "hands")
    kept = [(ordinal, hand) for ordinal, record in records(whole) for hand in record.hands]
    assert len(rows) == len(kept)
    for row, (ordinal, hand) in zip(rows, kept, strict=True):
        assert (row["match"], row["hand_no"], row["dealer"]) == (ordinal, hand.hand_no, "NESW"[hand.dealer])
        for seat, letter in enumerate("NESW"):
            assert row[f"cards_{letter}"] == " ".join(card_names(hand.dealt[seat]))
            assert (row[f"bid_{letter}"], row[f"won_{letter}"]) == (str(hand.bids[seat]), hand.won[seat])
        for side, name in zip(hand.sides, ("NS", "EW"), strict=True):
            assert [row[f"{each}_{name}"] for each in ("contract", "made", "points")] == [
                side.contract, side.tricks, side.delta,
            ]  # fmt: skip
            assert [row[f"{each}_{name}"] for each in ("new_bags", "score", "bags")] == [
                side.new_bags, side.score, side.bags,
            ]  # fmt: skip


def test_a_row_a_decision_is_in_notation_with_who_when_and_how_long(whole: Path) -> None:
    rows = objects(whole, "decisions")
    kept = [(ordinal, each) for ordinal, record in records(whole) for each in record.decisions]
    assert len(rows) == len(kept) > 1000
    rules = FIELD.rules
    for row, (ordinal, decision) in zip(rows, kept, strict=True):
        assert (row["match"], row["hand_no"], row["seat"]) == (ordinal, decision.hand_no, "NESW"[decision.seat])
        assert (row["kind"], row["seconds"]) == (decision.kind, round(decision.elapsed, 6))
        assert row["substituted"] == decision.substituted
        assert _read(row["kind"], row["action"], rules) == read_action(decision.kind, rules, decision.written)
        assert row["note"] == (decision.note or None)
        assert (row["stats"] and json.loads(row["stats"])) == ([list(each) for each in decision.stats] or None)
    assert {row["kind"] for row in rows} >= {"bid", "blind", "play"}


def _read(kind: Any, action: str, rules: Any) -> Any:
    """An action from the words of the table."""
    if action == "look":
        return read_action(kind, rules, None)
    if kind == "exchange":
        return read_action(kind, rules, action.split())
    return read_action(kind, rules, int(action) if action.isdecimal() else action)


def test_cards_are_counted_as_tricks_and_turns_in_them(whole: Path) -> None:
    for row in (rows := [row for row in objects(whole, "decisions") if row["match"] == 2 and row["hand_no"] == 1]):
        assert (row["trick"] is None) == (row["turn"] is None) == (row["kind"] != "play")
    cards = [(row["trick"], row["turn"]) for row in rows if row["trick"]]
    assert cards == [(trick, turn) for trick in range(1, 14) for turn in range(1, 5)][: len(cards)]
    assert cards


def test_what_was_set_aside_is_left_out(tmp_path: Path) -> None:
    """A void result, and all of who was disqualified; what was played again is there once."""
    run = run_of(tmp_path)
    with read_ledger(run) as ledger:
        first, second, *others = [each.ordinal for each in ledger.planned() if "c" not in each.leg.entrants]
    for act, what in (("void", str(second)), ("again", str(first)), ("disqualify", "c")):
        assert ask("amend", str(run), act, what, "--reason", "x", "--by", "me").returncode == 0
    assert [row["match"] for row in objects(run, "matches")] == others
    run_of(tmp_path)
    counted = [first, *others]
    assert [(row["match"], row["attempt"]) for row in objects(run, "matches")] == [
        (number, 2 if number == first else 1) for number in counted
    ]
    for of in ("hands", "decisions"):
        assert list(dict.fromkeys(row["match"] for row in objects(run, of))) == counted


# --------------------------------------------------------------------------------------------------------------- forms


def of_csv(text: str, of: Sequence[Column]) -> list[dict[str, Any]]:
    made = {Kind.WHOLE: int, Kind.REAL: float, Kind.TEXT: str, Kind.MOMENT: str, Kind.FLAG: {"true": 1, "false": 0}.get}
    header, *lines = csv.reader(io.StringIO(text))
    assert header == [column.name for column in of]
    return [
        {column.name: made[column.kind](cell) if cell else None for column, cell in zip(of, line, strict=True)}  # type: ignore[operator]
        for line in lines
    ]


@pytest.mark.parametrize("of", TABLES)
def test_the_three_forms_say_the_same(whole: Path, tmp_path: Path, of: str) -> None:
    """A missing value is empty, null, null; and all keep their types."""
    with read_ledger(whole) as ledger:
        found = export(ledger, of).columns
    rows = objects(whole, of)
    assert of_csv(exported(whole, "--of", of).stdout, found) == rows
    exported(whole, "--of", of, "-o", str(tmp_path / "rows.parquet"))
    table = parquet.read_table(tmp_path / "rows.parquet")
    assert table.column_names == [column.name for column in found]
    for row in (read := table.to_pylist()):
        if isinstance(row.get("started"), datetime):
            row["started"] = row["started"].isoformat(timespec="milliseconds")
    assert read == rows


@pytest.mark.parametrize(
    ("name", "first"),
    [("x.csv", b"match,"), ("x.JSONL", b'{"match"'), ("x.json", b'{"match"'), ("x.parquet", b"PAR1"), ("x", b"match,")],
)
def test_the_form_is_what_the_files_name_ends_in(whole: Path, tmp_path: Path, name: str, first: bytes) -> None:
    done = exported(whole, "-o", str(tmp_path / name))
    assert done.stdout == ""
    assert (tmp_path / name).read_bytes().startswith(first)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert b"\r" not in (tmp_path / name).read_bytes() or name.endswith("parquet")


def test_two_runs_export_the_same_but_for_times_whatever_the_order_of_play(tmp_path: Path) -> None:
    """SC-12: by plan order, with the times taken out."""
    one, three = run_of(tmp_path / "one", jobs=1), run_of(tmp_path / "three", jobs=3)
    for of in TABLES:
        words = ("--of", of, "--no-times")
        assert exported(one, *words).stdout == exported(three, *words).stdout != ""
        names = exported(one, *words).stdout.partition("\n")[0].split(",")
        assert not {"started", "duration", "seconds", "cpu", "attempt"} & {*names}


def test_no_zone_locale_or_encoding_changes_a_byte(whole: Path, tmp_path: Path) -> None:
    """CL-09."""
    exported(whole, "-o", str(tmp_path / "here.csv"))
    elsewhere = {"TZ": "Asia/Kolkata", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    words = [*SPADES, "export", str(whole)]
    done = subprocess.run(
        words, cwd=tmp_path, env={**os.environ, **elsewhere}, capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.stdout == (tmp_path / "here.csv").read_bytes()
    assert re.search(rb",\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00,", done.stdout)


# ------------------------------------------------------------------------------------------------ streams and secrets


def test_a_table_is_read_match_by_match_as_its_rows_are_asked_for(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However large the run, one match of it is held."""
    read: list[int] = []
    rows_of = Ledger._rows

    def noted(ledger: Ledger, table: str, match: int) -> list[Any]:
        read.append(match)
        return rows_of(ledger, table, match)

    monkeypatch.setattr(Ledger, "_rows", noted)
    with read_ledger(whole) as ledger:
        rows = export(ledger, "decisions").rows
        assert not read
        assert len(list(islice(rows, 10))) == 10
        assert len(read) == 1
        plans = ledger._all(f"EXPLAIN QUERY PLAN {RESULTS}")
        assert not [plan for plan in plans if "TEMP B-TREE" in plan[-1]]


RESULTS = "SELECT p.ordinal, m.id FROM plan p CROSS JOIN match m USING (identity) WHERE m.scores IS NOT NULL ORDER BY 1"


def test_a_run_that_goes_on_is_exported_as_it_stands_with_a_word_and_without_its_secret(tmp_path: Path) -> None:
    """As `replay` does: what was played is told, and the secret of the deals to come is not."""
    run = run_of(tmp_path, replace(FIELD, seed=None), stop_after=5)
    with read_ledger(run) as ledger:
        secret = ledger.run.last_secret.secret.hex()
    for of, warned in (("matches", False), ("hands", True), ("decisions", True)):
        done = exported(run, "--of", of)
        assert {row["match"] for row in csv.DictReader(io.StringIO(done.stdout))} == {"1", "2", "3", "4", "5"}
        assert ("keep them until the run is over" in done.stderr) == warned
        assert "not all is played yet" in done.stderr
        assert secret not in done.stdout + done.stderr


def test_a_run_without_a_result_has_a_header_and_no_rows(tmp_path: Path) -> None:
    run = run_of(tmp_path, stop_after=1)
    with open_run(tmp_path / "none", FIELD):
        pass
    header = exported(run).stdout.splitlines()[0]
    assert exported(tmp_path / "none").stdout.splitlines() == [header]
    assert exported(tmp_path / "none", "--format", "json").stdout == ""
    exported(tmp_path / "none", "-o", str(tmp_path / "none.parquet"))
    assert parquet.read_table(tmp_path / "none.parquet").num_rows == 0


# ------------------------------------------------------------------------------------------------------------- trouble


def failing() -> Iterator[Sequence[int]]:
    yield from ([number] for number in range(BATCH + 1))
    raise OSError(5, "the disk went away")


@pytest.mark.parametrize("form", exporting.FORMS)
def test_a_file_that_could_not_be_written_whole_is_as_it_was(tmp_path: Path, form: str) -> None:
    (tmp_path / "old").write_text("precious", encoding="utf-8")
    for name in ("old", "new"):
        with pytest.raises(OSError, match="the disk went away"):
            exporting.write(Table((Column("a", Kind.WHOLE),), failing()), form, tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-o", "nowhere/x.csv"), "nowhere"),
        (("--of", "cards"), "Invalid value for '--of'"),
        (("--format", "xml"), "Invalid value for '--format'"),
    ],
)
def test_what_can_not_be_written_is_one_line_and_exit_code_2(whole: Path, words: Sequence[str], said: str) -> None:
    done = ask("export", str(whole), *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_parquet_is_not_for_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    with pytest.raises(UserError, match="parquet is no text for a terminal: name a file with -o FILE"):
        exporting.write(Table((Column("a", Kind.WHOLE),), iter([[1]])), "parquet", None)


def test_a_terminal_gets_no_commands_from_a_bots_note(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    for form in ("csv", "json"):
        exporting.write(Table((Column("note", Kind.TEXT),), iter([["\x1b[2J\x9b♠"]])), form, None)
        said = capsys.readouterr().out
        assert "♠" in said
        assert not re.search("[\x1b\x9b]", said)


WITHOUT = "import sys; sys.modules['pyarrow'] = None; from spades_harness.cli import main; main()"


def test_without_the_library_parquet_is_one_line_with_the_cure_and_all_else_works(whole: Path, tmp_path: Path) -> None:
    def say(*words: str) -> subprocess.CompletedProcess[str]:
        call = [sys.executable, "-c", WITHOUT, "export", str(whole), *words]
        return subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False)

    done = say("-o", "x.parquet")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "spades: --format parquet takes pyarrow: pip install pyarrow\n"
    assert not [*tmp_path.iterdir()]
    assert say("-o", "x.csv").returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /bin/sh on Windows")
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_reader_that_goes_away_hears_nothing_of_it(whole: Path, tmp_path: Path, form: str) -> None:
    """CL-01; a pipe also takes Parquet."""
    words = f'export "{whole}" --of decisions --format {form}'
    call = f'{{ "{SPADES[0]}" -c "{SPADES[2]}" {words}; echo $? > code; }} | head -c 4'
    done = subprocess.run(["/bin/sh", "-c", call], cwd=tmp_path, capture_output=True, timeout=PATIENCE, check=False)
    assert (done.stdout, done.stderr) == ({"csv": b"matc", "parquet": b"PAR1"}[form], b"")
    assert (tmp_path / "code").read_text() == "0\n"
