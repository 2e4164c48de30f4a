"""The SDK: messages become calls, prints never spoil an answer, dice and choices don't depend on what came before."""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spades_bot
from bots_support import environment
from spades_bot import Bot, CannotPlay, Message, find_bot, rank, respond, serve, suit, winning
from spades_harness.game.cards import DECKS, SUIT_OF, Deck, card_name, strength
from spades_harness.game.play import best_of

START: dict[str, Any] = {
    "type": "match_start",
    "id": 1,
    "match": "tag",
    "seat": "N",
    "partner": "S",
    "rules": {"target": 500},
    "limits": {"start": 10.0, "move": 1.0, "bank": 60.0},
    "params": {"depth": 3},
    "random_seed": "5eed",
}
BID: dict[str, Any] = {"type": "bid", "id": 2, "hand_no": 1, "tricks": [], "hand": ["AS", "KH"], "legal": [0, 1, 2]}
PLAY: dict[str, Any] = {"type": "play", "id": 3, "hand_no": 1, "tricks": [], "hand": ["AS"], "legal": ["AS"]}
HELLO = {"type": "hello", "protocol": [1, 1], "harness": "test"}


class Plain(Bot):
    """Bids one, plays the first card."""

    def bid(self, request: Message) -> int:
        """One."""
        return 1

    def play(self, request: Message) -> str:
        """The first card."""
        return str(request.legal[0])


def said(bot: Bot, *messages: dict[str, Any]) -> list[dict[str, Any] | None]:
    """What a bot answers to each of these messages."""
    return [respond(bot, Message(message)) for message in messages]


# --------------------------------------------------------------------------------------------- from message to call


def test_the_choices_of_a_bot_are_its_answers() -> None:
    assert said(Plain(), START, BID, PLAY) == [{"id": 1, "ready": True}, {"id": 2, "bid": 1}, {"id": 3, "card": "AS"}]


def test_the_start_of_a_match_sets_what_the_bot_may_know() -> None:
    bot = Plain()
    said(bot, START)
    assert (bot.match, bot.seat, bot.partner) == ("tag", "N", "S")
    assert bot.rules["target"] == 500
    assert bot.limits["move"] == 1.0
    assert bot.params == {"depth": 3}


def test_start_is_called_when_everything_is_set_and_again_in_the_next_match() -> None:
    class Starting(Plain):
        seats: tuple[str, ...] = ()

        def start(self) -> None:
            self.seats = (*self.seats, self.seat)

    bot = Starting()
    said(bot, START, {**START, "id": 9, "seat": "W"})
    assert bot.seats == ("N", "W")


def test_notices_reach_their_methods_and_are_not_answered() -> None:
    class Listening(Plain):
        heard: tuple[str, ...] = ()

        def hand_start(self, notice: Message) -> None:
            self.heard += (f"hand {notice.hand_no}",)

        def hand_end(self, notice: Message) -> None:
            self.heard += (f"end of {notice.hand_no}",)

        def match_end(self, notice: Message) -> None:
            self.heard += (notice.reason,)

    bot = Listening()
    notices = [{"type": "hand_start", "hand_no": 4}, {"type": "hand_end", "hand_no": 4}]
    assert said(bot, START, *notices, {"type": "match_end", "reason": "target"})[1:] == [None] * 3
    assert bot.heard == ("hand 4", "end of 4", "target")


def test_unknown_messages_are_not_answered() -> None:
    assert said(Plain(), {"type": "applause"}, {"type": "bidding", "id": 7, "legal": [1]}, {"id": 3}) == [None] * 3


def test_a_bot_says_its_name_and_its_version() -> None:
    class Named(Plain):
        NAME = "Ada"
        VERSION = "2"

    hello = {"type": "hello", "protocol": 1, "answers": []}
    assert said(Plain(), HELLO) == [{**hello, "name": "Plain", "version": ""}]
    assert said(Named(), HELLO) == [{**hello, "name": "Ada", "version": "2"}]


def test_only_the_optional_methods_that_a_bot_defines_are_in_its_hello() -> None:
    class Blind(Plain):
        def blind(self, request: Message) -> str | None:
            return "blind_nil"

    class Generous(Blind):
        def exchange(self, request: Message) -> list[str]:
            return request.hand[: request.min]

    answers = [(said(bot, HELLO)[0] or {})["answers"] for bot in (Plain(), Blind(), Generous())]
    assert answers == [[], ["blind"], ["blind", "exchange"]]


def test_blind_and_exchange_have_their_own_keys() -> None:
    class Generous(Plain):
        def blind(self, request: Message) -> str | None:
            return request.legal[1] if request.hand_no > 1 else None

        def exchange(self, request: Message) -> tuple[str, ...]:
            return tuple(request.hand[: request.min])

    blind = {"type": "blind", "id": 4, "hand_no": 1, "tricks": [], "legal": [None, "blind_nil"]}
    exchange = {"type": "exchange", "id": 6, "hand_no": 2, "tricks": [], "hand": ["AS", "2C"], "min": 1, "max": 1}
    answers = said(Generous(), blind, {**blind, "id": 5, "hand_no": 2}, exchange)
    assert answers == [{"id": 4, "bid": None}, {"id": 5, "bid": "blind_nil"}, {"id": 6, "cards": ["AS"]}]


def test_a_bot_that_cannot_play_says_why() -> None:
    class Choosy(Plain):
        def start(self) -> None:
            raise CannotPlay("only to 200")

    assert said(Choosy(), START) == [{"type": "error", "message": "only to 200"}]


def test_a_harness_that_speaks_only_other_versions_is_told_so() -> None:
    (answer,) = said(Plain(), {**HELLO, "protocol": [2, 3]})
    assert answer == {"type": "error", "message": "spades_bot speaks protocol 1, the harness 2 to 3"}


def test_note_and_stats_go_along_with_one_answer() -> None:
    class Talking(Plain):
        def bid(self, request: Message) -> int:
            self.note, self.stats = "I bid one", {"nodes": 7}
            return 1

    bid, play = said(Talking(), BID, PLAY)
    assert bid == {"id": 2, "bid": 1, "note": "I bid one", "stats": {"nodes": 7}}
    assert play == {"id": 3, "card": "AS"}


@pytest.mark.parametrize("missing", ["bid", "play"])
def test_a_bot_without_bid_or_play_cannot_be_made(missing: str) -> None:
    methods = {name: getattr(Plain, name) for name in ("bid", "play") if name != missing}
    with pytest.raises(TypeError, match=missing):
        type("Half", (Bot,), methods)()


def test_a_key_that_a_message_lacks_is_named_with_those_that_it_has() -> None:
    with pytest.raises(AttributeError, match=r"bid has no key 'cards'; it has: type, id, hand_no, tricks, hand, legal"):
        Message(BID).cards  # type: ignore[attr-defined] # noqa: B018


def test_what_a_method_raises_comes_through() -> None:
    class Broken(Plain):
        def bid(self, request: Message) -> int:
            raise ZeroDivisionError("oh")

    with pytest.raises(ZeroDivisionError, match="oh"):
        said(Broken(), START, BID)


# ------------------------------------------------------------------------------------------------------------- dice


class Dicing(Plain):
    """Bids by its dice."""

    def bid(self, request: Message) -> int:
        """A large number."""
        return self.random.randrange(2**53)


def rolled(*messages: dict[str, Any]) -> list[int]:
    """The bids of a bot with dice."""
    return [answer["bid"] for answer in said(Dicing(), *messages) if answer and "bid" in answer]


def test_dice_fall_the_same_when_the_match_is_repeated_or_the_bot_is_started_anew() -> None:
    second = {**BID, "id": 8, "hand_no": 2}
    first_dice, second_dice = rolled(START, BID, second)
    assert rolled(START, BID, second) == [first_dice, second_dice]
    assert rolled(START, {**second, "id": 77}) == [second_dice]


def test_dice_differ_between_hands_tricks_kinds_and_seeds() -> None:
    changes: list[dict[str, Any]] = [{}, {"hand_no": 2}, {"tricks": [{}]}]
    dice = [rolled(START, {**BID, **change})[0] for change in changes]
    assert len({*dice, rolled({**START, "random_seed": "0ther"}, BID)[0]}) == 4


def test_dice_go_on_within_one_decision() -> None:
    bot = Dicing()
    said(bot, START)
    assert bot.random.random() != bot.random.random()


# ------------------------------------------------------------------------------------------------------------ cards


def test_suit_and_rank_of_cards() -> None:
    assert [suit(card) for card in ("2C", "TD", "AH", "TS", "BJ")] == ["C", "D", "H", "S", "S"]
    assert [rank(card) for card in ("2C", "TD", "AH", "LJ", "BJ")] == [0, 8, 12, 13, 14]


@pytest.mark.parametrize(
    ("trick", "best"),
    [
        (["2H"], "2H"),
        (["2H", "AH", "KH", "AC"], "AH"),
        (["2H", "AD", "AC"], "2H"),
        (["AH", "2S", "KH", "9S"], "9S"),
        (["2S", "AD", "3S"], "3S"),
        (["AS", "LJ", "BJ"], "BJ"),
    ],
)
def test_the_winning_card_is_the_highest_spade_or_else_the_highest_of_the_led_suit(trick: list[str], best: str) -> None:
    assert winning(trick) == best


def bot_with(deck: Deck) -> Plain:
    """A bot in a match with this deck."""
    bot = Plain()
    said(bot, {**START, "rules": {"deck": deck.name}})
    return bot


@pytest.mark.parametrize("deck", DECKS.values(), ids=lambda deck: deck.name)
def test_a_bot_knows_suits_and_ranks_of_the_deck_of_its_match(deck: Deck) -> None:
    """V16: a high deuce of diamonds is a spade, as the jokers are."""
    bot = bot_with(deck)
    assert [bot.suit(card_name(card)) for card in deck.cards] == [SUIT_OF[card].letter for card in deck.cards]
    assert sorted(deck.cards, key=lambda card: bot.rank(card_name(card))) == sorted(deck.cards, key=strength)
    assert len({(bot.suit(card_name(card)), bot.rank(card_name(card))) for card in deck.cards}) == 52


@given(st.sampled_from(list(DECKS.values())), st.data())
def test_a_bot_finds_the_card_that_wins_whatever_the_deck(deck: Deck, data: st.DataObject) -> None:
    trick = data.draw(st.lists(st.sampled_from(deck.cards), min_size=1, max_size=4, unique=True))
    names = [card_name(card) for card in trick]
    assert bot_with(deck).winning(names) == names[best_of(tuple(trick))]


def test_before_any_match_a_bot_reads_cards_of_the_standard_deck() -> None:
    assert (Plain().suit("2D"), Plain().rank("2S"), Plain().winning(["3D", "2D"])) == ("D", 0, "3D")


# --------------------------------------------------------------------------------------------------- for hosts


def a_module(source: str) -> ModuleType:
    """A module with this text."""
    module = ModuleType("somebots")
    exec("from spades_bot import Bot\n" + source, vars(module))
    return module


def test_the_one_bot_of_a_module_is_found() -> None:
    module = a_module("class Base(Bot): pass\nclass Mine(Base): pass\nAlias = Mine")
    assert find_bot(module).__name__ == "Mine"


@pytest.mark.parametrize(
    ("source", "named"), [("x = 1", "none"), ("class A(Bot): pass\nclass B(Bot): pass", "A, B")], ids=["none", "two"]
)
def test_a_module_without_a_bot_or_with_several_is_refused(source: str, named: str) -> None:
    with pytest.raises(LookupError, match=f"somebots must define one subclass of spades_bot.Bot; it defines: {named}"):
        find_bot(a_module(source))


def test_serve_answers_line_by_line_until_the_input_ends() -> None:
    lines = b"".join(json.dumps(message).encode() + b"\n" for message in (HELLO, START, BID)) + b"\n  \r\n"
    output = io.BytesIO()
    serve(Plain(), io.BytesIO(lines), output)
    assert [json.loads(line) for line in output.getvalue().splitlines()] == said(Plain(), HELLO, START, BID)


def test_an_answer_is_one_line_of_ascii_whatever_its_note_holds() -> None:
    class Poet(Plain):
        def bid(self, request: Message) -> int:
            self.note = "é\u2028\n\ud800♠"
            return 1

    output = io.BytesIO()
    serve(Poet(), io.BytesIO(json.dumps(BID).encode()), output)
    line = output.getvalue()
    assert line.count(b"\n") == 1
    assert line.isascii()
    assert json.loads(line)["note"] == "é\u2028\n\ud800♠"


def test_whole_numbers_of_other_libraries_are_written_as_such() -> None:
    class Number:
        def __index__(self) -> int:
            return 3

    class Counting(Plain):
        def bid(self, request: Message) -> int:
            return Number()  # type: ignore[return-value]

    output = io.BytesIO()
    serve(Counting(), io.BytesIO(json.dumps(BID).encode()), output)
    assert output.getvalue() == b'{"id":2,"bid":3}\n'


def test_nobody_listening_any_more_is_the_end_and_no_fault() -> None:
    class Deaf(io.BytesIO):
        def write(self, _: Any) -> int:
            raise BrokenPipeError

    waiting = io.BytesIO((json.dumps(BID) + "\n").encode() * 3)
    serve(Plain(), waiting, Deaf())
    assert len(waiting.read().splitlines()) == 2


def test_a_line_that_is_no_json_object_ends_the_bot_with_one_sentence() -> None:
    for line in (b"{oops\n", b"[1]\n", b"\xff\n"):
        with pytest.raises(SystemExit, match="spades_bot: this line is no JSON object: b"):
            serve(Plain(), io.BytesIO(line), io.BytesIO())


# ------------------------------------------------------------------------------------------------------ as a process

HEAD = "from spades_bot import Bot, run\n"
BODY = """
class MyBot(Bot):
    def bid(self, request):
        {bid}
        return 3
    def play(self, request):
        return request.legal[0]
if __name__ == "__main__":
    run(MyBot)
"""


def process(tmp_path: Path, bid: str = "", head: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """A bot as a process that is asked for one bid; `bid` is what it does before."""
    (tmp_path / "mybot.py").write_text(HEAD + head + BODY.format(bid=bid or "pass"), encoding="utf-8")
    lines = "".join(json.dumps(message) + "\n" for message in (HELLO, START, BID))
    return subprocess.run(
        [sys.executable, "mybot.py"],
        check=False,
        cwd=tmp_path,
        env=environment(**env),
        input=lines,
        capture_output=True,
        text=True,
        timeout=60,
    )


CLEAN = [
    {"type": "hello", "protocol": 1, "name": "MyBot", "version": "", "answers": []},
    {"id": 1, "ready": True},
    {"id": 2, "bid": 3},
]


@pytest.mark.parametrize(
    "stray",
    [
        "print('stray')",
        "import sys; sys.stdout.write('stray'); sys.stdout.flush()",
        "import os; os.write(1, b'stray')",
        "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(\"stray\")'])",
        "import sys; print('stray', file=sys.__stdout__)",
    ],
    ids=["print", "sys.stdout", "descriptor", "child process", "original stdout"],
)
def test_what_a_bot_prints_goes_to_standard_error(stray: str, tmp_path: Path) -> None:
    """PF-01: no print can shift the answers."""
    done = process(tmp_path, bid=stray)
    assert [json.loads(line) for line in done.stdout.splitlines()] == CLEAN
    assert "stray" in done.stderr


def test_under_the_harness_prints_at_import_are_harmless_too(tmp_path: Path) -> None:
    """PF-01: SPADES_HARNESS is set for each bot."""
    done = process(tmp_path, head="print('stray', flush=True)\n", SPADES_HARNESS="1")
    assert [json.loads(line) for line in done.stdout.splitlines()] == CLEAN
    assert "stray" in done.stderr


def test_child_processes_of_a_bot_keep_their_own_channel(tmp_path: Path) -> None:
    child = "import spades_bot; print('of the child')"
    stray = f"import subprocess, sys; got = subprocess.run([sys.executable, '-c', {child!r}], capture_output=True)"
    done = process(tmp_path, bid=f"{stray}; print(got.stdout)", SPADES_HARNESS="1")
    assert "of the child" in done.stderr
    assert len(done.stdout.splitlines()) == 3


def test_a_bot_that_reads_the_keyboard_gets_nothing(tmp_path: Path) -> None:
    done = process(tmp_path, bid="input()")
    assert "EOFError" in done.stderr
    assert len(done.stdout.splitlines()) == 2


def test_an_exception_is_a_traceback_on_standard_error_and_exit_code_1(tmp_path: Path) -> None:
    done = process(tmp_path, bid="1 / 0")
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr
    assert "mybot.py" in done.stderr
    assert len(done.stdout.splitlines()) == 2


def test_a_breakpoint_without_a_terminal_says_what_to_do(tmp_path: Path) -> None:
    done = process(tmp_path, bid="breakpoint()")
    assert "breakpoint() needs a terminal: try `spades match mybot.py --debug`" in done.stderr


def test_answers_are_flushed_and_end_with_lf_only(tmp_path: Path) -> None:
    """PF-02: the bot answers though nobody set PYTHONUNBUFFERED, and while its input is still open."""
    (tmp_path / "mybot.py").write_text(HEAD + BODY.format(bid="pass"), encoding="utf-8")
    command = [sys.executable, "mybot.py"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as bot:
        assert bot.stdin
        assert bot.stdout
        bot.stdin.write(json.dumps(HELLO).encode() + b"\n")
        bot.stdin.flush()
        assert bot.stdout.readline().endswith(b"}\n")
        bot.stdin.close()
        assert bot.wait(60) == 0


if sys.platform != "win32":  # there are no pseudo-terminals there; what is printed is the same

    def test_a_bot_in_a_terminal_says_how_it_is_meant_to_be_run(tmp_path: Path) -> None:
        (tmp_path / "mybot.py").write_text(HEAD + BODY.format(bid="pass"), encoding="utf-8")
        keyboard, terminal = os.openpty()
        os.write(keyboard, b"\x04")  # Ctrl-D
        command = [sys.executable, "mybot.py"]
        done = subprocess.run(
            command, check=True, cwd=tmp_path, env=environment(), stdin=terminal, capture_output=True, timeout=60
        )
        os.close(keyboard)
        os.close(terminal)
        assert b"this is a bot: it speaks JSON lines" in done.stderr
        assert b"spades match mybot.py" in done.stderr
        assert done.stdout == b""


# ------------------------------------------------------------------------------------------------------- as one file

SOURCE = Path(spades_bot.__file__).read_text(encoding="utf-8")


def test_the_sdk_is_written_for_python_3_8() -> None:
    assert isinstance(ast.parse(SOURCE, feature_version=(3, 8)), ast.Module)
    assert "from __future__ import annotations" in SOURCE


def test_the_sdk_needs_nothing_but_the_standard_library() -> None:
    imported = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name
        for node in ast.walk(ast.parse(SOURCE))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names


def test_importing_the_sdk_changes_nothing_where_no_bot_runs() -> None:
    assert spades_bot._channel is None
    assert sys.stdout is not sys.stderr
