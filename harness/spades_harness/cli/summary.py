"""What came of a match, as lines of text: points a hand, contracts, nils, bags, faults, and the costliest boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rich.cells import cell_len

from spades_harness.game.notation import read_bid
from spades_harness.game.options import write_value
from spades_harness.game.rules import OPTIONS, PRESETS, Rules
from spades_harness.game.score import Boards, Format
from spades_harness.game.shape import Shape
from spades_harness.tournament.outcome import Outcome
from spades_harness.tournament.records.founding import Run
from spades_harness.tournament.records.ledger import Ledger
from spades_harness.tournament.standings import Row, standings

from .cells import bags, faults, padded, points
from .costly import Board, Played, costliest
from .quoting import quoted, replay_command

SHOWN: Final = 3
"""Boards that are shown: as many as anybody looks at before the next try."""
HEAD: Final = ("", "points a hand ± error", "contracts", "nils", "bags a hand", "won-drawn-lost", "forfeits", "faults")


def summary(ledger: Ledger, kept: Path) -> Iterator[str]:
    """Everything worth knowing of what was played so far; nothing if that is nothing. `kept` is the run's folder."""
    outcomes = ledger.outcomes()
    if not outcomes:
        return
    names, run = [*dict.fromkeys(outcomes[0].leg.entrants)], ledger.run
    rows = {row.entrant: row for row in standings(names, outcomes, run.terms.format, {}).entrants}
    yield heading(names, outcomes, run)
    yield ""
    yield from table([rows[name] for name in names])
    yield ""
    yield from _costly(ledger, outcomes, kept)
    seed = quoted(["--seed", str(run.seed)])
    yield f"The match is in {kept} (again on the same boards: {seed})"


def heading(names: Sequence[str], outcomes: Sequence[Outcome], run: Run) -> str:
    """Who played what."""
    hands, matches = sum(outcome.hands for outcome in outcomes), len(outcomes)
    length = _length(run.terms.format, run.terms.rules)
    amount = f"{hands} hands in {matches} {'match' if matches == 1 else 'matches'} {length}"
    rules = run.terms.rules
    terms = ", ".join([f"rules {rules.preset}", *_changes(rules), f"seed {run.seed}"])
    return f"{' against '.join(names)}: {amount}, each {_ways_round(rules.shape)} ({terms})"


def _changes(rules: Rules) -> Iterator[str]:
    """The options that are not as in the preset; of a plugin's preset, which isn't known here, as in `classic`."""
    base = PRESETS.get(rules.preset, Rules())
    for name in OPTIONS:
        if (value := getattr(rules, name)) != getattr(base, name):
            yield f"{name} {write_value(value)}"


def _length(game: Format, rules: Rules) -> str:
    if isinstance(game, Boards):
        return f"of {game.hands} boards"
    return "to the end" if rules.target is None else "to the target"


def _ways_round(shape: Shape) -> str:
    return "both ways round" if len(shape.sides) == 2 else "from every seat"


def table(rows: Sequence[Row]) -> Iterator[str]:
    """A line an entrant under a line of headings, in columns."""
    lines = [HEAD, *map(_cells, rows)]
    widths = [max(cell_len(line[column]) for line in lines) for column in range(len(HEAD))]
    for name, *cells in lines:
        columns = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        yield "   ".join((padded(name, widths[0]), *columns)).rstrip()


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.entrant,
        points(row),
        _share(row.contracts_made, row.contracts),
        _share(row.nils_made, row.nils),
        bags(row),
        f"{row.wins}-{row.draws}-{row.losses}",
        str(row.forfeits),
        faults(row),
    )


def _share(made: int, tried: int) -> str:
    return f"{made} of {tried} ({100 * made / tried:.0f} %)" if tried else "none"


def _costly(ledger: Ledger, outcomes: Sequence[Outcome], kept: Path) -> Iterator[str]:
    """The boards that cost the first entrant most; nothing where it lost on none."""
    name, played = outcomes[0].leg.entrants[0], {outcome.ordinal for outcome in outcomes}
    matches = ((each, ledger.match(each.ordinal)) for each in ledger.planned() if each.ordinal in played)
    boards = costliest(matches, SHOWN)
    if boards:
        yield f"The boards that cost {name} most:"
    for board in boards:
        yield from show_board(board, ledger.run.terms.rules, kept)
    if boards:
        yield ""


def show_board(board: Board, rules: Rules, kept: Path) -> Iterator[str]:
    """A board: what it cost, how each leg went, and the command that replays the worst of them."""
    yield f"  {board.difference:+d} points on board {board.hand_no} of stream {board.stream}"
    for leg in sorted(board.legs, key=lambda leg: leg.difference):
        yield f"    {_went(leg, rules)}   {replay_command(kept, leg.match, board.hand_no)}"


def _went(leg: Played, rules: Rules) -> str:
    """How a board went in one leg: `as NS -110 (bid/took N 4/3, E nil/0 …)`."""
    shape = rules.shape
    each = zip(shape.seats, leg.bids, leg.won, strict=True)
    bids = ", ".join(f"{seat} {_bid(rules, bid)}/{won}" for seat, bid, won in each)
    own = " and ".join(shape.sides[side].name for side in leg.sides)
    return f"as {own} {leg.difference:+d} (bid/took {bids})"


def _bid(rules: Rules, written: int | str | None) -> str:
    """A bid in words: what 0 is, the rules say."""
    return "no bid" if written is None else str(read_bid(rules, written))
