"""How far the shipped bots are apart: points a hand, on the same boards both ways round, for every pairing.

    .venv/bin/python tests/benchmarks/gaps.py                  every pairing of the bots that ship
    .venv/bin/python tests/benchmarks/gaps.py steady counter   one of them
    .venv/bin/python tests/benchmarks/gaps.py --rules jokers   by other rules than the classic ones
    .venv/bin/python tests/benchmarks/gaps.py searcher steady --set blind_nil=false --playouts 600

`bots/README.md` holds what it printed. Bots in Python sit in this process, others are processes of their own; the
referee is everybody's. A gap is the first bot's points less the second's, a hand and a side; `±` is one standard
error, over board streams: both legs of a stream share their cards and are one observation. The two bots take turns
round the table: they are partners with themselves, or where nobody has a partner two players each.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from statistics import mean, stdev
from time import perf_counter

import trio

import spades_bot
from spades_harness.bundled import shipped_bots
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.rules import OPTIONS, PRESETS, Rules, make_rules
from spades_harness.game.score import Boards
from spades_harness.modules import load_module
from spades_harness.table.bounds import Limits
from spades_harness.table.local import Factory
from spades_harness.table.match import Command, MatchSpec, Player, Plugin
from spades_harness.table.referee import play_match
from spades_harness.table.seating import open_table
from spades_harness.tournament.file.bots import folder_bot, player

PLAYOUTS = 600
"""What a bot that searches tries for an answer: about a tenth of a second on a machine that has nothing else to do."""
UNHURRIED = Limits(start=60, move=60, bank=3600)
"""A busy machine must not decide a hand: what is measured is play."""


def seat_takers(names: Iterable[str], playouts: int) -> tuple[Mapping[str, Player], Mapping[str, Factory]]:
    """The players of these bots, and the classes of those that can play in this process. Most need no playouts."""
    players: dict[str, Player] = {}
    classes: dict[str, Factory] = {}
    for name in names:
        ready = player(folder_bot(shipped_bots()[name]))
        launch = ready.launch
        if isinstance(launch, Command) and launch.argv[0] == "{python}":
            classes[name] = spades_bot.find_bot(load_module(Path(launch.folder) / launch.argv[1]))
            ready = replace(ready, launch=Plugin(name, in_process=True))
        players[name] = replace(ready, params=(("playouts", playouts),))
    return players, classes


def leg(spec: MatchSpec, classes: Mapping[str, Factory]) -> float:
    """The points a side by which the bot on North ends ahead: every other seat is its own, and every other side."""

    async def play() -> float:
        async with open_table(spec, classes) as table:
            record = await play_match(spec, table)
        if record.faults or not record.result:
            raise RuntimeError(f"a shipped bot is at fault: {record.faults}")
        scores = record.result.totals.scores
        return mean(scores[::2]) - mean(scores[1::2])

    return trio.run(play)


def pair_of_legs(
    sides: tuple[Player, Player], classes: Mapping[str, Factory], rules: Rules, boards: Boards, place: tuple[str, int]
) -> float:
    """The points a hand by which the first bot is ahead on one board stream of a seed, over both legs."""
    seed, stream = place
    ahead = 0.0
    for number, (ours, theirs) in enumerate((sides, sides[::-1])):
        identity = f"{ours.name} {theirs.name} {stream}"
        seated = ((ours, theirs) * 2)[: len(rules.shape.seats)]
        spec = MatchSpec(identity, 1, rules, boards, secret_of_seed(seed), stream, number, seated, UNHURRIED)
        ahead += leg(spec, classes) * (1, -1)[number]
    return ahead / (2 * boards.hands)


def estimate(found: Sequence[float]) -> tuple[float, float]:
    """Mean and standard error."""
    return mean(found), stdev(found) / len(found) ** 0.5


def arguments(argv: Sequence[str]) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="Points a hand between the bots that ship.")
    parser.add_argument("bots", nargs="*", metavar="BOT", help="default: all that ship")
    parser.add_argument("--streams", type=int, default=64, help="board streams a pairing (default 64)")
    parser.add_argument("--boards", type=int, default=16, help="boards a stream (default 16)")
    parser.add_argument("--rules", choices=PRESETS, default="classic", help="a preset (default classic)")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="an option of the rules")
    parser.add_argument("--playouts", type=int, default=PLAYOUTS, help="an answer of a searching bot (default 600)")
    parser.add_argument("--seed", default="gaps", help="the boards (default: gaps)")
    wanted = parser.parse_args(argv)
    unknown = [name for name in wanted.bots if name not in shipped_bots()]
    if unknown or len(wanted.bots) == 1 or wanted.streams < 2:
        parser.error(f"two or more of {', '.join(shipped_bots())}, and two streams or more, please")
    return wanted


def rules_of(preset: str, changes: Iterable[str]) -> Rules:
    """A preset with some options changed."""
    pairs = [change.partition("=")[::2] for change in changes]
    return make_rules(preset, **{name: OPTIONS[name].read(value) for name, value in pairs})


def main(argv: Sequence[str]) -> None:
    """Print one line a pairing, as it is done."""
    wanted = arguments(argv)
    players, classes = seat_takers(wanted.bots or shipped_bots(), wanted.playouts)
    rules, boards = rules_of(wanted.rules, wanted.set), Boards(wanted.boards)
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, {' '.join([wanted.rules, *wanted.set])}, "
        f"{wanted.streams} streams of {wanted.boards} boards, both legs"
    )
    for first, second in combinations(players, 2):
        sides, began = (players[first], players[second]), perf_counter()
        gaps = [pair_of_legs(sides, classes, rules, boards, (wanted.seed, n)) for n in range(wanted.streams)]
        gap, error = estimate(gaps)
        pairs, seconds = wanted.streams * wanted.boards, perf_counter() - began
        print(f"{first:8} - {second:8} {gap:+7.2f} ± {error:.2f}   {pairs} pairs of hands, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
