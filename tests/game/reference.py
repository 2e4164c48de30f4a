"""The rules once more, slowly and straight from the text, for the game to be held against.

Cards are names, hands are sets of names, nothing is cached and nothing is shared with the game's own code. Where the
two disagree, one of them misreads the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

RANKS = "23456789TJQKA"


class SlowHand:
    """The play of one hand: who holds what, what lies on the table, and whether spades are broken."""

    def __init__(self, hands: Iterable[Iterable[str]], leader: int) -> None:
        self.hands = [set(hand) for hand in hands]
        self.turn = leader
        self.table: list[tuple[int, str]] = []
        self.won = [0, 0, 0, 0]
        self.broken = False

    def legal(self) -> set[str]:
        """R15, R17, R18."""
        held = self.hands[self.turn]
        if not self.table:
            if self.broken or all(is_spade(name) for name in held):
                return set(held)
            return {name for name in held if not is_spade(name)}
        led = self.table[0][1][1]
        can_follow = any(name[1] == led for name in held)
        return {name for name in held if name[1] == led} if can_follow else set(held)

    def play(self, name: str) -> None:
        """R16, R17: put a card on the table; the fourth ends the trick, and the winner leads next."""
        held = self.hands[self.turn]
        leads_with_only_spades = not self.table and all(is_spade(other) for other in held)
        cannot_follow = bool(self.table) and not any(other[1] == self.table[0][1][1] for other in held)
        if is_spade(name) and (leads_with_only_spades or cannot_follow):
            self.broken = True
        held.remove(name)
        self.table.append((self.turn, name))
        self.turn = (self.turn + 1) % 4
        if len(self.table) == 4:
            self.turn = slow_winner(self.table)
            self.won[self.turn] += 1
            self.table = []


def is_spade(name: str) -> bool:
    """R2."""
    return name[1] == "S"


def slow_winner(table: Sequence[tuple[int, str]]) -> int:
    """R16: the highest spade wins, else the highest card of the led suit."""
    spades = [(RANKS.index(name[0]), seat) for seat, name in table if is_spade(name)]
    led = [(RANKS.index(name[0]), seat) for seat, name in table if name[1] == table[0][1][1]]
    return max(spades or led)[1]


def slow_score(bids: Sequence[str], won: Sequence[int], carried: int) -> tuple[int, int]:
    """Delta and carried bags of one side, by the formula of `classic`; bids as `4`, `Nil`, `DN`."""
    numbers = [(int(bid), tricks) for bid, tricks in zip(bids, won, strict=True) if bid.isdigit()]
    nils = [(bid, tricks) for bid, tricks in zip(bids, won, strict=True) if not bid.isdigit()]
    contract = sum(bid for bid, _ in numbers)
    own = sum(tricks for _, tricks in numbers)
    failed = sum(tricks for _, tricks in nils)
    if own >= contract:
        over, base = own - contract, 10 * contract
    else:
        over, base = 0, -10 * contract
    bonuses = 0
    for bid, tricks in nils:
        value = 200 if bid == "DN" else 100
        bonuses += value if tricks == 0 else -value
    bags = over + failed
    delta = base + bags + bonuses - 100 * ((carried + bags) // 10)
    return delta, (carried + bags) % 10
