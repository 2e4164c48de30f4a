"""Write a bot for Spades: subclass `Bot`, define `bid` and `play`, call `run`.

    from spades_bot import Bot, run

    class MyBot(Bot):
        def bid(self, request):
            return 3

        def play(self, request):
            return request.legal[0]

    if __name__ == "__main__":
        run(MyBot)

One file, standard library only, Python 3.8 or newer: it may be copied next to a bot. It turns the messages that are
described in PROTOCOL.md into calls of methods, and may know nothing of how a match is run: no clock, no rule of play.
"""

# ruff: noqa: B027 - methods that a bot may leave out do nothing, and need not be defined

from __future__ import annotations

import json
import operator
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

__all__ = [
    "RANKS",
    "SUITS",
    "Bot",
    "CannotPlay",
    "Message",
    "find_bot",
    "rank",
    "respond",
    "run",
    "serve",
    "suit",
    "winning",
]

PROTOCOL = 1
SUITS = "CDHS"
RANKS = "23456789TJQKA"
HINT = """\
this is a bot: it speaks JSON lines with the harness and has nothing to say to a person.
Try `spades match {file}` to see it play, or `spades check {file}` to have it checked.
(Waiting for JSON lines from the keyboard all the same; end with {end}.)"""
_END = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D"
_ANSWER_KEY = {"blind": "bid", "draw": "draw", "bid": "bid", "exchange": "cards", "play": "card"}
_OPTIONAL = ("blind", "draw", "exchange")
_NOTICES = ("hand_start", "hand_end", "match_end")


class CannotPlay(Exception):
    """Raise it in `start` when your bot can't play this match (these rules, these params); say why."""


class Message:
    """A message from the harness: each of its keys is an attribute. `vars(message)` is the whole of it as a dict.

    A request (`blind`, `draw`, `bid`, `exchange`, `play`) has all keys from `id` to `bank_left`; only `blind` has no
    `hand`, only `draw` has `drawn`, and only `exchange` has `min` and `max`, in place of `legal`. The other messages
    have fewer: see PROTOCOL.md.
    """

    type: str
    id: int
    seat: str
    hand_no: int
    dealer: str
    scores: dict[str, int]
    bags: dict[str, int]
    hand: list[str]
    drawn: str
    bids: dict[str, Any]
    won: dict[str, int]
    leader: str
    broken: bool
    trick: list[str]
    tricks: list[dict[str, Any]]
    given: list[str]
    received: list[str]
    exchanged: dict[str, int]
    legal: list[Any]
    min: int
    max: int
    time_left: float
    bank_left: float
    hands: dict[str, list[str]]
    delta: dict[str, int]
    reason: str

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.__dict__.update(data)

    def __repr__(self) -> str:
        return f"Message({self.__dict__!r})"

    if not TYPE_CHECKING:  # a type checker shall find misspelt keys, so it must not see this

        def __getattr__(self, key: str) -> NoReturn:
            kind = self.__dict__.get("type", "message")
            raise AttributeError(f"{kind} has no key {key!r}; it has: {', '.join(self.__dict__)}")


class Bot(ABC):
    """A bot on one seat. `bid` and `play` are a must; define the other methods only if you want them.

    A process plays one match or several, one after the other; `start` is called at the beginning of each.
    """

    NAME = ""
    """What the bot calls itself; empty: the name of its class."""
    VERSION = ""

    match = ""
    """The match's tag."""
    seat = ""
    """Your seat: `N`, `E`, `S` or `W`."""
    partner: str | None = None
    """Your partner's seat; None where you play for yourself."""
    rules: Mapping[str, Any] = {}
    """The rules of the match, by option, as RULES.md lists them; and `seats` and `sides`."""
    boards: int | None = None
    """So many hands are played, and neither a target nor any other end of the rules counts; None: a game to its end."""
    limits: Mapping[str, float] = {}
    """Seconds: `start`, `move` (one answer), `bank` (all answers of a match)."""
    params: Mapping[str, Any] = {}
    """What the tournament's file gives your bot as `params`."""

    note = ""
    """Set it while deciding, and the text is kept with this answer."""
    stats: Mapping[str, float] = {}
    """Set it while deciding, and up to 16 numbers by name are kept with this answer."""

    _seed = ""
    _moment = ""
    _random: Random | None = None

    @abstractmethod
    def bid(self, request: Message) -> int | str:
        """Your bid, an element of `request.legal`: 1 to 13 tricks, or 0 for Nil; by some rules `"zero"`, too."""

    @abstractmethod
    def play(self, request: Message) -> str:
        """The card that you play, an element of `request.legal`."""

    def blind(self, request: Message) -> str | None:
        """A bid before you see your cards, an element of `request.legal`, or None to look at them.

        Double Nil is `"blind_nil"`; by some rules there is `"blind6"` and the like. Without this method you look.
        """

    def draw(self, request: Message) -> str:
        """`"keep"` the card `request.drawn`, or `"discard"` it and get the next: two players draw their cards.

        Without this method you keep every card.
        """
        raise NotImplementedError

    def exchange(self, request: Message) -> Iterable[str]:
        """`request.min` to `request.max` cards of `request.hand`: they go to your partner.

        Two players have no partner: theirs go out of play, and unused cards come for them. Without this method you
        give as few as may be, the lowest.
        """
        raise NotImplementedError

    def start(self) -> None:
        """A match begins: `seat`, `rules`, `params` … are set. The start clock runs, not the clock of play."""

    def hand_start(self, notice: Message) -> None:
        """A hand begins."""

    def hand_end(self, notice: Message) -> None:
        """A hand is over: all hands are shown, and what they scored."""

    def match_end(self, notice: Message) -> None:
        """The match is over."""

    def suit(self, card: str) -> str:
        """The suit of a card by the rules of the match: jokers are spades, and so is a high `2D`."""
        return "S" if card in self._trumps_above_ace() else suit(card)

    def rank(self, card: str) -> int:
        """How high a card is in its suit by the rules of the match: 0 for a deuce … 12 for an ace, then what is above.

        With high deuces these are 13 for `2S`, 14 for `2D`, 15 and 16 for the jokers `LJ` and `BJ`.
        """
        above = self._trumps_above_ace()
        return len(RANKS) + above.index(card) if card in above else rank(card)

    def winning(self, trick: Sequence[str]) -> str:
        """The card that wins a trick, finished or not, by the rules of the match."""
        return _winning(trick, self.suit, self.rank)

    def _trumps_above_ace(self) -> tuple[str, ...]:
        return _ABOVE_ACE.get(self.rules.get("deck", ""), ())

    @property
    def random(self) -> Random:
        """Your dice, seeded anew by the harness's `random_seed` and the moment of the match.

        So the same match gives the same dice, also to a bot that was restarted in the midst of it.
        """
        if self._random is None:
            self._random = Random(f"{self._seed}/{self._moment}")
        return self._random


# ------------------------------------------------------------------------------------------------------------ cards


# These know the standard deck and the jokers. Where deuces may be high, ask your bot: `self.suit`, `self.rank`,
# `self.winning` know the rules of the match.

_ABOVE_ACE = {"jokers": ("LJ", "BJ"), "jokers_deuces": ("2S", "2D", "LJ", "BJ")}


def suit(card: str) -> str:
    """The suit of a card: `C`, `D`, `H` or `S`; jokers are spades."""
    return "S" if card[1] == "J" else card[1]


def rank(card: str) -> int:
    """How high a card is in its suit: 0 for a deuce … 12 for an ace; jokers 13 and 14."""
    return RANKS.index(card[0]) if card[1] != "J" else 13 + "LB".index(card[0])


def winning(trick: Sequence[str]) -> str:
    """The card that wins a trick, finished or not: the highest spade, or else the highest card of the led suit."""
    return _winning(trick, suit, rank)


def _winning(trick: Sequence[str], suit_of: Callable[[str], str], rank_of: Callable[[str], int]) -> str:
    led = suit_of(trick[0])
    return max(trick, key=lambda card: (suit_of(card) == "S", suit_of(card) == led, rank_of(card)))


# ------------------------------------------------------------------------------------------------ from message to call


def respond(bot: Bot, message: Message) -> dict[str, Any] | None:
    """Let the bot take one message; what it answers, None where nothing is to be said. No input, no output."""
    kind = message.__dict__.get("type")
    if kind in _ANSWER_KEY:
        return _answer(bot, kind, message)
    if kind == "hello":
        return _hello(bot, message)
    if kind == "match_start":
        return _start(bot, message)
    if kind in _NOTICES:
        _set_dice(bot, message)
        getattr(bot, kind)(message)
    return None


def _hello(bot: Bot, message: Message) -> dict[str, Any]:
    oldest, newest = message.__dict__["protocol"]
    if not oldest <= PROTOCOL <= newest:
        return _error(f"spades_bot speaks protocol {PROTOCOL}, the harness {oldest} to {newest}")
    name, answers = bot.NAME or type(bot).__name__, [kind for kind in _OPTIONAL if _defines(bot, kind)]
    return {"type": "hello", "protocol": PROTOCOL, "name": name, "version": bot.VERSION, "answers": answers}


def _defines(bot: Bot, method: str) -> bool:
    return getattr(type(bot), method) is not getattr(Bot, method)


def _start(bot: Bot, message: Message) -> dict[str, Any]:
    data = message.__dict__
    for key in ("match", "seat", "partner", "rules", "limits", "params"):
        setattr(bot, key, data[key])
    bot.boards = data.get("boards")  # a harness from before it was told plays games, or boards and does not say so
    bot._seed = data["random_seed"]
    _set_dice(bot, message)
    try:
        bot.start()
    except CannotPlay as reason:
        return _error(str(reason))
    return {"id": message.id, "ready": True}


def _error(text: str) -> dict[str, Any]:
    return {"type": "error", "message": text}


def _answer(bot: Bot, kind: str, request: Message) -> dict[str, Any]:
    bot.note, bot.stats = "", {}
    _set_dice(bot, request)
    choice = getattr(bot, kind)(request)
    reply = {"id": request.id, _ANSWER_KEY[kind]: list(choice) if kind == "exchange" else choice}
    if bot.note:
        reply["note"] = bot.note
    if bot.stats:
        reply["stats"] = dict(bot.stats)
    return reply


def _set_dice(bot: Bot, message: Message) -> None:
    """Name the moment of the match; a seat gets a message of one type at most once a hand, trick and card drawn."""
    data = message.__dict__
    so_far = data.get("hand", ()) if data["type"] == "draw" else data.get("tricks", ())
    bot._moment = f"{data['type']}/{data.get('hand_no', 0)}/{len(so_far)}"
    bot._random = None


# --------------------------------------------------------------------------------------------------- input and output


def run(factory: Callable[[], Bot]) -> None:
    """Be this bot until the input ends. Stray prints go to standard error, so that they can't spoil an answer."""
    if sys.stdin is not None and sys.stdin.isatty():
        print(HINT.format(file=os.path.basename(sys.argv[0]) or "mybot.py", end=_END), file=sys.stderr)  # noqa: PTH119
    else:
        sys.breakpointhook = _no_debugger
    stdin, stdout = _channel or _take_channel()
    try:
        serve(factory(), stdin, stdout)
    except KeyboardInterrupt:
        sys.exit(130)


def serve(bot: Bot, stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Answer the messages of one stream on another, until the input ends or nobody listens any more."""
    for line in stdin:
        if line.isspace():
            continue
        reply = respond(bot, _read(line))
        if reply is None:
            continue
        try:
            stdout.write(_write(reply))
            stdout.flush()
        except BrokenPipeError:
            return


def _read(line: bytes) -> Message:
    try:
        return Message(json.loads(line.decode("utf-8")))
    except (ValueError, TypeError):
        sys.exit(f"spades_bot: this line is no JSON object: {line[:200]!r}")


# Whole numbers of other libraries (numpy's) are taken for what they are.
_encoder = json.JSONEncoder(separators=(",", ":"), allow_nan=False, default=operator.index)


def _write(reply: dict[str, Any]) -> bytes:
    """One line."""
    return _encoder.encode(reply).encode("ascii") + b"\n"


def _take_channel() -> tuple[BinaryIO, BinaryIO]:
    """The real standard input and output; from now on prints go to standard error, and there is nothing to read."""
    channel = _take(0, "rb", os.open(os.devnull, os.O_RDONLY)), _take(1, "wb", 2)
    sys.stdout = sys.stderr
    return channel


def _take(number: int, mode: str, stand_in: int) -> Any:
    """A standard stream as a binary file under another number; its old number is given to the stand-in."""
    own = os.dup(number)
    os.dup2(stand_in, number)
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415

        msvcrt.setmode(own, os.O_BINARY)
    return os.fdopen(own, mode)


def _no_debugger(*_args: Any, **_keywords: Any) -> NoReturn:
    raise RuntimeError("breakpoint() needs a terminal: try `spades match mybot.py --debug`")


# --------------------------------------------------------------------------------------------------------- for hosts


def find_bot(module: ModuleType) -> type[Bot]:
    """The bot class that a module defines, the most derived one; raises LookupError if it has none or several."""
    own = [thing for thing in vars(module).values() if getattr(thing, "__module__", "") == module.__name__]
    found = dict.fromkeys(thing for thing in own if isinstance(thing, type) and issubclass(thing, Bot))
    leaves = [bot for bot in found if not any(other is not bot and issubclass(other, bot) for other in found)]
    if len(leaves) != 1:
        names = ", ".join(bot.__name__ for bot in leaves) or "none"
        raise LookupError(f"{module.__name__} must define one subclass of spades_bot.Bot; it defines: {names}")
    return leaves[0]


# Under the harness the channel is taken at once, so that a bot may print while it is being imported, too. The mark is
# removed: a bot's own child processes keep their input and output.
_channel = _take_channel() if os.environ.pop("SPADES_HARNESS", "") else None
