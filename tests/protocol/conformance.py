"""Plays the transcripts of `protocol/conformance/` to a bot and says where it leaves the protocol.

By hand: `python tests/protocol/conformance.py COMMAND ...`, in the bot's folder; exit 1 if anything is wrong, 2 if
no bot was started. May know nothing of the harness: only transcripts, and a process that reads and writes lines.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

TRANSCRIPTS: Final = Path(__file__).parents[2] / "protocol" / "conformance"
PATIENCE: Final = 20.0
"""Seconds for one answer: a guard against bots that hang, generous since nothing is timed here."""
REQUESTS: Final = ("blind", "draw", "bid", "exchange", "play")
Step: TypeAlias = dict[str, Any]
Message: TypeAlias = dict[str, Any]


class Violation(Exception):
    """What a bot did wrong, with the step of the transcript."""


def transcripts() -> list[Path]:
    """All transcripts, in name order."""
    return sorted(TRANSCRIPTS.glob("*.jsonl"))


def read_steps(path: Path) -> list[Step]:
    """The steps of one transcript."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


class Process:
    """A bot as a process: lines in, lines out."""

    def __init__(self, command: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None) -> None:
        self._popen = subprocess.Popen(
            command, cwd=cwd, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._stderr: list[bytes] = []
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read_lines, self._read_errors)]
        for reader in self._readers:
            reader.start()

    def _read_lines(self) -> None:
        assert self._popen.stdout
        for line in self._popen.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self) -> None:
        assert self._popen.stderr
        self._stderr.extend(self._popen.stderr)

    def send(self, line: bytes) -> None:
        """Write one line; a bot that has gone is found out by what it fails to answer."""
        assert self._popen.stdin
        with suppress(OSError):
            self._popen.stdin.write(line + b"\n")
            self._popen.stdin.flush()

    def receive(self) -> bytes | None:
        """The next line, None at the end of the bot's output; raises Violation when nothing comes."""
        try:
            return self._lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise Violation(f"no line within {PATIENCE:g} s") from None

    def end_input(self) -> int:
        """Close the bot's input and wait for its exit code; raises Violation when it stays."""
        assert self._popen.stdin
        with suppress(OSError):
            self._popen.stdin.close()
        try:
            return self._popen.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Violation(f"still running {PATIENCE:g} s after the end of its input") from None

    def close(self) -> str:
        """End the process by force if need be; what it wrote to standard error."""
        self._popen.kill()
        self._popen.wait()
        for reader in self._readers:
            reader.join()
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            assert stream
            with suppress(OSError):
                stream.close()
        return b"".join(self._stderr).decode("utf-8", "replace")


def play(steps: Sequence[Step], command: Sequence[str], **options: Any) -> list[Message]:
    """Play a transcript to one process and return its answers; raises Violation with what the bot wrote to stderr."""
    process = Process(command, **options)
    try:
        return _converse(process, steps)
    except Violation as violation:
        raise Violation(f"{violation}\n{process.close()}".rstrip()) from None
    finally:
        process.close()


def _converse(process: Process, steps: Sequence[Step]) -> list[Message]:
    """The answers of a bot that conforms; unasked lines of it are found at the next answer or at the end."""
    answers: list[Message] = []
    for number, step in enumerate(steps, 1):
        try:
            if "only" in step and step["only"] not in answers[0].get("answers", ()):
                continue
            if (line := line_of(step)) is not None:
                process.send(line)
            elif "expect" in step:
                answers.append(check(step["expect"], process.receive()))
        except Violation as violation:
            raise Violation(f"step {number}: {violation}") from None
    _end(process)
    return answers


def line_of(step: Step) -> bytes | None:
    """The line that a step sends: a message, or a text as it stands."""
    if "raw" in step:
        return str(step["raw"]).encode()
    if "send" in step:
        longer = {"padding": p["text"] * p["times"]} if (p := step.get("padding")) else {}
        return json.dumps({**longer, **step["send"]}, separators=(",", ":"), ensure_ascii=False).encode()
    return None


def _end(process: Process) -> None:
    code = process.end_input()
    if code != 0:
        raise Violation(f"exit code {code} at the end of input, not 0")
    if (line := process.receive()) is not None:
        raise Violation(f"a line that nobody asked for: {line[:200]!r}")


def check(expected: Mapping[str, Any], line: bytes | None) -> Message:
    """The answer on a line, if it is what a transcript expects; raises Violation."""
    if line is None:
        raise Violation("the bot's output ended")
    answer = _parse(line)
    for key, allowed in expected.items():
        if key not in answer:
            raise Violation(f"no {key!r} in {line[:200]!r}")
        if not matches(answer[key], allowed):
            raise Violation(f"{key} is {answer[key]!r}, allowed is {allowed!r}")
    return answer


def _parse(line: bytes) -> Message:
    try:
        answer = json.loads(line.decode("utf-8"))
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise Violation(f"not a JSON object: {line[:200]!r}")
    if not line.endswith(b"\n"):
        raise Violation(f"the line isn't ended: {line[:200]!r}")
    return answer


def matches(value: object, allowed: object) -> bool:
    """Whether a value is the allowed one, one of a list, or (`choose` `of`) so many different ones of a list."""
    if isinstance(allowed, dict):
        return isinstance(value, list) and _chosen([str(card) for card in value], allowed["choose"], allowed["of"])
    choices = allowed if isinstance(allowed, list) else [allowed]
    return any(type(choice) is type(value) and choice == value for choice in choices)


def _chosen(names: Sequence[str], many: int | Sequence[int], of: Sequence[str]) -> bool:
    """Whether these are different ones of a list, and so many; `[least, most]` leaves the number open."""
    least, most = (many, many) if isinstance(many, int) else many
    return least <= len(names) <= most and len(set(names)) == len(names) and set(names) <= set(of)


def restarting(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """For each request of the transcript the steps of a bot that is started for it alone: greeting, match, request."""
    opening: list[Step] = []
    for number, step in enumerate(steps):
        kind = step.get("send", {}).get("type")
        if kind == "hello":
            opening = list(steps[number : number + 2])
        elif kind == "match_start":
            opening = opening[:2] + list(steps[number : number + 2])
        elif kind in REQUESTS:
            yield opening + list(steps[number : number + 2])


def main(command: Sequence[str]) -> int:
    """Play every transcript and print one line for each; 1 if the bot left the protocol anywhere, 2 if none plays."""
    if not command:
        return _useless("name the command that starts the bot: python conformance.py COMMAND ...")
    wrong = 0
    for path in transcripts():
        try:
            play(read_steps(path), command)
            print(f"ok    {path.stem}")
        except Violation as violation:
            wrong = 1
            print(f"WRONG {path.stem}: {violation}")
        except OSError as error:
            return _useless(f"{command[0]} cannot be started: {error.strerror}")
    return wrong


def _useless(why: str) -> int:
    print(f"conformance: {why}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
