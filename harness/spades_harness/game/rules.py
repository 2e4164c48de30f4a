"""The rules of a game as one frozen value, the presets that have a name, and what goes with what. Pure: no state of
play lives here.

What an option *means* stands in the one function that it governs (of a phase for what is legal, of `score` for what it
is worth); what values it may have, and what to call them, stands here. Everything that lists options (the protocol's
table, `spades rules`, the tournament file) is made from `OPTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from spades_harness.suggestion import nearest

from .cards import DECKS, HAND_SIZE, Deck
from .options import Choice, Contradiction, Option, RulesError, Switch, Value, Values, Whole, write_value
from .shape import CUTTHROAT, PARTNERSHIPS, TWO_PLAYERS, Shape


def _option(rule: str, default: Value, values: Values) -> Any:
    return field(default=default, metadata={"rule": rule, "values": values})


_MOST: Final = 1_000_000
"""Points. It and the caps below keep every score far inside 53 bits, which JSON readers in other languages can hold."""
_WORTH: Final = 10_000
"""Points that one event is worth."""


# ------------------------------------------------------------------------------------------------------------ the rules


@dataclass(frozen=True)
class Rules:
    """Every option of the game; the defaults are the preset `classic`.

    Raises RulesError for a value out of range, and for two options that contradict each other.
    """

    preset: str = "classic"
    players: int = _option(
        "V20",
        4,
        Choice(
            {
                4: "four players",
                2: "two players draw their cards from the stock, one for himself each time and one put aside",
            }
        ),
    )
    cutthroat: bool = _option("V18", False, Switch("each for himself", "partners sit opposite"))
    partners: str = _option(
        "V1",
        "fixed",
        Choice(
            {
                "fixed": "who sits opposite is given",
                "drawn": "each draws a card: highest and lowest are partners (a single match of four bots only)",
            }
        ),
    )
    deck: str = _option(
        "V16",
        "standard",
        Choice(
            {
                "standard": "52 cards, no jokers",
                "jokers": "without 2♥ and 2♣; spades are big joker, little joker, A♠ … 2♠",
                "jokers_deuces": "without 2♥ and 2♣; spades are big joker, little joker, 2♦, 2♠, A♠ … 3♠",
            }
        ),
    )
    bidding: str = _option(
        "V14",
        "free",
        Choice(
            {
                "free": "any number of tricks from 0 to 13",
                "whiz": "Nil, or the number of spades held",
                "mirror": "the number of spades held, Nil without any",
            }
        ),
    )
    minimum_bid: int = _option(
        "V11", 0, Whole(0, HAND_SIZE, "at least {} tricks; Nil and Double Nil are exempt", "no minimum")
    )
    minimum_scope: str = _option(
        "V11",
        "player",
        Choice(
            {
                "player": "each player must bid the minimum",
                "side": "the two bids of a side together must reach the minimum",
            }
        ),
    )
    zero: str = _option(
        "V6",
        "nil",
        Choice(
            {
                "nil": "a bid of 0 is Nil",
                "plain": "beside Nil there is a bid `zero`, without bonus or penalty",
                "bonus": "beside Nil there is a bid `zero`: the value of a Nil if no trick is taken, no penalty",
                "only": "0 is a plain bid of no tricks; there is no Nil at all",
            }
        ),
    )
    nil_value: int = _option("V13", 100, Whole(0, _WORTH, "a Nil is worth {} points, won or lost"))
    failed_nil: str = _option(
        "V5",
        "bags",
        Choice(
            {
                "bags": "tricks of a failed Nil are bags and no help to the contract",
                "help": "tricks of a failed Nil help the contract; only those over it are bags",
                "nothing": "tricks of a failed Nil are neither help nor bags",
            }
        ),
    )
    blind_nil: bool = _option("V7", True, Switch("Double Nil may be bid before looking", "no Double Nil"))
    blind_nil_value: int = _option("V13", 200, Whole(0, _WORTH, "a Double Nil is worth {} points, won or lost"))
    blind_deficit: int = _option(
        "V7", 0, Whole(0, _MOST, "Double Nil only for a side {} or more points behind", "Double Nil whatever the score")
    )
    exchange: int = _option(
        "V7",
        3,
        Whole(
            0,
            4,
            "beside a Double Nil partners exchange {} cards; with two players its bidder may replace as many",
            "no cards are exchanged",
        ),
    )
    nil_exchange: bool = _option("V7", False, Switch("cards are exchanged for a plain Nil too", "none for a plain Nil"))
    suicide: str = _option(
        "V8",
        "off",
        Choice(
            {
                "off": "nobody must bid Nil",
                "one_nil": "exactly one of each pair must bid Nil; Double Nil counts as one",
                "all_double_nil": "everybody bids Double Nil",
            }
        ),
    )
    blind_number: int | None = _option(
        "V9",
        None,
        Whole(
            6,
            HAND_SIZE,
            "{} or more tricks may be bid before looking; they count double, made or set",
            "no blind numbers",
            none=True,
        ),
    )
    ten_for_200: bool = _option(
        "V10",
        False,
        Switch("a contract of ten or more: 200 made, 200 lost if set, and no bags", "large contracts count as any"),
    )
    overtricks: str = _option(
        "V3",
        "bags",
        Choice(
            {
                "bags": "an overtrick is a point and a bag",
                "none": "overtricks count nothing; no bags",
                "minus_1": "an overtrick costs a point; no bags",
                "minus_10": "an overtrick costs ten points; no bags",
            }
        ),
    )
    bag_limit: int = _option("V12", 10, Whole(1, 1_000, "{} bags cost a penalty"))
    bag_penalty: int = _option("V12", 100, Whole(0, _WORTH, "the penalty for bags is {} points"))
    lead_spades: str = _option(
        "V15",
        "broken",
        Choice(
            {
                "broken": "spades may be led once they are broken, or by one who holds nothing else",
                "any": "spades may be led at any time",
                "not_first": "spades may be led at any time but to the first trick",
            }
        ),
    )
    first_trick_spades: bool = _option(
        "V19",
        True,
        Switch(
            "a void player may throw a spade on the first trick",
            "no spade may be thrown on the first trick while another card is held",
        ),
    )
    target: int | None = _option("V4", 500, Whole(1, _MOST, "the first side to {} points wins", "no target", none=True))
    tie: str = _option(
        "V2",
        "again",
        Choice(
            {
                "again": "equal at the target: another hand, and the target is needed again",
                "one_more": "equal at the target: one more hand, then the higher total wins",
                "last_hand": "equal at the target: the higher score in the last hand wins",
                "draw": "equal at the target: a draw",
            }
        ),
    )
    behind: int | None = _option(
        "V4", None, Whole(1, _MOST, "a side {} points or more behind loses", "no side loses by being behind", none=True)
    )
    floor: int | None = _option(
        "V4", None, Whole(-_MOST, -1, "a side at {} points or less loses", "no side loses by a low score", none=True)
    )
    hand_cap: int = _option("V17", 100, Whole(1, 10_000, "a game that has not ended after {} hands ends there"))

    def __post_init__(self) -> None:
        for option in OPTIONS.values():
            option.check(getattr(self, option.name))
        for clash in CLASHES:
            if clash.met(self):
                raise Contradiction(clash.first, clash.second, f"rules: {clash.said(self)}")

    @cached_property
    def shape(self) -> Shape:
        """Seats and sides."""
        if self.players == 2:
            return TWO_PLAYERS
        return CUTTHROAT if self.cutthroat else PARTNERSHIPS

    @cached_property
    def cards(self) -> Deck:
        """The cards that are dealt."""
        return DECKS[self.deck]


OPTIONS: Final[Mapping[str, Option]] = {
    each.name: Option(each.name, each.metadata["rule"], each.metadata["values"], getattr(Rules, each.name))
    for each in fields(Rules)
    if each.metadata
}
"""Every option by its name, in the order of `Rules`."""


# -------------------------------------------------------------------------------------------------- what goes with what


class Clash(NamedTuple):
    """Two options that contradict each other in some of their values: when, and why."""

    first: str
    second: str
    why: str
    met: Callable[[Rules], bool]
    unless: str = ""
    """What a third option must be for the two to go together all the same, in words; empty where nothing helps."""

    def said(self, rules: Rules) -> str:
        """The contradiction in one line."""
        one, two = (f"{name} {write_value(getattr(rules, name))}" for name in (self.first, self.second))
        return f"{one} does not go with {two}: {self.why}; change one of the two"


def _changed(rules: Rules, name: str) -> bool:
    """Whether an option asks for something: at its default or switched off it harms nobody where it has no meaning."""
    option, value = OPTIONS[name], getattr(rules, name)
    is_off = isinstance(option.values, Whole) and option.values.off != "" and not value
    return bool(value != option.default) and not is_off


def _no_use(first: str, off: Callable[[Rules], bool], why: str, *others: str) -> Iterator[Clash]:
    """Options that have nothing to say where the first one has a certain value."""
    for other in others:
        yield Clash(first, other, why, lambda rules, other=other: off(rules) and _changed(rules, other))  # type: ignore[misc]


CLASHES: Final[tuple[Clash, ...]] = (
    # who plays
    Clash("players", "cutthroat", "two players stand alone anyhow", lambda r: r.players == 2 and r.cutthroat),
    *_no_use(
        "players",
        lambda r: r.players == 2,
        "two players are no partners",
        *("partners", "nil_exchange", "minimum_scope"),
    ),
    *_no_use(
        "cutthroat",
        lambda r: r.cutthroat,
        "nobody has a partner",
        *("partners", "exchange", "nil_exchange", "minimum_scope"),
    ),
    *(
        Clash(alone, "suicide", "one of each pair must bid Nil, and there are no pairs", met)
        for alone, met in (
            ("players", lambda r: r.players == 2 and r.suicide == "one_nil"),
            ("cutthroat", lambda r: r.cutthroat and r.suicide == "one_nil"),
        )
    ),
    # Nil
    Clash("zero", "blind_nil", "without Nil there is no Double Nil", lambda r: r.zero == "only" and r.blind_nil),
    *_no_use(
        "zero",
        lambda r: r.zero == "only",
        "there is no Nil",
        *("nil_value", "failed_nil", "suicide", "exchange", "nil_exchange", "blind_nil_value", "blind_deficit"),
    ),
    *_no_use("blind_nil", lambda r: not r.blind_nil, "there is no Double Nil", "blind_nil_value", "blind_deficit"),
    Clash(
        "blind_nil",
        "exchange",
        "there is no Double Nil to exchange cards for",
        lambda r: not (r.blind_nil or r.nil_exchange) and _changed(r, "exchange"),
        unless="`nil_exchange` is `true`",
    ),
    Clash("nil_exchange", "exchange", "no cards are to be exchanged", lambda r: r.nil_exchange and not r.exchange),
    # bids that are no free choice
    *_no_use(
        "bidding",
        lambda r: r.bidding != "free",
        "the cards say what is bid",
        *("blind_number", "minimum_scope", "minimum_bid", "suicide", "zero"),
    ),
    Clash(
        "suicide",
        "blind_nil",
        "everybody bids Double Nil",
        lambda r: r.suicide == "all_double_nil" and not r.blind_nil,
    ),
    *_no_use(
        "suicide",
        lambda r: r.suicide == "all_double_nil",
        "everybody bids Double Nil",
        *("blind_deficit", "blind_number", "minimum_scope", "minimum_bid", "zero", "ten_for_200"),
        *("nil_value", "nil_exchange"),
    ),
    Clash(
        "suicide",
        "exchange",
        "partners who both bid Double Nil exchange nothing",
        lambda r: r.suicide == "all_double_nil" and r.players == 4 and _changed(r, "exchange"),
        unless="`players` is `2`",
    ),
    Clash(
        "minimum_bid",
        "minimum_scope",
        "without a minimum there is nothing to reach",
        lambda r: r.minimum_scope == "side" and not r.minimum_bid,
    ),
    Clash(
        "minimum_bid",
        "zero",
        "a bid of zero does not reach the minimum",
        lambda r: r.minimum_bid > 0 and r.minimum_scope == "player" and r.zero in {"plain", "bonus"},
        unless="`minimum_scope` is `side`",
    ),
    # the score
    Clash(
        "ten_for_200",
        "blind_number",
        "a contract cannot count double and 200",
        lambda r: r.ten_for_200 and r.blind_number is not None,
    ),
    *_no_use("overtricks", lambda r: r.overtricks != "bags", "there are no bags", "bag_limit", "bag_penalty"),
    # the end
    Clash(
        "target",
        "behind",
        "a game without a target must end by `behind` or `floor`",
        lambda r: r.target is None and r.behind is None and r.floor is None,
        unless="`floor` is a number",
    ),
    *_no_use("target", lambda r: r.target is None, "there is no target to be equal at", "tie"),
)
"""The table of what does not go with what; all other pairs of values can be played."""


# -------------------------------------------------------------------------------------------------------------- presets


PRESETS: Final[Mapping[str, Rules]] = {
    "classic": Rules(),
    "short": Rules(preset="short", target=200),
    "encyclopedia": Rules(preset="encyclopedia", lead_spades="any", zero="only", blind_nil=False),
    "suicide": Rules(preset="suicide", suicide="one_nil"),
    "suicide_all": Rules(preset="suicide_all", suicide="all_double_nil"),
    "whiz": Rules(preset="whiz", bidding="whiz"),
    "mirror": Rules(preset="mirror", bidding="mirror"),
    "jokers": Rules(preset="jokers", deck="jokers"),
    "jokers_deuces": Rules(preset="jokers_deuces", deck="jokers_deuces"),
    "cutthroat": Rules(preset="cutthroat", cutthroat=True),
    "two_player": Rules(preset="two_player", players=2),
}


def make_rules(preset: str = "classic", known: Mapping[str, Rules] = PRESETS, /, **changes: Any) -> Rules:
    """A preset of those that are known with some options changed; raises RulesError and names the nearest word."""
    base = find_rules(preset, known)
    for name in changes:
        if name not in OPTIONS:
            raise RulesError(f"rules: no option {name!r}{nearest(name, list(OPTIONS))}")
    return replace(base, **changes)


def find_rules(name: str, known: Mapping[str, Rules] = PRESETS) -> Rules:
    """The preset of this name; raises RulesError."""
    if name not in known:
        raise RulesError(f"rules: no preset {name!r}{nearest(name, list(known))}")
    return known[name]
