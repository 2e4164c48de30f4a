"""The values of one match: what is to be played, what is asked, what is answered, what is recorded.

Only values: nothing here does anything, and everything here can be pickled, since a match travels to a worker as a
MatchSpec and comes back as a MatchRecord.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple, Protocol, TypeAlias

from spades_harness.game.cards import Cards
from spades_harness.game.hand import Hand, Kind, Totals, deal_hand
from spades_harness.game.notation import Written
from spades_harness.game.rules import Rules
from spades_harness.game.score import Ending, Format, Game
from spades_harness.game.view import View

from .bounds import Custody, Limits

Scalar: TypeAlias = str | int | float | bool | None
Stats: TypeAlias = tuple[tuple[str, float], ...]


# ------------------------------------------------------------------------------------------------ what is to be played


class DealHand(Protocol):
    """The hands of a game; a function of a module, so that a spec can be pickled."""

    def __call__(
        self, rules: Rules, secret: bytes, stream: int, number: int, totals: Totals, disguise: int = 0
    ) -> Hand:
        """The hand of this number (from 0) on a board stream, after these totals.

        `disguise` is 0, or else tells two deals of the same hand apart of which each plays as the other does; a game
        that has no such deals need not look at it.
        """
        ...


class CardGame(NamedTuple):
    """A game that can be refereed; all that is known of it are the phases of its hands."""

    name: str
    """What tells it from others wherever results are kept: other rules of play need another name."""
    deal: DealHand


SPADES_GAME: Final = CardGame("spades", deal_hand)


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A side's first fault ends the match."""


@dataclass(frozen=True, slots=True)
class Substitute:
    """The substitute's choice stands in for the first so many faults of a seat; the next one forfeits."""

    faults: int


@dataclass(frozen=True, slots=True)
class Replace:
    """A seat's first fault takes its bot out of the match: the substitute plays on for it, and nobody else is touched.

    For tables of strangers, whose partner's fault is none of their own.
    """


FaultPolicy: TypeAlias = Forfeit | Substitute | Replace


@dataclass(frozen=True, slots=True)
class Command:
    """A bot that is started from a command line. `{python}` stands for the harness's own interpreter."""

    argv: tuple[str, ...]
    folder: str
    """Absolute path of the bot's folder; its entries appear in the seat's scratch folder."""
    env: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Plugin:
    """A bot that a plugin registers under `name`; `sources` are the plugin files to load beside the installed ones."""

    name: str
    sources: tuple[str, ...] = ()
    in_process: bool = False
    env: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat: the bot's name in the tournament, its launch, params, and content hash."""

    name: str
    launch: Command | Plugin
    params: tuple[tuple[str, Scalar], ...] = ()
    content: str = ""
    waits: bool = False
    """It calls out, or runs elsewhere: it needs no processor here, and is not made to stand still."""
    network: bool = False
    """Whether a sandbox lets it reach the network."""
    pass_env: tuple[str, ...] = ()
    """Names of variables of the harness's environment that it gets; their values stand nowhere."""
    read: tuple[str, ...] = ()
    """Absolute paths that a sandbox lets it read."""


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """One match to be played: all that a worker needs to know, and nothing that it could guess differently."""

    identity: str
    """Hash of everything that makes this match this match; see `tournament.identity`."""
    attempt: int
    """From 1; a void match is played again under the same identity."""
    rules: Rules
    format: Format
    secret: bytes
    stream: int
    """The board stream, from 0: all legs of a meeting play the same one."""
    leg: int
    """From 0; in each further one the entrants sit one side on."""
    players: tuple[Player, ...]
    """By seat."""
    limits: Limits = field(default_factory=Limits)
    faults: FaultPolicy = field(default_factory=Forfeit)
    disguise: int = 0
    """How the deals are disguised, from 1; 0: not at all."""
    game: CardGame = SPADES_GAME
    custody: Custody = field(default_factory=Custody)

    @property
    def waits(self) -> bool:
        """Whether all of its bots only wait for something elsewhere, so that it needs no processor to speak of."""
        return all(player.waits for player in self.players)


# ------------------------------------------------------------------------------------------------------ what is asked


@dataclass(frozen=True, slots=True)
class MatchStart:
    """The first thing a seat is told; it answers when it is ready."""

    match: str
    """An opaque tag."""
    seat: int
    rules: Rules
    limits: Limits
    params: tuple[tuple[str, Scalar], ...]
    random_seed: str
    format: Format = field(default_factory=Game)


class Request(NamedTuple):
    """A question to the seat that is to act: what it may know, and its time in seconds."""

    view: View
    time_left: float
    """For this answer."""
    bank_left: float
    """For the rest of the match, this answer included."""
    margin: float = 0.0
    """Seconds beyond limit and grace in which an answer is still taken; never told."""


@dataclass(frozen=True, slots=True)
class HandStart:
    """A hand begins: its number from 1, its dealer, the totals before it."""

    rules: Rules
    hand_no: int
    dealer: int
    totals: Totals


@dataclass(frozen=True, slots=True)
class HandEnd:
    """A hand is over, and everything about it is open."""

    rules: Rules
    record: HandRecord


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """The match is over: why, and the final totals."""

    rules: Rules
    reason: str
    totals: Totals


Notice: TypeAlias = HandStart | HandEnd | MatchEnd


# --------------------------------------------------------------------------------------------------- what is answered


@dataclass(frozen=True, slots=True)
class Started:
    """A seat is ready. `answers` are the optional kinds of request that it wants to be asked."""

    elapsed: float
    name: str = ""
    version: str = ""
    answers: frozenset[str] = frozenset()


class Answer(NamedTuple):
    """A well-formed answer to the open request; whether it is in time and legal, the judge says."""

    written: Written
    elapsed: float
    note: str = ""
    stats: Stats = ()
    over: float = 0.0
    """Seconds after limit and grace, where the rules for overruns let such an answer in."""
    cpu: float = 0.0
    """Seconds of processor time that it cost; 0 where the system doesn't tell."""


class Circumstances(NamedTuple):
    """How the harness and its machine fared while a seat was asked: whether they may explain that it was late."""

    delay: float = 0.0
    """Seconds by which the harness itself was late to look."""
    load: float = 0.0
    """Processes that wanted a processor, for each one that there is; 0 where the system doesn't tell."""
    cpu: float = 0.0
    """Seconds of processor time that the bot used meanwhile; 0 where the system doesn't tell."""
    waited: float | None = None
    """Seconds that the bot stood in line for a processor that others had; None where the system doesn't tell."""


@dataclass(frozen=True, slots=True)
class Garbled:
    """A line that is no answer: `problem` in words, the line itself (cut) as text."""

    kind: FaultKind
    """MALFORMED, or PROTOCOL for the right form at the wrong moment or with the wrong id."""
    problem: str
    line: str
    elapsed: float
    circumstances: Circumstances = field(default_factory=Circumstances, compare=False)
    """Of a fault that is played back, which was no answer in time."""


@dataclass(frozen=True, slots=True)
class Silent:
    """No answer by the deadline; `partial` is what lay in the buffer (cut)."""

    elapsed: float
    partial: str = ""
    outdated: int = 0
    """How many answers to earlier requests came instead."""
    circumstances: Circumstances = field(default_factory=Circumstances, compare=False)


@dataclass(frozen=True, slots=True)
class Gone:
    """The bot cannot answer: it never came up, has died, closed its output, or (in process) raised."""

    how: str
    elapsed: float
    limits: bool = False
    """Whether it was ended for using more of the machine than it may."""


Failure: TypeAlias = Garbled | Silent | Gone
Reply: TypeAlias = Answer | Failure


# --------------------------------------------------------------------------------------------------- what is recorded


class FaultKind(Enum):
    """The kinds of a bot's misbehaviour, in order of precedence."""

    START = "start"
    LIMITS = "limits"
    """It was ended for using more of the machine than it may."""
    CRASH = "crash"
    TIMEOUT = "timeout"
    MALFORMED = "malformed"
    PROTOCOL = "protocol"
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Fault:
    """A bot's fault: which seat, when, what in words; the request and the answer as they went over the wire (cut)."""

    kind: FaultKind
    seat: int
    hand_no: int
    """From 1; 0 before the first hand."""
    decision: int
    """How many decisions of the match came before."""
    asked: str
    """The kind of request: `start`, `blind`, `draw`, `bid`, `exchange` or `play`."""
    what: str
    answer: str
    elapsed: float
    request: str = ""
    """The request, as it was sent or would have been to a bot that was gone; empty when the bank was used up."""
    raw: bytes = b""
    """What the bot wrote in answer, as it wrote it, cut."""
    circumstances: Circumstances = field(default_factory=Circumstances)


class Decision(NamedTuple):
    """One choice: who made it, what it was, how long it took in seconds, and whether the substitute made it."""

    hand_no: int
    seat: int
    kind: Kind
    written: Written
    elapsed: float
    substituted: bool = False
    note: str = ""
    stats: Stats = ()
    over: float = 0.0
    """Seconds by which it came after limit and grace, and was taken all the same."""
    cpu: float = 0.0
    """Seconds of processor time that it cost; 0 where the system doesn't tell."""


@dataclass(frozen=True, slots=True)
class SideHand:
    """One side's result of one hand."""

    contract: int
    tricks: int
    """Tricks that counted towards the contract."""
    delta: int
    new_bags: int
    score: int
    """After the hand, as are the bags."""
    bags: int


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One finished hand, open: cards as dealt, bids as written, tricks taken by seat, results by side."""

    hand_no: int
    dealer: int
    dealt: tuple[Cards, ...]
    bids: tuple[int | str | None, ...]
    """None where a game has no bids."""
    won: tuple[int, ...]
    sides: tuple[SideHand, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended: by `ending`, or by forfeit; the totals are those of the last full hand."""

    ending: Ending | None
    forfeits: tuple[int, ...]
    """Sides that forfeited; empty when the game was played out."""
    totals: Totals
    hands: int


@dataclass(frozen=True, slots=True)
class BotReport:
    """What a seat said of itself and left behind."""

    name: str = ""
    version: str = ""
    start: float = 0.0
    """Seconds from the start of the process to `ready`."""
    thinking: float = 0.0
    """Seconds of all answers."""
    dropped: int = 0
    """Lines that were no answer to anything and were thrown away."""
    stderr: str = ""
    """The beginning and the end of its standard error; empty for a seat without a fault."""
    cpu: float = 0.0
    """Seconds of processor time of all its processes; 0 where the system doesn't tell."""
    memory: float = 0.0
    """MiB of resident memory of all its processes, the most that was seen; 0 where nobody looked."""
    ended: str = ""
    """How its process ended, as the end of a sentence; empty for a seat without a process."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A whole match as one value."""

    identity: str
    attempt: int
    result: Result | None
    """None: the match is void."""
    hands: tuple[HandRecord, ...]
    decisions: tuple[Decision, ...]
    faults: tuple[Fault, ...]
    bots: tuple[BotReport, ...]
    """By seat."""
    void: str = ""
    """Why the match counts for nobody: a fault of the harness, never of a bot."""
    started: str = ""
    """UTC, ISO 8601."""
    duration: float = 0.0
