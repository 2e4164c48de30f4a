"""The play of a hand once more, slowly and straight from the text of the rules, for the game to be held against.

Cards are names, hands are sets of names, bids are the words of the text (`4`, `Nil`, `DN`, `zero`, `blind7`), nothing
is cached, and nothing is shared with the game's own code but the names of the options. Where the two disagree, one of
them misreads the rules. What a hand is worth and when a game ends stands in `reference_score`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from spades_harness.game.rules import Rules

RANKS = "23456789TJQKA"
NILS = ("Nil", "DN")

# ----------------------------------------------------------------------------------------------------------- cards


def trumps(deck: str) -> list[str]:
    """R2, V16: the spades from the lowest up."""
    plain = [rank + "S" for rank in RANKS]
    match deck:
        case "jokers":
            return [*plain, "LJ", "BJ"]
        case "jokers_deuces":
            return [*plain[1:], "2S", "2D", "LJ", "BJ"]
        case _:
            return plain


def suit_of(deck: str, name: str) -> str:
    """V16: jokers and high deuces are spades in every respect."""
    return "S" if name in trumps(deck) else name[1]


def slow_winner(deck: str, table: Sequence[tuple[int, str]]) -> int:
    """R16: the highest spade wins, else the highest card of the led suit."""
    spades = [(trumps(deck).index(name), seat) for seat, name in table if suit_of(deck, name) == "S"]
    if spades:
        return max(spades)[1]
    return max((RANKS.index(name[0]), seat) for seat, name in table if name[1] == table[0][1][1])[1]


class SlowPlay:
    """The tricks of one hand: who holds what, what lies on the table, and whether spades are broken."""

    def __init__(self, rules: Rules, hands: Iterable[Iterable[str]], leader: int) -> None:
        self.rules = rules
        self.hands = [set(hand) for hand in hands]
        self.turn = leader
        self.table: list[tuple[int, str]] = []
        self.won = [0] * len(self.hands)
        self.broken = False

    def is_spade(self, name: str) -> bool:
        """R2, V16."""
        return suit_of(self.rules.deck, name) == "S"

    def legal(self) -> set[str]:
        """R15, R17, R18, V15, V19."""
        held = self.hands[self.turn]
        plain = {name for name in held if not self.is_spade(name)}
        if not self.table:
            return set(held) if self.may_lead_spades() or not plain else plain
        led = suit_of(self.rules.deck, self.table[0][1])
        following = {name for name in held if suit_of(self.rules.deck, name) == led}
        if following:
            return following
        thrown = self.rules.first_trick_spades or not self.is_first_trick()
        return set(held) if thrown or not plain else plain

    def is_first_trick(self) -> bool:
        """Whether no trick has been taken yet."""
        return sum(self.won) == 0

    def may_lead_spades(self) -> bool:
        """V15: when broken; any time; any time but the first trick."""
        if self.rules.lead_spades == "broken":
            return self.broken
        return self.rules.lead_spades == "any" or not self.is_first_trick()

    def play(self, name: str) -> None:
        """R16, R17: put a card on the table; the last one ends the trick, and the winner leads next."""
        deck, held = self.rules.deck, self.hands[self.turn]
        leads_with_only_spades = not self.table and all(self.is_spade(other) for other in held)
        led = suit_of(deck, self.table[0][1]) if self.table else None
        cannot_follow = led is not None and all(suit_of(deck, other) != led for other in held)
        if self.is_spade(name) and (leads_with_only_spades or cannot_follow):
            self.broken = True
        held.remove(name)
        self.table.append((self.turn, name))
        self.turn = (self.turn + 1) % len(self.hands)
        if len(self.table) == len(self.hands):
            self.turn = slow_winner(deck, self.table)
            self.won[self.turn] += 1
            self.table = []


# --------------------------------------------------------------------------------------------------------- bidding


def tricks_bid(word: str) -> int:
    """R8, V6, V9: what a bid adds to its side's contract."""
    return int(word.removeprefix("blind")) if word[-1].isdigit() else 0


def words_of(rules: Rules) -> set[str]:
    """R6, R7, V6: every bid that can be made after looking, were it not for cards and partners."""
    numbers = {str(tricks) for tricks in range(1, 14)}
    match rules.zero:
        case "only":
            return numbers | {"0"}
        case "plain" | "bonus":
            return numbers | {"Nil", "zero"}
        case _:
            return numbers | {"Nil"}


def pair_is_legal(rules: Rules, pair: Sequence[str]) -> bool:
    """V8, V11: whether these bids of one side, all of them, are legal together."""
    if rules.suicide == "one_nil" and sum(word in NILS for word in pair) != 1:
        return False
    numbers = [tricks_bid(word) for word in pair if word not in NILS]  # Nil and Double Nil are exempt
    if rules.minimum_scope == "player":
        return all(tricks >= rules.minimum_bid for tricks in numbers)
    return not numbers or sum(numbers) >= rules.minimum_bid


def goes_with_partner(rules: Rules, word: str, partners: str | None, *, has_partner: bool) -> bool:
    """Whether a side can end with legal bids after this one: the first to speak leaves the second some legal bid."""
    if not has_partner:
        return pair_is_legal(rules, [word])
    answers = words_of(rules) if partners is None else {partners}
    return any(pair_is_legal(rules, [word, answer]) for answer in answers)


# ------------------------------------------------------------------------------------------------------ whole hands


def partner_of(rules: Rules, seat: int) -> int | None:
    """R1, V18, V20: who sits opposite."""
    return None if rules.players == 2 or rules.cutthroat else (seat + 2) % 4


class SlowHand:
    """A hand from its first question to its last card; `act` takes the words of the text."""

    def __init__(self, rules: Rules, hands: Sequence[Iterable[str]], dealer: int, scores: Sequence[int]) -> None:
        self.rules, self.dealer, self.scores = rules, dealer, scores
        self.seats = rules.players
        self.hands = [set(hand) for hand in hands]
        self.bids: dict[int, str] = {}
        self.looked: set[int] = set()
        self.stock: list[str] = []
        self.second: list[str] = []
        self.out: set[str] = set()
        self.gifts: list[tuple[int, int | None]] | None = None
        self.play: SlowPlay | None = None
        self.drawer = dealer
        self.go_on()

    @classmethod
    def drawn(cls, rules: Rules, stock: list[str], second: list[str], dealer: int, scores: Sequence[int]) -> SlowHand:
        """Section 4: two players take their cards from the stock."""
        hand = cls(rules, [(), ()], dealer, scores)
        hand.stock, hand.second = stock[:], second
        return hand

    # ---- what is asked

    def order(self) -> list[int]:
        """R5, section 4: from the dealer's left; the one who did not draw first."""
        return [(self.dealer + turn) % self.seats for turn in range(1, self.seats + 1)]

    def is_drawing(self) -> bool:
        """Section 4: until both hold thirteen, which is when the stock is used up."""
        return bool(self.stock)

    @property
    def seat(self) -> int:
        """Who is to act."""
        if self.play:
            return self.play.turn
        if self.is_drawing():
            return self.drawer
        if self.gifts:
            return self.gifts[0][0]
        return next(seat for seat in self.order() if seat not in self.bids)

    @property
    def kind(self) -> str:
        """What the seat is asked for."""
        if self.play:
            return "play"
        if self.gifts:
            return "exchange"
        if self.seat not in self.looked and self.seat not in self.bids and self.blind_words():
            return "blind"
        return "draw" if self.is_drawing() else "bid"

    def legal(self) -> set[str]:
        """What may be said or played; of an exchange nothing, since `give` says it."""
        match self.kind:
            case "play":
                assert self.play
                return self.play.legal()
            case "draw":
                return {"keep", "discard"}
            case "blind":
                return self.blind_words() | (set() if self.rules.suicide == "all_double_nil" else {"look"})
            case "bid":
                return {word for word in self.open_words() if self.fits(word)}
            case _:
                return set()

    def blind_words(self) -> set[str]:
        """R12, V7, V9: what may be bid before looking; a side must be so many points behind for a Double Nil."""
        words = set()
        if self.rules.blind_nil and max(self.scores) - self.own_score() >= self.rules.blind_deficit:
            words.add("DN")
        if self.rules.blind_number is not None:
            words |= {f"blind{tricks}" for tricks in range(self.rules.blind_number, 14)}
        return {word for word in words if self.fits(word)}

    def own_score(self) -> int:
        """The score of the side of the seat that is to act: N and S are the first side, E and W the second."""
        return self.scores[self.seat if partner_of(self.rules, self.seat) is None else self.seat % 2]

    def open_words(self) -> set[str]:
        """R6, V14: any number; or Nil and the number of spades; or that number, Nil if there are none."""
        spades = sum(suit_of(self.rules.deck, name) == "S" for name in self.hands[self.seat])
        match self.rules.bidding:
            case "whiz":
                return {"Nil", str(spades)} - {"0"}
            case "mirror":
                return {str(spades)} if spades else {"Nil"}
            case _:
                return words_of(self.rules)

    def fits(self, word: str) -> bool:
        """V8, V11."""
        partner = partner_of(self.rules, self.seat)
        said = None if partner is None else self.bids.get(partner)
        return goes_with_partner(self.rules, word, said, has_partner=partner is not None)

    @property
    def give(self) -> tuple[int, int]:
        """V7, section 4: how many cards at least and at most."""
        if self.kind != "exchange" or not self.gifts:
            return 0, 0
        return (0 if self.gifts[0][1] is None else self.rules.exchange), self.rules.exchange

    # ---- what is done

    def act(self, word: str) -> None:
        """A bid, a look, a draw, or a card."""
        seat = self.seat
        match self.kind:
            case "play":
                assert self.play
                self.play.play(word)
            case "draw":
                self.draw(word)
            case _ if word == "look":
                self.looked.add(seat)
            case _:
                self.bids[seat] = word
        self.go_on()

    def draw(self, word: str) -> None:
        """Section 4: he keeps the top card and sees the next go, or discards it and must keep the next."""
        first, following = self.stock.pop(0), self.stock.pop(0)
        kept, gone = (first, following) if word == "keep" else (following, first)
        self.hands[self.drawer].add(kept)
        self.out.add(gone)
        self.looked.add(self.drawer)
        self.drawer = 1 - self.drawer

    def pass_on(self, names: Iterable[str]) -> None:
        """D2: give cards to the partner; section 4: throw them away, and take as many unused ones."""
        assert self.gifts
        giver, receiver = self.gifts.pop(0)
        given = set(names)
        self.hands[giver] -= given
        if receiver is None:
            for _ in given:
                taken = next(name for name in self.second if name in self.out)
                self.out.remove(taken)
                self.hands[giver].add(taken)
        else:
            self.hands[receiver] |= given
        self.go_on()

    def go_on(self) -> None:
        """D1: after all bids the exchanges, after those the play (R14)."""
        if len(self.bids) < self.seats or self.play or self.is_drawing():
            return
        if self.gifts is None:
            self.gifts = slow_exchanges(self.rules, self.order(), self.bids)
        if not self.gifts:
            self.play = SlowPlay(self.rules, self.hands, self.order()[0])
            self.hands = self.play.hands


def slow_exchanges(rules: Rules, order: Sequence[int], bids: Mapping[int, str]) -> list[tuple[int, int | None]]:
    """R12, R13, D2, D3, V7, section 4: who gives to whom, in order."""
    gifts: list[tuple[int, int | None]] = []
    if rules.exchange == 0 or rules.cutthroat:
        return gifts
    if rules.players == 2:
        return [(seat, None) for seat in order if bids[seat] == "DN"]
    for first, second in (order[0], order[2]), (order[1], order[3]):
        if bids[first] == bids[second] == "DN":
            continue
        for bidder, other in (first, second), (second, first):
            if bids[bidder] == "DN" or (bids[bidder] == "Nil" and rules.nil_exchange):
                gifts += [(bidder, other), (other, bidder)]
                break
    return gifts
