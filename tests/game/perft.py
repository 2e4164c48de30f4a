"""How many ways there are to go on from fixed deals, under each preset: an oracle that any wrong rule would change.

The numbers stand in `perft.json`, and a test counts them again. When the game is meant to change, count anew with

    .venv/bin/python -m tests.game.perft --write

and be able to say why each number that differs does. Without `--write` the command names the presets that differ.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from spades_harness.game.bids import Draw
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.hand import Hand, Playing, Unfinished, deal_hand, no_points
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.substitute import substitute
from spades_harness.game.view import view

ORACLE = Path(__file__).with_name("perft.json")
SEED = 2026
STREAMS = (3, 4)
"""The deals that are counted from; their dealers sit apart."""
DEPTHS = {"deal": 4, "lead": 4, "end": 12}
"""Actions, few enough to be counted in a second: two bids with their blind questions, four without, or four draws; a
trick of four; the rest of the hand."""
LEFT = 3
"""Cards that each player holds where the end is counted."""

Counts = dict[str, dict[str, list[int]]]
"""By deal and moment: the ways to go on by so many actions, from none on."""


def perft(hand: Hand, depth: int) -> int:
    """The number of sequences of so many actions, or fewer where the hand is over."""
    if depth == 0 or hand.over:
        return 1
    if depth == 1:
        return len(hand.legal())
    return sum(perft(hand.apply(action), depth - 1) for action in hand.legal())


def moments(rules: Rules, stream: int) -> dict[str, Unfinished]:
    """A hand at its beginning, before the first lead, and near its end; the dull choice is made in between.

    Of two players each second card that is drawn is let go, so that their hands aren't alike.
    """
    deal = deal_hand(rules, secret_of_seed(SEED), stream, 0, no_points(rules))
    lead = until(deal, lambda hand: isinstance(hand, Playing))
    end = until(lead, lambda hand: hand.kind == "play" and hand.hands[hand.seat].bit_count() <= LEFT and not hand.trick)
    assert not deal.over
    return {"deal": deal, "lead": lead, "end": end}


def until(hand: Hand, is_there: Callable[[Unfinished], bool]) -> Unfinished:
    """The hand, played on by the substitute until it is there."""
    turn = 0
    while not hand.over and not is_there(hand):
        discards = hand.kind == "draw" and turn % 3 == 0
        hand = hand.apply(Draw.DISCARD if discards else substitute(view(hand)))
        turn += 1
    assert not hand.over
    return hand


def counts_of(preset: str) -> Counts:
    """All counts of a preset."""
    return {
        f"stream {stream}": {
            name: [perft(hand, depth) for depth in range(DEPTHS[name] + 1)]
            for name, hand in moments(PRESETS[preset], stream).items()
        }
        for stream in STREAMS
    }


def stored() -> dict[str, Counts]:
    """What the file holds."""
    known: dict[str, Counts] = json.loads(ORACLE.read_text(encoding="utf-8")) if ORACLE.exists() else {}
    return known


def written(counts: dict[str, Counts]) -> str:
    """The file: one line a moment, so that a difference is seen at a glance."""
    presets = (f"  {json.dumps(preset)}: {{\n{_deals(deals)}\n  }}" for preset, deals in counts.items())
    return "{\n" + ",\n".join(presets) + "\n}\n"


def _deals(deals: Counts) -> str:
    lines = []
    for deal, of in deals.items():
        inner = ",\n".join(f"      {json.dumps(name)}: {json.dumps(numbers)}" for name, numbers in of.items())
        lines.append(f"    {json.dumps(deal)}: {{\n{inner}\n    }}")
    return ",\n".join(lines)


def main(arguments: list[str]) -> int:
    """Write or compare; 1 when presets differ and nothing was written."""
    counts, before = {preset: counts_of(preset) for preset in PRESETS}, stored()
    differing = [preset for preset in counts if counts[preset] != before.get(preset)]
    if arguments == ["--write"]:
        ORACLE.write_text(written(counts), encoding="utf-8", newline="\n")
    for preset in differing:
        sys.stdout.write(f"{'written' if arguments == ['--write'] else 'differs'}: {preset}\n")
    return int(bool(differing) and arguments != ["--write"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
