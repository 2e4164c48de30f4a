"""A ledger that is read: at any time, by anyone, while its run goes on; changes nothing.

Everything that is asked for at once is as of one moment.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from spades_harness.table.match import FaultKind, HandRecord, MatchRecord, Player
from spades_harness.tournament.anchor import Anchor
from spades_harness.tournament.identity import Settings
from spades_harness.tournament.outcome import Charge, Leg, Outcome, outcome_from, unplayed
from spades_harness.tournament.rank_by import RankBy
from spades_harness.tournament.schedule import Away, Entrant, Options
from spades_harness.tournament.statistics.stopping import Rule, rule_from

from . import founding, ledger_file
from .amending import Amended, Amendment, amended, away
from .chain import Link, Tables
from .founding import ANCHOR, RANK_BY, STOP
from .ledger_file import LedgerError, explained, transaction
from .ledger_items import Kept, Listed, Missing, Planned, Progress, Tried, Use, progress_of
from .ledger_rows import COLUMNS, Row, Rows, from_rows, read_bids, read_result, sides_by_hand
from .membership import Standing
from .recall import recalled, scheduled
from .session import Session

FILE: Final = "ledger.sqlite"


class Ledger:
    """A ledger that is read. Close it, or use it in a `with`."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path, self._db = path, db
        try:
            with explained(path):
                self.run = founding.read_run(path, db)
        except BaseException:
            db.close()
            raise

    def close(self) -> None:
        """Let the file go."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def entrants(self) -> tuple[Listed, ...]:
        """All entrants, in the order in which they came: first those of the file that the run was founded on."""
        with self._reading():
            rows = self._all("SELECT name, dropped FROM entrant ORDER BY number")
            players = self._all("SELECT entrant, bot FROM player ORDER BY entrant, number")
        return tuple(Listed(name, tuple(bot for whose, bot in players if whose == name), why) for name, why in rows)

    def player(self, bot: str) -> Player:
        """A bot as the run was founded on it, but for the values of its `env`: they are empty, and kept nowhere."""
        with self._reading():
            stored = founding.settings_in(self._db)
            ((content, place),) = self._all("SELECT content, place FROM player WHERE bot = ? LIMIT 1", bot)
        return recalled(bot, stored, content, place)

    def standing(self) -> Standing:
        """Who is in the run by now."""
        listed, withdrawn = self.entrants(), self.amended().withdrawn
        gone = {each.name: self.recalled(each) for each in listed if each.name in withdrawn}
        return Standing(self.settings(), listed, gone)

    def recalled(self, listed: Listed) -> Entrant:
        """An entrant of the run, as it was founded on it; see `player`."""
        return Entrant(listed.name, tuple(map(self.player, listed.bots)))

    def settings(self) -> Settings:
        """What its results depend on, as it was founded, and as entrants joined it since."""
        with self._reading():
            return founding.settings_in(self._db)

    def stop(self) -> Rule | None:
        """The rule that ends the run before all is played, if it has one."""
        with self._reading():
            stored = self._all("SELECT path, value FROM setting WHERE path LIKE ?", f"{STOP}%")
        return rule_from({path.removeprefix(STOP): json.loads(value) for path, value in stored}) if stored else None

    def rank_by(self) -> RankBy:
        """What ranks its standings; raises LedgerError for what this version doesn't know."""
        with self._reading():
            stored = self._all("SELECT value FROM setting WHERE path = ?", RANK_BY)
        try:
            return RankBy(json.loads(stored[0][0])) if stored else RankBy.ELO
        except ValueError as error:
            raise LedgerError(f"{self.path}: {RANK_BY}: {error}; choose with --rank-by") from error

    def anchor(self) -> Anchor | None:
        """Who has which Elo by definition; raises LedgerError for what this version doesn't know."""
        with self._reading():
            stored = self._all("SELECT value FROM setting WHERE path = ?", ANCHOR)
        try:
            for (value,) in stored:
                entrant, elo = json.loads(value)
                return Anchor(str(entrant), float(elo))
        except (TypeError, ValueError) as error:
            raise LedgerError(f"{self.path}: {ANCHOR}: {error}; choose with --anchor") from error
        return None

    def schedule(self) -> tuple[str, Options]:
        """The name of the schedule that it is played by, and what it is given by now."""
        with self._reading():
            name, values = scheduled(founding.settings_in(self._db))
        return name, Options(values, self.run.terms.format, self.run.terms.rules, away=self.away())

    def sessions(self) -> tuple[Session, ...]:
        """What it was played with, each time that something was; empty of what earlier versions played."""
        with self._reading():
            rows = self._all(f"SELECT {', '.join(Session._fields)} FROM session ORDER BY number")
        return tuple(Session(*row) for row in rows)

    def amendments(self) -> tuple[Amendment, ...]:
        """What was done to the run after the fact, in order."""
        with self._reading():
            return founding.amendments(self._db)

    def amended(self) -> Amended:
        """What that comes to."""
        return amended(self.amendments())

    def away(self) -> tuple[Away, ...]:
        """Who was not there while which matches were planned."""
        return away(self.amendments())

    def ranked(self) -> tuple[str, ...]:
        """The entrants that standings are of: all but the disqualified."""
        out = self.amended().disqualified
        return tuple(listed.name for listed in self.entrants() if listed.name not in out)

    def playing(self) -> tuple[str, ...]:
        """The entrants that may have matches to play: all but the dropped, and those that play no more."""
        gone = self.amended().withdrawn
        return tuple(listed.name for listed in self.entrants() if not listed.dropped and listed.name not in gone)

    def planned(self) -> tuple[Planned, ...]:
        """The plan so far, in order."""
        with self._reading():
            return tuple(self._planned())

    def uses(self) -> Mapping[int, Use]:
        """What each secret that is in use is used for, by its number."""
        results = "SELECT DISTINCT identity FROM match WHERE scores IS NOT NULL"
        with self._reading():
            after, plan, played = self._played_after_shown(), self._planned(), {each for (each,) in self._all(results)}
            by = amended(founding.amendments(self._db))
        dealt = Counter(each.secret for each in plan if each.identity in played)
        due = Counter(
            each.secret for each in plan if each.identity not in played and not by.is_off(each.leg, each.ordinal)
        )
        return {number: Use(dealt[number] + due[number], dealt[number], after[number]) for number in dealt | due}

    def batches(self) -> tuple[tuple[Planned, ...], ...]:
        """The plan so far, in order, by what was planned at one time."""
        with self._reading():
            numbers: dict[int, int] = dict(self._all("SELECT ordinal, batch FROM plan"))
            planned = self._planned()
        return tuple(tuple(batch) for _, batch in groupby(planned, lambda each: numbers[each.ordinal]))

    def missing(self) -> tuple[Missing, ...]:
        """The planned matches that are still to be played, in order."""
        with self._reading():
            return self._missing()

    def tried(self) -> Mapping[int, tuple[Tried, ...]]:
        """The attempts at each match that was tried, in order, by its number in the plan."""
        with self._reading():
            return self._tried()

    def progress(self) -> Progress:
        """How far the run is, by the plan so far."""
        with self._reading():
            planned, by, tried = self._planned(), amended(founding.amendments(self._db)), self._tried()
        counting = {each.ordinal for each in planned if _counts(each, tried.get(each.ordinal, ()), by)}
        return progress_of(planned, counting, by)

    def seen(self, outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
        """These as a schedule sees them, in plan order: with the matches that were amended to stay without a result."""
        found, now = {each.ordinal: each for each in outcomes}, self.amended()
        for ordinal, _, leg, *_ in self.planned():
            if ordinal not in found and now.is_off(leg, ordinal):
                found[ordinal] = unplayed(ordinal, leg, now.gone(leg))
        return tuple(found[ordinal] for ordinal in sorted(found))

    def outcomes(self) -> tuple[Outcome, ...]:
        """How the matches ended that have a result which counts, in plan order."""
        results = (
            "SELECT p.ordinal, m.attempt, m.id, m.ending, m.forfeits, m.scores, m.bags, m.hands"
            " FROM plan p JOIN match m USING (identity) WHERE m.scores IS NOT NULL ORDER BY p.ordinal"
        )
        with self._reading():
            plan = {each.ordinal: each for each in self._planned()}
            by = amended(founding.amendments(self._db))
            rows = self._all(results)
            hands = self._hands()
            faults = self._grouped("SELECT match, seat, kind, hand_no FROM fault ORDER BY match, number")
        terms = self.run.terms
        found = (
            outcome_from(
                *(ordinal, plan[ordinal].leg, terms.rules, terms.faults, result, hands.get(match, [])),
                [Charge(seat, FaultKind(kind), hand_no) for seat, kind, hand_no in faults.get(match, [])],
            )
            for ordinal, attempt, match, *columns in rows
            if by.against(plan[ordinal].leg, ordinal, attempt) is None and (result := read_result(columns))
        )
        return tuple(replace(each, secret=plan[each.ordinal].secret) for each in found)

    def match(self, ordinal: int, attempt: int | None = None) -> MatchRecord:
        """The whole record of a match by its number in the plan: of this attempt; or else its last result, or without
        any the last attempt."""
        found = (
            "SELECT m.id FROM match m JOIN plan p USING (identity)"
            " WHERE p.ordinal = ? AND m.attempt = coalesce(?, m.attempt)"
            " ORDER BY m.scores IS NOT NULL DESC, m.attempt DESC LIMIT 1"
        )
        with self._reading():
            ids = self._all(found, ordinal, attempt)
            if not ids:
                raise LedgerError(self._absence(ordinal, attempt))
            rows = self._record(ids[0][0])
        return from_rows(self.run.terms.rules, rows)

    def results(self, tables: Collection[str]) -> Iterator[tuple[Planned, Rows]]:
        """Each match that has a result which counts, in plan order, with its rows of these tables and of no other.

        One match is held at a time, and all are as of one moment; nothing else can be asked of this ledger meanwhile.
        """
        found = (
            "SELECT p.ordinal, p.identity, p.secret, m.id, m.attempt, p.stream, p.leg, p.round"
            " FROM plan p CROSS JOIN match m USING (identity)"  # in this order, so that nothing need be sorted
            " WHERE m.scores IS NOT NULL ORDER BY p.ordinal"
        )
        with self._reading():
            by = amended(founding.amendments(self._db))
            for ordinal, identity, secret, match, attempt, *rest in self._db.execute(found):
                places = self._all("SELECT entrant FROM place WHERE ordinal = ? ORDER BY place", ordinal)
                leg = self._leg(tuple(name for (name,) in places), *rest)
                if by.against(leg, ordinal, attempt) is not None:
                    continue
                own, *others = (self._rows(table, match) if table in tables else [] for table in Rows._fields)
                rows = Rows(own[0] if own else (), *others)
                yield Planned(ordinal, identity, leg, secret), rows

    # ------------------------------------------------------------------------------------------------- what was kept

    def kept(self) -> tuple[Kept, ...]:
        """All matches that were recorded, void ones too, by plan and attempt; those that nobody planned come first."""
        found = "SELECT m.id, p.ordinal, m.identity, m.attempt, m.digest FROM match m LEFT JOIN plan p USING (identity)"
        with self._reading():
            rows = self._all(f"{found} ORDER BY p.ordinal, m.attempt")
        return tuple(Kept(match, Link(ordinal or 0, *rest)) for match, ordinal, *rest in rows)

    def rows(self, match: int) -> Rows:
        """A recorded match by its key, row for row, as the ledger has it."""
        with self._reading():
            return self._record(match)

    def foundation(self) -> Tables:
        """All that the ledger holds beside matches and the head of their chain."""
        with self._reading():
            return founding.foundation(self._db)

    def loose(self) -> tuple[tuple[str, str], ...]:
        """Pairs of tables, where a row of the first names none of the second."""
        with self._reading():
            return tuple((table, parent) for table, _, parent, _ in self._all("PRAGMA foreign_key_check"))

    # ------------------------------------------------------------------------------------------------------ queries

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Everything that is read inside is as of one moment."""
        with explained(self.path), transaction(self._db, "DEFERRED"):
            yield

    def _all(self, query: str, *values: object) -> list[Row]:
        return self._db.execute(query, values).fetchall()

    def _record(self, match: int) -> Rows:
        (row,), *tables = (self._rows(table, match) for table in Rows._fields)
        return Rows(row, *tables)

    def _tried(self) -> dict[int, tuple[Tried, ...]]:
        query = (
            "SELECT p.ordinal, m.attempt, m.void, m.scores IS NOT NULL"
            " FROM match m JOIN plan p USING (identity) ORDER BY m.attempt"
        )
        return {ordinal: tuple(Tried(*row) for row in rows) for ordinal, rows in self._grouped(query).items()}

    def _played_after_shown(self) -> Counter[int]:
        """How many results count of matches that were begun when their secret was shown already, by its number."""
        begun = (
            "SELECT p.ordinal, m.attempt, m.started, s.revealed FROM match m JOIN plan p USING (identity)"
            " JOIN secret s ON s.number = p.secret WHERE m.scores IS NOT NULL AND s.revealed IS NOT NULL"
        )
        plan, by = {each.ordinal: each for each in self._planned()}, amended(founding.amendments(self._db))
        return Counter(
            plan[ordinal].secret
            for ordinal, attempt, started, shown in self._all(begun)
            if started > shown and by.against(plan[ordinal].leg, ordinal, attempt) is None
        )

    def _missing(self) -> tuple[Missing, ...]:
        by, tried = amended(founding.amendments(self._db)), self._tried()
        return tuple(
            Missing(planned, *(tried[planned.ordinal][-1][:2] if planned.ordinal in tried else (0, "")))
            for planned in self._planned()
            if _is_due(planned, tried.get(planned.ordinal, ()), by)
        )

    def _rows(self, table: str, match: int) -> list[Row]:
        key, columns = ("id" if table == "match" else "match"), ", ".join(COLUMNS[table])
        return self._all(f"SELECT {columns} FROM {table} WHERE {key} = ? ORDER BY 1, 2", match)

    def _grouped(self, query: str) -> dict[int, list[Row]]:
        """Rows by their first column."""
        groups: dict[int, list[Row]] = {}
        for first, *row in self._db.execute(query):
            groups.setdefault(first, []).append(tuple(row))
        return groups

    def _planned(self) -> list[Planned]:
        places = self._grouped("SELECT ordinal, entrant FROM place ORDER BY ordinal, place")
        plan = self._all("SELECT ordinal, identity, secret, stream, leg, round FROM plan ORDER BY ordinal")
        return [
            Planned(ordinal, identity, self._leg(tuple(name for (name,) in places.get(ordinal, ())), *leg), secret)
            for ordinal, identity, secret, *leg in plan
        ]

    def _leg(self, entrants: tuple[str, ...], stream: int, leg: int, number: int) -> Leg:
        return Leg(entrants, stream, leg, number, mates=len(entrants) // len(self.run.terms.rules.shape.sides) or 1)

    def _hands(self) -> dict[int, list[HandRecord]]:
        """All hands by match, without their cards."""
        columns = ", ".join(COLUMNS["side_hand"])
        sides = self._grouped(f"SELECT match, {columns} FROM side_hand ORDER BY match, hand_no, side")
        hands: dict[int, list[HandRecord]] = {}
        for match, rows in self._grouped(
            "SELECT match, hand_no, dealer, bids, won FROM hand ORDER BY match, hand_no"
        ).items():
            results = sides_by_hand(sides[match])
            hands[match] = [HandRecord(no, dealer, (), *read_bids(*rest), results[no]) for no, dealer, *rest in rows]
        return hands

    def _absence(self, ordinal: int, attempt: int | None) -> str:
        if tried := self._tried().get(ordinal):
            return f"match {ordinal} has no attempt {attempt}: it has {', '.join(str(each.attempt) for each in tried)}"
        (last,) = self._all("SELECT coalesce(max(ordinal), 0) FROM plan")[0]
        if 1 <= ordinal <= last:
            return f"match {ordinal} has not been played yet"
        return f"there is no match {ordinal}: the plan has {f'1 to {last}' if last else 'none'}"


def _is_due(planned: Planned, tried: Iterable[Tried], by: Amended) -> bool:
    """Whether a match is still to be played: it has no result that counts, and is not off."""
    return not _counts(planned, tried, by) and not by.is_off(planned.leg, planned.ordinal)


def _counts(planned: Planned, tried: Iterable[Tried], by: Amended) -> bool:
    """Whether a match has a result that counts."""
    return any(each.result and by.against(planned.leg, planned.ordinal, each.attempt) is None for each in tried)


def read_ledger(folder: Path) -> Ledger:
    """The ledger in a run's folder (or the file itself), to read; raises LedgerError."""
    path = folder / FILE if folder.is_dir() else folder
    return Ledger(path, ledger_file.open_to_read(path))
