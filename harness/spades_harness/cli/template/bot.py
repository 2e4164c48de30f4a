"""NEW_BOT plays Spades. `spades check NEW_BOT` looks it over, `spades match NEW_BOT` lets it play."""

from spades_bot import Bot, Message, run


class NewBot(Bot):
    """Tell here how your bot thinks."""

    NAME = "NEW_BOT"
    VERSION = "1"

    def bid(self, request: Message) -> int:
        """How many tricks will you take? Answer one of `request.legal`: 1 to 13, or 0 for Nil (no trick at all)."""
        # request.hand is a list of cards such as ["AS", "TS", "KH"]: the rank, then the suit (T is ten, S spades).
        honours = [card for card in request.hand if self.rank(card) >= self.rank("KH")]
        spades = [card for card in request.hand if self.suit(card) == "S" and card not in honours]
        tricks = max(1, len(honours) + len(spades) - 2)
        numbers = [bid for bid in request.legal if isinstance(bid, int)]
        return min(numbers, key=lambda bid: (bid == 0, abs(bid - tricks)))  # not every game allows every bid

    def play(self, request: Message) -> str:
        """Which card do you play? Answer one of `request.legal`: all of them keep to the rules."""
        cards: list[str] = sorted(request.legal, key=self.rank)
        if not request.trick:  # nothing lies on the table: you lead
            return cards[-1]
        for card in cards:  # the lowest card that wins the trick so far …
            if self.winning([*request.trick, card]) == card:
                return card
        return cards[0]  # … or, where none does, the lowest


# What else is there to know: request.bids and request.won by seat, request.tricks (all that were played), self.seat,
# self.partner, self.rules. What else a bot may be asked: define `blind` and `exchange` for Double Nil, and `draw` for a
# game of two. A print() goes to `spades match NEW_BOT --stderr`; dice are in self.random.
if __name__ == "__main__":
    run(NewBot)
