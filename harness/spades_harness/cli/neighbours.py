"""The company in which a bot is checked: neighbours, in this process, who bring about every kind of request."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import spades_bot


class Scene(NamedTuple):
    """What the neighbours bid in a hand: the bot's partner, the opponent on its left, the one on its right."""

    partner: str
    left: str
    right: str


# Four hands a seat, one dealt by each: contracts, a Nil to cover, a Double Nil to exchange with, and Nils to break.
# "blind" is Double Nil where the rules have it, Nil where they don't.
SCENES: Final = (
    Scene("number", "number", "number"),
    Scene("nil", "number", "nil"),
    Scene("blind", "number", "number"),
    Scene("blind", "nil", "blind"),
)
HANDS: Final = len(SCENES)


class Neighbour(spades_bot.Bot):
    """Bids as the scene says and plays any legal card, so that the bot meets what sensible play would spare it."""

    def __init__(self, place: str) -> None:
        self.place = place
        """`partner`, `left` or `right`, as seen from the bot."""

    def blind(self, request: spades_bot.Message) -> str | None:
        """Double Nil where the scene has it, or the lowest number that may be bid blind; nothing where one may look."""
        words = [bid for bid in request.legal if bid]
        lowest = words[1] if len(words) > 1 and words[0] == "blind_nil" else words[0]
        return lowest if self._role(request) == "blind" or None not in request.legal else None

    def draw(self, request: spades_bot.Message) -> str:
        """Any."""
        return str(self.random.choice(request.legal))

    def bid(self, request: spades_bot.Message) -> Any:
        """A small number, or Nil; in its place a bid in words, where there is one."""
        nothing = next((bid for bid in request.legal if isinstance(bid, str)), 0)
        wanted = nothing if self._role(request) != "number" else self.random.randint(1, 4)
        return wanted if wanted in request.legal else request.legal[-1]

    def exchange(self, request: spades_bot.Message) -> list[str]:
        """Any cards, and as many as may be."""
        return self.random.sample(request.hand, request.max)

    def play(self, request: spades_bot.Message) -> str:
        """Any card."""
        return str(self.random.choice(request.legal))

    def _role(self, request: spades_bot.Message) -> str:
        return str(getattr(SCENES[(request.hand_no - 1) % HANDS], self.place))
