"""A bot with every bad habit, one flag each; without a flag it is honest and takes the first legal action.

Standard library only and no SDK: what stands on its pipes is what is written here. Requests are counted from 1,
`match_start` not included. It never sleeps to be late: a late answer comes with the next request.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, NoReturn

Message = dict[str, Any]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    start = parser.add_argument_group("at the start")
    start.add_argument("--exit-at-start", action="store_true", help="exit with code 4 before saying anything")
    start.add_argument("--never-hello", action="store_true", help="read everything, say nothing")
    start.add_argument("--never-ready", action="store_true", help="say hello, and nothing more")
    start.add_argument("--wrong-name", action="store_true", help="claim to be another entrant")
    start.add_argument("--protocol", type=int, default=1, help="the version that it claims to speak")
    start.add_argument("--refuse", action="store_true", help="say in reply to match_start that it cannot play")
    start.add_argument("--early", action="store_true", help="answer requests that are not made yet; says so on stderr")
    start.add_argument("--fork", action="store_true", help="leave a child in its group; its number goes to stderr")
    start.add_argument("--ignore-sigterm", action="store_true", help="live on after SIGTERM and the end of input")
    start.add_argument("--never-read", action="store_true", help="read nothing after match_start")
    at = parser.add_argument_group("at the Nth request")
    at.add_argument("--crash-at", type=int, metavar="N", help="exit with code 3")
    at.add_argument("--segfault-at", type=int, metavar="N", help="die by SIGSEGV; on Windows exit with code 139")
    at.add_argument("--abort-in-line-at", type=int, metavar="N", help="write half an answer and abort")
    at.add_argument("--crash-after", type=int, metavar="N", help="answer, and exit with code 0")
    at.add_argument("--hang-at", type=int, metavar="N", help="never do anything again")
    at.add_argument("--half-line-at", type=int, metavar="N", help="write half an answer, and the rest never")
    at.add_argument("--late-at", type=int, metavar="N", help="answer only when the next request comes, then both")
    at.add_argument("--close-output-at", type=int, metavar="N", help="close standard output and live on")
    at.add_argument("--close-input-at", type=int, metavar="N", help="answer, close standard input and live on")
    at.add_argument("--endless-at", type=int, metavar="N", help="write a line that never ends")
    at.add_argument("--illegal-at", type=int, metavar="N", help="give an answer that is not legal")
    at.add_argument("--say-at", nargs=2, metavar=("N", "TEXT"), help="write this line, ID in it being the request's")
    each = parser.add_argument_group("with each answer")
    each.add_argument("--babble", action="store_true", help="think aloud on standard output first")
    each.add_argument("--no-flush", action="store_true", help="leave the answer in a buffer")
    each.add_argument("--crlf", action="store_true", help="end lines with CR LF")
    each.add_argument("--old-id", action="store_true", help="answer the last request once more first")
    each.add_argument("--string-id", action="store_true", help="echo the number as a text")
    each.add_argument("--no-id", action="store_true", help="leave the number out")
    each.add_argument("--two-objects", action="store_true", help="write two objects on the line")
    each.add_argument("--blank-lines", type=int, default=0, metavar="N", help="write blank lines first")
    each.add_argument("--stderr-flood", action="store_true", help="write 200 kB to standard error first")
    each.add_argument("--note", help="add a note")
    return parser.parse_args()


class Zoo:
    def __init__(self, habits: argparse.Namespace) -> None:
        self.habits = habits
        self.requests = 0
        self.last: Message | None = None
        self.owed: Message | None = None
        self.output = os.fdopen(os.dup(1), "wb", buffering=1_000_000 if habits.no_flush else 0)

    def live(self) -> None:
        self.prepare()
        for line in sys.stdin.buffer:
            self.hear(json.loads(line))
        if self.habits.ignore_sigterm:
            hang()

    def prepare(self) -> None:
        habits = self.habits
        if habits.exit_at_start:
            print("the weights are missing", file=sys.stderr)
            sys.exit(4)
        if habits.ignore_sigterm:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if habits.fork:
            child = subprocess.Popen([sys.executable, "-c", "import threading; threading.Event().wait()"])
            print("child", child.pid, file=sys.stderr, flush=True)

    def hear(self, message: Message) -> None:
        kind = message["type"]
        if self.habits.never_hello:
            return
        if kind == "hello":
            self.write(json.dumps(self.hello()))
            self.output.flush()
        elif kind == "match_start":
            self.match_start(message)
        elif "time_left" in message:
            self.request(message)

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
        return self.answer(message)

    def deeds(self) -> dict[str, Callable[[Message], None]]:
        return {
            "crash_at": lambda _: os._exit(3),
            "segfault_at": lambda _: die(),
            "abort_in_line_at": self.abort_in_line,
            "crash_after": self.crash_after,
            "hang_at": lambda _: hang(),
            "half_line_at": self.half_line,
            "late_at": self.owe,
            "close_output_at": self.close_output,
            "close_input_at": self.close_input,
            "endless_at": lambda _: self.write_for_ever(),
            "illegal_at": self.illegal,
        }

    def answer(self, message: Message) -> None:
        habits = self.habits
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
        return line + line if self.habits.two_objects else line

    def write(self, line: str) -> None:
        self.output.write(line.encode() + (b"\r\n" if self.habits.crlf else b"\n"))

    def owe(self, message: Message) -> None:
        self.owed = message

    def half_line(self, message: Message) -> None:
        line = json.dumps(choice(message))
        self.output.write(line[: len(line) // 2].encode())

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

    def write_for_ever(self) -> None:
        while True:
            self.output.write(b"x" * 65_536)

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


def die() -> NoReturn:
    if sys.platform != "win32":
        os.kill(os.getpid(), signal.SIGSEGV)
    os._exit(139)


if __name__ == "__main__":
    Zoo(arguments()).live()
