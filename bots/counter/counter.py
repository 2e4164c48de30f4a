"""Counter counts tricks: those that its honours and long spades should take, and those that its side still needs.

It bids the sum of a table of honours. While the contract isn't made it wins each trick as cheaply as it can, unless
its partner is winning already; once it is made it plays low. It never bids Nil and remembers no card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from spades_bot import SUITS, Bot, Message, rank, run, suit, winning

# What an honour is worth, in tenths of a trick, when its suit has one, two, three … cards; the last number holds for
# longer suits. A bare king falls under the ace; a queen needs company.
SIDE_SUIT: Mapping[str, Sequence[int]] = {"A": (10,), "K": (3, 7), "Q": (0, 1, 4)}
SPADES: Mapping[str, Sequence[int]] = {"A": (10,), "K": (5, 10), "Q": (0, 3, 9), "J": (0, 0, 3, 5)}
LONG_SPADE = 9
"""Each spade from the fourth on: it takes a trick as one of the last trumps, or by ruffing."""


def tenths(hand: Iterable[str]) -> int:
    """How many tricks a hand should take, in tenths."""
    suits = {letter: [card for card in hand if suit(card) == letter] for letter in SUITS}
    long_spades = LONG_SPADE * max(len(suits["S"]) - 3, 0)
    return long_spades + sum(_honours(cards, SPADES if letter == "S" else SIDE_SUIT) for letter, cards in suits.items())


def _honours(cards: Sequence[str], table: Mapping[str, Sequence[int]]) -> int:
    rows = [table[card[0]] for card in cards if card[0] in table]
    return sum(row[min(len(cards), len(row)) - 1] for row in rows)


def tricks(hand: Iterable[str]) -> int:
    """The number to bid: the tenths rounded, half a trick downwards, and one at least."""
    return max(1, (tenths(hand) + 4) // 10)


class Counter(Bot):
    """Bids by a table of honours, wins cheaply while its side needs tricks, and plays low otherwise."""

    NAME = "counter"
    VERSION = "1"

    def bid(self, request: Message) -> int:
        """The tricks of the table; the nearest legal number where the rules forbid that, and never Nil."""
        wanted = tricks(request.hand)
        numbers = [bid for bid in request.legal if type(bid) is int and bid > 0]
        return min(numbers, key=lambda bid: abs(bid - wanted))

    def play(self, request: Message) -> str:
        """A card that wins cheaply, or the lowest."""
        cards: list[str] = sorted(request.legal, key=lambda card: (suit(card) == "S", rank(card)))
        if self._needed(request) > 0:
            return self._lead(cards) if not request.trick else self._win(request, cards)
        return cards[0]

    def _needed(self, request: Message) -> int:
        """The tricks that the side's contract still lacks."""
        ours = [request.seat] + ([self.partner] if self.partner else [])
        bids = [request.bids.get(seat, 0) for seat in ours]
        return sum(bid for bid in bids if type(bid) is int) - sum(request.won[seat] for seat in ours)

    def _lead(self, cards: Sequence[str]) -> str:
        """An ace beside the spades, or the lowest card."""
        aces = [card for card in cards if card[0] == "A" and suit(card) != "S"]
        return aces[0] if aces else cards[0]

    def _win(self, request: Message, cards: Sequence[str]) -> str:
        """The cheapest card that wins the trick so far; the lowest if none does or the partner's does already."""
        best = winning(request.trick)
        if len(request.trick) > 1 and best == request.trick[-2]:
            return cards[0]
        return next((card for card in cards if winning([*request.trick, card]) == card), cards[0])


if __name__ == "__main__":
    run(Counter)
