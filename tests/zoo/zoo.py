"""A bot with every bad habit, one flag each; without a flag it is honest and takes the first legal action.

Standard library only and no SDK: what stands on its pipes is what is written here. Requests are counted from 1,
`match_start` not included. Only `--late-by` and `--drip-at` sleep; with `--late-at` the answer comes with the next
request. `misbehaviours.py` says what becomes of each habit.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

Message = dict[str, Any]
WAIT = "import threading; threading.Event().wait()"
DAEMON_LIFE = 600
"""Seconds that a process lives which has left its group: nobody else may end it."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    start = parser.add_argument_group("at the start")
    start.add_argument("--exit-at-start", action="store_true", help="exit with code 4 before saying anything")
    start.add_argument("--quit-at-start", action="store_true", help="exit with code 0 and say nothing at all")
    start.add_argument("--never-hello", action="store_true", help="read everything, say nothing")
    start.add_argument("--never-ready", action="store_true", help="say hello, and nothing more")
    start.add_argument("--odd-hello", choices=sorted(hellos()), help="say this instead of hello")
    start.add_argument("--wrong-name", action="store_true", help="claim to be another entrant")
    start.add_argument("--protocol", type=int, default=1, help="the version that it claims to speak")
    start.add_argument("--refuse", action="store_true", help="say in reply to match_start that it cannot play")
    start.add_argument("--early", action="store_true", help="answer requests that are not made yet; says so on stderr")
    start.add_argument("--fork", action="store_true", help="leave a child in its group; its number goes to stderr")
    start.add_argument("--fork-many", action="store_true", help="leave twenty children in its group")
    start.add_argument("--daemon", action="store_true", help="leave a child in a session of its own")
    start.add_argument("--spin", action="store_true", help="leave a child that eats a processor")
    start.add_argument("--threads", action="store_true", help="leave fifty threads that wait")
    start.add_argument("--files", action="store_true", help="write 10 MB of files")
    start.add_argument("--remove-folder", action="store_true", help="remove all that stands in the working folder")
    start.add_argument("--ignore-sigterm", action="store_true", help="live on after SIGTERM and the end of input")
    start.add_argument("--never-read", action="store_true", help="read nothing after match_start")
    end = parser.add_argument_group("at the end")
    end.add_argument("--linger", action="store_true", help="live on after the end of input")
    end.add_argument("--fork-at-end", action="store_true", help="leave a child in its group when the input ends")
    end.add_argument("--crash-at-end", action="store_true", help="exit with code 1 at match_end")
    at = parser.add_argument_group("at the Nth request")
    at.add_argument("--crash-at", type=int, metavar="N", help="exit with code 3")
    at.add_argument("--quit-at", type=int, metavar="N", help="exit with code 0, and say nothing")
    at.add_argument("--raise-at", type=int, metavar="N", help="raise an exception")
    at.add_argument("--sys-exit-at", type=int, metavar="N", help="call sys.exit with a text")
    at.add_argument("--give-up-at", type=int, metavar="N", help="say that it gives up")
    at.add_argument("--segfault-at", type=int, metavar="N", help="die by SIGSEGV; on Windows exit with code 139")
    at.add_argument("--kill-group-at", type=int, metavar="N", help="kill its own process group")
    at.add_argument("--stop-at", type=int, metavar="N", help="stop itself by SIGSTOP")
    at.add_argument("--exec-at", type=int, metavar="N", help="become another program, which says nothing")
    at.add_argument("--abort-in-line-at", type=int, metavar="N", help="write half an answer and abort")
    at.add_argument("--crash-after", type=int, metavar="N", help="answer, and exit with code 0")
    at.add_argument("--hang-at", type=int, metavar="N", help="never do anything again")
    at.add_argument("--half-line-at", type=int, metavar="N", help="write half an answer, and the rest never")
    at.add_argument("--no-newline-at", type=int, metavar="N", help="write an answer without its line end")
    at.add_argument("--drip-at", type=int, metavar="N", help="write an answer byte by byte, ten a second")
    at.add_argument("--late-at", type=int, metavar="N", help="answer only when the next request comes, then both")
    at.add_argument("--close-output-at", type=int, metavar="N", help="close standard output and live on")
    at.add_argument("--close-input-at", type=int, metavar="N", help="answer, close standard input and live on")
    at.add_argument("--abandon-pipes-at", type=int, metavar="N", help="exit with 7; a child elsewhere holds its pipes")
    at.add_argument("--endless-at", type=int, metavar="N", help="write a line that never ends")
    at.add_argument("--flood-at", type=int, metavar="N", help="answer, and write lines without end")
    at.add_argument("--illegal-at", type=int, metavar="N", help="give an answer that is not legal")
    at.add_argument("--say-at", nargs=2, metavar=("N", "TEXT"), help="write this line, ID in it being the request's")
    at.add_argument("--odd-at", nargs=2, metavar=("N", "WHAT"), help=f"write one of {', '.join(odd_lines(MODEL))}")
    play = parser.add_argument_group("at the first chance")
    play.add_argument("--revoke", action="store_true", help="play a card of the hand that is not legal")
    play.add_argument("--foreign-card", action="store_true", help="play a card that somebody else holds")
    play.add_argument("--played-card", action="store_true", help="play a card once more")
    each = parser.add_argument_group("with each answer")
    each.add_argument("--late-by", type=float, metavar="SECONDS", help="answer so long after its time has run out")
    each.add_argument("--babble", action="store_true", help="think aloud on standard output first")
    each.add_argument("--no-flush", action="store_true", help="leave the answer in a buffer")
    each.add_argument("--crlf", action="store_true", help="end lines with CR LF")
    each.add_argument("--old-id", action="store_true", help="answer the last request once more first")
    each.add_argument("--twice", action="store_true", help="write the answer twice at once, each on its line")
    each.add_argument("--string-id", action="store_true", help="echo the number as a text")
    each.add_argument("--no-id", action="store_true", help="leave the number out")
    each.add_argument("--two-objects", action="store_true", help="write two objects on the line")
    each.add_argument("--blank-lines", type=int, default=0, metavar="N", help="write blank lines first")
    each.add_argument("--stderr-flood", action="store_true", help="write 200 kB to standard error first")
    each.add_argument("--note", help="add a note")
    return parser.parse_args()


# ------------------------------------------------------------------------------------------------------ odd lines, said

MODEL: Message = {"id": 2, "type": "bid", "legal": [1]}


def hellos() -> dict[str, str]:
    """What may stand where hello should."""
    hello = '{"type":"hello","protocol":1}'
    return {
        "chatter": "loading the weights...",
        "answers": "\n".join(f'{{"id":{number},"bid":4,"card":"2C"}}' for number in range(1, 14)),
        "early": hello + "\n" + "\n".join(f'{{"id":{number},"bid":4}}' for number in range(2, 60)),
        "type": '{"type":"hallo","protocol":1}',
        "float": '{"type":"hello","protocol":1.0}',
        "binary": "\x00\x01\x02",
    }


def odd_lines(message: Message) -> dict[str, bytes]:
    """What may stand where an answer should; the line end is added, except after what has its own."""
    answer = choice(message)
    line = json.dumps(answer).encode()
    number = answer["id"]
    (key,) = answer.keys() - {"id"}
    written = json.dumps(answer[key])

    def reads(value: str) -> bytes:
        return f'{{"id":{number},"{key}":{value}}}'.encode()

    def beside(more: str) -> bytes:
        return f'{{"id":{number},"{key}":{written},{more}}}'.encode()

    return {
        "array": b"[]",
        "null": b"null",
        "empty": b"{}",
        "no-answer": f'{{"id":{number}}}'.encode(),
        "true": reads("true"),
        "float": reads("3.0"),
        "list": reads("[3]"),
        "other-key": f'{{"id":{number},"ready":true}}'.encode(),
        "both-keys": beside('"draw":"keep"'),
        "nan": reads("NaN"),
        "infinity": beside('"stats":{"value":Infinity}'),
        "5000-digits": reads("9" * 5000),
        "4000-digits": reads("9" * 4000),
        "nested": reads("[" * 20_000 + "]" * 20_000),
        "latin-1": beside('"note":"é"').decode().encode("latin-1"),
        "utf-16": line.decode().encode("utf-16-le"),
        "bom": b"\xef\xbb\xbf" + line,
        "nul": line[:5] + b"\x00" + line[5:],
        "nul-after": line + b"\x00",
        "lone-cr": line + b"\r" + line,
        "comment": line + b" # safe",
        "long": beside('"note":"' + "n" * 70_000 + '"'),
        "future-id": json.dumps({**answer, "id": number + 1}).encode(),
        "float-id": json.dumps({**answer, "id": float(number)}).encode(),
        "zero-id": json.dumps({**answer, "id": 0}).encode(),
        "doubled-key": f'{{"id":0,"id":{number},"{key}":99,"{key}":{written}}}'.encode(),
        "surrogate": beside('"note":"\\ud800 oops"'),
        "separators": beside('"note":"a\u2028b\u0085c"'),
        "escapes": beside('"note":"\\u001b[2J\\u0000\\u202e"'),
        "blank-lines": b"\n   \n\t\r\n" + line,
    }


class Zoo:
    def __init__(self, habits: argparse.Namespace) -> None:
        self.habits = habits
        self.requests = 0
        self.last: Message | None = None
        self.owed: Message | None = None
        self.played = ""
        self.output = os.fdopen(os.dup(1), "wb", buffering=1_000_000 if habits.no_flush else 0)

    def live(self) -> None:
        self.prepare()
        for line in sys.stdin.buffer:
            self.hear(json.loads(line))
        if self.habits.fork_at_end:
            subprocess.Popen([sys.executable, "-c", WAIT])
        if self.habits.ignore_sigterm or self.habits.linger:
            hang()

    def prepare(self) -> None:
        habits = self.habits
        if habits.exit_at_start:
            print("the weights are missing", file=sys.stderr)
            sys.exit(4)
        if habits.quit_at_start:
            os._exit(0)
        if habits.ignore_sigterm:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        self.leave_behind()

    def leave_behind(self) -> None:
        habits = self.habits
        if habits.fork:
            child = subprocess.Popen([sys.executable, "-c", WAIT])
            print("child", child.pid, file=sys.stderr, flush=True)
        if habits.fork_many:
            fork(20)
        if habits.daemon or habits.abandon_pipes_at:
            leave_session(subprocess.DEVNULL if habits.daemon else None)
        if habits.spin:
            subprocess.Popen([sys.executable, "-c", "while True: pass"])
        if habits.threads:
            for _ in range(50):
                threading.Thread(target=hang, daemon=True).start()
        if habits.files:
            for number in range(10):
                Path(f"file {number}").write_bytes(b"x" * 1_000_000)
        if habits.remove_folder:
            shutil.rmtree(Path.cwd(), ignore_errors=True)

    def hear(self, message: Message) -> None:
        kind = message["type"]
        if self.habits.never_hello:
            return
        if kind == "hello":
            self.write(hellos()[self.habits.odd_hello] if self.habits.odd_hello else json.dumps(self.hello()))
            self.output.flush()
        elif kind == "match_start":
            self.match_start(message)
        elif "time_left" in message:
            self.request(message)
        elif kind == "match_end" and self.habits.crash_at_end:
            os._exit(1)

    def hello(self) -> Message:
        name = "somebody else" if self.habits.wrong_name else "zoo"
        return {
            "type": "hello",
            "protocol": self.habits.protocol,
            "name": name,
            "version": "1",
            "answers": ["blind", "draw", "exchange"],
        }

    def match_start(self, message: Message) -> None:
        if self.habits.refuse:
            self.write(json.dumps({"type": "error", "message": "these rules are beyond me"}))
        elif not self.habits.never_ready:
            self.write(json.dumps({"id": message["id"], "ready": True}))
            self.output.flush()
        if self.habits.early:
            for number in range(1, 60):
                self.write(json.dumps({"id": number, "bid": 4}))
            print("all said", file=sys.stderr, flush=True)
        if self.habits.never_read:
            hang()

    def request(self, message: Message) -> None:
        self.requests += 1
        if self.owed:
            self.answer(self.owed)
            self.owed = None
        for habit, act in self.deeds().items():
            if getattr(self.habits, habit) == self.requests:
                return act(message)
        if self.habits.say_at and int(self.habits.say_at[0]) == self.requests:
            return self.write(self.habits.say_at[1].replace("ID", str(message["id"])))
        if self.habits.odd_at and int(self.habits.odd_at[0]) == self.requests:
            return self.put(odd_lines(message)[self.habits.odd_at[1]] + b"\n")
        return self.cheat(message)

    def deeds(self) -> dict[str, Callable[[Message], None]]:
        return {
            "crash_at": lambda _: os._exit(3),
            "quit_at": lambda _: os._exit(0),
            "raise_at": self.fail,
            "sys_exit_at": lambda _: sys.exit("out of ideas"),
            "give_up_at": lambda _: self.write(json.dumps({"type": "error", "message": "no more"})),
            "segfault_at": lambda _: die(),
            "kill_group_at": lambda _: kill_group(),
            "stop_at": lambda _: stop(),
            "exec_at": lambda _: os.execv(sys.executable, [sys.executable, "-c", WAIT]),
            "abort_in_line_at": self.abort_in_line,
            "crash_after": self.crash_after,
            "hang_at": lambda _: hang(),
            "half_line_at": self.half_line,
            "no_newline_at": lambda message: self.put(json.dumps(choice(message)).encode()),
            "drip_at": self.drip,
            "late_at": self.owe,
            "close_output_at": self.close_output,
            "close_input_at": self.close_input,
            "abandon_pipes_at": lambda _: os._exit(7),
            "endless_at": lambda _: self.write_for_ever(b"x" * 65_536),
            "flood_at": self.flood,
            "illegal_at": self.illegal,
        }

    def cheat(self, message: Message) -> None:
        """Play a wrong card at the first chance, or answer honestly."""
        wrong = self.wrong_card(message) if message["type"] == "play" else ""
        if wrong:
            return self.write(json.dumps({"id": message["id"], "card": wrong}))
        return self.answer(message)

    def wrong_card(self, message: Message) -> str:
        habits, hand, legal = self.habits, message["hand"], message["legal"]
        played, self.played = self.played, legal[0]
        if habits.revoke:
            return next((card for card in hand if card not in legal), "")
        if habits.foreign_card:
            return next(rank + suit for suit in "CDHS" for rank in "23456789TJQKA" if rank + suit not in hand)
        return played if habits.played_card else ""

    def answer(self, message: Message) -> None:
        habits = self.habits
        if habits.late_by is not None:
            time.sleep(message["time_left"] + habits.late_by)
        if habits.babble:
            self.write(f"thinking about {message['type']}")
        if habits.stderr_flood:
            sys.stderr.write("x" * 200_000 + "\n")
        if habits.old_id and self.last:
            self.write(json.dumps(choice(self.last)))
        for _ in range(habits.blank_lines):
            self.write("  ")
        self.write(self.worded(choice(message)))
        self.last = message

    def worded(self, answer: Message) -> str:
        if self.habits.string_id:
            answer["id"] = str(answer["id"])
        if self.habits.no_id:
            del answer["id"]
        if self.habits.note:
            answer["note"] = self.habits.note
        line = json.dumps(answer)
        if self.habits.twice:
            return line + "\n" + line
        return line + line if self.habits.two_objects else line

    def write(self, line: str) -> None:
        self.put(line.encode() + (b"\r\n" if self.habits.crlf else b"\n"))

    def put(self, data: bytes) -> None:
        """Write it whole: a pipe takes no more at a time than it has room for."""
        while data:
            data = data[self.output.write(data) :]

    def owe(self, message: Message) -> None:
        self.owed = message

    def fail(self, message: Message) -> None:
        raise ValueError(f"no idea what to {message['type']}")

    def half_line(self, message: Message) -> None:
        line = json.dumps(choice(message))
        self.output.write(line[: len(line) // 2].encode())

    def drip(self, message: Message) -> None:
        for byte in json.dumps(choice(message)).encode() + b"\n":
            self.output.write(bytes([byte]))
            time.sleep(0.1)

    def abort_in_line(self, message: Message) -> None:
        self.half_line(message)
        os.abort()

    def crash_after(self, message: Message) -> None:
        self.answer(message)
        os._exit(0)

    def close_output(self, _: Message) -> None:
        self.output.close()
        os.close(1)
        hang()

    def close_input(self, message: Message) -> None:
        os.close(0)
        self.answer(message)
        hang()

    def flood(self, message: Message) -> None:
        self.answer(message)
        self.write_for_ever(b"x\n" * 1000)

    def write_for_ever(self, data: bytes) -> None:
        while True:
            self.output.write(data)

    def illegal(self, message: Message) -> None:
        key, wrong = {"play": ("card", "1X"), "exchange": ("cards", [])}.get(message["type"], ("bid", 99))
        self.write(json.dumps({"id": message["id"], key: wrong}))


def choice(message: Message) -> Message:
    """The first legal action."""
    if message["type"] == "exchange":
        return {"id": message["id"], "cards": message["hand"][: message["min"]]}
    key = {"play": "card", "draw": "draw"}.get(message["type"], "bid")
    return {"id": message["id"], key: message["legal"][0]}


def hang() -> NoReturn:
    while True:
        threading.Event().wait()


# ------------------------------------------------------------------------------------ what only some systems let one do


def die() -> NoReturn:
    if sys.platform != "win32":
        os.kill(os.getpid(), signal.SIGSEGV)
    os._exit(139)


def kill_group() -> NoReturn:
    if sys.platform != "win32":
        os.killpg(0, signal.SIGKILL)
    os._exit(137)


def stop() -> NoReturn:
    if sys.platform != "win32":
        os.kill(os.getpid(), signal.SIGSTOP)
    hang()


def fork(count: int) -> None:
    """Leave so many children that wait."""
    for _ in range(count):
        if sys.platform == "win32":
            subprocess.Popen([sys.executable, "-c", WAIT])
        elif os.fork() == 0:
            hang()


def leave_session(pipes: int | None) -> None:
    """A child of a child, in a session of its own, with the bot's pipes or without; it ends by itself."""
    live = f"import threading; threading.Event().wait({DAEMON_LIFE})"
    child = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {live!r}], start_new_session=True)"
    subprocess.run([sys.executable, "-c", child], stdin=pipes, stdout=pipes, stderr=pipes, check=True)


if __name__ == "__main__":
    Zoo(arguments()).live()
