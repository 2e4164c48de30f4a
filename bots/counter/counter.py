"""Counter counts tricks: those that its honours and long spades should take, and those that its side still needs.

It bids the sum of a table of honours. While the contract isn't made it wins each trick as cheaply as it can, unless
its partner is winning already; once it is made it plays low. It bids no Nil unless it must, and remembers no card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from spades_bot import Bot, Message, run, suit

# What an honour is worth, in tenths of a trick, when its suit has one, two, three … cards; the last number holds for
# longer suits. A bare king falls under the ace; a queen needs company.
SIDE_SUIT: Mapping[str, Sequence[int]] = {"A": (10,), "K": (3, 7), "Q": (0, 1, 4)}
SPADES: Sequence[Sequence[int]] = ((10,), (5, 10), (0, 3, 9), (0, 0, 3, 5))
"""The same for the four highest spades of the deck, from the top down."""
TOP_SPADES: Mapping[str, Sequence[str]] = {
    "standard": ("AS", "KS", "QS", "JS"),
    "jokers": ("BJ", "LJ", "AS", "KS"),
    "jokers_deuces": ("BJ", "LJ", "2D", "2S"),
}
LONG_SPADE = 9
"""Each spade from the fourth on: it takes a trick as one of the last trumps, or by ruffing."""


def tenths(hand: Iterable[str], deck: str = "standard") -> int:
    """How many tricks a hand should take, in tenths."""
    top, suits = TOP_SPADES[deck], {letter: list[str]() for letter in "CDHS"}
    for card in hand:
        suits["S" if card in top else suit(card)].append(card)
    spades = suits.pop("S")
    honours = sum(_worth(row, spades) for card, row in zip(top, SPADES, strict=True) if card in spades)
    aside = [_worth(SIDE_SUIT[card[0]], cards) for cards in suits.values() for card in cards if card[0] in SIDE_SUIT]
    return honours + sum(aside) + LONG_SPADE * max(len(spades) - 3, 0)


def _worth(row: Sequence[int], cards: Sequence[str]) -> int:
    return row[min(len(cards), len(row)) - 1]


def tricks(hand: Iterable[str], deck: str = "standard") -> int:
    """The number to bid: the tenths rounded, half a trick downwards, and one at least."""
    return max(1, (tenths(hand, deck) + 4) // 10)


def promised(bid: int | str) -> int:
    """The tricks that a bid promises: none for `zero` and `blind_nil`, seven for `blind7`."""
    if isinstance(bid, int):
        return bid
    return int(bid[len("blind") :]) if bid[-1].isdigit() else 0


class Counter(Bot):
    """Bids by a table of honours, wins cheaply while its side needs tricks, and plays low otherwise."""

    NAME = "counter"
    VERSION = "1"

    def bid(self, request: Message) -> int:
        """The tricks of the table, or the nearest number that the rules allow; Nil only if they allow no number."""
        wanted = tricks(request.hand, self.rules.get("deck", "standard"))
        numbers = [bid for bid in request.legal if type(bid) is int and bid > 0]
        return min(numbers or [0], key=lambda bid: abs(bid - wanted))

    def play(self, request: Message) -> str:
        """A card that wins cheaply, or the lowest."""
        cards: list[str] = sorted(request.legal, key=lambda card: (self.suit(card) == "S", self.rank(card)))
        if promised(request.bids[request.seat]) and self._needed(request) > 0:
            return self._lead(cards) if not request.trick else self._win(request, cards)
        return cards[0]

    def _needed(self, request: Message) -> int:
        """The tricks that the side's contract still lacks; those of a Nil are no help."""
        bids = {seat: promised(request.bids[seat]) for seat in (request.seat, self.partner) if seat}
        return sum(bid - request.won[seat] for seat, bid in bids.items() if bid)

    def _lead(self, cards: Sequence[str]) -> str:
        """An ace beside the spades, or the lowest card."""
        aces = [card for card in cards if card[0] == "A" and self.suit(card) != "S"]
        return aces[0] if aces else cards[0]

    def _win(self, request: Message, cards: Sequence[str]) -> str:
        """The cheapest card that wins the trick so far; the lowest if none does or the partner's does already."""
        best = self.winning(request.trick)
        if self.partner and len(request.trick) > 1 and best == request.trick[-2]:
            return cards[0]
        return next((card for card in cards if self.winning([*request.trick, card]) == card), cards[0])


if __name__ == "__main__":
    run(Counter)
