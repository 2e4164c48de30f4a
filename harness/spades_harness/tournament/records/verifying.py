"""Whether a ledger holds what was played, from the ledger alone: every match is refereed once more from its record.

Starts no bot, reads no tournament file and changes nothing. What differs is named: the match, the hand, the table and
its column, what stands there and what is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from spades_harness.game.deal import commitment, secret_of_seed
from spades_harness.table.match import MatchRecord, Player
from spades_harness.table.referee import play_match, with_reports
from spades_harness.table.replay import replay_table
from spades_harness.table.seats import run_unsuspended
from spades_harness.tournament.identity import canonical, flat, make_spec, match_identity, shown, tree_of
from spades_harness.tournament.outcome import MeetingKey, Outcome, outcome_of
from spades_harness.tournament.schedule import Entrant

from .amending import Amended, amended
from .chain import digest, foundation, head
from .ledger import Kept, Ledger, Planned
from .ledger_file import LedgerError
from .ledger_items import progress_of
from .ledger_rows import COLUMNS, Row, Rows, as_tables, from_rows, to_rows

_HAND_AT: Mapping[str, int] = {"hand": 0, "side_hand": 0, "decision": 1, "fault": 3}
"""Where a table of records keeps the number of the hand."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A value that isn't what it should be; `match` and `hand` are 0 where it is of none."""

    match: int
    hand: int
    table: str
    column: str
    stored: str
    right: str
    given: bool = False
    """Whether `right` is no more than what the caller gave, and `stored` what was computed: either may be wrong."""

    def __str__(self) -> str:
        where = ", ".join(f"{name} {number}" for name, number in (("match", self.match), ("hand", self.hand)) if number)
        column = f"{self.table}.{self.column}" if self.column else self.table
        return f"{f'{where}: ' if where else ''}{column}: {self._values()}"

    def _values(self) -> str:
        if self.given:
            return f"{self.stored} computed, {self.right} given"
        return f"{self.stored} stored, {self.right} right"


@dataclass(frozen=True, slots=True)
class Verified:
    """What came of it: the differences, and how much there was to look at."""

    differences: tuple[Difference, ...]
    matches: int
    """With a result."""
    void: int
    aside: int
    """With a result that counts for nobody, as the run was amended."""
    planned: int
    """How many will have one that counts when all is played, as `Ledger.progress` has it."""
    head: str | None
    """The head of the chain as it is stored; None in a run that isn't finished."""
    unknown: tuple[str, ...] = ()
    """Bots with an `env`: its values stand nowhere, so that identities with them cannot be computed anew."""
    outcomes: tuple[Outcome, ...] = field(default=(), repr=False)
    """Of the matches as they were refereed once more, in plan order, those that count; for standings."""
    before: int | None = None
    """The amendment before which the expected head was the head, where it isn't by now and nothing else has changed."""


def verify(ledger: Ledger, expected: str | None = None) -> Verified:
    """Check everything, also against a head that somebody wrote down; raises LedgerError for what cannot be read."""
    return _Check(ledger, expected).whole()


class _Check:
    """A ledger, and what was found in it so far."""

    def __init__(self, ledger: Ledger, expected: str | None) -> None:
        self.expected = expected
        self.ledger, self.terms = ledger, ledger.run.terms
        self.kept, self.base = ledger.kept(), ledger.foundation()
        self.planned = {each.ordinal: each for each in ledger.planned()}
        self.found: list[Difference] = []
        self.outcomes: list[Outcome] = []
        self.entrants: dict[str, Entrant] = {}
        self.sealed: dict[MeetingKey, int] = {}
        self.unknown: tuple[str, ...] = ()
        self.aside = 0
        self.before: int | None = None
        self.amended = self.amendments()

    def whole(self) -> Verified:
        """All checks, from the run as a whole to each match."""
        self.run()
        self.players()
        for each in self.planned.values():
            self.identity(each)
        for kept in self.kept:
            self.match(kept)
        self.ends()
        void = len(self.kept) - len(self.outcomes) - self.aside
        counting = {outcome.ordinal for outcome in self.outcomes}
        total = progress_of(self.planned.values(), counting, self.amended).total
        counts = len(self.outcomes), void, self.aside, total
        return Verified(
            tuple(self.found),
            *counts,
            self.ledger.run.head,
            self.unknown,
            tuple(self.outcomes),
            None if self.found else self.before,
        )

    def differs(self, match: int, hand: int, table: str, column: str, stored: object, right: object) -> None:
        """Note a difference, be there one."""
        if stored != right:
            self.found.append(Difference(match, hand, table, column, _shown(stored), _shown(right)))

    # ------------------------------------------------------------------------------------------------- the run

    def run(self) -> None:
        """The secrets, the terms beside the settings, and rows that belong to nothing."""
        self.secrets()
        settings = self.ledger.settings()
        for path, value in flat(tree_of(self.terms)):
            if path in settings:  # an option that came later is in none of them
                self.differs(0, 0, "setting", shown(path), settings[path], canonical(value))
        for table, parent in self.ledger.loose():
            self.differs(0, 0, table, "", f"a row that belongs to no {parent}", "none")

    def secrets(self) -> None:
        """Each is the one that was committed to, and that of a public seed is the seed's."""
        for number, row in enumerate(self.base["secret"]):
            stored, secret, committed, *_ = row
            self.differs(0, 0, "secret", "number", stored, number)
            self.differs(0, 0, "secret", "commitment", committed, commitment(secret))
            if self.terms.secrets[number].awaits_salt and any(self.is_dealt_from(number)):
                self.differs(0, 0, "secret", "salt", "none yet", "a salt, since matches are recorded")
            if (seed := self.ledger.run.seed) is not None and not number:
                self.differs(0, 0, "secret", "secret", secret.hex(), secret_of_seed(seed).hex())

    def amendments(self) -> Amended:
        """What they come to; each is of something, in the order of their numbers, and says why."""
        try:
            made = self.ledger.amendments()
        except LedgerError as error:
            self.differs(0, 0, "amendment", "act", error, "an act that there is")
            return amended(())
        kept = {(each.link.ordinal, each.link.attempt) for each in self.kept}
        for right, each in enumerate(made, 1):
            self.differs(0, 0, "amendment", "number", each.number, right)
            if each.match is not None and (each.match, each.attempt) not in kept:
                self.differs(each.match, 0, "amendment", "attempt", each.attempt, "one that was recorded")
            if each.lifts is not None and each.lifts >= each.number:
                self.differs(0, 0, "amendment", "lifts", each.lifts, "an earlier one")
            before = made[right - 2].planned if right > 1 else 0
            if not before <= each.planned <= len(self.planned):
                self.differs(0, 0, "amendment", "planned", each.planned, f"{before} to {len(self.planned)}")
        return amended(made)

    def is_dealt_from(self, secret: int) -> Iterator[bool]:
        """Of each record, whether its match has this secret."""
        return (kept.link.ordinal > 0 and self.planned[kept.link.ordinal].secret == secret for kept in self.kept)

    def players(self) -> None:
        """The bots as their settings tell them; those that cannot be made out are named."""
        hidden: dict[str, None] = {}
        for listed in self.ledger.entrants():
            try:
                bots = tuple(self.ledger.player(bot) for bot in listed.bots)
            except (ValueError, LookupError, TypeError) as error:
                self.differs(0, 0, "player", "", f"{listed.name}: {error}", "a bot of the settings")
                continue
            self.entrants[listed.name] = Entrant(listed.name, bots)
            hidden.update({bot.name: None for bot in bots if _has_env(bot)})
        self.unknown = tuple(hidden)

    def identity(self, planned: Planned) -> None:
        """A planned match is what its identity says, and all legs of its meeting have one secret."""
        ordinal, stored, leg, secret = planned
        self.differs(ordinal, 0, "plan", "secret", secret, self.sealed.setdefault(leg.meeting, secret))
        if not 0 <= secret < len(self.terms.secrets):
            self.differs(ordinal, 0, "plan", "secret", secret, "the number of a secret")
            return
        seated = [self.entrants[name] for name in leg.entrants if name in self.entrants]
        if len(seated) < len(leg.entrants):
            self.differs(ordinal, 0, "place", "entrant", ", ".join(leg.entrants), "entrants that there are")
        elif not any(bot.name in self.unknown for each in seated for bot in each.players):
            self.differs(ordinal, 0, "plan", "identity", stored, match_identity(self.terms, seated, leg, secret))

    # ------------------------------------------------------------------------------------------------- a match

    def match(self, kept: Kept) -> None:
        """A recorded match: its digest, and its record refereed once more."""
        link = kept.link
        try:
            rows = self.ledger.rows(kept.match)
            self.differs(link.ordinal, 0, "match", "digest", link.digest, digest(as_tables(rows)))
            record = from_rows(self.terms.rules, rows)
            if record.result is not None:
                self.again(self.planned[link.ordinal], record, rows)
        except Exception as error:  # noqa: BLE001 - whatever a forged record does to the rules, it is named
            self.differs(link.ordinal, 0, "match", "", f"no record of a match ({type(error).__name__}: {error})", "one")

    def again(self, planned: Planned, record: MatchRecord, rows: Rows) -> None:
        """The record against the one that the referee makes of it."""
        right = self.replayed(planned, record)
        self.compare(planned.ordinal, rows, to_rows(right))
        outcome = outcome_of(planned.ordinal, planned.leg, self.terms.rules, self.terms.faults, right)
        if outcome and self.amended.against(planned.leg, planned.ordinal, record.attempt) is not None:
            self.aside += 1
        elif outcome:
            self.outcomes.append(replace(outcome, secret=planned.secret))

    def replayed(self, planned: Planned, record: MatchRecord) -> MatchRecord:
        """The match played from its record; when it was, and for how long, only the digest knows."""
        spec = make_spec(self.terms, self.entrants, planned.leg, record.attempt, planned.secret)
        table = replay_table(record, len(self.terms.rules.shape.seats))
        again = with_reports(run_unsuspended(play_match(spec, table)), table)
        return replace(again, identity=planned.identity, started=record.started, duration=record.duration)

    def compare(self, match: int, stored: Rows, right: Rows) -> None:
        """Table by table, row by row, column by column."""
        rights = as_tables(right)
        for table, rows in as_tables(stored).items():
            for had, has in zip_longest(rows, rights[table]):
                hand = _hand(table, had or has)
                if had is None or has is None:
                    self.differs(match, hand, table, "", had or "no row", has or "no row")
                    continue
                for column, old, new in zip(COLUMNS[table], had, has, strict=True):
                    self.differs(match, hand, table, column, old, new)

    # ------------------------------------------------------------------------------------------------ the chain

    def ends(self) -> None:
        """No match counts twice; the head, if all is played, is the end of the chain."""
        for match, results in Counter(outcome.ordinal for outcome in self.outcomes).items():
            self.differs(match, 0, "match", "", f"results that count: {results}", "results that count: 1")
        computed = None
        if (stored := self.ledger.run.head) is not None:
            computed = head(foundation(self.base), (kept.link for kept in self.kept))
            self.differs(0, 0, "run", "head", stored, computed)
        elif self.ledger.run.finished is not None and self.base["run"]:
            self.differs(0, 0, "run", "head", "nothing", "the head of a finished run")
        if self.expected is None or self.expected in (stored, computed):
            return
        self.before = self.amended_since()
        if self.before is None:
            self.found.append(Difference(0, 0, "run", "head", computed or "nothing", self.expected, given=True))

    def amended_since(self) -> int | None:
        """The number of the amendment without which, and without all later ones, the head would be the expected one.

        Computed, not looked up: it proves that nothing but amendments has come since.
        """
        made, links = self.base["amendment"], [kept.link for kept in self.kept]
        for count in reversed(range(len(made))):
            if head(foundation({**self.base, "amendment": made[:count]}), links) == self.expected:
                return int(made[count][0])
        return None


def _has_env(bot: Player) -> bool:
    return bool(bot.launch.env)


def _hand(table: str, row: Row) -> int:
    return int(row[_HAND_AT[table]]) if table in _HAND_AT else 0


def _shown(value: object) -> str:
    """A value in one line: 100 characters tell two of them apart, and hashes are shorter."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 100 else text[:97] + "..."
